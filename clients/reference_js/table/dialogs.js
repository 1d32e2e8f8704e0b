/** Sheets over the page: questions, the end of a round, the end of a game, and everything that can be read. */
import { picture, short } from "./cards.js";
import { h, icon } from "./dom.js";
import { cpuName, endWords, nameOf } from "./say.js";
import { chip } from "./seats.js";
import * as points from "./points.js";
import { cardName, count, list, t } from "./words.js";

/**
 * @typedef {import("../sdk/types.js").View} View
 * @typedef {import("../sdk/types.js").Move} Move
 */

let numbered = 0;

/**
 * Opens a sheet; resolves when it is closed, with what the button said.
 * @param {string} title @param {(close: (value?: any) => void) => any} body @param {{name?: string, lasting?: boolean}} [options]
 * @returns {Promise<any>}
 */
export function sheet(title, body, { name = "", lasting = false } = {}) {
  return new Promise((resolve) => {
    const id = `sheet-${++numbered}`;
    /** @type {HTMLDialogElement} */
    const dialog = h("dialog", { class: "sheet", "aria-labelledby": id, data: { sheet: name } });
    /** @type {any} */
    let answer;
    const close = (/** @type {any} */ value) => {
      answer = value;
      dialog.close();
    };
    dialog.append(
      h(
        "header",
        {},
        h("h2", { id, tabindex: "-1" }, title),
        lasting ? null : h("button", { type: "button", class: "quiet", "aria-label": t("close"), data: { action: "close" }, onclick: () => close() }, icon("close")),
      ),
      h("div", { class: "sheet-body" }, body(close)),
    );
    dialog.addEventListener("click", (event) => event.target === dialog && !lasting && close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Closes every sheet. */
export function closeSheets() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

/**
 * Asks which of a few things is meant.
 * @template T @param {string} title @param {{label: any, value: T}[]} options @returns {Promise<T | undefined>}
 */
export function choose(title, options) {
  return sheet(
    title,
    (close) => h("div", { class: "choices" }, options.map(({ label, value }, index) => h("button", { type: "button", class: "choice", data: { action: "choose", choice: index }, onclick: () => close(value) }, label))),
    { name: "choose" },
  );
}

/** @param {string} text @param {string} yes @returns {Promise<boolean>} */
export async function sure(text, yes) {
  const answer = await sheet(
    text,
    (close) => h("div", { class: "row end" }, h("button", { type: "button", onclick: () => close(false) }, t("cancel")), h("button", { type: "button", class: "danger", data: { action: "confirm" }, onclick: () => close(true) }, yes)),
    { name: "sure" },
  );
  return answer === true;
}

/** A meld move for the eye: each card, and what jokers stand for. @param {string[]} names @param {string} [ace] */
export function meldLabel(names, ace) {
  return [
    h("span", { class: "mini" }, names.map((name) => {
      const [card, as] = name.split("=");
      const element = picture(card ?? "", as ? t("card.stands_for", { card: cardName(card ?? ""), as: cardName(as) }) : cardName(card ?? ""));
      if (as) element.append(h("span", { class: "as" }, short(as)));
      return element;
    })),
    ace ? h("span", {}, t(`ace.${ace}`)) : null,
  ];
}

/**
 * Asks what a joker is to stand for.
 * @param {string} joker @param {string[]} naturals the cards it goes with @returns {Promise<string | undefined>}
 */
export function askJoker(joker, naturals) {
  const suits = [...new Set(naturals.map((card) => card[1]))];
  const ranks = [...new Set(naturals.map((card) => card[0]))];
  return sheet(
    t("ask.joker", { card: cardName(joker) }),
    (close) => [
      ranks.length === 1
        ? h("button", { type: "button", class: "choice", data: { action: "choose-set" }, onclick: () => close(ranks[0]) }, t("ask.joker_set", { rank: t(`rank.${ranks[0]}`) }))
        : null,
      suits.map((suit) => h("div", { class: "ranks" }, [..."A23456789TJQK"].map((rank) => {
        const card = `${rank}${suit}`;
        return h("button", { type: "button", class: "rank-choice", "aria-label": cardName(card), data: { action: "choose-card", value: card }, onclick: () => close(card) }, chip(card));
      }))),
    ],
    { name: "joker" },
  );
}

/** A hand or a row of cards with points under each. @param {{card: string, points: number | null}[]} cards */
function tally(cards) {
  if (!cards.length) return h("p", { class: "none" }, t("none"));
  return h("div", { class: "tally" }, cards.map(({ card, points: each }) => h("span", {}, picture(card, cardName(card)), each === null ? null : h("small", {}, count(each)))));
}

/** @param {View} view after the round @param {number} seat */
function laidBy(view, seat) {
  const options = view.ruleset.options;
  return view.melds.flatMap((meld) => meld.cards.flatMap((laid, index) => (laid.seat === seat ? [{ card: laid.card, points: points.onTable(meld, index, options) }] : [])));
}

/** The sums of a round. @param {View} view @param {boolean} fresh whether the table still lies as it ended */
function roundSums(view, fresh) {
  const round = /** @type {import("../sdk/types.js").RoundResult} */ (view.last_round);
  const rows = [...round.scores].sort((a, b) => b.score - a.score);
  return h("ol", { class: "sums" }, rows.map((score) => {
    const hand = (round.hands[score.seat] ?? []).map((card) => ({ card, points: points.inHand(card, view.ruleset.options) }));
    const rest = points.checked(score.deadwood, hand) ?? hand.map((each) => ({ ...each, points: null }));
    const laid = fresh ? points.checked(score.table, laidBy(view, score.seat)) : null;
    return h(
      "li",
      { class: "sum", data: { by: score.seat, seat: score.seat, table: score.table, deadwood: score.deadwood, score: score.score, total: score.total } },
      h("h3", {}, h("span", { class: "disc small", "aria-hidden": "true" }), nameOf(view, score.seat), h("b", { class: score.score < 0 ? "minus" : "plus" }, signed(score.score))),
      h("div", { class: "sum-line" }, h("span", {}, t("sum.table")), laid?.length ? tally(laid) : null, h("b", {}, count(score.table))),
      h("div", { class: "sum-line" }, h("span", {}, t("sum.deadwood")), hand.length ? tally(rest) : null, h("b", {}, score.deadwood ? `−${count(score.deadwood)}` : count(0))),
      h("div", { class: "sum-line total" }, h("span", {}, t("sum.total")), h("b", {}, count(score.total))),
    );
  }));
}

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${count(value)}` : value < 0 ? `−${count(-value)}` : count(0));

/** The end of a round. @param {View} view @param {{fresh?: boolean, last?: boolean}} [options] */
export function roundEnd(view, { fresh = true, last = false } = {}) {
  const round = /** @type {import("../sdk/types.js").RoundResult} */ (view.last_round);
  return sheet(
    t("round.over", { round: round.round }),
    (close) => [
      h("p", { class: "lead" }, endWords(view, round)),
      roundSums(view, fresh),
      fresh ? h("div", { class: "row end sticky" }, h("button", { type: "button", class: "main", autofocus: true, data: { action: "continue" }, onclick: () => close() }, t(last ? "round.result" : "round.next"))) : null,
    ],
    { name: "round" },
  );
}

/**
 * The end of the game.
 * @param {View} view @param {{won: Promise<number>, rematch: (() => void) | null, home: () => void}} options
 */
export function gameEnd(view, { won, rematch, home }) {
  const result = /** @type {import("../sdk/types.js").GameResult} */ (view.result);
  const mine = view.your_seats[0];
  const earned = h("p", { class: "lead won", role: "status" });
  won.then((points) => points && (earned.textContent = t("game.points_won", { n: points })));
  const winners = list(result.winners.map((seat) => nameOf(view, seat)));
  const title = !result.winners.length ? t("game.abandoned") : mine !== undefined && result.winners.includes(mine) ? t("game.you_won") : t("game.won_by", { names: winners });
  const rows = view.seats.map((seat) => ({ seat: seat.seat, total: result.totals[seat.seat] ?? 0 })).sort((a, b) => b.total - a.total);
  return sheet(
    title,
    (close) => [
      h("p", { class: "lead" }, t(`game.reason.${result.reason}`, { n: view.ruleset.options.target })),
      h("ol", { class: "standing" }, rows.map(({ seat, total }) => h("li", { data: { by: seat, seat, total, winner: result.winners.includes(seat) ? "yes" : null } }, h("span", { class: "disc small", "aria-hidden": "true" }), h("span", { class: "name" }, nameOf(view, seat)), h("b", {}, count(total))))),
      earned,
      h(
        "div",
        { class: "row end sticky" },
        h("button", { type: "button", data: { action: "home" }, onclick: () => (close(), home()) }, t("game.home")),
        rematch ? h("button", { type: "button", class: "main", data: { action: "rematch" }, onclick: () => (close(), rematch()) }, t("game.rematch")) : null,
      ),
    ],
    { name: "game" },
  );
}

/** The running totals, and the last round. @param {View} view */
export function scores(view) {
  return sheet(
    t("scores"),
    () => [
      h("ol", { class: "standing" }, [...view.seats].sort((a, b) => b.total - a.total).map((seat) => h("li", { data: { by: seat.seat } }, h("span", { class: "disc small", "aria-hidden": "true" }), h("span", { class: "name" }, nameOf(view, seat.seat)), h("small", {}, seat.table_points ? `+${count(seat.table_points)}` : ""), h("b", {}, count(seat.total))))),
      view.last_round ? [h("h3", {}, t("round.over", { round: view.last_round.round })), roundSums(view, false)] : null,
    ],
    { name: "scores" },
  );
}

/** All there is to know of a seat. @param {View} view @param {number} number */
export function seatSheet(view, number) {
  const seat = view.seats[number];
  if (!seat) return Promise.resolve();
  const player = seat.player;
  return sheet(
    player?.kind === "cpu" ? cpuName(number, player.level ?? "normal") : nameOf(view, number),
    () => [
      h("p", { class: "lead" }, [t("seat.cards", { n: seat.hand_count }), t("seat.total", { n: seat.total }), t("seat.round_points", { n: seat.table_points })].join(" · ")),
      seat.status === "cpu_standing_in" ? h("p", {}, t("seat.stood_in_long", { name: nameOf(view, number) })) : null,
      h("h3", {}, t("seat.known_title")),
      tally(seat.known.map((card) => ({ card, points: null }))),
    ],
    { name: "seat" },
  );
}

const KEYS = ["D", "P", "H", "B", "M", "L", "X", "T", "R", "N", "S", "C", "G", "?"];

/** The keys. */
export function keySheet() {
  return sheet(
    t("keys"),
    () => [
      h("dl", { class: "keys" }, KEYS.map((key) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(`key.${key === "?" ? "help" : key}`))))),
      h("p", {}, t("key.arrows")),
      h("p", {}, t("key.escape")),
    ],
    { name: "keys" },
  );
}

/** The rules of a table. @param {{preset: string, options: Record<string, any>}} ruleset @param {{rule: string, line: string}[] | null} text the server's own lines */
export function rulesSheet(ruleset, text) {
  return sheet(
    t("rules.title", { name: t(`preset.${ruleset.preset}`) }),
    () => [
      h("ul", { class: "rules" }, ["goal", "turn", "score"].map((key) => h("li", {}, t(`rules.${key}`, { n: ruleset.options.target })))),
      h("ul", { class: "rules" }, optionLines(ruleset.options).map((line) => h("li", {}, line))),
      text ? h("details", {}, h("summary", {}, t("rules.full")), h("ol", { class: "rules plain", lang: "en" }, text.map(({ rule, line }) => h("li", {}, h("b", {}, rule), " ", line)))) : null,
    ],
    { name: "rules" },
  );
}

/** Each option in a sentence. @param {Record<string, any>} options @returns {string[]} */
export function optionLines(options) {
  const choices = ["pile_depth", "top_discard", "stock_exhausted", "card_points", "going_out", "final_discard", "call_rummy", "partners"];
  return [
    t("option.deal", { two: options.deal[0], more: options.deal[1] }),
    t("option.packs", { packs: t(`option.packs.${options.packs}`), n: options.jokers }),
    ...choices.map((name) => t(`option.${name}.${options[name]}`)),
    t("option.low_ace_points", { n: options.low_ace_points }),
    ...(options.jokers ? [t(`option.joker_points.${options.joker_points}`)] : []),
    t("option.max_rounds", { n: options.max_rounds }),
  ];
}
