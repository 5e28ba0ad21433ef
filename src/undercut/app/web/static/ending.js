// The end of a deal and of a match: the sum, who has won, and how the match went deal by deal.

import { sentence } from "./cards.js";
import { html, nothing } from "./element.js";
import { n, t } from "./words.js";

const PETALS = ["♠", "♥", "♣", "♦", "♥", "♠", "♦", "♣", "♥", "♦", "♠", "♣"];

/** How far a seat is ahead of the best other one. */
const lead = (points, seat) => points[seat] - Math.max(...points.filter((_, other) => other !== seat));

const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));

/** "win", "loss" or "" for the viewer. */
const resultOf = (ahead) => (ahead > 0 ? "win" : ahead < 0 ? "loss" : "");

/** The result of the deal on the table, or of the match after it. */
export const endOf = ({ is_over: isOver, deals, scores, seat }) => resultOf(lead(isOver ? scores : deals.at(-1)?.points ?? scores, seat));

const CHEERS = { win: t("Well played!"), loss: t("Better luck next time."), "": "" };

/** Every deal of a match: by how much the viewer was ahead or behind. */
const course = ({ deals, names, seat }) => html`<ol class="course" aria-label=${t("Deal by deal")}>
  ${deals.map(({ points }, place) => {
    const ahead = lead(points, seat);
    const words = `${t("Deal {deal}", { deal: place + 1 })}: ${names.map((name, each) => `${name} ${points[each]}`).join(", ")}`;
    return html`<li class=${resultOf(ahead)} title=${words}><small aria-hidden="true">${place + 1}</small><span aria-hidden="true">${signed(ahead)}</span><span class="unseen">${words}</span></li>`;
  })}</ol>`;

/** By how much a match was won, and its way there. */
const matchEnd = (state) => {
  const { scores, names, seat: me } = state, count = Math.max(...scores.map((_, seat) => lead(scores, seat)));
  const name = names[scores.indexOf(Math.max(...scores))];
  const words = scores[me] === Math.max(...scores)
    ? n("You win by {count} point.", "You win by {count} points.", count)
    : n("{name} wins by {count} point.", "{name} wins by {count} points.", count, { name });
  return html`${count > 0 ? html`<p>${words}</p>` : nothing}
    ${state.deals.length > 1 ? course(state) : nothing}`;
};

const isPlace = ({ kind }) => kind === "places";

const placesOf = ({ summary, seat: me }) => {
  const places = summary.areas.filter(isPlace);
  return places.length ? html`<div class="places">${places.map(({ label, seat, parts }) => html`<p class=${seat === me ? "you" : ""}><b>${label}</b> ${parts.map(({ before }) => before).filter(Boolean).join(", ")}</p>`)}</div>` : nothing;
};

/** The sum of a deal, and after the last one the result of the match. */
export const dealEnd = (state) => {
  const { summary, is_over: isOver, pack } = state, result = endOf(state);
  return html`<div class="ending ${result} ${isOver ? "final" : ""}" role="status">
    <section class="over"><h2>${isOver ? state.verdict : t("Deal {deal} is over", { deal: state.deal })}</h2>
      ${summary.sentences.map((each) => html`<p class="told">${sentence(each, pack)}</p>`)}
      ${CHEERS[result] ? html`<p class="cheer">${CHEERS[result]}</p>` : nothing}
      ${result === "win" ? html`<div class="petals" aria-hidden="true">${PETALS.map((petal) => html`<i>${petal}</i>`)}</div>` : nothing}</section>
    ${isOver || summary.areas.some(isPlace) ? html`<section class="result">${isOver ? matchEnd(state) : nothing}${placesOf(state)}</section>` : nothing}
  </div>`;
};
