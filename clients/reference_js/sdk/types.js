// @ts-check
/**
 * The shapes of the wire contract, from the server's OpenAPI document (`openapi.d.ts`).
 *
 * @typedef {import("./openapi.js").components["schemas"]} Schemas
 * @typedef {Schemas["Player"]} Player
 * @typedef {Schemas["Meld"]} MeldView
 * @typedef {MeldView["cards"][number]} LaidCard
 * @typedef {Schemas["SeatView"]} SeatView
 * @typedef {Omit<Schemas["View"], "ruleset"> & {ruleset: {preset: string, options: Record<string, any>}}} View options are the rules' own: any JSON
 * @typedef {NonNullable<View["last_round"]>} RoundResult
 * @typedef {NonNullable<View["result"]>} GameResult
 * @typedef {Schemas["Summary"]} Summary
 * @typedef {Schemas["Move"]} Move
 * @typedef {Schemas["Fact"]} Fact
 * @typedef {Schemas["LegalMoves"]} Legal
 * @typedef {Schemas["Event"]} GameEvent
 * @typedef {Schemas["Notice"]} Notice
 * @typedef {Pick<Schemas["Problem"], "status" | "code"> & Partial<Schemas["Problem"]>} ProblemDocument
 *
 * What may be left out of a new game, the document gives a default for.
 * @typedef {{kind: "me"} | {kind: "open"} | {kind: "cpu", level?: "easy" | "normal" | "expert"}} SeatSpec
 * @typedef {Partial<Omit<Schemas["GameBody"], "seats" | "ruleset">> & {seats?: SeatSpec[], ruleset?: {preset?: string, options?: Record<string, unknown>}}} NewGame
 */
export {};
