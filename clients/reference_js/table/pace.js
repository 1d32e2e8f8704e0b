/** Shows what happened one thing after the other, at a pace people can follow; a tap shows the rest at once. */
import { settings } from "./settings.js";

/**
 * @typedef {import("../sdk/live.js").Step} Step
 * @typedef {object} Stage
 * @property {(step: Step, quick: boolean) => void} show
 * @property {(step: Step) => boolean} stops whether the step waits for the player (the end of a round)
 * @property {(step: Step) => boolean} own whether the player made it
 * @property {() => void} rest everything has been shown
 */

const MS = { calm: 1, brisk: 0.45, instant: 0 };
/** How long each thing is looked at. @type {Record<string, number>} */
const LOOK = { drew: 750, took_back: 600, melded: 1000, laid_off: 800, discarded: 650, floated: 600, passed: 600, call_closed: 900, round_started: 500 };

export class Pace {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {Step[]} */
    this.queue = [];
    this.held = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.next = 0;
  }

  get busy() {
    return this.queue.length > 0 || this.held;
  }

  /** @param {Step[]} steps */
  add(steps) {
    this.queue.push(...steps);
    if (document.hidden || this.queue.length > 60) this.skip(true);
    else this.#run();
  }

  /** Forgets what is queued: a fresh view has come. */
  clear() {
    this.queue = [];
    this.held = false;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  #run() {
    if (this.timer !== undefined || this.held) return;
    const wait = this.next - performance.now();
    const step = this.queue[0];
    if (!step) return this.stage.rest();
    if (wait > 4 && !this.stage.own(step)) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.#run();
      }, wait);
      return;
    }
    this.queue.shift();
    this.stage.show(step, false);
    const look = this.stage.own(step) ? 150 : LOOK[step.event.type] ?? 0;
    this.next = performance.now() + look * MS[settings.pace];
    if (this.stage.stops(step)) this.held = true;
    else this.#run();
  }

  /** Shows what is left, up to the next thing that waits for the player. @param {boolean} [past] go on past those too */
  skip(past = false) {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (past) this.held = false;
    while (!this.held) {
      const step = this.queue.shift();
      if (!step) break;
      this.stage.show(step, true);
      if (!past && this.stage.stops(step)) this.held = true;
    }
    this.next = 0;
    if (!this.held) this.stage.rest();
  }

  /** The player has seen it. */
  release() {
    this.held = false;
    this.next = 0;
    this.#run();
  }
}
