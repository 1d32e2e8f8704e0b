/** Words in the player's language: one catalogue each, plurals and numbers by `Intl`. */
import { parts } from "./cards.js";

/** The languages there are catalogues for: `words/CODE.js`. */
export const LANGUAGES = ["en", "ms", "th", "id", "sw", "eo"];

/** @type {Record<string, string | Record<string, string>>} */
let catalogue = {};
let language = "en";
let plural = new Intl.PluralRules("en");
let number = new Intl.NumberFormat("en");

/** Loads a catalogue; an unknown language gives English. @param {string} wanted */
export async function speak(wanted) {
  const code = LANGUAGES.includes(wanted) ? wanted : "en";
  catalogue = (await import(`./words/${code}.js`)).default;
  language = code;
  plural = new Intl.PluralRules(code);
  number = new Intl.NumberFormat(code);
  document.documentElement.lang = code;
}

export const spoken = () => language;

/** The language this device asks for, where we have it. */
export function preferred() {
  for (const wanted of navigator.languages) {
    const code = wanted.toLowerCase().split("-")[0] ?? "";
    if (LANGUAGES.includes(code)) return code;
  }
  return "en";
}

/**
 * The words for a key. An entry with plural forms is chosen by `n`.
 * @param {string} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const entry = catalogue[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : entry[plural.select(Number(values.n))] ?? entry.other ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => {
    const value = values[name];
    return value === undefined ? all : typeof value === "number" ? number.format(value) : value;
  });
}

/** Whether the catalogue has a key. @param {string} key */
export const has = (key) => key in catalogue;

/** A number as it is written here. @param {number} value */
export const count = (value) => number.format(value);

/** A language's own name for itself. @param {string} code */
export function endonym(code) {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** A card in words. @param {string} code */
export function cardName(code) {
  const { rank, suit, joker, second } = parts(code);
  if (joker) return t("card.joker", { number: code.slice(1) });
  if (code.length === 1) return t(`rank.${rank}`);
  const name = t("card.name", { rank: t(`rank.${rank}`), suit: t(`suit.${suit}`) });
  return second ? t("card.second", { card: name }) : name;
}

/** Several cards in words. @param {string[]} codes */
export function cardNames(codes) {
  return list(codes.map(cardName));
}

/** A list as this language writes it. @param {string[]} items */
export function list(items) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(items);
}

/** How long ago. @param {string} when */
export function ago(when) {
  const seconds = (Date.parse(when) - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  if (seconds > -60) return format.format(Math.min(0, Math.round(seconds)), "second");
  if (seconds > -3600) return format.format(Math.round(seconds / 60), "minute");
  if (seconds > -86400) return format.format(Math.round(seconds / 3600), "hour");
  return format.format(Math.round(seconds / 86400), "day");
}
