import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const table = new URL("../../clients/reference_js/table/", import.meta.url);
const sources = readdirSync(table).filter((name) => name.endsWith(".js")).map((name) => readFileSync(new URL(name, table), "utf8")).join("\n");
const files = readdirSync(new URL("words/", table));
const catalogues = Object.fromEntries(await Promise.all(files.map(async (file) => [file.replace(".js", ""), (await import(new URL(`words/${file}`, table).href)).default])));
const english = catalogues.en;

/** The keys the sources build from parts, each with what its parts may be. */
const BUILT = [
  /^rank\.[A2-9TJQK]$/, /^suit\.[CDHS]$/, /^level\.(easy|normal|expert)$/, /^meld\.(set|run)$/, /^bar\.(home|scores|log|menu)$/, /^sort\.(suit|rank|melds|own)$/,
  /^ace\.(low|high)$/, /^end\.(low|high)$/, /^say\.(you\.)?(drew_card|drew_pile|took_back|melded|laid_off|discarded|floated|passed|call_closed)$/,
  /^say\.ended\.(out|stock|pass|stalemate)$/, /^say\.you\.ended\.(out|pass)$/, /^game\.reason\.(target|max_rounds|left|abandoned)$/, /^line\.(offline|restarting|closed)$/,
  /^preset\.(classic|pagat|party|nickel|house_float|partnership)(\.about)?$/, /^rules\.(goal|turn|score)$/, /^option\.packs\.(auto|1|2)$/,
  /^option\.(pile_depth\.(any|top)|top_discard\.(free|must_meld)|stock_exhausted\.(end|play_on)|card_points\.(face|five_ten_fifteen))$/,
  /^option\.(joker_points\.(fifteen|represented)|going_out\.(any|float|discard)|final_discard\.(any|unplayable)|(call_rummy|partners)\.(true|false))$/,
  /^house\.(packs|jokers|deal|pile_depth|top_discard|stock_exhausted|card_points|low_ace_points|joker_points|going_out|final_discard|call_rummy|partners|target|max_rounds)$/,
  /^friends\.(private|public)$/, /^clock\.(0|60|120|86400)$/, /^menu\.(rules|settings|keys|share|fairness|leave)$/, /^fairness\.(commitment|nonce|seed)$/,
  /^set\.(theme|pace|large|fourColours|keys)$/, /^theme\.(auto|light|dark)$/, /^pace\.(calm|brisk|instant)$/, /^key\.([A-Z]|help)$/,
];

/** The refusals of moves, and what else a player may meet. */
const REFUSALS =
  "not_your_turn wrong_phase game_not_running version_conflict card_not_in_hand card_not_in_pile stock_empty no_such_meld not_a_meld ambiguous does_not_extend cannot_use_card must_use_card must_keep_a_card discard_forbidden final_discard_playable not_callable malformed bad_ruleset unauthenticated forbidden not_found seat_taken already_seated rate_limited unavailable too_large".split(" ");

const named = new Set([...sources.matchAll(/["'`]([a-z_]+(?:\.[A-Za-z_0-9]+)*)["'`]/g)].map((match) => match[1]));
const isUsed = (key) => named.has(key) || BUILT.some((pattern) => pattern.test(key)) || (key.startsWith("refusal.") && REFUSALS.includes(key.slice(8)));

test("stage 6, words: every key the sources ask for is in the catalogue", () => {
  const asked = [...sources.matchAll(/\bt\(\s*(?:[^"'`()]*\?\s*)?["']([\w.]+)["']/g)].map((match) => match[1]);
  assert.ok(asked.length > 100);
  assert.deepEqual(asked.filter((key) => !(key in english)), []);
  assert.deepEqual(REFUSALS.filter((code) => !(`refusal.${code}` in english)), []);
  for (const name of "suit rank melds own".split(" ")) assert.ok(`sort.${name}` in english);
});

test("no key of the catalogue is unused", () => {
  assert.deepEqual(Object.keys(english).filter((key) => !isUsed(key)), []);
});

const plain = (value) => JSON.stringify(value);
const holes = (value) => [...new Set([...plain(value).matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort();

test("there are six languages", () => {
  assert.deepEqual(Object.keys(catalogues).sort(), ["en", "eo", "id", "ms", "sw", "th"]);
});

for (const [language, words] of Object.entries(catalogues)) {
  test(`${language}: no key is missing or unused, and each has the same holes and its language's plurals`, () => {
    assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort());
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [key, value] of Object.entries(words)) {
      assert.deepEqual(holes(value), holes(english[key]), key);
      assert.ok(typeof value === "string" ? value.trim() : Object.values(value).every((form) => form.trim()), key);
      if (typeof english[key] !== "string") assert.deepEqual(categories.filter((category) => !(category in value)), [], key);
    }
  });
}

test("catalogues no native reader has seen say so in their first line", () => {
  for (const file of files.filter((name) => name !== "en.js")) {
    const [first] = readFileSync(new URL(`words/${file}`, table), "utf8").split("\n");
    assert.match(first, /^\/\/ (No native reader has seen this catalogue yet|Read by)/, file);
  }
});

test("nothing on the page is made from markup", () => {
  assert.doesNotMatch(sources, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTML|createContextualFragment|\.srcdoc/);
  const page = readFileSync(new URL("index.html", table), "utf8");
  assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<script(?![^>]*src=)/);
});
