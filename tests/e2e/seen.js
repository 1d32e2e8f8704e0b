// What the browser tests look at, called by name: `seen.shown()`.
globalThis.seen = {
  /** What the page shows of the table, in the words of a VIEW. */
  shown() {
    const table = document.querySelector("r5-table");
    if (!table) return null;
    const codes = (root) => [...root.querySelectorAll("[data-card]")].map((card) => card.dataset.card);
    const laid = (card) => [card.dataset.card, Number(card.dataset.by), card.dataset.as ?? null];
    const seats = {};
    for (const { dataset } of table.querySelectorAll(".seat, .me[data-seat]"))
      seats[dataset.seat] = [Number(dataset.count), Number(dataset.total), Number(dataset.points)];
    return {
      version: Number(table.dataset.version),
      phase: table.dataset.phase,
      status: table.dataset.status,
      stock: Number(table.querySelector(".stock").dataset.count),
      pile: codes(table.querySelector(".pile")),
      hand: codes(table.querySelector(".hand")).sort(),
      melds: [...table.querySelectorAll("[data-meld]")].map((meld) => [meld.dataset.meld, [...meld.querySelectorAll("[data-card]")].map(laid)]),
      seats,
    };
  },

  /** Asks the server in the name of the page's player. */
  async ask([path, body]) {
    const token = JSON.parse(localStorage.getItem("rummy500.token") ?? "null");
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    if (body) headers["Content-Type"] = "application/json";
    const answer = await fetch(path, { method: body ? "POST" : "GET", headers, body: body ? JSON.stringify(body) : undefined });
    return { status: answer.status, value: await answer.json() };
  },

  /** Sets the pace of others, as the settings would. */
  pace(pace) {
    const settings = JSON.parse(localStorage.getItem("rummy500.settings") ?? "{}");
    localStorage.setItem("rummy500.settings", JSON.stringify({ ...settings, pace }));
  },

  /** The cards whose index is covered: rank and suit must both be on top where they are drawn. */
  covered() {
    const covered = [];
    for (const card of document.querySelectorAll(".hand [data-card], .pile [data-card], [data-meld] [data-card]")) {
      card.scrollIntoView({ block: "center" });
      const box = card.getBoundingClientRect();
      const k = box.width / 100;
      for (const [x, y] of [[8, 12], [26, 40], [18, 68]]) {
        const top = document.elementFromPoint(box.left + x * k, box.top + y * k);
        if (top?.closest("[data-card]") !== card) {
          covered.push([card.dataset.card, x, y, top?.className]);
          break;
        }
      }
    }
    return covered;
  },

  /** Targets smaller than 44 px that no magnifier helps with. */
  small() {
    return [...document.querySelectorAll("button, a, input, select, summary")]
      .map((each) => [each, each.getBoundingClientRect()])
      .filter(([each, box]) => box.width && (box.width < 44 || box.height < 44) && !each.closest("r5-spread") && each.type !== "checkbox")
      .map(([each, box]) => [each.className, each.dataset.action, box.width, box.height]);
  },

  /** The colours of these cards of the hand. */
  colours(codes) {
    return codes.map((code) => getComputedStyle(document.querySelector(`.hand [data-card="${code}"]`)).color);
  },

  /** What axe-core finds that is serious. */
  async serious() {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    const found = violations.filter((each) => ["serious", "critical"].includes(each.impact));
    return found.map((each) => `${each.id}: ${each.help}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
  },
};
