"""Computer players that the daemon hosts, so that one person can play alone."""

from collections.abc import Callable, Iterable, Iterator

import attrs
import structlog
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.codec import Codec
from ludothek.contract.game import Game
from ludothek.contract.player import BrokenProtocol, PlayerOptions
from ludothek.kit.reports import careful
from ludothek.runtime.hosted_bot import HostedBot
from ludothek.runtime.lobby import Lobby
from ludothek.settings.fields import GameSettings
from transports import BUGS, Link
from transports.memory import memory_link_pair

log = structlog.get_logger()


# What each of the bots that join a lobby is told.
Briefing = Callable[[Lobby], Iterable[PlayerOptions]]


def usual(settings: GameSettings) -> Briefing:
    """The bots of an endpoint with these settings, which join every lobby."""

    def brief(lobby: Lobby) -> Iterator[PlayerOptions]:
        for number in range(1, settings.bots + 1):
            yield PlayerOptions(
                lobby=lobby.key,
                loyal=True,
                username=f"Bot {number}",
                difficulty=settings.bot_difficulty,
            )

    return brief


@attrs.frozen
class HostedBots:
    """The bots that join a lobby where somebody is waiting.

    They are clients like any other, except that their connection stays inside this process; slow
    decisions are made in other processes.
    """

    game: Game
    codec: Codec
    connect: Callable[[Link], None]
    brief: Briefing

    async def join(self, lobby: Lobby) -> None:
        """Play with the people in a lobby until cancelled."""
        companions = lobby.companions
        assert companions is not None
        bots, companions.bots = companions.bots or [*self._new(lobby)], []
        async with trio.open_nursery() as nursery:
            for bot in bots:
                nursery.start_soon(self._play, bot)

    def _new(self, lobby: Lobby) -> Iterator[HostedBot]:
        # A new seed each time: somebody who comes back must not be able to predict them.
        chance = Chance(lobby.seed).child("companions", lobby.journal.count)
        for number, options in enumerate(self.brief(lobby), 1):
            with careful("a bot could not be made"):
                player = self.game.player(options, chance.child(number).random())
                ours, theirs = memory_link_pair()
                lasting = lobby.hall.annals is not None
                bot = HostedBot(player, self.codec, ours, lobby.key, lasting)
                theirs.owner = bot
                self.connect(theirs)
                yield bot

    async def _play(self, bot: HostedBot) -> None:
        try:
            await bot.play()
        except (BrokenProtocol, trio.EndOfChannel, trio.BrokenResourceError) as end:
            log.debug("bot gone", reason=repr(end))
        except BUGS as bug:
            # People go on without it.
            with careful("bot crashed"):
                log.error("bot crashed", exc_info=bug)
        finally:
            bot.link.close()
