// Settings of this browser: the person, the language, the speed of the moves, and how page and cards look.

import { PageElement, html, properties } from "./element.js";
import { ANIMALS, ANIMAL_NAMES, faceOf } from "./faces.js";
import { LANGUAGES, language, speak, t } from "./words.js";

const KEPT = "undercut.settings";
const USUAL = { name: "", face: "", speed: "normal", sound: "off", tutor: "off", size: "normal", theme: "system", cards: "light", colours: "four", numerals: "roman", letters: "german" };
const OFFERED = [
  ["speed", t("Speed of the moves"), [["slow", t("slow")], ["normal", t("normal")], ["fast", t("fast")], ["instant", t("instant")]]],
  ["sound", t("Sound"), [["off", t("off")], ["on", t("on")]]],
  ["tutor", t("A tutor asks you again"), [["off", t("never")], ["blunders", t("at blunders")], ["mistakes", t("at mistakes too")], ["everything", t("at every error")]]],
  ["size", t("Size of the cards"), [["small", t("small")], ["normal", t("medium")], ["large", t("large")]]],
  ["theme", t("Page"), [["system", t("as the system")], ["light", t("light")], ["dark", t("dark")]]],
  ["cards", t("Cards"), [["light", t("light")], ["dark", t("dark")], ["page", t("as the page")]]],
  ["colours", t("Suits"), [["four", t("four colours")], ["two", t("two colours")]]],
  ["numerals", t("Numbers on German cards"), [["roman", "VIII"], ["arabic", "8"]]],
  ["letters", t("Letters on German cards"), [["german", "U O A"], ["czech", "Sp Sv E"], ["slovak", "D H E"]]],
];
const DRAWN = ["numerals", "letters"]; // the page draws these once: it loads again
const LONGEST_NAME = 20;

/** The settings as this browser keeps them. */
export const settings = () => { try { return { ...USUAL, ...JSON.parse(localStorage.getItem(KEPT)) }; } catch { return USUAL; } };

class PageSettings extends PageElement {
  static properties = properties("values");

  constructor() {
    super();
    this.values = settings();
  }

  set(name, value) {
    this.values = { ...this.values, [name]: value };
    try { localStorage.setItem(KEPT, JSON.stringify(this.values)); } catch { /* then they last as long as the page */ }
    dispatchEvent(new Event("undercut-settings"));
    if (DRAWN.includes(name)) location.reload();
  }

  render() {
    return html`<button class="gear" aria-label=${t("Settings")} title=${t("Settings")} @click=${() => this.querySelector("dialog").showModal()}><svg
        viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path fill="currentcolor" d="M10 2h4l.6 2.7 1.700.7 2.300-1.500 2.800 2.800-1.500 2.300.7 1.700 2.700.6v4l-2.700.6-.7 1.700 1.500 2.300-2.800 2.800-2.300-1.500-1.700.7L14 22h-4l-.6-2.700-1.700-.7-2.300 1.500-2.800-2.800 1.500-2.300-.7-1.700L.7 14v-4l2.700-.6.7-1.700-1.500-2.300 2.800-2.800 2.300 1.500 1.700-.7zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z" transform="translate(.65 0) scale(.97)"/></svg></button>
      <dialog class="sheet" aria-label=${t("Settings")}>
        <form method="dialog"><h2 tabindex="-1" autofocus>${t("Settings")}</h2>
          <p class="own-name"><label class="number"><span>${t("Your name")} <small>${t("The other people at the table see it.")}</small></span>
            <input type="text" name="settings-name" maxlength=${LONGEST_NAME} autocomplete="nickname" spellcheck="false" .value=${this.values.name} @change=${(event) => this.set("name", event.target.value.trim())}></label></p>
          <fieldset class="counts choose-face"><legend>${t("Your face")}</legend>
            ${ANIMALS.map((face) => html`<label class="pill"><input type="radio" name="settings-face" value=${face} aria-label=${ANIMAL_NAMES[face]}
              .checked=${this.values.face === face} @change=${() => this.set("face", face)}><span title=${ANIMAL_NAMES[face]}>${faceOf(face)}</span></label>`)}</fieldset>
          ${OFFERED.map(([name, words, values]) => html`<fieldset class="counts"><legend>${words}</legend>
            ${values.map(([value, word]) => html`<label class="pill"><input type="radio" name=${`settings-${name}`} value=${value}
              .checked=${this.values[name] === value} @change=${() => this.set(name, value)}><span>${word}</span></label>`)}</fieldset>`)}
          <fieldset class="counts"><legend>${t("Language")}</legend>
            ${LANGUAGES.map((each) => html`<label class="pill"><input type="radio" name="settings-language" value=${each.code}
              .checked=${each.code === language} @change=${() => speak(each.code)}><span lang=${each.code}>${each.name}</span></label>`)}</fieldset>
          <button class="main">${t("Done")}</button></form></dialog>`;
  }
}

customElements.define("page-settings", PageSettings);
