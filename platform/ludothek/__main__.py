"""The command `platform`, which is also `python -m ludothek`."""

import faulthandler
import os
import sys
from typing import NoReturn

from ludothek.daemon import early_signals


def main() -> NoReturn:
    """Run the command."""
    _have_streams()
    if sys.argv[1:2] == ["run"]:
        _be_a_daemon()
        _have_a_guardian()
    # Loading takes longer than a service manager may wait before it changes its mind.
    try:
        from ludothek.cli.commands import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


def _have_streams() -> None:
    """Without standard streams, their numbers would go to sockets, and writing would fail."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


def _be_a_daemon() -> None:
    # A watchdog that has heard nothing for too long sends SIGABRT: say where every thread was.
    faulthandler.enable()
    early_signals.install()


def _have_a_guardian() -> None:
    """A durable daemon is started by its guardian; without one, this process becomes it."""
    if "--durable" in sys.argv and not os.environ.get("NOTIFY_SOCKET"):
        # Before everything else is loaded: the guardian needs nothing of it, and has to be small.
        from ludothek.daemon.guardian import guard

        sys.exit(guard())


if __name__ == "__main__":
    main()
