/** What this device remembers: the player's token, how things look, and the last game chosen. */

/**
 * @typedef {object} Settings
 * @property {string} language empty: as the device asks
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} large
 * @property {boolean} fourColours
 * @property {boolean} keys single-key commands
 * @property {"calm" | "brisk" | "instant"} pace of the other players' moves
 * @property {"suit" | "rank" | "melds" | "own"} sort
 * @property {any} game the last choice on the start page
 */

/** @type {Settings} */
const DEFAULTS = {
  language: "",
  theme: "auto",
  large: false,
  fourColours: false,
  keys: true,
  pace: "calm",
  sort: "suit",
  game: null,
};
const KEY = "rummy500.settings";
const TOKEN = "rummy500.token";

/** @param {string} key @returns {any} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A device that keeps nothing still plays.
  }
}

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...read(KEY) };

/** @param {Partial<Settings>} change */
export function change(change) {
  Object.assign(settings, change);
  keep(KEY, settings);
  dress();
}

/** Puts the look on the page. */
export function dress() {
  const root = document.documentElement;
  root.dataset.theme = settings.theme;
  root.dataset.large = String(settings.large);
  root.dataset.colours = settings.fourColours ? "four" : "two";
}

export const token = {
  get: () => /** @type {string | null} */ (read(TOKEN)),
  /** @param {string | null} value */
  set: (value) => keep(TOKEN, value),
};

/** The order of a hand, kept over a reload. @param {string} id */
export function handOrder(id) {
  try {
    return /** @type {string[]} */ (JSON.parse(sessionStorage.getItem(`rummy500.hand.${id}`) ?? "[]"));
  } catch {
    return [];
  }
}

/** @param {string} id @param {string[]} order */
export function keepHandOrder(id, order) {
  try {
    sessionStorage.setItem(`rummy500.hand.${id}`, JSON.stringify(order));
  } catch {
    // Only the order is lost.
  }
}
