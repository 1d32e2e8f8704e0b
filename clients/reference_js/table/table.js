/**
 * The table: it shows one view at a time, offers the moves the server listed for it, and says what happened.
 * The element carries `data-version`, the version it shows.
 */
import { seatToAct } from "../sdk/live.js";
import { Problem } from "../sdk/problems.js";
import { face, parts, short } from "./cards.js";
import { askJoker, choose, gameEnd, keySheet, meldLabel, roundEnd, scores, seatSheet } from "./dialogs.js";
import { h, icon, set, write } from "./dom.js";
import "./melds.js";
import { travel } from "./motion.js";
import * as offers from "./offers.js";
import { Pace } from "./pace.js";
import { nameOf, say } from "./say.js";
import "./seats.js";
import { clockText, seatWords, span } from "./seats.js";
import { change as remember, handOrder, keepHandOrder, settings } from "./settings.js";
import { sorted } from "./sorting.js";
import "./spread.js";
import { cardName, cardNames, count, t } from "./words.js";

/**
 * @typedef {import("../sdk/types.js").View} View
 * @typedef {import("../sdk/types.js").Move} Move
 * @typedef {import("../sdk/types.js").Fact} Fact
 * @typedef {import("../sdk/live.js").Change} Change
 * @typedef {import("./spread.js").Spread} Spread
 *
 * @typedef {object} Host what the page does for the table
 * @property {() => void} home
 * @property {() => void} menu
 * @property {(id: string) => void} open
 * @property {(view: View) => any} waiting what is shown while seats are open
 * @property {(view: View | null) => void} turn the live view, for title and icon
 */

const SORTS = /** @type {const} */ (["suit", "rank", "melds", "own"]);

export class Table extends HTMLElement {
  /** @param {import("../sdk/client.js").Client} client @param {string} id @param {{watch?: string, view?: View}} options @param {Host} host */
  begin(client, id, options, host) {
    this.client = client;
    this.gameId = id;
    this.host = host;
    /** @type {View | null} */
    this.view = null;
    /** @type {Set<string>} */
    this.picked = new Set();
    this.own = handOrder(id);
    /** @type {{text: string, at: string}[]} */
    this.lines = [];
    /** @type {string | null} */
    this.pointed = null;
    this.sending = false;
    this.over = false;
    this.pointsBefore = /** @type {number | null} */ (null);
    this.pace = new Pace({
      show: (step, quick) => this.#show(step.view, step.event, quick),
      stops: (step) => step.event.type === "round_ended" && this.#roundEnded(step.view),
      own: (step) => this.#mine(step.event.seat),
      rest: () => this.#rest(),
    });
    this.#build();
    this.live = client.table(id, { ...options, onChange: (change) => this.#changed(change) });
    if (options.view) this.#fresh(options.view);
    this.ticker = setInterval(() => this.#tick(), 500);
    if (client.token) client.me().then((me) => (this.pointsBefore = me.ranking_points), () => {});
  }

  disconnectedCallback() {
    this.live?.close();
    this.pace?.clear();
    clearInterval(this.ticker);
    if (this.keys) document.removeEventListener("keydown", this.keys);
  }

  /** The seat that is the player's, if any. */
  get seat() {
    return this.view?.your_seats[0] ?? null;
  }

  /** The listed moves, if they belong to what is shown. @returns {Move[]} */
  get moves() {
    const legal = this.live?.legal;
    return legal && this.view && legal.version === this.view.version && !this.sending ? legal.items : [];
  }

  /** @returns {Map<string, Fact>} */
  get facts() {
    const legal = this.live?.legal;
    return new Map(legal && legal.version === this.view?.version ? legal.pile.map((fact) => [fact.card, fact]) : []);
  }

  /** @param {number | undefined} seat */
  #mine(seat) {
    return seat !== undefined && Boolean(this.view?.your_seats.includes(seat));
  }

  // ---- what is on the page ----

  #build() {
    const button = (/** @type {any} */ name, /** @type {string} */ action, /** @type {() => void} */ onclick) =>
      h("button", { type: "button", class: "quiet", "aria-label": t(`bar.${action}`), title: t(`bar.${action}`), data: { action }, onclick }, icon(name));
    this.bar = {
      title: h("h1", {}),
      sub: h("span", { class: "sub" }),
    };
    this.banner = h("p", { class: "banner", role: "status", hidden: true });
    this.seats = /** @type {import("./seats.js").Seats} */ (h("r5-seats", { role: "group", "aria-label": t("region.seats") }));
    this.seats.open = (seat) => this.view && seatSheet(this.view, seat);
    this.stockCount = h("span", { class: "stock-count" });
    this.stock = h("button", { type: "button", class: "card back stock", data: { action: "draw-stock" }, onclick: () => this.#drawStock() });
    this.pile = /** @type {Spread} */ (h("r5-spread", { class: "pile", role: "group", "aria-label": t("region.pile"), data: { align: "start" } }));
    this.pile.handlers = { choose: (code, how) => this.#pileChosen(code, how), point: (code, how) => this.#point(code, how) };
    this.pileZone = h("div", { class: "pile-zone", data: { zone: "pile" }, onclick: (/** @type {Event} */ event) => event.target === this.pileZone && this.#discardPicked() }, this.pile);
    this.peek = h("div", { class: "peek", hidden: true });
    this.melds = /** @type {import("./melds.js").Melds} */ (h("r5-melds", { role: "group", "aria-label": t("region.melds") }));
    this.melds.choose = (meld, element) => this.#meldChosen(meld, element);
    this.meldZone = h("section", { class: "meld-zone", data: { zone: "melds", hint: t("melds.none") } }, this.melds);
    this.waitingZone = h("section", { class: "waiting", hidden: true });
    this.callZone = h("section", { class: "call", hidden: true, "aria-label": t("region.call") });
    this.piles = h("section", { class: "piles" }, h("div", { class: "stock-place" }, this.stock, this.stockCount), this.pileZone, this.peek);
    this.felt = h("main", { class: "felt" }, this.waitingZone, this.piles, this.callZone, this.meldZone);
    this.statusText = h("p", { class: "status-text" });
    this.clock = h("span", { class: "clock own" });
    this.figures = h("span", { class: "own-figures" });
    this.actions = h("div", { class: "actions", role: "toolbar", "aria-label": t("region.actions") });
    this.sortButton = h("button", { type: "button", class: "quiet sort", data: { action: "sort" }, onclick: () => this.#nextSort() });
    this.hand = /** @type {Spread} */ (h("r5-spread", { class: "hand", role: "group", "aria-label": t("region.hand"), data: { zone: "hand" } }));
    this.hand.handlers = {
      choose: (code) => this.#pick(code),
      lift: (code, event) => this.#lift(code, event),
      shift: (code, by) => this.#shift(code, by),
    };
    this.status = h("div", { class: "status" }, h("span", { class: "disc", "aria-hidden": "true" }), this.statusText, this.figures, this.clock, this.sortButton);
    this.me = h("section", { class: "me", "aria-label": t("region.me") }, this.status, this.actions, this.hand);
    this.logList = h("ol", { class: "log-lines" });
    this.log = h("aside", { class: "log", "aria-label": t("region.log") }, h("h2", {}, t("region.log")), this.logList);
    this.voice = h("p", { class: "unseen", "aria-live": "polite", role: "log" });
    this.alert = h("p", { class: "tip", role: "alert", hidden: true });
    this.replaceChildren(
      h(
        "header",
        { class: "bar" },
        button("back", "home", () => this.host?.home()),
        h("div", { class: "bar-words" }, this.bar.title, this.bar.sub),
        button("scores", "scores", () => this.view && scores(this.view)),
        button("log", "log", () => this.classList.toggle("log-open")),
        button("menu", "menu", () => this.host?.menu()),
      ),
      this.banner,
      this.seats,
      this.felt,
      this.me,
      this.log,
      this.voice,
      this.alert,
    );
    this.addEventListener("pointerdown", (event) => this.#tap(event));
    this.keys = (/** @type {KeyboardEvent} */ event) => !document.querySelector("dialog[open]") && this.#key(event);
    document.addEventListener("keydown", this.keys);
  }

  /** A tap on nothing in particular shows the rest at once. @param {PointerEvent} event */
  #tap(event) {
    this.#tip(null);
    const free = event.target instanceof Element && !event.target.closest("button, a, dialog");
    if (free && this.pace?.busy) this.pace.skip();
    if (event.target instanceof Element && !event.target.closest(".piles")) this.#point(null, "touch");
  }

  // ---- what happens ----

  /** @param {Change} change */
  #changed(change) {
    if (change.kind === "view" && change.view) this.#fresh(change.view);
    else if (change.kind === "events") this.pace?.add(change.steps);
    else if (change.kind === "status") this.#line(change);
    else if (change.kind === "presence" && this.view) this.seats?.update(this.view, this.live?.presence ?? new Map());
    else if (change.kind === "legal" && !this.pace?.busy) this.#render();
    this.host?.turn(change.view);
  }

  /** A whole view: what was queued is forgotten. @param {View} view */
  #fresh(view) {
    if (this.view && view.version === this.view.version && !this.pace?.queue.length) {
      this.view = view;
      return this.#render();
    }
    if (this.pace?.busy && this.view && view.version === this.pace.queue[this.pace.queue.length - 1]?.view.version) return;
    this.pace?.clear();
    this.view = view;
    this.#render();
    if (view.status === "finished") this.#finished();
  }

  /** @param {View} view @param {import("../sdk/types.js").GameEvent} event @param {boolean} quick */
  #show(view, event, quick) {
    const arrive = quick ? () => {} : travel(this, event);
    this.view = view;
    this.#note(event, view);
    this.#render();
    arrive();
    if (event.type === "game_ended") this.#finished();
  }

  #rest() {
    if (this.view && this.live?.view && this.view.version < this.live.view.version) this.view = this.live.view;
    this.#render();
  }

  /** @param {View} view */
  #roundEnded(view) {
    if (document.hidden) return false;
    this.#render();
    const last = this.pace?.queue[0]?.event.type === "game_ended";
    const until = this.live?.view?.turn?.deadline;
    const limit = until ? Math.max(4_000, Math.min(30_000, Date.parse(until) - this.#now() - 15_000)) : 0;
    const timer = limit ? setTimeout(() => this.#closeSheet("round"), limit) : undefined;
    roundEnd(view, { last }).then(() => {
      clearTimeout(timer);
      this.pace?.release();
    });
    return true;
  }

  /** @param {string} name */
  #closeSheet(name) {
    /** @type {HTMLDialogElement | null} */ (document.querySelector(`dialog[data-sheet="${name}"]`))?.close();
  }

  /** The ranking points of this game; they are given a moment after its end. */
  async #earned() {
    const { client, view, pointsBefore } = this;
    if (!client || !view?.ranked || pointsBefore === null || this.seat === null || !view.result?.winners.includes(this.seat)) return 0;
    for (let tries = 0; tries < 5; tries += 1) {
      const me = await client.me().catch(() => null);
      if (me && me.ranking_points > pointsBefore) return me.ranking_points - pointsBefore;
      await new Promise((done) => setTimeout(done, 600));
    }
    return 0;
  }

  #finished() {
    if (this.over || !this.view) return;
    this.over = true;
    gameEnd(this.view, { won: this.#earned(), home: () => this.host?.home(), rematch: this.seat === null ? null : () => this.#rematch() });
  }

  async #rematch() {
    try {
      const view = await this.client?.rematch(this.gameId ?? "");
      if (view) this.host?.open(view.id);
    } catch (error) {
      this.#tip(this.#words(error), this.status);
    }
  }

  /** @param {{status: import("../sdk/stream.js").StreamStatus, code: number | null}} line */
  #line({ status, code }) {
    set(this, "data", { line: status });
    const gone = code === 4401 ? "line.token" : code === 4403 ? "line.forbidden" : code === 4404 ? "line.not_found" : "line.closed";
    const well = status === "live" || status === "connecting";
    const words = status === "closed" ? t(gone) : !navigator.onLine ? t("line.offline") : well ? "" : t(`line.${status}`);
    if (this.banner) {
      write(this.banner, words);
      this.banner.hidden = !words;
    }
    this.#buttons();
  }

  #now() {
    return Date.now() + (this.live?.skew ?? 0);
  }

  /** @param {import("../sdk/types.js").GameEvent} event @param {View} view */
  #note(event, view) {
    const text = say(event, view);
    if (!text) return;
    this.voice?.append(h("span", {}, `${text} `));
    while (this.voice && this.voice.childElementCount > 30) this.voice.firstElementChild?.remove();
    const line = h("li", { data: { by: event.seat ?? null } }, text);
    this.logList?.prepend(line);
    while (this.logList && this.logList.childElementCount > 120) this.logList.lastElementChild?.remove();
  }

  // ---- drawing ----

  #render() {
    const view = this.view;
    if (!view) return;
    set(this, "data", { version: view.version, phase: view.turn?.phase ?? view.status, status: view.status, round: view.round, ready: this.moves.length ? "yes" : null });
    const waiting = view.status === "waiting";
    write(this.bar?.title, t(`preset.${view.ruleset.preset}`));
    write(this.bar?.sub, waiting ? t("bar.waiting") : t("bar.round", { round: view.round, target: view.ruleset.options.target }));
    this.seats?.update(view, this.live?.presence ?? new Map());
    this.waitingZone.hidden = !waiting;
    this.piles.hidden = waiting;
    this.meldZone.hidden = waiting;
    if (waiting) this.#renderWaiting(view);
    else this.#renderFelt(view);
    this.#renderMe(view);
    this.#tick();
  }

  /** @param {View} view */
  #renderWaiting(view) {
    const key = JSON.stringify([view.seats.map((seat) => [seat.status, seat.player?.id]), view.your_seats]);
    if (this.waitingShown === key) return;
    this.waitingShown = key;
    this.waitingZone.replaceChildren(...[this.host?.waiting(view)].flat());
  }

  /** @param {View} view */
  #renderFelt(view) {
    const moves = this.moves;
    const facts = this.facts;
    const canDraw = moves.some((move) => move.type === "draw" && move.from === "stock");
    set(this.stock, "data", { count: view.stock_count, on: canDraw ? "yes" : null });
    set(this.stock, "aria-label", t("stock.label", { n: view.stock_count }));
    set(this.stock, "aria-disabled", canDraw ? null : "true");
    this.stock.classList.toggle("empty", view.stock_count === 0);
    write(this.stockCount, count(view.stock_count));
    const reach = this.pointed === null ? -1 : view.pile.indexOf(this.pointed);
    this.pile?.update(
      view.pile.map((code, index) => {
        const fact = facts.get(code);
        const along = reach >= 0 && index >= reach && facts.get(this.pointed ?? "")?.legal;
        return { code, state: `${fact?.legal ? "offered" : ""}${along ? " along" : ""}${fact && !fact.legal ? " barred" : ""}`, label: this.#pileWords(code, fact) };
      }),
    );
    const discard = this.#singlePick() && offers.discardOf(moves, this.#singlePick() ?? "");
    this.pileZone.classList.toggle("target", Boolean(discard));
    set(this.pileZone, "data", { count: view.pile.length });
    if (reach < 0) this.#point(null, "touch");
    const one = this.#singlePick();
    this.melds?.update(view, new Set(one ? offers.layOffs(moves, one).map((move) => move.meld) : []));
    this.meldZone.classList.toggle("none", !view.melds.length);
    this.#renderCall(view);
  }

  /** @param {string} code @param {Fact | undefined} fact */
  #pileWords(code, fact) {
    if (!fact) return cardName(code);
    if (!fact.legal) return t("pile.barred", { card: cardName(code) });
    return t("pile.takes", { card: cardName(code), n: fact.takes });
  }

  /** @param {View} view */
  #renderCall(view) {
    const asked = view.call !== null;
    this.callZone.hidden = !asked;
    if (!view.call) return;
    const mine = this.moves.filter((move) => move.type === "call_rummy");
    const key = JSON.stringify([view.version, mine.length, this.sending]);
    if (this.callShown === key) return;
    this.callShown = key;
    const names = view.call.waiting.map((seat) => nameOf(view, seat));
    this.callClock = h("b", { class: "countdown" });
    this.callZone.replaceChildren(
      h("p", { class: "call-words" }, t(mine.length ? "call.ask" : "call.wait", { names: names.join(", ") }), " ", this.callClock),
      h(
        "div",
        { class: "row" },
        mine.map((move) => h("button", { type: "button", class: "main", data: { action: "call", value: /** @type {any} */ (move).card }, onclick: () => this.#play(move, this.callZone) }, t("call.card", { card: short(/** @type {any} */ (move).card) }))),
        mine.length ? h("button", { type: "button", data: { action: "pass" }, onclick: () => this.#play({ type: "pass" }, this.callZone) }, t("action.pass")) : null,
      ),
    );
  }

  /** @param {View} view */
  #renderMe(view) {
    const seat = this.seat;
    this.classList.toggle("watching", seat === null);
    const own = seat === null ? null : view.seats[seat];
    set(this.me, "data", { seat, by: seat, count: own?.hand_count ?? null, total: own?.total ?? null, points: own?.table_points ?? null, status: own?.status ?? null, turn: own && seatToAct(view) !== null ? "yes" : null });
    const cards = sorted(own?.hand ?? [], settings.sort, this.own);
    for (const card of this.picked) if (!cards.includes(card)) this.picked.delete(card);
    const barred = view.turn?.no_discard;
    this.hand?.update(
      cards.map((code) => {
        const owed = view.turn?.seat === seat && view.turn?.obligation === code;
        const words = [this.picked.has(code) ? "picked" : "", owed ? "owed" : "", barred === code && view.turn?.seat === seat ? "kept" : ""];
        return { code, state: words.filter(Boolean).join(" "), pressed: this.picked.has(code), label: owed ? t("card.owed", { card: cardName(code) }) : cardName(code) };
      }),
    );
    if (own) {
      set(this.me, "aria-label", seatWords(view, own, true));
      this.figures.replaceChildren(h("b", { class: "total" }, count(own.total)), h("span", { class: "round" }, own.table_points ? `+${count(own.table_points)}` : ""));
    }
    write(this.statusText, this.#statusWords(view));
    const how = t(`sort.${settings.sort}`);
    if (this.sortShown !== how) this.sortButton?.replaceChildren(icon("sort"), h("span", {}, how));
    this.sortShown = how;
    set(this.sortButton, "aria-label", t("sort.label", { how }));
    this.sortButton.hidden = !cards.length;
    this.#buttons();
  }

  /** @param {View} view */
  #statusWords(view) {
    if (view.status === "waiting") return t("status.waiting");
    if (view.status === "finished") return t("status.finished");
    const turn = view.turn;
    if (!turn) return t("status.dealing");
    const act = seatToAct(view);
    if (turn.phase === "call") return t(act === null ? "status.call_others" : "status.call");
    if (act === null) return t("status.other", { name: nameOf(view, turn.seat) });
    if (turn.phase === "draw") return t(view.stock_count ? "status.draw" : "status.draw_empty");
    if (turn.obligation) return t("status.owed", { card: short(turn.obligation) });
    const one = this.#singlePick();
    if (one && turn.no_discard === one) return t("status.kept", { card: short(one) });
    return t("status.play");
  }

  #buttons() {
    const view = this.view;
    if (!view || !this.actions) return;
    const moves = this.moves;
    const act = seatToAct(view) !== null && view.status === "playing";
    const phase = act ? view.turn?.phase : null;
    const one = this.#singlePick();
    /** @type {[string, string, boolean, boolean, () => void][]} */
    const list = [];
    if (phase === "draw") {
      const stock = moves.some((move) => move.type === "draw" && move.from === "stock");
      if (view.stock_count) list.push(["draw", t("action.draw"), stock, true, () => this.#drawStock()]);
      if (offers.some(moves, "pass")) list.push(["pass", t("action.pass"), true, false, () => this.#play({ type: "pass" }, this.actions)]);
    } else if (phase === "play") {
      const picked = [...this.picked];
      const fits = picked.length > 2 || (!picked.length && offers.some(moves, "meld"));
      list.push(["meld", t("action.meld"), fits, picked.length > 2 || Boolean(view.turn?.obligation && !picked.length && fits), () => this.#meldPicked()]);
      list.push(["lay-off", t("action.lay_off"), Boolean(one && offers.layOffs(moves, one).length), Boolean(one && offers.layOffs(moves, one).length), () => this.#layOffPicked()]);
      list.push(["discard", one ? t("action.discard_card", { card: short(one) }) : t("action.discard"), Boolean(one && offers.discardOf(moves, one)), Boolean(one && offers.discardOf(moves, one)), () => this.#discardPicked()]);
      if (offers.some(moves, "take_back")) list.push(["take-back", t("action.take_back"), true, false, () => this.#play({ type: "take_back" }, this.actions)]);
    }
    const key = JSON.stringify(list.map(([action, label, on, main]) => [action, label, on, main]));
    if (this.buttonsShown === key) return;
    this.buttonsShown = key;
    const had = /** @type {HTMLElement | null} */ (document.activeElement)?.closest?.(".actions") ? /** @type {HTMLElement} */ (document.activeElement).dataset.action : null;
    this.actions.replaceChildren(
      ...list.map(([action, label, on, main, onclick]) => h("button", { type: "button", class: main ? "main" : on ? "" : "dim", data: { action, on: on ? "yes" : null }, onclick }, label)),
    );
    if (had) this.actions.querySelector(`[data-action="${had}"]`)?.focus();
  }

  #tick() {
    const view = this.view;
    if (!view) return;
    const now = this.#now();
    this.seats?.tick(view, now);
    const own = this.seat === null ? undefined : view.seats[this.seat];
    if (own) {
      write(this.clock, clockText(view, own, now));
      const left = view.turn?.seat === this.seat && view.turn?.deadline ? Date.parse(view.turn.deadline) - now : Infinity;
      this.clock.classList.toggle("short", left < 10_000);
    }
    if (view.call && this.callClock) write(this.callClock, view.call.deadline ? span(Math.max(0, (Date.parse(view.call.deadline) - now) / 1000)) : "");
  }

  // ---- the pile ----

  /** @param {string | null} code @param {"mouse" | "touch" | "keys"} how */
  #point(code, how) {
    const fact = code ? this.facts.get(code) : undefined;
    const shown = fact ? code : null;
    if (shown === this.pointed && (shown === null) === this.peek.hidden) return;
    this.pointed = shown;
    this.peek.hidden = !fact;
    if (fact && code) this.peek.replaceChildren(...this.#peekWords(code, fact, how));
    if (this.view && shown !== null) this.#renderFelt(this.view);
    else if (this.view) for (const card of this.pile?.querySelectorAll(".along") ?? []) card.classList.remove("along");
  }

  /** @param {string} code @param {Fact} fact @param {string} how */
  #peekWords(code, fact, how) {
    if (!fact.legal) return [h("p", {}, t("pile.barred", { card: short(code) }))];
    const ways = fact.pays.slice(0, 3).map((move) => {
      const names = move.type === "meld" ? move.cards : move.type === "lay_off" ? [move.card] : [];
      return h("li", {}, move.type === "lay_off" ? t("pile.lay_off") : null, meldLabel(names));
    });
    return [
      h("p", {}, h("b", {}, t("pile.takes", { card: short(code), n: fact.takes })), fact.points ? ` ${t("pile.points", { n: fact.points })}` : ""),
      ways.length ? h("ul", {}, ways, fact.pays.length > 3 ? h("li", {}, t("pile.more", { n: fact.pays.length - 3 })) : null) : null,
      how === "mouse" ? null : h("button", { type: "button", class: "main", data: { action: "take", value: code }, onclick: () => this.#take(code) }, t("action.take", { n: fact.takes })),
    ].filter(Boolean);
  }

  /** @param {string} code @param {"mouse" | "touch" | "keys"} how */
  #pileChosen(code, how) {
    if (this.view?.turn?.phase === "play" && this.#singlePick()) return this.#discardPicked();
    const fact = this.facts.get(code);
    if (fact?.legal && how !== "touch") return this.#take(code);
    if (fact) return this.#point(code, how);
    if (seatToAct(this.view) !== null && this.view?.turn?.phase === "play") this.#tip(t("tip.pick_to_discard"), this.pile);
  }

  /** @param {string} code */
  #take(code) {
    this.#point(null, "touch");
    this.#play({ type: "draw", from: "pile", card: code }, this.pile?.querySelector(`[data-card="${code}"]`) ?? this.pile);
  }

  #drawStock() {
    if (this.moves.some((move) => move.type === "draw" && move.from === "stock")) this.#play({ type: "draw", from: "stock" }, this.stock);
  }

  // ---- the hand ----

  #singlePick() {
    return this.picked.size === 1 ? [...this.picked][0] ?? null : null;
  }

  /** @param {string} code */
  #pick(code) {
    if (!this.picked.delete(code)) this.picked.add(code);
    this.#tip(null);
    this.#render();
  }

  /** @param {string[]} cards */
  #pickAll(cards) {
    this.picked = new Set(cards);
    this.#render();
  }

  #nextSort() {
    const next = SORTS[(SORTS.indexOf(settings.sort) + 1) % SORTS.length];
    if (next === "own") this.#keepOrder(this.#order());
    remember({ sort: next });
    this.#render();
  }

  /** The hand as it lies. */
  #order() {
    return this.hand?.items.map((item) => item.code) ?? [];
  }

  /** @param {string[]} order */
  #keepOrder(order) {
    this.own = order;
    keepHandOrder(this.gameId ?? "", order);
  }

  /** @param {string} code @param {number} by */
  #shift(code, by) {
    const order = this.#order();
    const at = order.indexOf(code);
    const to = at + by;
    if (at < 0 || to < 0 || to >= order.length) return;
    order.splice(at, 1);
    order.splice(to, 0, code);
    this.#keepOrder(order);
    if (settings.sort !== "own") remember({ sort: "own" });
    this.#render();
    this.hand?.focusCard(code);
  }

  // ---- melds, lay-offs, discards ----

  async #meldPicked() {
    const picked = [...this.picked];
    if (!picked.length) {
      const [first] = offers.suggestions(this.moves, this.view?.turn?.obligation ?? null);
      if (!first) return this.#tip(t("tip.no_melds"), this.actions);
      this.#pickAll(first);
      return this.#tip(t("tip.suggested"), this.actions);
    }
    if (picked.length < 3) return this.#tip(t("tip.pick_three"), this.actions);
    const listed = offers.meldsOf(this.moves, picked);
    const jokers = picked.some((card) => card[0] === "X");
    if (listed.length === 1 && !jokers && listed[0]) return this.#play(listed[0], this.actions);
    if (listed.length > 1 && !jokers) return this.#askMeld(listed, picked);
    return this.#play({ type: "meld", cards: picked }, this.actions, () => this.#askMeld(listed, picked));
  }

  /** Which of several readings is meant. @param {Extract<Move, {type: "meld"}>[]} listed @param {string[]} picked */
  async #askMeld(listed, picked) {
    const jokers = picked.filter((card) => card[0] === "X");
    const options = listed.map((move) => ({ label: meldLabel(move.cards, move.ace), value: /** @type {any} */ (move) }));
    if (jokers.length) options.push({ label: t(options.length ? "ask.other" : "ask.name_joker"), value: "other" });
    if (!options.length) return this.#askAce({ type: "meld", cards: picked });
    const answer = options.length === 1 && options[0]?.value === "other" ? "other" : await choose(t("ask.meld"), options);
    if (answer && answer !== "other") return this.#play(answer, this.actions);
    if (answer === "other") this.#nameJokers(picked, jokers);
  }

  /** @param {string[]} picked @param {string[]} jokers */
  async #nameJokers(picked, jokers) {
    const naturals = picked.filter((card) => card[0] !== "X");
    /** @type {Map<string, string>} */
    const names = new Map();
    for (const joker of jokers) {
      const as = await askJoker(joker, naturals);
      if (!as) return;
      names.set(joker, as);
    }
    /** @type {Extract<Move, {type: "meld"}>} */
    const move = { type: "meld", cards: picked.map((card) => (names.has(card) ? `${card}=${names.get(card)}` : card)) };
    this.#play(move, this.actions, () => this.#askAce(move));
  }

  /** @param {Extract<Move, {type: "meld"}>} move */
  async #askAce(move) {
    const ace = await choose(t("ask.ace"), /** @type {const} */ (["low", "high"]).map((end) => ({ label: t(`ace.${end}`), value: end })));
    if (ace) this.#play({ ...move, ace }, this.actions);
  }

  /** @param {string} meld @param {Element} element */
  #meldChosen(meld, element) {
    const one = this.#singlePick();
    if (!one) return this.picked.size ? this.#tip(t("tip.one_to_lay_off"), element) : undefined;
    if (seatToAct(this.view) === null || this.view?.turn?.phase !== "play") return;
    this.#layOff(one, meld, element);
  }

  /** @param {string} card @param {string} meld @param {Element} element */
  async #layOff(card, meld, element) {
    const listed = offers.layOffs(this.moves, card, meld);
    if (listed.length > 1) return this.#askLayOff(listed);
    this.#play(listed[0] ?? { type: "lay_off", card, meld }, element, () => this.#askEnd(card, meld, element));
  }

  /** @param {Extract<Move, {type: "lay_off"}>[]} listed */
  async #askLayOff(listed) {
    const move = await choose(t("ask.lay_off"), listed.map((each) => ({ label: this.#layOffLabel(each), value: each })));
    if (move) this.#play(move, this.melds?.querySelector(`[data-meld="${move.meld}"]`) ?? this.melds);
  }

  /** @param {Extract<Move, {type: "lay_off"}>} move */
  #layOffLabel(move) {
    const meld = this.view?.melds.find((each) => each.id === move.meld);
    const cards = meld?.cards.map((laid) => (laid.as ? `${laid.card}=${laid.as}` : laid.card)) ?? [];
    return [meldLabel([move.card]), h("span", {}, move.end ? t(`end.${move.end}`) : t("end.to")), meldLabel(cards)];
  }

  /** @param {string} card @param {string} meld @param {Element} element */
  async #askEnd(card, meld, element) {
    const end = await choose(t("ask.lay_off"), /** @type {const} */ (["low", "high"]).map((each) => ({ label: t(`end.${each}`), value: each })));
    if (end) this.#play({ type: "lay_off", card, meld, end }, element);
  }

  #layOffPicked() {
    const one = this.#singlePick();
    if (!one) return this.#tip(t("tip.one_to_lay_off"), this.actions);
    const listed = offers.layOffs(this.moves, one);
    if (!listed.length) return this.#tip(t("tip.no_lay_off", { card: short(one) }), this.actions);
    if (listed.length === 1 && listed[0]) return this.#play(listed[0], this.actions);
    return this.#askLayOff(listed);
  }

  #discardPicked() {
    const one = this.#singlePick();
    if (!one || seatToAct(this.view) === null || this.view?.turn?.phase !== "play") return this.#tip(t("tip.pick_to_discard"), this.actions);
    this.#play({ type: "discard", card: one }, this.hand?.querySelector(`[data-card="${one}"]`) ?? this.actions);
  }

  /**
   * Sends a move. A refusal is explained beside what was touched; one that says `ambiguous` may ask instead.
   * @param {Move} move @param {Element | null | undefined} beside @param {() => void} [ambiguous]
   */
  async #play(move, beside, ambiguous) {
    if (this.sending || !this.live) return;
    this.sending = true;
    this.pace?.skip();
    this.#tip(null);
    this.classList.add("sending");
    try {
      await this.live.move(move);
      this.picked.clear();
    } catch (error) {
      if (error instanceof Problem && error.code === "ambiguous" && ambiguous) ambiguous();
      else this.#tip(this.#words(error), beside);
    } finally {
      this.sending = false;
      this.classList.remove("sending");
      this.#render();
    }
  }

  /** An error in the player's words. @param {unknown} error */
  #words(error) {
    return refusalWords(error);
  }

  /** Says something beside an element. @param {string | null} text @param {Element | null} [beside] */
  #tip(text, beside) {
    if (!this.alert) return;
    this.alert.hidden = !text;
    clearTimeout(this.tipTimer);
    if (!text) return write(this.alert, "");
    write(this.alert, text);
    const box = (beside ?? this).getBoundingClientRect();
    const width = this.alert.offsetWidth;
    const left = Math.max(8, Math.min(innerWidth - width - 8, box.left + box.width / 2 - width / 2));
    const above = box.top - this.alert.offsetHeight - 10;
    this.alert.style.transform = `translate(${Math.round(left)}px, ${Math.round(above > 50 ? above : Math.min(box.bottom + 10, innerHeight - 80))}px)`;
    this.tipTimer = setTimeout(() => this.#tip(null), 7_000);
  }

  // ---- dragging ----

  /** @param {string} code @param {PointerEvent} begun */
  #lift(code, begun) {
    const group = this.picked.has(code) && this.picked.size > 2 ? this.#order().filter((card) => this.picked.has(card)) : [code];
    const ghost = h("div", { class: "dragged", "aria-hidden": "true" }, group.map((card) => h("span", { class: "card", data: { suit: parts(card).suit } }, face(card))));
    document.body.append(ghost);
    const lifted = group.map((card) => this.hand?.querySelector(`[data-card="${card}"]`));
    for (const card of lifted) card?.classList.add("lifted");
    this.classList.add("dragging");
    if (group.length === 1) this.#dragOffers(code);
    /** @type {Element | null} */
    let over = null;
    /** @param {PointerEvent} event */
    const move = (event) => {
      event.preventDefault();
      ghost.style.transform = `translate(${event.clientX - ghost.offsetWidth / 2}px, ${event.clientY - ghost.offsetHeight * 0.75}px)`;
      const target = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-meld], [data-zone]") ?? null;
      if (target !== over) over?.classList.remove("over");
      over = target;
      over?.classList.add("over");
    };
    /** @param {PointerEvent} event */
    const end = (event) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      ghost.remove();
      over?.classList.remove("over");
      for (const card of lifted) card?.classList.remove("lifted");
      this.classList.remove("dragging");
      if (event.type === "pointerup") this.#drop(group, over, event);
      else this.#render();
    };
    move(begun);
    addEventListener("pointermove", move, { passive: false });
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** Shows where a dragged card may go. @param {string} code */
  #dragOffers(code) {
    const moves = this.moves;
    if (this.view) this.melds?.update(this.view, new Set(offers.layOffs(moves, code).map((move) => move.meld)));
    this.pileZone.classList.toggle("target", Boolean(offers.discardOf(moves, code)));
  }

  /** @param {string[]} group @param {Element | null} over @param {PointerEvent} event */
  #drop(group, over, event) {
    const zone = over instanceof HTMLElement ? over.dataset.zone : undefined;
    const meld = over instanceof HTMLElement ? over.dataset.meld : undefined;
    const acting = seatToAct(this.view) !== null && this.view?.turn?.phase === "play";
    const [code] = group;
    if (!code) return;
    if (zone === "hand") return this.#reorder(group, event);
    if (!acting) return this.#render();
    if (group.length > 2 && (zone === "melds" || meld)) return void this.#meldPicked();
    if (group.length > 1) return this.#render();
    this.#pickAll([code]);
    if (meld && over) this.#layOff(code, meld, over);
    else if (zone === "pile") this.#discardPicked();
  }

  /** @param {string[]} group @param {PointerEvent} event */
  #reorder(group, event) {
    const rest = this.#order().filter((card) => !group.includes(card));
    const boxes = rest.map((card) => /** @type {Element} */ (this.hand?.querySelector(`[data-card="${card}"]`)).getBoundingClientRect());
    const row = boxes.reduce((best, box) => (Math.abs(box.top + 30 - event.clientY) < Math.abs(best - event.clientY) ? box.top + 30 : best), 1e6);
    let at = rest.length;
    boxes.forEach((box, index) => {
      if (Math.abs(box.top + 30 - row) < 2 && at === rest.length && event.clientX < box.left + 12) at = index;
    });
    const last = boxes.map((box, index) => (Math.abs(box.top + 30 - row) < 2 ? index : -1)).reduce((a, b) => Math.max(a, b), -1);
    if (at === rest.length && last >= 0) at = last + 1;
    rest.splice(at, 0, ...group);
    this.#keepOrder(rest);
    if (settings.sort !== "own") remember({ sort: "own" });
    this.#render();
  }

  // ---- keys ----

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape") {
      if (this.pace?.busy) this.pace.skip();
      this.#point(null, "keys");
      this.#tip(null);
      return this.#pickAll([]);
    }
    if (!settings.keys || event.ctrlKey || event.metaKey || event.altKey || /** @type {Element} */ (event.target).matches("input, select, textarea")) return;
    const commands = {
      d: () => this.#drawStock(),
      p: () => this.pile?.focusCard(this.view?.pile[this.view.pile.length - 1]),
      h: () => this.hand?.focusCard(),
      b: () => /** @type {HTMLElement | null} */ (this.melds?.querySelector('[tabindex="0"]'))?.focus(),
      m: () => this.#meldPicked(),
      l: () => this.#layOffPicked(),
      x: () => this.#discardPicked(),
      t: () => /** @type {HTMLElement | null} */ (this.actions.querySelector('[data-action="take-back"]'))?.click(),
      r: () => /** @type {HTMLElement | null} */ (this.callZone.querySelector('[data-action="call"]'))?.click(),
      n: () => /** @type {HTMLElement | null} */ (this.querySelector('[data-action="pass"]'))?.click(),
      s: () => this.#nextSort(),
      c: () => this.view && scores(this.view),
      g: () => this.classList.toggle("log-open"),
      "?": () => keySheet(),
    };
    const command = commands[/** @type {keyof typeof commands} */ (event.key.toLowerCase())];
    if (!command) return;
    event.preventDefault();
    command();
  }

  /** The network went, or came back. */
  network() {
    if (this.live && this.live.status !== "closed") this.#line({ status: this.live.status, code: null });
  }

  /** The page is shown again, or the network is back. */
  wake() {
    this.live?.wake();
    this.network();
  }
}
customElements.define("r5-table", Table);

/** An error in the player's words: by its code, the card beside it. @param {unknown} error */
export function refusalWords(error) {
  if (!(error instanceof Problem)) return t("refusal.offline");
  const key = `refusal.${error.code}`;
  const words = t(key);
  return words === key ? error.message : words;
}
void cardNames;
