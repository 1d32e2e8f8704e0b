/** The players around the table: cards left, what is known of them, scores, clock, presence. */
import { SIGNS, parts } from "./cards.js";
import { h, set, write } from "./dom.js";
import { nameOf } from "./say.js";
import { cardNames, count, t } from "./words.js";

/**
 * @typedef {import("../sdk/types.js").View} View
 * @typedef {import("../sdk/types.js").SeatView} SeatView
 */

/** A card as two signs in a line. @param {string} code */
export function chip(code) {
  const { rank, suit, joker } = parts(code);
  const sign = joker ? "★" : (rank === "T" ? "10" : rank) + (SIGNS[suit] ?? "");
  return h("span", { class: "chip", data: { suit } }, sign);
}

/** The seats in the order they sit, the viewer's own left out. @param {View} view */
export function others(view) {
  const own = view.your_seats[0];
  const from = own === undefined ? 0 : own + 1;
  const around = view.seats.map((_seat, index) => /** @type {SeatView} */ (view.seats[(from + index) % view.seats.length]));
  return around.filter((seat) => seat.seat !== own);
}

/** The marks a seat carries, as words. @param {View} view @param {SeatView} seat @param {boolean | undefined} online */
function marks(view, seat, online) {
  const out = [];
  if (seat.seat === view.dealer) out.push(t("seat.dealer"));
  if (seat.status === "cpu_standing_in") out.push(t("seat.stood_in"));
  else if (seat.status === "left") out.push(t("seat.left"));
  else if (seat.status === "away" || online === false) out.push(t("seat.away"));
  return out;
}

/** What a screen reader says of a seat. @param {View} view @param {SeatView} seat @param {boolean | undefined} online */
export function seatWords(view, seat, online) {
  const words = [
    nameOf(view, seat.seat),
    t("seat.cards", { n: seat.hand_count }),
    t("seat.total", { n: seat.total }),
    t("seat.round_points", { n: seat.table_points }),
    ...marks(view, seat, online),
  ];
  if (seat.known.length) words.push(t("seat.known", { cards: cardNames(seat.known) }));
  if (view.turn?.seat === seat.seat) words.push(t("seat.to_move"));
  return words.join(", ");
}

/** @param {SeatView} seat */
function initial(seat) {
  const player = seat.player;
  if (!player) return "";
  if (player.kind === "cpu") return "◆";
  return [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(player.name)][0]?.segment ?? "";
}

export class Seats extends HTMLElement {
  constructor() {
    super();
    /** @type {Map<number, any>} */
    this.made = new Map();
    /** @type {(seat: number) => void} */
    this.open = () => {};
  }

  /** @param {View} view @param {Map<number, boolean>} presence */
  update(view, presence) {
    const seats = others(view);
    if (this.made.size !== seats.length || seats.some((seat, index) => this.children[index] !== this.made.get(seat.seat)?.root)) {
      this.made = new Map(seats.map((seat) => [seat.seat, this.#make(seat.seat)]));
      this.replaceChildren(...[...this.made.values()].map((made) => made.root));
      set(this, "data", { seats: seats.length });
    }
    for (const seat of seats) this.#fill(this.made.get(seat.seat), view, seat, presence.get(seat.seat));
  }

  /** @param {number} seat */
  #make(seat) {
    const made = {
      words: h("span", { class: "unseen" }),
      disc: h("span", { class: "disc", "aria-hidden": "true" }),
      name: h("span", { class: "name", "aria-hidden": "true" }),
      cards: h("span", { class: "cards" }),
      total: h("span", { class: "total" }),
      round: h("span", { class: "round" }),
      known: h("span", { class: "known", "aria-hidden": "true" }),
      mark: h("span", { class: "mark", "aria-hidden": "true" }),
      clock: h("span", { class: "clock", "aria-hidden": "true" }),
    };
    const root = h(
      "button",
      { type: "button", class: "seat", onclick: () => this.open(seat), data: { seat, by: seat, action: "seat" } },
      made.words,
      made.disc,
      made.name,
      h("span", { class: "figures", "aria-hidden": "true" }, made.cards, made.total, made.round),
      made.known,
      made.mark,
      made.clock,
    );
    return { ...made, root };
  }

  /** @param {any} made @param {View} view @param {SeatView} seat @param {boolean | undefined} online */
  #fill(made, view, seat, online) {
    const turn = view.turn?.seat === seat.seat || Boolean(view.call?.waiting.includes(seat.seat));
    set(made.root, "data", {
      count: seat.hand_count,
      total: seat.total,
      points: seat.table_points,
      status: seat.status,
      turn: turn ? "yes" : null,
      online: online === false ? "no" : null,
    });
    write(made.words, seatWords(view, seat, online));
    write(made.disc, initial(seat));
    write(made.name, nameOf(view, seat.seat));
    write(made.cards, count(seat.hand_count));
    write(made.total, count(seat.total));
    write(made.round, seat.table_points ? `+${count(seat.table_points)}` : "");
    write(made.mark, marks(view, seat, online).join(" · "));
    if (made.shown !== seat.known.join()) {
      made.shown = seat.known.join();
      made.known.replaceChildren(...seat.known.slice(-7).map(chip));
    }
  }

  /** The clocks alone, once a second. @param {View} view @param {number} now */
  tick(view, now) {
    for (const [number, made] of this.made) {
      const seat = /** @type {SeatView} */ (view.seats[number]);
      write(made.clock, clockText(view, seat, now));
    }
  }
}
customElements.define("r5-seats", Seats);

/** What the clock of a seat says: the turn's time, then the bank's. @param {View} view @param {SeatView} seat @param {number} now */
export function clockText(view, seat, now) {
  if (!view.clock || view.status !== "playing") return "";
  if (view.turn?.seat !== seat.seat || !view.turn.deadline) return seat.bank_seconds ? `+${span(seat.bank_seconds)}` : "";
  const left = Math.max(0, (Date.parse(view.turn.deadline) - now) / 1000);
  const bank = seat.bank_seconds ?? 0;
  return left > bank ? (bank ? `${span(left - bank)} +${span(bank)}` : span(left)) : span(left);
}

/** Seconds as a clock shows them. @param {number} seconds */
export function span(seconds) {
  const whole = Math.ceil(seconds);
  if (whole >= 86400) return `${Math.floor(whole / 86400)}d ${Math.floor((whole % 86400) / 3600)}h`;
  if (whole >= 3600) return `${Math.floor(whole / 3600)}:${String(Math.floor((whole % 3600) / 60)).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
