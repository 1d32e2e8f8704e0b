/** Building the page: elements from data, text always as text. */

/**
 * Makes an element. `on*` are listeners, `data` fills the dataset, `class` and other names are attributes; booleans set or drop them.
 * @param {string} tag @param {Record<string, any> | null} [props] @param {...any} children nodes, text, or lists of them; null leaves a place empty
 * @returns {any}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) set(element, name, value);
  add(element, children);
  return element;
}

/** @param {Element} element @param {string} name @param {any} value */
export function set(element, name, value) {
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "data") for (const [key, one] of Object.entries(value)) setData(/** @type {HTMLElement} */ (element), key, one);
  else if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else if (name === "value" || name === "checked") /** @type {any} */ (element)[name] = value;
  else {
    const text = value === true ? "" : String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** @param {HTMLElement} element @param {string} key @param {any} value */
function setData(element, key, value) {
  if (value === null || value === undefined) delete element.dataset[key];
  else if (element.dataset[key] !== String(value)) element.dataset[key] = String(value);
}

/** @param {Element} element @param {any} children */
function add(element, children) {
  if (Array.isArray(children)) for (const child of children) add(element, child);
  else if (children !== null && children !== undefined && children !== false) element.append(children);
}

/** Changes the text only where it differs, so that nothing is laid out for nothing. @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Puts these children in, in this order, moving only what is out of place. @param {Element} parent @param {Element[]} children */
export function arrange(parent, children) {
  let next = parent.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
  while (next) {
    const gone = next;
    next = next.nextElementSibling;
    gone.remove();
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes an SVG element. @param {string} tag @param {Record<string, any>} props @param {...any} children @returns {any} */
export function svg(tag, props, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, String(value));
  add(element, children);
  return element;
}

const ICONS = {
  back: "M15 5l-7 7 7 7",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  scores: "M5 20V10M12 20V4M19 20v-7",
  log: "M5 6h14M5 12h14M5 18h9",
  gear: "M4 8h9M17 8h3M4 16h3M11 16h9M15 5.5v5M9 13.5v5",
  sort: "M7 5v14M7 19l-3-3M7 19l3-3M13 7h7M13 12h5M13 17h3",
  keys: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8",
  copy: "M9 9h10v10H9zM5 15V5h10",
};

/** A line icon. @param {keyof typeof ICONS} name */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
