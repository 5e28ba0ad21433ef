// The person's own order of a hand: kept in this tab while cards come and go.

const key = (number) => `undercut.hand.${number}`;

const read = (number) => { try { return JSON.parse(sessionStorage.getItem(key(number))) ?? []; } catch { return []; } };

/** Whether the person has sorted the hand of a game. */
export const hasOrder = (number) => read(number).length > 0;

/** Cards in the person's order; later cards are on the right. */
export const inOrder = (number, cards) => {
  const kept = read(number).filter((card) => cards.includes(card));
  return [...kept, ...cards.filter((card) => !kept.includes(card))];
};

/** Move some cards before another one, or to the end (null); `cards` is the current order. */
export const moveBefore = (number, cards, moved, before) => {
  const rest = cards.filter((card) => !moved.includes(card));
  const place = rest.indexOf(before) < 0 ? rest.length : rest.indexOf(before);
  const order = [...rest.slice(0, place), ...moved, ...rest.slice(place)];
  try { sessionStorage.setItem(key(number), JSON.stringify(order)); } catch { /* then it is not kept */ }
  return order;
};
