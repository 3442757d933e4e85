"""What the reception knows apart from rooms and visitors, for the process that continues."""

from collections.abc import Sequence

import attrs

from ludothek.kit.brake import BrakeMemory


@attrs.frozen
class Guesses:
    """What the gate knows about wrong passwords."""

    failures: int  # of all clients
    places: BrakeMemory  # by address
    shared: BrakeMemory  # likewise, where many share one


@attrs.frozen
class Memory:
    """Who is an administrator, and who has guessed."""

    admins: Sequence[int]  # numbers of clients, in the order in which they are told of news
    guesses: Guesses
