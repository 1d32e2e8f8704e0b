/** The first page: one tap to the first card; friends, open tables and games to go on with below. */
import { picture } from "./cards.js";
import { rulesSheet, sheet } from "./dialogs.js";
import { h, icon, set } from "./dom.js";
import { houseRules } from "./house.js";
import { nameOf } from "./say.js";
import { change as remember, settings } from "./settings.js";
import { refusalWords } from "./table.js";
import { ago, count, list, t } from "./words.js";

/** @typedef {import("../sdk/types.js").Summary} Summary */

const PRESETS = ["classic", "pagat", "party", "nickel", "house_float", "partnership"];
const LEVELS = ["easy", "normal", "expert"];

/** The last choice, or the first one. */
function lastChoice() {
  const kept = settings.game ?? {};
  return {
    cpus: Number.isInteger(kept.cpus) ? Math.min(7, Math.max(1, kept.cpus)) : 1,
    level: LEVELS.includes(kept.level) ? kept.level : "easy",
    preset: PRESETS.includes(kept.preset) ? kept.preset : "classic",
    options: kept.options && typeof kept.options === "object" ? kept.options : {},
  };
}

/** A row of buttons of which one is chosen. @param {{label: string, name: string, values: {value: any, label: string}[], value: any, choose: (value: any) => void}} props */
export function segments({ label, name, values, value, choose }) {
  const row = h("div", { class: values.length > 5 ? "segments many" : "segments", role: "radiogroup", "aria-label": label });
  const pick = (/** @type {any} */ next) => {
    for (const button of row.children) {
      const on = button.dataset.value === String(next);
      set(button, "aria-checked", String(on));
      button.tabIndex = on ? 0 : -1;
    }
  };
  row.append(
    ...values.map((each, index) =>
      h("button", { type: "button", role: "radio", data: { action: name, value: each.value }, onclick: () => (pick(each.value), choose(each.value)), onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        const next = /** @type {HTMLElement} */ (row.children[(index + by + values.length) % values.length]);
        next.focus();
        next.click();
      } }, each.label),
    ),
  );
  pick(value);
  return row;
}

export class Start extends HTMLElement {
  /** @param {import("../sdk/client.js").Client} client @param {import("./app.js").App} app */
  begin(client, app) {
    this.client = client;
    this.app = app;
    this.choice = lastChoice();
    this.rulesets = client.rulesets().catch(() => null);
    this.#build();
    this.#games();
    this.#open();
    if (client.token) this.notices = client.notices((notice) => notice.type !== "message" && this.#games());
  }

  disconnectedCallback() {
    this.lobby?.close();
    this.notices?.close();
    clearInterval(this.refresh);
  }

  #build() {
    this.problem = h("p", { class: "problem", role: "alert" });
    this.seatNote = h("p", { class: "hint" });
    this.extra = h("div", { class: "more" });
    this.play = h("button", { type: "button", class: "main huge", data: { action: "play" }, onclick: () => this.#play() }, t("start.play"));
    this.mine = h("section", { class: "panel", hidden: true });
    this.tables = h("section", { class: "panel tables" });
    this.replaceChildren(
      h("header", { class: "bar start-bar" }, h("span", { class: "brand", "aria-hidden": "true" }), h("div", { class: "bar-words" }, h("h1", {}, "Rummy 500")), h("button", { type: "button", class: "quiet", "aria-label": t("settings"), title: t("settings"), data: { action: "settings" }, onclick: () => this.app?.settings() }, icon("gear"))),
      h(
        "main",
        { class: "start" },
        h(
          "section",
          { class: "hero" },
          h("div", { class: "fan", "aria-hidden": "true" }, ["9H", "TH", "JH", "QH", "KH"].map((card) => picture(card))),
          h("p", { class: "tagline" }, t("start.tagline")),
          this.play,
          this.seatNote,
          this.problem,
        ),
        h(
          "section",
          { class: "panel choose" },
          h("h2", {}, t("start.game")),
          h("div", { class: "line" }, h("span", {}, t("start.opponents")), segments({ label: t("start.opponents"), name: "cpus", values: [1, 2, 3, 4, 5, 6, 7].map((value) => ({ value, label: count(value) })), value: this.choice.cpus, choose: (cpus) => this.#choose({ cpus }) })),
          h("div", { class: "line" }, h("span", {}, t("start.level")), segments({ label: t("start.level"), name: "level", values: LEVELS.map((value) => ({ value, label: t(`level.${value}`) })), value: this.choice.level, choose: (level) => this.#choose({ level }) })),
          h("div", { class: "presets", role: "radiogroup", "aria-label": t("start.preset") }, PRESETS.map((preset) => this.#preset(preset))),
          this.extra,
        ),
        this.mine,
        h(
          "section",
          { class: "panel friends" },
          h("h2", {}, t("friends.title")),
          h("p", { class: "hint" }, t("friends.hint")),
          h("div", { class: "row" }, h("button", { type: "button", data: { action: "friends" }, onclick: () => this.#friends() }, t("friends.make"))),
          h("form", { class: "row code", onsubmit: (/** @type {Event} */ event) => this.#code(event) }, h("label", { class: "unseen", for: "code" }, t("friends.code")), h("input", { id: "code", name: "code", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: t("friends.code") }), h("button", { data: { action: "join-code" } }, t("friends.join"))),
        ),
        this.tables,
      ),
    );
    this.#shown();
  }

  /** @param {string} preset */
  #preset(preset) {
    return h("button", { type: "button", role: "radio", class: "preset", data: { action: "preset", value: preset }, onclick: () => this.#choose({ preset, options: {} }) }, h("b", {}, t(`preset.${preset}`)), h("small", {}, t(`preset.${preset}.about`)));
  }

  /** @param {object} change */
  #choose(change) {
    Object.assign(this.choice, change);
    remember({ game: this.choice });
    this.#shown();
  }

  /** Shows what is chosen. */
  #shown() {
    const { cpus, level, preset, options } = this.choice;
    for (const button of this.querySelectorAll(".preset")) set(button, "aria-checked", String(/** @type {HTMLElement} */ (button).dataset.value === preset));
    const changed = Object.keys(options).length;
    this.seatNote.textContent = [t("start.against", { n: cpus, level: t(`level.${level}`) }), t(`preset.${preset}`), changed ? t("start.changed", { n: changed }) : ""].filter(Boolean).join(" · ");
    const house = h("details", { class: "house-box", open: this.querySelector(".house-box")?.hasAttribute("open") ?? false }, h("summary", {}, t("start.house")));
    this.rulesets?.then((rulesets) => {
      const base = rulesets?.items.find((/** @type {any} */ item) => item.preset === preset);
      if (base) house.append(houseRules({ preset: base.options, schema: rulesets.schema, chosen: options, onChange: (next) => this.#house(next) }));
    });
    this.extra?.replaceChildren(h("div", { class: "row" }, h("button", { type: "button", class: "link", data: { action: "rules" }, onclick: () => this.#rules() }, t("start.rules"))), house);
  }

  /** @param {Record<string, any>} options */
  #house(options) {
    this.choice.options = options;
    remember({ game: this.choice });
    const { cpus, level, preset } = this.choice;
    const changed = Object.keys(options).length;
    this.seatNote.textContent = [t("start.against", { n: cpus, level: t(`level.${level}`) }), t(`preset.${preset}`), changed ? t("start.changed", { n: changed }) : ""].filter(Boolean).join(" · ");
  }

  async #rules() {
    const { preset, options } = this.choice;
    const rulesets = await this.rulesets;
    const base = rulesets?.items.find((/** @type {any} */ item) => item.preset === preset);
    const said = await this.client?.rules(preset, options).catch(() => null);
    const all = said?.options ?? { ...base?.options, ...options };
    if (base || said) rulesSheet({ preset, options: all }, said?.text ?? null);
  }

  async #play() {
    const { cpus, level, preset, options } = this.choice;
    const seats = [{ kind: "me" }, ...Array.from({ length: cpus }, () => ({ kind: "cpu", level }))];
    await this.#make({ ruleset: { preset, options }, seats, visibility: "public", spectators: true });
  }

  /** @param {any} game */
  async #make(game) {
    this.play.disabled = true;
    this.problem.textContent = "";
    try {
      const view = await this.app?.as(async () => this.client?.createGame({ ...game, client_seed: crypto.randomUUID() }));
      if (view) this.app?.go(`#/table/${view.id}`, view);
    } catch (error) {
      this.#say(error);
    } finally {
      this.play.disabled = false;
    }
  }

  /** @param {unknown} error */
  #say(error) {
    const detail = /** @type {any} */ (error);
    const own = detail?.code === "bad_ruleset" ? ` ${detail.message}` : "";
    this.problem.textContent = refusalWords(error) + own;
    this.problem.scrollIntoView({ block: "nearest" });
  }

  // ---- friends ----

  #friends() {
    const form = { seats: 2, cpus: 0, open: "private", clock: 0 };
    sheet(
      t("friends.title"),
      (close) => [
        h("div", { class: "line" }, h("span", {}, t("friends.people")), segments({ label: t("friends.people"), name: "people", values: [2, 3, 4, 5, 6, 7, 8].map((value) => ({ value, label: count(value) })), value: 2, choose: (seats) => (form.seats = seats) })),
        h("div", { class: "line" }, h("span", {}, t("friends.cpus")), segments({ label: t("friends.cpus"), name: "friend-cpus", values: [0, 1, 2, 3, 4].map((value) => ({ value, label: count(value) })), value: 0, choose: (cpus) => (form.cpus = cpus) })),
        h("div", { class: "line" }, h("span", {}, t("friends.who")), segments({ label: t("friends.who"), name: "visibility", values: ["private", "public"].map((value) => ({ value, label: t(`friends.${value}`) })), value: "private", choose: (open) => (form.open = open) })),
        h("div", { class: "line" }, h("span", {}, t("friends.clock")), segments({ label: t("friends.clock"), name: "clock", values: [0, 60, 120, 86400].map((value) => ({ value, label: t(`clock.${value}`) })), value: 0, choose: (clock) => (form.clock = clock) })),
        h("p", { class: "hint" }, t("friends.game", { name: t(`preset.${this.choice.preset}`) })),
        h("div", { class: "row end" }, h("button", { type: "button", class: "main", data: { action: "make-table" }, onclick: () => close(form) }, t("friends.make"))),
      ],
      { name: "friends" },
    ).then((made) => made && this.#makeTable(made));
  }

  /** @param {{seats: number, cpus: number, open: string, clock: number}} form */
  #makeTable({ seats, cpus, open, clock }) {
    const { level, preset, options } = this.choice;
    const spare = Math.min(cpus, 8 - seats);
    const list = [{ kind: "me" }, ...Array.from({ length: seats - 1 }, () => ({ kind: "open" })), ...Array.from({ length: spare }, () => ({ kind: "cpu", level }))];
    this.#make({ ruleset: { preset, options }, seats: list, visibility: open, spectators: true, clock: clock ? { turn_seconds: clock, bank_seconds: clock } : null });
  }

  /** @param {Event} event */
  #code(event) {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (this.querySelector("#code"));
    const text = input.value.trim();
    const link = /#\/(join|table|watch)\/([^/\s]+)(?:\/([^/\s]+))?/.exec(text);
    const pair = /^([\w-]{8,})\.([\w-]+)$/.exec(text);
    if (link) location.hash = link[0];
    else if (pair) location.hash = `#/join/${pair[1]}/${pair[2]}`;
    else this.#shortCode(text);
  }

  /** A public table by the beginning of its id. @param {string} text */
  async #shortCode(text) {
    const found = text.length > 3 ? (await this.client?.games({ status: "waiting", limit: 100 }).catch(() => null))?.items.find((item) => item.id.toLowerCase().startsWith(text.toLowerCase())) : null;
    if (found) location.hash = `#/join/${found.id}`;
    else this.problem.textContent = t("friends.no_code");
  }

  // ---- lists ----

  async #games() {
    if (!this.client?.token) return;
    const answer = await this.client.games({ mine: true, limit: 12 }).catch(() => null);
    const items = answer?.items.filter((item) => item.status !== "finished") ?? [];
    this.mine.hidden = !items.length;
    this.mine.replaceChildren(h("h2", {}, t("mine.title")), h("ul", { class: "games" }, items.map((item) => this.#gameRow(item, true))));
  }

  /** @param {Summary} item @param {boolean} mine */
  #gameRow(item, mine) {
    const names = item.seats.filter((seat) => seat.player && !item.your_seats.includes(seat.seat)).map((seat) => nameOf(/** @type {any} */ (item), seat.seat));
    const open = item.seats.filter((seat) => seat.kind === "open").length;
    const state = item.your_turn ? t("mine.turn") : item.status === "waiting" ? t("tables.open", { n: open }) : ago(item.updated_at);
    const button = (/** @type {string} */ action, /** @type {string} */ hash, /** @type {string} */ label) => h("a", { class: "button", href: hash, data: { action, game: item.id } }, label);
    return h(
      "li",
      { class: item.your_turn ? "turn" : "" },
      h("span", { class: "game-words" }, h("b", {}, t(`preset.${item.ruleset.preset}`)), h("span", {}, names.length ? list(names) : t("tables.nobody")), h("small", {}, state)),
      mine ? button("resume", `#/table/${item.id}`, t("mine.resume")) : null,
      !mine && open ? button("join", `#/join/${item.id}`, t("tables.join")) : null,
      !mine && !open && item.spectators ? button("watch", `#/table/${item.id}`, t("tables.watch")) : null,
    );
  }

  #open() {
    const draw = (/** @type {Summary[]} */ items) => {
      const shown = items.filter((item) => !item.your_seats.length && (item.status === "waiting" || (item.status === "playing" && item.seats.filter((seat) => seat.kind === "person").length > 1)));
      shown.sort((a, b) => Number(b.status === "waiting") - Number(a.status === "waiting") || b.updated_at.localeCompare(a.updated_at));
      this.tables?.replaceChildren(
        h("h2", {}, t("tables.title")),
        shown.length ? h("ul", { class: "games" }, shown.slice(0, 20).map((item) => this.#gameRow(item, false))) : h("p", { class: "hint" }, t("tables.none")),
        h("div", { class: "row" }, h("button", { type: "button", data: { action: "quick" }, onclick: () => this.#quick() }, t("tables.quick"))),
      );
    };
    draw([]);
    const ask = () => this.client?.games({ limit: 50 }).then(({ items }) => draw(items), () => {});
    const live = this.client?.lobby((games, status) => status === "live" && draw([...games.values()]));
    if (live) this.lobby = live;
    else {
      ask();
      this.refresh = setInterval(ask, 15_000);
    }
  }

  async #quick() {
    try {
      const { preset, options } = this.choice;
      const view = await this.app?.as(async () => this.client?.quick({ ruleset: { preset, options }, seats: Math.max(2, this.choice.cpus + 1), fill_after: 20 }));
      if (view) this.app?.go(`#/table/${view.id}`, view);
    } catch (error) {
      this.#say(error);
    }
  }
}
customElements.define("r5-start", Start);
