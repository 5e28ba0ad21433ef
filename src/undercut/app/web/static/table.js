// The table: its cards, the choices and the moves.

import { isHouse, nameOf, sentence, shortTitle, suitOf } from "./cards.js";
import { hasOrder, inOrder, moveBefore } from "./byhand.js";
import { faceOf } from "./faces.js";
import { badges, beliefMap, moveList, outsList } from "./coach.js";
import { isSealOf } from "./fair.js";
import { guestOf } from "./guests.js";
import { PageElement, html, nothing, properties } from "./element.js";
import { dealEnd, endOf } from "./ending.js";
import "./hand.js";
import "./keyed.js";
import "./lookback.js";
import { Motion } from "./motion.js";
import "./pile.js";
import "./puzzle.js";
import "./reading.js";
import { settings } from "./settings.js";
import { about, dragAt } from "./tabledrag.js";
import { n, t } from "./words.js";

const PHONE = matchMedia("(max-width: 640px)");
const NARROW = matchMedia("(max-width: 1000px)");
const ROW = { phone: 8, full: 10, narrow: 16, desk: 32 }; // cards of a hand side by side, at most; `full` if a phone would need three rows
const BACKS = 13; // the most cards drawn face down; of more, the number is enough
const KEYS = [
  ["← →, ↑ ↓", t("go along the cards and the choices; Enter takes one")],
  ["D, T, P", t("draw, take, pass")],
  ["A", t("lay down what is proposed")],
  ["K", t("knock, with the card that is lifted if there is one")],
  ["Shift + ← →", t("move a card of the hand")],
  ["S", t("show the hand in another order")],
  ["H", t("ask for a hint")],
  ["U", t("take the last move back, in training")],
  ["N", t("next deal")],
  [t("any key or click"), t("show the rest of the moves at once")],
  ["Esc", t("put lifted cards back, close what is open")],
];

const ERRORS = { inaccuracy: t("this is an inaccuracy"), mistake: t("this is a mistake"), blunder: t("this is a blunder") };
const TUTORED = { blunders: ["blunder"], mistakes: ["blunder", "mistake"], everything: ["blunder", "mistake", "inaccuracy"] }; // by the setting
const LEVELS = { weaker: t("Easier"), stronger: t("Harder") };

const PANELS = { moves: t("Moves"), coach: t("Coach"), points: t("Points"), rules: t("Rules"), help: t("Help") };

/** A part that is a new element whenever its key is new: what changes does not slide. */
const renewed = (key, drawn = key) => html`<keyed-parts .parts=${[{ key, drawn }]}></keyed-parts>`;

/** Whether a table is the one before with one move more, with its result, or with new cards: others are drawn without motion. */
const isNext = (before, { number, deal, ply, summary }) => {
  if (before?.number !== number) return true;
  if (before.deal !== deal) return before.deal + 1 === deal;
  return before.ply + 1 === ply || (before.ply === ply && !before.summary && Boolean(summary));
};

/** Play a sound, if the person has chosen to hear any: only then it is loaded. */
const sound = async (name) => { if (settings().sound === "on") (await import("./sound.js")).play(name); };

const isLaid = ({ kind }) => ["melds", "laid"].includes(kind);

class GameTable extends PageElement {
  // live: the current table; different from state during a look back
  // puzzle: an error to be done better; tried: the judgement of the last answer to it
  // reading: a question about a hidden hand; guessed: the answer to it
  // doubted: a choice that gives something away and waits for confirmation
  static properties = properties(
    "state", "live", "thinking", "hint", "belief", "puzzle", "tried", "reading", "guessed", "lifted", "asking", "order", "panel", "leaving", "doubted",
    "checked", "pointed", "varied",
  );

  constructor() {
    super();
    this.lifted = [];
    this.asking = null;
    this.order = 0;
    this.panel = PHONE.matches ? "" : "moves";
    this.leaving = false;
    this.doubted = null;
    this.checked = {};
    this.drag = dragAt(this);
    this.motion = new Motion(this, (kind) => sound(kind));
    this.hastened = () => this.motion.finish();
    this.pressed = (event) => this.press(event);
    this.resized = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("keydown", this.hastened, true);
    addEventListener("pointerdown", this.hastened, true);
    addEventListener("resize", this.hastened);
    addEventListener("keydown", this.pressed);
    for (const each of [PHONE, NARROW]) each.addEventListener("change", this.resized);
  }

  disconnectedCallback() {
    this.motion.finish();
    removeEventListener("keydown", this.hastened, true);
    removeEventListener("pointerdown", this.hastened, true);
    removeEventListener("resize", this.hastened);
    removeEventListener("keydown", this.pressed);
    for (const each of [PHONE, NARROW]) each.removeEventListener("change", this.resized);
    super.disconnectedCallback();
  }

  willUpdate(changed) {
    const before = changed.get("state");
    if (before?.number !== this.state.number) this.order = hasOrder(this.state.number) ? this.state.orders.length : 0;
    if (changed.has("state")) {
      this.motion.look(before);
      this.drag.clear();
    }
    if (before && (before.ply !== this.state.ply || before.number !== this.state.number)) {
      this.lifted = [];
      this.asking = null;
      this.doubted = null;
      this.judging = null;
    }
  }

  updated(changed) {
    requestAnimationFrame(() => { // its lines are drawn by then
      const last = this.querySelector(".last keyed-parts");
      if (last) last.scrollTop = last.scrollHeight;
    });
    if (changed.has("state") && changed.get("state")) this.sound(changed.get("state"));
    if (changed.has("state") && isNext(changed.get("state"), this.state)) this.motion.fly(this.state);
    else if (changed.has("thinking") && !this.thinking) this.drag.cancel();
    if (changed.has("doubted") && this.doubted) this.querySelector(".veil .main").focus();
    if (!changed.has("state") && !changed.has("thinking")) return;
    const lost = !document.activeElement || document.activeElement === document.body;
    const log = this.querySelector(".moves");
    if (log) log.scrollTop = log.scrollHeight;
    if (this.byKeyboard && lost && !this.thinking) this.querySelector(".bar button, .hand .slot")?.focus();
  }

  /** Whether cards move, so that the next move has to wait. */
  get isMoving() {
    return this.drag.isDragging || this.motion.isRunning;
  }

  /** Let the end of a deal and the beginning of the person's turn be heard. */
  sound(before) {
    const { summary, question } = this.state;
    if (this.looking) return;
    if (summary && !before.summary) sound(endOf(this.state));
    else if (question && !before.question && before.on_turn !== this.state.seat) sound("turn");
  }

  // Choices

  /** Whether the table is at an earlier ply. */
  get looking() {
    return this.state !== this.live;
  }

  get choices() {
    return this.thinking || this.looking || this.isSolved || !this.state.question ? [] : this.state.question.groups.flatMap((group) => group.choices);
  }

  /** Whether the table is from a game that is over, as a puzzle or a question. */
  get isExercise() {
    return Boolean(this.puzzle || this.reading);
  }

  /** Whether the table is a puzzle whose solution is known. */
  get isSolved() {
    return Boolean(this.puzzle && (this.tried?.is_right || this.tried?.better));
  }

  /** The choices about the lifted cards, those in their order first. */
  get matching() {
    return about(this.choices, this.lifted).slice(0, 8);
  }

  /** The choice of a click on the pile or on the stock. */
  onPile(part) {
    if (part.cards.length) return this.choices.find((choice) => choice.action.startsWith("take") && choice.cards.includes(part.cards.at(-1)));
    return part.face_down ? this.choices.find((choice) => choice.action === "draw") : undefined;
  }

  ask(kind, more = {}) {
    const { number, ply } = this.state;
    this.dispatchEvent(new CustomEvent("ask", { detail: { kind, number, ply, ...more }, bubbles: true, composed: true }));
  }

  away() {
    this.dispatchEvent(new CustomEvent("ask", { detail: { kind: "away" }, bubbles: true, composed: true }));
  }

  again(how) {
    this.dispatchEvent(new CustomEvent("ask", { detail: { kind: "again", number: this.state.number, how }, bubbles: true, composed: true }));
  }

  save() {
    this.dispatchEvent(new CustomEvent("ask", { detail: { kind: "ticket", number: this.state.number }, bubbles: true, composed: true }));
  }

  /** Look back: at the match from its beginning once it is over, else at this deal from its cards. */
  lookBack() {
    const { deal, deals, is_over: isOver, is_left: isLeft } = this.state;
    if (isOver || isLeft) this.ask("look", { deal: 1, ply: 0 });
    else this.ask("look", { deal, ply: deals[deal - 2]?.ply ?? 0 });
  }

  /** Play a choice, or ask more about it; whether it is played. */
  play(choice, isSure = false) {
    if (this.thinking) return false;
    this.doubted = null;
    const isWhole = !choice.more.length && (!choice.warning || isSure);
    if (choice.more.length) this.asking = choice;
    else if (!isWhole) this.doubted = choice;
    else this.playOrAskTutor(choice, isSure);
    return isWhole;
  }

  /** Play a choice, after the tutor has looked at it if he is wanted. */
  playOrAskTutor(choice, isSure) {
    if (this.puzzle) this.ask("try", { action: choice.action });
    else if (isSure || !TUTORED[settings().tutor] || !this.mayBeCoached || this.choices.length < 2) {
      this.ask("play", { action: choice.action });
    } else if (!this.judging) {
      this.judging = choice;
      this.ask("judge", { action: choice.action });
    }
  }

  /** The tutor's answer: the choice is played, or its person is asked once. */
  judged({ ply, action, error }) {
    const choice = this.judging;
    if (choice?.action !== action || ply !== this.state.ply) return;
    this.judging = null;
    if (TUTORED[settings().tutor].includes(error)) this.doubted = { ...choice, warning: t("The tutor: {error}. There is a better move.", { error: ERRORS[error] }) };
    else this.ask("play", { action });
  }

  /** The tutor has not answered: the person chooses again. */
  notJudged() {
    this.judging = null;
  }

  /** Play the proposed action. */
  playBest() {
    if (this.choices.length && !this.puzzle && this.state.question.shortcut) this.ask("assist");
  }

  /** Lift a card, or play it if it was lifted; several, where they can be played together. */
  lift(card) {
    if (!this.choices.length) return;
    const { lifted } = this;
    this.asking = null;
    if (lifted.length === 1 && lifted[0] === card && this.matching.length) {
      this.play(this.matching[0]);
    } else if (lifted.includes(card)) {
      this.lifted = lifted.filter((each) => each !== card);
    } else {
      const both = [...lifted, card];
      const fits = this.choices.some((choice) => both.every((each) => choice.cards.includes(each)));
      this.lifted = fits ? both : [card];
    }
  }

  isOffered(card) {
    return this.choices.some((choice) => choice.cards.includes(card));
  }

  // Keys

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (this.looking || document.querySelector("dialog[open]")) return;
    if (this.doubted && event.key !== "Escape") return;
    this.byKeyboard = true;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (moves[key]) {
      if (event.shiftKey) this.shift(moves[key][0]);
      else this.move(...moves[key]);
      event.preventDefault();
    } else {
      this.command(key);
    }
  }

  command(key) {
    const named = this.choices.find((choice) => choice.key === key);
    const words = { d: "draw", t: "take", p: "pass", k: "knock" };
    const meant = named ?? [...this.matching, ...this.choices].find((choice) => words[key] && choice.action.startsWith(words[key]));
    const done = {
      Escape: () => { this.lifted = []; this.asking = null; this.doubted = null; this.leaving = false; if (PHONE.matches) this.panel = ""; },
      u: () => { if (this.state.can_undo) this.ask("undo"); },
      a: () => this.playBest(),
      h: () => { if (this.choices.length && this.mayBeCoached) this.ask("hint"); },
      s: () => this.sort(),
      n: () => { if (this.state.summary && !this.state.is_over && !this.state.is_left) this.ask("next"); },
      "?": () => { this.panel = this.panel === "help" ? "moves" : "help"; },
    }[key];
    if (meant) this.play(meant);
    else if (!this.isExercise || ["Escape", "s", "?"].includes(key)) done?.();
  }

  move(across, down) {
    const places = [[...this.querySelectorAll(".centre button:not([aria-disabled=true])")], [...this.querySelectorAll(".hand button")], [...this.querySelectorAll(".bar button")]].filter((row) => row.length);
    if (!places.length) return;
    const row = places.findIndex((each) => each.includes(document.activeElement));
    if (row < 0) places.at(Math.max(0, places.length - 2)).at(0).focus();
    else if (down) places.at((row + down + places.length) % places.length).at(0).focus();
    else {
      const each = places[row];
      each.at((each.indexOf(document.activeElement) + across) % each.length).focus();
    }
  }

  /** Show the hand in the next order; the last one is the person's own. */
  sort() {
    this.rearrange(() => { this.order = (this.order + 1) % (this.state.orders.length + 1); });
  }

  /** Let the cards of the hand glide to the places that a change gives them. */
  rearrange(change) {
    this.motion.look(this.state);
    change();
    this.requestUpdate();
    this.motion.fly(this.state);
  }

  /** The cards of the hand in groups, in the shown order. */
  get groups() {
    const { number, orders, areas, summary } = this.state;
    const hand = areas.find((area) => area.kind === "hand");
    const shown = summary ? hand?.parts.map((part) => part.cards) : orders[Math.min(this.order, orders.length - 1)]?.groups ?? hand?.parts.map((part) => part.cards) ?? [];
    return this.order < orders.length || this.state.summary ? shown : [inOrder(number, shown.flat())];
  }

  /** Put cards of the hand before another one, or at the end. */
  reorder(cards, before) {
    this.rearrange(() => {
      moveBefore(this.state.number, this.groups.flat(), cards, before);
      this.order = this.state.orders.length;
    });
  }

  /** Move the card that has the focus by one place. */
  async shift(across) {
    const { card } = document.activeElement?.dataset ?? {};
    const cards = this.groups.flat();
    const place = cards.indexOf(card);
    if (place < 0 || !across) return;
    this.reorder([card], cards[place + (across < 0 ? -1 : 2)] ?? (across < 0 ? card : null));
    await this.updateComplete;
    this.querySelector(`.hand [data-card="${card}"]`)?.focus();
  }

  // Drawing

  render() {
    const { state } = this;
    return html`<div class="room ${this.panel ? "with-side" : ""}">
      ${this.bar()}
      <main class="baize ${this.thinking ? "busy" : ""} ${this.reading ? "asks" : ""}">
        <div class="felt" tabindex=${state.summary ? "0" : nothing}>
          ${this.others()}
          <div class="centre" data-zone="centre">${state.summary ? dealEnd(state) : nothing}${this.areas(state.summary ? state.areas.filter(isLaid) : state.areas)}</div>
        </div>
        ${state.summary || this.puzzle || this.guessed ? nothing : this.lastMoves()}
        ${(state.summary || state.is_left) && !this.looking ? this.after() : nothing}
        ${this.mine()}
        ${this.looking ? html`<look-back .live=${this.live} .state=${state} .varied=${this.varied}></look-back>` : nothing}
        ${this.puzzle ? html`<puzzle-sheet .puzzle=${this.puzzle} .tried=${this.tried}></puzzle-sheet>` : nothing}
        ${this.reading ? html`<reading-sheet .reading=${this.reading} .guessed=${this.guessed}></reading-sheet>` : nothing}
      </main>
      ${this.panel ? this.side() : nothing}
      ${this.leaving ? this.sure() : nothing}
      ${this.doubted ? this.doubt() : nothing}
      <div class="flights" aria-hidden="true"><card-view back></card-view></div>
    </div>`;
  }

  bar() {
    const { state } = this;
    const toggle = (name) => () => { this.panel = this.panel === name ? "" : name; };
    if (this.isExercise) return this.exerciseBar();
    return html`<header class="rail">
      ${guestOf ? nothing : html`<button class="back-link" @click=${this.away} aria-label=${t("To the lobby")}>‹ <span>${t("Lobby")}</span></button>`}
      <h1 title=${state.game}>${shortTitle(state.title)}<small>${t("Deal {deal}", { deal: state.deal })} · ${state.goal}${isHouse(state.game) ? ` · ${t("house rules")}` : ""}${state.is_training ? ` · ${t("training")}` : ""}${state.is_coached ? ` · ${t("with the coach")}` : ""}</small></h1>
      <nav aria-label=${t("Table")}>
        <button ?disabled=${!this.choices.length || !this.mayBeCoached} @click=${() => this.ask("hint")}>${t("Hint")}</button>
        ${state.is_training ? html`<button ?disabled=${!state.can_undo || this.thinking} @click=${() => this.ask("undo")}>${t("Undo")}</button>` : nothing}
        ${Object.entries(PANELS).map(([name, word]) => html`<button
          aria-pressed=${this.panel === name} aria-label=${word} @click=${toggle(name)}>${name === "help" ? "?" : word}</button>`)}
        ${guestOf || state.people.length < 2 ? nothing : html`<button @click=${() => this.dispatchEvent(new CustomEvent("ask", { detail: { kind: "links", number: state.number }, bubbles: true, composed: true }))}>${t("Links")}</button>`}
        ${guestOf ? nothing : html`<button ?disabled=${state.is_over || state.is_left || this.looking} @click=${() => { this.leaving = true; }}>${t("Leave")}</button>`}
      </nav>
      <page-settings></page-settings>
    </header>`;
  }

  /** The bar above an exercise: nobody can play on, and no coach helps. */
  exerciseBar() {
    const { state } = this;
    return html`<header class="rail"><button class="back-link" @click=${this.away} aria-label=${t("To the puzzles")}>‹ <span>${t("Puzzles")}</span></button>
      <h1 title=${state.game}>${shortTitle(state.title)}<small>${t("Deal {deal}", { deal: state.deal })} · ${state.goal}</small></h1>
      <nav aria-label=${t("Table")}>${["moves", "points", "rules"].map((name) => html`<button aria-pressed=${this.panel === name} @click=${() => { this.panel = this.panel === name ? "" : name; }}>${PANELS[name]}</button>`)}</nav>
      <page-settings></page-settings></header>`;
  }

  others() {
    const { state } = this;
    const parts = state.areas.filter((area) => area.kind === "players").flatMap((area) => area.parts);
    const seats = state.names.map((_, seat) => seat).filter((seat) => seat !== state.seat);
    const order = [...seats.filter((seat) => seat > state.seat), ...seats.filter((seat) => seat < state.seat)];
    return html`<section class="others ${seats.length > 3 ? "crowd" : seats.length > 1 ? "several" : ""}" aria-label=${t("Other players")}>
      ${order.map((seat) => this.player(seat, parts.filter((part) => part.seat === seat)))}</section>`;
  }

  player(seat, parts) {
    const { state } = this;
    const shown = state.hands?.[seat]; // when looking back, and after a question
    const known = shown ?? parts.flatMap((part) => part.cards), isOut = parts.some((part) => part.is_out);
    const hidden = shown ? 0 : parts.reduce((sum, part) => sum + part.face_down, 0);
    const held = known.length + hidden;
    const count = !parts.length ? "" : isOut ? t("out") : n("{count} card", "{count} cards", held);
    const many = state.names.length > 3;
    return html`<div class="player ${isOut ? "out" : ""} ${this.turnOf(seat)} ${!state.summary && state.marks.mover === seat ? "mover" : ""}" data-area=${seat}>
      <p>${faceOf(state.faces[seat], seat)} <b title=${state.levels[seat] || nothing}>${state.names[seat]}</b> <span class="score">${renewed(state.scores[seat])}</span> <span class="held">${count}</span></p>
      <div class="fan ${state.summary ? "open" : ""}" aria-label=${held ? this.heldWords(seat, known, hidden) : nothing} role=${held ? "img" : nothing}>
        <keyed-parts .parts=${state.summary && !hidden ? this.openFan(parts) : this.fan(seat, known, Math.min(hidden, many ? 5 : BACKS))}></keyed-parts>
      </div>
    </div>`;
  }

  /** Cards of another player, each in the place that style.css gives it. */
  fan(seat, known, hidden) {
    const [all, seen] = [known.length + hidden, known.length];
    const at = (place) => `--at: ${place}; --last: ${all - 1}; --seen: ${Math.min(place, seen)}; --all-seen: ${Math.min(all - 1, seen)}`;
    const cards = [...known, ...Array.from({ length: hidden }, (_, place) => place)];
    return cards.map((card, place) => ({
      key: card,
      drawn: html`<span class="bit peek" .style=${at(place)}>${place < seen ? this.bit(card) : html`<card-view back data-back=${seat}></card-view>`}</span>`,
    }));
  }

  /** An open hand: its melds and the rest, apart. */
  openFan(parts) {
    const groups = parts.filter(({ cards }) => cards.length), all = groups.flatMap(({ cards }) => cards).length;
    return groups.flatMap((part, gaps) => part.cards.map((card, place) => {
      const at = groups.slice(0, gaps).reduce((sum, { cards }) => sum + cards.length, place);
      return { key: card, drawn: this.open(card, part, `--at: ${at}; --last: ${all - 1}; --gaps: ${gaps}; --all-gaps: ${groups.length - 1}`) };
    }));
  }

  /** A small card of an open hand or of a meld: with its part in the hand, the first one also with its name. */
  open(card, { cards, role, name, added }, at) {
    const shown = this.state.summary ? (added.includes(card) ? "added" : role) : "";
    return html`<span class="bit peek" .style=${at} data-role=${shown || nothing} data-tag=${this.state.summary && name && card === cards[0] ? name : nothing}>${this.bit(card)}</span>`;
  }

  /** The class of the seat on turn; nobody knows it while the others think. */
  turnOf(seat) {
    return this.state.on_turn === seat && !this.thinking ? "turn" : "";
  }

  heldWords(seat, known, hidden) {
    const cards = known.map((card) => nameOf(card, this.state.pack)).join(", ");
    const name = this.state.names[seat];
    if (!hidden) return `${name}: ${cards}`;
    return cards
      ? n("{name}: {cards} and {count} unknown card", "{name}: {cards} and {count} unknown cards", hidden, { name, cards })
      : n("{name}: {count} unknown card", "{name}: {count} unknown cards", hidden, { name });
  }

  /** The areas between the players: piles in the middle, melds on both sides. */
  areas(areas) {
    const draw = { piles: this.piles, need: this.need };
    const melds = areas.filter(isLaid), isMine = ({ seat }) => seat === this.state.seat;
    return html`${areas.filter(({ kind }) => draw[kind]).map((area) => draw[area.kind].call(this, area))}
      <div class="side-by-side theirs">${melds.filter((area) => !isMine(area)).map((area) => this.laid(area))}</div>
      <div class="side-by-side mine">${melds.filter(isMine).map((area) => this.laid(area))}</div>`;
  }

  piles(area) {
    const lies = (part) => part.cards.length || part.face_down || part === area.parts[0];
    const words = area.parts.filter((part) => !lies(part)).map((part) => part.before + part.after);
    return html`<section class="piles" aria-label=${t("Piles")}>
      <keyed-parts .parts=${area.parts.map((part, key) => ({ key, part })).filter(({ part }) => lies(part)).reverse().map(({ key, part }) => ({ key, drawn: this.pile(part, area, words) }))}></keyed-parts>
      ${area.note ? html`<p>${sentence(area.note, this.state.pack)}</p>` : nothing}</section>`;
  }

  pile(part, area, more) {
    const { pack } = this.state;
    const choice = this.onPile(part);
    const words = part.cards.length ? `${area.label}: ${nameOf(part.cards.at(-1), pack)}` : part.before;
    const below = part.face_down ? [] : area.parts.flatMap((each) => each.below);
    const open = part.cards.length ? part.cards : below.slice(-1); // after a card was taken, the next one
    const face = open.length
      ? open.map((card) => html`<card-view data-lies=${card} ?data-moved=${this.isMoved(card)} .card=${card} .pack=${pack}></card-view>`)
      : part.face_down ? html`${part.face_down > 1 ? html`<card-view class="under" back></card-view>` : nothing}<card-view back data-back="stock"></card-view>` : html`<span class="card empty"></span>`;
    const caption = below.length
      ? html`<pile-view .cards=${below} .pack=${pack} .words=${more.join(", ")}></pile-view>`
      : more.join(", ");
    return html`<figure class="pile ${part.face_down > 1 ? "deep" : ""}" data-zone=${part.face_down ? "stock" : "pile"} data-area=${part.face_down ? "stock" : "pile"}>
      <button class="slot" data-drag .choice=${choice} aria-disabled=${!choice} aria-label=${choice ? `${choice.words} (${words})` : words} @click=${() => choice && this.play(choice)}>${face}</button>
      <figcaption>${part.face_down ? part.before : html`<span>${caption}</span>${part.after ? html`<span>${part.after.replace(/^, /, "")}</span>` : nothing}`}</figcaption>
    </figure>`;
  }

  need(area) {
    const { pack } = this.state;
    const drawn = html`<b>${area.label}</b>
      ${area.parts.map((part) => html`${sentence(part.before, pack)} ${sentence(part.after, pack)}`)} ${area.note}`;
    return html`<p class="need ${area.is_urgent ? "urgent" : ""}">${renewed(JSON.stringify(area), drawn)}</p>`;
  }

  laid(area) {
    if (!area.parts.some((part) => part.cards.length || part.before || part.after)) return nothing;
    const { pack } = this.state;
    return html`<section class="melds ${area.kind}"><h3>${area.label}${area.note ? html` <small>${sentence(area.note, pack)}</small>` : nothing}</h3>
      <div>${area.parts.map((part) => this.meld(part))}</div></section>`;
  }

  /** Cards side by side, closer together if they are many. */
  meld(part) {
    const { pack } = this.state, { cards, after } = part;
    const before = /^\d+:$/.test(part.before) ? "" : part.before; // a number is for those who type
    const place = (card, at) => ({ key: card, drawn: this.open(card, part, `--at: ${at}; --last: ${cards.length - 1}`) });
    return html`<span class="meld" data-zone=${cards.length ? "meld" : nothing} data-cards=${cards.join(" ")}>${before ? html`<i>${sentence(before, pack)}</i>` : nothing}${cards.length ? html`<span class="lying"><keyed-parts .parts=${cards.map(place)}></keyed-parts></span>` : nothing}${sentence(after, pack)}</span>`;
  }

  /** Whether a card is one of the last move of another seat. */
  isMoved(card) {
    return !this.state.summary && this.state.marks.moved.includes(card);
  }

  /** A small card that lies on the table. */
  bit(card) {
    return html`<card-view small data-lies=${card} ?data-moved=${this.isMoved(card)} .card=${card} .pack=${this.state.pack}></card-view>`;
  }

  lastMoves() {
    const { told, pack, names } = this.state;
    return html`<div class="last ${names.length > 3 ? "three" : ""}" role="status" aria-live="polite">
      ${this.hintShown() ?? html`<keyed-parts .parts=${told.map((each, place) => ({ key: `${place} ${each}`, drawn: sentence(each, pack) }))}></keyed-parts>`}</div>`;
  }

  /** The person on turn, if it is another one. */
  awaited() {
    const { on_turn: seat, people, names } = this.state;
    if (seat === this.state.seat || !people.includes(seat)) return nothing;
    return html`<p class="awaited" role="status">${t("It is {name}'s turn.", { name: names[seat] })}</p>`;
  }

  mine() {
    const { state } = this;
    const hand = state.areas.find((area) => area.kind === "hand");
    if (!hand) return state.summary || this.looking || this.reading ? nothing : html`<div class="choices">${this.choosing()}</div>`;
    const { groups } = this;
    const roles = new Map(state.summary ? hand.parts.flatMap(({ cards, role, name }) => cards.map((card, place) => [card, { role, tag: place ? "" : name }])) : []);
    const cards = groups.flat();
    if (state.summary && !cards.length) return nothing;
    const offered = cards.filter((card) => this.isOffered(card));
    const dull = offered.length ? cards.filter((card) => !offered.includes(card)) : [];
    const most = PHONE.matches ? (cards.length > 2 * ROW.phone ? ROW.full : ROW.phone) : NARROW.matches ? ROW.narrow : ROW.desk;
    const order = state.orders[this.order];
    return html`${state.summary || this.looking || this.reading ? nothing : html`<div class="choices">${this.choosing()}</div>`}
      <section class="hand ${this.turnOf(state.seat)}" data-zone="hand" data-area="hand" aria-label=${hand.label}>
        <p>${faceOf(state.faces[state.seat], state.seat)} <b>${hand.label}</b> <span class="score">${state.scores[state.seat]}</span> <span>${sentence(hand.note, state.pack)}</span>
          <button class="sorting" ?disabled=${Boolean(state.summary)} @click=${this.sort}>${order ? order.name : t("in your own order")}</button></p>
        <card-hand .held=${{ groups, most, pack: state.pack, lifted: this.lifted, dull, offered, roles, drawn: state.summary ? [] : state.marks.drawn, badges: this.badges }} @click=${(event) => this.clickCard(event)} @pointerover=${this.point} @focusin=${this.point}></card-hand>
      </section>`;
  }

  /** Let the coach's map show which cards would help the one that is pointed at. */
  point(event) {
    if (this.panel === "coach") this.pointed = event.target.closest("[data-card]")?.dataset.card ?? "";
  }

  clickCard(event) {
    const slot = event.target.closest("[data-card]");
    if (slot) this.lift(slot.dataset.card);
  }

  choosing() {
    const { state } = this;
    if (this.thinking) return html`<div class="bar"><p class="thinking" role="status">${t("The others are thinking …")}</p></div>`;
    if (this.isSolved) return nothing;
    if (!state.question) return html`<div class="bar">${this.awaited()}</div>`;
    if (this.asking) {
      return html`<div class="bar"><span class="asked">${this.asking.asks}</span>
        ${this.asking.more.map((choice) => this.button(choice))}
        <button class="quiet" @click=${() => { this.asking = null; }}>${t("Put back")}</button></div>`;
    }
    if (this.lifted.length && this.matching.length) {
      return html`<div class="bar">${this.matching.map((choice) => this.button(choice, "", this.matching.length === 1))}
        <button class="quiet" @click=${() => { this.lifted = []; }}>${t("Put back")}</button></div>`;
    }
    return html`<div class="bar">${state.question.shortcut ? html`<button class="main" ?hidden=${Boolean(this.puzzle)} @click=${this.playBest}>${t("For me: {words}", { words: state.question.shortcut })}<kbd aria-hidden="true">A</kbd></button>` : nothing}
      ${state.question.groups.filter((group) => group.place !== "named").map((group) => this.group(group))}</div>`;
  }

  /** The values of moves, for the cards of the hand that they throw or play. */
  get badges() {
    return this.hint?.ply === this.state.ply && this.panel === "coach" ? badges(this.hint, this.choices) : {};
  }

  hintShown() {
    if (this.hint?.ply !== this.state.ply) return null;
    const drawn = html`<b>${t("Hint")}</b> ${sentence(this.hint.text.charAt(0).toUpperCase() + this.hint.text.slice(1), this.state.pack)}`;
    return html`<p class="hint">${renewed(this.hint.text, drawn)}</p>`;
  }

  group(group) {
    const asked = group.question ? html`<span class="asked by-${group.place}">${group.question}</span>` : nothing;
    if (group.place === "hand") return asked;
    const named = group.choices.filter(({ brief }) => brief);
    if (named.length) return named.map((choice) => this.button({ ...choice, words: choice.brief }, choice.note));
    return html`${asked}${group.choices.map((choice) => this.button(choice))}`;
  }

  /** A choice, highlighted only if nothing is lost by it. */
  button(choice, note = "", isOnly = this.choices.length === 1) {
    const { pack } = this.state, isMain = choice.is_safe || isOnly;
    const suit = pack.suits.find(({ name }) => choice.action.endsWith(` suit ${name}`));
    const words = html`${suit ? html`<span class=${suit.name}>${suitOf(suit)}</span> ` : nothing}${sentence(choice.words, pack)}${note ? html`<small>${note}</small>` : nothing}`;
    return html`<button class=${isMain ? "main" : ""} data-action=${choice.action} @click=${() => this.play(choice)}>${words}${choice.key ? html`<kbd aria-hidden="true">${choice.key.toUpperCase()}</kbd>` : nothing}</button>`;
  }

  after() {
    const { state } = this;
    const totals = state.names.map((name, seat) => html`<span class=${seat === state.seat ? "you" : ""}>${name} <b>${state.scores[seat]}</b></span>`);
    return html`<div class="after"><p class="totals">${totals}</p>
      ${state.verdict && !state.summary ? html`<p class="verdict">${state.verdict}</p>` : nothing}
      ${state.is_over || state.is_left ? this.afterMatch()
        : html`<div class="bar"><button class="main next" ?disabled=${this.thinking} @click=${() => this.ask("next")}>${t("Next deal")}<kbd aria-hidden="true">N</kbd></button>${this.reviewButton()}</div>`}</div>`;
  }

  /** What was luck and what was error, for deals that are over. */
  reviewButton() {
    return this.state.deals.length ? html`<button @click=${() => this.ask("review")}>${t("Review")}</button>` : nothing;
  }

  /** What to do after a match. */
  afterMatch() {
    const file = html`<button class="quiet" @click=${this.save}>${t("Save to a file")}</button>`;
    if (guestOf) return html`<div class="bar">${this.reviewButton()}${file}</div>`;
    return html`<div class="bar"><button class="main" @click=${() => this.again("rematch")}>${t("Rematch")}</button>
        ${this.reviewButton()}<button @click=${this.lookBack}>${t("Look back")}</button>
        ${this.state.rematches.map((how) => html`<button @click=${() => this.again(how)}>${LEVELS[how]}</button>`)}</div>
      <div class="bar quiet-bar"><button class="quiet" @click=${() => this.again("same")}>${t("Same deal again")}</button>
        <button class="quiet" @click=${() => this.again("seats")}>${t("Change seats")}</button>
        ${file}<button class="quiet" @click=${this.away}>${t("Lobby")}</button></div>`;
  }

  // Beside the table

  side() {
    const shown = { moves: this.moves, coach: this.coach, points: this.points, rules: this.rules, help: this.help }[this.panel];
    return html`<aside class="side" aria-label=${PANELS[this.panel]}>
      <button class="close" aria-label=${t("Close")} @click=${() => { this.panel = ""; }}>×</button>${shown.call(this)}</aside>`;
  }

  moves() {
    const { told, pack, names, starter, seat } = this.state;
    return html`<h2>${t("Moves")}</h2>
      <p ?hidden=${this.isExercise}><button ?disabled=${this.looking || this.thinking || !this.state.ply} @click=${this.lookBack}>${t("Look back")}</button></p>
      <ol class="moves" tabindex="0" aria-label=${t("Moves")}><li class="quiet">${starter === seat ? t("A new deal: you begin.") : t("A new deal: {name} begins.", { name: names[starter] })}</li>
      ${told.map((each) => html`<li>${sentence(each, pack)}</li>`)}</ol>`;
  }

  /** What each move is worth, and where the hidden cards may be. */
  coach() {
    if (!this.mayBeCoached) return this.agreement();
    const { state, hint, belief } = this, mayAsk = this.choices.length && !state.is_left;
    const isNow = (message) => message?.ply === state.ply && message;
    return html`<h2>${t("Coach")}</h2>
      <p class="bar"><button ?disabled=${!mayAsk} @click=${() => this.ask("hint")}>${t("What is each move worth?")}</button>
        <button ?disabled=${!mayAsk} @click=${() => this.ask("belief")}>${t("Where are the cards?")}</button></p>
      ${isNow(hint)?.moves ? moveList(hint, state.pack) : nothing}
      ${isNow(belief) ? html`${outsList(belief, state, this.pointed)}${beliefMap(belief, state, belief.outs.find(({ card }) => card === this.pointed)?.cards ?? [])}` : nothing}
      <p class="quiet">${t("The coach knows no more than you do: he never sees a hidden card.")} ${t("A game in which you ask him counts as training, and its record says so.")}</p>`;
  }

  /** Whether people may ask the coach: one alone, or several who all agree. */
  get mayBeCoached() {
    const { people, agreed, is_over: isOver, is_left: isLeft } = this.state;
    return people.length === 1 || isOver || isLeft || people.every((seat) => agreed.includes(seat));
  }

  /** Several people must agree before the coach helps any of them. */
  agreement() {
    const { people, agreed, names, seat } = this.state;
    return html`<h2>${t("Coach")}</h2><p>${t("The coach helps only if everybody at the table agrees. The game then counts as training.")}</p>
      <ul>${people.map((each) => html`<li>${names[each]}: ${agreed.includes(each) ? t("agrees") : t("has not agreed yet")}</li>`)}</ul>
      ${agreed.includes(seat) || this.looking ? nothing : html`<p><button ?disabled=${this.thinking} @click=${() => this.ask("agree")}>${t("I agree")}</button></p>`}`;
  }

  points() {
    const { deals, names, scores, commitment, summary } = this.state;
    return html`<h2>${t("Points")}</h2>
      <div class="scroll" tabindex="0" role="region" aria-label=${t("Points of each deal")}><table><thead><tr><th>${t("Deal")}</th>${names.map((name) => html`<th>${name}</th>`)}</tr></thead>
        <tbody>${deals.map((deal, place) => html`<tr><th>${place + 1}</th>${deal.points.map((each) => html`<td>${each}</td>`)}</tr>`)}</tbody>
        <tfoot><tr><th>${t("Total")}</th>${scores.map((each) => html`<td>${each}</td>`)}</tr></tfoot></table></div>
      <h3>${t("A fair deal")}</h3>
      <p class="quiet">${t("The seal of a deal is shown before it: the SHA-256 of a few words that name all its cards. When the deal is over, a command follows after “Seal opened:”. It checks that no card was changed while you played.")}</p>
      ${summary ? nothing : html`<p>${t("Seal of this deal")} <code>${commitment}</code></p>`}
      ${deals.map((deal, place) => html`<details><summary>${t("Deal {deal}", { deal: place + 1 })}</summary><p>${t("Seal")} <code>${deal.commitment}</code></p>
        <p>${t("Seal opened:")} <code>undercut verify ${deal.seed} ${deal.salt} ${deal.commitment}</code></p>
        <button @click=${() => this.check(deal, place)}>${t("Check it")}</button> ${this.checked[place] ?? ""}</details>`)}
      ${this.pledged()}`;
  }

  /** The player's words, and the command to check them. */
  pledged() {
    const { pledge, deals } = this.state;
    if (!pledge) return nothing;
    const { seal, words, seed, salt } = pledge;
    const quoted = `'${words.replaceAll("'", "'\\''")}'`;
    return html`<h3>${t("Your words")}</h3>
      <p>${t("“{words}” was mixed into the seed with this seal, which was shown before:", { words })} <code>${seal}</code></p>
      ${seed ? html`<p>${t("Seal opened:")} <code>undercut verify ${seed} ${salt} ${seal}</code></p>
        <button @click=${() => this.check({ commitment: seal, seed, salt }, "pledge")}>${t("Check it")}</button> ${this.checked.pledge ?? ""}
        <p class="quiet">${t("The seeds of all deals follow from it and from your words:")} <code>undercut verify ${seed} ${salt} ${seal} --words ${quoted} --deals ${deals.length}</code></p>`
        : html`<p class="quiet">${t("The seed is shown when the match has ended.")}</p>`}`;
  }

  check(deal, place) {
    const { commitment, seed, salt } = deal;
    const found = isSealOf(commitment, seed, salt) ? t("They agree.") : t("They do not agree!");
    this.checked = { ...this.checked, [place]: found };
  }

  rules() {
    const { title, aim, rules, pack } = this.state;
    return html`<h2>${title}</h2>${aim.map((each) => html`<p>${sentence(each, pack)}</p>`)}
      <ol class="rules">${rules.map((each) => html`<li>${sentence(each, pack)}</li>`)}</ol>`;
  }

  help() {
    return html`<h2>${t("Help")}</h2><p>${t("Click a card to lift it; click it again to play it, or take one of the choices below the table. Where several can be played together, lift them in their order. A click on the stock or on the upcard draws. Cards can also be dragged: onto the pile, onto a meld, from the stock into the hand, or to another place in it.")}</p>
      <dl>${KEYS.map(([key, words]) => html`<dt>${key}</dt><dd>${words}</dd>`)}</dl>
      ${this.hint?.position ? html`<h3>${t("Position")}</h3><p><code>${this.hint.position}</code></p>` : nothing}`;
  }

  /** The warning of a choice that gives something away. */
  doubt() {
    const { doubted, state } = this;
    return html`<div class="veil"><div class="sheet" role="alertdialog" aria-modal="true" aria-label=${t("Are you sure?")}>
      <h2>${t("Are you sure?")}</h2>
      <p>${sentence(doubted.warning, state.pack)}</p>
      <div class="bar"><button class="main" @click=${() => { this.doubted = null; }}>${t("Choose again")}</button>
        <button class="danger" @click=${() => this.play(doubted, true)}>${sentence(t("Yes: {words}", { words: doubted.words }), state.pack)}</button></div></div></div>`;
  }

  sure() {
    return html`<div class="veil"><div class="sheet" role="alertdialog" aria-modal="true" aria-label=${t("Leave the match?")}>
      <h2>${t("Leave the match for good?")}</h2>
      <p>${t("It will be noted as left, without a winner. To go on another time, just close the page or go to the lobby: the game is kept.")}</p>
      <div class="bar"><button class="main" autofocus @click=${() => { this.leaving = false; }}>${t("Stay")}</button>
        <button @click=${this.away}>${t("Go to the lobby, keep it")}</button>
        <button class="danger" @click=${() => { this.leaving = false; this.ask("leave"); }}>${t("Leave for good")}</button></div></div></div>`;
  }
}

customElements.define("game-table", GameTable);
