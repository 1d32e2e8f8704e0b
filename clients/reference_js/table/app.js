/** The page: who plays, where we are, what the title says; everything else is the start page's and the table's. */
import { Client } from "../sdk/client.js";
import { seatToAct } from "../sdk/live.js";
import { Problem } from "../sdk/problems.js";
import { closeSheets, keySheet, rulesSheet, sheet, sure } from "./dialogs.js";
import { h } from "./dom.js";
import { change, dress, settings, token } from "./settings.js";
import { segments } from "./start.js";
import { Start } from "./start.js";
import { Table, refusalWords } from "./table.js";
import { share, waitingRoom, watchLink } from "./waiting.js";
import { LANGUAGES, endonym, preferred, speak, t } from "./words.js";

export class App {
  constructor() {
    this.client = new Client({ token: token.get() });
    /** @type {any} */
    this.page = null;
    /** @type {import("../sdk/types.js").View | null} */
    this.ready = null;
  }

  async begin() {
    dress();
    await speak(settings.language || preferred());
    addEventListener("hashchange", () => this.#route());
    document.addEventListener("visibilitychange", () => !document.hidden && this.page?.wake?.());
    addEventListener("online", () => this.page?.wake?.());
    addEventListener("offline", () => this.page?.network?.());
    addEventListener("pageshow", (event) => event.persisted && this.page?.wake?.());
    await this.#route();
  }

  /** Makes sure there is a player; a token that has ended makes a new guest. */
  async identify() {
    if (this.client.token) return;
    await this.client.register();
    token.set(this.client.token);
  }

  /**
   * Does something as this device's player; where the server no longer knows the player, as a new guest.
   * @template T @param {() => Promise<T>} does @returns {Promise<T>}
   */
  async as(does) {
    await this.identify();
    try {
      return await does();
    } catch (error) {
      if (!(error instanceof Problem && error.code === "unauthenticated")) throw error;
      this.client.token = null;
      await this.identify();
      return does();
    }
  }

  /** @param {string} hash @param {import("../sdk/types.js").View} [view] the table's view, where it is at hand */
  go(hash, view) {
    this.ready = view ?? null;
    if (location.hash === hash) this.#route();
    else location.hash = hash;
  }

  async #route() {
    closeSheets();
    this.#turn(null);
    const [, place, id, code] = location.hash.split("/");
    try {
      if (place === "table" && id) this.#table(id, {});
      else if (place === "watch" && id) this.#table(id, { watch: code });
      else if (place === "join" && id) await this.#join(id, code);
      else this.#start();
    } catch (error) {
      this.#start();
      if (this.page) this.page.problem.textContent = refusalWords(error);
    }
  }

  /** @param {HTMLElement} page */
  #show(page) {
    this.page = page;
    document.body.replaceChildren(page);
    document.body.dataset.page = page.localName;
  }

  #start() {
    const page = /** @type {Start} */ (h("r5-start"));
    page.begin(this.client, this);
    this.#show(page);
    if (this.client.token) this.client.me().catch((error) => error instanceof Problem && error.code === "unauthenticated" && this.#forget());
  }

  /** The token is no longer good: the next game makes a new guest. */
  #forget() {
    this.client.token = null;
    token.set(null);
    this.#start();
  }

  /** @param {string} id @param {{watch?: string}} options */
  #table(id, options) {
    const page = /** @type {Table} */ (h("r5-table"));
    const view = this.ready?.id === id ? this.ready : undefined;
    this.ready = null;
    this.#show(page);
    page.begin(this.client, id, { ...options, view }, {
      home: () => (location.hash = "#/"),
      menu: () => this.#menu(),
      open: (next) => this.go(`#/table/${next}`),
      waiting: (at) => waitingRoom(at, { take: (seat) => this.#sit(id, { seat }), leave: () => this.#leave(id) }),
      turn: (at) => this.#turn(at),
    });
  }

  /** @param {string} id @param {string | undefined} invite */
  async #join(id, invite) {
    try {
      this.ready = await this.as(() => this.client.takeSeat(id, { invite, client_seed: crypto.randomUUID() }));
    } catch (error) {
      const known = error instanceof Problem && ["already_seated", "seat_taken", "game_not_running"].includes(error.code);
      if (!known) throw error;
    }
    location.replace(`#/table/${id}`);
  }

  /** @param {string} id @param {{seat: number}} where */
  async #sit(id, where) {
    try {
      const view = await this.as(() => this.client.takeSeat(id, { ...where, client_seed: crypto.randomUUID() }));
      this.go(`#/table/${id}`, view);
    } catch (error) {
      sheet(refusalWords(error), () => [], { name: "refused" });
    }
  }

  /** @param {string} id */
  async #leave(id) {
    if (!(await sure(t("leave.sure"), t("leave.yes")))) return;
    try {
      await this.client.leave(id);
      location.hash = "#/";
    } catch (error) {
      sheet(refusalWords(error), () => [], { name: "refused" });
    }
  }

  /** Title and icon say whose turn it is. @param {import("../sdk/types.js").View | null} view */
  #turn(view) {
    const mine = view?.status === "playing" && seatToAct(view) !== null;
    document.title = mine ? t("title.turn") : "Rummy 500";
    const link = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));
    const wanted = mine ? "/table/icon-turn.svg" : "/table/icon.svg";
    if (link && link.getAttribute("href") !== wanted) link.setAttribute("href", wanted);
  }

  #menu() {
    const view = this.page?.view;
    if (!view) return;
    const item = (/** @type {string} */ action, /** @type {() => void} */ does) => h("button", { type: "button", class: "choice", data: { action }, onclick: does }, t(`menu.${action}`));
    sheet(
      t("bar.menu"),
      (close) =>
        h(
          "div",
          { class: "choices" },
          item("rules", () => (close(), this.#rules(view))),
          item("settings", () => (close(), this.settings())),
          item("keys", () => (close(), keySheet())),
          view.spectators && view.your_seats.length ? item("share", () => (close(), this.#share(view))) : null,
          item("fairness", () => (close(), this.#fairness(view))),
          view.your_seats.length && view.status !== "finished" ? item("leave", () => (close(), this.#leave(view.id))) : null,
        ),
      { name: "menu" },
    );
  }

  /** @param {import("../sdk/types.js").View} view */
  async #rules(view) {
    const said = await this.client.rules(view.ruleset.preset, view.ruleset.options).catch(() => null);
    rulesSheet(view.ruleset, said?.text ?? null);
  }

  /** @param {import("../sdk/types.js").View} view */
  #share(view) {
    sheet(t("menu.share"), () => share(t("waiting.watch"), watchLink(view), "copy-watch"), { name: "share" });
  }

  /** @param {import("../sdk/types.js").View} view */
  #fairness(view) {
    const { commitment, nonce, server_seed: seed } = view.fairness;
    const line = (/** @type {string} */ key, /** @type {string | null} */ value) => h("div", {}, h("dt", {}, t(`fairness.${key}`)), h("dd", {}, h("code", {}, value ?? t("fairness.later"))));
    sheet(t("menu.fairness"), () => [h("p", {}, t("fairness.about")), h("dl", { class: "facts" }, line("commitment", commitment), line("nonce", nonce), line("seed", seed))], { name: "fairness" });
  }

  /** The settings of this device. */
  settings() {
    const pick = (/** @type {keyof import("./settings.js").Settings} */ name, /** @type {any[]} */ values, /** @type {(value: any) => string} */ words) =>
      h("div", { class: "line" }, h("span", {}, t(`set.${name}`)), segments({ label: t(`set.${name}`), name: `set-${name}`, values: values.map((value) => ({ value, label: words(value) })), value: settings[name], choose: (value) => change({ [name]: value }) }));
    const tick = (/** @type {"large" | "fourColours" | "keys"} */ name) =>
      h("label", { class: "line tick" }, h("span", {}, t(`set.${name}`)), h("input", { type: "checkbox", checked: settings[name], data: { action: `set-${name}` }, onchange: (/** @type {any} */ event) => change({ [name]: event.target.checked }) }));
    const languages = h("select", { "aria-label": t("set.language"), data: { action: "set-language" }, onchange: (/** @type {any} */ event) => this.#language(event.target.value) }, LANGUAGES.map((code) => h("option", { value: code, lang: code, selected: code === document.documentElement.lang }, endonym(code))));
    sheet(
      t("settings"),
      () => [
        h("label", { class: "line" }, h("span", {}, t("set.language")), languages),
        this.client.token ? this.#nameField() : null,
        pick("theme", ["auto", "light", "dark"], (value) => t(`theme.${value}`)),
        pick("pace", ["calm", "brisk", "instant"], (value) => t(`pace.${value}`)),
        tick("large"),
        tick("fourColours"),
        tick("keys"),
        this.#devices(),
      ],
      { name: "settings" },
    );
  }

  #nameField() {
    const said = h("small", { role: "status" });
    const input = h("input", { id: "own-name", maxlength: 60, autocomplete: "nickname" });
    this.client.me().then((me) => (input.value = me.name), () => {});
    const save = async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        await this.client.rename(input.value);
        said.textContent = t("saved");
      } catch (error) {
        said.textContent = refusalWords(error);
      }
    };
    return h("form", { class: "line", onsubmit: save }, h("label", { for: "own-name" }, t("set.name")), h("span", { class: "pair" }, input, h("button", { data: { action: "save-name" } }, t("save"))), said);
  }

  /** The same player on another device: a code that lives ten minutes. */
  #devices() {
    const said = h("p", { class: "hint", role: "status" });
    const input = h("input", { id: "transfer", autocomplete: "off", spellcheck: "false", placeholder: t("device.code") });
    const give = async () => {
      try {
        await this.identify();
        said.textContent = t("device.say", { code: (await this.client.transfer()).code });
      } catch (error) {
        said.textContent = refusalWords(error);
      }
    };
    const take = async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        await this.client.receive(input.value.trim());
        token.set(this.client.token);
        location.reload();
      } catch (error) {
        said.textContent = refusalWords(error);
      }
    };
    return h("details", { class: "devices" }, h("summary", {}, t("device.title")), h("div", { class: "row" }, h("button", { type: "button", data: { action: "transfer" }, onclick: give }, t("device.give"))), h("form", { class: "row code", onsubmit: take }, h("label", { class: "unseen", for: "transfer" }, t("device.code")), input, h("button", { data: { action: "receive" } }, t("device.take"))), said);
  }

  /** @param {string} code */
  async #language(code) {
    change({ language: code });
    await speak(code);
    closeSheets();
    this.#route();
  }
}

new App().begin();
