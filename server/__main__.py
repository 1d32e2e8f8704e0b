"""The command line: `rummy500 …` or `python -m server …`."""

import sys

from server.cli import run


def main() -> None:
    """Run the command line with the process's arguments and end the process."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
