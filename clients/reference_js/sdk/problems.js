// @ts-check
/** What can go wrong: the server refuses (`Problem`), or cannot be reached (`Offline`). */

/** A refusal of the server: its problem document as an error. */
export class Problem extends Error {
  /** @param {import("./types.js").ProblemDocument} document @param {number} [retryAfter] seconds to wait, where the server says so */
  constructor(document, retryAfter) {
    super(document.detail || document.title || document.code);
    this.name = "Problem";
    this.code = document.code;
    this.status = document.status;
    this.rule = document.rule ?? null;
    this.version = document.version ?? null;
    /** @type {unknown[]} */
    this.errors = document.errors ?? [];
    this.document = document;
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
