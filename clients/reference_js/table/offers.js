/** Finds, among the moves the server lists, those that fit what the player picked. No rule is known here: what is not listed may still be tried. */

/** @typedef {import("../sdk/types.js").Move} Move */

/** A card without its copy, a joker without its number or name: what looks alike is alike. @param {string} name */
const plain = (name) => (name[0] === "X" ? "X" : name.slice(0, 2));

/** @param {string[]} names */
const shape = (names) => names.map(plain).sort().join(" ");

/**
 * The listed melds of the same cards as those picked, named with the very cards picked.
 * @param {Move[]} moves @param {string[]} picked @returns {Extract<Move, {type: "meld"}>[]}
 */
export function meldsOf(moves, picked) {
  const wanted = shape(picked);
  const found = [];
  for (const move of moves) {
    if (move.type !== "meld" || shape(move.cards) !== wanted) continue;
    const left = [...picked];
    const cards = move.cards.map((name) => {
      const exact = left.indexOf(name.split("=")[0] ?? "");
      const at = exact >= 0 ? exact : left.findIndex((card) => plain(card) === plain(name));
      const [card] = left.splice(at, 1);
      const as = name.split("=")[1];
      return as ? `${card}=${as}` : `${card}`;
    });
    found.push({ ...move, cards });
  }
  return found;
}

/** @param {Move[]} moves @param {string} card @param {string} [meld] @returns {Extract<Move, {type: "lay_off"}>[]} */
export function layOffs(moves, card, meld) {
  return /** @type {any} */ (
    moves.filter((move) => move.type === "lay_off" && move.card.split("=")[0] === card && (!meld || move.meld === meld))
  );
}

/** The cards of a meld move, without names. @param {Move} move @returns {string[]} */
export const cardsOf = (move) => (move.type === "meld" ? move.cards.map((name) => name.split("=")[0] ?? "") : []);

/** @param {Move[]} moves @param {Move["type"]} type */
export const some = (moves, type) => moves.some((move) => move.type === type);

/** @param {Move[]} moves @param {string} card @returns {Move | undefined} */
export const discardOf = (moves, card) => moves.find((move) => move.type === "discard" && move.card === card);

/** The listed melds as groups of cards, those with a given card first. @param {Move[]} moves @param {string | null} first */
export function suggestions(moves, first) {
  const melds = moves.filter((move) => move.type === "meld").map(cardsOf);
  return first ? [...melds.filter((cards) => cards.includes(first)), ...melds.filter((cards) => !cards.includes(first))] : melds;
}
