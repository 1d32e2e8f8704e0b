/** The cards, drawn here: ranks as strokes, suits and figures as outlines, all in a box of 100 by 140. */
import { h, svg } from "./dom.js";

/** Rank glyphs: strokes in a box of 24 by 34. @type {Record<string, string>} */
const RANKS = {
  A: "M2 33L12 2L22 33M6 22.5H18",
  2: "M3 10.5a9 8.5 0 0 1 18 0c0 6.5-6 10-18 22h19",
  3: "M3 2.5H20L10.5 13.5a9.6 9.6 0 1 1-8.3 14.5",
  4: "M16.5 33V2L2 23.5h21",
  5: "M20 2.5H6L4.5 15.5C6.5 13.7 9 13 11.5 13a9.9 9.9 0 1 1-9.3 13.5",
  6: "M17 2C8 7 3 15 3 23.5a9.3 9.3 0 1 0 18.6 0a9.3 9.3 0 0 0-18.2-2.5",
  7: "M2 2.5h20C15 12 10.5 21 9 33",
  8: "M12 15.8a6.9 6.9 0 1 1 0-13.8a6.9 6.9 0 1 1 0 13.8a8.7 8.7 0 1 1 0 17.4a8.7 8.7 0 1 1 0-17.4",
  9: "M7 33c9-5 14-13 14-21.5a9.3 9.3 0 1 0-18.6 0a9.3 9.3 0 0 0 18.2 2.5",
  T: "M0 7.5L5.5 2v31M19 2a7 7 0 0 1 7 7v17a7 7 0 0 1-14 0v-17a7 7 0 0 1 7-7z",
  J: "M17.5 2v20.5a8 8 0 0 1-15.5 3",
  Q: "M12 2a9.5 9.5 0 0 1 9.5 9.5v12a9.5 9.5 0 0 1-19 0v-12a9.5 9.5 0 0 1 9.5-9.5zM14 24l9 10",
  K: "M4 2v31M21 2L4.5 20.5M10 14.5L22 33",
};

/** Suit pips, about 20 units high around the origin. @type {Record<string, string>} */
export const SUITS = {
  H: "M0 9.5C-5 4.5-10 0.5-10-4.3A5.25 5.25 0 0 1 0-6.4A5.25 5.25 0 0 1 10-4.3C10 0.5 5 4.5 0 9.5z",
  D: "M0-10.5C2.5-6 5-3 8.5 0C5 3 2.5 6 0 10.5C-2.5 6-5 3-8.5 0C-5-3-2.5-6 0-10.5z",
  S: "M0-10.5C5-5 10-1.5 10 3.2A4.8 4.8 0 0 1 1.5 5.8C1.7 8 2.5 9.3 4 10.5H-4C-2.5 9.3-1.7 8-1.5 5.8A4.8 4.8 0 0 1-10 3.2C-10-1.5-5-5 0-10.5z",
  C: "M0-10.5A4.7 4.7 0 0 1 3.9-3.2A4.8 4.8 0 1 1 1.5 5.4C1.7 7.8 2.5 9.3 4 10.5H-4C-2.5 9.3-1.7 7.8-1.5 5.4A4.8 4.8 0 1 1-3.9-3.2A4.7 4.7 0 0 1 0-10.5z",
};
export const SIGNS = /** @type {Record<string, string>} */ ({ C: "♣", D: "♦", H: "♥", S: "♠" });

const STAR = "M0-11L3-3.8L10.6-3.4L4.7 1.5L6.6 8.9L0 4.8L-6.6 8.9L-4.7 1.5L-10.6-3.4L-3-3.8z";

/** Heads of the court, around the origin, 44 units wide: a crown of peaks, a coronet of pearls, a cap with a feather. @type {Record<string, string>} */
const COURT = {
  K: "M-20 12V-8L-10 2L0-14L10 2L20-8V12zM-20 16H20V20H-20z",
  Q: "M-19 12C-22 4-22-4-20-9C-15-2-11-2-8-12C-4-3 4-3 8-12C11-2 15-2 20-9C22-4 22 4 19 12zM-19 16H19V20H-19zM-23-12.5A3 3 0 1 1-17-12.5A3 3 0 1 1-23-12.5M-11-15.5A3 3 0 1 1-5-15.5A3 3 0 1 1-11-15.5M5-15.5A3 3 0 1 1 11-15.5A3 3 0 1 1 5-15.5M17-12.5A3 3 0 1 1 23-12.5A3 3 0 1 1 17-12.5",
  J: "M-19 11C-20-2-11-8 1-8C12-8 19-2 19 11zM-21 15H21V20H-21zM8-9C10-16 16-20 24-20C24-13 18-9 8-9z",
};

const COLUMNS = { l: 47, m: 66, r: 85 };
/** Where the pips stand: column, row (0 top to 1 bottom). @type {Record<string, [keyof typeof COLUMNS, number][]>} */
const PIPS = {
  2: [["m", 0], ["m", 1]],
  3: [["m", 0], ["m", 0.5], ["m", 1]],
  4: [["l", 0], ["r", 0], ["l", 1], ["r", 1]],
  5: [["l", 0], ["r", 0], ["m", 0.5], ["l", 1], ["r", 1]],
  6: [["l", 0], ["r", 0], ["l", 0.5], ["r", 0.5], ["l", 1], ["r", 1]],
  7: [["l", 0], ["r", 0], ["m", 0.25], ["l", 0.5], ["r", 0.5], ["l", 1], ["r", 1]],
  8: [["l", 0], ["r", 0], ["m", 0.25], ["l", 0.5], ["r", 0.5], ["m", 0.75], ["l", 1], ["r", 1]],
  9: [["l", 0], ["r", 0], ["l", 0.333], ["r", 0.333], ["m", 0.5], ["l", 0.667], ["r", 0.667], ["l", 1], ["r", 1]],
  T: [["l", 0], ["r", 0], ["m", 0.167], ["l", 0.333], ["r", 0.333], ["l", 0.667], ["r", 0.667], ["m", 0.833], ["l", 1], ["r", 1]],
};

/** Moves and scales an outline of M L H V C A Z commands; negative scales turn it over. @param {string} d @param {number} x @param {number} y @param {number} k @returns {string} */
export function placed(d, x, y, k) {
  const size = Math.abs(k);
  return d.replace(/([MLHVCAZz])([^MLHVCAZz]*)/g, (_all, command, rest) => {
    const numbers = (rest.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    const out = numbers.map((/** @type {number} */ value, /** @type {number} */ index) => {
      if (command === "A") {
        const part = index % 7;
        if (part < 2) return value * size;
        if (part < 5) return value;
        return part === 5 ? x + value * k : y + value * k;
      }
      const isX = command === "H" || (command !== "V" && index % 2 === 0);
      return (isX ? x : y) + value * k;
    });
    return command + out.map((/** @type {number} */ value) => Math.round(value * 100) / 100).join(" ");
  });
}

/** @typedef {{rank: string, suit: string, joker: boolean, second: boolean}} CardParts */

/** Takes a card's name apart: `TH2` is the second ten of hearts. @param {string} code @returns {CardParts} */
export function parts(code) {
  if (code[0] === "X") return { rank: "X", suit: "X", joker: true, second: false };
  return { rank: code[0] ?? "", suit: code[1] ?? "", joker: false, second: code.length > 2 };
}

/** A card for the eye, in a line of text. @param {string} code */
export function short(code) {
  if (code.length === 1) return code === "T" ? "10" : code;
  const { rank, suit, joker } = parts(code);
  if (joker) return "★";
  return (rank === "T" ? "10" : rank) + (SIGNS[suit] ?? "");
}

/** @type {Map<string, Record<string, string>>} */
const drawn = new Map();

/** The outlines of a face, worked out once. @param {string} code */
function outlines(code) {
  const { rank, suit, joker } = parts(code);
  const key = joker ? "X" : rank + suit;
  const known = drawn.get(key);
  if (known) return known;
  /** @type {Record<string, string>} */
  const face = {};
  if (joker) {
    face.suit = placed(STAR, 18, 24, 1.25);
    face.art = placed(STAR, 64, 80, 2.3);
  } else {
    face.rank = RANKS[rank] ?? "";
    face.suit = placed(SUITS[suit] ?? "", 18, 60, 1);
    const pip = SUITS[suit] ?? "";
    if (rank === "A") face.art = placed(pip, 64, 82, 2.7);
    else if (COURT[rank]) {
      face.art = placed(COURT[rank] ?? "", 66, 52, 0.95) + placed(pip, 66, 100, 1.7);
      face.frame = "M36 132V58A30 30 0 0 1 96 58V132z";
    } else {
      const at = PIPS[rank] ?? [];
      face.art = at.map(([column, row]) => placed(pip, COLUMNS[column], 26 + row * 88, row > 0.5 ? -0.82 : 0.82)).join("");
    }
  }
  drawn.set(key, face);
  return face;
}

/** The drawing of a card's face. @param {string} code @returns {SVGElement} */
export function face(code) {
  const out = outlines(code);
  const { rank } = parts(code);
  const children = [];
  if (out.frame) children.push(svg("path", { d: out.frame, class: "frame" }));
  if (out.rank) children.push(svg("path", { d: out.rank, class: "rank", transform: rank === "T" ? "translate(5 9)" : "translate(6 9)" }));
  children.push(svg("path", { d: out.suit ?? "" }), svg("path", { d: out.art ?? "", class: "art" }));
  if (code[0] === "X" || code.length > 2) children.push(...mark(code));
  return svg("svg", { viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" }, ...children);
}

/** Second copies carry a dot under the index, jokers their number. @param {string} code */
function mark(code) {
  if (code[0] !== "X") return [svg("circle", { cx: 18, cy: 80, r: 4 })];
  return [svg("path", { d: RANKS[code[1] ?? ""] ?? "", class: "rank", transform: "translate(9 46) scale(.75)" })];
}

/** A picture of a card that is no control. @param {string} code @param {string} [label] */
export function picture(code, label) {
  const { suit } = parts(code);
  return h("span", { class: "card", role: label ? "img" : null, "aria-label": label ?? null, data: { card: code, suit } }, face(code));
}
