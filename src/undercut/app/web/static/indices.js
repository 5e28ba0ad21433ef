// Indices of German cards as a person wants them: VIII or 8, and the letters of a language.
//
// The sprite draws each index by reference to a letter, so another style refers to other letters:
// numerals of the French pack, or the letters below (lines of one width, 24 units high, around x = 0).

import { settings } from "./settings.js";

const NUMERALS = { VIII: "8", VII: "7", IX: "9", X: "10" };
const STYLES = { // ace, under, over
  german: { A: "A", U: "U", O: "O" },
  czech: { A: "E", U: "Sp", O: "Sv" },
  slovak: { A: "E", U: "D", O: "H" },
};
const S = "M1 5.400C.4 3-1.200 1.700-3.600 1.700C-6.400 1.700-8.200 3.500-8.200 6.400C-8.200 12.600 1.400 10.600 1.400 17.200C1.400 20.400-.6 22.300-3.600 22.300C-6.400 22.300-8.200 20.800-8.800 18";
const LETTERS = {
  E: "M5.200 1.700H-4.600V22.300H5.600M-4.600 11.600H3.800",
  H: "M-5.600 0V24M5.600 0V24M-5.600 11.800H5.600",
  D: "M-4.800 1.700V22.300H-1.200C3.600 22.300 6 18.800 6 12C6 5.200 3.600 1.700-1.200 1.700Z",
  Sp: `${S}M4.600 25V10.600M4.600 14C4.600 11.800 5.600 10.800 7.200 10.800C9.200 10.800 10.200 12.200 10.200 14.600C10.200 17 9.200 18.400 7.200 18.400C5.600 18.400 4.600 17.400 4.600 15.400`,
  Sv: `${S}M4 11L7 20.800H7.400L10.400 11`,
};

/** The rank of a card of a pack, as it is shown. */
export const rankShown = (pack, rank) => {
  if (pack.name !== "german") return rank;
  return STYLES[settings().letters]?.[rank] ?? rank;
};

const drawnLetter = ([name, path]) =>
  `<path id="german-letter-${name}" d="${path}" fill="none" stroke="currentColor" stroke-width="${name.length > 1 ? 3.3 : 3.5}" transform="scale(${name.length > 1 ? 0.86 : 1.1})"/>`;

/** The German sprite with other indices; its ids have the name of the pack before them. */
export const withIndices = (sprite) => {
  const { numerals, letters } = settings();
  const swaps = numerals === "arabic" ? Object.entries(NUMERALS).map(([roman, number]) => [roman, `french-letter-${number}`]) : [];
  for (const [letter, own] of Object.entries(STYLES[letters] ?? STYLES.german)) if (own !== letter) swaps.push([letter, `german-letter-${own}`]);
  const swapped = swaps.reduce((text, [from, to]) => text.replaceAll(`href="#german-letter-${from}"`, `href="#${to}"`), sprite);
  return swapped.replace("<defs>", `<defs>${Object.entries(LETTERS).map(drawnLetter).join("")}`);
};
