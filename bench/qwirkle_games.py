"""Many Qwirkle games at once over real sockets: `python bench/qwirkle_games.py --games 200`."""

import argparse
import json
import resource
import sys
import time

import trio

from ludothek.observe import log
from tests.games.qwirkle.whole_games import play_games, recount


def main() -> None:
    """Play all games, recount every one of them, and print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=3)
    options = parser.parse_args()
    log.setup("console")
    began = time.monotonic()
    groups = trio.run(play_games, options.games, options.players, {})
    took = time.monotonic() - began
    recorders = [recorder for group in groups for recorder in group]
    wrong = sum(each.winner.leaderboard != recount(each.news) for each in recorders)
    summary = {
        "games": options.games,
        "clients": len(recorders),
        "wrong_results": wrong,
        "errors": sum(report.errors for each in recorders for report in each.reports),
        "news_heard": sum(len(each.news) for each in recorders),
        "took_seconds": round(took, 1),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    sys.stdout.write(json.dumps(summary) + "\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
