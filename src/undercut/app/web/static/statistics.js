// Statistics of finished games.

import { isHouse, shortTitle } from "./cards.js";
import { PageElement, html, nothing, properties } from "./element.js";
import { profileSection } from "./profile.js";
import { language, n, t } from "./words.js";

const decimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const shown = (share) => decimal.format(100 * share);
const percent = (text) => `${text}\u00a0%`; // a no-break space

class MyStatistics extends PageElement {
  static properties = properties("state", "profiles", "exact");

  away() {
    this.dispatchEvent(new CustomEvent("ask", { detail: { kind: "away" }, bubbles: true }));
  }

  render() {
    const { played, training, left } = this.state;
    const some = played.games.length + training.games.length;
    return html`<div class="lobby">
      <header class="mast"><button @click=${this.away}>‹ ${t("Lobby")}</button><h1>${t("Statistics")}</h1></header>
      <main class="accounts">
        <p><a class="go plain-go" href="#practice">${t("Learn from your mistakes")}</a></p>
        ${some ? nothing : html`<section class="sheet"><p>${t("No game has been played to its end yet.")}</p></section>`}
        ${this.account(played, t("Games"))} ${this.account(training, t("Training, and deals that you knew"))}
        ${profileSection(this.profiles ?? [])}
        ${left ? html`<p class="quiet">${n("{count} game was left before its end, and is not counted.", "{count} games were left before their end, and are not counted.", left)}</p>` : nothing}
        ${some ? html`<label class="switch"><input type="checkbox" name="exact" .checked=${Boolean(this.exact)} @change=${(event) => { this.exact = event.target.checked; }}>
          <span>${t("All numbers, with intervals")}</span></label>` : nothing}
        ${some && this.exact ? html`<p class="quiet">${t("The interval is where the share lies with 95 % confidence, were you to play on as you do.")}</p>` : nothing}
      </main></div>`;
  }

  account({ games, story }, heading) {
    if (!games.length) return nothing;
    const [first, ...others] = story;
    return html`<section class="sheet story"><h2>${heading}</h2>
      <p class="first">${first}</p>${others.map((each) => html`<p>${each}</p>`)}
      ${games.map((game) => this.game(game, heading))}</section>`;
  }

  game(game, heading) {
    return html`<h3 title=${game.game}>${shortTitle(game.title)}${this.exact && game.title !== shortTitle(game.title) ? html` <small>${game.game}</small>` : isHouse(game.game) ? html` <small>${t("house rules")}</small>` : nothing}</h3>
      <p class="first">${t("{won} of {of} won", { won: decimal.format(game.won.count), of: game.won.of })}${this.streak(game.streak)}</p>
      <ul>${game.story.map((each) => html`<li>${each}</li>`)}</ul>
      ${this.exact ? this.numbers(game, heading) : nothing}`;
  }

  streak({ current }) {
    if (Math.abs(current) < 2) return "";
    return ` · ${current > 0 ? n("{count} won in a row now", "{count} won in a row now", current) : n("{count} lost in a row now", "{count} lost in a row now", -current)}`;
  }

  numbers(game, heading) {
    const rows = (found) => found.map(([words, share]) => this.row(words, share));
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${`${heading}: ${game.title}`}><table class="shares">
        <thead><tr><th>${t("Games")}</th><th>${t("Won")}</th><th>${t("Share")}</th><th>${t("95 % interval")}</th></tr></thead>
        <tbody>${rows(game.against.map((each) => [t("against {names}", { names: each.opponents.join(", ") }), each.won]))}</tbody>
        <thead><tr><th>${t("Deals")}</th><td></td><td></td><td></td></tr></thead>
        <tbody>${rows([
          [t("won by you"), game.deals_won],
          ...game.endings.flatMap(({ outcome, mine, theirs, nobody }) => [
            [t("{outcome}, points for you", { outcome }), mine],
            [t("{outcome}, points for the others", { outcome }), theirs],
            [t("{outcome}, points for nobody", { outcome }), nobody],
          ]).filter(([, share]) => share.count),
        ])}</tbody></table></div>`;
  }

  row(words, { count, of, rate, interval }) {
    return html`<tr><th scope="row">${words}</th><td>${decimal.format(count)}\u00a0/\u00a0${of}</td>
      <td>${rate === null ? "" : percent(shown(rate))}</td>
      <td>${interval ? percent(`${shown(interval[0])}\u00a0– ${shown(interval[1])}`) : ""}</td></tr>`;
  }
}

customElements.define("my-statistics", MyStatistics);
