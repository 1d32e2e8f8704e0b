// @ts-check
/** The REST calls of the contract, one method each; what may be repeated safely is repeated when the line breaks. */
import { LiveTable } from "./live.js";
import { Offline, Problem } from "./problems.js";
import { Stream, backoff } from "./stream.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Player} Player
 * @typedef {import("./types.js").Move} Move
 * @typedef {import("./types.js").NewGame} NewGame
 * @typedef {import("./types.js").Summary} Summary
 * @typedef {object} ClientOptions
 * @property {string} [base] the server's address; in a browser the page's own
 * @property {string | null} [token]
 * @property {typeof globalThis.fetch} [fetch]
 * @property {typeof globalThis.WebSocket | null} [WebSocket] null: long polls instead of streams
 * @property {number} [tries] how often a call that may be repeated is tried in all
 *
 * @typedef {object} Call
 * @property {unknown} [body]
 * @property {Record<string, string | number | boolean | undefined | null>} [query]
 * @property {string} [key] an idempotency key: makes a POST safe to repeat
 */

/** @param {Record<string, string | number | boolean | undefined | null>} values */
function queryText(values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined && value !== null) query.set(name, String(value));
  const text = query.toString();
  return text ? `?${text}` : "";
}

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Client {
  /** @param {ClientOptions} [options] */
  constructor({ base = "", token = null, fetch = globalThis.fetch, WebSocket, tries = 4 } = {}) {
    this.base = base.replace(/\/$/, "");
    this.token = token;
    this.fetch = fetch.bind(globalThis);
    this.WebSocket = WebSocket === undefined ? globalThis.WebSocket ?? null : WebSocket;
    this.tries = tries;
  }

  /**
   * One call. GETs and POSTs with a key are tried again when the server is out of reach, busy or restarting.
   * @param {string} method @param {string} path @param {Call} [call] @returns {Promise<any>}
   */
  async request(method, path, { body, query = {}, key } = {}) {
    const repeatable = method === "GET" || method === "PUT" || key !== undefined;
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.#once(method, path + queryText(query), body, key);
      } catch (error) {
        const busy = error instanceof Problem && (error.status === 429 || error.status === 503);
        if (!repeatable || tried >= this.tries || !(busy || error instanceof Offline)) throw error;
        const asked = error instanceof Problem && error.retryAfter ? error.retryAfter * 1000 : 0;
        if (asked > 10_000) throw error;
        await pause(asked + backoff(tried - 1));
      }
    }
  }

  /** @param {string} method @param {string} path @param {unknown} body @param {string} [key] */
  async #once(method, path, body, key) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    let response, text;
    try {
      response = await this.fetch(this.base + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
      text = await response.text();
    } catch (error) {
      throw new Offline("the server could not be reached", error);
    }
    let value = null;
    try {
      value = text ? JSON.parse(text) : null;
    } catch (error) {
      throw new Offline(`an answer that is no JSON (${response.status})`, error);
    }
    if (response.ok) return value;
    if (!value?.code) throw new Offline(`an answer outside the contract (${response.status})`);
    throw new Problem(value, Number(response.headers.get("Retry-After")) || undefined);
  }

  /** The address of a stream. @param {string} path @param {Record<string, string | number | undefined>} [query] */
  socketUrl(path, query = {}) {
    const base = this.base || globalThis.location?.origin || "";
    return base.replace(/^http/, "ws") + path + queryText(query);
  }

  server() {
    return this.request("GET", "/v1/server");
  }

  /** Makes a guest and holds its token from now on. @param {string} [name] @returns {Promise<Player>} */
  async register(name) {
    const { player, token } = await this.request("POST", "/v1/players", { body: name ? { name } : {} });
    this.token = token;
    return player;
  }

  /** @returns {Promise<Player>} */
  me() {
    return this.request("GET", "/v1/me");
  }

  /** @param {string} name @returns {Promise<Player>} */
  rename(name) {
    return this.request("PATCH", "/v1/me", { body: { name } });
  }

  /** A code that brings this player to another device. @returns {Promise<{code: string, expires_at: string}>} */
  transfer() {
    return this.request("POST", "/v1/me/transfers", { body: {} });
  }

  /** Becomes the player whose code this is. @param {string} code @returns {Promise<Player>} */
  async receive(code) {
    const { player, token } = await this.request("POST", `/v1/transfers/${encodeURIComponent(code)}`, { body: {} });
    this.token = token;
    return player;
  }

  rulesets() {
    return this.request("GET", "/v1/rulesets");
  }

  /** @param {string} preset @param {object} [options] */
  rules(preset, options = {}) {
    return this.request("GET", `/v1/rulesets/${encodeURIComponent(preset)}/rules`, { query: { options: JSON.stringify(options) } });
  }

  /** @returns {Promise<{id: string, commitment: string, number: number}>} */
  commitment() {
    return this.request("POST", "/v1/commitments", { body: {} });
  }

  /** @param {NewGame} game @param {string} [key] @returns {Promise<View>} */
  createGame(game, key = globalThis.crypto.randomUUID()) {
    return this.request("POST", "/v1/games", { body: game, key });
  }

  /** @param {{status?: string, mine?: boolean, cursor?: string, limit?: number}} [query] @returns {Promise<{items: Summary[], next_cursor: string | null}>} */
  games(query = {}) {
    return this.request("GET", "/v1/games", { query });
  }

  /** @param {string} id @param {string} [watch] @returns {Promise<View>} */
  game(id, watch) {
    return this.request("GET", `/v1/games/${id}`, { query: { watch } });
  }

  /** @param {string} id @param {{seat?: number, invite?: string, client_seed?: string}} [body] @returns {Promise<View>} */
  takeSeat(id, body = {}) {
    return this.request("POST", `/v1/games/${id}/seats`, { body, key: globalThis.crypto.randomUUID() });
  }

  /** @param {string} id */
  leave(id) {
    return this.request("DELETE", `/v1/games/${id}/seats/me`);
  }

  /** @param {string} id @param {number} [seat] @returns {Promise<import("./types.js").Legal>} */
  legalMoves(id, seat) {
    return this.request("GET", `/v1/games/${id}/legal-moves`, { query: { seat } });
  }

  /** @param {string} id @param {Move} move @param {{seat?: number, ifVersion?: number, key?: string}} [options] */
  move(id, move, { seat, ifVersion, key = globalThis.crypto.randomUUID() } = {}) {
    return this.request("POST", `/v1/games/${id}/moves`, { body: { move, seat, if_version: ifVersion }, key });
  }

  /** @param {string} id @param {number} after @param {{wait?: number, watch?: string}} [options] */
  events(id, after, { wait, watch } = {}) {
    return this.request("GET", `/v1/games/${id}/events`, { query: { after, wait, watch } });
  }

  /** @param {string} id @param {string} [watch] */
  record(id, watch) {
    return this.request("GET", `/v1/games/${id}/record`, { query: { watch } });
  }

  /** @param {string} id */
  hint(id) {
    return this.request("GET", `/v1/games/${id}/hint`);
  }

  /** @param {string} id @param {number} [seat] */
  review(id, seat) {
    return this.request("GET", `/v1/games/${id}/review`, { query: { seat } });
  }

  /** @param {{ruleset?: object, seats?: number, fill_after?: number}} body @returns {Promise<View>} */
  quick(body) {
    return this.request("POST", "/v1/games/quick", { body, key: globalThis.crypto.randomUUID() });
  }

  /** @param {string} id @returns {Promise<View>} */
  rematch(id) {
    return this.request("POST", `/v1/games/${id}/rematch`, { body: {}, key: globalThis.crypto.randomUUID() });
  }

  /** The live table. @param {string} id @param {import("./live.js").LiveOptions} options */
  table(id, options) {
    return new LiveTable(this, id, options);
  }

  /**
   * The public games as they come and go.
   * @param {(games: Map<string, Summary>, status: import("./stream.js").StreamStatus) => void} onChange
   * @returns {Stream | null} null without WebSockets
   */
  lobby(onChange) {
    /** @type {Map<string, Summary>} */
    const games = new Map();
    return this.#listen("/v1/lobby", () => ({}), (frame) => {
      if (frame.type === "games") {
        games.clear();
        for (const item of frame.items) games.set(item.id, item);
      } else if (frame.type === "game") games.set(frame.item.id, frame.item);
      else if (frame.type === "gone") games.delete(frame.id);
      else return;
      onChange(games, "live");
    }, (status) => onChange(games, status));
  }

  /**
   * What the player must know wherever it is: turns, invitations, ends of games.
   * @param {(notice: any) => void} onNotice @param {number} [after]
   */
  notices(onNotice, after) {
    let seen = after;
    return this.#listen("/v1/me/stream", () => ({ after: seen }), (frame) => {
      if (typeof frame.seq !== "number") return;
      seen = frame.seq;
      onNotice(frame);
    }, () => {});
  }

  /** @param {string} path @param {() => Record<string, number | undefined>} query @param {(frame: any) => void} onFrame @param {(status: import("./stream.js").StreamStatus) => void} onStatus */
  #listen(path, query, onFrame, onStatus) {
    if (!this.WebSocket) return null;
    const stream = new Stream({
      WebSocket: this.WebSocket,
      token: () => this.token,
      url: () => this.socketUrl(path, query()),
      onFrame,
      onStatus,
    });
    stream.open();
    return stream;
  }
}
