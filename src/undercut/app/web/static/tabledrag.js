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

const contains = ({ left, right, top, bottom }, x, y) => x >= left && x <= right && y >= top && y <= bottom;
const sizeOf = ({ width, height }) => width * height;

/** Where a drag may end, measured once when it begins: small places lie above large ones. */
const measure = (table, elements) => {
  const boxed = (element) => ({ element, box: element.getBoundingClientRect() });
  const zones = [...table.querySelectorAll("[data-zone]")].map(boxed).sort((one, other) => sizeOf(one.box) - sizeOf(other.box));
  const slots = [...table.querySelectorAll(".hand .slot")].filter((slot) => !elements.includes(slot)).map(boxed);
  return { zones, slots };
};

/** The area of a point. */
const zoneAt = ({ zones }, x, y) => zones.find(({ box }) => contains(box, x, y))?.element ?? null;

/** The card to the right of a dropped card, null at the end of the hand. */
const cardAt = ({ slots }, x, y) => {
  const row = slots.findLast(({ box }) => box.top < y)?.box.top; // upper rows lie below the lower ones
  const isAfter = ({ box }) => box.top > (row ?? 0) || (box.top === (row ?? box.top) && (box.left + box.right) / 2 > x);
  return slots.find(isAfter)?.element ?? null;
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

/** The cards of the hand that follow a press on one of them. */
const gripped = (table, card) => {
  const cards = table.lifted.includes(card) ? table.lifted : [card];
  return cards.map((each) => table.querySelector(`.hand [data-card="${each}"]`)).filter(Boolean);
};

/** Make the cards of a table draggable. */
export const dragAt = (table) => {
  let marked = null; // the element under the pointer, and its class
  const mark = (element, name) => {
    if (marked?.element === element && marked?.name === name) return;
    marked?.element.classList.remove(marked.name);
    marked = element && { element, name };
    element?.classList.add(name);
  };

  return new Drag(table, {
    grip(element) {
      if (table.looking) return null;
      const { choice } = element;
      const elements = choice ? [element.querySelector("card-view:last-of-type")] : gripped(table, element.dataset.card);
      return elements.length ? { choice, elements, cards: elements.map(({ dataset }) => dataset.card), places: measure(table, elements) } : null;
    },

    over(held, x, y) {
      const zone = held && zoneAt(held.places, x, y), meant = held && meaning(table, held, zone);
      if (meant === "order") mark(cardAt(held.places, x, y), "before");
      else mark(meant ? zone : null, "target");
    },

    drop(held, x, y) {
      const meant = meaning(table, held, zoneAt(held.places, x, y));
      if (meant !== "order") return meant && table.play(meant) ? "stay" : false;
      table.reorder(held.cards, cardAt(held.places, x, y)?.dataset.card ?? null);
      return true;
    },
  });
};
