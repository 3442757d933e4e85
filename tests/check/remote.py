"""Checks of players in this process, who connect like clients that were started by hand."""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import trio

from ludothek.arena.bounds import Bounds
from ludothek.check.checker import Checker, Onlooker
from ludothek.check.trial import Trial
from ludothek.contract.clock import Clock
from ludothek.contract.game import Game
from ludothek.contract.player import BrokenProtocol, PlayerOptions
from ludothek.contract.situation import Server, Situation
from ludothek.runtime.playing import BotLink, play
from tests.check.checking import BOUNDS
from transports import Link

# What the player of that situation speaks through.
Mouth = Callable[[int, Link], BotLink]

GONE = (trio.EndOfChannel, trio.BrokenResourceError, OSError)


def plain(number: int, link: Link) -> BotLink:
    return link


async def led_through(
    game: Game,
    situations: Sequence[Situation],
    mouth: Mouth = plain,
    seat: int | None = None,
    until: trio.CancelScope | None = None,
    bounds: Bounds = BOUNDS,
) -> Checker:
    """The check of our weakest bot in these situations; it comes back where that is asked for.

    If `until` is cancelled, the check is interrupted.
    """
    begun: list[Situation] = []
    present = trio.CancelScope()

    async def come(port: int, lobby: str) -> None:
        with present:
            for _ in range(2 if begun[-1].server is Server.CUTS_OFF else 1):
                with suppress(*GONE, BrokenProtocol):
                    async with game.transport.connect("127.0.0.1", port) as link:
                        await _play(game, lobby, mouth(len(begun) - 1, link))

    def listens(port: int, lobby: str) -> None:
        nursery.start_soon(come, port, lobby)

    def ended(trial: Trial) -> None:
        nonlocal present
        present.cancel()
        present = trio.CancelScope()

    checker = Checker(
        game=game,
        command=(),
        situations=situations,
        bounds=bounds,
        seat=seat,
        observer=Onlooker(began=begun.append, ended=ended, listens=listens),
    )
    async with trio.open_nursery() as nursery:
        with until or trio.CancelScope():
            await checker.run()
        nursery.cancel_scope.cancel()
    return checker


async def _play(game: Game, lobby: str, mouth: BotLink) -> None:
    options = PlayerOptions(
        lobby=None if game.name == "penguins" else lobby,  # whose rooms have no names
        username="Candidate",
        difficulty=len(game.difficulties) - 1,
    )
    player: Any = game.player(options, random.Random(1))
    codec = game.codec(Clock(), game.settings())
    await play(mouth, codec, player, lambda report: None)
