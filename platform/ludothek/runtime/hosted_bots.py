"""Computer players that the daemon hosts, so that one person can play alone."""

import random
from collections.abc import Callable

import attrs
import structlog
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.codec import Codec
from ludothek.contract.game import Game
from ludothek.contract.player import BrokenProtocol, PlayerOptions, Report
from ludothek.kit.reports import careful
from ludothek.runtime.lobby import Lobby
from ludothek.runtime.playing import play
from ludothek.settings.fields import GameSettings
from transports import BUGS, Link
from transports.memory import memory_link_pair

log = structlog.get_logger()


@attrs.frozen
class HostedBots:
    """The bots that join every lobby where somebody is waiting.

    They are clients like any other, except that their connection stays inside this process; slow
    decisions are made in other processes.
    """

    game: Game
    settings: GameSettings
    codec: Codec
    connect: Callable[[Link], None]

    async def join(self, lobby: Lobby) -> None:
        """Play with the people in a lobby until cancelled."""
        # A new seed each time: somebody who comes back must not be able to predict them.
        chance = Chance(lobby.seed).child("companions", lobby.times_joined_by_bots)
        async with trio.open_nursery() as nursery:
            for number in range(1, self.settings.bots + 1):
                nursery.start_soon(self._play, lobby, number, chance.child(number).random())

    async def _play(self, lobby: Lobby, number: int, rng: random.Random) -> None:
        options = PlayerOptions(
            lobby=lobby.key,
            loyal=True,
            username=f"Bot {number}",
            difficulty=self.settings.bot_difficulty,
        )
        ours, theirs = memory_link_pair()
        self.connect(theirs)
        try:
            player = self.game.player(options, rng)
            await play(ours, self.codec, player, _report, games=0)
        except (BrokenProtocol, trio.EndOfChannel, trio.BrokenResourceError) as end:
            log.debug("bot gone", reason=repr(end))
        except BUGS as bug:
            # People go on without it.
            with careful("bot crashed"):
                log.error("bot crashed", exc_info=bug)
        finally:
            ours.close()


def _report(report: Report) -> None:
    log.debug("bot's game over", winner=report.winner, points=report.points)
