"""Dailies and boards as clients meet them, on whole servers over one storage."""

import hashlib
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import orjson
import pytest

from server.boards.verify import verify
from tests.conftest import StartServer
from tests.support.servers import ServerProcess

pytestmark = pytest.mark.storage
DAY = 86_400


OPEN: list[httpx.Client] = []


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """Connections end with the test."""
    yield
    while OPEN:
        OPEN.pop().close()


class Client:
    """A guest at a server."""

    def __init__(self, url: str, token: str | None = None, name: str | None = None) -> None:
        self.http = httpx.Client(base_url=f"{url}/v1", timeout=30)
        if token is None:
            made = self.http.post("/players", json={} if name is None else {"name": name}).raise_for_status().json()
            token, self.player = made["token"], made["player"]
        self.token = token
        self.http.headers["Authorization"] = f"Bearer {token}"
        OPEN.append(self.http)

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        answer = self.http.get(path, params=query)
        assert answer.status_code == status, answer.text
        return answer.json()

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        answer = self.http.post(path, json={} if body is None else body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def delete(self, path: str) -> None:
        answer = self.http.delete(path)
        assert answer.status_code == 204, answer.text

    def at(self, server: ServerProcess) -> "Client":
        """The same guest at another server."""
        return Client(server.url, self.token)


def masked(value: Any) -> Any:
    """Events without times, ids and names."""
    if isinstance(value, dict):
        return {key: "*" if key in ("at", "player", "deadline", "id") else masked(part) for key, part in value.items()}
    return [masked(part) for part in value] if isinstance(value, list) else value


def act(client: Client, game: str, until: float) -> bool:
    """Makes one move, the same in the same situation, when it is the own turn; False when the game is over."""
    while time.monotonic() < until:
        view = client.get(f"/games/{game}")
        if view["status"] == "finished":
            return False
        items = client.get(f"/games/{game}/legal-moves")["items"]
        if items:
            melds = [move for move in items if move["type"] in ("meld", "lay_off")]
            stock = [move for move in items if move.get("from") == "stock"]
            client.post(f"/games/{game}/moves", {"move": (melds or stock or items)[0]})
            return True
        time.sleep(0.005)
    raise AssertionError("the own turn did not come")


@pytest.fixture
def two_servers(start_server: StartServer) -> tuple[ServerProcess, ServerProcess]:
    """Two servers over one storage."""
    first = start_server()
    return first, start_server(like=first)


@pytest.mark.timeout(300)
@pytest.mark.slow
def test_stage5_the_same_moves_meet_the_same_replies_on_any_process(
    two_servers: tuple[ServerProcess, ServerProcess],
) -> None:
    """Two guests on two servers make the same moves to the end of the game, one server being killed in between."""
    here, there = two_servers
    one, two = Client(here.url), Client(there.url)
    games = [player.post("/daily/games", status=201)["id"] for player in (one, two)]
    until = time.monotonic() + 240
    moves = 0
    while act(one, games[0], until):
        assert act(two, games[1], until)
        moves += 1
        if moves == 40:
            there.kill()
            there.restart()
            two = two.at(there)
    assert not act(two, games[1], until)
    logs = [player.get(f"/games/{game}/events")["events"] for player, game in zip((one, two), games, strict=True)]
    assert masked(logs[0]) == masked(logs[1])
    assert logs[0][-1]["type"] == "game_ended"
    today = one.get("/daily")["date"]
    rows = one.get(f"/daily/{today}/leaderboard")["items"]
    assert [row["rank"] for row in rows] == [1, 1]
    assert {row["games"][0] for row in rows} == set(games)
    for path in (f"/games/{games[0]}/record", f"/games/{games[0]}/review"):
        assert one.http.get(path).status_code in (403, 404)
        assert two.http.get(path).status_code in (403, 404)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/St_Johns"])
def test_stage5_nothing_of_a_day_is_told_before_it_closes_and_all_of_it_afterwards(
    start_server: StartServer, zone: str
) -> None:
    """Servers whose clocks are moved, in odd time zones, agree on dates; a closed day opens, and stays as it is."""
    now = start_server(TZ=zone)
    guest, other = Client(now.url, name="Ann"), Client(now.url)
    day = guest.get("/daily")
    assert day["date"] == datetime.now(UTC).date().isoformat()
    game = guest.post("/daily/games", status=201)
    assert (
        game["id"] == other.http.get("/daily", headers={"Authorization": f"Bearer {guest.token}"}).json()["your_game"]
    )
    unfinished = other.post("/daily/games", status=201)
    guest.delete(f"/games/{game['id']}/seats/me")
    for token in (guest.token, other.token, None):
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = httpx.get(f"{now.url}/v1/games/{game['id']}/record", headers=headers)
        assert answer.status_code in (401, 403, 404)
    guest.post(f"/daily/{day['date']}/practice", status=403)
    board = guest.get(f"/daily/{day['date']}/leaderboard")["items"]
    assert [row["games"] for row in board] == [[game["id"]]]

    later = start_server(like=now, TZ=zone, RUMMY500_TEST_CLOCK=str(2 * DAY))
    after = guest.at(later)
    told = after.get(f"/daily/{day['date']}")
    assert hashlib.sha256(bytes.fromhex(told["server_seed"])).hexdigest() == day["commitment"] == told["commitment"]
    assert after.get("/daily")["date"] == (date.fromisoformat(day["date"]) + timedelta(days=2)).isoformat()
    assert after.get("/daily")["your_game"] is None
    record = httpx.get(f"{later.url}/v1/games/{game['id']}/record").raise_for_status().json()
    assert record["fairness"]["server_seed"] == told["server_seed"]
    assert verify(record).problems == []
    practice = after.post(f"/daily/{day['date']}/practice", status=201)
    assert practice["ranked"] is False
    assert practice["fairness"]["commitment"] == day["commitment"]
    assert practice["dealer"] == game["dealer"]
    ended = other.at(later).get(f"/games/{unfinished['id']}")
    assert (ended["status"], ended["result"]["reason"]) == ("finished", "abandoned")
    assert after.get(f"/daily/{day['date']}/leaderboard")["items"] == board
    checked = subprocess.run(
        [sys.executable, "-m", "server", "boards", "check-games"],
        env=later.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.stdout.strip().endswith("1 games checked, 0 wrong"), checked.stdout + checked.stderr


@pytest.fixture(scope="module")
def server(start_server_in_module: StartServer) -> ServerProcess:
    """A server for the quick tests."""
    return start_server_in_module()


def test_cursors_dates_and_boards_that_are_none_are_refused(server: ServerProcess) -> None:
    """Every odd input has its 4xx: no board, no date, no period, no limit, no cursor, NUL anywhere."""
    guest = Client(server.url)
    for path, status in (
        ("/leaderboards/wealth", 404), ("/leaderboards/ranking?period=year", 422),
        ("/leaderboards/ranking?limit=0", 422),
        ("/leaderboards/ranking?limit=101", 422), ("/leaderboards/ranking?cursor=xyz", 422), ("/daily/tomorrow", 404),
        ("/leaderboards/ranking?registered=maybe", 422), ("/daily/2026-02-30", 404), ("/daily/9999-12-31", 404),
        ("/daily/0001-01-01", 404), ("/daily/2026-1-1", 404), ("/players/%00", 404), ("/players/unknown", 404),
        ("/daily/%00/leaderboard", 404), ("/leaderboards/ranking?cursor=%00", 422), ("/leaderboards/%00", 404),
        ("/leaderboards/ranking/around-me?limit=x", 422), ("/leaderboards/wealth/around-me", 404),
        ("/leaderboards/rating?unknown=1", 200), ("/leaderboards/daily?period=week&registered=true", 200),
    ):  # fmt: skip
        assert guest.http.get(path).status_code == status, path
    assert guest.http.post("/daily/games", json={"client_seed": "x"}).json()["code"] == "malformed"
    assert guest.http.post("/daily/2026-01-01/practice", json={"x": 1}).status_code == 404
    assert httpx.get(f"{server.url}/v1/leaderboards/ranking/around-me").status_code == 401
    assert httpx.get(f"{server.url}/v1/daily", headers={"Authorization": "Bearer nonsense"}).status_code == 401


def test_no_request_can_write_a_score(server: ServerProcess) -> None:
    """Points, ranks and ratings in a body are fields that nobody named."""
    guest = Client(server.url)
    for path in ("/players", "/games", "/daily/games", "/me/tokens", "/me/transfers", "/sessions"):
        for field in ("score", "points", "ranking_points", "rating", "rank", "kind", "id"):
            answer = guest.http.post(path, json={field: 1000})
            assert (answer.status_code, answer.json()["code"]) == (422, "malformed"), (path, field)
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert guest.http.request(method, "/leaderboards/ranking", json={}).status_code == 405
    assert guest.get("/me")["ranking_points"] == 0


def test_a_players_page_has_what_the_contract_names(server: ServerProcess) -> None:
    """The page of a guest who has not played, and of one who was deleted."""
    guest = Client(server.url, name="Ann")
    page = httpx.get(f"{server.url}/v1/players/{guest.player['id']}").raise_for_status().json()
    assert page["player"] == guest.player
    assert (page["games"], page["wins"], page["streak"], page["best"], page["rating_history"]) == (0, {}, 0, {}, [])
    guest.delete("/me")
    page = httpx.get(f"{server.url}/v1/players/{guest.player['id']}").raise_for_status().json()
    assert page["player"]["name"] == "former player"


def test_who_is_deleted_leaves_the_games(server: ServerProcess) -> None:
    """The other player is not left waiting: the game ends, and shows no name."""
    ann, bob = Client(server.url, name="Ann-of-the-lake"), Client(server.url)
    game = ann.post("/games", {"seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "public"}, 201)["id"]
    waiting = ann.post("/games", {"seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "public"}, 201)["id"]
    bob.post(f"/games/{game}/seats", {})
    ann.delete("/me")
    view = bob.http.get(f"/games/{game}")
    assert view.json()["status"] == "finished"
    assert "Ann-of-the-lake" not in view.text
    assert "Ann-of-the-lake" not in bob.http.get(f"/games/{game}/events").text
    assert bob.get(f"/games/{waiting}")["seats"][0]["player"] is None


def test_the_export_is_json_and_names_the_games(server: ServerProcess) -> None:
    """What is held of a player who has a game, a token and a daily can be had, without secrets."""
    ann = Client(server.url, name="Ann")
    daily = ann.post("/daily/games", status=201)["id"]
    made = ann.post("/me/tokens", {"name": "bot", "scopes": ["read"]}, 201)
    held = ann.http.get("/me/export")
    assert made["token"] not in held.text
    assert ann.token not in held.text
    told = orjson.loads(held.content)
    assert [game["id"] for game in told["games"]] == [daily]
    assert [row["game"] for row in told["dailies"]] == [daily]
    assert told["tokens"][1]["name"] == "bot"


def test_the_cli_finds_no_difference(server: ServerProcess) -> None:
    """`rummy500 boards rebuild --check` on a running server's storage prints that nothing differs."""
    ran = subprocess.run(
        [sys.executable, "-m", "server", "boards", "rebuild", "--check"],
        env=server.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout.strip()) == (0, "no difference"), ran.stderr


@pytest.mark.timeout(240)
def test_stage5_two_who_leave_at_once_on_two_processes_are_rated_once(
    two_servers: tuple[ServerProcess, ServerProcess],
) -> None:
    """Both leave a ranked game at the same moment, each at another process: one forfeits, both are rated once."""
    here, there = two_servers
    ann, bob = Client(here.url, name="Ann"), Client(there.url, name="Bob")
    for number, client in enumerate((ann, bob)):
        told = {"username": f"rated-{number}", "password": "correct horse"}
        assert client.http.put("/me/credentials", json=told).status_code == 200
    rounds = 8
    for _ in range(rounds):
        body = {"ruleset": {"preset": "pagat"}, "seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "public"}
        game = ann.post("/games", body, 201)["id"]
        assert bob.post(f"/games/{game}/seats", {})["ranked"]
        with ThreadPoolExecutor(2) as both:
            left = list(both.map(lambda client: client.http.delete(f"/games/{game}/seats/me").status_code, (ann, bob)))  # noqa: B023
        assert 204 in left
        assert httpx.get(f"{here.url}/v1/games/{game}/record").raise_for_status().json()["result"]["reason"] == "left"
    for client in (ann, bob):
        page = client.get(f"/players/{client.player['id']}")
        assert page["games"] == rounds
        assert len(page["rating_history"]) == rounds
        assert page["player"]["rating"] == page["rating_history"][-1]["rating"]
        row = client.get("/leaderboards/rating", period="week")["you"]
        assert (row["score"], row["provisional"]) == (page["player"]["rating"], True)
