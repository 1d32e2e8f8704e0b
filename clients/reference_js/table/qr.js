/** A QR code of a short text: byte mode, error correction M, versions 1 to 10 (213 bytes). */
import { svg } from "./dom.js";

/** For versions 1–10 at level M: error correction words a block, then blocks as [count, data words]. @type {[number, [number, number][]][]} */
const BLOCKS = [
  [10, [[1, 16]]],
  [16, [[1, 28]]],
  [26, [[1, 44]]],
  [18, [[2, 32]]],
  [24, [[2, 43]]],
  [16, [[4, 27]]],
  [18, [[4, 31]]],
  [22, [[2, 38], [2, 39]]],
  [22, [[3, 36], [2, 37]]],
  [26, [[4, 43], [1, 44]]],
];
const ALIGN = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i += 1) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
  x = x & 128 ? ((x << 1) ^ 0x11d) & 255 : x << 1;
}
/** @param {number} a @param {number} b */
const times = (a, b) => (a && b ? /** @type {number} */ (EXP[/** @type {number} */ (LOG[a]) + /** @type {number} */ (LOG[b])]) : 0);

/** Reed–Solomon: the check words of a block. @param {number[]} data @param {number} size */
function checks(data, size) {
  let generator = [1];
  for (let i = 0; i < size; i += 1) {
    const root = /** @type {number} */ (EXP[i]);
    const next = [...generator, 0];
    generator.forEach((value, at) => (next[at + 1] = /** @type {number} */ (next[at + 1]) ^ times(value, root)));
    generator = next;
  }
  const rest = [...data, ...new Array(size).fill(0)];
  for (let i = 0; i < data.length; i += 1) {
    const lead = rest[i];
    if (lead) generator.forEach((value, at) => (rest[i + at] ^= times(value, lead)));
  }
  return rest.slice(data.length);
}

/** The words of a code, data and checks interleaved. @param {Uint8Array} bytes @param {number} version */
function words(bytes, version) {
  const [size, groups] = /** @type {[number, [number, number][]]} */ (BLOCKS[version - 1]);
  const capacity = groups.reduce((sum, [times, length]) => sum + times * length, 0);
  /** @type {number[]} */
  const bits = [];
  const push = (/** @type {number} */ value, /** @type {number} */ length) => {
    for (let i = length - 1; i >= 0; i -= 1) bits.push((value >> i) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) data.push(pad);
  /** @type {number[][]} */
  const blocks = [];
  let at = 0;
  for (const [times, length] of groups) for (let i = 0; i < times; i += 1, at += length) blocks.push(data.slice(at, at + length));
  const ends = blocks.map((block) => checks(block, size));
  const out = [];
  for (let i = 0; i < Math.max(...blocks.map((block) => block.length)); i += 1) for (const block of blocks) if (i < block.length) out.push(block[i]);
  for (let i = 0; i < size; i += 1) for (const end of ends) out.push(end[i]);
  return /** @type {number[]} */ (out);
}

/** @typedef {(number | null)[][]} Grid rows of 0, 1, or null for a place not yet decided */

/** The fixed patterns. @param {number} version @returns {Grid} */
function frame(version) {
  const size = version * 4 + 17;
  /** @type {Grid} */
  const grid = Array.from({ length: size }, () => new Array(size).fill(null));
  const put = (/** @type {number} */ row, /** @type {number} */ column, /** @type {number} */ value) => {
    const line = grid[row];
    if (line && column >= 0 && column < size) line[column] = value;
  };
  for (const [top, left] of /** @type {[number, number][]} */ ([[0, 0], [0, size - 7], [size - 7, 0]])) {
    for (let r = -1; r < 8; r += 1) for (let c = -1; c < 8; c += 1) {
      const ring = Math.max(Math.abs(r - 3), Math.abs(c - 3));
      put(top + r, left + c, ring === 2 || ring === 4 ? 0 : 1);
    }
  }
  for (let i = 8; i < size - 8; i += 1) {
    put(6, i, (i + 1) % 2);
    put(i, 6, (i + 1) % 2);
  }
  const centres = ALIGN[version - 1] ?? [];
  for (const r of centres) for (const c of centres) {
    if ((r === 6 && c === 6) || (r === 6 && c === size - 7) || (r === size - 7 && c === 6)) continue;
    for (let dr = -2; dr < 3; dr += 1) for (let dc = -2; dc < 3; dc += 1) put(r + dr, c + dc, Math.max(Math.abs(dr), Math.abs(dc)) === 1 ? 0 : 1);
  }
  put(size - 8, 8, 1);
  for (let i = 0; i < 9; i += 1) for (const [r, c] of /** @type {[number, number][]} */ ([[8, i], [i, 8], [8, size - 1 - i], [size - 1 - i, 8]])) {
    if ((i < 8 || r === 8 && c === 8 || r < 9 && c < 9) && grid[r]?.[c] === null) put(r, c, 0);
  }
  if (version > 6) {
    let code = version;
    for (let i = 0; i < 12; i += 1) code = (code << 1) ^ ((code >> 11) * 0x1f25);
    code |= version << 12;
    for (let i = 0; i < 18; i += 1) {
      const bit = (code >> i) & 1;
      put(Math.floor(i / 3), size - 11 + (i % 3), bit);
      put(size - 11 + (i % 3), Math.floor(i / 3), bit);
    }
  }
  return grid;
}

/** @type {((r: number, c: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_r, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** How hard a grid is to read. @param {number[][]} grid */
function penalty(grid) {
  const size = grid.length;
  let sum = 0;
  let dark = 0;
  const columns = grid.map((_row, at) => grid.map((row) => /** @type {number} */ (row[at])));
  for (const line of [...grid, ...columns]) {
    const text = line.join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (let at = text.indexOf("1011101"); at >= 0; at = text.indexOf("1011101", at + 1)) {
      if (/^0*$/.test(text.slice(Math.max(0, at - 4), at)) || /^0*$/.test(text.slice(at + 7, at + 11))) sum += 40;
    }
  }
  for (let r = 0; r < size; r += 1) for (let c = 0; c < size; c += 1) {
    const value = grid[r]?.[c];
    if (value) dark += 1;
    if (r && c && value === grid[r - 1]?.[c] && value === grid[r]?.[c - 1] && value === grid[r - 1]?.[c - 1]) sum += 3;
  }
  return sum + Math.floor(Math.abs((dark * 20) / (size * size) - 10)) * 10;
}

/** @param {Grid} fixed @param {number[]} stream @param {number} mask */
function filled(fixed, stream, mask) {
  const size = fixed.length;
  const grid = fixed.map((row) => [...row]);
  const flip = /** @type {(r: number, c: number) => boolean} */ (MASKS[mask]);
  let bit = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const up = ((right + 1) & 2) === 0;
      const r = up ? size - 1 - step : step;
      for (const c of [right, right - 1]) {
        const row = /** @type {(number | null)[]} */ (grid[r]);
        if (row[c] !== null) continue;
        const word = stream[bit >> 3] ?? 0;
        row[c] = ((word >> (7 - (bit & 7))) & 1) ^ (flip(r, c) ? 1 : 0);
        bit += 1;
      }
    }
  }
  let code = mask; // level M is 00
  for (let i = 0; i < 10; i += 1) code = (code << 1) ^ ((code >> 9) * 0x537);
  code = ((mask << 10) | code) ^ 0x5412;
  for (let i = 0; i < 15; i += 1) {
    const value = (code >> i) & 1;
    const a = i < 6 ? [i, 8] : i < 8 ? [i + 1, 8] : i === 8 ? [8, 7] : [8, 14 - i];
    const b = i < 8 ? [8, size - 1 - i] : [size - 15 + i, 8];
    for (const [r, c] of [a, b]) /** @type {any} */ (grid)[/** @type {number} */ (r)][/** @type {number} */ (c)] = value;
  }
  return /** @type {number[][]} */ (grid);
}

/** The dark and light places of a code. @param {string} text @returns {number[][]} */
export function qr(text) {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex(([_size, groups], at) => groups.reduce((sum, [times, length]) => sum + times * length, 0) >= bytes.length + (at < 9 ? 2 : 3)) + 1;
  if (!version) throw new RangeError("too long for a code");
  const stream = words(bytes, version);
  const fixed = frame(version);
  const grids = MASKS.map((_mask, at) => filled(fixed, stream, at));
  return grids.reduce((best, grid) => (penalty(grid) < penalty(best) ? grid : best));
}

/** The code as a picture. @param {string} text @param {string} label */
export function qrPicture(text, label) {
  const grid = qr(text);
  const size = grid.length + 8;
  const d = grid.map((row, r) => row.map((value, c) => (value ? `M${c + 4} ${r + 4}h1v1h-1z` : "")).join("")).join("");
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": label }, svg("rect", { width: size, height: size }), svg("path", { d }));
}
