/** A table that waits for its players: who sits, and how to come: link, code, QR. */
import { h, icon } from "./dom.js";
import { qrPicture } from "./qr.js";
import { nameOf } from "./say.js";
import { t } from "./words.js";

/** The link that brings a friend to the table. @param {import("../sdk/types.js").View} view */
export function inviteLink(view) {
  const base = location.origin + location.pathname;
  return view.invite ? `${base}#/join/${view.id}/${view.invite}` : `${base}#/join/${view.id}`;
}

/** The link for those who only watch. @param {import("../sdk/types.js").View} view */
export function watchLink(view) {
  const base = location.origin + location.pathname;
  return view.visibility === "public" ? `${base}#/table/${view.id}` : `${base}#/watch/${view.id}/${view.watch ?? ""}`;
}

/** @param {HTMLElement} button @param {string} text */
async function copy(button, text) {
  const words = button.lastElementChild;
  try {
    await navigator.clipboard.writeText(text);
    if (words) words.textContent = t("copied");
  } catch {
    /** @type {HTMLInputElement | null} */ (button.parentElement?.querySelector("input"))?.select();
  }
}

/** A text to hand on, with a button that copies it. @param {string} label @param {string} text @param {string} action */
export function share(label, text, action) {
  const id = `share-${action}`;
  const button = h("button", { type: "button", data: { action }, onclick: () => copy(button, text) }, icon("copy"), h("span", {}, t("copy")));
  return h("div", { class: "share" }, h("label", { for: id }, label), h("input", { id, readonly: true, value: text, onfocus: (/** @type {any} */ event) => event.target.select() }), button);
}

/**
 * @param {import("../sdk/types.js").View} view @param {{take: (seat: number) => void, leave: () => void}} does
 */
export function waitingRoom(view, { take, leave }) {
  const seated = view.your_seats.length > 0;
  const link = inviteLink(view);
  const code = view.visibility === "public" ? view.id.slice(0, 6) : `${view.id}.${view.invite ?? ""}`;
  return [
    h("h2", {}, t("waiting.title")),
    h("ol", { class: "places" }, view.seats.map((seat) =>
      h("li", { data: { by: seat.seat, seat: seat.seat, status: seat.status } }, h("span", { class: "disc small", "aria-hidden": "true" }), h("span", { class: "name" }, seat.player ? nameOf(view, seat.seat) : t("waiting.free")), !seat.player && !seated ? h("button", { type: "button", class: "main", data: { action: "sit", value: seat.seat }, onclick: () => take(seat.seat) }, t("waiting.sit")) : null),
    )),
    seated ? h("div", { class: "invite" }, h("div", { class: "shares" }, share(t("waiting.link"), link, "copy-link"), share(t("waiting.code"), code, "copy-code"), view.spectators ? share(t("waiting.watch"), watchLink(view), "copy-watch") : null, h("button", { type: "button", class: "link", data: { action: "leave" }, onclick: leave }, t("waiting.leave"))), qrPicture(link, t("waiting.qr"))) : null,
  ];
}
