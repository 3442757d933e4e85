"""Whether the program, as it is installed now, could take over."""

from pathlib import Path

import trio

from ludothek.contract.orders import OrderRefused
from ludothek.daemon.program import installed_program

# How long it may take to load, and to check its configuration.
REHEARSAL_SECONDS = 60.0


async def rehearse(config: Path | None) -> None:
    """See whether it can be called, and likes the configuration.

    Raises:
      OrderRefused: it would end at once, and with it all matches.
    """
    words = ["--version"] if config is None else ["check-config", str(config)]
    problem = "it takes too long to start"
    with trio.move_on_after(REHEARSAL_SECONDS):
        try:
            done = await trio.run_process(
                [*installed_program(), *words],
                capture_stdout=True,
                capture_stderr=True,
                check=False,
            )
        except OSError as error:
            problem = error.strerror or str(error)
        else:
            if done.returncode == 0:
                return
            said = done.stderr.decode(errors="replace").strip().splitlines()
            problem = said[-1] if said else f"exit code {done.returncode}"
    raise OrderRefused(f"the installed program cannot be started: {problem}")
