"""`python3 dev.py soak`: the reliability scenarios with their full counts, on two server processes.

    python3 dev.py soak [--small] [NAME[=COUNT] …]     --small: about the counts of the tests

Prints one line a scenario as it ends, and at last the table that docs/reliability.md shows. The storage is started for
the run, or is one's own by RUMMY500_DATABASE_URL and RUMMY500_REDIS_URL.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.live import scenarios
from tests.live.stand import a_stand
from tests.support import storage

FULL = {
    "read_your_writes": 300, "streams_across": 2000, "same_version": 1000, "last_seat": 50, "joins_together": 200,
    "end_clock_and_leave": 100, "snapshot_race": 1000, "resync_at_random": 500, "token_revoked": 20,
    "many_streams": 300, "dismissed_in_a_move": 20,
    "slow_reader": 300, "presence": 1, "redis_lost": 3, "postgres_lost": 10, "cpu_turns_elsewhere": 10,
    "killed_under_load": 200, "drained": 300, "clocks_after_a_stop": 50,
}  # fmt: skip
SMALL = {name: max(1, count // 20) for name, count in FULL.items()} | {"last_seat": 50}


async def run(names: list[str], counts: dict[str, int]) -> int:
    """Runs the scenarios one after the other, each on processes of its own; how many failed."""
    lines, failed = [], 0
    with tempfile.TemporaryDirectory(prefix="rummy500-soak-") as folder:
        for name in names:
            place = Path(folder) / name
            place.mkdir()
            url, cache = storage.fresh_database(), storage.RedisNumbers(0).take()
            began = time.monotonic()
            try:
                async with a_stand(place, url, cache) as stand:
                    figures = await getattr(scenarios, name)(stand, counts[name])
                    assert not stand.faults(), stand.faults()[:3]
                told = ", ".join(f"{value} {key.replace('_', ' ')}" for key, value in figures.items())
            except Exception as error:  # noqa: BLE001 - the others are run too
                failed += 1
                told = f"FAILED: {type(error).__name__}: {error}"[:2000]
            finally:
                storage.drop_database(url)
            line = f"| {name.replace('_', ' ')} | {told} | {time.monotonic() - began:.0f} |"
            print(line, flush=True)
            lines.append(line)
    print("\n| scenario | measured | seconds |\n|---|---|---|\n" + "\n".join(lines))
    return failed


def main() -> int:
    """The command."""
    given = sys.argv[1:]
    counts = dict(SMALL if "--small" in given else FULL)
    names = []
    for name, _, count in (part.partition("=") for part in given if not part.startswith("--")):
        names.append(name)
        if count.isdigit():
            counts[name] = int(count)
    names = names or list(FULL)
    unknown = [name for name in names if name not in FULL]
    if unknown:
        print(f"There is no scenario {unknown[0]}; there are {', '.join(FULL)}.")
        return 2
    storage.start()
    try:
        return 1 if asyncio.run(run(names, counts)) else 0
    finally:
        storage.stop()


if __name__ == "__main__":
    sys.exit(main())
