// The page: the lobby, or the table whose number stands behind the # of the address.

import { LitElement, html, nothing } from "./lit.js";
import "./lobby.js";
import "./table.js";
import { Wire } from "./wire.js";
import { t } from "./words.js";

const NOTICE = 6000;

const numberAsked = () => Number.parseInt(location.hash.slice(1), 10) || 0;

class UndercutApp extends LitElement {
  static properties = {
    lobby: { state: true },
    table: { state: true },
    hint: { state: true },
    thinking: { state: true },
    notice: { state: true },
    lost: { state: true },
    beginning: { state: true },
  };

  constructor() {
    super();
    this.replaceChildren();
    this.wire = new Wire({
      onOpen: () => this.arrive(),
      onLost: () => { this.lost = true; this.beginning = false; },
      onMessage: (message) => this.take(message),
    });
    addEventListener("hashchange", () => this.arrive());
  }

  createRenderRoot() {
    return this;
  }

  /** Ask for what the address names. */
  arrive() {
    this.lost = false;
    const number = numberAsked();
    if (number && number === this.table?.number && this.arrived) return;
    this.arrived = number;
    this.hint = null;
    if (!number || this.table?.number !== number) this.table = null;
    this.wire.send(number ? { kind: "open", number } : { kind: "lobby" });
  }

  take(message) {
    const take = {
      lobby: () => { this.lobby = message; },
      table: () => this.takeTable(message),
      thinking: () => { this.thinking = message.number === this.table?.number; },
      hint: () => { if (message.ply === this.table?.ply) this.hint = message; },
      gone: () => { if (message.number === numberAsked()) this.leave(); },
      refused: () => this.refused(message.why),
    }[message.kind];
    take?.();
  }

  takeTable(message) {
    if (this.beginning) {
      this.beginning = false;
      this.table = message;
      this.arrived = message.number;
      location.hash = String(message.number);
    } else if (message.number !== numberAsked()) {
      return;
    }
    if (message.ply !== this.table?.ply) this.hint = null;
    this.table = message;
    this.thinking = false;
    document.title = `${message.title} – Undercut`;
  }

  refused(why) {
    this.thinking = false;
    this.beginning = false;
    this.say(why);
    if (numberAsked() && !this.table) this.leave();
  }

  say(text) {
    this.notice = text;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => { this.notice = ""; }, NOTICE);
  }

  leave() {
    document.title = "Undercut";
    this.arrived = null;
    this.table = null;
    this.thinking = false;
    if (location.hash) history.pushState(null, "", location.pathname);
    this.arrive();
  }

  ask(event) {
    const message = event.detail;
    if (message.kind === "away") this.leave();
    else if (!this.wire.send(message)) this.say(t("The server does not answer: start it again with undercut play."));
    else if (message.kind === "begin") this.beginning = true;
    else if (message.kind !== "hint" && message.number === this.table?.number) this.thinking = true;
  }

  render() {
    const body = numberAsked() && this.table
      ? html`<game-table .state=${this.table} .thinking=${this.thinking} .hint=${this.hint} @ask=${this.ask}></game-table>`
      : this.lobby && !numberAsked()
        ? html`<game-lobby .state=${this.lobby} .waiting=${this.beginning} @ask=${this.ask}></game-lobby>`
        : html`<p class="waiting">${t("Setting the table …")}</p>`;
    return html`${body}
      <div class="notice" role="alert">${this.notice ? html`<p>${this.notice}</p>` : nothing}</div>
      ${this.lost ? html`<p class="lost" role="status">${t("The server does not answer. Your game is kept; this page goes on as soon as it is back.")}</p>` : nothing}`;
  }
}

customElements.define("undercut-app", UndercutApp);
