"""`advance`: how each entry of a game's log moves it on."""

import random
from dataclasses import replace

import orjson
import pytest

from server import game as rules
from server.boards.verify import verify
from server.tables import render
from server.tables.due import due_at, missed_twice
from server.tables.live import Live, advance, blank, stamp
from server.tables.setup import Setup
from tests.tables.log_of_a_game import CPU, ME, OPEN, SEED, START, Played, a_setup, clocked, type_of


def test_a_game_without_open_seats_starts_by_itself() -> None:
    """Its first commit seats everybody, starts the game, deals and gives the turn, in that order."""
    game = Played(a_setup(ME, CPU))
    assert game.types() == ["seat_taken", "seat_taken", "game_started", "round_started", "turn_started"]
    assert [logged.seq for logged in game.events] == [1, 2, 3, 4, 5]
    assert game.live.version == 5
    assert game.live.status == "playing"
    assert game.live.nonce == "salt|"


def test_a_game_with_an_open_seat_waits_and_starts_once() -> None:
    """The last seat taken starts it, in the same commit."""
    game = Played(a_setup(ME, OPEN, OPEN))
    assert game.live.status == "waiting"
    assert game.types() == ["seat_taken"]
    game.sit(2, "bob", "b")
    assert game.live.status == "waiting"
    told = game.sit(1, "cyd", "c")
    assert [type_of(logged) for logged in told] == ["seat_taken", "game_started", "round_started", "turn_started"]
    assert game.live.nonce == "salt|c|b"


def test_the_nonce_has_one_part_a_seat() -> None:
    """CPU seats and people without a seed have an empty part; in table mode the maker's stands in each of its seats."""
    assert Played(a_setup(ME, ME, CPU)).live.nonce == "salt|salt|"
    assert Played(a_setup(CPU, ME, client_seed="")).live.nonce == "|"


def test_a_freed_seat_takes_its_client_seed_along() -> None:
    """Who leaves before the start leaves nothing behind: not a name, not a seed, not a bank used."""
    game = Played(a_setup(ME, OPEN, OPEN, clock=clocked(30, 60)))
    game.sit(1, "bob", "bobs")
    told = game.do({"k": "free", "seats": [1]})
    assert [type_of(logged) for logged in told] == ["seat_left"]
    seat = game.live.seats[1]
    assert (seat.kind, seat.player, seat.client_seed, seat.status, seat.gone) == ("open", None, "", "open", False)
    game.sit(1, "cyd", "c")
    game.sit(2, "dan", "d")
    assert game.live.nonce == "salt|c|d"
    assert [seat.bank for seat in game.live.seats] == [60_000] * 3


def test_open_seats_are_filled_with_cpu_players() -> None:
    """`fill` seats a CPU player at every open seat and starts the game."""
    game = Played(a_setup(ME, OPEN, OPEN, fill_at=START + 5000))
    assert due_at(game.setup, game.live) == START + 5000
    game.do({"k": "fill", "level": "normal"})
    assert game.live.status == "playing"
    assert [seat.kind for seat in game.live.seats] == ["person", "cpu", "cpu"]


def test_the_deal_is_that_of_the_seed_and_nonce() -> None:
    """The same setup and log deal the same cards; another seed deals others."""
    one, same = Played(a_setup(ME, CPU)), Played(a_setup(ME, CPU))
    other = Played(a_setup(ME, CPU, server_seed=bytes(32)))
    assert one.live.state == same.live.state
    assert one.live.state is not None
    assert other.live.state is not None
    assert one.live.state.hands != other.live.state.hands
    start, _ = rules.start(one.setup.ruleset(), 2, SEED, "salt|")
    assert one.live.state.hands == start.hands


# --- clocks


def seconds_left(game: Played) -> float:
    """What the deadline leaves after the last entry."""
    assert game.live.deadline is not None
    return (game.live.deadline - game.at) / 1000


def test_a_deadline_is_the_turn_and_what_is_left_of_the_bank() -> None:
    """It stands in the event and in the game, and is the same through the phases of a turn."""
    game = Played(a_setup(ME, ME, clock=clocked(30, 60)))
    assert seconds_left(game) == 90
    assert game.events[-1].deadline == stamp(game.live.deadline or 0)
    game.move({"type": "draw", "from": "stock"}, after=10_000)
    assert seconds_left(game) == 80


def test_time_beyond_the_turn_leaves_the_bank_once() -> None:
    """A turn of 45 s with 30 s for it takes 15 s from the bank of the seat that moved and from no other."""
    game = Played(a_setup(ME, ME, clock=clocked(30, 60)))
    slow = game.live.waiting[0]
    game.move({"type": "draw", "from": "stock"}, after=20_000)
    assert [seat.bank for seat in game.live.seats] == [60_000, 60_000]
    discard_something(game, after=25_000)
    assert game.live.seats[slow].bank == 45_000
    assert game.live.seats[1 - slow].bank == 60_000
    assert seconds_left(game) == 90
    quick_turn(game)
    assert seconds_left(game) == 30 + 45


def test_a_quick_turn_gives_nothing_back() -> None:
    """Time not used is not added to the bank."""
    game = Played(a_setup(ME, ME, clock=clocked(30, 60)))
    quick_turn(game)
    quick_turn(game)
    assert [seat.bank for seat in game.live.seats] == [60_000, 60_000]


def test_the_clock_empties_the_bank_and_never_below_nothing() -> None:
    """A seat whose time ran out has no bank left, however late the clock came."""
    game = Played(a_setup(ME, ME, clock=clocked(30, 60)))
    late = game.live.waiting[0]
    game.turn_by_clock(after=500_000)
    assert game.live.seats[late].bank == 0
    quick_turn(game)
    assert seconds_left(game) == 30


def discard_something(game: Played, after: int = 1000) -> None:
    """The seat to move discards the first card that it may."""
    state = game.live.state
    assert state is not None
    moves = [rules.move_json(move) for move in rules.legal_moves(state, game.live.waiting[0])]
    game.move(next(move for move in moves if move["type"] == "discard"), after=after)


def quick_turn(game: Played) -> None:
    """A turn of two seconds."""
    game.move({"type": "draw", "from": "stock"})
    discard_something(game)


def test_the_clock_draws_and_discards_what_it_drew() -> None:
    """R5.10: the draw and the discard are two entries, and the card drawn goes to the pile."""
    game = Played(a_setup(ME, ME, clock=clocked(30)))
    game.turn_by_clock(31_000)
    state = game.live.state
    assert state is not None
    kinds = game.types()[-3:]
    assert kinds == ["drew", "discarded", "turn_started"]
    drew, discarded = game.events[-3].event, game.events[-2].event
    assert drew.cards == (discarded.card,)


def test_two_missed_turns_in_a_row_are_noticed_and_one_is_not() -> None:
    """After the second a CPU player is due to stand in; a move of one's own in between starts the count again."""
    game = Played(a_setup(ME, ME, clock=clocked(30)))
    first = game.live.waiting[0]
    game.turn_by_clock(31_000)
    assert game.live.seats[first].missed == 1
    assert missed_twice(game.live) is None
    quick_turn(game)
    game.turn_by_clock(31_000)
    assert game.live.seats[first].missed == 2
    assert missed_twice(game.live) == first
    assert due_at(game.setup, game.live) == game.live.last_at

    again = Played(a_setup(ME, ME, clock=clocked(30)))
    again.turn_by_clock(31_000)
    quick_turn(again)
    quick_turn(again)
    assert [seat.missed for seat in again.live.seats] == [0, 0]


def test_a_turn_that_the_clock_only_ends_counts_as_missed_once() -> None:
    """Drawing oneself and then letting time run out is one missed turn, not two, and not none."""
    game = Played(a_setup(ME, ME, clock=clocked(30)))
    seat = game.live.waiting[0]
    game.move({"type": "draw", "from": "stock"})
    game.turn_by_clock(31_000)
    assert game.live.seats[seat].missed == 1


def test_a_stand_in_makes_way_for_a_move_of_the_person() -> None:
    """`seat_resumed` comes before the move's own event, and the missed turns are forgotten."""
    game = Played(a_setup(ME, ME, clock=clocked(30)))
    seat = game.live.waiting[0]
    told = game.do({"k": "stand_in", "seat": seat})
    assert [type_of(logged) for logged in told] == ["seat_left"]
    assert told[0].event.data == {"seat": seat, "status": "cpu_standing_in"}
    assert game.live.seats[seat].is_cpu
    assert game.live.seats[seat].player == "ann", "the seat stays the person's"
    told = game.move({"type": "draw", "from": "stock"})
    assert [type_of(logged) for logged in told] == ["seat_resumed", "drew"]
    assert not game.live.seats[seat].is_cpu
    assert game.live.seats[seat].stood_in


def test_a_seat_asked_back_is_the_persons_again() -> None:
    """`resume` ends the standing in without a move."""
    game = Played(a_setup(ME, ME, clock=clocked(30)))
    game.do({"k": "stand_in", "seat": 0})
    told = game.do({"k": "resume", "seats": [0]})
    assert [type_of(logged) for logged in told] == ["seat_resumed"]
    assert (game.live.seats[0].status, game.live.seats[0].missed) == ("active", 0)


def test_a_cpu_move_for_a_person_is_remembered() -> None:
    """Points and ratings must know that a CPU player helped, for ever."""
    game = Played(a_setup(ME, ME, clock=clocked(30)))
    seat = game.live.waiting[0]
    game.do({"k": "stand_in", "seat": seat})
    game.move({"type": "draw", "from": "stock"}, by="cpu")
    game.do({"k": "resume", "seats": [seat]})
    assert game.live.seats[seat].stood_in


def test_a_credit_moves_the_deadline_and_charges_nobody() -> None:
    """After a stop of a minute the seat to move has all the time it had, and its bank."""
    game = Played(a_setup(ME, ME, clock=clocked(30, 60)))
    seat = game.live.waiting[0]
    game.move({"type": "draw", "from": "stock"}, after=10_000)
    before = seconds_left(game)
    told = game.do({"k": "credit", "ms": 60_000}, after=60_000)
    assert [type_of(logged) for logged in told] == ["deadline_moved"]
    assert told[0].event.data == {"seat": seat, "deadline": stamp(game.live.deadline or 0)}
    assert seconds_left(game) == before
    discard_something(game, after=10_000)
    assert game.live.seats[seat].bank == 60_000


def test_time_never_runs_backwards_in_a_log() -> None:
    """An entry dated before the last one (clocks differ) is taken as of the last one."""
    game = Played(a_setup(ME, ME, clock=clocked(30)))
    live, events = advance(
        game.setup,
        game.live,
        {"k": "move", "seat": game.live.waiting[0], "move": {"type": "draw", "from": "stock"}, "by": "player"},
        game.live.last_at - 90_000,
    )
    assert live.last_at == game.live.last_at
    assert events[0].at == stamp(game.live.last_at)


def test_a_call_has_its_own_deadline_except_in_table_mode() -> None:
    """`call_seconds`, clock or not; a table that one client plays alone has no hurry."""
    position = {
        "hands": [["2C", "9D"], ["3C", "4D"], ["5C", "TD"]], "stock": ["AC", "KC", "QC"], "pile": ["8H"],
        "melds": [{"cards": [{"card": f"{rank}S", "seat": 0} for rank in "567"]}], "totals": [0, 0, 0],
        "dealer": 2, "turn": 0, "phase": "play",
    }  # fmt: skip
    position["hands"][0] = ["8S", "9D"]  # type: ignore[index]
    options = {"call_rummy": True}
    alone = Played(a_setup(ME, ME, ME, preset="pagat", options=options, position=position))
    alone.move({"type": "discard", "card": "8S"})
    assert alone.live.state is not None
    assert alone.live.state.phase == "call"
    assert alone.live.deadline is None
    people = Played(a_setup(ME, OPEN, OPEN, preset="pagat", options=options, position=position, call_seconds=7))
    people.sit(1, "bob")
    people.sit(2, "cyd")
    told = people.move({"type": "discard", "card": "8S"})
    assert [type_of(logged) for logged in told] == ["discarded", "call_opened"]
    assert seconds_left(people) == 7
    assert told[1].deadline == stamp(people.at + 7000)
    people.clock(7001)
    told = people.clock(0)
    assert [type_of(logged) for logged in told] == ["call_closed", "turn_started"]
    assert people.live.deadline is None
    assert [seat.missed for seat in people.live.seats] == [0, 0, 0], "a call passed by the clock is no missed turn"


# --- leaving (R7.4)


def left(game: Played, *seats: int) -> list[str]:
    """What a leave of these seats tells."""
    return [type_of(logged) for logged in game.do({"k": "left", "seats": list(seats)})]


def verified(game: Played) -> None:
    """The record of the game, played again from its seed, has the same end."""
    record = render.record(game.setup, game.live, game.rows, {}, game.at)
    report = verify(orjson.loads(orjson.dumps(record)), choices=False)
    assert report.good, report.problems


def test_leaving_a_two_seat_game_forfeits_it() -> None:
    """R7.4: `auto` with two seats is a forfeit; the other wins, CPU player or not."""
    for other in (CPU, ME):
        setup = a_setup(ME, other) if other is CPU else a_setup(ME, OPEN)
        game = Played(setup)
        if other is not CPU:
            game.sit(1, "bob")
        assert left(game, 0) == ["seat_left", "game_ended"]
        assert game.live.status == "finished"
        assert game.live.result is not None
        assert (game.live.result["reason"], game.live.result["winners"]) == ("left", [1])
        assert game.live.seats[0].status == "left"
        assert due_at(game.setup, game.live) is None


def test_leaving_a_three_seat_game_gives_the_seat_to_a_cpu_player() -> None:
    """R7.4: `auto` with more seats; the game goes on, and the person does not come back."""
    game = Played(a_setup(ME, OPEN, CPU))
    game.sit(1, "bob")
    assert left(game, 0) == ["seat_left"]
    seat = game.live.seats[0]
    assert (seat.status, seat.gone, seat.is_cpu, seat.cpu_level) == ("cpu_standing_in", True, True, "normal")
    assert game.live.seats_of("ann") == 0
    assert game.live.status == "playing"


def test_when_the_last_person_leaves_the_game_is_abandoned() -> None:
    """R7.4: without winners, though CPU players are still there."""
    game = Played(a_setup(ME, OPEN, CPU))
    game.sit(1, "bob")
    left(game, 0)
    assert left(game, 1) == ["seat_left", "game_ended"]
    assert game.live.result is not None
    assert (game.live.result["reason"], game.live.result["winners"]) == ("abandoned", [])


def test_a_forfeit_among_three_makes_all_others_win() -> None:
    """R7.4: `on_leave = forfeit`; the round in progress is not scored."""
    game = Played(a_setup(ME, OPEN, CPU, options={"on_leave": "forfeit"}))
    game.sit(1, "bob")
    assert left(game, 1) == ["seat_left", "game_ended"]
    assert game.live.result == {"reason": "left", "winners": [0, 2], "totals": [0, 0, 0]}


@pytest.mark.parametrize(
    ("preset", "mine", "others", "options", "reason", "winners"),
    [
        ("pagat", 2, 1, {"on_leave": "forfeit"}, "left", [2]),
        ("pagat", 2, 2, {"on_leave": "forfeit"}, "left", [2, 3]),
        ("pagat", 2, 0, {"on_leave": "forfeit"}, "abandoned", []),
        ("partnership", 2, 2, {"on_leave": "forfeit"}, "abandoned", []),  # one of each side: there is no other side
    ],
)
def test_a_forfeit_of_several_seats_ends_the_game_for_all_of_them(
    preset: str, mine: int, others: int, options: dict[str, str], reason: str, winners: list[int]
) -> None:
    """R7.4: who holds several of three or more seats leaves with all of them, and the others win."""
    setup = a_setup(*[ME] * mine, *[OPEN] * others, preset=preset, options=options)
    game = Played(setup)
    for number in range(mine, mine + others):
        game.sit(number, f"guest {number}")
    assert left(game, *range(mine)) == ["seat_left"] * mine + ["game_ended"]
    result = game.live.result
    assert result is not None
    assert (result["reason"], result["winners"]) == (reason, winners)
    assert {seat.status for seat in game.live.seats[:mine]} == {"left"}
    verified(game)


def test_a_forfeit_of_both_partners_makes_the_other_side_win() -> None:
    """R7.3, R7.4: one person plays a whole side and leaves."""
    setup = a_setup(ME, OPEN, ME, OPEN, preset="partnership", options={"on_leave": "forfeit"})
    game = Played(setup)
    for number in (1, 3):
        game.sit(number, f"guest {number}")
    assert left(game, 0, 2) == ["seat_left", "seat_left", "game_ended"]
    assert game.live.result == {"reason": "left", "winners": [1, 3], "totals": [0, 0, 0, 0]}
    verified(game)


def test_a_forfeit_among_partners_makes_the_other_side_win() -> None:
    """R7.3, R7.4."""
    setup = a_setup(ME, OPEN, CPU, CPU, preset="partnership", options={"on_leave": "forfeit"})
    game = Played(setup)
    game.sit(1, "bob")
    assert left(game, 1) == ["seat_left", "game_ended"]
    assert game.live.result is not None
    assert game.live.result["winners"] == [0, 2]


def test_a_cpu_rule_for_two_lets_the_cpu_play_on() -> None:
    """R7.4: `on_leave = cpu` with two people: the other plays on against a CPU player."""
    game = Played(a_setup(ME, OPEN, options={"on_leave": "cpu"}))
    game.sit(1, "bob")
    assert left(game, 0) == ["seat_left"]
    assert game.live.status == "playing"
    assert left(game, 1) == ["seat_left", "game_ended"]
    assert game.live.result is not None
    assert game.live.result["reason"] == "abandoned"


def test_leaving_a_table_of_ones_own_abandons_it() -> None:
    """In table mode all seats are left at once; nobody wins."""
    game = Played(a_setup(ME, ME))
    assert left(game, 0, 1) == ["seat_left", "seat_left", "game_ended"]
    assert game.live.result is not None
    assert game.live.result["reason"] == "abandoned"
    assert [seat.status for seat in game.live.seats] == ["left", "left"]


@pytest.mark.parametrize("phase", ["draw", "play", "owing"])
def test_leaving_in_any_phase_of_ones_turn_leaves_a_playable_game(phase: str) -> None:
    """The seat that takes over has a legal move, and every card is still there once (R5.9)."""
    position = {
        "hands": [["2C", "9D", "7S"], ["3C", "4D"], ["5C", "TD"]], "stock": ["AC", "KC", "QC"],
        "pile": ["8H", "7H", "7D"], "melds": [], "totals": [0, 0, 0], "dealer": 2, "turn": 0, "phase": "draw",
    }  # fmt: skip
    position["hands"][0] = ["8S", "8D", "9D"]  # type: ignore[index]
    game = Played(a_setup(ME, OPEN, CPU, position=position))
    game.sit(1, "bob")
    if phase == "play":
        game.move({"type": "draw", "from": "stock"})
    elif phase == "owing":
        game.move({"type": "draw", "from": "pile", "card": "8H"})
    left(game, 0)
    state = game.live.state
    assert state is not None
    for _ in range(12):
        if game.live.status != "playing" or game.live.waiting != (0,):
            break
        game.clock()
    assert game.live.waiting != (0,)


# --- games without a result


def test_a_game_that_never_began_can_be_closed() -> None:
    """It ends as abandoned with totals of nothing."""
    game = Played(a_setup(ME, OPEN))
    game.do({"k": "close"})
    assert game.live.status == "finished"
    assert game.live.result == {"reason": "abandoned", "winners": [], "totals": [0, 0]}
    running = Played(a_setup(ME, CPU))
    running.do({"k": "close"})
    assert running.live.result == {"reason": "abandoned", "winners": [], "totals": [0, 0]}


# --- replay


MIXES: list[Setup] = [
    a_setup(ME, ME, options={"target": 60}),
    a_setup(ME, OPEN, CPU, preset="party", options={"target": 60}, clock=clocked(30, 60)),
    a_setup(ME, OPEN, OPEN, CPU, preset="house_float", options={"target": 60}),
    a_setup(ME, ME, ME, ME, preset="partnership", options={"target": 60}, clock=clocked(5)),
    a_setup(ME, OPEN, CPU, CPU, CPU, CPU, preset="pagat", options={"target": 60}),
]


def at_random(setup: Setup, seed: int, moves: int = 400) -> Played:
    """A game of anything that can happen: moves, the clock, stand-ins, seats back, leaves, credits."""
    chance = random.Random(seed)
    game = Played(setup)
    for number, seat in enumerate(setup.seats):
        if seat.kind == "open":
            game.sit(number, f"player{number}", str(number))
    for _ in range(moves):
        if game.live.status == "finished":
            break
        what = chance.random()
        people = [number for number in game.live.people() if game.live.seats[number].status == "active"]
        if what < 0.02 and people:
            game.do({"k": "stand_in", "seat": chance.choice(people)})
        elif what < 0.04 and any(seat.status == "cpu_standing_in" and not seat.gone for seat in game.live.seats):
            back = [n for n, seat in enumerate(game.live.seats) if seat.status == "cpu_standing_in" and not seat.gone]
            game.do({"k": "resume", "seats": [chance.choice(back)]})
        elif what < 0.06 and setup.clock is not None:
            game.do({"k": "credit", "ms": chance.randrange(100_000)}, after=100_000)
        elif what < 0.065 and len(people) > 1 and not setup.table_mode:
            left(game, people[-1])
        elif what < 0.2:
            game.clock(chance.randrange(40_000))
        else:
            game.any_move(chance, by=chance.choice(["player", "cpu"]), after=chance.randrange(40_000))
    return game


def replayed(game: Played) -> list[Live]:
    """Where the game stood after each row, from its log alone."""
    live, lives = blank(game.setup), []
    for row in game.rows:
        live, _ = advance(game.setup, live, row.entry, row.at)
        lives.append(live)
    return lives


@pytest.mark.parametrize("number", range(len(MIXES)))
def test_replay_of_a_log_equals_the_live_game(number: int) -> None:
    """At every version, in every field, whatever happened, also from the setup as it is stored."""
    for seed in range(3):
        game = at_random(MIXES[number], seed)
        assert replayed(game) == game.lives
        stored = Setup.from_json("g", MIXES[number].as_json(), SEED)
        assert stored == MIXES[number]


@pytest.mark.parametrize("number", range(len(MIXES)))
def test_versions_are_dense_and_times_never_fall(number: int) -> None:
    """Every event has the next number; a row's versions are those of its events."""
    game = at_random(MIXES[number], 7)
    assert [logged.seq for logged in game.events] == list(range(1, game.live.version + 1))
    times = [logged.at for logged in game.events]
    assert times == sorted(times)
    before = 0
    for row in game.rows:
        assert row.seq == before
        assert row.version > row.seq, "an entry without events would share its place with the next one"
        before = row.version


def test_the_order_within_a_commit_is_that_of_the_contract() -> None:
    """The act; floated; a call; then the next turn, or the round's end, and the next round or the game's end."""
    order = {
        "seat_resumed": 0, "drew": 1, "took_back": 1, "melded": 1, "laid_off": 1, "discarded": 1, "passed": 1,
        "answered": 1, "floated": 2, "call_opened": 3, "call_closed": 3, "round_ended": 4, "round_started": 5,
        "game_ended": 5, "turn_started": 6,
    }  # fmt: skip
    for number, setup in enumerate(MIXES):
        game = at_random(setup, 20 + number)
        for row in game.rows:
            if row.entry["k"] == "move":
                told = [type_of(logged) for logged in game.events[row.seq : row.version]]
                places = [order[name] for name in told]
                assert places == sorted(places), told


def test_a_record_alone_replays_to_the_same_result() -> None:
    """Ruleset, seed, nonce and the moves of the RECORD are enough for the rules to reach its result."""
    game = at_random(MIXES[0], 3, moves=3000)
    assert game.live.status == "finished"
    record = render.record(game.setup, game.live, game.rows, {}, game.at)
    ruleset = rules.make_ruleset(record["ruleset"]["preset"], record["ruleset"]["options"], len(record["seats"]))
    fairness = record["fairness"]
    state, _ = rules.start(ruleset, len(record["seats"]), bytes.fromhex(fairness["server_seed"]), fairness["nonce"])
    for entry in record["moves"]:
        state, _ = rules.apply(state, entry["seat"], rules.parse_move(entry["move"]))
    assert state.result == record["result"]


def test_finished_games_take_replace_nothing() -> None:
    """A `Live` is a value: an older one is never changed by going on from it."""
    game = Played(a_setup(ME, ME))
    before = replace(game.live)
    game.move({"type": "draw", "from": "stock"})
    assert game.lives[0] == before
