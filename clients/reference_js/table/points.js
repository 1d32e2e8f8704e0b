/**
 * What each card counted, for the sums shown at the end of a round. The server's totals are the truth: a sum that does not agree with
 * them is not shown.
 */

/** @param {string} rank @param {Record<string, any>} options */
function plain(rank, options) {
  if (rank === "A") return 15;
  if ("TJQK".includes(rank)) return 10;
  return options.card_points === "five_ten_fifteen" ? 5 : Number(rank);
}

/** @param {string} code @param {Record<string, any>} options @returns {number} in a hand */
export function inHand(code, options) {
  return code[0] === "X" ? 15 : plain(code[0] ?? "", options);
}

/** @param {import("../sdk/types.js").MeldView} meld @param {number} index @param {Record<string, any>} options @returns {number} on the table */
export function onTable(meld, index, options) {
  const laid = meld.cards[index];
  if (!laid) return 0;
  const joker = laid.card[0] === "X";
  if (joker && options.joker_points === "fifteen") return 15;
  const rank = (joker ? laid.as ?? "" : laid.card)[0] ?? "";
  const low = meld.kind === "run" && rank === "A" && index === 0;
  return low ? options.low_ace_points : plain(rank, options);
}

/**
 * A seat's cards with their points, if they add up to what the server says.
 * @param {number} total @param {{card: string, points: number}[]} cards
 */
export function checked(total, cards) {
  return cards.reduce((sum, each) => sum + each.points, 0) === total ? cards : null;
}
