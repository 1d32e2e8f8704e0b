// @ts-check
/** A WebSocket that comes back: backoff with jitter, a watchdog for silence, and close codes read as the contract means them. */

const FATAL = new Set([4401, 4403, 4404]);
const SILENCE_MS = 45_000; // the server speaks at least every 20 seconds
const OPEN_MS = 10_000;

/**
 * How long to wait before the next try: exponential with full jitter, so that a restart is not met by everyone at once.
 * @param {number} tries how many tries failed so far, from 0
 * @param {() => number} [random]
 * @returns {number} milliseconds
 */
export function backoff(tries, random = Math.random) {
  const ceiling = Math.min(20_000, 500 * 2 ** Math.min(tries, 10));
  return Math.round(100 + random() * ceiling);
}

/**
 * @typedef {"connecting" | "live" | "offline" | "restarting" | "closed"} StreamStatus
 * @typedef {object} StreamOptions
 * @property {() => string} url asked anew for every connection, so that it can carry `after`
 * @property {() => string | null} token
 * @property {(frame: any) => void} onFrame
 * @property {(status: StreamStatus, code: number | null) => void} onStatus
 * @property {typeof globalThis.WebSocket} WebSocket
 * @property {() => number} [random]
 */

/** One stream of frames over as many connections as it takes. */
export class Stream {
  /** @param {StreamOptions} options */
  constructor(options) {
    this.options = options;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {StreamStatus} */
    this.status = "connecting";
    this.tries = 0;
    this.heard = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.watchdog = undefined;
  }

  /** Connects, and stays connected until `close` or a refusal for good. */
  open() {
    if (this.status === "closed" || this.socket) return;
    clearTimeout(this.timer);
    const { url, token, WebSocket } = this.options;
    const held = token();
    const socket = new WebSocket(url(), held ? ["rummy500.v1", `bearer.${held}`] : ["rummy500.v1"]);
    this.socket = socket;
    this.heard = Date.now();
    socket.onmessage = (message) => {
      if (socket !== this.socket) return;
      this.heard = Date.now();
      this.tries = 0;
      if (this.status !== "live") this.#report("live", null);
      this.options.onFrame(JSON.parse(String(message.data)));
    };
    socket.onclose = (event) => socket === this.socket && this.#lost(event.code);
    socket.onerror = () => {};
    clearInterval(this.watchdog);
    this.watchdog = setInterval(() => this.#watch(), 5_000);
    // A watchdog alone should not keep a Node process alive.
    /** @type {any} */ (this.watchdog).unref?.();
  }

  #watch() {
    const opening = this.socket?.readyState === 0;
    if (this.socket && Date.now() - this.heard > (opening ? OPEN_MS : SILENCE_MS)) this.#abandon();
  }

  /** Lets go of a socket that may be dead and connects again at once. */
  #abandon() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.open();
  }

  /** @param {number} code */
  #lost(code) {
    this.socket = null;
    clearInterval(this.watchdog);
    if (this.status === "closed") return;
    if (FATAL.has(code)) return this.#report("closed", code);
    this.#report(code === 1012 || code === 1001 ? "restarting" : "offline", code);
    const wait = backoff(code === 4429 || code === 4408 ? this.tries + 3 : this.tries, this.options.random);
    this.tries += 1;
    this.timer = setTimeout(() => this.open(), wait);
  }

  /** @param {StreamStatus} status @param {number | null} code */
  #report(status, code) {
    this.status = status;
    this.options.onStatus(status, code);
  }

  /** The device woke up or the network is back: make sure, without waiting out the backoff. */
  wake() {
    if (this.status === "closed") return;
    this.tries = 0;
    if (this.socket && Date.now() - this.heard > 22_000) this.#abandon();
    else if (!this.socket) this.open();
    else this.send({ type: "ping" });
  }

  /**
   * Sends a frame if the socket is open.
   * @param {object} frame
   * @returns {boolean} whether it was handed to the socket
   */
  send(frame) {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Ends the stream for good. */
  close() {
    this.status = "closed";
    clearTimeout(this.timer);
    clearInterval(this.watchdog);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
