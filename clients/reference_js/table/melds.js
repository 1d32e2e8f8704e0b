/** The melds on the table. Under each card a line in the colour of the seat that laid it. */
import { picture, short } from "./cards.js";
import { arrange, h, set, write } from "./dom.js";
import { nameOf } from "./say.js";
import { cardName, list, t } from "./words.js";

/**
 * @typedef {import("../sdk/types.js").View} View
 * @typedef {import("../sdk/types.js").MeldView} MeldView
 */

/** A card of a meld in words. @param {import("../sdk/types.js").LaidCard} laid */
export function laidName(laid) {
  return laid.as ? t("card.stands_for", { card: cardName(laid.card), as: cardName(laid.as) }) : cardName(laid.card);
}

/** @param {MeldView} meld @param {View} view */
function meldWords(meld, view) {
  const owners = [...new Set(meld.cards.map((laid) => laid.seat))].map((seat) => nameOf(view, seat));
  return t(`meld.${meld.kind}`, { cards: list(meld.cards.map(laidName)), names: list(owners) });
}

export class Melds extends HTMLElement {
  constructor() {
    super();
    /** @type {Map<string, {root: any, words: any, cards: Map<string, any>, meld: MeldView | null}>} */
    this.made = new Map();
    /** @type {(meld: string, element: Element) => void} */
    this.choose = () => {};
  }

  connectedCallback() {
    this.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const all = [...this.children];
      const next = all[all.indexOf(/** @type {Element} */ (document.activeElement)) + by];
      /** @type {HTMLElement | undefined} */ (next)?.focus();
    });
  }

  /** @param {View} view @param {Set<string>} offered the melds that take the picked card */
  update(view, offered) {
    const next = new Map();
    for (const meld of view.melds) {
      const made = this.made.get(meld.id) ?? this.#make(meld.id);
      next.set(meld.id, made);
      if (made.meld !== meld) this.#fill(made, meld, view);
      const mark = `meld ${meld.kind}${offered.has(meld.id) ? " offered" : ""}`;
      if (made.root.className !== mark) made.root.className = mark;
    }
    this.made = next;
    arrange(this, [...next.values()].map((made) => made.root));
    const stop = offered.size ? [...offered][0] : view.melds[0]?.id;
    for (const [id, made] of next) made.root.tabIndex = offered.has(id) || id === stop ? 0 : -1;
  }

  /** @param {string} id */
  #make(id) {
    const words = h("span", { class: "unseen" });
    const root = h("button", { type: "button", class: "meld", data: { meld: id }, onclick: () => this.choose(id, root) }, words);
    return { root, words, cards: new Map(), meld: null };
  }

  /** @param {{root: any, words: any, cards: Map<string, any>, meld: MeldView | null}} made @param {MeldView} meld @param {View} view */
  #fill(made, meld, view) {
    const elements = meld.cards.map((laid) => {
      const known = made.cards.get(laid.card);
      if (known) return known;
      const element = picture(laid.card);
      set(element, "data", { by: laid.seat, as: laid.as });
      set(element, "title", t("meld.laid_by", { card: laidName(laid), name: nameOf(view, laid.seat) }));
      if (laid.as) element.append(h("span", { class: "as", "aria-hidden": "true" }, short(laid.as)));
      made.cards.set(laid.card, element);
      return element;
    });
    arrange(made.root, [made.words, ...elements]);
    made.meld = meld;
    write(made.words, meldWords(meld, view));
  }
}
customElements.define("r5-melds", Melds);
