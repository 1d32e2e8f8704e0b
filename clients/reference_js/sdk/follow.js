// @ts-check
/**
 * The follower: a VIEW and the next EVENT give the next VIEW, exactly as the server would send it (PLAYER objects, presence
 * and `server_seed` apart). It knows no rules: it only does what an event says. Views are never changed in place.
 *
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").GameEvent} GameEvent
 * @typedef {import("./types.js").SeatView} SeatView
 * @typedef {import("./types.js").MeldView} MeldView
 */

/** An event came that does not follow the view: a snapshot is needed. */
export class Gap extends Error {}

const SUITS = "CDHS";

/** @param {string[]} cards @param {Iterable<string>} gone */
function without(cards, gone) {
  const names = new Set(gone);
  return cards.filter((card) => !names.has(card));
}

/** @param {View} view @param {number} seat @param {(seat: SeatView) => Partial<SeatView>} change @returns {View} */
function withSeat(view, seat, change) {
  return { ...view, seats: view.seats.map((each) => (each.seat === seat ? { ...each, ...change(each) } : each)) };
}

/** Cards leave a hand for the table or the pile. @param {View} view @param {number} seat @param {string[]} cards */
function spend(view, seat, cards) {
  return withSeat(view, seat, (each) => ({
    hand_count: each.hand_count - cards.length,
    hand: each.hand && without(each.hand, cards),
    known: without(each.known, cards),
  }));
}

/** Cards come into a hand; open ones are remembered by all. @param {View} view @param {number} seat @param {number} count @param {string[] | null} cards @param {boolean} open */
function gain(view, seat, count, cards, open) {
  return withSeat(view, seat, (each) => ({
    hand_count: each.hand_count + count,
    hand: each.hand && [...each.hand, ...(cards ?? [])],
    known: open ? [...each.known, ...(cards ?? [])] : each.known,
  }));
}

/** The marks of the turn go once the cards they name are on the table. @param {View} view @param {number} seat @param {string[]} cards @returns {View} */
function settle(view, seat, cards) {
  const turn = view.turn;
  if (!turn) return view;
  const left = view.seats[seat]?.hand_count;
  return {
    ...view,
    turn: {
      ...turn,
      obligation: turn.obligation !== null && cards.includes(turn.obligation) ? null : turn.obligation,
      no_discard: turn.no_discard !== null && (cards.includes(turn.no_discard) || left === 1) ? null : turn.no_discard,
    },
  };
}

/** Where a card stands in a set: suits in order, jokers last by number. @param {string} card */
function setOrder(card) {
  return card[0] === "X" ? 100 + Number(card.slice(1)) : SUITS.indexOf(card[1] ?? "");
}

/** @param {MeldView} meld @param {{card: string, seat: number, as: string | null}} laid @param {string | null} end @returns {MeldView} */
function grown(meld, laid, end) {
  if (meld.kind === "run") return { ...meld, cards: end === "low" ? [laid, ...meld.cards] : [...meld.cards, laid] };
  return { ...meld, cards: [...meld.cards, laid].sort((a, b) => setOrder(a.card) - setOrder(b.card)) };
}

/**
 * With a clock: the seat that acted until `at` keeps what is left of its bank.
 * @param {View} view @param {string} at
 */
function charge(view, at) {
  const { turn, clock } = view;
  if (!clock || !turn || turn.seat === null || !turn.deadline) return view;
  const left = Math.max(0, (Date.parse(turn.deadline) - Date.parse(at)) / 1000);
  return withSeat(view, turn.seat, (each) => ({
    bank_seconds: each.bank_seconds === null ? null : Math.min(each.bank_seconds, left),
  }));
}

/** What an event says, without what every event has. @template {GameEvent} T @param {T} event @returns {Omit<T, "seq" | "type" | "at">} */
function data(event) {
  const { seq: _seq, type: _type, at: _at, ...rest } = event;
  return rest;
}

/** @typedef {{[T in GameEvent["type"]]: (view: View, event: Extract<GameEvent, {type: T}>) => View}} Changes */

/** @type {Changes} */
const EVENTS = {
  seat_taken: (view, event) => withSeat(view, event.seat, () => ({ player: event.player, status: "active" })),
  seat_left: (view, event) =>
    withSeat(view, event.seat, (each) => ({ status: event.status, player: event.status === "open" ? null : each.player })),
  seat_resumed: (view, event) => withSeat(view, event.seat, () => ({ status: "active" })),
  game_started: (view, event) => {
    const players = new Map(event.seats.map((each) => [each.seat, each.player]));
    return {
      ...view,
      status: "playing",
      seats: view.seats.map((each) => ({ ...each, player: players.get(each.seat) ?? each.player })),
      fairness: { ...view.fairness, nonce: event.nonce },
    };
  },
  round_started: (view, event) => ({
    ...view,
    round: event.round,
    dealer: event.dealer,
    turn: null,
    call: null,
    pile: event.pile,
    stock_count: event.stock_count,
    melds: [],
    seats: view.seats.map((each) => ({
      ...each,
      hand_count: event.hand_counts[each.seat] ?? 0,
      hand: event.hands[each.seat] ?? null,
      known: [],
      table_points: 0,
    })),
  }),
  turn_started: (view, event) => {
    const called = event.phase === "play" && view.turn?.seat === event.seat ? view.turn?.obligation ?? null : null;
    return {
      ...view,
      call: null,
      turn: { seat: event.seat, phase: event.phase, obligation: called, no_discard: null, deadline: event.deadline },
    };
  },
  drew: (view, event) => {
    const fromPile = event.from === "pile";
    const next = gain(view, event.seat, event.count, event.cards, fromPile);
    return {
      ...next,
      stock_count: fromPile ? view.stock_count : view.stock_count - event.count,
      pile: fromPile ? view.pile.slice(0, view.pile.length - event.count) : view.pile,
      turn: view.turn && { ...view.turn, phase: "play", obligation: event.obligation, no_discard: event.no_discard },
    };
  },
  took_back: (view, event) => ({
    ...spend(view, event.seat, event.cards),
    pile: [...view.pile, ...event.cards],
    turn: view.turn && { ...view.turn, phase: "draw", obligation: null, no_discard: null },
  }),
  melded: (view, event) => {
    const cards = event.meld.cards.map((each) => each.card);
    const next = withSeat(spend(view, event.seat, cards), event.seat, () => ({ table_points: event.table_points }));
    return settle({ ...next, melds: [...view.melds, event.meld] }, event.seat, cards);
  },
  laid_off: (view, event) => {
    const laid = { card: event.card, seat: event.seat, as: event.as };
    const next = withSeat(spend(view, event.seat, [event.card]), event.seat, () => ({ table_points: event.table_points }));
    const melds = view.melds.map((meld) => (meld.id === event.meld_id ? grown(meld, laid, event.end) : meld));
    return settle({ ...next, melds }, event.seat, [event.card]);
  },
  discarded: (view, event) => ({ ...spend(view, event.seat, [event.card]), pile: [...view.pile, event.card] }),
  floated: (view) => view,
  passed: (view) => view,
  call_opened: (view, event) => ({
    ...view,
    turn: { seat: null, phase: "call", obligation: null, no_discard: null, deadline: null },
    call: { callable: event.callable, waiting: event.waiting, deadline: event.deadline },
  }),
  answered: (view, event) => ({
    ...view,
    call: view.call && { ...view.call, waiting: view.call.waiting.filter((seat) => seat !== event.seat) },
  }),
  call_closed: (view, event) => {
    if (event.seat === null || event.cards === null) return { ...view, call: null };
    const next = gain(view, event.seat, event.cards.length, event.cards, true);
    return {
      ...next,
      call: null,
      pile: view.pile.slice(0, view.pile.length - event.cards.length),
      turn: { seat: event.seat, phase: "play", obligation: event.card, no_discard: null, deadline: null },
    };
  },
  deadline_moved: (view, event) => ({
    ...view,
    turn: view.turn && view.turn.seat !== null && view.turn.seat === event.seat ? { ...view.turn, deadline: event.deadline } : view.turn,
    call: view.call && { ...view.call, deadline: event.deadline },
  }),
  round_ended: (view, event) => ({
    ...view,
    call: null,
    last_round: data(event),
    seats: view.seats.map((each) => {
      const score = event.scores.find((one) => one.seat === each.seat);
      return score ? { ...each, total: score.total } : each;
    }),
  }),
  game_ended: (view, event) => ({
    ...view,
    status: "finished",
    turn: null,
    call: null,
    result: data(event),
  }),
};

const ENDS_TURN = new Set(["call_opened", "turn_started", "round_ended", "game_ended"]);

/**
 * The view after one event.
 * @param {View} view
 * @param {GameEvent} event the one with `seq` = `view.version + 1`; an older one changes nothing
 * @returns {View}
 * @throws {Gap} when events are missing between the two
 */
export function follow(view, event) {
  if (event.seq <= view.version) return view;
  if (event.seq !== view.version + 1) throw new Gap(`after version ${view.version} came event ${event.seq}`);
  const before = ENDS_TURN.has(event.type) ? charge(view, event.at) : view;
  const change = /** @type {((view: View, event: GameEvent) => View) | undefined} */ (EVENTS[event.type]); // none for a kind that is newer than this
  return { ...(change ? change(before, event) : before), version: event.seq };
}

/** The view after many events, in order. @param {View} view @param {GameEvent[]} events */
export function followAll(view, events) {
  return events.reduce(follow, view);
}
