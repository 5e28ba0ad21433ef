// Opponents by the name of an agent, with optional settings.

import { PageElement, html, nothing, properties } from "./element.js";
import { t } from "./words.js";

class NamedOpponents extends PageElement {
  // spec: the chosen rules
  // first: the seat of the first of them, from 1
  // given: the names, by place
  // checked: the last check of a name by the server
  static properties = properties("game", "spec", "count", "first", "given", "checked", "problems");

  constructor() {
    super();
    this.problems = {};
  }

  willUpdate(changed) {
    if (changed.has("game") && changed.get("game")?.name !== this.game.name) this.problems = {};
    if (changed.has("checked") && this.checked) this.problems = { ...this.problems, [this.checked.opponent]: this.checked.why };
  }

  name(place, text) {
    const given = [...this.given];
    given[place] = text.trim();
    this.dispatchEvent(new CustomEvent("seated", { detail: given, bubbles: true }));
    if (given[place]) this.dispatchEvent(new CustomEvent("ask", { detail: { kind: "check", game: this.spec, opponent: given[place] }, bubbles: true }));
  }

  render() {
    const places = Array.from({ length: this.count }, (_, place) => place);
    return html`<details class="house"><summary>${this.given.some(Boolean) ? t("Opponents by name (given)") : t("Opponents by name")}</summary>
      <p class="quiet">${t("Any player of the program, with settings if you like: {example}", { example: this.example })}</p>
      <datalist id="agents">${this.game.agents.map((agent) => html`<option value=${agent.name} label=${agent.about}></option>`)}</datalist>
      ${places.map((place) => this.field(place))}
    </details>`;
  }

  get example() {
    const agent = this.game.agents.find((each) => each.settings.length) ?? this.game.agents[0];
    const [setting] = agent.settings;
    return setting ? `${agent.name}:${setting.name}=${setting.high}` : agent.name;
  }

  field(place) {
    const given = this.given[place] ?? "";
    const problem = this.problems[given] ?? "";
    const agent = this.game.agents.find((each) => each.name === given.split(":")[0]);
    return html`<label class="number"><span>${this.count === 1 ? t("Opponent") : t("Seat {seat}", { seat: this.first + place })}</span>
        <input type="text" list="agents" maxlength="120" autocomplete="off" spellcheck="false" .value=${given}
          aria-invalid=${Boolean(problem)} aria-describedby=${`named-${place}`} @change=${(event) => this.name(place, event.target.value)}></label>
      <p class="about ${problem ? "wrong" : "quiet"}" id=${`named-${place}`} role="status">${problem || (agent ? html`${agent.about}${this.settings(agent)}` : nothing)}</p>`;
  }

  settings({ settings }) {
    return settings.map(({ name, low, high, value, meaning }) => html`<br><b>${name}=${value}</b> (${low}–${high}): ${meaning}`);
  }
}

customElements.define("named-opponents", NamedOpponents);
