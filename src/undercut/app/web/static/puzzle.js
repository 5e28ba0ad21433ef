// A puzzle below its table: what was played, what an answer is worth, and the solution.

import { sentence } from "./cards.js";
import { KeyboardElement, html, nothing, properties } from "./element.js";
import { t } from "./words.js";

class PuzzleSheet extends KeyboardElement {
  // puzzle: the error with its table; tried: the judgement of the last answer, if there is one
  static properties = properties("puzzle", "tried");

  get isDone() {
    return Boolean(this.tried?.is_right || this.tried?.better);
  }

  reveal() {
    const { number, ply } = this.puzzle.table;
    this.ask({ kind: "reveal", number, ply });
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    if (key === "n") this.ask({ kind: "nextpuzzle", isDone: this.isDone });
    else if (key === "x" && !this.isDone) this.reveal();
  }

  render() {
    const { puzzle, tried } = this;
    const words = (text) => sentence(text, puzzle.table.pack);
    return html`<section class="puzzle" aria-label=${t("Puzzle")}>
      <p>${words(t("You played: {played} ({kind}).", { played: puzzle.played, kind: puzzle.kind }))} ${this.isDone ? nothing : html`<b>${t("Find a better move.")}</b>`}</p>
      <div role="status">${tried ? this.answer(tried, words) : nothing}</div>
      <div class="bar">${this.isDone ? nothing : html`<button @click=${this.reveal}>${t("Show the better move")}<kbd aria-hidden="true">X</kbd></button>`}
        <button class=${this.isDone ? "main" : ""} @click=${() => this.ask({ kind: "nextpuzzle", isDone: this.isDone })}>${this.isDone ? t("Next puzzle") : t("Later")}<kbd aria-hidden="true">N</kbd></button></div>
    </section>`;
  }

  answer({ told, why, better, themes, is_right: isRight }, words) {
    return html`${told ? html`<p class="told ${isRight ? "right" : "wrong"}">${isRight ? "✓" : "✗"} ${told}</p>` : nothing}
      ${better ? html`<p>${words(t("Better: {move}", { move: better }))}</p>
        <p class="quiet">${words(why)}</p>
        ${themes.length ? html`<p class="themes">${themes.map((theme) => html`<span>${theme}</span> `)}</p>` : nothing}` : nothing}`;
  }
}

customElements.define("puzzle-sheet", PuzzleSheet);
