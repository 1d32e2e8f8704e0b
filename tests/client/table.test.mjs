import assert from "node:assert/strict";
import test from "node:test";
import jsQR from "../../clients/reference_js/node_modules/jsqr/dist/jsQR.js";
import { placed, short } from "../../clients/reference_js/table/cards.js";
import { layOffs, meldsOf } from "../../clients/reference_js/table/offers.js";
import { checked, inHand, onTable } from "../../clients/reference_js/table/points.js";
import { qr } from "../../clients/reference_js/table/qr.js";
import { sorted } from "../../clients/reference_js/table/sorting.js";

/** A code as a scanner's camera sees it. */
function scanned(grid, scale = 4) {
  const size = (grid.length + 8) * scale;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  grid.forEach((row, r) => row.forEach((dark, c) => {
    if (!dark) return;
    for (let y = 0; y < scale; y += 1) for (let x = 0; x < scale; x += 1) pixels.fill(0, (((r + 4) * scale + y) * size + (c + 4) * scale + x) * 4, (((r + 4) * scale + y) * size + (c + 4) * scale + x) * 4 + 3);
  }));
  return (jsQR.default ?? jsQR)(pixels, size, size)?.data;
}

test("a QR code of any length it takes is read by another program as what went in", () => {
  for (const length of [1, 14, 15, 42, 62, 84, 106, 122, 152, 180, 213]) {
    const text = "https://cards.example/#/join/Ab3dE-ü".padEnd(length, "x7Yq").slice(0, length);
    if (new TextEncoder().encode(text).length <= 213) assert.equal(scanned(qr(text)), text, `${length}`);
  }
  assert.throws(() => qr("x".repeat(300)), RangeError);
});

const MOVES = [
  { type: "meld", cards: ["7H", "8H", "X1=9H"] },
  { type: "meld", cards: ["7H", "8H", "X1=6H"] },
  { type: "meld", cards: ["AS", "2S", "3S"] },
  { type: "lay_off", card: "X1=TH", meld: "m1" },
  { type: "lay_off", card: "X1=6H", meld: "m1" },
  { type: "lay_off", card: "AD", meld: "m2", end: "low" },
];

test("picked cards find the listed melds of their likes, with the very cards picked", () => {
  assert.deepEqual(meldsOf(MOVES, ["8H", "7H2", "X2"]).map((move) => move.cards), [["7H2", "8H", "X2=9H"], ["7H2", "8H", "X2=6H"]]);
  assert.deepEqual(meldsOf(MOVES, ["2S", "3S", "AS"]).map((move) => move.cards), [["AS", "2S", "3S"]]);
  assert.deepEqual(meldsOf(MOVES, ["2S", "3S", "4S"]), []);
});

test("a joker finds its lay-offs by its own name", () => {
  assert.equal(layOffs(MOVES, "X1", "m1").length, 2);
  assert.equal(layOffs(MOVES, "AD").length, 1);
  assert.equal(layOffs(MOVES, "X2").length, 0);
});

test("hands are sorted by suit, rank, melds, or as the player laid them", () => {
  const hand = "9H 2C 7H KS 8H 2D X1 2S".split(" ");
  assert.equal(sorted(hand, "suit", []).join(" "), "2C 2D 2S KS 7H 8H 9H X1");
  assert.equal(sorted(hand, "rank", []).join(" "), "2C 2D 2S 7H 8H 9H KS X1");
  assert.equal(sorted(hand, "melds", []).slice(0, 3).every((card) => card.endsWith("H") || card[0] === "2"), true);
  assert.equal(sorted(hand, "own", ["KS", "9H", "5C"]).slice(0, 2).join(" "), "KS 9H");
  for (const how of ["suit", "rank", "melds", "own"]) assert.deepEqual([...sorted(hand, how, [])].sort(), [...hand].sort());
});

test("points are shown card by card only where they add up to the server's", () => {
  const options = { card_points: "face", low_ace_points: 1, joker_points: "represented" };
  assert.deepEqual(["AS", "9C", "TD", "X1"].map((card) => inHand(card, options)), [15, 9, 10, 15]);
  const run = { id: "m1", kind: "run", cards: [{ card: "AS", seat: 0, as: null }, { card: "X1", seat: 0, as: "2S" }, { card: "3S", seat: 0, as: null }] };
  assert.deepEqual([0, 1, 2].map((at) => onTable(run, at, options)), [1, 2, 3]);
  assert.equal(checked(7, [{ card: "3S", points: 3 }]), null);
});

test("outlines are moved, scaled and turned", () => {
  assert.equal(placed("M0 0C1 2 3 4 5 6A2 2 0 0 1 1 1H4V5z", 10, 20, 2), "M10 20C12 24 16 28 20 32A4 4 0 0 1 12 22H18V30z");
  assert.equal(placed("M1 2", 0, 0, -1), "M-1 -2");
  assert.equal(short("TH2"), "10♥");
});
