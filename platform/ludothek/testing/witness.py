"""Sees to it that nothing is refused, ignored or ended without naming a clause."""

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any

import attrs
import pytest

from ludothek.contract.clauses import Breach, Clauses
from ludothek.contract.effects import Effect, Effects, Explain, Kick, Send
from ludothek.contract.game import Game
from ludothek.runtime.actor import Actor
from transports import Farewell


@attrs.define(eq=False)
class Witness:
    """Looks at every step of every table and reception."""

    breaches: list[Breach] = attrs.field(factory=list)  # all that were explained
    unexplained: list[str] = attrs.field(factory=list)  # what should have been, and was not

    def look_at(
        self, act: Callable[..., Effects], args: Sequence[Any], effects: list[Effect]
    ) -> None:
        clauses = _clauses(type(getattr(act, "__self__", None)).__module__)
        explained = [each for each in effects if isinstance(each, Explain)]
        self.breaches.extend(each.breach for each in explained)
        if not clauses:
            return
        for each in explained:
            if clauses.get(each.breach.clause.id) is not each.breach.clause:
                self.unexplained.append(f"{each.breach} is no clause of the game")
        if not explained:
            self.unexplained.extend(_objections(clauses, act.__name__, args, effects))


def _objections(
    clauses: Clauses, name: str, args: Sequence[Any], effects: list[Effect]
) -> Iterator[str]:
    if name == "receive" and not effects and not clauses.accepts_silently(args[1]):
        yield f"{args[1]!r} was ignored"
    for effect in effects:
        match effect:
            case Kick(farewell=Farewell.REFUSED):
                yield f"{name}{args!r} led to {effect!r}"
            case Kick() if name == "receive" and not clauses.accepts_silently(args[1]):
                yield f"{args[1]!r} led to {effect!r}"
            case Send(message=message) if clauses.refuses(message):
                yield f"{name}{args!r} was answered with {message!r}"


@cache
def _clauses(module: str) -> Clauses | None:
    """Those of the game that a table or reception belongs to; None if it is part of a test."""
    package = module.rpartition(".")[0]
    game = getattr(importlib.import_module(package), "GAME", None) if package else None
    return game.clauses if isinstance(game, Game) else None


@contextmanager
def witnessed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Witness]:
    """Look at everything that happens in this process meanwhile."""
    witness, step = Witness(), Actor.step

    def take(
        actor: Actor, act: Callable[..., Effects], args: tuple[Any, ...], *more: Any, **options: Any
    ) -> None:
        @wraps(act)
        def watched(*args: Any) -> Effects:
            effects = [*act(*args)]
            witness.look_at(act, args, effects)
            return effects

        step(actor, watched, args, *more, **options)

    monkeypatch.setattr(Actor, "step", take)
    yield witness
