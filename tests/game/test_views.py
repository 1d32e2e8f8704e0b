"""Views: a client that follows the events has the view at every moment, and views hold what their viewer may know."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from server.game import Ruleset, abandon, apply, event_json, leave_forfeit, make_ruleset, start, view_json
from server.game.events import RoundStarted
from tests.game.follower import Follower
from tests.game.tables import play, tables

Table = tuple[Ruleset, int]


@given(tables(), st.integers(0, 2**32), st.data())
def test_stage1_who_follows_the_events_has_the_view(table: Table, number: int, data: st.DataObject) -> None:
    """After each move, the view that the events lead to is the view that is shown: for a seat, some seats, or none."""
    _, seats = table
    own = data.draw(st.integers(0, (1 << seats) - 1))
    game = play(table, number, at_most=250)
    follower = Follower(seats, own)
    state = game.first
    told = tuple(event for event in game.events[:2])
    assert isinstance(told[0], RoundStarted)
    for seat, move in [*game.moves, (-1, None)]:
        for event in told:
            follower.hear(event_json(event, own))
        assert follower.shown() == view_json(state, own)
        if move is not None:
            state, told = apply(state, seat, move)


def test_stage1_hands_are_shown_to_their_seats_alone() -> None:
    """The public view has no hand; a seat's has its own; in table mode one client has them all."""
    state, _ = start(make_ruleset("party", {}, 4), 4, b"v" * 32, "|||")
    for own in range(16):
        seats: Any = view_json(state, own)["seats"]
        assert [seat["hand"] is not None for seat in seats] == [bool(own >> seat & 1) for seat in range(4)]
        assert [seat["hand_count"] for seat in seats] == [7] * 4


def test_r7_4_leaving_and_abandoning_end_the_game() -> None:
    """The others win, with partners the other side; nobody wins an abandoned game; the round is not scored."""
    state, _ = start(make_ruleset("pagat", {}, 3), 3, b"v" * 32, "||")
    after, events = leave_forfeit(state, 1)
    assert [event_json(event, 0) for event in events] == [
        {"type": "game_ended", "reason": "left", "winners": [0, 2], "totals": [0, 0, 0]}
    ]
    assert (after.finished, after.waiting, after.result) == (
        True,
        (),
        {"reason": "left", "winners": [0, 2], "totals": [0, 0, 0]},
    )
    partners, _ = start(make_ruleset("partnership", {}, 4), 4, b"v" * 32, "|||")
    assert leave_forfeit(partners, 2)[0].result == {"reason": "left", "winners": [1, 3], "totals": [0] * 4}
    assert abandon(state)[0].result == {"reason": "abandoned", "winners": [], "totals": [0, 0, 0]}
    assert view_json(abandon(state)[0], 0)["turn"] is None
