"""One game of a tournament: what is to be played."""

from collections.abc import Mapping
from typing import Any

import attrs

from ludothek.arena.bounds import Bounds
from ludothek.arena.entrant import Entrant


@attrs.frozen(kw_only=True)
class Task:
    """Everything that one game needs, as plain data that any process can be given.

    The same task gives the same board wherever it is played: all chance in it comes from the seed.
    """

    number: int  # within the tournament, from 1
    game: str
    settings: Mapping[str, Any]  # of the game's endpoint, as in a TOML file
    seed: int
    entrants: tuple[Entrant, ...]  # in the order of turns
    bounds: Bounds
    folder: str  # where its record and its logs are kept
    # Where the game is hosted; clients from elsewhere must know it. Port 0: any free one.
    host: str = "127.0.0.1"
    port: int = 0
    private: tuple[str, ...] = ()  # files and folders that only the entrant they belong to may see
    attempt: int = 1  # counts repetitions after failures of ours
