/** Orders of a hand, for the eye only: what may be played is the server's to say. */
import { parts } from "./cards.js";

const RANKS = "A23456789TJQK";
const SUITS = "CDSH"; // black and red in turn
const rank = (/** @type {string} */ code) => (code[0] === "X" ? 20 : RANKS.indexOf(code[0] ?? ""));
const suit = (/** @type {string} */ code) => (code[0] === "X" ? 9 : SUITS.indexOf(parts(code).suit));
const bySuit = (/** @type {string} */ a, /** @type {string} */ b) => suit(a) - suit(b) || rank(a) - rank(b) || a.localeCompare(b);
const byRank = (/** @type {string} */ a, /** @type {string} */ b) => rank(a) - rank(b) || suit(a) - suit(b) || a.localeCompare(b);

/** Cards that stand together, longest groups first. @param {string[]} cards @returns {string[]} */
function byMelds(cards) {
  /** @type {string[]} */
  const out = [];
  let rest = [...cards].sort(bySuit);
  for (let size = 7; size >= 2; size -= 1) {
    for (const group of groups(rest, size)) {
      if (!group.every((card) => rest.includes(card))) continue;
      out.push(...group);
      rest = rest.filter((card) => !group.includes(card));
    }
  }
  return [...out, ...rest.sort(byRank)];
}

/** @param {string[]} cards sorted by suit @param {number} size */
function groups(cards, size) {
  /** @type {string[][]} */
  const found = [];
  /** @type {string[]} */
  let run = [];
  for (const card of cards) {
    const last = run[run.length - 1];
    if (last && suit(last) === suit(card) && rank(card) === rank(last) + 1) run.push(card);
    else if (!last || suit(last) !== suit(card) || rank(card) !== rank(last)) run = [card];
    if (run.length === size) found.push([...run]);
    if (run.length === size) run = run.slice(1);
  }
  for (const name of RANKS) {
    const same = cards.filter((card) => card[0] === name && card.length === 2);
    if (same.length === size) found.push(same);
  }
  return found;
}

/**
 * @param {string[]} cards as they came @param {"suit" | "rank" | "melds" | "own"} how @param {string[]} own the player's own order
 * @returns {string[]}
 */
export function sorted(cards, how, own) {
  if (how === "suit") return [...cards].sort(bySuit);
  if (how === "rank") return [...cards].sort(byRank);
  if (how === "melds") return byMelds(cards);
  const kept = own.filter((card) => cards.includes(card));
  return [...kept, ...cards.filter((card) => !kept.includes(card))];
}
