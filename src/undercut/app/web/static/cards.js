// Cards: one element draws every card, so that art can take its place.

import { PageElement, html, svg } from "./element.js";
import { rankShown, withIndices } from "./indices.js";
import { t } from "./words.js";

// Suits by their name, in a box of 24 by 24.
const SHAPES = {
  hearts: svg`<path d="M12 21.200 3.600 12.600C1.100 10 1.300 6.200 3.800 4.300c2.600-2 6.100-1.200 8.200 2 2.100-3.200 5.600-4 8.200-2 2.500 1.900 2.700 5.700.2 8.300z"/>`,
  diamonds: svg`<path d="M12 1.800 20 12l-8 10.200L4 12z"/>`,
  spades: svg`<path d="M12 1.800c3.400 4.700 8.600 7.300 8.600 11.800 0 2.700-2 4.600-4.400 4.600-1.400 0-2.500-.6-3.200-1.700.2 2.500.9 4 2.300 5.400H8.700c1.400-1.400 2.100-2.900 2.300-5.400-.7 1.100-1.800 1.700-3.200 1.700-2.400 0-4.400-1.900-4.400-4.600C3.400 9.100 8.600 6.500 12 1.800z"/>`,
  clubs: svg`<path d="M12 2a4.500 4.500 0 0 1 3.600 7.200A4.600 4.600 0 1 1 13 16.400c.2 2.500.9 4 2.300 5.400H8.700c1.400-1.400 2.100-2.900 2.300-5.400A4.600 4.600 0 1 1 8.400 9.200 4.500 4.500 0 0 1 12 2z"/>`,
  bells: svg`<circle cx="12" cy="13" r="8.600"/><path d="M10 1.500h4v4h-4z"/><path class="cut" d="M4 12.200h16v1.800H4zM11 15.500h2v3h-2z"/><circle class="cut" cx="12" cy="15.400" r="1.500"/>`,
  acorns: svg`<path d="M5.500 11.500h13c0 5.400-3 9.300-6.500 11-3.500-1.700-6.500-5.600-6.500-11z"/><path d="M4 10.200C4 6.600 7.400 4.600 11 4.400V1.500h2v2.900c3.600.2 7 2.200 7 5.800z"/>`,
  leaves: svg`<path d="M12 1.500c4.800 3 8 6.600 8 10.700 0 4.200-3 6.600-7 6.800v3.500h-2V19c-4-.2-7-2.600-7-6.800C4 8.100 7.200 4.500 12 1.500z"/><path class="cut" d="M11.500 7h1v11h-1z"/>`,
};

const find = (card, pack) => {
  const suit = pack.suits.find((each) => card.endsWith(each.letter));
  const letter = card.slice(0, -1);
  const shown = pack.ranks.find(([each]) => each === letter);
  return { suit, rank: shown ? rankShown(pack, shown[1]) : letter };
};

/** The name of a card. */
export const nameOf = (card, pack) => pack.names[card] ?? card;

/** The symbol of a suit. */
export const suitOf = (suit) =>
  SHAPES[suit.name]
    ? html`<svg class="suit" viewBox="0 0 24 24" aria-hidden="true">${SHAPES[suit.name]}</svg>`
    : html`<span class="suit">${suit.symbol}</span>`;

/** A card in a line of text. */
export const inked = (card, pack) => {
  const { suit, rank } = find(card, pack);
  if (!suit) return card;
  return html`<span class="inked ${suit.name}" role="img" aria-label=${nameOf(card, pack)}>${rank}${suitOf(suit)}</span>`;
};

/** The title of a game at the table, without its rule set. */
export const shortTitle = (title) => title.replace(/ \(.*\)$/, "");

/** Whether a rule set differs from its preset, apart from the number of players and the length. */
export const isHouse = (game) => {
  const [name, fields = ""] = game.split(":");
  return name.includes("+") || fields.split(",").some((each) => each && !/^(players|target|deals)=/.test(each));
};

/** A sentence, with symbols in place of the letters of cards. */
export const sentence = (text, pack) => {
  const ranks = pack.ranks.map(([letter]) => letter).join("");
  const suits = pack.suits.map((suit) => suit.letter).join("");
  if (!ranks || !suits) return text;
  const parts = text.split(new RegExp(`(?<![\\p{L}\\d])([${ranks}][${suits}])(?![\\p{L}\\d])([.,:;)]*)`, "u"));
  const drawn = [html`${parts[0]}`];
  for (let place = 1; place < parts.length; place += 3) {
    const [card, stop, rest] = parts.slice(place, place + 3);
    drawn.push(html`<span class="unbroken">${inked(card, pack)}${stop}</span>`, html`${rest}`);
  }
  return drawn;
};

const DRAWN = ["french", "german"]; // packs with drawn cards; the page composes others from symbols

/** Put the pictures of a pack into the page, once: a card from another file appears only after it is loaded. */
const fetchPictures = async (pack) => {
  const text = await (await fetch(`cards/${pack}.svg`)).text();
  const named = text.replaceAll(' id="', ` id="${pack}-`).replaceAll('href="#', `href="#${pack}-`);
  const pictures = new DOMParser().parseFromString(pack === "german" ? withIndices(named) : named, "image/svg+xml").documentElement;
  pictures.setAttribute("class", "pictures");
  document.body.append(pictures);
};

DRAWN.forEach(fetchPictures);

const drawn = (pack, card, name) => html`<span class="card drawn" role="img" aria-label=${name}>
  <svg viewBox="0 0 100 140" aria-hidden="true"><use href="#${pack}-${card}"></use></svg></span>`;

class CardView extends PageElement {
  static properties = { card: {}, pack: { attribute: false }, back: { type: Boolean }, small: { type: Boolean } };

  render() {
    if (this.back) return drawn("french", "back", t("a card face down"));
    const { suit, rank } = find(this.card, this.pack);
    if (!suit) return html`<span class="card plain">${this.card}</span>`;
    if (DRAWN.includes(this.pack.name) && !this.small) return drawn(this.pack.name, this.card, nameOf(this.card, this.pack));
    const corner = html`<span class="rank">${rank}</span>${suitOf(suit)}`;
    return html`<span class="card ${suit.name}" role="img"
      aria-label=${nameOf(this.card, this.pack)}>
      <span class="corner" aria-hidden="true">${corner}</span>
      <span class="middle" aria-hidden="true">${suitOf(suit)}</span>
      <span class="corner turned" aria-hidden="true">${corner}</span>
    </span>`;
  }
}

customElements.define("card-view", CardView);
