// Moves one after the other: tables that the server sent at once, each shown for a while.

import { settings } from "./settings.js";

const PAUSES = { slow: 1200, normal: 600, fast: 250, instant: 0 }; // milliseconds for each move

/** The table after a move: the one before it, with the parts that the move changed. */
const after = (before, { last, ...move }, told) => ({
  ...before, ...move, told: move.told ? [...told.slice(0, move.told - 1), last] : [], question: null, summary: null, verdict: "", can_undo: false,
});

/** The table at the end of a deal, before its result is told. */
const atEnd = ({ scores, deals }, message) => ({
  ...message, scores, deals, areas: message.areas.filter(({ kind }) => kind !== "need"),
  question: null, summary: null, verdict: "", can_undo: false,
});

/** The tables between two that the server has sent. */
export const tablesBetween = (before, moves, message) => [
  ...moves.map((move) => after(before, move, message.told)),
  ...(message.summary && !before.summary ? [atEnd(before, message)] : []),
];

export class Playback {
  /** `show(table)` draws a table, null the current one; `waits()` holds the next one back. */
  constructor(show, waits) {
    Object.assign(this, { show, waits, tables: [] });
  }

  get isRunning() {
    return this.tables.length > 0;
  }

  /** Show some tables after those that are still to be shown. */
  add(tables) {
    if (!PAUSES[settings().speed]) this.skip();
    else if (this.isRunning) this.tables.push(...tables);
    else {
      this.tables = [...tables];
      this.showFirst();
    }
  }

  showFirst() {
    this.show(this.tables[0] ?? null);
    if (this.isRunning) this.later = setTimeout(() => this.goOn(), PAUSES[settings().speed]);
  }

  goOn() {
    if (this.waits()) {
      this.later = setTimeout(() => this.goOn(), PAUSES.fast);
      return;
    }
    this.tables.shift();
    this.showFirst();
  }

  /** Show the current table at once. */
  skip() {
    clearTimeout(this.later);
    this.tables = [];
    this.show(null);
  }
}
