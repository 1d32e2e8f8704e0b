/**
 * Records the golden frames: `node --experimental-websocket record.mjs http://127.0.0.1:8000`.
 * Run it again when the contract has changed, and say why in the commit.
 */
import { gzipSync } from "node:zlib";
import { writeFile } from "node:fs/promises";
import { GAMES, playAndFollow } from "./games.mjs";

const base = process.argv[2];
for (const [name, game] of Object.entries(GAMES)) {
  const { snapshot, frames, versions } = await playAndFollow(base, game);
  await writeFile(new URL(`golden/${name}.json.gz`, import.meta.url), gzipSync(JSON.stringify({ snapshot, frames }), { level: 9 }));
  const types = [...new Set(frames.flatMap((frame) => frame.events.map((event) => event.type)))].sort();
  console.log(`${name}: ${versions} versions, ${types.join(" ")}`);
}
