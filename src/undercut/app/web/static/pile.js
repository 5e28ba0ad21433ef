// The pile, open to look through.

import { PageElement, html, properties } from "./element.js";
import { n, t } from "./words.js";

class PileView extends PageElement {
  static properties = properties("cards", "pack", "words");

  render() {
    const words = n("The pile: {count} card", "The pile: {count} cards", this.cards.length);
    return html`<button class="look-through" aria-label=${`${this.words}: ${t("look through the pile")}`}
        @click=${() => this.querySelector("dialog").showModal()}>${this.words}</button>
      <dialog class="sheet piled" aria-label=${words} @click=${(event) => { if (event.target.localName === "dialog") event.target.close(); }}>
        <form method="dialog"><h2>${words}</h2>
          <div class="spread">${this.cards.map((card) => html`<card-view .card=${card} .pack=${this.pack}></card-view>`)}</div>
          <button class="main" autofocus>${t("Close")}</button></form></dialog>`;
  }
}

customElements.define("pile-view", PileView);
