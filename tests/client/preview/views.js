/** Made-up views of tables in every state that matters to the eye. */

const OPTIONS = {
  seats: [2, 8], packs: "auto", jokers: 2, deal: [13, 7], pile_depth: "any", top_discard: "free", stock_exhausted: "play_on", card_points: "face",
  low_ace_points: 1, joker_points: "fifteen", going_out: "any", final_discard: "any", call_rummy: true, partners: false, on_leave: "auto", target: 500, max_rounds: 100,
};
const NAMES = ["You", "Wan Azizah", "สมชาย", "Mwangi wa Kamau", "Ĝoja", "Dewi", "<b>Bob</b>", "Æthelred the Unready"];

const player = (seat) => (seat === 2 ? { id: "cpu2", name: "CPU", kind: "cpu", level: "expert", ranking_points: 0, rating: null } : { id: `p${seat}`, name: NAMES[seat], kind: "guest", ranking_points: 0, rating: null });

const seat = (number, count, more = {}) => ({ seat: number, player: player(number), status: "active", hand_count: count, hand: null, known: [], total: [215, 340, 180, 95, -20, 410, 55, 120][number], table_points: [30, 0, 45, 15, 0, 60, 5, 0][number], bank_seconds: null, ...more });

const laid = (cards, by) => cards.split(" ").map((text, index) => ({ card: text.split("=")[0], seat: Array.isArray(by) ? by[index] : by, as: text.split("=")[1] ?? null }));

export function base(seats, more = {}) {
  return {
    id: "abcdefghijklmnopqrstuv", version: 40, status: "playing", ruleset: { preset: "party", options: OPTIONS }, your_seats: [0], round: 3, dealer: 1,
    turn: { seat: 0, phase: "draw", obligation: null, no_discard: null, deadline: null }, stock_count: 25, pile: "5C 7H KD 9S TC".split(" "), melds: [],
    seats: Array.from({ length: seats }, (_each, number) => seat(number, 9 - number)), call: null, last_round: null, result: null, visibility: "private", spectators: true,
    invite: "Xy7Qk2", watch: "w", clock: null, call_seconds: 5, ranked: true, created_at: "2026-01-01T00:00:00Z",
    fairness: { algorithm: "hmac-sha256-fisher-yates-1", commitment: "ab".repeat(32), nonce: "a|b", server_seed: null }, ...more,
  };
}

const MELDS = [
  { id: "m1", kind: "run", cards: laid("4S X1=5S 6S", [0, 1, 0]) },
  { id: "m2", kind: "set", cards: laid("QC QD QH", 1) },
  { id: "m3", kind: "run", cards: laid("2H 3H 4H 5H", [2, 2, 2, 0]) },
];

function duel() {
  const view = base(2, { pile: "5C 7H KD 9S TC 3D JS 8D".split(" "), melds: MELDS.slice(0, 2) });
  view.seats[0] = seat(0, 11, { hand: "7D 8H 9H TH 2C AS QS KC 6D X2 JC".split(" ") });
  view.seats[0].hand_count = 11;
  view.seats[1] = seat(1, 8, { known: ["KD", "7C", "AD"] });
  return view;
}

const drawLegal = (view) => ({
  version: view.version,
  items: [{ type: "draw", from: "stock" }, { type: "draw", from: "pile", card: "8D" }, { type: "draw", from: "pile", card: "7H" }],
  pile: view.pile.map((card) => ({
    card, legal: card === "8D" || card === "7H" || card === "JS", takes: view.pile.length - view.pile.indexOf(card),
    pays: card === "7H" ? [{ type: "meld", cards: ["7H", "8H", "9H", "TH"] }, { type: "meld", cards: ["7H", "7D", "X2=7"] }] : [], points: card === "7H" ? 34 : 0,
  })),
});

function play() {
  const view = duel();
  view.turn = { seat: 0, phase: "play", obligation: "9H", no_discard: null, deadline: null };
  return view;
}

const playLegal = (view) => ({
  version: view.version,
  items: [{ type: "lay_off", card: "QS", meld: "m2" }, { type: "lay_off", card: "X2=3S", meld: "m1", end: "low" }, { type: "lay_off", card: "X2=7S", meld: "m1", end: "high" }, { type: "meld", cards: ["8H", "9H", "TH"] }, ...view.seats[0].hand.map((card) => ({ type: "discard", card })), { type: "take_back" }],
  pile: [],
});

/** Every card of two packs and four jokers, and a third pack where that is not enough. */
function pack() {
  const cards = [];
  for (const copy of ["", "2", "3"]) for (const suit of "CDHS") for (const rank of "A23456789TJQK") cards.push(rank + suit + copy);
  return cards;
}

/** Eight seats, 30 cards in hand, 40 in the pile, 60 on the table. */
function crowd() {
  const cards = pack();
  const view = base(8);
  const take = (count) => cards.splice(0, count);
  view.melds = Array.from({ length: 15 }, (_each, index) => ({ id: `m${index + 1}`, kind: "run", cards: laid(take(4).join(" "), [index % 8, index % 8, (index + 1) % 8, (index + 3) % 8]) }));
  view.pile = take(40);
  view.seats[0] = seat(0, 30, { hand: take(30) });
  view.turn = { seat: 0, phase: "play", obligation: null, no_discard: null, deadline: null };
  view.seats[2] = seat(2, 7, { status: "cpu_standing_in", known: ["KD", "7C"] });
  view.seats[3] = seat(3, 7, { status: "away" });
  return view;
}

const crowdLegal = (view) => ({ version: view.version, items: view.seats[0].hand.map((card) => ({ type: "discard", card })), pile: [] });

function call() {
  const view = base(4, { melds: MELDS, turn: { seat: null, phase: "call", obligation: null, no_discard: null, deadline: null }, call: { callable: ["7S", "6H"], waiting: [0, 2], deadline: new Date(Date.now() + 4_600).toISOString() } });
  view.pile = "5C 7S KD 6H".split(" ");
  view.seats[0] = seat(0, 5, { hand: "7D 8H 9H TH 2C".split(" ") });
  return view;
}

const callLegal = (view) => ({ version: view.version, items: [{ type: "call_rummy", card: "7S" }, { type: "call_rummy", card: "6H" }, { type: "pass" }], pile: [] });

function waiting() {
  const view = base(4, { status: "waiting", round: 0, dealer: null, turn: null, pile: [], stock_count: 0 });
  view.seats = view.seats.map((each) => ({ ...each, hand_count: 0, total: 0, table_points: 0, ...(each.seat > 1 ? { player: null, status: "open" } : {}) }));
  return view;
}

function roundEnd() {
  const view = play();
  view.melds = [{ id: "m1", kind: "run", cards: laid("4S X1=5S 6S", [0, 1, 0]) }, { id: "m2", kind: "set", cards: laid("QC QD QH", 1) }, { id: "m3", kind: "run", cards: laid("8H 9H TH JH QH", 0) }];
  view.seats[0] = seat(0, 0, { hand: [] });
  view.last_round = {
    round: 3, reason: "out", seat: 0,
    scores: [{ seat: 0, table: 57, deadwood: 0, score: 57, total: 272 }, { seat: 1, table: 45, deadwood: 27, score: 18, total: 358 }],
    hands: [[], ["KD", "7C", "JC"]],
  };
  return view;
}

function gameEnd() {
  return { ...roundEnd(), status: "finished", turn: null, result: { reason: "target", winners: [0], totals: [512, 455] } };
}

const clocked = (view) => ({ ...view, clock: { turn_seconds: 60, bank_seconds: 60 }, turn: { ...view.turn, deadline: new Date(Date.now() + 95_000).toISOString() }, seats: view.seats.map((each) => ({ ...each, bank_seconds: 42 })) });

export const STATES = {
  draw: () => { const view = duel(); return { view, legal: drawLegal(view) }; },
  play: () => { const view = play(); return { view, legal: playLegal(view) }; },
  clock: () => { const view = clocked(play()); return { view, legal: playLegal(view) }; },
  crowd: () => { const view = crowd(); return { view, legal: crowdLegal(view) }; },
  call: () => { const view = call(); return { view, legal: callLegal(view) }; },
  waiting: () => ({ view: waiting(), legal: null }),
  round: () => ({ view: roundEnd(), legal: null }),
  game: () => ({ view: gameEnd(), legal: null }),
};
