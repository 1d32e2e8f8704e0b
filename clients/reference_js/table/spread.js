/**
 * A spread of cards in as many rows as it takes for every index to show. Fingers get a magnifier: hold or slide, and the card under the
 * finger is shown large; lifting chooses it. Mice and keys get each card by itself.
 */
import { face, parts } from "./cards.js";
import { arrange, h, set } from "./dom.js";
import { cardName } from "./words.js";

/**
 * @typedef {object} Item
 * @property {string} code
 * @property {string} [state] space-separated words for the style: `picked`, `offered`, `barred`, `owed`, `along`
 * @property {string} [label] words for a screen reader, where the card's name is not enough
 * @property {boolean} [pressed]
 *
 * @typedef {object} Handlers
 * @property {(code: string, how: "mouse" | "touch" | "keys") => void} choose
 * @property {(code: string | null, how: "mouse" | "touch" | "keys") => void} [point]
 * @property {(code: string, event: PointerEvent) => void} [lift] a drag begins
 * @property {(code: string, by: number) => void} [shift] moved by keys
 */

const HOLD_MS = 220;

export class Spread extends HTMLElement {
  constructor() {
    super();
    /** @type {Item[]} */
    this.items = [];
    /** @type {Map<string, HTMLElement>} */
    this.made = new Map();
    /** @type {Handlers} */
    this.handlers = { choose: () => {} };
    this.current = "";
    this.box = { width: 0, cw: 50, ch: 70, step: 22, row: 40 };
  }

  connectedCallback() {
    if (this.observer) return;
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this);
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("pointerdown", (event) => this.#down(event));
    this.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.#point(event.target, "mouse"));
    this.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.handlers.point?.(null, "mouse"));
    this.addEventListener("focusin", (event) => this.matches(":focus-within") && this.#focused(event.target));
    this.addEventListener("click", (event) => {
      // Clicks made by keys or a screen reader; pointers are followed by hand.
      const code = this.#codeOf(event.target);
      if (code && event.detail === 0) this.handlers.choose(code, "keys");
    });
  }

  /** Reads the sizes the style sheet gives and lays out again. */
  measure() {
    const style = getComputedStyle(this);
    const width = this.clientWidth;
    const cw = parseFloat(style.getPropertyValue("--card-w")) || 50;
    const step = parseFloat(style.getPropertyValue("--step")) || 22;
    const row = parseFloat(style.getPropertyValue("--row")) || 42;
    if (width === this.box.width && cw === this.box.cw && step === this.box.step) return;
    this.box = { width, cw, ch: cw * 1.4, step, row };
    this.#place();
  }

  /** @param {Item[]} items */
  update(items) {
    const focused = this.contains(document.activeElement);
    const was = this.items.findIndex((item) => item.code === this.current);
    this.items = items;
    /** @type {Map<string, HTMLElement>} */
    const next = new Map();
    for (const item of items) {
      const element = this.made.get(item.code) ?? this.#make(item.code);
      next.set(item.code, element);
      const state = `card ${item.state ?? ""}`.trim();
      if (element.className !== state) element.className = state;
      set(element, "aria-label", item.label ?? cardName(item.code));
      set(element, "aria-pressed", item.pressed === undefined ? null : String(item.pressed));
    }
    this.made = next;
    arrange(this, [...next.values()]);
    if (!next.has(this.current)) this.current = items[Math.min(Math.max(was, 0), items.length - 1)]?.code ?? "";
    for (const [code, element] of next) element.tabIndex = code === this.current ? 0 : -1;
    if (!this.box.width) this.measure();
    this.#place();
    if (focused && !this.contains(document.activeElement)) this.focusCard(); // the keyboard stays where its card was
  }

  /** @param {string} code */
  #make(code) {
    return h("button", { type: "button", class: "card", data: { card: code, suit: parts(code).suit } }, face(code));
  }

  #place() {
    const { width, cw, ch, step, row } = this.box;
    const n = this.items.length;
    if (!width) return;
    const fit = Math.max(1, Math.floor((width - cw) / step) + 1);
    const rows = Math.max(1, Math.ceil(n / fit));
    const perRow = Math.ceil(n / rows);
    const gap = perRow > 1 ? Math.min(cw + 6, (width - cw) / (perRow - 1)) : 0;
    const left = this.dataset.align === "start" ? 0 : Math.max(0, (width - cw - gap * (perRow - 1)) / 2);
    let index = 0;
    for (const element of this.made.values()) {
      const x = Math.round(left + (index % perRow) * gap);
      const y = Math.floor(index / perRow) * row;
      const move = `translate(${x}px, ${y}px)`;
      if (element.style.transform !== move) element.style.transform = move;
      index += 1;
    }
    const height = `${Math.round(ch + (rows - 1) * row)}px`;
    if (this.style.height !== height) this.style.height = height;
    this.perRow = perRow;
    set(this, "data", { rows, many: n > 20 ? "yes" : null });
  }

  /** @param {EventTarget | null} target @returns {string | null} */
  #codeOf(target) {
    const card = target instanceof Element ? target.closest("[data-card]") : null;
    return card && this.contains(card) ? /** @type {HTMLElement} */ (card).dataset.card ?? null : null;
  }

  /** @param {EventTarget | null} target @param {"mouse" | "touch" | "keys"} how */
  #point(target, how) {
    const code = this.#codeOf(target);
    if (code) this.handlers.point?.(code, how);
  }

  /** @param {EventTarget | null} target */
  #focused(target) {
    const code = this.#codeOf(target);
    if (!code) return;
    const before = this.made.get(this.current);
    if (before) before.tabIndex = -1;
    this.current = code;
    const element = this.made.get(code);
    if (element) element.tabIndex = 0;
    if (element?.matches(":focus-visible")) this.handlers.point?.(code, "keys");
  }

  /** Puts the keyboard on a card. @param {string} [code] */
  focusCard(code) {
    this.made.get(code ?? this.current)?.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -(this.perRow ?? 1), ArrowDown: this.perRow ?? 1 };
    const by = steps[/** @type {keyof typeof steps} */ (event.key)];
    const at = this.items.findIndex((item) => item.code === this.current);
    if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      this.focusCard(this.items[event.key === "Home" ? 0 : this.items.length - 1]?.code);
    } else if (by !== undefined) {
      event.preventDefault();
      if (event.shiftKey && this.handlers.shift) this.handlers.shift(this.current, Math.sign(by));
      else this.focusCard(this.items[at + by]?.code);
    }
  }

  /** @param {PointerEvent} down */
  #down(down) {
    const first = this.#codeOf(down.target);
    if (!first || down.button !== 0) return;
    const touch = down.pointerType !== "mouse";
    let code = /** @type {string} */ (first);
    let looking = false;
    let over = false;
    const start = { x: down.clientX, y: down.clientY };
    if (touch && down.target instanceof Element && down.target.hasPointerCapture(down.pointerId)) down.target.releasePointerCapture(down.pointerId);
    const look = () => {
      looking = true;
      this.#magnify(code);
      this.handlers.point?.(code, "touch");
    };
    const timer = touch ? setTimeout(look, HOLD_MS) : undefined;
    /** @param {PointerEvent} event */
    const move = (event) => {
      if (event.pointerId !== down.pointerId) return;
      const dx = event.clientX - start.x;
      const dy = event.clientY - start.y;
      const box = this.getBoundingClientRect();
      const outside = event.clientY < box.top - 12 || event.clientY > box.bottom + 12;
      if (this.handlers.lift && (touch ? outside || (-dy > 26 && Math.abs(dy) > 1.6 * Math.abs(dx)) : Math.hypot(dx, dy) > 6)) {
        over = true;
        end();
        this.handlers.lift(touch ? code : first, event);
        return;
      }
      if (touch && !looking && Math.abs(dx) > 10) look();
      if (!looking) return;
      event.preventDefault();
      const under = this.#codeOf(document.elementFromPoint(event.clientX, event.clientY));
      if (under && under !== code) {
        code = under;
        look();
      }
    };
    /** @param {PointerEvent} event */
    const up = (event) => {
      if (event.pointerId !== down.pointerId) return;
      end();
      if (over || event.type === "pointercancel") return this.handlers.point?.(null, touch ? "touch" : "mouse");
      const under = touch ? code : this.#codeOf(document.elementFromPoint(event.clientX, event.clientY));
      if (under === code) this.handlers.choose(code, touch ? "touch" : "mouse");
    };
    const end = () => {
      clearTimeout(timer);
      this.#magnify(null);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
    };
    addEventListener("pointermove", move, { passive: false });
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  }

  /** @param {string | null} code */
  #magnify(code) {
    this.lens?.remove();
    this.lens = undefined;
    const under = code && this.made.get(code);
    if (!under) return;
    const box = under.getBoundingClientRect();
    this.lens = h("span", { class: "card lens", "aria-hidden": "true", data: { suit: parts(code).suit } }, face(code));
    document.body.append(this.lens);
    const width = this.lens.offsetWidth;
    const x = Math.max(6, Math.min(innerWidth - width - 6, box.left + box.width / 2 - width / 2));
    const y = Math.max(6, box.top - this.lens.offsetHeight - 14);
    this.lens.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }
}
customElements.define("r5-spread", Spread);
