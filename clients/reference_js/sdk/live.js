// @ts-check
/**
 * A table that stays live: it opens the stream, follows the events, fetches what may be played, and sends moves that count once
 * however often the line breaks. Everything that happens arrives through one `onChange`.
 */
import { Gap, follow } from "./follow.js";
import { Problem } from "./problems.js";
import { Stream } from "./stream.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Legal} Legal
 * @typedef {import("./types.js").GameEvent} GameEvent
 * @typedef {import("./types.js").Move} Move
 * @typedef {object} Step what one event made of the table
 * @property {GameEvent} event
 * @property {View} view
 *
 * @typedef {object} Change
 * @property {"view" | "events" | "legal" | "status" | "presence"} kind `view`: a fresh snapshot; `events`: steps that follow the last view
 * @property {View | null} view the view now
 * @property {Step[]} steps
 * @property {Legal | null} legal the moves of the viewer's seat, once known for this very version
 * @property {import("./stream.js").StreamStatus} status
 * @property {number | null} code the close code, where the stream was closed
 *
 * @typedef {object} LiveOptions
 * @property {(change: Change) => void} onChange
 * @property {string} [watch] the code of a spectator of a private game
 * @property {View} [view] a view already at hand: only what came after it is asked for
 */

/** A name that no other move of this player has. */
function freshId() {
  return globalThis.crypto.randomUUID();
}

/** @param {View | null} view @returns {number | null} the viewer's seat that must act now */
export function seatToAct(view) {
  if (!view?.turn) return null;
  const asked = view.call ? view.call.waiting : [view.turn.seat];
  return view.your_seats.find((seat) => asked.includes(seat)) ?? null;
}

export class LiveTable {
  /** @param {import("./client.js").Client} client @param {string} id @param {LiveOptions} options */
  constructor(client, id, options) {
    this.client = client;
    this.id = id;
    this.options = options;
    /** @type {View | null} */
    this.view = options.view ?? null;
    /** @type {Legal | null} */
    this.legal = null;
    /** @type {Map<number, boolean>} */
    this.presence = new Map();
    /** Milliseconds to add to this device's clock to get the server's. */
    this.skew = 0;
    /** @type {Map<string, {frame: object, resolve: (version: number) => void, reject: (error: Error) => void}>} */
    this.pending = new Map();
    this.asking = 0;
    this.ended = false;
    this.stream = this.#stream();
    if (this.stream) this.stream.open();
    else this.#poll();
    if (this.view) this.#askLegal();
  }

  #stream() {
    const { client, id, options } = this;
    if (!client.WebSocket) return null;
    return new Stream({
      WebSocket: client.WebSocket,
      token: () => client.token,
      url: () => client.socketUrl(`/v1/games/${id}/stream`, { after: this.view?.version, watch: options.watch }),
      onFrame: (frame) => this.#frame(frame),
      onStatus: (status, code) => this.#status(status, code),
    });
  }

  get status() {
    return this.stream ? this.stream.status : this.ended ? "closed" : "live";
  }

  /** @param {Partial<Change> & {kind: Change["kind"]}} change */
  #tell(change) {
    if (this.ended) return;
    this.options.onChange({ view: this.view, steps: [], legal: this.legal, status: this.status, code: null, ...change });
  }

  /** @param {import("./stream.js").StreamStatus} status @param {number | null} code */
  #status(status, code) {
    if (code === 4400) this.view = null; // what we held is not the server's: start from a snapshot
    if (status === "live") for (const { frame } of this.pending.values()) this.stream?.send(frame);
    if (status === "closed") {
      for (const { reject } of this.pending.values()) reject(new Error(`the stream was closed (${code})`));
      this.pending.clear();
    }
    this.#tell({ kind: "status", status, code });
  }

  /** @param {any} frame */
  #frame(frame) {
    if (frame.now) this.skew = Date.parse(frame.now) - Date.now();
    if (frame.type === "snapshot") this.#snapshot(frame.view);
    else if (frame.type === "events") this.#events(frame.events);
    else if (frame.type === "result") this.#result(frame);
    else if (frame.type === "presence") {
      this.presence.set(frame.seat, frame.online);
      this.#tell({ kind: "presence" });
    } else if (frame.type === "pong" && this.view && frame.version > this.view.version) this.sync();
  }

  /** @param {View} view */
  #snapshot(view) {
    if (this.view && view.version < this.view.version) return;
    this.view = view;
    this.legal = null;
    this.#tell({ kind: "view" });
    this.#askLegal();
  }

  /** @param {GameEvent[]} events */
  #events(events) {
    if (!this.view) return;
    /** @type {Step[]} */
    const steps = [];
    try {
      for (const event of events) {
        if (event.seq <= this.view.version) continue;
        this.view = follow(this.view, event);
        steps.push({ event, view: this.view });
      }
    } catch (error) {
      if (!(error instanceof Gap)) throw error;
      this.sync();
    }
    if (!steps.length) return;
    this.legal = null;
    this.#tell({ kind: "events", steps });
    // Who sits where decides what we are told: take the server's word for it.
    if (steps.some(({ event }) => event.type === "seat_taken" || event.type === "seat_left")) this.sync();
    this.#askLegal();
  }

  /** @param {any} frame */
  #result(frame) {
    const waiting = this.pending.get(frame.id);
    if (!waiting) return;
    this.pending.delete(frame.id);
    if (frame.ok) waiting.resolve(frame.version);
    else waiting.reject(new Problem(frame.problem));
  }

  async #askLegal() {
    const seat = seatToAct(this.view);
    if (seat === null || !this.view) return;
    const asking = ++this.asking;
    for (let tries = 0; tries < 6 && asking === this.asking && !this.ended; tries += 1) {
      const legal = await this.client.legalMoves(this.id, seat).catch(() => null);
      if (asking !== this.asking || this.ended) return;
      if (legal && legal.version === this.view.version) {
        this.legal = legal;
        this.#tell({ kind: "legal" });
        return;
      }
      await new Promise((done) => setTimeout(done, 150 * 2 ** tries));
    }
  }

  /** Asks for a snapshot. */
  sync() {
    if (this.stream) this.stream.send({ type: "sync" });
    else this.client.game(this.id, this.options.watch).then((view) => this.#snapshot(view), () => {});
  }

  /** Call it when the page is shown again or the network is back. */
  wake() {
    this.stream?.wake();
    if (seatToAct(this.view) !== null && !this.legal) this.#askLegal();
  }

  /**
   * Plays a move: once, however often it has to be sent.
   * @param {Move} move
   * @param {{seat?: number, ifVersion?: number}} [options]
   * @returns {Promise<number>} the version it made
   * @throws {Problem} when it is refused
   */
  move(move, { seat, ifVersion } = {}) {
    const id = freshId();
    if (!this.stream) return this.client.move(this.id, move, { seat, ifVersion, key: id }).then((answer) => answer.version);
    const frame = { type: "move", id, move, seat, if_version: ifVersion };
    return new Promise((resolve, reject) => {
      this.pending.set(id, { frame, resolve, reject });
      this.stream?.send(frame);
    });
  }

  /** Without WebSockets: the long poll gives the same events. */
  async #poll() {
    for (let tries = 0; !this.ended; ) {
      try {
        if (!this.view) this.#snapshot(await this.client.game(this.id, this.options.watch));
        const version = this.view?.version ?? 0;
        const { events } = await this.client.events(this.id, version, { wait: 25, watch: this.options.watch });
        this.#events(events);
        tries = 0;
      } catch (error) {
        if (error instanceof Problem && error.status < 500 && error.status !== 429) return this.close();
        await new Promise((done) => setTimeout(done, Math.min(15_000, 500 * 2 ** tries++)));
      }
    }
  }

  /** Lets go of the table (the game goes on). */
  close() {
    this.ended = true;
    this.stream?.close();
  }
}
