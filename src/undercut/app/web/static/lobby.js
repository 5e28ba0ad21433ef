// The lobby: begin a game, or continue one.

import { isHouse, sentence, shortTitle } from "./cards.js";
import "./fair.js";
import { PageElement, html, nothing, properties } from "./element.js";
import "./named.js";
import { preparing } from "./preparing.js";
import "./settings.js";
import { LANGUAGES, language, n, speak, t } from "./words.js";

const FEW = 4; // games in the short list
const LENGTH = ["target", "deals"]; // options for the length of a match

const STATES = { over: t("over"), left: t("left") }; // of finished games

const percent = (share) => `${Math.round(100 * share)} %`;
const plain = (meaning) => meaning.replace(/ \[[^\]]*\]$/, "");

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
    if (!this.chosen) this.choose(this.state.games[0]);
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
    const opponents = this.opponents.slice(0, this.seats - this.people).map((level, place) => this.named[place] || level);
    const words = this.seal ? this.words : "";
    this.ask({ kind: "begin", game: this.spec, opponents, training: this.training, words, people: this.people });
  }

  set(option, value) {
    const changed = { ...this.changed };
    if (value === option.value || Number.isNaN(value)) delete changed[option.name];
    else changed[option.name] = value;
    this.changed = changed;
  }

  seat(place, name) {
    this.opponents = this.opponents.map((each, at) => (at === place ? name : each));
  }

  render() {
    const playing = this.state.kept.filter((each) => each.state === "playing");
    const ended = this.state.kept.filter((each) => each.state !== "playing");
    return html`<div class="lobby">
      <header class="mast">
        <img src="icon.svg" alt="" width="40" height="40">
        <div><h1>Undercut</h1><p>${t("Rummy games for an evening")}</p></div>
        <nav><a class="go plain-go" href="#statistics">${t("Statistics")}</a>${this.languages()}<page-settings></page-settings></nav>
      </header>
      <main class="halls ${playing.length ? "with-games" : ""}">
        <form class="sheet new" @submit=${this.begin}>
          <h2>${t("A new game")}</h2>
          ${this.games()} ${this.players()} ${this.house()}
          ${this.seats === this.people ? nothing : html`<named-opponents .game=${this.game} .spec=${this.spec} .count=${this.seats - this.people} .first=${this.people + 1} .given=${this.named} .checked=${this.checked}
            @seated=${(event) => { this.named = event.detail; }}></named-opponents>`}
          <own-words .seal=${this.seal} @named=${(event) => { this.words = event.detail; }}></own-words>
          <p class="sit">
            <label class="switch"><input type="checkbox" .checked=${this.training}
              @change=${(event) => { this.training = event.target.checked; }}>
              <span>${t("Training")} <small>${t("moves may be taken back")}</small></span></label>
            <button class="main" ?disabled=${this.waiting}>${this.waiting ? t("Getting ready …") : t("Sit down")}</button>
          </p>
          ${preparing(this.preparing)}
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

  games() {
    return html`<fieldset class="tiles"><legend>${t("Game")}</legend>
      ${this.state.games.map((game) => html`<label class="tile">
        <input type="radio" name="game" value=${game.name} .checked=${game.name === this.chosen}
          @change=${() => this.choose(game)}>
        <span><b>${game.title}</b><small>${game.goal}${game.seats[1] > game.seats[0] ? html`, ${n("{low}–{count} player", "{low}–{count} players", game.seats[1], { low: game.seats[0] })}` : nothing}</small></span>
      </label>`)}
      </fieldset>
      <p class="aim">${sentence(this.game.aim[0], this.game.pack)}</p>`;
  }

  players() {
    const { game } = this;
    const [low, high] = game.seats;
    const counts = Array.from({ length: high - low + 1 }, (_, place) => low + place);
    return html`${high > low ? html`<fieldset class="counts"><legend>${t("Players")}</legend>
        ${counts.map((count) => html`<label class="pill"><input type="radio" name="seats" value=${count}
          .checked=${count === this.seats} @change=${() => { this.seats = count; this.people = Math.min(this.people, count); }}><span>${count}</span></label>`)}
      </fieldset>` : nothing}
      ${this.company()}
      ${this.seats - this.people === 0 ? nothing : this.seats === 2 ? this.opponent() : this.several()}`;
  }

  company() {
    return html`<fieldset class="counts"><legend>${t("People")}</legend>
      ${Array.from({ length: this.seats }, (_, place) => place + 1).map((count) => html`<label class="pill"><input type="radio" name="people" value=${count}
        .checked=${count === this.people} @change=${() => { this.people = count; }}><span>${count}</span></label>`)}
      ${this.people > 1 ? html`<small class="quiet">${t("Each of the others gets a link to a seat.")}</small>` : nothing}
    </fieldset>`;
  }

  opponent() {
    const { levels, measured } = this.game;
    return html`<fieldset class="levels"><legend>${t("Opponent")}</legend>
      ${levels.map((level) => html`<label class="level">
        <input type="radio" name="level" value=${level.name} .checked=${level.name === this.opponents[0]}
          @change=${() => this.seat(0, level.name)}>
        <span><b>${level.title}</b><small>${level.about}</small>
        ${level.win_rate === null ? nothing : html`<span class="strength" title=${`${measured}, ± ${percent(level.half)}`}>
          <meter min="0" max="1" value=${level.win_rate} aria-label=${measured}></meter>${percent(level.win_rate)}</span>`}</span>
      </label>`)}
      ${measured ? html`<p class="quiet">${t("Strength: {measured}, as measured.", { measured })}</p>` : nothing}
    </fieldset>`;
  }

  several() {
    return html`<fieldset class="several"><legend>${t("Opponents")}</legend>
      ${this.opponents.slice(0, this.seats - this.people).map((name, place) => html`<label>${t("Seat {seat}", { seat: this.people + place + 1 })}
        <select .value=${name} @change=${(event) => this.seat(place, event.target.value)}>
          ${this.game.levels.map((level) => html`<option value=${level.name} ?selected=${level.name === name}>${level.title}${level.win_rate === null ? "" : ` (${percent(level.win_rate)})`}</option>`)}
        </select></label>`)}
    </fieldset>`;
  }

  house() {
    const { game } = this;
    const length = game.options.filter((option) => LENGTH.includes(option.name));
    const others = game.options.filter((option) => !LENGTH.includes(option.name));
    return html`<div class="length">${length.map((option) => this.number(option, option.name === "deals" ? t("Deals in a match") : t("Points that win the match")))}</div>
      <details class="house"><summary>${Object.keys(this.changed).length || this.variants.length ? t("House rules (changed)") : t("House rules")}</summary>
        ${game.variants.map((name) => html`<label class="switch"><input type="checkbox" .checked=${this.variants.includes(name)}
          @change=${(event) => { this.variants = game.variants.filter((each) => (each === name ? event.target.checked : this.variants.includes(each))); }}>
          <span>+${name} <small>${t("a variant of {game}", { game: game.title })}</small></span></label>`)}
        ${others.map((option) => (option.low === 0 && option.high === 1 ? this.switch(option) : this.number(option, plain(option.meaning))))}
      </details>`;
  }

  switch(option) {
    const value = this.changed[option.name] ?? option.value;
    return html`<label class="switch"><input type="checkbox" .checked=${value === 1}
      @change=${(event) => this.set(option, event.target.checked ? 1 : 0)}>
      <span>${plain(option.meaning)}</span></label>`;
  }

  number(option, words) {
    const value = this.changed[option.name] ?? option.value;
    return html`<label class="number"><span>${words}</span>
      <input type="number" min=${option.low} max=${option.high} .value=${String(value)} required
        @change=${(event) => this.set(option, event.target.valueAsNumber)}></label>`;
  }

  kept(each) {
    const goes = each.state === "playing";
    return html`<article class="kept">
      <a href=${`#${each.number}`}><b>${shortTitle(each.title)}</b>
        <span>${each.players.join(", ")}</span>
        <span class="points">${each.scores.join(" : ")}${isHouse(each.game) ? ` · ${t("house rules")}` : ""}${each.training ? ` · ${t("training")}` : ""}${goes ? "" : ` · ${STATES[each.state] ?? each.state}`}</span>
        <small>${new Date(each.touched).toLocaleString(language)}</small></a>
      ${this.deletable(each.number, html`${goes ? nothing : html`<button @click=${() => this.ask({ kind: "ticket", number: each.number })}>${t("Record")}</button>`}<a class="go" href=${`#${each.number}`}>${goes ? t("Go on") : t("Look")}</a>`)}
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
