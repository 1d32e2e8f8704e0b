"""The JavaScript client's own tests, its types, and whole games followed against a running server."""

import json
import subprocess
import urllib.request
from pathlib import Path

import pytest

from tests.conftest import StartServer
from tests.support.node import CLIENT, node, packages

HERE = Path(__file__).parent


def suite(*files: str, url: str = "", seconds: float = 150) -> None:
    """Runs test files of Node; all must pass and none be skipped."""
    packages()
    paths = [str(HERE / file) for file in files]
    variables = {"RUMMY500_TEST_URL": url} if url else {}
    done = node("--experimental-websocket", "--no-warnings", "--test", *paths, seconds=seconds, **variables)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    counts = dict(line[2:].split(" ", 1) for line in done.stdout.splitlines() if line.startswith("# "))
    assert int(counts["pass"]) > 0
    assert counts["fail"] == counts["skipped"] == "0", counts


def test_stage6_the_follower_agrees_with_the_recorded_frames() -> None:
    """Deliverable 1: the state follower on golden frames recorded from the server."""
    suite("follow.test.mjs")


def test_stage6_the_stream_comes_back_and_moves_count_once() -> None:
    """Deliverable 1: reconnects, backoff, idempotent moves."""
    suite("transport.test.mjs")


def test_stage6_words_have_every_key_in_every_language() -> None:
    """Deliverable 3: a missing or unused key fails, and each catalogue has its language's plurals."""
    suite("words.test.mjs")


def test_the_tables_small_parts() -> None:
    """QR codes another program reads, offers, sorting, points."""
    suite("table.test.mjs")


@pytest.mark.slow
@pytest.mark.storage
def test_stage6_whole_games_are_followed_at_every_version(start_server: StartServer) -> None:
    """Promise 3: in real games the follower has the server's VIEW at every version."""
    suite("live.test.mjs", url=start_server().url, seconds=170)


def test_stage6_the_sdk_has_types_that_tsc_accepts() -> None:
    """Deliverable 1: JSDoc types, checked by tsc."""
    folder = packages()
    done = node(str(folder / "typescript" / "bin" / "tsc"), "-p", "tsconfig.json")
    assert done.returncode == 0, done.stdout


@pytest.mark.storage
def test_stage6_the_types_are_those_of_the_openapi_document(start_server: StartServer, tmp_path: Path) -> None:
    """Deliverable 1: `sdk/openapi.d.ts` is what the server's document gives; `npm run types` renews it."""
    packages()
    document = tmp_path / "openapi.json"
    with urllib.request.urlopen(f"{start_server().url}/openapi.json", timeout=20) as answer:
        document.write_text(json.dumps(json.load(answer)))
    done = node("types.mjs", str(document), str(tmp_path / "openapi.d.ts"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "openapi.d.ts").read_text() == (CLIENT / "sdk" / "openapi.d.ts").read_text()


def test_the_sdk_is_a_package_without_dom(tmp_path: Path) -> None:
    """`npm pack` gives a package that Node imports by name, and nothing in it names the page."""
    packed = subprocess.run(
        ["npm", "pack", "--silent", "--pack-destination", str(tmp_path)],
        cwd=CLIENT / "sdk",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    folder = tmp_path / "node_modules" / "rummy500-client"
    folder.mkdir(parents=True)
    subprocess.run(
        ["tar", "-xzf", str(tmp_path / packed.stdout.strip()), "-C", str(folder), "--strip-components=1"],
        check=True,
        timeout=60,
    )
    (tmp_path / "use.mjs").write_text(
        "import { Client, follow } from 'rummy500-client'; console.log(typeof new Client().game, typeof follow)"
    )
    done = node(str(tmp_path / "use.mjs"))
    assert done.stdout.split() == ["function", "function"], done.stderr
    for source in (CLIENT / "sdk").glob("*.js"):
        assert "document." not in source.read_text(), source.name
        assert "window" not in source.read_text(), source.name
