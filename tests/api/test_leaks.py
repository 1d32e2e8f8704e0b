"""Every byte that anybody is sent in a whole game, judged by the cards that were hidden from them at that moment.

The games are played over HTTP and the stream by people, CPU players and onlookers, with refusals on purpose; afterwards
the record tells where each card was at each version.
"""

import asyncio
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from server import game as rules
from tests.support.client import Api, Json, Player, Stream, modest, stream
from tests.support.servers import ServerProcess

CARD = re.compile(r"(?<![A-Za-z0-9])(?:[A2-9TJQK][CDHS]2?|X[1-4])(?![A-Za-z0-9])")


def cards_in(text: str) -> set[str]:
    """Every card named anywhere, in whatever field; what a joker stands for is no card."""
    return set(CARD.findall(re.sub(r'"as":\s*"[^"]*"|=[A2-9TJQK][CDHS]?', "", text)))


class Worlds:
    """Where every card was at each version, from a record."""

    def __init__(self, record: Json) -> None:
        options, seats = record["ruleset"]["options"], len(record["seats"])
        ruleset = rules.make_ruleset(record["ruleset"]["preset"], options, seats)
        seed = bytes.fromhex(record["fairness"]["server_seed"])
        state, _ = rules.start(ruleset, seats, seed, record["fairness"]["nonce"])
        self.at: dict[int, rules.State] = {}
        moves = [entry for entry in record["moves"] if "move" in entry]
        for entry in moves:
            self.at[entry["seq"]] = state
            state, _ = rules.apply(state, entry["seat"], rules.parse_move(entry["move"]))
        self.versions = sorted(self.at)

    def hidden(self, version: int, mask: int) -> set[str]:
        """The cards that these seats did not know at a version (nothing is hidden once the game is over)."""
        known = [one for one in self.versions if one <= version]
        if not known or version > self.versions[-1]:
            return set()
        state = self.at[known[-1]]
        found = {rules.card_name(card) for card in state.stock}
        for seat, hand in enumerate(state.hands):
            if not mask >> seat & 1:
                found |= {rules.card_name(card) for card in hand if card not in state.known[seat]}
        return found


def pieces(told: Any) -> Iterator[tuple[int | None, Json]]:
    """What is judged by itself: each VIEW, each commit's events, everything else as a whole; with its version."""
    if isinstance(told, dict) and "fairness" in told and "stock_count" in told:
        yield told["version"], told | {"last_round": None}
    elif isinstance(told, dict) and "events" in told:
        for event in told["events"]:
            if event["type"] not in ("round_ended", "round_started"):
                yield event["seq"], event
        if "view" in told:
            yield from pieces(told["view"])
    elif isinstance(told, dict) and told.get("type") == "snapshot":
        yield from pieces(told["view"])
    elif isinstance(told, dict) and "items" in told and "pile" in told:
        yield told["version"], told
    elif isinstance(told, dict):
        yield told.get("version"), told


def event_versions(everything: list[Json]) -> dict[int, int]:
    """The version at the end of the commit that each event is in: by the acts that begin commits."""
    ends: dict[int, int] = {}
    last = everything[-1]["seq"] if everything else 0
    acts = {"drew", "took_back", "melded", "laid_off", "discarded", "passed", "answered", "call_closed"}
    starts = [event["seq"] for event in everything if event["type"] in acts] + [last + 1]
    for event in everything:
        ends[event["seq"]] = min(start for start in starts if start > event["seq"]) - 1
    return ends


@pytest.mark.parametrize(("preset", "cpus", "seed"), [("classic", 1, 2), ("party", 1, 3), ("house_float", 1, 4)])
async def test_no_byte_tells_anybody_a_card_that_is_hidden_from_them(  # noqa: C901 - one game, told as a story
    api: Api, preset: str, cpus: int, seed: int
) -> None:
    """Zone by role by phase: two people, CPU players, an onlooker by the `watch` code or at a public game."""
    ann, bob, eve = await api.guest("Ann"), await api.guest("Bob"), await api.guest("Eve")
    seats = [{"kind": "me"}, {"kind": "open"}, *[{"kind": "cpu", "level": "easy"}] * cpus]
    public = seed % 2 == 0
    made = await ann.make(
        seats=seats,
        ruleset={"preset": preset, "options": {"max_rounds": 1}},
        visibility="public" if public else "private",
    )
    game = made["id"]
    await bob.post(f"/v1/games/{game}/seats", {"invite": made["invite"]})
    watch = "" if public else f"watch={made['watch']}"
    sent: list[tuple[int, int, Any, str]] = []  # mask, version when asked, what was told, its text

    def note(mask: int, version: int, told: Any) -> None:
        sent.append((mask, version, told, json.dumps(told, ensure_ascii=False)))

    chance = random.Random(seed)
    phases = set()
    async with (
        ann.stream(game, "after=0&views=1") as one, bob.stream(game, "after=0") as two,
        stream(api.url, game, eve.token, f"{watch}&after=0&views=1") as three,
    ):  # fmt: skip
        streams: list[tuple[int, Stream]] = [(1, one), (2, two), (0, three)]
        view = await ann.view(game)
        for _ in range(500):
            view = await ann.view(game)
            if view["status"] == "finished":
                break
            version = view["version"]
            phases.add(view["turn"]["phase"])
            for mask, who, query in ((1, ann, ""), (2, bob, ""), (0, eve, f"?{watch}"))[version % 3 :]:
                answer = await who.get(f"/v1/games/{game}{query}")
                note(mask, version, answer.body)
                note(mask, version, (await who.get(f"/v1/games/{game}/legal-moves{query}")).body)
            waiting = view["call"]["waiting"] if view["call"] else [view["turn"]["seat"]]
            mover = next((seat for seat in waiting if seat < 2), None)
            if mover is None:
                await ann.get(f"/v1/games/{game}/events?after={version}&wait=5")
                continue
            for mask, who in ((1, ann), (2, bob)):
                for move in a_few_that_will_not_do(chance):
                    answer = await who.move(game, move, if_version=version)
                    if answer.status == 200:
                        break
                    note(mask, version, {name: value for name, value in answer.body.items() if name != "version"})
                else:
                    continue
                break
            else:
                player = (ann, bob)[mover]
                legal = await player.legal(game)
                if legal:
                    answer = await player.move(game, modest(legal, chance))
                    note(1 << mover, version + 1, answer.body)
        assert view["status"] == "finished"
        for _, opened in streams:
            await opened.until_version(view["version"])
    record = (await ann.get(f"/v1/games/{game}/record")).body
    worlds = Worlds(record)
    everything = await ann.events(game)
    ends = event_versions(everything)
    for mask, opened in streams:
        for frame in opened.frames:
            note(mask, 0, frame)
    judged = 0
    for mask, version, told, _ in sent:
        for at, piece in pieces(told):
            when = version if at is None else ends.get(at, at) if "seq" in piece else at
            text = json.dumps({key: value for key, value in piece.items() if key not in ("fairness", "id")})
            leaked = cards_in(text) & worlds.hidden(when, mask)
            asked = set()
            if "detail" in piece:
                asked = {"2C", "KD", "7H", "9S", "AS", "AS2", "X1"}  # what was asked, and what a card looks like
            assert not leaked - asked, (mask, when, piece)
            judged += 1
    assert judged > 20  # a round may be short
    assert {"draw", "play"} <= phases


def a_few_that_will_not_do(chance: random.Random) -> list[Json]:
    """Moves of cards wherever they are: refusals must not tell where that is."""
    card = chance.choice(["2C", "KD", "7H", "9S", "AS"])
    return [
        {"type": "draw", "from": "pile", "card": "X9"},
        {"type": "lay_off", "card": card, "meld": "m99"},
        {"type": "meld", "cards": [card, card]},
    ]


async def test_a_card_that_lies_elsewhere_is_refused_like_one_that_is_not(ann: Player) -> None:
    """Stock, rival's hand, out of play: the same status and, but for the card's name, the same bytes (B10)."""
    position = {
        "hands": [["7H", "8H", "2C"], ["KD", "3C"]], "stock": ["AC", "KC"], "pile": ["5C", "9H"], "melds": [],
        "totals": [0, 0], "dealer": 1, "turn": 0, "phase": "play",
    }  # fmt: skip
    bob = await ann.api.guest("Bob")
    made = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}], visibility="public", position=position)
    await bob.post(f"/v1/games/{made['id']}/seats", {})
    for form in (
        lambda card: {"type": "discard", "card": card},
        lambda card: {"type": "lay_off", "card": card, "meld": "m1"},
        lambda card: {"type": "meld", "cards": ["7H", "8H", card]},
    ):
        answers = set()
        for card in ("AC", "KC", "KD", "3C", "QS", "4D", "9H2"):
            refused = await ann.move(made["id"], form(card))
            answers.add((refused.status, refused.response.text.replace(card, "?")))
        assert len(answers) == 1, answers
        assert "card_not_in_hand" in next(iter(answers))[1]


async def test_secrets_stand_nowhere_but_where_they_belong(
    api: Api, api_server: ServerProcess, ann: Player, bob: Player
) -> None:
    """Tokens, codes and seeds in no answer to others, and in no line of the log."""
    api.heard = []
    private = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}])
    public = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}], visibility="public")
    await bob.post(f"/v1/games/{public['id']}/seats", {})
    for who in (bob, None):
        token = None if who is None else who.token
        for path in (
            "/v1/games?limit=100", "/v1/games?mine=true", f"/v1/games/{private['id']}", f"/v1/games/{public['id']}",
            f"/v1/games/{public['id']}/events", f"/v1/games/{private['id']}/events", f"/v1/players/{ann.id}",
            "/v1/server", "/v1/me",
            "/openapi.json", "/metrics",
        ):  # fmt: skip
            await api.call("GET", path, token=token)
    for token, told in api.heard:
        if token != ann.token:
            for secret in (ann.token, private["invite"], private["watch"]):
                assert secret.encode() not in told
        if token != bob.token:
            assert bob.token.encode() not in told
    left = await ann.delete(f"/v1/games/{public['id']}/seats/me")
    assert left.status == 204
    seed = (await bob.get(f"/v1/games/{public['id']}/record")).body["fairness"]["server_seed"]
    assert not any(seed.encode() in told for _, told in api.heard[:-1])
    await asyncio.sleep(0.1)
    log = api_server.output
    for secret in (ann.token, bob.token, private["invite"], private["watch"], seed):
        assert secret not in log


async def test_an_onlooker_needs_the_right_code(api: Api, ann: Player, bob: Player) -> None:
    """`watch` gives a spectator's view and no more; a wrong one is as none; `spectators` false shuts everybody out."""
    private = await ann.make(seats=[{"kind": "me"}, {"kind": "cpu"}])
    game, code = private["id"], private["watch"]
    seen = await bob.get(f"/v1/games/{game}?watch={code}")
    assert seen.body["your_seats"] == []
    assert (seen.body["invite"], seen.body["watch"]) == (None, None)
    assert [seat["hand"] for seat in seen.body["seats"]] == [None, None]
    assert (await api.call("GET", f"/v1/games/{game}?watch={code}")).status == 200
    for wrong in ("", "x", code[:-1], code + "A", private["invite"], "é"):
        assert (await bob.get(f"/v1/games/{game}?watch={wrong}")).status == 404
        assert (await api.call("GET", f"/v1/games/{game}?watch={wrong}")).status == 401
    async with stream(api.url, game, None, f"watch={code}") as opened:
        assert (await opened.next())["view"]["your_seats"] == []
        result = await opened.move({"type": "pass"})
        assert result["problem"]["code"] == "unauthenticated"
    assert (await bob.move(game, {"type": "pass"})).status == 404
    closed = await ann.make(visibility="public", spectators=False)
    assert (await bob.get(f"/v1/games/{closed['id']}")).code == "forbidden"
    assert (await api.call("GET", f"/v1/games/{closed['id']}")).code == "unauthenticated"
    for token, expected in ((bob.token, 4403), (None, 4401)):
        async with stream(api.url, closed["id"], token) as opened:
            assert await opened.code() == expected


async def test_a_wrong_invite_does_not_tell_that_there_is_a_game(ann: Player, bob: Player) -> None:
    """A private game and one that doesn't exist answer a guessed invite alike, whatever seat is asked for."""
    game = (await ann.make(seats=[{"kind": "me"}, {"kind": "open"}]))["id"]
    for guess in ({}, {"invite": "x"}, {"invite": ""}, {"invite": "é", "seat": 7}, {"invite": "AAAAAAAAAA", "seat": 0}):
        told = [await bob.post(f"/v1/games/{each}/seats", guess) for each in (game, "0" * 32)]
        assert [answer.status for answer in told] == [404, 404], guess
        assert told[0].body == told[1].body


async def test_who_has_left_sees_no_more_than_a_stranger(ann: Player, bob: Player) -> None:
    """The open stream is closed with 4403 at once; reads and moves end with it; and there is no way back."""
    for visibility in ("private", "public"):
        made = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "cpu"}], visibility=visibility)
        game = made["id"]
        await bob.post(f"/v1/games/{game}/seats", {"invite": made["invite"]})
        async with bob.stream(game) as theirs, ann.stream(game) as mine:
            await theirs.next()
            await mine.next()
            assert (await bob.delete(f"/v1/games/{game}/seats/me")).status == 204
            assert await theirs.code(5) == 4403
            assert theirs.events[-1]["type"] == "seat_left"  # nothing more came, though play goes on
            while not mine.events or mine.events[-1]["type"] != "seat_left":
                await mine.until("events")  # the CPU player may have moved before
            assert mine.events[-1]["seat"] == theirs.events[-1]["seat"] == 1
        seen = await bob.get(f"/v1/games/{game}")
        if visibility == "public":
            assert seen.body["your_seats"] == []
            assert all(seat["hand"] is None for seat in seen.body["seats"])
        else:
            assert seen.status == 404
        assert (await bob.move(game, {"type": "pass"})).status in (403, 404)
        back = await bob.post(f"/v1/games/{game}/seats", {"invite": made["invite"]})
        assert back.status in (403, 404)
        assert (await bob.delete(f"/v1/games/{game}/seats/me")).status in (403, 404)
