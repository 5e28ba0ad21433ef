// Words of the interface: English in the source, other languages from the catalogs of the package.

const KEPT = "undercut.language"; // the browser's storage of the chosen language

/** The languages with their own names, and the order of their plural forms in a catalog. */
export const LANGUAGES = [
  { code: "en", name: "English", forms: ["one", "other"] },
  { code: "cs", name: "Čeština", forms: ["one", "few", "other"] },
  { code: "sk", name: "Slovenčina", forms: ["one", "few", "other"] },
];

const find = (code) => LANGUAGES.find((each) => each.code === code);
const kept = () => { try { return localStorage.getItem(KEPT); } catch { return null; } }; // some browsers refuse

const chosen = find(kept()) ?? navigator.languages.map((each) => find(each.slice(0, 2).toLowerCase())).find(Boolean) ?? LANGUAGES[0];

/** The words of a language; without them the page stays English. */
const load = async (code) => {
  try {
    const answer = await fetch(`words/${code}.json`);
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
};

const catalog = chosen === LANGUAGES[0] ? {} : await load(chosen.code);
const rule = new Intl.PluralRules(chosen.code);
document.documentElement.lang = chosen.code;

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** The language of this page. */
export const language = chosen.code;

/** A sentence or a word, given in English; {name} stands for a value. */
export const t = (text, values = {}) => fill(catalog[text] ?? text, values);

/** The same for a number of things, with {count} in the text. */
export const n = (one, many, count, values = {}) => {
  const forms = catalog[one] ?? [one, many];
  const place = Array.isArray(catalog[one]) ? chosen.forms.indexOf(rule.select(count)) : Number(count !== 1);
  return fill(forms.at(place), { count, ...values });
};

/** Change the language: the page loads again. */
export const speak = (code) => {
  localStorage.setItem(KEPT, code);
  location.reload();
};
