// The review of a game: what was luck, what was error, and which decisions cost most.

import { sentence } from "./cards.js";
import { PageElement, html, nothing, properties, svg } from "./element.js";
import { guestOf } from "./guests.js";
import { language, n, t } from "./words.js";

const WIDTH = 640, HEIGHT = 180, EDGE = 10;
const withSign = new Intl.NumberFormat(language, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
const signed = (number) => withSign.format(number).replace("-", "−"); // as the sentences have it
const share = new Intl.NumberFormat(language, { style: "percent" });
const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });

/** Where each ply of the deals stands in the graph: the ply, its deal from 1, and its place. */
const placesOf = (deals, low, high) => {
  const count = deals.reduce((sum, deal) => sum + deal.length, 0);
  let number = 0, first = 0;
  return deals.flatMap((deal, place) => {
    const found = deal.map((value, move) => ({
      deal: place + 1, ply: first + move,
      x: EDGE + ((WIDTH - 2 * EDGE) * number++) / Math.max(1, count - 1),
      y: HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / Math.max(1e-9, high - low),
    }));
    first += deal.length - 1;
    return found;
  });
};

class MatchReview extends PageElement {
  // state: the last message of the review; table: the table as it is now
  static properties = properties("state", "table", "everybody", "quiz", "open");

  constructor() {
    super();
    this.open = new Set(); // better moves that a quiz has shown
  }

  ask(detail) {
    this.dispatchEvent(new CustomEvent("ask", { detail, bubbles: true }));
  }

  show({ ply, deal }) {
    this.ask({ kind: "show", number: this.table.number, ply, deal });
  }

  render() {
    return html`<div class="lobby review">
      <header class="mast"><button @click=${() => this.ask({ kind: "table" })}>‹ ${t("Table")}</button><h1>${t("Review")}</h1></header>
      <main class="accounts">${this.progress()}${this.state ? this.body() : nothing}</main></div>`;
  }

  progress() {
    const { done = 0, of = 0 } = this.state ?? {};
    if (of && done >= of) return nothing;
    const words = this.state ? t("This becomes more exact while you look.") : t("Looking at every decision …");
    return html`<p class="quiet" role="status">${words} <progress max=${of || 1} .value=${done} aria-label=${t("Progress")}></progress></p>`;
  }

  body() {
    const { seats, deals, errors } = this.state, { seat } = this.table;
    const mine = errors.filter((each) => each.seat === seat);
    const shown = this.everybody ? errors : mine;
    return html`
      <section class="sheet"><p class="story">${seats[seat].story}</p>${this.parts(seats[seat].parts)}
        <p class="quiet">${t("The unseen is what decisions turned out to be worth because of cards that nobody could know.")}</p></section>
      <section class="sheet"><h2>${this.state.is_chance ? t("Your chance to win the match") : t("Your points, as they were to be expected")}</h2>${this.graph(deals, errors)}</section>
      <section class="sheet"><h2>${t("Where it was lost")}</h2>
        <p class="switches">${this.switch("everybody", t("Everybody's errors"))} ${this.switch("quiz", t("Hide the better moves"))}</p>
        ${mine.length && !guestOf ? html`<p><button @click=${() => this.ask({ kind: "learn", number: this.table.number })}>${t("Learn from your mistakes")}</button></p>` : nothing}
        ${shown.length ? html`<ol class="errors">${shown.map((each) => this.error(each))}</ol>` : html`<p>${t("No error that the samples show.")}</p>`}</section>
      <section class="sheet"><h2>${t("How well each one played")}</h2>${this.players(seats)}</section>
      <p class="quiet">${t("Each decision is judged by what its player could know, on {samples} deals of the hidden cards. ± is twice the standard error; a smaller cost is not called an error. Luck of the draws and of the unseen are known to about ± {noise} points.", { samples: this.state.samples, noise: Math.ceil(2 * this.state.noise) })}</p>`;
  }

  switch(name, words) {
    return html`<label><input type="checkbox" .checked=${Boolean(this[name])} @change=${(event) => { this[name] = event.target.checked; this.open = new Set(); }}> ${words}</label>`;
  }

  /** The parts of the result, each with a bar to its side. */
  parts(parts) {
    const most = Math.max(1, ...parts.map(([, points]) => Math.abs(points)));
    return html`<table class="parts"><tbody>${parts.map(([name, points], place) => html`
      <tr class=${place === parts.length - 1 ? "sum" : ""}><th scope="row">${name}</th><td>${signed(points)}</td>
        <td class="side-bar" aria-hidden="true"><i class=${points < 0 ? "loss" : "gain"} .style=${`width:${(50 * Math.abs(points)) / most}%`}></i></td></tr>`)}</tbody></table>`;
  }

  graph(deals, errors) {
    const values = deals.flat(), isChance = this.state.is_chance;
    const low = isChance ? 0 : Math.min(...values), high = isChance ? 1 : Math.max(...values);
    const places = placesOf(deals, low, high);
    const at = (error) => places.find((place) => place.deal === error.deal && place.ply === error.ply);
    return html`<svg class="graph" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${t("The course of the match; the errors are listed below")}>
      ${this.scale(low, high).map(({ y, words }) => svg`<path class="middle" d="M0 ${y}H${WIDTH}"></path><text x="4" y=${y < 2 * EDGE ? y + 12 : y - 4}>${words}</text>`)}
      ${places.filter((place, number) => number && place.deal !== places[number - 1].deal).map(({ x }) => svg`<path class="end" d="M${x} 0V${HEIGHT}"></path>`)}
      <polyline points=${places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")}></polyline>
      ${errors.filter(at).map((error) => svg`<circle class=${error.kind} cx=${at(error).x} cy=${at(error).y} r="6" @click=${() => this.show(error)}><title>${this.name(error)}: ${error.played}</title></circle>`)}
    </svg>`;
  }

  /** The heights that have a number: all, half and none of a chance, or the points at the edges and 0. */
  scale(low, high) {
    const values = this.state.is_chance ? [1, 0.5, 0] : [high, ...(low < 0 && high > 0 ? [0] : []), low];
    const height = (value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / Math.max(1e-9, high - low);
    return values.map((value) => ({ y: height(value), words: this.state.is_chance ? share.format(value) : signed(value) }));
  }

  name({ seat }) {
    return seat === this.table.seat ? t("You") : this.table.names[seat];
  }

  error(each) {
    const words = (text) => sentence(text, this.table.pack);
    const key = `${each.deal} ${each.ply}`, isHidden = this.quiz && !this.open.has(key);
    return html`<li class=${each.kind}>
      <p><b>${t("Deal {deal}", { deal: each.deal })}, ${this.name(each)}: ${words(each.played)}</b></p>
      ${isHidden
        ? html`<p><button @click=${() => { this.open = new Set(this.open).add(key); }}>${t("What would have been better?")}</button></p>`
        : html`<p>${words(t("Better: {move}", { move: each.best }))}</p><p>${each.verdict}</p>${each.themes.length ? html`<p class="themes">${each.themes.map((theme) => html`<span>${theme}</span> `)}</p>` : nothing}<p class="quiet">${words(each.why)}</p>`}
      <p><button @click=${() => this.show(each)}>${t("Look at it")}</button></p></li>`;
  }

  players(seats) {
    return html`<table class="shares"><thead><tr><td></td><th>${t("Decisions that were not obvious")}</th><th>${t("Points lost a decision")}</th><th>${t("Errors")}</th></tr></thead>
      <tbody>${seats.map((each, seat) => html`<tr><th scope="row">${this.name({ seat })}</th><td>${each.decisions}</td><td>${plain.format(each.error_rate)}</td><td>${each.errors}</td></tr>`)}</tbody></table>`;
  }
}

customElements.define("match-review", MatchReview);
