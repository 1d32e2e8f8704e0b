import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { gunzipSync } from "node:zlib";
import { follow, followAll } from "../../clients/reference_js/sdk/index.js";
import { known } from "./games.mjs";

const folder = new URL("golden/", import.meta.url);
const golden = Object.fromEntries(readdirSync(folder).map((name) => [name.split(".")[0], JSON.parse(gunzipSync(readFileSync(new URL(name, folder))).toString())]));

/** @param {any} value */
function frozen(value) {
  if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

for (const [name, { snapshot, frames }] of Object.entries(golden)) {
  test(`stage 6, the SDK: the follower has the server's view at every version of the recorded game ${name}`, () => {
    let view = frozen(snapshot);
    for (const frame of frames) {
      for (const event of frame.events) view = frozen(follow(view, event));
      assert.deepEqual(known(view), known(frame.view), `version ${frame.view.version}`);
    }
    assert.equal(view.status, "finished");
  });
}

test("the recorded games hold every event of play", () => {
  const types = new Set(Object.values(golden).flatMap(({ frames }) => frames.flatMap((frame) => frame.events.map((event) => event.type))));
  const wanted = "answered call_closed call_opened discarded drew floated game_ended laid_off melded passed round_ended round_started took_back turn_started".split(" ");
  assert.deepEqual(wanted.filter((type) => !types.has(type)), []);
});

test("an event that was seen already changes nothing, and a missing one is an error", () => {
  const { snapshot, frames } = golden.classic;
  const events = frames.flatMap((frame) => frame.events);
  const view = followAll(snapshot, events.slice(0, 10));
  assert.equal(follow(view, events[3]), view);
  assert.throws(() => follow(view, events[11]), /after version/);
});

test("an event of a kind that is not known yet only moves the version on", () => {
  const { snapshot } = golden.classic;
  const next = follow(snapshot, { seq: snapshot.version + 1, type: "something_new", at: "2026-01-01T00:00:00Z" });
  assert.deepEqual(next, { ...snapshot, version: snapshot.version + 1 });
});

test("people who come, go and come back are followed", () => {
  const { snapshot } = golden.party_table;
  const at = "2026-01-01T00:00:00Z";
  const from = { ...snapshot, version: 5 };
  const left = follow(from, { seq: 6, type: "seat_left", at, seat: 1, status: "cpu_standing_in" });
  assert.equal(left.seats[1].status, "cpu_standing_in");
  assert.equal(left.seats[1].player, snapshot.seats[1].player);
  assert.equal(follow(left, { seq: 7, type: "seat_resumed", at, seat: 1 }).seats[1].status, "active");
  const freed = follow(from, { seq: 6, type: "seat_left", at, seat: 1, status: "open" });
  assert.deepEqual([freed.seats[1].status, freed.seats[1].player], ["open", null]);
  assert.equal(follow(freed, { seq: 7, type: "seat_taken", at, seat: 1, player: { name: "Ann" } }).seats[1].player.name, "Ann");
});

test("a deadline that was moved is shown as moved", () => {
  const { snapshot, frames } = golden.pagat_clock;
  const view = followAll(snapshot, []);
  const moved = follow(view, { seq: view.version + 1, type: "deadline_moved", at: "2026-01-01T00:00:00Z", seat: view.turn.seat, deadline: "2026-01-01T00:01:00Z" });
  assert.equal(moved.turn.deadline, "2026-01-01T00:01:00Z");
  assert.ok(frames.some((frame) => frame.view.seats.some((seat) => seat.bank_seconds < 30)), "a bank was drawn on");
});
