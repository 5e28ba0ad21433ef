// Motion: after each move, cards fly from the places where they lay to those where they lie now, and turn over.

import { settings } from "./settings.js";

const FLIGHT = { slow: 250, normal: 200, fast: 150, instant: 0 }; // milliseconds
const DEAL = 450; // milliseconds from the first to the last card of a deal
const STEP = 45; // milliseconds between two cards, at most
const MOST = 4; // backs that fly without a place of their own
const EASE = "cubic-bezier(0.3, 0.1, 0.3, 1)";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** How long a card flies now, in milliseconds; 0 without motion. */
export const flightTime = () => (calm.matches ? 0 : FLIGHT[settings().speed] ?? FLIGHT.normal);

/** The part of the table in which a card lies. */
const areaOf = (view) => view.closest("[data-area]")?.dataset.area ?? "laid";

const boxOf = (element) => {
  const { x, y, width } = element.getBoundingClientRect();
  return { x, y, width };
};

const isFar = (one, other) => Math.abs(one.x - other.x) > 1 || Math.abs(one.y - other.y) > 1 || Math.abs(one.width - other.width) > 1;

/** The way from one box to another, as a transformation of an element in the second one. */
const way = (from, to) => `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;

const turned = (degrees) => `perspective(800px) rotateY(${degrees}deg)`;

/** The number of cards of each seat, and of the stock. */
const countsOf = ({ areas }) => {
  const held = {};
  for (const part of areas.filter(({ kind }) => kind === "players").flatMap(({ parts }) => parts)) held[part.seat] = part.cards.length + part.face_down;
  const stock = areas.filter(({ kind }) => kind === "piles").flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.face_down, 0);
  return { held, stock };
};

/** Where everything lies: cards by their name, backs by their seat, stock and pile. */
const placesOf = (table, state) => {
  const cards = new Map(), backs = {}, seats = {};
  for (const view of table.querySelectorAll("[data-lies]")) {
    const box = boxOf(view);
    const face = view.querySelector(".card"), area = areaOf(view);
    if (box.width) cards.set(view.dataset.lies, { view, box, area, face: area === "pile" ? face.cloneNode(true) : face }); // a pile shows the next one in the same element
  }
  for (const view of table.querySelectorAll("[data-back]")) {
    const box = boxOf(view);
    if (box.width) (backs[view.dataset.back] ??= []).push({ view, box, area: areaOf(view), face: view.querySelector(".card") });
  }
  for (const name of table.querySelectorAll(".player > p > b")) {
    const { x, y, width } = name.getBoundingClientRect();
    seats[areaOf(name)] = { x: x + width / 2 - 12, y, width: 24 };
  }
  return { cards, backs, seats, deal: `${state.number} ${state.deal}`, isNew: !state.told.length && !state.summary, ...countsOf(state) };
};

export class Motion {
  /** `played(kind)` hears about each kind of flight. */
  constructor(table, played = () => {}) {
    Object.assign(this, { table, played, flights: new Set(), before: null });
  }

  get isRunning() {
    return this.flights.size > 0;
  }

  /** Remember where everything lies, before the table is drawn anew. */
  look(state) {
    this.finish();
    this.before = flightTime() && state ? placesOf(this.table, state) : null;
  }

  /** Let everything fly to its new place, in the frame that draws it. */
  fly(state) {
    if (!flightTime()) return;
    const { before } = this;
    requestAnimationFrame(() => {
      if (!this.table.isConnected || this.isRunning) return;
      const now = placesOf(this.table, state);
      if (before?.deal === now.deal) this.move(before, now);
      else if (now.isNew) this.deal(now);
    });
  }

  finish() {
    for (const flight of [...this.flights]) flight.land();
  }

  // What flies

  deal(now) {
    const [stock] = now.backs.stock ?? [];
    if (!stock) return;
    const mine = [...now.cards.values()].filter(({ area }) => area === "hand");
    const rows = [mine.map((to) => ({ to, turns: true })), ...Object.entries(now.backs).filter(([seat]) => seat !== "stock").map(([, backs]) => backs.map((to) => ({ to })))];
    const longest = Math.max(...rows.map((row) => row.length));
    const round = Array.from({ length: longest }, (_, place) => rows.map((row) => row[place])).flat().filter(Boolean);
    const open = [...now.cards.values()].filter(({ area }) => area === "pile").map((to) => ({ to, turns: true }));
    const all = [...round, ...open], step = Math.min(STEP, DEAL / all.length);
    all.forEach(({ to, turns }, place) => this.carry(to, stock.box, { turns, wait: place * step }));
    this.played("deal");
  }

  move(before, now) {
    this.leaveUnder(before, now);
    const givers = this.givers(before, now);
    let fresh = 0;
    for (const [card, to] of now.cards) {
      const was = before.cards.get(card);
      if (!was) this.carry(to, this.origin(to, before, givers), { turns: true, wait: STEP * fresh++ });
      else if (isFar(was.box, to.box)) this.shift(to, was, was.area !== to.area);
    }
    for (const seat of Object.keys(now.held)) this.give(seat, before, now);
    for (const back of Object.values(now.backs).flat()) {
      const was = Object.values(before.backs).flat().find(({ view }) => view === back.view);
      if (was && back.area === was.area && isFar(was.box, back.box)) this.shift(back, was, false);
    }
    if (now.stock > before.stock + 1) this.shuffle(before, now);
    if (this.isRunning) this.played("card");
  }

  /** The boxes of cards that other seats have given away. */
  givers(before, now) {
    return Object.keys(before.held).filter((seat) => now.held[seat] < before.held[seat])
      .flatMap((seat) => (before.backs[seat] ?? []).map(({ box }) => box).reverse().concat(before.seats[seat] ?? []));
  }

  /** Where a card comes from that was not seen before. */
  origin(to, before, givers) {
    const stock = before.backs.stock?.[0].box;
    if (to.area === "hand") return stock ?? to.box;
    const own = before.backs[to.area];
    if (own) return (own.length > 1 ? own.shift() : own[0]).box; // it is turned over where it lay
    return (givers.length > 1 ? givers.shift() : givers[0]) ?? stock ?? to.box;
  }

  /** Cards from the stock for another seat. */
  give(seat, before, now) {
    const from = before.backs.stock?.[0].box;
    const known = [...now.cards].filter(([card, { area }]) => area === seat && before.cards.get(card)?.area !== seat).length;
    const gained = now.held[seat] - (before.held[seat] ?? 0) - known;
    if (!from || gained <= 0) return;
    const backs = now.backs[seat] ?? [], old = new Set((before.backs[seat] ?? []).map(({ view }) => view));
    const fresh = backs.filter(({ view }) => !old.has(view));
    fresh.forEach((to, place) => this.carry(to, from, { wait: STEP * place }));
    const last = backs.at(-1)?.box ?? now.seats[seat];
    if (!last) return;
    for (let place = fresh.length; place < Math.min(gained, MOST); place += 1) this.pass(from, last, STEP * place);
  }

  /** The pile becomes the stock. */
  shuffle(before, now) {
    const from = [...before.cards.values()].find(({ area }) => area === "pile")?.box, to = now.backs.stock?.[0].box;
    if (from && to) for (let place = 0; place < MOST; place += 1) this.pass(from, to, STEP * place);
  }

  /** A card that another one covers stays in sight until that one has landed. */
  leaveUnder(before, now) {
    const [was, is] = [before, now].map(({ cards }) => [...cards].find(([, { area }]) => area === "pile"));
    if (!was || !is || was[0] === is[0] || now.cards.has(was[0])) return;
    const flyer = this.flyer(was[1]);
    this.start(flyer.animate([{ opacity: 1 }, { opacity: 1 }], flightTime()), () => flyer.remove());
  }

  // How it flies

  /** An element moves to its new place: itself, or from one part of the table to another a copy above all of them. */
  shift(to, was, isAcross) {
    if (isAcross) this.carry(to, was.box, {});
    else {
      const element = to.view.closest(".slot, .bit") ?? to.view;
      this.start(element.animate([{ transform: way(was.box, to.box), transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], { duration: flightTime(), easing: EASE }));
    }
  }

  /** A copy of a card flies above everything, and the card is seen once the copy has landed. */
  carry(to, from, { turns = false, wait = 0 }) {
    const flyer = this.flyer(to, turns), timing = { duration: flightTime(), delay: wait, easing: EASE, fill: "both" };
    to.view.toggleAttribute("data-flying", true);
    if (turns) flyer.firstChild.animate([{ transform: turned(180) }, { transform: turned(0) }], timing);
    this.start(flyer.animate([{ transform: way(from, to.box) }, { transform: "none" }], timing), () => {
      flyer.remove();
      to.view.toggleAttribute("data-flying", false);
    });
  }

  /** A card face down flies from one place to another, and is not seen any more. */
  pass(from, to, wait) {
    const view = this.table.querySelector(".flights > card-view");
    const flyer = this.flyer({ view, box: to, face: view.querySelector(".card") });
    this.start(flyer.animate([{ transform: way(from, to) }, { transform: "none" }], { duration: flightTime(), delay: wait, easing: EASE, fill: "both" }), () => flyer.remove());
  }

  start(animation, landed = () => {}) {
    const flight = { land: () => {
      this.flights.delete(flight);
      animation.cancel();
      landed();
    } };
    this.flights.add(flight);
    animation.onfinish = flight.land;
  }

  /** A copy of a drawn card at its place, above the table; with a back if it turns over. */
  flyer({ view, box, face }, turns = false) {
    const flyer = document.createElement("span"), faces = document.createElement("span");
    flyer.className = `flyer ${view.closest(".bit")?.className ?? ""}`;
    if (view.dataset.lies) flyer.dataset.flies = view.dataset.lies;
    flyer.style.cssText = `left: ${box.x}px; top: ${box.y}px; --card-width: ${box.width}px`;
    faces.append(face.cloneNode(true));
    if (turns) faces.append(this.table.querySelector(".flights > card-view > .card").cloneNode(true));
    flyer.append(faces);
    this.table.querySelector(".flights").append(flyer);
    return flyer;
  }
}
