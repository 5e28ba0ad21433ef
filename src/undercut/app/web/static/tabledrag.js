// Dragging at the table: a place accepts only legal moves; otherwise the cards go back.

import { Drag } from "./drag.js";

const THROWN = /^(discard|play)\b/;
const MELDED = /^meld\b/;

const isSame = (one, other) => one.length === other.length && one.every((card, place) => card === other[place]);
const hasSame = (one, other) => one.length === other.length && one.every((card) => other.includes(card));

/** The choices about these cards, those in their order first. */
export const about = (choices, cards) => {
  const found = choices.filter((choice) => hasSame(choice.cards, cards));
  const exact = found.filter((choice) => isSame(choice.cards, cards));
  return [...exact, ...found.filter((choice) => !exact.includes(choice))];
};

/** The area of a point; the space next to the cards of the hand is the hand too. */
const zoneAt = (table, x, y) => {
  const hand = table.querySelector(".hand");
  const box = hand?.getBoundingClientRect();
  const beside = box && y > box.top && y < box.bottom ? hand : null;
  return document.elementFromPoint(x, y)?.closest("[data-zone]") ?? beside;
};

/** The card to the right of a dropped card, null at the end of the hand. */
const cardAt = (table, x, y) => {
  const rows = [...table.querySelectorAll(".hand .row")];
  const row = rows.findIndex((each) => y < each.getBoundingClientRect().bottom);
  const slots = [...(rows.at(row) ?? table).querySelectorAll(".slot:not(.dragged)")];
  const middle = (slot) => { const box = slot.querySelector(".card").getBoundingClientRect(); return (box.left + box.right) / 2; };
  const next = slots.find((slot) => middle(slot) > x) ?? rows.at(row < 0 ? rows.length : row + 1)?.querySelector(".slot:not(.dragged)");
  return next ?? null;
};

/** The meaning of a drop: a choice, "order" for the hand, or nothing. */
const meaning = (table, held, zone) => {
  if (!zone) return null;
  if (held.choice) return zone.dataset.zone === "hand" ? held.choice : null;
  if (zone.dataset.zone === "hand") return "order";
  const found = about(table.choices, held.cards);
  const fits = {
    pile: (choice) => THROWN.test(choice.action),
    meld: (choice) => choice.onto.length && isSame(choice.onto, zone.dataset.cards.split(" ")),
    centre: (choice) => MELDED.test(choice.action),
  }[zone.dataset.zone];
  return (fits && found.find(fits)) ?? null;
};

/** Make the cards of a table draggable. */
export const dragAt = (table) => new Drag(table, {
  grip(element) {
    if (table.looking) return null;
    if (element.choice) return { choice: element.choice, elements: [element.querySelector("card-view:last-of-type")] };
    const { card } = element.dataset;
    if (!card) return null;
    const cards = table.lifted.includes(card) ? table.lifted : [card];
    return { cards, elements: cards.map((each) => table.querySelector(`.hand [data-card="${each}"]`)) };
  },

  over(held, x, y) {
    for (const marked of table.querySelectorAll(".target, .before")) marked.classList.remove("target", "before");
    if (!held) return;
    const zone = zoneAt(table, x, y);
    const meant = meaning(table, held, zone);
    if (meant === "order") cardAt(table, x, y)?.classList.add("before");
    else if (meant) zone.classList.add("target");
  },

  drop(held, x, y) {
    const meant = meaning(table, held, zoneAt(table, x, y));
    if (meant === "order") table.reorder(held.cards, cardAt(table, x, y)?.dataset.card ?? null);
    else if (meant) table.play(meant);
    return Boolean(meant);
  },
});
