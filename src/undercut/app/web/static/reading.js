// A question below its table: which of these cards does another player hold?

import { nameOf, sentence } from "./cards.js";
import { KeyboardElement, html, nothing, properties } from "./element.js";
import { language, t } from "./words.js";

const whole = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });

/** How often the person was right, and how often the coach would have been. */
const scoreOf = ({ asked, right, likeliest }) => (asked ? t("Right: you {right} of {asked}, the coach {likeliest} of {asked}.", { right, asked, likeliest }) : nothing);

class ReadingSheet extends KeyboardElement {
  // reading: the question with its table and the score; guessed: the answer to it, if there is one
  static properties = properties("reading", "guessed");

  updated(changed) {
    if (changed.has("guessed") && (this.guessed || changed.get("guessed"))) this.querySelector(".bar button, .guesses button").focus();
  }

  guess(card) {
    const { table: { number, ply }, seat } = this.reading;
    if (card && !this.guessed) this.ask({ kind: "guess", number, ply, seat, card });
  }

  next() {
    this.ask({ kind: "nextreading" });
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || document.querySelector("dialog[open]")) return;
    if (event.key.toLowerCase() === "n") this.next();
    else this.guess(this.reading.cards[Number(event.key) - 1]);
  }

  render() {
    const { reading, guessed } = this;
    const name = reading.table.names[reading.seat];
    return html`<section class="puzzle reading" aria-label=${t("What does the other player hold?")}>
      <p aria-live="polite">${t("Which of these cards does {name} hold?", { name })}</p>
      <div class="guesses">${reading.cards.map((card, place) => this.card(card, place))}</div>
      <div role="status">${guessed ? this.answer(name) : nothing}</div>
      <p class="quiet">${scoreOf(guessed?.score ?? reading.score)}</p>
      ${guessed ? html`<div class="bar"><button class="main" @click=${this.next}>${t("Next question")}<kbd aria-hidden="true">N</kbd></button></div>` : nothing}
    </section>`;
  }

  /** A card to choose; after the answer with the chance that the coach gave it. */
  card(card, place) {
    const { reading: { table: { pack } }, guessed } = this;
    if (!guessed) return html`<button aria-label=${nameOf(card, pack)} @click=${() => this.guess(card)}><card-view .card=${card} .pack=${pack}></card-view><kbd aria-hidden="true">${place + 1}</kbd></button>`;
    const { held, card: chosen, chances } = guessed, kind = card === held ? "held" : card === chosen ? "wrong" : "";
    return html`<div class="guess ${kind}"><card-view .card=${card} .pack=${pack}></card-view><span>${{ held: "✓ ", wrong: "✗ " }[kind] ?? ""}${whole.format(chances[place])}</span></div>`;
  }

  answer(name) {
    const { reading: { table: { pack }, cards }, guessed: { card, held, hand, chances } } = this;
    const likeliest = cards[chances.indexOf(Math.max(...chances))], isRight = card === held;
    const words = (text) => sentence(text, pack);
    return html`<p class="told ${isRight ? "right" : "wrong"}">${isRight ? "✓" : "✗"} ${words(isRight ? t("Right: {name} holds {card}.", { name, card: held }) : t("No: {name} holds {card}.", { name, card: held }))}</p>
      <p>${words(t("The whole hand: {cards}", { cards: hand.join(" ") }))}</p>
      <p class="quiet">${words(t("Below each card: how likely {name} holds it, as far as the coach can tell from your seat. He would have named {card}.", { name, card: likeliest }))}</p>`;
  }
}

customElements.define("reading-sheet", ReadingSheet);
