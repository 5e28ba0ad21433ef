// The progress of a table: the parts that are ready, of all parts, without a guess.

import { html, nothing } from "./lit.js";
import { t } from "./words.js";

const named = ({ part, name }) => ({
  rules: t("the rules of the game"),
  opponent: t("the opponent: {name}", { name }),
  table: t("the table"),
}[part]);

/** A bar with the current part. */
export const preparing = (message) => {
  if (!message) return nothing;
  const { ready, of } = message;
  return html`<div class="preparing" role="status">
    <progress max=${of} value=${ready} aria-label=${t("Getting ready")}></progress>
    <p>${t("Getting ready, {ready} of {of} parts done. Now: {what}.", { ready, of, what: named(message) })}</p>
    <p class="quiet">${t("On a first start the program is compiled. It is kept for the next time.")}</p></div>`;
};
