"""What the reception knows apart from lobbies and visitors, for the process that continues."""

from collections.abc import Sequence

import attrs

from ludothek.kit.allowance import AllowanceMemory
from ludothek.kit.brake import BrakeMemory


@attrs.frozen(kw_only=True)
class Guesses:
    """Who has tried wrong passwords lately, and who has taken new names."""

    pairs: BrakeMemory  # by user name and address
    addresses: BrakeMemory
    names: BrakeMemory
    registrations: AllowanceMemory


@attrs.frozen(kw_only=True)
class Memory:
    """Names that were taken, tries that were wrong, and what no visitor says about its client."""

    openings: int  # of lobbies so far
    accounts: str  # those that are in no file
    guesses: Guesses
    silent: Sequence[int]  # the numbers of clients that have not said anything yet
    replaced: Sequence[int]  # likewise, of those whose users have logged in elsewhere
