"""A bare, fast table for training: one pack, no jokers, floating or calls; the cards as masks, the rules as in `server.game`.

Plain functions of ints and arrays, compiled together with the players by `tools/train_expert.py`.
A player is a number: 0 and 7 easy, 1 normal, 5 random, others the expert with a row of weights. Player 2 goes over from
row 2 to row 5 the more its opponent plays like one that keeps its melds back.
"""

import numpy as np

from server.ai.evaluate import MEMO, UNKNOWN
from server.ai.masks import (
    EVERY,
    KIND_BIT,
    KIND_MASK,
    LOW,
    low_aces,
    near,
    run_cards,
    set_cards,
    set_spots,
    size,
    spots_down,
    spots_up,
    whole,
    worth,
)
from server.ai.plan import best_plan, can_pay, draw_values, everything, first_kind, gain_of, pass_value, payment
from server.ai.sight import Sight, foes_cards, hoarding, lead_of, open_cards
from server.ai.simple import easy_discard, easy_draw


def sight_of(
    me,
    n,
    hands,
    held,
    up,
    down,
    fours,
    gone,
    pile,
    piled,
    stock,
    known,
    refused,
    totals,
    tabled,
    pts,
    low_ace,
    must_meld,
    play_on,
    target,
    hoards,
    turned,
):
    """What seat `me` knows."""
    counts = np.zeros(n, np.int64)
    knows = np.zeros(n, np.int64)
    known_size = np.zeros(n, np.int64)
    can = np.zeros(n, np.int64)
    refuse = np.zeros(n, np.int64)
    total = np.zeros(n, np.int64)
    table = np.zeros(n, np.int64)
    friends = np.zeros(n, np.int64)
    friends[0] = 1
    seen = gone | hands[me]
    hidden = stock
    for i in range(n):
        seat = (me + i) % n
        counts[i] = held[seat]
        total[i] = totals[seat]
        table[i] = tabled[seat]
        refuse[i] = refused[seat]
        if i:
            knows[i] = known[seat]
            known_size[i] = size(known[seat])
            can[i] = open_cards(knows[i], up, down, fours, pts)
            seen |= known[seat]
            hidden += held[seat] - known_size[i]
    for i in range(piled):
        seen |= KIND_BIT[pile[i]]
    return Sight(
        n,
        hands[me],
        0,
        0,
        held[me],
        up,
        down,
        fours,
        LOW & ~seen,
        hidden,
        stock,
        counts,
        knows,
        known_size,
        can,
        refuse,
        total,
        table,
        lead_of(total, table, target),
        foes_cards(counts, friends),
        friends,
        pile,
        piled,
        pts,
        low_ace,
        must_meld,
        play_on,
        1,
        0,
        target,
        hoards,
        turned,
    )


def play_round(n, players, weights, deck, cards, first, totals, pts, low_ace, must_meld, play_on, target, scores):
    """Plays one round; fills `scores` and returns the number of turns."""
    hands = np.zeros(n, np.int64)
    held = np.zeros(n, np.int64)
    known = np.zeros(n, np.int64)
    refused = np.zeros(n, np.int64)
    tabled = np.zeros(n, np.int64)
    pile = np.zeros(60, np.int64)
    at = 0
    for _ in range(cards):
        for i in range(n):
            hands[(first + i) % n] |= KIND_MASK[deck[at]]
            at += 1
    for i in range(n):
        held[i] = cards
    pile[0] = deck[at]
    piled = 1
    at += 1
    turned = np.zeros(n, np.int64)
    waited = np.zeros(n, np.int64)
    kept = np.zeros(n, np.int64)
    up = 0
    down = 0
    fours = 0
    gone = 0
    turn = first
    turns = 0
    idle = 0
    quiet = 0
    over = False
    while not over:
        stock = 52 - at
        if stock == 0 and (not play_on or piled == 0):
            break
        empty = stock == 0
        turns += 1
        other = 1 - turn if n == 2 else 0
        hoards = hoarding(turned[other], waited[other], kept[other], held[other]) if n == 2 else 0.0
        had = turned[other] if n == 2 else 0
        s = sight_of(
            turn,
            n,
            hands,
            held,
            up,
            down,
            fours,
            gone,
            pile,
            piled,
            stock,
            known,
            refused,
            totals,
            tabled,
            pts,
            low_ace,
            must_meld,
            play_on,
            target,
            hoards,
            had,
        )
        who = players[turn]
        w = weights[who]
        if who == 2:
            w = weights[2] + hoards * (weights[5] - weights[2])
        best = -1e18
        depth = -1
        memo = [UNKNOWN] * MEMO
        for m in range(piled + 1):
            if m == 0:
                if empty:
                    continue
            else:
                free = m == 1 and not must_meld
                if not free and not can_pay(s, m):
                    continue
            if who == 5:
                value = np.random.random()
            elif who == 0 or who == 7:
                value = easy_draw(w, s, m)
            else:
                value = draw_values(w, s, m, memo)
            if value > best:
                best = value
                depth = m
        if empty:
            # passing ends the round: weigh what is put down against nothing
            if (
                depth < 0
                or ((who == 0 or who == 7) and best < 0)
                or (who == 5 and np.random.random() < 1 / (2 + piled))
            ):
                break
            if who != 0 and who != 5 and who != 7 and best < pass_value(w, s):
                break
        must = 0
        forbid = -1
        if depth == 0:
            kind = deck[at]
            at += 1
            hands[turn] |= KIND_MASK[kind]
            held[turn] += 1
            quiet = 0
        else:
            reached = pile[piled - depth]
            if depth == 1 and not must_meld:
                forbid = reached
            else:
                must = KIND_BIT[reached]
            for i in range(piled - depth, piled):
                hands[turn] |= KIND_MASK[pile[i]]
                known[turn] |= KIND_MASK[pile[i]]
            held[turn] += depth
            piled -= depth
        if piled and depth != 1:
            refused[turn] |= near(pile[piled - 1])
        s = sight_of(
            turn,
            n,
            hands,
            held,
            up,
            down,
            fours,
            gone,
            pile,
            piled,
            52 - at,
            known,
            refused,
            totals,
            tabled,
            pts,
            low_ace,
            must_meld,
            play_on,
            target,
            hoards,
            had,
        )
        hand = hands[turn]
        laid_any = 0
        if who == 5:
            kind = -1
            left_must = must
            while hands[turn] and kind < 0:
                part, kind = random_act(hands[turn], left_must, forbid, up, down, fours, size(hands[turn]))
                if part:
                    if left_must & part:
                        left_must = 0
                    sr = set_cards(part, 0, pts)
                    raw = run_cards(part & ~sr)
                    if size(part) >= 3:
                        tabled[turn] += worth(part, pts) - (15 - low_ace) * size(low_aces(sr, raw))
                        up |= spots_up(raw)
                        down |= spots_down(raw)
                        fours |= set_spots(sr)
                    else:
                        tabled[turn] += worth(part, pts)
                        up |= (part & up) << 1 & EVERY
                        down |= (part & down) >> 1 & EVERY
                    gone |= part
                    up &= ~gone
                    down &= ~gone
                    fours &= ~gone
                    hands[turn] &= ~part
                    known[turn] &= ~part
                    held[turn] -= size(part)
                    laid_any = 1
            put = 0
            if laid_any:
                quiet = 0
                idle = 0
        elif who == 0 or who == 7:
            forced = payment(hand, 0, must, s) if must else 0
            put = forced | everything(hand & ~forced, 0, s)
            rest = hand & ~put
            kind = -1
            if rest:
                kind = easy_discard(rest, forbid, s)
        else:
            memo = [UNKNOWN] * MEMO
            _, put, kind = best_plan(w, s, hand, 0, held[turn], pile, piled, 52 - at, must, forbid, 0, memo)
        if put:
            gained = gain_of(put, 0, s)
            tabled[turn] += int(gained)
            sets = set_cards(put, 0, pts)
            runs = run_cards(put & ~sets)
            laid = put & ~sets & ~whole(runs)
            up |= spots_up(runs) | (laid & up) << 1 & EVERY
            down |= spots_down(runs) | (laid & down) >> 1 & EVERY
            fours |= set_spots(sets)
            # a chain of lay-offs lengthens the run further
            for _ in range(12):
                more = (up & laid) << 1 & EVERY
                if more & ~up == 0:
                    break
                up |= more
            for _ in range(12):
                more = (down & laid) >> 1 & EVERY
                if more & ~down == 0:
                    break
                down |= more
            gone |= put
            up &= ~gone
            down &= ~gone
            fours &= ~gone
            hands[turn] &= ~put
            held[turn] -= size(put)
            known[turn] &= ~put
            quiet = 0
            idle = 0
        elif empty and not laid_any:
            idle += 1
        if depth != 0 and not put and not laid_any:
            quiet += 1
        turned[turn] += 1
        if not put and not laid_any:
            if waited[turn] == turned[turn] - 1:
                waited[turn] += 1
            if depth and not empty:
                kept[turn] += 1
        if held[turn] and kind < 0:
            kind = easy_discard(hands[turn], -1, s)
        if held[turn]:
            hands[turn] &= ~KIND_MASK[kind]
            known[turn] &= ~KIND_MASK[kind]
            held[turn] -= 1
            pile[piled] = kind
            piled += 1
            refused[turn] |= near(kind)
        if held[turn] == 0:
            over = True
        if idle >= n or quiet >= 4 * n or turns > 400:
            over = True
        turn = (turn + 1) % n
    for i in range(n):
        scores[i] = tabled[i] - worth(hands[i], pts)
    return turns


def random_act(hand, must, forbid, up, down, fours, held):
    """One of the listed moves at random: (cards to put down, kind to discard or -1); the obligation is paid first."""
    acts = np.zeros(200, np.int64)
    count = 0
    cards = hand & LOW
    kind = 0
    for kind in range(52):
        bit = KIND_BIT[kind]
        if bit & cards:
            if KIND_MASK[kind] & hand & (up | down | fours) and (must == 0 or bit == must):
                acts[count] = KIND_MASK[kind]
                count += 1
            if must == 0 and (kind != forbid or held == 1):
                acts[count] = -1 - kind
                count += 1
    for rank in range(13):
        here = 0
        for suit in range(4):
            here |= KIND_MASK[suit * 13 + rank]
        here &= hand
        if size(here) >= 3 and (must == 0 or must & here):
            acts[count] = here
            count += 1
            if size(here) == 4:
                for suit in range(4):
                    three = here & ~KIND_MASK[suit * 13 + rank]
                    if must == 0 or must & three:
                        acts[count] = three
                        count += 1
    for suit in range(4):
        for low in range(12):
            window = 0
            for length in range(1, 14):
                place = low + length - 1
                if place > 13 or not hand >> (suit * 16 + place) & 1:
                    break
                window |= 1 << (suit * 16 + place)
                if length >= 3 and count < 199 and (must == 0 or whole(must) & window):
                    acts[count] = whole(window)
                    count += 1
    if count == 0:
        for kind in range(52):
            if KIND_BIT[kind] & cards and KIND_MASK[kind] & hand & (up | down | fours):
                acts[count] = KIND_MASK[kind]
                count += 1
    if count == 0:
        return 0, first_kind(cards)
    choice = acts[np.random.randint(0, count)]
    if choice < 0:
        return 0, -1 - choice
    return choice, -1


def play_game(n, players, weights, cards, start, must_meld, play_on, pts, low_ace, target, decks, totals, max_rounds):
    """Plays rounds to the target; fills `totals`; returns the number of rounds."""
    scores = np.zeros(n, np.int64)
    for r in range(max_rounds):
        play_round(
            n,
            players,
            weights,
            decks[r],
            cards,
            (start + r) % n,
            totals,
            pts,
            low_ace,
            must_meld,
            play_on,
            target,
            scores,
        )
        for i in range(n):
            totals[i] += scores[i]
        best = -(10**9)
        ties = 0
        for i in range(n):
            if totals[i] > best:
                best = totals[i]
                ties = 1
            elif totals[i] == best:
                ties += 1
        if best >= target and ties == 1:
            return r + 1
    return max_rounds


def match_rounds(n, player_a, player_b, weights, cards, must_meld, play_on, pts, low_ace, pairs, seed, result):
    """Plays `pairs` packs with `player_a` in every seat in turn against `player_b`; `result` gets the differences."""
    np.random.seed(seed)
    deck = np.arange(52)
    players = np.zeros(n, np.int64)
    scores = np.zeros(n, np.int64)
    totals = np.zeros(n, np.int64)
    turns = 0
    for g in range(pairs):
        for i in range(51, 0, -1):
            j = np.random.randint(0, i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        total = 0.0
        for i in range(n):
            totals[i] = 0
        for seat in range(n):
            for i in range(n):
                players[i] = player_b
            players[seat] = player_a
            turns += play_round(
                n, players, weights, deck, cards, 0, totals, pts, low_ace, must_meld, play_on, 500, scores
            )
            others = 0.0
            for i in range(n):
                if i != seat:
                    others += scores[i]
            total += scores[seat] - others / (n - 1)
        result[g] = total / n
    return turns


def match_games(n, player_a, player_b, weights, cards, must_meld, play_on, pts, low_ace, pairs, seed, target):
    """Whole games, `player_a` in every seat in turn; returns the share of games `player_a` wins and rounds a game."""
    np.random.seed(seed)
    decks = np.zeros((100, 52), np.int64)
    deck = np.arange(52)
    players = np.zeros(n, np.int64)
    totals = np.zeros(n, np.int64)
    wins = 0.0
    rounds = 0
    for g in range(pairs):
        for r in range(100):
            for i in range(51, 0, -1):
                j = np.random.randint(0, i + 1)
                deck[i], deck[j] = deck[j], deck[i]
            decks[r] = deck
        for seat in range(n):
            for i in range(n):
                players[i] = player_b
                totals[i] = 0
            players[seat] = player_a
            rounds += play_game(
                n, players, weights, cards, 0, must_meld, play_on, pts, low_ace, target, decks, totals, 100
            )
            best = totals.max()
            if totals[seat] == best:
                wins += 1.0 / (totals == best).sum()
    return wins / (pairs * n), rounds / (pairs * n)
