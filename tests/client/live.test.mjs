/** Against a running server, `RUMMY500_TEST_URL`: the follower in whole games, the live table, the long poll. */
import assert from "node:assert/strict";
import test from "node:test";
import { Client } from "../../clients/reference_js/sdk/index.js";
import { GAMES, known, playAndFollow } from "./games.mjs";

const base = process.env.RUMMY500_TEST_URL;
const url = { skip: base ? false : "needs RUMMY500_TEST_URL" };

for (const [name, game] of Object.entries(GAMES)) {
  if (game.slow) continue;
  test(`promise 3: a whole game of ${name} is followed at every version`, url, async () => {
    const seed = Math.floor(Math.random() * 1e9);
    const { versions } = await playAndFollow(base, { ...game, seed }).catch((error) => assert.fail(`seed ${seed}: ${error.stack}`));
    assert.ok(versions > 10);
  });
}

test("promise 3: a spectator's view is followed as well", url, async () => {
  const game = structuredClone(GAMES.party_cpu);
  game.game.ruleset.options.max_rounds = 1;
  await playAndFollow(base, game, { asSpectator: true });
});

/** Waits until something holds. */
async function until(holds, what) {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  assert.fail(`never: ${what}`);
}

async function player() {
  const client = new Client({ base });
  await client.register();
  return client;
}

test("people who come and go are followed, and a table knows its moves", url, async () => {
  const [ann, ben, cid] = [await player(), await player(), await player()];
  const made = await ann.createGame({ ruleset: { preset: "pagat" }, seats: [{ kind: "me" }, { kind: "open" }, { kind: "open" }], visibility: "public", spectators: true });
  const changes = [];
  const table = ann.table(made.id, { onChange: (change) => changes.push(change) });
  const agrees = async () => {
    const view = await ann.game(made.id);
    await until(() => table.view?.version >= view.version, `version ${view.version}`);
    if (table.view.version === view.version) assert.deepEqual(known(table.view), known(view));
  };
  await until(() => table.view, "a snapshot");
  await ben.takeSeat(made.id);
  await agrees();
  await ben.leave(made.id);
  await agrees();
  await ben.takeSeat(made.id);
  await cid.takeSeat(made.id);
  await agrees();
  await cid.leave(made.id);
  await until(() => table.view.seats.some((seat) => seat.status === "cpu_standing_in"), "a stand-in");
  await agrees();
  const seated = [[ann, 0], [ben, 1]];
  for (let turn = 0; turn < 6; turn += 1) {
    await until(() => table.view.turn && table.view.turn.seat !== 2, "a person's turn");
    const [client, seat] = seated[table.view.turn.seat];
    if (client === ann) {
      await until(() => table.legal, "moves");
      const { items } = table.legal;
      const version = await table.move(items.find((move) => move.type === "discard") ?? items[0]);
      assert.ok(table.view.version >= version, "the move's events come before its result");
    } else {
      const { items } = await client.legalMoves(made.id, seat);
      if (items.length) await client.move(made.id, items.find((move) => move.type === "discard") ?? items[0]);
    }
    await agrees();
  }
  table.close();
});

test("without WebSockets the long poll gives the same table", url, async () => {
  const client = new Client({ base, WebSocket: null });
  await client.register();
  const made = await client.createGame({ seats: [{ kind: "me" }, { kind: "cpu", level: "easy" }] });
  const table = client.table(made.id, { onChange: () => {} });
  for (let turn = 0; turn < 4; turn += 1) {
    await until(() => table.legal, "moves");
    const before = table.view.version;
    await table.move(table.legal.items.find((move) => move.type === "discard") ?? table.legal.items[0]);
    await until(() => table.view.version > before, "the move");
  }
  const view = await client.game(made.id);
  await until(() => table.view.version >= view.version, "the last version");
  table.close();
});
