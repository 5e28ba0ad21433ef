// How well a person plays, from the reviews: error rate, luck and themes, with plots over time.

import { shortTitle } from "./cards.js";
import { html, nothing, svg } from "./element.js";
import { language, n, t } from "./words.js";

const WIDTH = 400, HEIGHT = 130, EDGE = 16;
const MOST_THEMES = 6;
const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const coarse = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat(language, { maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** A value with half of its interval. */
const told = ([value, interval], format) => (interval ? `${format.format(value)} ± ${(format === signed ? coarse : format).format((interval[1] - interval[0]) / 2)}` : format.format(value));

/** Estimates over time, with their intervals. */
const plot = (estimates, words) => {
  if (estimates.length < 2) return nothing;
  const ends = estimates.map(([value, interval]) => interval ?? [value, value]);
  const low = Math.min(0, ...ends.map(([end]) => end)), high = Math.max(0, ...ends.map(([, end]) => end));
  const x = (place) => EDGE + ((WIDTH - 2 * EDGE) * place) / (estimates.length - 1);
  const y = (value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / Math.max(1e-9, high - low);
  return html`<figure><figcaption>${words}</figcaption><svg class="over-time" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${`${words}: ${estimates.map(([value]) => plain.format(value)).join(", ")}`}>
    <path class="zero" d="M0 ${y(0)}H${WIDTH}"></path>
    <text x="2" y="12">${plain.format(high)}</text><text x="2" y=${HEIGHT - 3}>${plain.format(low)}</text>
    ${ends.map(([first, last], place) => svg`<path class="interval" d="M${x(place)} ${y(first)}V${y(last)}"></path>`)}
    <polyline points=${estimates.map(([value], place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`).join(" ")}></polyline></svg></figure>`;
};

const gameProfile = (found) => html`<h3 title=${found.game}>${shortTitle(found.title)}</h3>
  <p>${n("{count} reviewed deal: {rate} points lost a decision, luck {luck} points a deal.", "{count} reviewed deals: {rate} points lost a decision, luck {luck} points a deal.", found.deals, { rate: told(found.error_rate, plain), luck: told(found.luck, signed) })}</p>
  <div class="plots">${plot(found.over_time.map(({ error_rate: rate }) => rate), t("Points lost a decision, over time"))}
    ${plot(found.over_time.map(({ luck }) => luck), t("Luck in points a deal, over time"))}</div>
  ${found.themes.length ? html`<table class="shares"><thead><tr><th>${t("Theme")}</th><th>${t("Errors")}</th><th>${t("Points lost")}</th></tr></thead>
    <tbody>${found.themes.slice(0, MOST_THEMES).map(({ words, count, points }) => html`<tr><th scope="row">${words}</th><td>${count}</td><td>${coarse.format(points)}</td></tr>`)}</tbody></table>` : nothing}
  ${found.against.length > 1 ? html`<table class="shares"><thead><tr><th>${t("Opponent")}</th><th>${t("Deals")}</th><th>${t("Points lost a decision")}</th><th>${t("Luck")}</th></tr></thead>
    <tbody>${found.against.map((met) => html`<tr><th scope="row">${met.opponents.join(", ")}</th><td>${met.deals}</td><td>${told(met.error_rate, plain)}</td><td>${told(met.luck, signed)}</td></tr>`)}</tbody></table>` : nothing}`;

/** The section of the statistics about the quality of play. */
export const profileSection = (profiles) => (profiles.length ? html`<section class="sheet profile"><h2>${t("How well you play")}</h2>
  ${profiles.map(gameProfile)}
  <p class="quiet">${t("From the reviews of your games without help. ± is half of the 95 % interval.")}</p></section>` : nothing);
