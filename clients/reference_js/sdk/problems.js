// @ts-check
/** What can go wrong: the server refuses (`Problem`), or cannot be reached (`Offline`). */

/** A refusal of the server: its problem told as an error. */
export class Problem extends Error {
  /** @param {import("./types.js").ProblemDocument} told @param {number} [retryAfter] seconds to wait, where the server says so */
  constructor(told, retryAfter) {
    super(told.detail || told.title || told.code);
    this.name = "Problem";
    this.code = told.code;
    this.status = told.status;
    this.rule = told.rule ?? null;
    this.version = told.version ?? null;
    /** @type {unknown[]} */
    this.errors = told.errors ?? [];
    this.told = told;
    this.retryAfter = retryAfter ?? null;
  }
}

/** The server could not be reached, or gave no answer that belongs to the contract. */
export class Offline extends Error {
  /** @param {string} message @param {unknown} [cause] */
  constructor(message, cause) {
    super(message, { cause });
    this.name = "Offline";
  }
}
