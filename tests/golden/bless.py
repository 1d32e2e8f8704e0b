"""Writes the golden files anew: `python -m tests.golden.bless [perft] [replays]`. Say why in the commit.

The counts are confirmed by the reference engine as they are written, which takes some minutes.
"""

import sys

from tests.golden import perft, replays


def main() -> None:
    """Writes the kinds named, or all."""
    kinds = set(sys.argv[1:]) or {"perft", "replays"}
    if "replays" in kinds:
        for preset in replays.SEATS:
            replays.write(preset)
            print("replay of", preset)
    if "perft" in kinds:
        for preset in perft.ALL:
            perft.write(preset)
            print("counts of", preset)


if __name__ == "__main__":
    main()
