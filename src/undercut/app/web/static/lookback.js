// Looking back: every ply of a match, step by step, each with a link of its own.

import { sentence } from "./cards.js";
import { KeyboardElement, html, nothing, properties } from "./element.js";
import { t } from "./words.js";

const PATIENCE = 3000; // milliseconds for an answer

/** The steps of a match: each deal from its cards to its end. */
export const stepsOf = ({ deals, deal, ply }) => {
  const ends = [...deals.map((each) => each.ply), ...(deals.length < deal ? [ply] : [])];
  return ends.flatMap((end, place) => {
    const begin = place ? ends[place - 1] : 0;
    return Array.from({ length: end - begin + 1 }, (_, move) => ({ deal: place + 1, ply: begin + move, move, moves: end - begin }));
  });
};

class LookBack extends KeyboardElement {
  // varied: how the deal would have gone on after another move
  static properties = properties("live", "state", "varied", "copied");

  willUpdate(changed) {
    this.steps = stepsOf(this.live);
    if (!changed.has("state")) return;
    this.waits = false;
    if (this.wanted === undefined) this.wanted = this.at;
    else if (this.wanted !== this.at) this.send();
  }

  get at() {
    const { deal, ply } = this.state;
    return Math.max(0, this.steps.findIndex((step) => step.deal === deal && step.ply === ply));
  }

  /** Go to a step; during a request, only the last wanted step follows. */
  go(step) {
    this.wanted = Math.min(Math.max(step, 0), this.steps.length - 1);
    if (!this.waits) this.send();
    this.requestUpdate();
  }

  send() {
    const { deal, ply } = this.steps[this.wanted];
    this.waits = true;
    clearTimeout(this.losing);
    this.losing = setTimeout(() => { this.waits = false; }, PATIENCE);
    this.ask({ kind: "look", number: this.live.number, ply, deal });
  }

  hint() {
    const { number, ply, deal, question } = this.state;
    if (question) this.ask({ kind: "hint", number, ply, deal });
  }

  /** The moves of the person at this ply of a deal that is over. */
  get choices() {
    const { question, deal } = this.state;
    if (!question || deal > this.live.deals.length) return [];
    return question.groups.flatMap(({ choices }) => choices).flatMap((choice) => (choice.more.length ? choice.more.map((each) => ({ ...each, words: `${choice.words} ${each.words}` })) : [choice]));
  }

  vary(action) {
    const { ply, deal } = this.state;
    if (action) this.ask({ kind: "vary", number: this.live.number, ply, deal, action });
  }

  /** Another move, and how strong players would have gone on. */
  whatIf() {
    const { choices } = this, { pack, names, ply, deal } = this.state;
    const found = this.varied?.ply === ply && this.varied.deal === deal && this.varied;
    if (!choices.length) return nothing;
    return html`<div class="what-if">
      <label>${t("What if …")} <select @change=${(event) => this.vary(event.target.value)}><option value=""></option>
        ${choices.map(({ action, words }) => html`<option value=${action} ?selected=${found && found.action === action}>${words}</option>`)}</select></label>
      ${found ? html`<div role="status"><p><b>${found.points.length ? names.map((name, seat) => `${name} ${found.points[seat]}`).join(", ") : t("The deal did not end.")}</b></p>
        <details><summary>${t("How it would have gone on")}</summary><ol tabindex="0" aria-label=${t("How it would have gone on")}>${found.told.map((each) => html`<li>${sentence(each, pack)}</li>`)}</ol></details></div>` : nothing}</div>`;
  }

  /** Copy the link to this moment. */
  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.copied = location.href;
    } catch { /* the address bar has it too */ }
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT" || document.querySelector("dialog[open]")) return;
    const done = {
      ArrowLeft: () => this.go(this.wanted - 1),
      ArrowRight: () => this.go(this.wanted + 1),
      Home: () => this.go(0),
      End: () => this.go(this.steps.length - 1),
      Escape: () => this.ask({ kind: "present" }),
      h: () => this.hint(),
    }[event.key];
    if (!done) return;
    event.preventDefault();
    done();
  }

  render() {
    const last = this.steps.length - 1;
    const { deal, move, moves } = this.steps[this.wanted];
    const where = t("Deal {deal}, move {move} of {moves}", { deal, move, moves });
    const button = (sign, words, step, off) => html`<button aria-label=${words} title=${words} ?disabled=${off} @click=${() => this.go(step)}>${sign}</button>`;
    return html`<section class="lookback" aria-label=${t("Look back")}>
      ${button("|◀", t("First"), 0, this.wanted === 0)} ${button("◀", t("Back"), this.wanted - 1, this.wanted === 0)}
      <input type="range" min="0" max=${last} .value=${String(this.wanted)} aria-label=${t("Move")} aria-valuetext=${where}
        @input=${(event) => this.go(event.target.valueAsNumber)}>
      ${button("▶", t("Forward"), this.wanted + 1, this.wanted === last)} ${button("▶|", t("Last"), last, this.wanted === last)}
      <span class="where">${where}</span>
      <button ?disabled=${!this.state.question} @click=${this.hint}>${t("Hint")}</button>
      <button title=${t("Copy the link to this move")} @click=${this.copy}>${this.copied === location.href ? t("Copied") : t("Link")}</button>
      <button class="main" @click=${() => this.ask({ kind: "present" })}>${t("Done")}</button>
      ${this.whatIf()}
    </section>`;
  }
}

customElements.define("look-back", LookBack);
