/** Shows one made-up state: `/preview/index.html?state=draw&lang=th`. `preview.event(event)` plays an event on it. */
import { follow } from "/sdk/follow.js";
import { roundEnd } from "/table/dialogs.js";
import { change, dress } from "/table/settings.js";
import "/table/table.js";
import { waitingRoom } from "/table/waiting.js";
import { speak } from "/table/words.js";
import { STATES } from "/preview/views.js";

const query = new URLSearchParams(location.search);
const { view, legal } = STATES[query.get("state") ?? "draw"]();
await speak(query.get("lang") ?? "en");
change({ pace: query.get("pace") ?? "calm", sort: query.get("sort") ?? "suit", large: query.has("large"), fourColours: query.has("four") });
dress();

const sent = [];
let current = view;
let tell = () => {};
const live = { view, legal, presence: new Map(), skew: 0, status: "live", close() {}, wake() {}, move: (move) => (sent.push(move), Promise.resolve(view.version)) };
const client = {
  me: () => Promise.resolve({ ranking_points: query.get("state") === "game" ? (client.asked = (client.asked ?? -10) + 10) : 0 }),
  table: (_id, options) => ((tell = options.onChange), live),
};
const table = document.createElement("r5-table");
document.body.append(table);
table.begin(client, view.id, { view }, { home() {}, menu() {}, open() {}, turn() {}, waiting: (at) => waitingRoom(at, { take() {}, leave() {} }) });
if (query.get("state") === "round") roundEnd(view);

globalThis.preview = {
  sent,
  table,
  /** Plays an event and says how long it took until the layout was done, in milliseconds. */
  event(event) {
    current = follow(current, { seq: current.version + 1, at: new Date().toISOString(), ...event });
    live.view = current;
    const start = performance.now();
    tell({ kind: "events", steps: [{ event, view: current }], view: current, legal: null, status: "live", code: null });
    void document.body.offsetHeight;
    return performance.now() - start;
  },
};
document.documentElement.dataset.ready = "yes";
