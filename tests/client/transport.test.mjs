import assert from "node:assert/strict";
import test from "node:test";
import { Client, LiveTable, Offline, Problem, backoff } from "../../clients/reference_js/sdk/index.js";

/** A socket that does what the test says. */
class FakeSocket {
  static made = [];
  readyState = 0;
  sent = [];
  constructor(url, protocols) {
    Object.assign(this, { url, protocols });
    FakeSocket.made.push(this);
  }
  open() {
    this.readyState = 1;
  }
  say(frame) {
    this.readyState = 1;
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
  drop(code) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
}

const VIEW = { id: "g", version: 7, status: "playing", your_seats: [], seats: [], turn: null, call: null, melds: [], pile: [], clock: null, fairness: {} };
const event = (seq) => ({ seq, type: "passed", at: "2026-01-01T00:00:00Z", seat: 1 });
const tick = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

function table(options = {}) {
  FakeSocket.made = [];
  const changes = [];
  const client = new Client({ base: "http://x", token: "secret", WebSocket: FakeSocket, fetch: async () => new Response("{}") });
  const live = new LiveTable(client, "g", { onChange: (change) => changes.push(change), ...options });
  return { live, changes, socket: () => FakeSocket.made.at(-1) };
}

test("the token goes in the subprotocol, never in the address", () => {
  const { live, socket } = table();
  assert.deepEqual(socket().protocols, ["rummy500.v1", "bearer.secret"]);
  assert.ok(!socket().url.includes("secret"));
  live.close();
});

test("a lost stream comes back with `after` and misses nothing", async () => {
  const { live, socket, changes } = table();
  socket().say({ type: "snapshot", view: VIEW, now: new Date().toISOString() });
  socket().say({ type: "events", version: 8, events: [event(8)] });
  live.stream.options.random = () => 0;
  socket().drop(1006);
  assert.equal(changes.at(-1).status, "offline");
  await tick(150);
  assert.match(socket().url, /after=8/);
  socket().say({ type: "events", version: 9, events: [event(9)] });
  assert.equal(live.view.version, 9);
  assert.equal(changes.at(-1).kind, "events");
  live.close();
});

test("a restart is told from a broken line", () => {
  const { live, socket, changes } = table();
  socket().say({ type: "snapshot", view: VIEW });
  socket().drop(1012);
  assert.equal(changes.at(-1).status, "restarting");
  live.close();
});

test("a stream refused for good is not tried again", async () => {
  const { live, socket, changes } = table();
  socket().drop(4404);
  assert.deepEqual([changes.at(-1).status, changes.at(-1).code], ["closed", 4404]);
  await tick(250);
  assert.equal(FakeSocket.made.length, 1);
  live.close();
});

test("a version the server does not know is given up for a snapshot", async () => {
  const { live, socket } = table({ view: VIEW });
  assert.match(socket().url, /after=7/);
  live.stream.options.random = () => 0;
  socket().drop(4400);
  await tick(150);
  assert.doesNotMatch(socket().url, /after/);
  live.close();
});

test("a gap in the events asks for a snapshot", () => {
  const { live, socket } = table();
  socket().say({ type: "snapshot", view: VIEW });
  socket().say({ type: "events", version: 10, events: [event(10)] });
  assert.deepEqual(socket().sent, [{ type: "sync" }]);
  assert.equal(live.view.version, 7);
  live.close();
});

test("a stream that has gone deaf is found by its pong", () => {
  const { live, socket } = table();
  socket().say({ type: "snapshot", view: VIEW });
  socket().say({ type: "pong", version: 9, now: new Date().toISOString() });
  assert.deepEqual(socket().sent, [{ type: "sync" }]);
  live.close();
});

test("a move that was under way when the line broke is sent again with the same id", async () => {
  const { live, socket } = table();
  socket().say({ type: "snapshot", view: VIEW });
  const done = live.move({ type: "draw", from: "stock" });
  const [first] = socket().sent;
  live.stream.options.random = () => 0;
  socket().drop(1006);
  await tick(150);
  socket().say({ type: "events", version: 7, events: [] });
  assert.deepEqual(socket().sent, [first]);
  socket().say({ type: "result", id: first.id, ok: true, version: 9 });
  assert.equal(await done, 9);
  live.close();
});

test("a refused move is a Problem with its code and rule", async () => {
  const { live, socket } = table();
  socket().say({ type: "snapshot", view: VIEW });
  const done = live.move({ type: "discard", card: "2C" });
  const [frame] = socket().sent;
  socket().say({ type: "result", id: frame.id, ok: false, problem: { status: 409, code: "not_your_turn", rule: "R5.1", title: "x" } });
  await assert.rejects(done, (error) => error instanceof Problem && error.code === "not_your_turn" && error.rule === "R5.1");
  live.close();
});

test("waking up checks a live line and opens a dead one at once", async () => {
  const { live, socket } = table();
  socket().say({ type: "snapshot", view: VIEW });
  live.wake();
  assert.deepEqual(socket().sent, [{ type: "ping" }]);
  live.stream.heard -= 60_000;
  live.wake();
  assert.equal(FakeSocket.made.length, 2);
  live.close();
});

test("the backoff grows, has a ceiling, and is spread by chance", () => {
  assert.ok(backoff(0, () => 0.999) <= 600);
  assert.ok(backoff(3, () => 0.999) > 3000);
  assert.ok(backoff(50, () => 1) <= 20_100);
  const seen = new Set(Array.from({ length: 50 }, () => backoff(4)));
  assert.ok(seen.size > 10);
});

/** A server that answers from a list. */
function answering(...answers) {
  const calls = [];
  const fetch = async (url, options) => {
    calls.push({ url, ...options });
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next;
  };
  return { calls, client: new Client({ base: "http://x", fetch, WebSocket: null }) };
}

const json = (value, status = 200, headers = {}) => new Response(JSON.stringify(value), { status, headers });

test("a POST with a key is tried again, with the same key", async () => {
  const { calls, client } = answering(new TypeError("gone"), json({ version: 3, events: [] }));
  assert.equal((await client.move("g", { type: "pass" })).version, 3);
  const keys = calls.map((call) => call.headers["Idempotency-Key"]);
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
});

test("a POST without a key is never repeated", async () => {
  const { calls, client } = answering(new TypeError("gone"), json({}));
  await assert.rejects(client.register(), Offline);
  assert.equal(calls.length, 1);
});

test("a refusal is not repeated, a busy server is asked again", async () => {
  const refused = answering(json({ code: "not_found", status: 404, title: "no" }, 404));
  await assert.rejects(refused.client.game("g"), (error) => error instanceof Problem && error.code === "not_found");
  assert.equal(refused.calls.length, 1);
  const busy = answering(json({ code: "unavailable", status: 503, title: "busy" }, 503, { "Retry-After": "0" }), json({ id: "g" }));
  assert.deepEqual(await busy.client.game("g"), { id: "g" });
});
