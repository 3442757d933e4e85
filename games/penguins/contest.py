"""How a match of a tournament is set up."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.penguins.player import RESERVATION
from games.penguins.table import PenguinsTable
from ludothek.contract.contest import Contest, Contestant
from ludothek.contract.orders import Opening


def _opening(name: str, players: Sequence[Contestant], settings: Any) -> Opening:
    """A prepared room; a seat is reserved if its player knows how to ask for it."""
    one, two = players
    wanted = {"one": one.name, "two": two.name}
    reserved = {"one_reserved": one.informed, "two_reserved": two.informed}
    return Opening(name=name, settings=wanted | reserved)


def _keys(table: PenguinsTable, seat: int) -> Mapping[str, str]:
    code = table.recipe.seats[seat].reservation
    return {} if code is None else {RESERVATION: code}


CONTEST = Contest(
    opening=_opening,
    keys=_keys,
)
