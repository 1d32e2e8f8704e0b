// @ts-check
/**
 * A client of the Rummy 500 server, for browsers and Node: no DOM, no dependency.
 *
 *     const client = new Client({ base: "https://cards.example" });
 *     await client.register();
 *     const view = await client.createGame({ seats: [{ kind: "me" }, { kind: "cpu", level: "easy" }] });
 *     const table = client.table(view.id, { onChange: ({ view, legal }) => … });
 *     await table.move({ type: "draw", from: "stock" });
 */
export { Client } from "./client.js";
export { follow, followAll } from "./follow.js";
export { LiveTable } from "./live.js";
export { Offline, Problem } from "./problems.js";
export { Stream, backoff } from "./stream.js";
