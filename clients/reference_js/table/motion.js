/** Cards travel from where they were to where they are; with reduced motion they are simply there. */
import { face, parts } from "./cards.js";
import { calm, h } from "./dom.js";

/** The cards an event moves, as far as they are known. @param {import("../sdk/types.js").GameEvent} event @returns {string[]} */
export function movedCards(event) {
  if (event.cards) return event.cards;
  if (event.meld) return event.meld.cards.map((/** @type {any} */ laid) => laid.card);
  return event.card && event.type !== "call_closed" ? [event.card] : [];
}

/** @param {ParentNode} root @param {string} card @returns {HTMLElement | null} */
const find = (root, card) => root.querySelector(`[data-card="${card}"]`);

/**
 * Remembers where an event's cards are now; call the answer when the page shows the event.
 * @param {HTMLElement} root @param {import("../sdk/types.js").GameEvent} event
 * @returns {() => void}
 */
export function travel(root, event) {
  if (calm() || !root.isConnected) return () => {};
  const cards = movedCards(event);
  const seat = root.querySelector(`.seat[data-seat="${event.seat}"], .me[data-seat="${event.seat}"] .status`);
  const stock = root.querySelector(".stock");
  const fallback = event.type === "drew" && event.from === "stock" ? stock : seat;
  const from = new Map(cards.map((card) => [card, (find(root, card) ?? fallback)?.getBoundingClientRect()]));
  return () => {
    for (const [card, start] of from) {
      const element = find(root, card);
      if (element && start) slide(element, start);
      else if (start && seat) ghost(card, start, seat.getBoundingClientRect());
    }
    if (event.type === "drew" && !cards.length && stock && seat) ghost(null, stock.getBoundingClientRect(), seat.getBoundingClientRect());
  };
}

/** @param {HTMLElement} element @param {DOMRect} start */
function slide(element, start) {
  const end = element.getBoundingClientRect();
  const at = element.style.transform || "none";
  const base = at === "none" ? "" : at;
  const dx = start.left - end.left;
  const dy = start.top - end.top;
  if (Math.abs(dx) + Math.abs(dy) < 3) return;
  element.animate(
    [
      { transform: `translate(${dx}px, ${dy}px) ${base} scale(${start.width / Math.max(1, end.width)})`, zIndex: 5 },
      { transform: base || "none", zIndex: 5 },
    ],
    { duration: 340, easing: "cubic-bezier(.2,.8,.25,1)" },
  );
}

/** A card that flies to a seat. @param {string | null} card @param {DOMRect} start @param {DOMRect} end */
function ghost(card, start, end) {
  const element = h("span", { class: `card ghost${card ? "" : " back"}`, "aria-hidden": "true", data: { suit: card ? parts(card).suit : null } }, card ? face(card) : null);
  element.style.width = `${start.width}px`;
  document.body.append(element);
  const flight = element.animate(
    [
      { transform: `translate(${start.left}px, ${start.top}px)`, opacity: 1 },
      { transform: `translate(${end.left + end.width / 2 - start.width / 2}px, ${end.top}px) scale(.55)`, opacity: 0.25 },
    ],
    { duration: 420, easing: "cubic-bezier(.3,.7,.3,1)", fill: "both" },
  );
  flight.onfinish = () => element.remove();
  flight.oncancel = () => element.remove();
}
