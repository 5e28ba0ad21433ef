// Words of one's own for the deal: first the seal of the computer's seed is shown, then they are named.

import { LitElement, html, nothing } from "./lit.js";
import { sha256 } from "./sha256.js";
import { t } from "./words.js";

class OwnWords extends LitElement {
  static properties = { seal: { attribute: false }, open: { state: true }, words: { state: true } };

  constructor() {
    super();
    this.words = "";
  }

  createRenderRoot() {
    return this;
  }

  updated() {
    if (this.seal) this.asked = false;
    else if (this.open && !this.asked) {
      this.asked = true;
      this.dispatchEvent(new CustomEvent("ask", { detail: { kind: "seal" }, bubbles: true }));
    }
  }

  name(words) {
    this.words = words.trim();
    this.dispatchEvent(new CustomEvent("named", { detail: this.words, bubbles: true }));
  }

  render() {
    return html`<details class="house" @toggle=${(event) => { this.open = event.target.open; }}>
      <summary>${this.words ? t("Words of your own for the deal (given)") : t("Words of your own for the deal")}</summary>
      <p class="quiet">${t("The computer has chosen a seed and shows you its seal. The cards follow from that seed and from your words, so neither of you can choose them. When the match has ended the seed is shown, and you can check it.")}</p>
      ${this.seal ? html`<p>${t("Seal")} <code>${this.seal}</code></p>
        <label class="number"><span>${t("Your words")}</span>
          <input type="text" maxlength="120" autocomplete="off" .value=${this.words} @input=${(event) => this.name(event.target.value)}></label>` : nothing}
    </details>`;
  }
}

customElements.define("own-words", OwnWords);

/** Whether what was sealed is what was shown: SHA-256 of a few words. */
export const isSealOf = (seal, seed, salt) => sha256(`undercut deal ${seed} ${salt}`) === seal;
