// The coach beside the table: what each move is worth, and where the hidden cards may be.

import { nameOf, sentence, suitOf } from "./cards.js";
import { html, nothing } from "./element.js";
import { language, t } from "./words.js";

const decimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat(language, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
const percent = (share) => `${decimal.format(100 * share)}\u00a0%`; // a no-break space
const SURE = 0.9995;

/** How far a move is behind the best one: nothing if the samples do not tell. */
const behind = ({ behind: lost, noise, win }) => {
  if (lost <= noise) return t("as good, as far as one can tell");
  return win === null ? t("{points} points less", { points: decimal.format(lost) }) : t("{share} less", { share: percent(lost) });
};

/** How often the next player has an answer to a move, and what that costs if the samples tell. */
const danger = ({ answered, answer_cost: cost, answer_noise: noise, win }, answer) => {
  const told = `${answer}: ${percent(answered)}`;
  if (cost === null || Math.abs(cost) <= noise) return told;
  const size = win === null ? t("{points} points", { points: decimal.format(Math.abs(cost)) }) : percent(Math.abs(cost));
  return `${told}, ${cost > 0 ? t("which costs {size}", { size }) : t("which brings {size}", { size })}`;
};

/** The moves with their values, the best first. */
export const moveList = ({ moves, answer, samples }, pack) => html`
  <ol class="advised">${moves.map((move, place) => html`<li class=${move.behind <= move.noise ? "good" : ""}>
    <b>${sentence(move.words, pack)}</b>
    <span>${move.win === null ? t("{points} points", { points: signed.format(move.points) }) : t("{share} of the match, {points} points", { share: percent(move.win), points: signed.format(move.points) })}</span>
    <span class="quiet">${[place ? behind(move) : "", move.answered ? danger(move, answer) : ""].filter(Boolean).join(" · ")}</span></li>`)}</ol>
  <p class="quiet">${t("On {samples} deals of the cards that you do not see.", { samples })}</p>`;

/** What stands on a card of the hand: the value of the best move that throws or plays it. */
export const badges = (hint, choices) => {
  const found = {};
  for (const move of [...(hint?.moves ?? [])].reverse()) {
    const choice = choices.find((each) => each.action === move.action);
    if (choice?.cards.length === 1) found[choice.cards[0]] = { danger: move.answered ? `${Math.round(100 * move.answered)}\u00a0%` : "", dangerWords: move.answered ? `${hint.answer}: ${percent(move.answered)}` : "", isGood: move.behind <= move.noise, text: move.win === null ? signed.format(move.points) : `${Math.round(100 * move.win)}\u00a0%` };
  }
  return found;
};

/** The unseen cards that would make a meld with each card of the hand; those of the card that is pointed at stand out. */
export const outsList = ({ outs }, { pack }, pointed) => (outs.length ? html`<h3>${t("Cards that would make a meld")}</h3>
  <ul class="outs">${outs.map(({ card, cards }) => html`<li class=${card === pointed ? "pointed" : ""}>${sentence(card, pack)}: ${sentence(cards.join(" "), pack)} <span class="quiet">(${cards.length})</span></li>`)}</ul>` : nothing);

/** The chances of the hidden cards, a table for each other player; `marked` cards stand out. */
export const beliefMap = ({ seats }, { names, pack }, marked) => seats.map(({ seat, cards }) => {
  const chances = Object.fromEntries(cards);
  return html`<h3>${t("Cards that {name} may hold", { name: names[seat] })}</h3>
    <div class="scroll" tabindex="0" role="region" aria-label=${t("Cards that {name} may hold", { name: names[seat] })}>
    <table class="belief"><thead><tr><td></td>${pack.suits.map((suit) => html`<th scope="col" aria-label=${suit.name}>${suitOf(suit)}</th>`)}</tr></thead>
    <tbody>${pack.ranks.map(([letter, rank]) => html`<tr><th scope="row">${rank}</th>${pack.suits.map((suit) => cell(letter + suit.letter, chances, pack, marked))}</tr>`)}</tbody></table></div>`;
});

const cell = (card, chances, pack, marked) => {
  const chance = chances[card] ?? 0, out = marked.includes(card) ? "out" : "";
  if (!chance) return html`<td class="none"><span aria-label=${`${nameOf(card, pack)}: 0`}>·</span></td>`;
  const shown = chance >= SURE ? "✓" : Math.round(100 * chance);
  return html`<td .style=${`--chance: ${chance}`} class="${chance >= SURE ? "sure" : ""} ${out}"><span aria-label=${`${nameOf(card, pack)}: ${percent(chance)}`}>${shown}</span></td>`;
};
