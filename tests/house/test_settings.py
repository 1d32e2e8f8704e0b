"""Settings: each is a variable and an option, explained in help and in docs/operations.md; bad ones are named."""

import ast
from pathlib import Path

import pytest
from pydantic import ValidationError

from server.cli.options import BadSettings, load_settings, option_of
from server.settings import Settings, default_data_folder, variable
from tests.support.commands import rummy500
from tests.support.servers import ROOT
from tools import settings_table


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own variables are not settings of the server under test."""
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)


def test_stage2_serve_help_explains_every_setting_and_names_its_variable() -> None:
    """`rummy500 serve --help` has each option, its variable and its sentence."""
    said = " ".join(rummy500("serve", "--help").stdout.replace("│", " ").split())
    for field, info in Settings.model_fields.items():
        assert option_of(field) in said
        assert f"[env var: {variable(field)}]" in said
        assert info.description is not None
        assert info.description in said


def test_the_table_in_the_operations_page_is_the_settings() -> None:
    """docs/operations.md lists every setting with its default and its sentence, and no other."""
    page = (ROOT / "docs" / "operations.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| `RUMMY500_")]
    assert rows == settings_table.rows(), "python -m tools.settings_table writes it anew"


def test_every_setting_can_be_given_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values come as text from the environment and are typed; an empty variable is as none."""
    given = {
        "host": "0.0.0.0", "port": "81", "name": "x", "data": "rel", "database_url": "postgres://u:p@h/d",
        "redis_url": "redis://h/1", "database_pool": "3", "processes": "2", "cpu_workers": "0", "log": "json",
        "log_level": "debug", "rate_limits": "off", "trusted_proxies": "10.0.0.0/8, ::1", "pg_bindir": "/x",
        "fsync": "off", "drain_seconds": "1.5", "absent_seconds": "9", "migrate": "off", "test_clock": "-3600",
    }  # fmt: skip
    assert set(given) == set(Settings.model_fields)
    for field, value in given.items():
        monkeypatch.setenv(variable(field), value)
    settings = Settings()
    assert settings.port == 81
    assert settings.data == Path.cwd() / "rel"
    assert settings.database_url == "postgresql+asyncpg://u:p@h/d"
    assert [str(network) for network in settings.trusted_proxies] == ["10.0.0.0/8", "::1/128"]
    assert settings.test_clock == -3600
    assert settings.hosted
    assert not settings.limits_enabled
    monkeypatch.setenv("RUMMY500_PORT", "")
    assert Settings().port == 8000


def test_an_option_wins_over_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands on the command line is nearer to the person than the environment."""
    monkeypatch.setenv("RUMMY500_PORT", "81")
    assert load_settings({"port": "82", "host": None}).port == 82


def test_bad_settings_are_all_named_at_once_by_variable_and_option() -> None:
    """Each line says which setting is wrong and what it may be, and repeats no secret."""
    with pytest.raises(BadSettings) as caught:
        load_settings(
            {"port": "70000", "log": "xml", "database_url": "mysql://me:secret@h/d", "trusted_proxies": "nonsense"}
        )
    lines = str(caught.value).splitlines()
    assert [line.split()[0] for line in lines] == [
        "RUMMY500_PORT", "RUMMY500_DATABASE_URL", "RUMMY500_LOG", "RUMMY500_TRUSTED_PROXIES",
    ]  # fmt: skip
    assert "(--port): input should be less than or equal to 65535." in lines[0]
    assert "secret" not in str(caught.value)


def test_settings_are_frozen_and_do_not_print_addresses_with_passwords() -> None:
    """Nothing changes settings while the server runs, and a log of them holds no password."""
    settings = Settings(database_url="postgresql://u:secret@h/d", redis_url="redis://:secret@h/0")
    with pytest.raises(ValidationError):
        settings.port = 1  # type: ignore[misc]
    assert "secret" not in repr(settings)


def test_the_data_folder_is_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """XDG_DATA_HOME is followed when it is an absolute path, as its specification says."""
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_data_folder() == Path("/somewhere/rummy500")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/x")
    assert default_data_folder() == Path("/home/x/.local/share/rummy500")


def test_only_the_composition_root_reads_settings_or_the_environment() -> None:
    """No module below the command line looks at `os.environ`, except to hand it on to a child process."""
    allowed = {"server/settings.py", "server/persistence/embedded/child.py", "server/persistence/embedded/programs.py"}
    readers = set()
    for path in (ROOT / "server").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv"):
                readers.add(path.relative_to(ROOT).as_posix())
    assert {reader for reader in readers if not reader.startswith("server/cli/")} <= allowed
