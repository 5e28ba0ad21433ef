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
  const slots = [...table.querySelectorAll(".hand .slot:not(.dragged)")].map((slot) => ({ slot, box: slot.getBoundingClientRect() }));
  const row = slots.findLast(({ box }) => box.top < y)?.box.top; // upper rows lie below the lower ones
  const isAfter = ({ box }) => box.top > (row ?? 0) || (box.top === (row ?? box.top) && (box.left + box.right) / 2 > x);
  return slots.find(isAfter)?.slot ?? null;
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
