"""Many Quidditch matches at once over real sockets: `python -m bench.quidditch_matches`.

Every snapshot is checked by every client, and every replay is read again. One line of JSON.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import trio

from ludothek.observe import log
from tests.games.quidditch.matches import follow_replay, play_matches, read_replays


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100)
    options = parser.parse_args()
    log.setup("console", quiet=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        pairs = trio.run(partial(play_matches, options.matches, Path(place), both_check=True))
        took = time.monotonic() - began
        kept = read_replays(Path(place))
    wrong = sum(
        follow_replay(kept["replay"][f"lobby{number}"]) != each.follower.shown
        for number, pair in enumerate(pairs)
        if f"lobby{number}" in kept["replay"]
        for each in pair
    )
    missing = sum(options.matches - len(replays) for replays in kept.values())
    summary = {
        "matches": options.matches,
        "snapshots_checked": sum(each.follower.steps for pair in pairs for each in pair),
        "warnings": sum(each.errors for pair in pairs for who in pair for each in who.reports),
        "replays_missing": missing,
        "replays_wrong": wrong,
        "took_seconds": round(took, 1),
        "cpu_seconds": round(time.process_time(), 1),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    sys.stdout.write(json.dumps(summary) + "\n")
    sys.exit(1 if wrong or missing else 0)


if __name__ == "__main__":
    main()
