/** Plays whole games over the SDK and holds its follower against the server's own VIEWs. */
import assert from "node:assert/strict";
import { Client, follow } from "../../clients/reference_js/sdk/index.js";

/** A small generator, so that a game can be played again. @param {number} seed */
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

/** A VIEW without what a follower cannot know: PLAYER objects, presence, `server_seed`. */
export function known(view) {
  return {
    ...view,
    seats: view.seats.map((seat) => ({ ...seat, player: seat.player && true, status: seat.status === "away" ? "active" : seat.status })),
    fairness: { ...view.fairness, server_seed: null },
  };
}

/** The games that are played: each a body of POST /v1/games and how many rounds to play. */
export const GAMES = {
  classic: { seed: 1, game: { ruleset: { preset: "classic", options: { max_rounds: 3 } }, seats: [{ kind: "me" }, { kind: "cpu", level: "easy" }] } },
  pagat_clock: { seed: 2, game: { ruleset: { preset: "pagat", options: { max_rounds: 2 } }, seats: [{ kind: "me" }, { kind: "cpu", level: "easy" }, { kind: "cpu", level: "easy" }], clock: { turn_seconds: 5, bank_seconds: 30 } }, slow: 5_600 },
  party_table: { seed: 3, game: { ruleset: { preset: "party", options: { max_rounds: 3 } }, seats: [{ kind: "me" }, { kind: "me" }, { kind: "me" }] } },
  float_table: { seed: 4, game: { ruleset: { preset: "house_float", options: { max_rounds: 3 } }, seats: [{ kind: "me" }, { kind: "me" }, { kind: "me" }, { kind: "me" }] } },
  party_cpu: { seed: 5, game: { ruleset: { preset: "party", options: { max_rounds: 2 } }, seats: [{ kind: "me" }, { kind: "cpu", level: "easy" }, { kind: "cpu", level: "easy" }, { kind: "cpu", level: "easy" }], call_seconds: 1 } },
  crowd: { seed: 6, game: { ruleset: { preset: "party", options: { max_rounds: 1 } }, seats: Array.from({ length: 8 }, () => ({ kind: "me" })) } },
  floating: {
    seed: 8,
    game: {
      ruleset: { preset: "house_float", options: { max_rounds: 2 } },
      seats: [{ kind: "me" }, { kind: "me" }, { kind: "me" }],
      position: {
        hands: [["7H", "8H", "9H"], ["KC", "QD", "2S", "4C"], ["TD", "3S", "JC", "5C"]], stock: ["AS", "2C", "TH", "6C", "8D", "QS", "3D", "9C", "JH"], pile: ["4H"],
        melds: [], totals: [10, 0, -5], dealer: 2, turn: 0, phase: "play",
      },
    },
  },
  free_top: {
    seed: 9,
    first: [{ type: "draw", from: "pile", card: "4C" }, { type: "meld", cards: ["7H", "8H", "9H"] }, { type: "discard", card: "4C" }],
    game: {
      ruleset: { preset: "pagat", options: { max_rounds: 2 } },
      seats: [{ kind: "me" }, { kind: "me" }],
      position: { hands: [["7H", "8H", "9H"], ["KC", "QD", "2S"]], stock: ["AS", "2C", "TH"], pile: ["4H", "4C"], melds: [], totals: [10, 0], dealer: 1, turn: 0, phase: "draw" },
    },
  },
  partners: { seed: 7, game: { ruleset: { preset: "partnership", options: { max_rounds: 2, top_discard: "must_meld" } }, seats: [{ kind: "me" }, { kind: "me" }, { kind: "me" }, { kind: "me" }] } },
};

/** A legal move, leaning to melds and the pile so that games end. */
function pick(items, random) {
  const weight = { meld: 6, lay_off: 5, call_rummy: 3, draw: 1, take_back: 0.6, discard: 1, pass: 1 };
  const scale = items.map((move) => weight[move.type] * (move.from === "pile" ? 0.6 : move.type === "draw" ? 2 : 1));
  let at = random() * scale.reduce((a, b) => a + b, 0);
  return items[scale.findIndex((each) => (at -= each) < 0)] ?? items[0];
}

/** The seats of ours that may act now. */
function acting(view) {
  if (!view.turn || view.status !== "playing") return [];
  const asked = view.call ? view.call.waiting : [view.turn.seat];
  return view.your_seats.filter((seat) => asked.includes(seat));
}

/**
 * Plays one game to its end by random moves, following a stream with `views=1`.
 * @returns {Promise<{snapshot: any, frames: any[], versions: number}>} everything the stream said
 */
export async function playAndFollow(base, { game, seed, slow = 0, first = [] }, { asSpectator = false } = {}) {
  const client = new Client({ base });
  await client.register();
  const random = dice(seed);
  const script = [...first];
  const made = await client.createGame({ ...game, client_seed: `seed-${seed}`, visibility: "public", spectators: true });
  const watcher = asSpectator ? new Client({ base }) : client;
  const frames = [];
  let snapshot = null;
  let view = null;
  let wake = () => {};
  const url = watcher.socketUrl(`/v1/games/${made.id}/stream`, { views: 1 });
  const socket = new WebSocket(url, watcher.token ? ["rummy500.v1", `bearer.${watcher.token}`] : ["rummy500.v1"]);
  const failed = new Promise((_resolve, reject) => {
    socket.onmessage = (message) => {
      const frame = JSON.parse(message.data);
      try {
        if (frame.type === "snapshot") snapshot ??= view = frame.view;
        else if (frame.type === "events") {
          for (const event of frame.events) view = follow(view, event);
          frames.push({ events: frame.events, view: frame.view });
          assert.equal(view.version, frame.version);
          assert.deepEqual(known(view), known(frame.view), `version ${frame.version} after ${frame.events.map((event) => event.type)}`);
        }
      } catch (error) {
        reject(error);
      }
      wake();
    };
    socket.onclose = (event) => reject(new Error(`the stream was closed: ${event.code}`));
  });
  const changed = () => new Promise((resolve) => {
    wake = () => resolve(undefined);
    setTimeout(resolve, 2_000);
  });
  await Promise.race([changed(), failed]);
  let waits = 2;
  while (view?.status !== "finished") {
    const own = asSpectator ? await client.game(made.id) : view;
    const [seat] = acting(own);
    if (seat === undefined) {
      await Promise.race([changed(), failed]);
      continue;
    }
    const legal = await client.legalMoves(made.id, seat);
    if (!legal.items.length) continue;
    if (slow && waits > 0 && own.turn.phase === "draw") {
      waits -= 1;
      await new Promise((resolve) => setTimeout(resolve, slow));
    }
    const move = script.shift() ?? pick(legal.items, random);
    const answer = await client.move(made.id, move, { seat, ifVersion: legal.version }).catch((error) => {
      if (["version_conflict", "not_your_turn", "wrong_phase", "game_not_running"].includes(error.code)) return null;
      throw error;
    });
    while (answer && view.version < answer.version) await Promise.race([changed(), failed]);
  }
  failed.catch(() => {});
  socket.close();
  return { snapshot, frames, versions: view.version };
}
