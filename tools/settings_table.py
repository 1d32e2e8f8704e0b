"""Writes the table of settings in docs/operations.md from the settings themselves: `python -m tools.settings_table`."""

from pathlib import Path

from server.cli.options import default_text, option_of
from server.settings import Settings, variable

PAGE = Path(__file__).parents[1] / "docs" / "operations.md"
HEAD = "| variable | option | default | |"


def rows() -> list[str]:
    """One line for each setting."""
    return [
        f"| `{variable(field)}` | `{option_of(field)}` | {default_text(field)} | {info.description} |"
        for field, info in Settings.model_fields.items()
    ]


def main() -> None:
    """Replace the table in the page."""
    before, _, after = PAGE.read_text().partition(HEAD + "\n")
    _, _, rest = after.partition("\n\n")
    PAGE.write_text("\n".join([before + HEAD, "|---|---|---|---|", *rows()]) + "\n\n" + rest)


if __name__ == "__main__":
    main()
