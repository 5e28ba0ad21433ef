// The lobby: go on with a game, or begin one; everything else is behind "More".

import { isHouse, sentence, shortTitle } from "./cards.js";
import { faceOf } from "./faces.js";
import "./fair.js";
import { PageElement, html, nothing, properties } from "./element.js";
import "./houserules.js";
import "./named.js";
import { charactersOf, starsOf } from "./opponents.js";
import { preparing } from "./preparing.js";
import "./settings.js";
import { LANGUAGES, language, n, speak, t } from "./words.js";

const FEW = 4; // games in the short list
const LAST = "undercut.last"; // the browser's storage of the last choice

const STATES = { over: t("finished"), left: t("abandoned") }; // of finished games

const lastChoice = () => { try { return JSON.parse(localStorage.getItem(LAST)) ?? {}; } catch { return {}; } };

class GameLobby extends PageElement {
  // seal: the commitment to the seed that words are mixed into
  // checked: the last check of an opponent
  // named: opponents by the name of an agent, by place
  static properties = properties(
    "state", "waiting", "preparing", "seal", "checked", "chosen", "seats", "people", "opponents",
    "changed", "variants", "named", "words", "training", "deleting",
  );

  constructor() {
    super();
    this.training = false;
    this.words = "";
    this.deleting = 0;
  }

  willUpdate() {
    if (!this.chosen) this.chooseAsBefore();
  }

  get game() {
    return this.state.games.find((game) => game.name === this.chosen);
  }

  choose(game) {
    this.chosen = game.name;
    this.seats = game.seats[0];
    this.people = 1;
    this.changed = {};
    this.variants = [];
    this.named = [];
    this.opponents = Array(game.seats[1] - 1).fill(game.usual);
  }

  /** Choose what the person has played last. */
  chooseAsBefore() {
    const { game, seats, opponents = [] } = lastChoice();
    const before = this.state.games.find((each) => each.name === game);
    this.choose(before ?? this.state.games[0]);
    if (!before) return;
    if (seats >= before.seats[0] && seats <= before.seats[1]) this.seats = seats;
    const known = before.levels.map((level) => level.name);
    this.opponents = this.opponents.map((usual, place) => (known.includes(opponents[place]) ? opponents[place] : usual));
  }

  keepChoice() {
    const { chosen: game, seats, opponents } = this;
    try { localStorage.setItem(LAST, JSON.stringify({ game, seats, opponents })); } catch { /* then it is not kept */ }
  }

  ask(message) {
    this.dispatchEvent(new CustomEvent("ask", { detail: message, bubbles: true, composed: true }));
  }

  get spec() {
    const { game } = this;
    const fields = { ...this.changed };
    if (this.seats !== game.seats[0]) fields.players = this.seats;
    const listed = Object.entries(fields).map(([name, value]) => `${name}=${value}`).join(",");
    return [game.name, ...this.variants].join("+") + (listed ? `:${listed}` : "");
  }

  begin(event) {
    event.preventDefault();
    this.keepChoice();
    const opponents = this.seated.map((level, place) => this.named[place] || level);
    const words = this.seal ? this.words : "";
    this.ask({ kind: "begin", game: this.spec, opponents, training: this.training, words, people: this.people });
  }

  /** The level of each opponent. */
  get seated() {
    return this.opponents.slice(0, this.seats - this.people);
  }

  set(option, value) {
    const changed = { ...this.changed };
    if (value === option.value || Number.isNaN(value)) delete changed[option.name];
    else changed[option.name] = value;
    this.changed = changed;
  }

  render() {
    const playing = this.state.kept.filter((each) => each.state === "playing");
    const ended = this.state.kept.filter((each) => each.state !== "playing");
    const [last] = playing;
    return html`<div class="lobby">
      <header class="mast">
        <img src="icon.svg" alt="" width="40" height="40">
        <div><h1>Undercut</h1><p>${t("Rummy games for an evening")}</p></div>
        <nav><a class="go plain-go wide-only" href="#practice">${t("Learn")}</a><a class="go plain-go" href="#statistics">${t("Statistics")}</a>${this.languages()}<page-settings></page-settings></nav>
      </header>
      <main class="halls">
        ${last ? this.continuing(last) : nothing}
        <form class="new" @submit=${this.begin}>
          ${this.play()}
          <div class="sheet choose">${this.games()} ${this.players()}
            <choose-opponents .game=${this.game} .guests=${this.state.guests} .opponents=${this.seated} .first=${this.people}
              @chosen=${(event) => { this.opponents = [...event.detail, ...this.opponents.slice(event.detail.length)]; }}></choose-opponents>
            <div class="length">${this.game.length.map((option) => this.length(option))}</div>
            ${this.more()}
          </div>
        </form>
        <section class="sheet mine" aria-label=${t("My games")}>
          <h2>${t("My games")}</h2>
          ${playing.slice(0, FEW).map((each) => this.kept(each))}
          ${playing.length > FEW ? html`<details><summary>${t("Others in play ({count})", { count: playing.length - FEW })}</summary>${playing.slice(FEW).map((each) => this.kept(each))}</details>` : nothing}
          ${playing.length ? nothing : html`<p class="quiet">${t("Games that you begin stay here until you finish them: close the page whenever you like.")}</p>`}
          ${ended.length ? html`<details><summary>${t("Ended ({count})", { count: ended.length })}</summary>${ended.map((each) => this.kept(each))}</details>` : nothing}
          ${this.state.damaged.map((each) => this.damaged(each))}
        </section>
      </main>
      <footer class="quiet">${t("Undercut {version}, on this computer only.", { version: this.state.version })}</footer>
    </div>`;
  }

  languages() {
    return html`<select class="languages" aria-label=${t("Language")} @change=${(event) => speak(event.target.value)}>
      ${LANGUAGES.map((each) => html`<option value=${each.code} lang=${each.code} ?selected=${each.code === language}>${each.name}</option>`)}
    </select>`;
  }

  /** The game that was touched last. */
  continuing(last) {
    return html`<section class="sheet front continue">
      <span class="faces">${this.facesOf(last)}</span>
      <div><h2>${t("Go on playing")}</h2><p>${shortTitle(last.title)} · ${this.company(last)}</p><p class="points">${this.points(last)}</p></div>
      <a class="go" href=${`#${last.number}`}>${t("Continue")}</a></section>`;
  }

  /** The opponents, those by the name of an agent too. */
  get characters() {
    const found = charactersOf(this.game, this.state.guests, this.seated, this.people);
    return found.map((each, place) => (this.named[place] ? { name: this.named[place].split(":")[0], face: "robot" } : each));
  }

  get goal() {
    const [option] = this.game.length;
    const count = this.changed[option?.name];
    if (!count) return this.game.goal;
    return option.name === "deals" ? n("{count} deal", "{count} deals", count) : n("first to {count}", "first to {count}", count);
  }

  /** What a click on the button begins. */
  play() {
    const { game } = this;
    const characters = this.characters;
    const [first] = characters;
    return html`<section class="sheet front play">
      <span class="faces">${characters.slice(0, 3).map((each) => faceOf(each.face))}</span>
      <div><h2>${t("A new game")}</h2>
        <p>${characters.length === 1 ? t("{game} against {name}", { game: game.title, name: first.name }) : n("{game} for {count} player", "{game} for {count} players", this.seats, { game: game.title })}</p>
        <p class="quiet">${characters.length === 1 && first.level ? html`${first.level.title} <span class="stars">${starsOf(first.level.stars)}</span> · ` : nothing}${this.goal}${Object.keys(this.changed).length + this.variants.length ? ` · ${t("house rules")}` : ""}</p></div>
      <button class="main" ?disabled=${this.waiting}>${this.waiting ? t("Getting ready …") : t("Play")}</button>
      ${preparing(this.preparing)}</section>`;
  }

  games() {
    return html`<fieldset class="tiles"><legend>${t("Game")}</legend>
      ${this.state.games.map((game) => html`<label class="tile">
        <input type="radio" name="game" value=${game.name} .checked=${game.name === this.chosen}
          @change=${() => this.choose(game)}>
        <span><b>${game.title}</b><small>${game.about || game.goal}${game.seats[1] > game.seats[0] ? html` <i>${n("{low}–{count} player", "{low}–{count} players", game.seats[1], { low: game.seats[0] })}</i>` : nothing}</small></span>
      </label>`)}
      </fieldset>`;
  }

  players() {
    const [low, high] = this.game.seats;
    if (high === low) return nothing;
    const counts = Array.from({ length: high - low + 1 }, (_, place) => low + place);
    return html`<fieldset class="counts"><legend>${t("Players")}</legend>
        ${counts.map((count) => html`<label class="pill"><input type="radio" name="seats" value=${count}
          .checked=${count === this.seats} @change=${() => { this.seats = count; this.people = Math.min(this.people, count); }}><span>${count}</span></label>`)}
      </fieldset>`;
  }

  more() {
    const { game } = this;
    return html`<details class="more"><summary>${t("More: house rules, several people, training")}</summary>
      ${game.aim.map((each) => html`<p class="aim">${sentence(each, game.pack)}</p>`)}
      <label class="switch"><input type="checkbox" name="training" .checked=${this.training} @change=${(event) => { this.training = event.target.checked; }}>
        <span>${t("Training")} <small>${t("moves may be taken back")}</small></span></label>
      ${this.persons()}
      <house-rules .game=${game} .changed=${this.changed} .variants=${this.variants}
        @ruled=${(event) => Object.assign(this, event.detail)}></house-rules>
      ${this.seats === this.people ? nothing : html`<named-opponents .game=${game} .spec=${this.spec} .count=${this.seats - this.people} .first=${this.people + 1} .given=${this.named} .checked=${this.checked}
        @seated=${(event) => { this.named = event.detail; }}></named-opponents>`}
      <own-words .seal=${this.seal} @named=${(event) => { this.words = event.detail; }}></own-words>
    </details>`;
  }

  persons() {
    return html`<fieldset class="counts"><legend>${t("People at the table")}</legend>
      ${Array.from({ length: this.seats }, (_, place) => place + 1).map((count) => html`<label class="pill"><input type="radio" name="people" value=${count}
        .checked=${count === this.people} @change=${() => { this.people = count; }}><span>${count}</span></label>`)}
      <small class="quiet">${this.people > 1 ? t("Each of the others gets a link to a seat.") : t("You alone, against the computer's players.")}</small>
    </fieldset>`;
  }

  length(option) {
    const words = option.name === "deals" ? t("Deals in a match") : t("Points that win the match");
    const value = this.changed[option.name] ?? option.value;
    return html`<label class="number"><span>${words}</span>
      <input type="number" min=${option.low} max=${option.high} .value=${String(value)} required
        @change=${(event) => this.set(option, event.target.valueAsNumber)}></label>`;
  }

  /** The points in a stored game, those of the person first. */
  points({ scores, seat }) {
    return [scores[seat], ...scores.filter((_, place) => place !== seat)].join(" : ");
  }

  /** The faces of the others in a stored game. */
  facesOf({ players, faces, seat }) {
    return players.map((_, place) => place).filter((place) => place !== seat).slice(0, 3).map((place) => faceOf(faces[place], place));
  }

  company({ players, seat }) {
    return players.filter((_, place) => place !== seat).join(", ");
  }

  kept(each) {
    const goes = each.state === "playing";
    return html`<article class="kept">
      <a href=${`#${each.number}`}><b>${shortTitle(each.title)}</b>
        <span>${this.company(each)}</span>
        <span class="points">${this.points(each)}${isHouse(each.game) ? ` · ${t("house rules")}` : ""}${each.training ? ` · ${t("training")}` : ""}${goes ? "" : ` · ${STATES[each.state] ?? each.state}`}</span>
        <small>${new Date(each.touched).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" })}</small></a>
      ${this.deletable(each.number, html`${goes ? nothing : html`<button @click=${() => this.ask({ kind: "ticket", number: each.number })}>${t("Save to a file")}</button>`}<a class="go" href=${`#${each.number}`}>${goes ? t("Continue") : t("Look back")}</a>`)}
    </article>`;
  }

  /** A game that cannot be read, only deleted. */
  damaged({ number, why }) {
    return html`<article class="kept">
      <div><b>${t("Game {number} is damaged", { number })}</b> <small>${why}</small></div>
      ${this.deletable(number, nothing)}
    </article>`;
  }

  /** The buttons of a game, and the question whether to delete it. */
  deletable(number, others) {
    return this.deleting === number
      ? html`<span class="sure"><button class="danger" @click=${() => { this.deleting = 0; this.ask({ kind: "delete", number }); }}>${t("Delete it")}</button>
          <button @click=${() => { this.deleting = 0; }}>${t("Keep it")}</button></span>`
      : html`<span class="sure">${others}
          <button aria-label=${t("Delete game {number}", { number })} @click=${() => { this.deleting = number; }}>${t("Delete")}</button></span>`;
  }
}

customElements.define("game-lobby", GameLobby);
