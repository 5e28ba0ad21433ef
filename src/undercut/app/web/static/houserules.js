// House rules of a new game: switches, numbers and choices in groups, each with what is usual.

import { sentence } from "./cards.js";
import { PageElement, html, nothing, properties } from "./element.js";
import { t } from "./words.js";

const isSwitch = (rule) => !rule.choices.length && rule.low === 0 && rule.high === 1;

class HouseRules extends PageElement {
  // changed: the values of changed options by their names
  // variants: the chosen variants
  static properties = properties("game", "changed", "variants");

  tell(detail) {
    this.dispatchEvent(new CustomEvent("ruled", { detail, bubbles: true }));
  }

  value(name) {
    return this.changed[name] ?? this.rules.find((rule) => rule.name === name).value;
  }

  get rules() {
    return this.game.house.flatMap((group) => group.rules);
  }

  /** Change a rule, and those that it needs. */
  set(rule, value) {
    const changed = { ...this.changed };
    const put = (name, value) => {
      if (Number.isNaN(value) || value === this.rules.find((each) => each.name === name).value) delete changed[name];
      else changed[name] = value;
    };
    put(rule.name, value);
    rule.needs.filter((need) => need.value === value).forEach(({ option, then }) => put(option, then));
    this.tell({ changed });
  }

  vary(name, isOn) {
    const variants = this.game.variants.map((each) => each.name).filter((each) => (each === name ? isOn : this.variants.includes(each)));
    this.tell({ variants });
  }

  render() {
    const { game } = this;
    const count = Object.keys(this.changed).length + this.variants.length;
    return html`<details class="house"><summary>${count ? t("House rules (changed)") : t("House rules")}</summary>
      ${game.variants.map(({ name, about }) => html`<label class="switch"><input type="checkbox" .checked=${this.variants.includes(name)}
        @change=${(event) => this.vary(name, event.target.checked)}><span>${about || name}</span></label>`)}
      ${game.house.map((group) => html`<fieldset class="rules-of"><legend>${group.title}</legend>${group.rules.map((rule) => this.rule(rule))}</fieldset>`)}
      ${count ? html`<p><button type="button" @click=${() => this.tell({ changed: {}, variants: [] })}>${t("Back to the usual rules")}</button></p>` : nothing}
    </details>`;
  }

  rule(rule) {
    const value = this.value(rule.name);
    const isOther = value !== rule.value;
    const note = html`<small>${rule.example ? html`${sentence(rule.example, this.game.pack)} ` : nothing}<i class=${isOther ? "other" : ""}>${this.usual(rule)}</i></small>`;
    if (isSwitch(rule)) {
      return html`<label class="switch"><input type="checkbox" name=${`rule-${rule.name}`} .checked=${value === 1}
        @change=${(event) => this.set(rule, event.target.checked ? 1 : 0)}><span>${rule.words} ${note}</span></label>`;
    }
    return html`<label class="number"><span>${rule.words} ${note}</span>${rule.choices.length ? this.choice(rule, value) : html`<input type="number" name=${`rule-${rule.name}`}
      min=${rule.low} max=${rule.high} .value=${String(value)} required @change=${(event) => this.set(rule, event.target.valueAsNumber)}>`}</label>`;
  }

  choice(rule, value) {
    return html`<select name=${`rule-${rule.name}`} @change=${(event) => this.set(rule, Number(event.target.value))}>
      ${rule.choices.map(([each, words]) => html`<option value=${each} ?selected=${each === value}>${words}</option>`)}</select>`;
  }

  usual(rule) {
    if (isSwitch(rule)) return rule.value ? t("Usual: yes.") : t("Usual: no.");
    const named = rule.choices.find(([value]) => value === rule.value);
    return t("Usual: {value}.", { value: named ? named[1] : rule.value });
  }
}

customElements.define("house-rules", HouseRules);
