// The page: the lobby, or the view in the fragment of the URL: statistics, or a table by its number.

import { guestOf } from "./guests.js";
import { onNewKey, takeKey } from "./key.js";
import { PageElement, html, nothing, properties } from "./element.js";
import "./lobby.js";
import { Playback, tablesBetween } from "./playback.js";
import "./practice.js";
import { preparing } from "./preparing.js";
import "./review.js";
import { settings } from "./settings.js";
import "./statistics.js";
import "./table.js";
import { Wire } from "./wire.js";
import { t } from "./words.js";

const NOTICE = 6000;
const STATISTICS = "#statistics";
const PRACTICE = "#practice"; // with /number for one game
const QUIZ = "#quiz";
const REVIEW = "review"; // the end of the fragment of a game's review
const SILENT = ["Tab", "Shift", "Control", "Alt", "AltGraph", "Meta"]; // keys that skip no moves
const DEEDS = ["play", "assist", "next", "undo", "leave", "agree"]; // messages that a table answers

const isPractice = () => location.hash.startsWith(PRACTICE);
const isQuiz = () => location.hash === QUIZ;
const isReview = () => location.hash.endsWith(REVIEW);
/** The deal and the ply in the URL, for looking back. */
const pastAsked = () => /^#\d+\/(\d+)\/(\d+)$/.exec(location.hash)?.slice(1).map(Number);

const numberAsked = () => guestOf || Number.parseInt(location.hash.slice(1), 10) || 0;

class UndercutApp extends PageElement {
  // past: the table at an earlier ply, during a look back
  // step: the table after one of the moves that are shown one after the other
  // solving: the theme of the puzzles and how many were left out, while some are solved
  // shut: why the server does not let this page in
  static properties = properties(
    "lobby", "table", "past", "step", "review", "statistics", "varied", "practice", "solving", "tried", "quiz", "guessed", "collecting", "preparing", "seal", "links", "checked", "hint", "belief",
    "thinking", "notice", "lost", "shut", "beginning",
  );

  constructor() {
    super();
    this.replaceChildren();
    this.moves = [];
    this.playback = new Playback((table) => { this.step = table; }, () => this.querySelector("game-table")?.isMoving);
    addEventListener("click", () => this.skip());
    addEventListener("keydown", (event) => this.skipByKey(event));
    takeKey();
    this.wire = new Wire({
      onOpen: () => { this.introduce(); this.arrive(); },
      onLost: () => this.lose(),
      onShut: (why) => { this.lose(); this.shut = why; },
      onMessage: (message) => this.take(message),
    });
    addEventListener("undercut-settings", () => this.introduce());
    onNewKey(() => this.wire.reconnect());
    addEventListener("hashchange", () => { if (takeKey()) this.wire.reconnect(); else this.arrive(); });
  }

  /** Tell the server the name and the face of the settings, if they are new to it. */
  introduce() {
    const { name, face } = settings();
    const person = JSON.stringify([name, face]);
    if (person === this.introduced || !(name || face || this.introduced)) return;
    if (this.wire.send({ kind: "introduce", name, face })) this.introduced = person;
  }

  lose() {
    this.introduced = "";
    this.lost = true;
    this.beginning = false;
    this.arrived = null; // so that the page asks for its view again
    if (!this.review?.message) this.review = null;
    this.seal = "";
  }

  /** Show the last of the moves at once; whether some were still to be shown. */
  skip() {
    if (!this.playback.isRunning || this.querySelector("dialog[open]")) return false;
    this.playback.skip();
    return true;
  }

  /** A key that skips does nothing else. */
  skipByKey(event) {
    if (SILENT.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.skip()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Ask for the view in the URL. */
  arrive() {
    this.playback.skip();
    this.moves = [];
    this.lost = false;
    this.shut = "";
    const number = numberAsked();
    this.linked = pastAsked();
    if (number && number === this.table?.number && this.arrived) {
      this.lookAsLinked();
      this.reviewIfAsked();
      this.requestUpdate();
      return;
    }
    this.arrived = number;
    this.hint = null;
    this.past = null;
    this.statistics = null;
    if (!number || this.table?.number !== number) this.table = null;
    this.thinking = Boolean(this.table); // the old table stays inactive until the server is back
    this.practice = null;
    this.solving = null;
    this.quiz = null;
    if (isPractice()) this.askPuzzle();
    else if (isQuiz()) this.wire.send({ kind: "quiz" });
    else if (location.hash === STATISTICS) this.wire.send({ kind: "statistics" });
    else this.wire.send(number ? { kind: "open", number } : { kind: "lobby" });
  }

  /** Ask for the next puzzle, or how many there are. */
  askPuzzle() {
    const { theme = "", skip = 0, early = false } = this.solving ?? {};
    const number = Number.parseInt(location.hash.slice(PRACTICE.length + 1), 10) || 0;
    this.wire.send({ kind: "practice", number, theme, skip, early });
  }

  /** What a page about puzzles asks for; whether it was that. */
  askAboutPuzzles(message) {
    if (!isPractice()) return false;
    const done = {
      solve: () => { this.solving = { theme: message.theme, early: message.early, skip: 0 }; this.askPuzzle(); },
      nextpuzzle: () => { this.solving = { ...this.solving, skip: message.isDone && !this.solving.early ? this.solving.skip : this.solving.skip + 1 }; this.askPuzzle(); },
      away: () => { if (this.solving) { this.solving = null; this.askPuzzle(); } else this.leave(); },
    }[message.kind];
    done?.();
    return Boolean(done);
  }

  /** Ask for the review in the URL, unless it is here. */
  reviewIfAsked() {
    const { number, deals } = this.table ?? {};
    if (!number || !isReview() || (this.review?.number === number && this.review.count === deals.length)) return;
    this.review = { number, count: deals.length };
    this.wire.send({ kind: "review", number });
  }

  take(message) {
    const take = {
      lobby: () => { this.lobby = message; },
      rules: () => { this.rules = message; }, // sent once, before the table
      moves: () => { this.moves = message.moves; }, // just before their table
      table: () => this.takeTable({ ...this.rules, ...message }),
      thinking: () => { this.thinking = message.number === this.table?.number; },
      past: () => { if (message.table.number === this.table?.number) this.look({ ...this.rules, ...message.table, hands: message.hands }); },
      hint: () => { if (message.ply === (this.past ?? this.table)?.ply) this.hint = message; },
      varied: () => { if (message.number === this.table?.number) this.varied = message; },
      belief: () => { this.belief = message; },
      judged: () => { this.querySelector("game-table")?.judged(message); },
      review: () => { if (message.number === this.review?.number) this.review = { ...this.review, message }; },
      practice: () => { this.practice = message; this.tried = null; },
      tried: () => { this.tried = message; },
      quiz: () => { this.quiz = message; this.guessed = null; },
      guessed: () => { this.guessed = message; },
      collecting: () => { this.collecting = message; if (isPractice() && !this.solving) this.askPuzzle(); },
      preparing: () => { this.preparing = message; },
      statistics: () => { this.statistics = message.statistics; this.profiles = message.profiles; },
      links: () => { this.links = message; },
      sealed: () => { this.seal = message.seal; },
      checked: () => { this.checked = message; },
      ticket: () => this.download(message),
      gone: () => this.goneAway(message.number),
      refused: () => this.refused(message.why),
    }[message.kind];
    take?.();
  }

  look(table) {
    this.playback.skip();
    if (table.ply !== this.past?.ply) this.hint = null;
    this.past = table;
    history.replaceState(null, "", `#${table.number}/${table.deal}/${table.ply}`);
  }

  /** Ask for the moment that the URL names. */
  lookAsLinked() {
    if (!this.linked) return;
    const [deal, ply] = this.linked;
    this.linked = null;
    this.wire.send({ kind: "look", number: numberAsked(), deal, ply });
  }

  present() {
    this.past = null;
    this.hint = null;
    history.replaceState(null, "", guestOf ? location.pathname : `#${this.table.number}`);
    this.requestUpdate();
  }

  takeTable(message) {
    const before = this.table?.number === message.number ? this.table : message;
    const steps = tablesBetween(before, this.moves, message);
    if (this.playback.isRunning) steps.unshift(before);
    this.moves = [];
    this.preparing = null;
    if (this.beginning) {
      this.beginning = false;
      this.past = null;
      this.seal = "";
      this.table = message;
      this.arrived = message.number;
      location.hash = String(message.number);
    } else if (message.number !== numberAsked()) {
      return;
    }
    if (message.ply !== this.table?.ply && !this.past) this.hint = null;
    this.table = message;
    this.thinking = false;
    this.playback.add(steps);
    this.reviewIfAsked();
    document.title = `${message.title} – Undercut`;
    this.lookAsLinked();
  }

  refused(why) {
    this.thinking = false;
    this.beginning = false;
    this.preparing = null;
    if (this.hint?.isAwaited) this.hint = null;
    this.querySelector("game-table")?.notJudged();
    this.say(why.charAt(0).toUpperCase() + why.slice(1));
    if (numberAsked() && !this.table && !guestOf) this.leave();
  }

  download({ number, ticket }) {
    const link = document.createElement("a");
    link.href = `records/${number}?ticket=${ticket}`;
    link.download = "";
    link.click();
  }

  goneAway(number) {
    if (number !== numberAsked()) return;
    if (guestOf) this.say(t("This game was deleted."));
    else this.leave();
  }

  say(text) {
    this.notice = text;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => { this.notice = ""; }, NOTICE);
  }

  leave() {
    this.playback.skip();
    document.title = "Undercut";
    this.arrived = null;
    this.table = null;
    this.thinking = false;
    if (location.hash) history.pushState(null, "", location.pathname);
    this.arrive();
  }

  ask(event) {
    const message = event.detail;
    if (this.askAboutPuzzles(message)) return;
    if (message.kind === "away" && isQuiz()) location.hash = PRACTICE;
    else if (message.kind === "away") this.leave();
    else if (message.kind === "readings") location.hash = QUIZ;
    else if (message.kind === "nextreading") this.wire.send({ kind: "quiz" });
    else if (message.kind === "learn") location.hash = `${PRACTICE}/${message.number}`;
    else if (message.kind === "review") location.hash = guestOf ? REVIEW : `${message.number}/${REVIEW}`;
    else if (message.kind === "show") location.hash = `${message.number}/${message.deal}/${message.ply}`;
    else if (message.kind === "table" || message.kind === "present") this.present();
    else if (!this.wire.send(message)) this.say(t("The server does not answer: start it again with undercut play."));
    else if (["begin", "again"].includes(message.kind)) this.beginning = true;
    else if (message.kind === "hint") this.hint = { ply: message.ply, text: t("The adviser is thinking. The first time it takes longer; you can play on."), isAwaited: true };
    else if (DEEDS.includes(message.kind) && message.number === this.table?.number) this.thinking = true;
  }

  get body() {
    const state = this.past ?? this.step ?? this.table;
    if (isPractice() && this.practice) return this.puzzles();
    if (isQuiz() && this.quiz) return this.readings();
    if (numberAsked() && this.table && isReview()) {
      return html`<match-review .state=${this.review?.message} .table=${this.table} @ask=${this.ask}></match-review>`;
    }
    if (numberAsked() && state) {
      return html`<game-table .state=${state} .live=${this.past ? this.table : state} .thinking=${this.thinking && state === this.table} .hint=${this.hint} .belief=${this.belief} .varied=${this.varied} @ask=${this.ask}></game-table>`;
    }
    if (location.hash === STATISTICS && this.statistics) return html`<my-statistics .state=${this.statistics} .profiles=${this.profiles} @ask=${this.ask}></my-statistics>`;
    if (this.lobby && !location.hash) {
      return html`<game-lobby .state=${this.lobby} .waiting=${this.beginning} .preparing=${this.preparing} .seal=${this.seal} .checked=${this.checked} @ask=${this.ask}></game-lobby>`;
    }
    return html`<div class="waiting"><p>${t("Setting the table …")}</p>${preparing(this.preparing)}</div>`;
  }

  /** The puzzle to solve, or what there is to learn from. */
  puzzles() {
    const { puzzle } = this.practice;
    if (!this.solving || !puzzle) return html`<my-practice .state=${this.practice} .collecting=${this.collecting} @ask=${this.ask}></my-practice>`;
    const table = { ...puzzle.rules, ...puzzle.table };
    return html`<game-table .state=${table} .live=${table} .puzzle=${{ ...puzzle, table }} .tried=${this.tried} @ask=${this.ask}></game-table>`;
  }

  /** The question about a hidden hand, and after the answer that hand. */
  readings() {
    const { quiz: { reading, score }, guessed } = this;
    if (!reading) return html`<div class="waiting"><p>${t("There are no questions yet. They come from your finished games, from your turns after the other player's third.")}</p><p><button class="main" @click=${() => { location.hash = PRACTICE; }}>${t("Back")}</button></p></div>`;
    const hands = guessed ? { [reading.seat]: guessed.hand } : {};
    const table = { ...reading.rules, ...reading.table, hands };
    return html`<game-table .state=${table} .live=${table} .reading=${{ ...reading, score, table }} .guessed=${guessed} @ask=${this.ask}></game-table>`;
  }

  render() {
    return html`${this.body}
      ${this.links && this.links.number === this.table?.number ? html`<guest-links .state=${this.links} @close=${() => { this.links = null; }}></guest-links>` : nothing}
      <div class="notice" role="alert">${this.notice ? html`<p>${this.notice}</p>` : nothing}</div>
      ${this.shut ? html`<p class="lost" role="alert">${this.shut}</p>` : this.lost ? html`<p class="lost" role="status">${t("The server does not answer. Your game is kept; this page goes on as soon as it is back.")}</p>` : nothing}`;
  }
}

customElements.define("undercut-app", UndercutApp);
