// Learning from mistakes: how many puzzles are due, of which themes, and the games to review for more.

import { PageElement, html, nothing, properties } from "./element.js";
import { language, n, t } from "./words.js";

const days = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });

class MyPractice extends PageElement {
  // collecting: how many games have been reviewed, while that goes on
  static properties = properties("state", "collecting");

  ask(detail) {
    this.dispatchEvent(new CustomEvent("ask", { detail, bubbles: true }));
  }

  render() {
    const { count, due } = this.state;
    return html`<div class="lobby practice">
      <header class="mast"><button @click=${() => this.ask({ kind: "away" })}>‹ ${t("Lobby")}</button><h1>${t("Learn from your mistakes")}</h1></header>
      <main class="accounts">
        <section class="sheet"><p class="first">${this.sum(count, due)}</p>
          ${count ? html`<p class="bar"><button class="main" autofocus ?disabled=${!due} @click=${() => this.solve("")}>${t("Solve puzzles")}</button>
            ${due < count ? html`<button @click=${() => this.solve("", true)}>${t("Also those that are not due")}</button>` : nothing}</p>` : nothing}
          <p class="quiet">${t("Each error of a reviewed game is a puzzle. One that you solve comes back after 1, 2, 4, 8, 16 and 32 days; one that you do not solve begins again.")}</p></section>
        <section class="sheet"><h2>${t("What does the other player hold?")}</h2>
          <p>${t("A table from one of your finished games, and five cards that you did not see: another player holds one of them. Find it, and do better than the coach.")}</p>
          <p class="bar"><button @click=${() => this.ask({ kind: "readings" })}>${t("Guess the cards")}</button></p></section>
        ${this.themes()}${this.more()}</main></div>`;
  }

  sum(count, due) {
    if (!count) return t("There are no puzzles yet: they come from the reviews of your games.");
    if (due) return n("{due} of {count} puzzle is due.", "{due} of {count} puzzles are due.", count, { due });
    return t("Nothing is due until {day}.", { day: days.format(new Date(this.state.next_due)) });
  }

  solve(theme, early = false) {
    this.ask({ kind: "solve", theme, early });
  }

  themes() {
    const { themes } = this.state;
    if (!themes.length) return nothing;
    return html`<section class="sheet"><h2>${t("By theme")}</h2><table class="shares"><thead><tr><th>${t("Theme")}</th><th>${t("due")}</th><th>${t("in all")}</th><td></td></tr></thead>
      <tbody>${themes.map(({ name, words, count, due }) => html`<tr><th scope="row">${words}</th><td>${due}</td><td>${count}</td>
        <td><button aria-label=${t("Solve: {theme}", { theme: words })} @click=${() => this.solve(name, !due)}>${t("Solve")}</button></td></tr>`)}</tbody></table></section>`;
  }

  more() {
    const { unreviewed } = this.state, { done, of } = this.collecting ?? {};
    if (of && done < of) {
      return html`<section class="sheet"><p role="status">${t("Reviewing your games: {done} of {of}", { done, of })} <progress max=${of} .value=${done} aria-label=${t("Progress")}></progress></p></section>`;
    }
    if (!unreviewed) return nothing;
    return html`<section class="sheet"><p>${n("{count} finished game was not reviewed yet.", "{count} finished games were not reviewed yet.", unreviewed)}</p>
      <p class="bar"><button @click=${() => this.ask({ kind: "collect" })}>${t("Review them")}</button></p></section>`;
  }
}

customElements.define("my-practice", MyPractice);
