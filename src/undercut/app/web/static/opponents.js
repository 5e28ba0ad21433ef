// The opponents of a new game: characters with a face, a level in words and stars, and how they play.

import { PageElement, html, nothing, properties } from "./element.js";
import { faceOf } from "./faces.js";
import { t } from "./words.js";

const percent = (share) => `${Math.round(100 * share)}\u00a0%`;

/** Stars in a text: 3.5 are ★★★½. */
export const starsOf = (count) => "★".repeat(Math.floor(count)) + (count % 1 ? "½" : "");

const starred = ({ stars }) => (stars
  ? html`<span class="stars" role="img" aria-label=${t("{stars} of 5 stars", { stars: starsOf(stars).replace(/★+/, (all) => all.length) })}>${starsOf(stars)}</span>`
  : nothing);

/** The character of each opponent; the second one of a level is a guest, who has a seat. */
export const charactersOf = (game, guests, opponents, first) => opponents.map((name, place) => {
  const level = game.levels.find((each) => each.name === name) ?? game.levels[0];
  return { ...(opponents.indexOf(name) === place || !level.stars ? level.character : guests[first + place]), level };
});

class ChooseOpponents extends PageElement {
  // opponents: the level in each seat, from seat `first`
  static properties = properties("game", "guests", "opponents", "first");

  seat(place, name) {
    const detail = this.opponents.map((each, at) => (at === place ? name : each));
    this.dispatchEvent(new CustomEvent("chosen", { detail, bubbles: true }));
  }

  render() {
    if (!this.opponents.length) return nothing;
    return html`${this.opponents.length === 1 ? this.one() : this.several()} ${this.measured()}`;
  }

  one() {
    const chosen = this.opponents[0];
    return html`<fieldset class="levels"><legend>${t("Opponent")}</legend>
      ${this.game.levels.map((level) => html`<label class="level" title=${level.about}>
        <input type="radio" name="level" value=${level.name} .checked=${level.name === chosen} @change=${() => this.seat(0, level.name)}>
        <span>${faceOf(level.character.face)}<span><b>${level.character.name}</b><br>${level.title} ${starred(level)}</span><small>${level.character.line || level.about}</small></span>
      </label>`)}
      <p class="quiet">${this.game.levels.find((level) => level.name === chosen)?.about}</p>
    </fieldset>`;
  }

  several() {
    const characters = charactersOf(this.game, this.guests, this.opponents, this.first);
    return html`<fieldset class="company"><legend>${t("Opponents")}</legend>
      ${characters.map(({ name, face, level }, place) => html`<label>${faceOf(face)}<b>${name}</b>
        <select aria-label=${t("Level of {name}", { name })} @change=${(event) => this.seat(place, event.target.value)}>
          ${this.game.levels.map((each) => html`<option value=${each.name} ?selected=${each.name === level.name}>${each.title} ${starsOf(each.stars)}</option>`)}
        </select></label>`)}
    </fieldset>`;
  }

  /** The numbers behind the stars. */
  measured() {
    const { levels, measured } = this.game;
    const known = levels.filter((level) => level.win_rate !== null);
    if (!known.length) return nothing;
    return html`<details class="measured"><summary>${t("How is strength measured?")}</summary>
      <p class="quiet">${t("The stars put the opponents in order. The number is measured: {measured}, with the 95 % interval.", { measured })}</p>
      <table>${known.map((level) => html`<tr><th scope="row">${level.title}</th><td>${percent(level.win_rate)}</td><td>± ${(100 * level.half).toFixed(1)}</td></tr>`)}</table></details>`;
  }
}

customElements.define("choose-opponents", ChooseOpponents);
