/** House rules: the options of a preset as a form. What may be chosen comes from the server's schema. */
import { h } from "./dom.js";
import { t } from "./words.js";

const SENTENCES = ["pile_depth", "top_discard", "stock_exhausted", "card_points", "joker_points", "going_out", "final_discard"];
const SHOWN = ["packs", "jokers", "deal", ...SENTENCES.slice(0, 4), "low_ace_points", ...SENTENCES.slice(4), "call_rummy", "partners", "target", "max_rounds"];

/** The values an option may have, where they can be listed. @param {any} schema @param {string} name @returns {any[] | null} */
function values(schema, name) {
  const rule = schema?.properties?.[name] ?? {};
  if (rule.enum) return rule.enum;
  if (rule.type === "boolean") return [true, false];
  const parts = rule.anyOf ?? rule.oneOf ?? [];
  const listed = parts.flatMap((/** @type {any} */ part) => part.enum ?? (part.const !== undefined ? [part.const] : []));
  return listed.length ? listed : null;
}

/** @param {string} name @param {any} value */
function valueWords(name, value) {
  if (SENTENCES.includes(name) || typeof value === "boolean") return t(`option.${name}.${value}`);
  if (name === "packs") return t(`option.packs.${value}`);
  return t("house.number", { n: value });
}

/**
 * The form.
 * @param {{preset: Record<string, any>, schema: any, chosen: Record<string, any>, onChange: (options: Record<string, any>) => void}} props
 */
export function houseRules({ preset, schema, chosen, onChange }) {
  const now = { ...preset, ...chosen };
  const change = (/** @type {string} */ name, /** @type {any} */ value) => {
    const next = { ...chosen, [name]: value };
    if (JSON.stringify(value) === JSON.stringify(preset[name])) delete next[name];
    chosen = next;
    onChange(next);
  };
  return h(
    "div",
    { class: "house" },
    SHOWN.map((name) => {
      const list = values(schema, name);
      const id = `house-${name}`;
      const label = h("label", { for: id }, t(`house.${name}`));
      if (name === "deal") {
        const two = [now.deal[0], now.deal[1]];
        const field = (/** @type {number} */ at) =>
          h("input", { id: at ? null : id, type: "number", min: 1, max: 25, value: two[at], "aria-label": t(at ? "house.deal_more" : "house.deal_two"), onchange: (/** @type {any} */ event) => ((two[at] = Number(event.target.value)), change("deal", [...two])) });
        return h("div", { class: "field" }, label, h("span", { class: "pair" }, field(0), field(1)));
      }
      if (!list) {
        const rule = schema?.properties?.[name] ?? {};
        return h("div", { class: "field" }, label, h("input", { id, type: "number", min: rule.minimum ?? 1, max: rule.maximum ?? 10000, value: now[name], data: { option: name }, onchange: (/** @type {any} */ event) => change(name, Number(event.target.value)) }));
      }
      const options = list.map((value) => h("option", { value: JSON.stringify(value), selected: value === now[name] }, valueWords(name, value)));
      return h("div", { class: "field" }, label, h("select", { id, data: { option: name }, onchange: (/** @type {any} */ event) => change(name, JSON.parse(event.target.value)) }, options));
    }),
  );
}
