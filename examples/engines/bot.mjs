// An engine for Undercut in JavaScript: docs/protocol.md. Run it with
//   undercut match gin "engine:node examples/engines/bot.mjs" simple -n 20
//   undercut engine --check "node examples/engines/bot.mjs"
// It plays Gin: it takes the upcard where that makes a meld, throws the dearest card that is in no
// meld, knocks as soon as it may, and lays down and lays off all it can.
import { createInterface } from "node:readline";

const RANKS = "A23456789TJQK";
const rank = (card) => RANKS.indexOf(card[0]);
const points = (card) => Math.min(10, rank(card) + 1);
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

let seat = 0; // where we sit
let hand = []; // our cards
let upcard = ""; // the card on top of the discards

const cards = (text) => (text ? text.split(" ") : []);
const remove = (card) => (hand = hand.filter((each) => each !== card));

// The cards of a hand that are in some meld: three or more of a rank, or a run of three in a suit.
function melded(held) {
  const found = new Set();
  for (const card of held) {
    const set = held.filter((each) => each[0] === card[0]);
    if (set.length >= 3) set.forEach((each) => found.add(each));
    const run = [0, 1, 2].map((step) => RANKS[rank(card) + step] + card[1]);
    if (run.every((each) => held.includes(each))) run.forEach((each) => found.add(each));
  }
  return found;
}

const tell = {
  game: (message) => {
    seat = message.seat;
    say({ type: "ready" });
  },
  deal: (message) => {
    hand = cards(message.hand);
    upcard = message.upcard ?? "";
  },
  // Every action of both seats comes by here, ours too, also those that nobody had to choose.
  action: (message) => {
    const [verb, card] = message.action.split(" ");
    if (message.seat === seat && verb === "take") hand.push(upcard);
    if (message.seat === seat && message.cards) hand.push(...cards(message.cards));
    if (verb === "discard" || verb === "knock") {
      if (message.seat === seat) remove(card);
      upcard = card ?? "";
    }
  },
  go: (message) => say({ type: "play", id: message.id, action: choose(message.legal) }),
  quit: () => process.exit(0),
};

function choose(legal) {
  const can = (verb) => legal.filter((each) => each.split(" ")[0] === verb);
  if (can("take").length) {
    const other = can("pass")[0] ?? "draw";
    return melded([...hand, upcard]).has(upcard) ? "take" : other;
  }
  const throws = can("knock").length ? can("knock") : can("discard");
  if (throws.length) {
    const kept = melded(hand);
    const cost = (each) => {
      const card = each.split(" ")[1];
      return kept.has(card) ? -1 : points(card);
    };
    return throws.reduce((best, each) => (cost(each) > cost(best) ? each : best));
  }
  return can("meld")[0] ?? can("lay")[0] ?? legal[0];
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "hello") {
      say({ type: "hello", protocol: message.protocol, name: "example.js", games: ["gin"] });
    } else if (tell[message.type]) {
      tell[message.type](message); // any other is of a later version
    }
  })
  .on("close", () => process.exit(0));
