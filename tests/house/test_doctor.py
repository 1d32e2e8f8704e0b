"""`rummy500 doctor`: it finds what is wrong, says what mends it, and its exit status tells."""

from pathlib import Path

import pytest

from server.persistence import migrate
from tests.support.commands import rummy500
from tests.support.storage import in_thread


def test_stage4_doctor_is_content_with_a_fresh_machine(tmp_path: Path) -> None:
    """The embedded default needs nothing."""
    said = rummy500("doctor", "--port", "0", "--data", str(tmp_path / "data"))
    assert said.returncode == 0, said.stdout
    assert "wrong" not in said.stdout
    assert not (tmp_path / "data").exists()


@pytest.mark.storage
def test_stage4_doctor_looks_at_ones_own_postgres_and_redis(empty_database_url: str, redis_url: str) -> None:
    """Versions, encoding, clocks and the state of the tables are told; old tables are a reason to migrate."""
    said = rummy500("doctor", RUMMY500_DATABASE_URL=empty_database_url, RUMMY500_REDIS_URL=redis_url)
    assert said.returncode == 0, said.stdout
    assert f"at revision none, the newest is {migrate.head()}: run `rummy500 migrate`" in said.stdout
    for words in ("PostgreSQL ", "encoding UTF8", "between this machine and the database", "answers in "):
        assert words in said.stdout
    moved = rummy500("migrate", RUMMY500_DATABASE_URL=empty_database_url)
    assert moved.stdout == f"The database is at revision {migrate.head()}; the newest is {migrate.head()}.\n"
    assert in_thread(migrate.current, empty_database_url) == migrate.head()
    again = rummy500("doctor", RUMMY500_DATABASE_URL=empty_database_url, RUMMY500_REDIS_URL=redis_url)
    assert f"at revision {migrate.head()}, the newest" in again.stdout


def test_stage4_doctor_says_what_is_wrong(tmp_path: Path) -> None:
    """Servers that can't be reached, slips in names, and what is only for tests."""
    said = rummy500(
        "doctor",
        RUMMY500_DATABASE_URL="postgresql://me:secret@127.0.0.1:1/x",
        RUMMY500_REDIS_URL="redis://:secret@127.0.0.1:1/0",
        RUMMY500_PROT="81",
        RUMMY500_RATE_LIMITS="off",
    )
    assert said.returncode == 1
    assert "secret" not in said.stdout
    assert "wrong    database     The database cannot be reached (RUMMY500_DATABASE_URL)" in said.stdout
    assert "wrong    redis" in said.stdout
    assert "RUMMY500_PROT is not a setting and changes nothing; RUMMY500_PORT was meant?" in said.stdout
    assert "RUMMY500_RATE_LIMITS=off is for tests" in said.stdout
    bad = rummy500("doctor", "--port", "x")
    assert bad.returncode == 1
    assert bad.stdout.startswith("wrong    settings     RUMMY500_PORT (--port):")


def test_doctor_finds_a_folder_of_another_major_release(tmp_path: Path) -> None:
    """It is told before the server is started."""
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "PG_VERSION").write_text("9\n")
    said = rummy500("doctor", "--port", "0", "--data", str(tmp_path))
    assert said.returncode == 1
    assert "was made by PostgreSQL 9, not" in said.stdout


def test_an_unknown_command_is_refused_and_help_lists_the_known() -> None:
    """A slip gets a usage error, not a traceback."""
    assert rummy500("srve").returncode == 2
    said = rummy500("--help").stdout
    for name in ("serve", "migrate", "doctor"):
        assert name in said
    assert rummy500("--version").stdout.strip()[0].isdigit()
