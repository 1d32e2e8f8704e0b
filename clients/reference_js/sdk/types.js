// @ts-check
/**
 * The shapes of the wire contract that the SDK works with.
 *
 * @typedef {{id: string, name: string, kind: "guest" | "registered" | "bot" | "cpu", level?: string, ranking_points: number, rating: number | null}} Player
 * @typedef {{card: string, seat: number, as: string | null}} LaidCard
 * @typedef {{id: string, kind: "set" | "run", cards: LaidCard[]}} MeldView
 * @typedef {{seat: number, player: Player | null, status: "open" | "active" | "away" | "cpu_standing_in" | "left", hand_count: number,
 *   hand: string[] | null, known: string[], total: number, table_points: number, bank_seconds: number | null}} SeatView
 * @typedef {{seat: number | null, phase: "draw" | "play" | "call", obligation: string | null, no_discard: string | null, deadline: string | null}} Turn
 * @typedef {{callable: string[], waiting: number[], deadline: string | null}} Call
 * @typedef {{seat: number, table: number, deadwood: number, score: number, total: number}} Score
 * @typedef {{round: number, reason: "out" | "stock" | "pass" | "stalemate", seat: number | null, scores: Score[], hands: string[][]}} RoundResult
 * @typedef {{reason: "target" | "max_rounds" | "left" | "abandoned", winners: number[], totals: number[]}} GameResult
 * @typedef {{turn_seconds: number, bank_seconds: number} | null} Clock
 * @typedef {{id: string, version: number, status: "waiting" | "playing" | "finished", ruleset: {preset: string, options: Record<string, any>},
 *   your_seats: number[], round: number, dealer: number | null, turn: Turn | null, stock_count: number, pile: string[], melds: MeldView[],
 *   seats: SeatView[], call: Call | null, last_round: RoundResult | null, result: GameResult | null, visibility: "private" | "public",
 *   spectators: boolean, invite?: string | null, watch?: string | null, clock: Clock, call_seconds: number | null, ranked: boolean, created_at: string,
 *   fairness: {algorithm: string, commitment: string, nonce: string | null, server_seed: string | null}}} View
 * @typedef {{id: string, status: View["status"], version: number, ruleset: View["ruleset"], seats: {seat: number, kind: "open" | "person" | "cpu", player: Player | null}[],
 *   your_seats: number[], turn: Turn | null, your_turn: boolean, visibility: View["visibility"], spectators: boolean, clock: Clock, ranked: boolean,
 *   result: GameResult | null, created_at: string, updated_at: string}} Summary
 * @typedef {{type: "draw", from: "stock"} | {type: "draw", from: "pile", card: string} | {type: "take_back"} | {type: "meld", cards: string[], ace?: "low" | "high"}
 *   | {type: "lay_off", card: string, meld: string, end?: "low" | "high"} | {type: "discard", card: string} | {type: "pass"} | {type: "call_rummy", card: string}} Move
 * @typedef {{card: string, legal: boolean, takes: number, pays: Move[], points: number}} Fact
 * @typedef {{version: number, items: Move[], pile: Fact[]}} Legal
 * @typedef {{seq: number, type: string, at: string, [field: string]: any}} GameEvent
 * @typedef {{type?: string, title?: string, status: number, detail?: string, code: string, rule?: string, version?: number, errors?: unknown[]}} ProblemDocument
 * @typedef {{kind: "me"} | {kind: "open"} | {kind: "cpu", level?: "easy" | "normal" | "expert"}} SeatSpec
 * @typedef {{ruleset?: {preset: string, options?: Record<string, unknown>}, seats?: SeatSpec[], visibility?: "private" | "public", spectators?: boolean,
 *   clock?: Clock, call_seconds?: number, commitment?: string, client_seed?: string, position?: object | null}} NewGame
 */
export {};
