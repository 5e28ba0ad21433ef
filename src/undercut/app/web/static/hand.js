// The cards of a hand: each stays the same element as long as it is held, and style.css places it.

import { nameOf } from "./cards.js";
import { keepChildren } from "./keyed.js";
import { t } from "./words.js";

/** The places of cards in groups: as few rows as fit, of equal length. */
const placesOf = (groups, most) => {
  const cards = groups.flatMap((group) => group.map((card, place) => ({ card, begins: place === 0 })));
  const rows = Math.ceil(cards.length / most);
  const each = Math.ceil(cards.length / rows);
  return Array.from({ length: rows }, (_, row) => inRow(cards.slice(row * each, (row + 1) * each), row)).flat();
};

const inRow = (cards, row) => {
  const gaps = cards.map((_, place) => cards.slice(1, place + 1).filter(({ begins }) => begins).length);
  return cards.map(({ card }, at) => ({ card, row, at, gaps: gaps[at], last: cards.length - 1, "all-gaps": gaps.at(-1) }));
};

const VARIABLES = ["row", "at", "gaps", "last", "all-gaps"]; // of style.css

class CardHand extends HTMLElement {
  /** Show cards in `groups`, at most so many in a row; `lifted`, `dull` and `drawn` ones look different. */
  set held({ groups, most, pack, lifted, dull, offered, roles, drawn, badges }) {
    const places = placesOf(groups, most);
    const slots = keepChildren(this, places.map(({ card }) => card), (card) => this.make(card, pack));
    this.style.setProperty("--rows", Math.max(1, Math.ceil(places.length / most)));
    slots.forEach((slot, place) => {
      const { card } = places[place];
      for (const name of VARIABLES) slot.style.setProperty(`--${name}`, places[place][name]);
      slot.classList.toggle("lifted", lifted.includes(card));
      slot.classList.toggle("drawn", drawn.includes(card));
      slot.classList.toggle("dull", dull.includes(card));
      Object.assign(slot.dataset, { role: "", tag: "", ...roles.get(card) });
      const badge = badges[card];
      slot.ariaDescription = [drawn.includes(card) ? t("just drawn") : "", badge?.text, badge?.dangerWords].filter(Boolean).join(", ");
      slot.dataset.badge = badge?.text ?? "";
      slot.dataset.danger = badge?.danger ?? "";
      slot.classList.toggle("good", Boolean(badge?.isGood));
      slot.setAttribute("aria-pressed", lifted.includes(card));
      slot.setAttribute("aria-disabled", !offered.includes(card));
    });
  }

  make(card, pack) {
    const slot = document.createElement("button");
    slot.className = "slot";
    Object.assign(slot.dataset, { drag: "", card });
    slot.ariaLabel = nameOf(card, pack);
    const view = Object.assign(document.createElement("card-view"), { card, pack });
    view.dataset.lies = card;
    slot.append(view);
    return slot;
  }
}

customElements.define("card-hand", CardHand);
