// From the server's /openapi.json, by `npm run types`. Not to be edited.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Problem
         * @description RFC 9457, with a stable `code`.
         */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "unauthenticated" | "not_found" | "method_not_allowed" | "forbidden" | "too_large" | "malformed" | "idempotency_mismatch" | "bad_ruleset" | "bad_position" | "game_not_running" | "game_not_finished" | "version_conflict" | "seat_taken" | "already_seated" | "username_taken" | "not_your_turn" | "wrong_phase" | "card_not_in_hand" | "card_not_in_pile" | "stock_empty" | "no_such_meld" | "not_a_meld" | "ambiguous" | "does_not_extend" | "cannot_use_card" | "must_use_card" | "must_keep_a_card" | "discard_forbidden" | "final_discard_playable" | "not_callable" | "rate_limited" | "unavailable";
            /** @example R5.2 */
            rule?: string;
            version?: number;
            errors?: {
                field: string;
                detail: string;
            }[];
        };
        Player: {
            id: string;
            name: string;
            /** @enum {string} */
            kind: "guest" | "registered" | "bot" | "cpu";
            /** @enum {string} */
            level?: "easy" | "normal" | "expert";
            ranking_points: number;
            rating: number | null;
        };
        Meld: {
            id: string;
            /** @enum {string} */
            kind: "set" | "run";
            cards: {
                /** @description Rank and suit; a `2` behind it for the second copy; jokers are X1 to X4. */
                card: string;
                seat: number;
                as: string | null;
            }[];
        };
        Score: {
            seat: number;
            table: number;
            deadwood: number;
            score: number;
            total: number;
        };
        Move: {
            /** @constant */
            type: "draw";
            /** @enum {string} */
            from: "stock" | "pile";
            /** @description Rank and suit; a `2` behind it for the second copy; jokers are X1 to X4. */
            card?: string;
        } | {
            /** @constant */
            type: "take_back";
        } | {
            /** @constant */
            type: "meld";
            cards: string[];
            /** @enum {string} */
            ace?: "low" | "high";
        } | {
            /** @constant */
            type: "lay_off";
            card: string;
            meld: string;
            /** @enum {string} */
            end?: "low" | "high";
        } | {
            /** @constant */
            type: "discard";
            /** @description Rank and suit; a `2` behind it for the second copy; jokers are X1 to X4. */
            card: string;
        } | {
            /** @constant */
            type: "pass";
        } | {
            /** @constant */
            type: "call_rummy";
            /** @description Rank and suit; a `2` behind it for the second copy; jokers are X1 to X4. */
            card: string;
        };
        Event: {
            seq: number;
            /** @constant */
            type: "seat_taken";
            /** Format: date-time */
            at: string;
            seat: number;
            player: components["schemas"]["Player"];
        } | {
            seq: number;
            /** @constant */
            type: "seat_left";
            /** Format: date-time */
            at: string;
            seat: number;
            /** @enum {string} */
            status: "open" | "cpu_standing_in" | "left";
        } | {
            seq: number;
            /** @constant */
            type: "seat_resumed";
            /** Format: date-time */
            at: string;
            seat: number;
        } | {
            seq: number;
            /** @constant */
            type: "game_started";
            /** Format: date-time */
            at: string;
            seats: {
                seat: number;
                player: components["schemas"]["Player"];
            }[];
            nonce: string;
        } | {
            seq: number;
            /** @constant */
            type: "round_started";
            /** Format: date-time */
            at: string;
            round: number;
            dealer: number;
            pile: string[];
            stock_count: number;
            hand_counts: number[];
            hands: (string[] | null)[];
        } | {
            seq: number;
            /** @constant */
            type: "drew";
            /** Format: date-time */
            at: string;
            seat: number;
            /** @enum {string} */
            from: "stock" | "pile";
            count: number;
            cards: string[] | null;
            obligation: string | null;
            no_discard: string | null;
        } | {
            seq: number;
            /** @constant */
            type: "took_back";
            /** Format: date-time */
            at: string;
            seat: number;
            cards: string[];
        } | {
            seq: number;
            /** @constant */
            type: "melded";
            /** Format: date-time */
            at: string;
            seat: number;
            meld: components["schemas"]["Meld"];
            points: number;
            table_points: number;
        } | {
            seq: number;
            /** @constant */
            type: "laid_off";
            /** Format: date-time */
            at: string;
            seat: number;
            /** @description Rank and suit; a `2` behind it for the second copy; jokers are X1 to X4. */
            card: string;
            as: string | null;
            meld_id: string;
            end: ("low" | "high") | null;
            points: number;
            table_points: number;
        } | {
            seq: number;
            /** @constant */
            type: "discarded";
            /** Format: date-time */
            at: string;
            seat: number;
            /** @description Rank and suit; a `2` behind it for the second copy; jokers are X1 to X4. */
            card: string;
        } | {
            seq: number;
            /** @constant */
            type: "floated";
            /** Format: date-time */
            at: string;
            seat: number;
        } | {
            seq: number;
            /** @constant */
            type: "passed";
            /** Format: date-time */
            at: string;
            seat: number;
        } | {
            seq: number;
            /** @constant */
            type: "call_opened";
            /** Format: date-time */
            at: string;
            callable: string[];
            waiting: number[];
            deadline: string | null;
        } | {
            seq: number;
            /** @constant */
            type: "answered";
            /** Format: date-time */
            at: string;
            seat: number;
        } | {
            seq: number;
            /** @constant */
            type: "call_closed";
            /** Format: date-time */
            at: string;
            seat: number | null;
            card: string | null;
            cards: string[] | null;
        } | {
            seq: number;
            /** @constant */
            type: "turn_started";
            /** Format: date-time */
            at: string;
            seat: number;
            /** @enum {string} */
            phase: "draw" | "play";
            deadline: string | null;
        } | {
            seq: number;
            /** @constant */
            type: "deadline_moved";
            /** Format: date-time */
            at: string;
            seat: number | null;
            deadline: string | null;
        } | {
            seq: number;
            /** @constant */
            type: "round_ended";
            /** Format: date-time */
            at: string;
            round: number;
            /** @enum {string} */
            reason: "out" | "stock" | "pass" | "stalemate";
            seat: number | null;
            scores: components["schemas"]["Score"][];
            hands: string[][];
        } | {
            seq: number;
            /** @constant */
            type: "game_ended";
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            reason: "target" | "max_rounds" | "left" | "abandoned";
            winners: number[];
            totals: number[];
        };
        View: {
            id: string;
            version: number;
            /** @enum {string} */
            status: "waiting" | "playing" | "finished";
            ruleset: {
                preset: string;
                options: Record<string, never>;
            };
            your_seats: number[];
            round: number;
            dealer: number | null;
            turn: {
                seat: number | null;
                /** @enum {string} */
                phase: "draw" | "play" | "call";
                obligation: string | null;
                no_discard: string | null;
                deadline: string | null;
            } | null;
            stock_count: number;
            pile: string[];
            melds: components["schemas"]["Meld"][];
            seats: components["schemas"]["SeatView"][];
            call: {
                callable: string[];
                waiting: number[];
                deadline: string | null;
            } | null;
            last_round: {
                round: number;
                reason: string;
                seat: number | null;
                scores: components["schemas"]["Score"][];
                hands: string[][];
            } | null;
            result: {
                reason: string;
                winners: number[];
                totals: number[];
            } | null;
            /** @enum {string} */
            visibility: "public" | "private";
            spectators: boolean;
            invite: string | null;
            watch: string | null;
            clock: {
                turn_seconds: number;
                bank_seconds: number;
            } | null;
            call_seconds: number;
            ranked: boolean;
            /** Format: date-time */
            created_at: string;
            fairness: components["schemas"]["Fairness"];
        };
        SeatView: {
            seat: number;
            player: components["schemas"]["Player"] | null;
            /** @enum {string} */
            status: "open" | "active" | "away" | "cpu_standing_in" | "left";
            hand_count: number;
            hand: string[] | null;
            known: string[];
            total: number;
            table_points: number;
            bank_seconds: number | null;
        };
        Fairness: {
            /** @constant */
            algorithm: "hmac-sha256-fisher-yates-1";
            commitment: string;
            nonce: string | null;
            server_seed: string | null;
        };
        Summary: {
            id: string;
            /** @enum {string} */
            status: "waiting" | "playing" | "finished";
            version: number;
            ruleset: {
                preset: string;
                options: Record<string, never>;
            };
            seats: {
                seat: number;
                /** @enum {string} */
                kind: "open" | "person" | "cpu";
                player: components["schemas"]["Player"] | null;
            }[];
            your_seats: number[];
            turn: {
                seat: number | null;
                /** @enum {string} */
                phase: "draw" | "play" | "call";
                no_discard: string | null;
                deadline: string | null;
            } | null;
            your_turn: boolean;
            /** @enum {string} */
            visibility: "public" | "private";
            spectators: boolean;
            clock: {
                turn_seconds: number;
                bank_seconds: number;
            } | null;
            ranked: boolean;
            result: {
                reason: string;
                winners: number[];
                totals: number[];
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Games: {
            items: components["schemas"]["Summary"][];
            next_cursor: string | null;
        };
        Events: {
            version: number;
            events: components["schemas"]["Event"][];
        };
        LegalMoves: {
            version: number;
            items: components["schemas"]["Move"][];
            pile: components["schemas"]["Fact"][];
        };
        Fact: {
            /** @description Rank and suit; a `2` behind it for the second copy; jokers are X1 to X4. */
            card: string;
            legal: boolean;
            takes: number;
            pays: components["schemas"]["Move"][];
            points: number;
        };
        Record: {
            id: string;
            rules_version: string;
            ai_version: string;
            ruleset: {
                preset: string;
                options: Record<string, never>;
            };
            seats: {
                seat: number;
                player: components["schemas"]["Player"] | null;
            }[];
            fairness: components["schemas"]["Fairness"];
            position?: Record<string, never>;
            moves: ({
                seq: number;
                seat: number;
                move: components["schemas"]["Move"];
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                by: "player" | "cpu" | "clock";
            } | {
                seq: number;
                seat: number;
                /** @constant */
                left: true;
                /** Format: date-time */
                at: string;
            })[];
            result: {
                reason: string;
                winners: number[];
                totals: number[];
            } | null;
        };
        Notice: {
            seq: number;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            type: "game_started" | "your_turn" | "deadline_near" | "call" | "invited" | "rematch" | "game_finished" | "message";
            game: string;
            version?: number;
            seat?: number;
            next?: string;
        };
        /**
         * AbsentBody
         * @description POST /v1/games/{id}/absent.
         */
        AbsentBody: {
            /** Seat */
            seat: number;
            /**
             * Choice
             * @enum {string}
             */
            choice: "wait" | "cpu" | "end";
        };
        /**
         * BestBody
         * @description A player's best game of a preset.
         */
        BestBody: {
            /** Margin */
            margin: number;
            /** Game */
            game: string;
        };
        /**
         * BoardAnswer
         * @description A page of a board. Following cursors show the board as it was on the first page.
         */
        BoardAnswer: {
            /** Items */
            items: components["schemas"]["RowBody"][];
            /** Next Cursor */
            next_cursor: string | null;
            /** Previous Cursor */
            previous_cursor: string | null;
            /** @description The caller's own row. */
            you: components["schemas"]["RowBody"] | null;
        };
        /**
         * BoardEntry
         * @description A board there is.
         */
        BoardEntry: {
            /** Board */
            board: string;
            /** Periods */
            periods: string[];
        };
        /**
         * BoardsAnswer
         * @description The boards there are.
         */
        BoardsAnswer: {
            /** Items */
            items: components["schemas"]["BoardEntry"][];
        };
        /**
         * ClockBody
         * @description Time for a turn, and a bank for the whole game.
         */
        ClockBody: {
            /** Turn Seconds */
            turn_seconds: number;
            /**
             * Bank Seconds
             * @default 0
             */
            bank_seconds: number;
        };
        /**
         * CredentialsBody
         * @description What to sign in with.
         */
        CredentialsBody: {
            /**
             * Username
             * @description 3 to 24 of a-z, 0-9, _ and -.
             */
            username: string;
            /**
             * Password
             * @description 8 to 128 characters.
             */
            password: string;
            /**
             * Current Password
             * @description The present password, once registered.
             * @default null
             */
            current_password: string | null;
        };
        /**
         * DayAnswer
         * @description One date's deal.
         */
        DayAnswer: {
            /**
             * Date
             * @description The UTC date, as in 2027-01-31.
             */
            date: string;
            /**
             * Ruleset
             * @description The preset, and all options.
             */
            ruleset: {
                [key: string]: unknown;
            };
            /** Opponents */
            opponents: components["schemas"]["OpponentBody"][];
            /**
             * Commitment
             * @description SHA-256 of the day's seed.
             */
            commitment: string;
            /**
             * Closes At
             * @description 24 hours after the date ends: until then a game may be ended.
             */
            closes_at: string;
            /**
             * Your Game
             * @description The caller's game of this date.
             */
            your_game: string | null;
            /**
             * Server Seed
             * @description Told once the day has closed.
             */
            server_seed: string | null;
        };
        /**
         * GameBody
         * @description POST /v1/games.
         */
        GameBody: {
            ruleset?: components["schemas"]["RulesetBody"];
            /** Seats */
            seats?: components["schemas"]["SeatBody"][];
            /**
             * Visibility
             * @default private
             * @enum {string}
             */
            visibility: "public" | "private";
            /**
             * Spectators
             * @default true
             */
            spectators: boolean;
            /** @default null */
            clock: components["schemas"]["ClockBody"] | null;
            /**
             * Call Seconds
             * @default 5
             */
            call_seconds: number;
            /**
             * Commitment
             * @default null
             */
            commitment: string | null;
            /**
             * Client Seed
             * @default null
             */
            client_seed: string | null;
            /**
             * Position
             * @default null
             */
            position: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * MoveBody
         * @description POST /v1/games/{id}/moves. `move` is checked by the rules.
         */
        MoveBody: {
            move: components["schemas"]["Move"];
            /**
             * Seat
             * @default null
             */
            seat: number | null;
            /**
             * If Version
             * @default null
             */
            if_version: number | null;
        };
        /**
         * NameBody
         * @description A name to take; a guest without one is given one.
         */
        NameBody: {
            /**
             * Name
             * @description 1 to 24 characters as a reader counts them.
             * @default null
             */
            name: string | null;
        };
        /**
         * NamedToken
         * @description A named token; `token` only in the answer that makes it.
         */
        NamedToken: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Scopes */
            scopes: string[];
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Last Used At */
            last_used_at: string | null;
            /**
             * Token
             * @default null
             */
            token: string | null;
        };
        /**
         * NamedTokens
         * @description The named tokens that have not ended.
         */
        NamedTokens: {
            /** Items */
            items: components["schemas"]["NamedToken"][];
        };
        /**
         * OpponentBody
         * @description Whom a daily deal is played against.
         */
        OpponentBody: {
            /**
             * Level
             * @enum {string}
             */
            level: "easy" | "normal" | "expert";
        };
        /**
         * PlayerBody
         * @description PLAYER.
         */
        PlayerBody: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /**
             * Kind
             * @description guest, registered, bot or cpu
             */
            kind: string;
            /**
             * Level
             * @description Of a CPU player only: easy, normal or expert.
             * @default null
             */
            level: string | null;
            /** Ranking Points */
            ranking_points: number;
            /** Rating */
            rating: number | null;
        };
        /**
         * PlayerPageAnswer
         * @description What a player has achieved.
         */
        PlayerPageAnswer: {
            player: components["schemas"]["PlayerBody"];
            /**
             * Games
             * @description Finished games.
             */
            games: number;
            /**
             * Wins
             * @description Ranked wins by preset, then level; `people` without CPU players.
             */
            wins: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            /**
             * Streak
             * @description Daily deals played to the end, days in a row, up to today or yesterday.
             */
            streak: number;
            /**
             * Best
             * @description By preset.
             */
            best: {
                [key: string]: components["schemas"]["BestBody"];
            };
            /**
             * Provisional
             * @description Fewer than ten rated games.
             */
            provisional: boolean;
            /** Rating History */
            rating_history: components["schemas"]["RatingEntry"][];
        };
        /**
         * QuickBody
         * @description POST /v1/games/quick.
         */
        QuickBody: {
            ruleset?: components["schemas"]["RulesetBody"];
            /**
             * Seats
             * @default 2
             */
            seats: number;
            /**
             * Fill After
             * @default 20
             */
            fill_after: number;
        };
        /**
         * RatingEntry
         * @description A rating after a game.
         */
        RatingEntry: {
            /** At */
            at: string;
            /** Rating */
            rating: number;
            /** Game */
            game: string;
        };
        /**
         * RecoveryAnswer
         * @description The recovery code, shown this once.
         */
        RecoveryAnswer: {
            /** Recovery Code */
            recovery_code: string;
        };
        /**
         * RenameBody
         * @description Another name.
         */
        RenameBody: {
            /**
             * Name
             * @description 1 to 24 characters as a reader counts them.
             */
            name: string;
        };
        /**
         * RowBody
         * @description A line of a board.
         */
        RowBody: {
            /**
             * Rank
             * @description From 1; equal scores share one.
             */
            rank: number;
            player: components["schemas"]["PlayerBody"];
            /** Score */
            score: number;
            /**
             * Games
             * @description The newest games behind the row; their records are public.
             */
            games: string[];
            /**
             * Rounds
             * @description On a day's board: in how many rounds.
             * @default null
             */
            rounds: number | null;
            /**
             * Provisional
             * @description On the board of ratings: fewer than ten rated games.
             * @default null
             */
            provisional: boolean | null;
        };
        /**
         * RulesetBody
         * @description A preset with any options overridden.
         */
        RulesetBody: {
            /**
             * Preset
             * @default classic
             */
            preset: string;
            /** Options */
            options?: {
                [key: string]: unknown;
            };
        };
        /**
         * SeatBody
         * @description A seat at a table to be made.
         */
        SeatBody: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "me" | "cpu" | "open";
            /**
             * Level
             * @default null
             */
            level: ("easy" | "normal" | "expert") | null;
        };
        /**
         * SeatTakenBody
         * @description POST /v1/games/{id}/seats.
         */
        SeatTakenBody: {
            /**
             * Seat
             * @default null
             */
            seat: number | null;
            /**
             * Invite
             * @default null
             */
            invite: string | null;
            /**
             * Client Seed
             * @default null
             */
            client_seed: string | null;
        };
        /**
         * SessionAnswer
         * @description A player and a token, shown this once.
         */
        SessionAnswer: {
            player: components["schemas"]["PlayerBody"];
            /** Token */
            token: string;
            /**
             * Recovery Code
             * @description The next one, where the last was just used.
             * @default null
             */
            recovery_code: string | null;
        };
        /**
         * SessionBody
         * @description A password, or a recovery code with the password to set.
         */
        SessionBody: {
            /** Username */
            username: string;
            /**
             * Password
             * @default null
             */
            password: string | null;
            /**
             * Recovery Code
             * @default null
             */
            recovery_code: string | null;
            /**
             * New Password
             * @description 8 to 128 characters.
             * @default null
             */
            new_password: string | null;
        };
        /**
         * TokenBody
         * @description A named token to make.
         */
        TokenBody: {
            /**
             * Name
             * @description What to know it by.
             */
            name: string;
            /**
             * Scopes
             * @description `read`, `play`, or both.
             */
            scopes: string[];
            /**
             * Expires At
             * @description RFC 3339; left out: it does not expire.
             * @default null
             */
            expires_at: string | null;
        };
        /**
         * TransferAnswer
         * @description A code for another device, shown this once.
         */
        TransferAnswer: {
            /** Code */
            code: string;
            /** Expires At */
            expires_at: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
