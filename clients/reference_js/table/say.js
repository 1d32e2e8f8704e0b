/** Each event in words: for the log, and for those who listen to the table. */
import { cardName, cardNames, t } from "./words.js";

/**
 * @typedef {import("../sdk/types.js").View} View
 * @typedef {import("../sdk/types.js").GameEvent} GameEvent
 */

/** A seat's name as the viewer says it. @param {View} view @param {number | null} seat */
export function nameOf(view, seat) {
  if (seat === null) return "";
  const player = view.seats[seat]?.player;
  if (!player) return t("seat.open", { number: seat + 1 });
  return player.kind === "cpu" ? cpuName(seat, player.level ?? "normal") : player.name;
}

/** CPU players are told apart by their seat. @param {number} seat @param {string} level */
export function cpuName(seat, level) {
  return t("cpu.name", { number: seat + 1, level: t(`level.${level}`) });
}

/** The key of the sentence, for oneself or for somebody else. @param {View} view @param {GameEvent} event @param {string} key */
function who(view, event, key) {
  return view.your_seats.length === 1 && view.your_seats[0] === event.seat ? `say.you.${key}` : `say.${key}`;
}

/** How a round ended. @param {View} view @param {{reason: string, seat: number | null}} round */
export function endWords(view, round) {
  const own = round.seat !== null && view.your_seats.length === 1 && view.your_seats[0] === round.seat;
  return t(own ? `say.you.ended.${round.reason}` : `say.ended.${round.reason}`, { name: nameOf(view, round.seat) });
}

/**
 * @param {GameEvent} event @param {View} view after it
 * @returns {string} empty where there is nothing to say
 */
export function say(event, view) {
  const name = nameOf(view, event.seat ?? null);
  switch (event.type) {
    case "seat_taken":
      return t("say.seat_taken", { name });
    case "seat_left":
      return t(event.status === "cpu_standing_in" ? "say.stood_in" : "say.seat_left", { name });
    case "seat_resumed":
      return t("say.seat_resumed", { name });
    case "round_started":
      return t("say.round_started", { round: event.round, name: nameOf(view, event.dealer) });
    case "drew":
      if (event.from === "stock") {
        if (event.cards) return t(who(view, event, "drew_card"), { name, card: cardName(event.cards[0]) });
        return t("say.drew_stock", { name });
      }
      return t(who(view, event, "drew_pile"), { name, n: event.count, cards: cardNames(event.cards) });
    case "took_back":
      return t(who(view, event, "took_back"), { name, n: event.cards.length });
    case "melded": {
      const cards = cardNames(event.meld.cards.map((/** @type {any} */ each) => each.card));
      return t(who(view, event, "melded"), { name, cards, n: event.points });
    }
    case "laid_off":
      return t(who(view, event, "laid_off"), { name, card: cardName(event.card), n: event.points });
    case "discarded":
      return t(who(view, event, "discarded"), { name, card: cardName(event.card) });
    case "floated":
      return t(who(view, event, "floated"), { name });
    case "passed":
      return t(who(view, event, "passed"), { name });
    case "call_opened":
      return t("say.call_opened", { cards: cardNames(event.callable) });
    case "call_closed":
      return event.seat === null ? t("say.call_none") : t(who(view, event, "call_closed"), { name, card: cardName(event.card) });
    case "turn_started":
      return view.your_seats.includes(event.seat) ? t("say.your_turn") : "";
    case "round_ended":
      return endWords(view, event);
    case "game_ended":
      return t("say.game_ended");
    default:
      return "";
  }
}
