"""What a guardian and its daemon share, in addition to the service manager's protocol."""

import os
from collections.abc import Mapping

# In the daemon's environment.
GUARDIAN = "LUDOTHEK_GUARDIAN"  # the guardian's process
RUNTIME_DIR = "LUDOTHEK_RUNTIME_DIR"  # where the daemon keeps what its successor needs
RESTARTS = "LUDOTHEK_RESTARTS"  # how often it was started again
DIED = "LUDOTHEK_DIED"  # when the last one died that had served anybody, by CLOCK_MONOTONIC

KILLED = "LUDOTHEK_KILLED"  # 1 if the last one was killed (SIGKILL)

# A message to the guardian: a line to be printed, once however often the daemon is started.
SAY = "LUDOTHEK_SAY"

# A message to the guardian: a process that can take over, with a channel to it.
SPARE = "LUDOTHEK_SPARE"

# The exit code by which a daemon asks to be started again (EX_TEMPFAIL).
AGAIN = 75

# The exit code of a daemon whose command line or configuration has mistakes.
MISTAKEN = 2

# Of prctl: the signal that a process gets when its parent dies.
PR_SET_PDEATHSIG = 1

# The number of the first descriptor that is passed on.
FIRST_DESCRIPTOR = 3


def renumber(named: Mapping[int, str]) -> list[str]:
    """Give descriptors the numbers that the next program expects; returns their names in order."""
    # In their order, none gets a number that another one still has.
    for number, descriptor in enumerate(sorted(named), FIRST_DESCRIPTOR):
        if descriptor == number:
            os.set_inheritable(descriptor, True)
        else:
            os.dup2(descriptor, number)
            os.close(descriptor)
    return [named[descriptor] for descriptor in sorted(named)]
