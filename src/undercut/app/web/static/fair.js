// Words of your own for the deal: the page first shows the seal of the computer's seed, then takes the words.

import { PageElement, html, nothing, properties } from "./element.js";
import { sha256 } from "./sha256.js";
import { t } from "./words.js";

class OwnWords extends PageElement {
  static properties = properties("seal", "open", "words");

  constructor() {
    super();
    this.words = "";
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

/** Whether a seal is the SHA-256 of a seed and its salt. */
export const isSealOf = (seal, seed, salt) => sha256(`undercut deal ${seed} ${salt}`) === seal;
