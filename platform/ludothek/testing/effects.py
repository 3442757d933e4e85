"""The effects that the tables and the reception of an endpoint produce."""

from collections.abc import Callable

import attrs
import pytest

from ludothek.contract.effects import (
    Began,
    Effect,
    Effects,
    Ended,
    Open,
    ReceptionEffect,
    Send,
    TableEffect,
)
from ludothek.runtime.hall import Hall

FOR_TABLES = ("enter", "receive", "leave", "order", "time_up", "told", "worked")
FOR_RECEPTIONS = (
    *("begin", "arrive", "receive", "come_back", "leave", "time_up", "informed", "worked"),
    *("open", "seat", "adopt"),
)


@attrs.define(eq=False)
class EffectLog:
    """Records all effects while a match is played."""

    _monkeypatch: pytest.MonkeyPatch
    of_tables: list[Effect] = attrs.field(factory=list)
    of_reception: list[Effect] = attrs.field(factory=list)
    _followed: set[type] = attrs.field(factory=set)

    def follow(self, hall: Hall) -> None:
        self._follow(hall.foyer.reception, FOR_RECEPTIONS, self._note_reception)
        for table in hall.tables.values():
            self._follow(table, FOR_TABLES, self.of_tables.extend)

    def _follow(
        self, talk: object, names: tuple[str, ...], note: Callable[[list[Effect]], None]
    ) -> None:
        cls = type(talk)
        if cls not in self._followed:
            self._followed.add(cls)
            for name in filter(lambda name: hasattr(cls, name), names):
                noted = _noted(getattr(cls, name), note)
                self._monkeypatch.setattr(cls, name, noted)

    def _note_reception(self, effects: list[Effect]) -> None:
        self.of_reception.extend(effects)
        for effect in effects:
            if isinstance(effect, Open):
                self._follow(effect.table, FOR_TABLES, self.of_tables.extend)

    def check(self) -> None:
        """Fail unless each effect was of a kind that is allowed where it came from."""
        assert [each for each in self.of_tables if not isinstance(each, TableEffect)] == []
        assert [each for each in self.of_reception if not isinstance(each, ReceptionEffect)] == []
        kinds = [type(each) for each in self.of_tables]
        assert (Send in kinds, kinds.count(Began), kinds.count(Ended)) == (True, 1, 1)


def _noted(
    method: Callable[..., Effects], note: Callable[[list[Effect]], None]
) -> Callable[..., Effects]:
    def act(*args: object) -> Effects:
        effects = [*method(*args)]
        note(effects)
        return effects

    return act
