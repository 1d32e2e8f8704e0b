/**
 * What the client costs: `node bench/client.mjs [URL]` (a running server; without one it says how to start it).
 * Needs Chromium on PATH and `npm ci` in clients/reference_js. Prints one line for each figure and fails beyond its limit.
 */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { spawn } from "node:child_process";

const here = fileURLToPath(new URL(".", import.meta.url));
const { chromium } = createRequire(`${here}../clients/reference_js/package.json`)("playwright-core");
const base = process.argv[2] ?? "http://127.0.0.1:8000";
const executablePath = execFileSync("sh", ["-c", "command -v chromium || command -v chromium-browser || command -v google-chrome"]).toString().trim();
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
let failed = false;

/** @param {string} what @param {number} value @param {string} unit @param {number} limit */
function report(what, value, unit, limit) {
  const good = value <= limit;
  failed ||= !good;
  console.log(`${good ? "ok  " : "OVER"} ${what}: ${Math.round(value * 10) / 10} ${unit} (at most ${limit})`);
}

/** Slow 4G and a CPU four times slower. */
async function slow(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

async function firstLoad(browser) {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  /** @type {Promise<number>[]} */
  const sizes = [];
  page.on("response", (response) => {
    if (response.url().startsWith(base)) sizes.push(response.body().then((body) => gzipSync(body).length, () => 0));
  });
  await page.goto(base);
  await page.tap('[data-action="play"]');
  await page.waitForSelector(".hand [data-card]");
  await page.waitForTimeout(500);
  const all = await Promise.all(sizes);
  report(`first load with the first table, ${all.length} answers gzipped`, all.reduce((a, b) => a + b, 0) / 1024, "KB", 120);
  await context.close();
}

async function playable(browser) {
  const times = [];
  for (let run = 0; run < 3; run += 1) {
    const context = await browser.newContext(phone);
    const page = await context.newPage();
    await slow(page);
    const start = performance.now();
    await page.goto(base, { waitUntil: "commit" });
    await page.waitForSelector('[data-action="play"]');
    times.push((performance.now() - start) / 1000);
    if (run === 0) {
      const tapped = performance.now();
      await page.tap('[data-action="play"]');
      await page.waitForSelector("r5-table[data-version] .hand [data-card]");
      console.log(`     from the tap to the first card, same phone: ${((performance.now() - tapped) / 1000).toFixed(1)} s`);
    }
    await context.close();
  }
  report("slow 4G, CPU four times slower: playable after", Math.min(...times), "s", 3);
}

async function eventTime(browser) {
  const preview = spawn("node", [`${here}../tests/client/preview/serve.mjs`, "0"]);
  const port = await new Promise((resolve) => preview.stdout.once("data", (data) => resolve(String(data).trim().split(" ").at(-1))));
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/preview/index.html?state=crowd&pace=instant`);
  await page.waitForSelector("html[data-ready]");
  const times = await page.evaluate(async () => {
    const cards = preview.table.view.seats[0].hand;
    const all = [];
    for (const card of cards.slice(0, 12)) {
      all.push(preview.event({ type: "discarded", seat: 0, card }));
      await new Promise((done) => setTimeout(done, 400));
      all.push(preview.event({ type: "drew", seat: 3, from: "pile", count: 1, cards: [card], obligation: null, no_discard: null }));
      await new Promise((done) => setTimeout(done, 500));
    }
    return all.sort((a, b) => a - b);
  });
  report("an event at the eight-seat table, script and layout, median", times[times.length >> 1], "ms", 16);
  report("the same, 90th percentile", times[Math.floor(times.length * 0.9)], "ms", 16);
  await context.close();
  preview.kill();
}

async function unlocked(browser) {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  await page.goto(base);
  await page.tap('[data-action="play"]');
  await page.waitForSelector("r5-table[data-ready]");
  // A phone that slept: the page's clock stood still and its socket is dead, though nobody told it.
  const time = await page.evaluate(async () => {
    const table = /** @type {any} */ (document.querySelector("r5-table"));
    const token = JSON.parse(localStorage.getItem("rummy500.token") ?? "null");
    const stream = table.live.stream;
    stream.heard -= 300_000;
    stream.socket.onmessage = null;
    const path = `/v1/games/${table.gameId}`;
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    await fetch(`${path}/moves`, { method: "POST", headers, body: JSON.stringify({ move: { type: "draw", from: "stock" } }) });
    const { version } = await (await fetch(path, { headers })).json();
    const start = performance.now();
    document.dispatchEvent(new Event("visibilitychange"));
    while (Number(table.dataset.version) < version) await new Promise((done) => setTimeout(done, 5));
    return performance.now() - start;
  });
  report("unlocked after five minutes, the present state after", time / 1000, "s", 1);
  await context.close();
}

console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores (times hold for a quiet one)`);
const browser = await chromium.launch({ executablePath, args });
try {
  await firstLoad(browser);
  await playable(browser);
  await eventTime(browser);
  await unlocked(browser);
} finally {
  await browser.close();
}
process.exitCode = failed ? 1 : 0;
