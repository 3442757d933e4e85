"""The players of a soak: every game's own, at the weakest level, in one trio loop."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

import attrs
import trio

from bench.soak_daemon import Daemon, settings
from bench.soak_ledger import PLAYERS, Ledger
from games.hexxagon import messages as hexxagon
from games.penguins import messages as penguins
from games.quidditch import messages as quidditch
from games.qwirkle import messages as qwirkle
from games.roborally import messages as roborally
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec, Malformed
from ludothek.contract.game import Game
from ludothek.contract.player import BrokenProtocol, Player, PlayerOptions, Report, Utterance
from ludothek.runtime.playing import IDLE_SECONDS
from ludothek.settings.fields import build
from transports import Link, Unreadable

# Games whose players name the lobby they want; in others, whoever comes next is the opponent.
NAMED_LOBBIES = {"hexxagon", "quidditch"}

# Seconds of thinking per message at speed 1: a Quidditch match has many more than others.
THINKING: Mapping[str, float] = {
    "hexxagon": 1.0,
    "penguins": 1.0,
    "quidditch": 0.3,
    "qwirkle": 1.0,
    "roborally": 0.6,
}

# How many connections are made at the same time.
DOOR = 20

# The largest change of speed at once, and its limits: no player may think until its turn times out.
STEP, SLOWEST, FASTEST = 1.3, 0.25, 50.0


class Pace:
    """How fast everybody plays; adjusted so that the daemon is as busy as it should be."""

    def __init__(self, target: float) -> None:
        self._target = target
        self.speed = SLOWEST
        self.hurry = False  # nobody thinks any more

    def adjust(self, share: float) -> None:
        """Play faster or slower, given the share of the time in which the daemon used its core."""
        change = self._target / max(share, 0.01)
        self.speed *= min(STEP, max(1 / STEP, change))
        self.speed = min(FASTEST, max(SLOWEST, self.speed))

    def seconds(self, game: str, character: float) -> float:
        return 0.0 if self.hurry else THINKING[game] * character / self.speed


def match_key(game: str) -> Callable[["Bot", Any], str | None]:
    """How to tell from a message that a match begins, and which one it is."""
    return _KEYS[game]


def _hexxagon_key(bot: "Bot", message: Any) -> str | None:
    return message.game_id if isinstance(message, hexxagon.GameStarted) else None


def _penguins_key(bot: "Bot", message: Any) -> str | None:
    begins = bot.match is None and isinstance(message, penguins.Room)
    return message.room_id if begins and isinstance(message.data, penguins.Memento) else None


def _qwirkle_key(bot: "Bot", message: Any) -> str | None:
    if isinstance(message, qwirkle.GameJoinAccepted):
        bot.place = str(message.game.game_id)
    return bot.place if isinstance(message, qwirkle.StartGame) else None


def _roborally_key(bot: "Bot", message: Any) -> str | None:
    begins = isinstance(message, roborally.GameStarted)
    return f"{bot.place} {bot.matches}" if begins else None


def _quidditch_key(bot: "Bot", message: Any) -> str | None:
    begins = isinstance(message, quidditch.MatchStart)
    return f"{bot.place} {bot.matches}" if begins else None


_KEYS: Mapping[str, Callable[["Bot", Any], str | None]] = {
    "hexxagon": _hexxagon_key,
    "penguins": _penguins_key,
    "quidditch": _quidditch_key,
    "qwirkle": _qwirkle_key,
    "roborally": _roborally_key,
}


@attrs.define(eq=False)
class Bot:
    """One player, which plays match after match until the server says goodbye."""

    game: Game
    codec: Codec
    player: Player
    ledger: Ledger
    pace: Pace
    place: str  # its lobby or address; in Qwirkle, the game it joined last
    character: float  # some think longer than others
    match: str | None = None
    matches: int = 0
    seated: trio.Event = attrs.field(factory=trio.Event)

    async def talk(self, link: Link) -> None:
        """Raises BrokenProtocol, trio.EndOfChannel, trio.BrokenResourceError."""
        await self._say(link, self.player.greet())
        while True:
            utterances = self.player.idle()
            with trio.move_on_after(IDLE_SECONDS):
                utterances = self._hear(await link.receive())
            await self._say(link, utterances)

    def _hear(self, frame: bytes | Unreadable) -> Iterable[Utterance]:
        message = frame if isinstance(frame, Unreadable) else self.codec.decode(frame)
        if isinstance(message, Malformed | Unreadable):
            raise BrokenProtocol(f"the server sent something unreadable: {message.reason}")
        self.seated.set()
        if (key := match_key(self.game.name)(self, message)) is not None:
            if self.match is not None:
                raise BrokenProtocol("a match began before the one before had ended")
            self.match = f"{self.game.name} {key}"
            self.ledger.begin(self.game.name, self.match)
        return self.player.hear(message)

    async def _say(self, link: Link, utterances: Iterable[Utterance]) -> None:
        for utterance in utterances:
            if isinstance(utterance, Report):
                self._report(utterance)
            else:
                if self.match is not None:
                    await trio.sleep(self.pace.seconds(self.game.name, self.character))
                self.ledger.said += 1
                await link.send(self.codec.encode(utterance))

    def _report(self, report: Report) -> None:
        if self.match is None:
            raise BrokenProtocol("a match ended that had not begun")
        self.ledger.end(self.match, report)
        self.match = None
        self.matches += 1


class Crowd:
    """All players of all games."""

    def __init__(self, daemon: Daemon, lobbies: int, seed: int, pace: Pace) -> None:
        self._daemon = daemon
        self._lobbies = lobbies
        self._seed = seed
        self._pace = pace
        self._door = trio.CapacityLimiter(DOOR)
        self._expected = 0
        self._bots: list[Bot] = []
        self.ledger = Ledger()
        self.leaving = False  # the server may say goodbye to everybody
        self.connected = 0
        self.seated = trio.Event()  # everybody has connected

    async def play(self, games: Sequence[Game]) -> None:
        """Play until the server has said goodbye to everybody."""
        self._expected = len(games) * self._lobbies * PLAYERS
        async with trio.open_nursery() as nursery:
            for game in games:
                chosen = build(game.settings, settings(game.name, self._lobbies), "")
                codec = game.codec(Clock(), chosen)
                for lobby in range(self._lobbies):
                    nursery.start_soon(self._pair, game, codec, lobby)

    async def rehearse(self) -> None:
        """Let everybody play the first match without thinking, and wait until the last is over."""
        self._pace.hurry = True
        while any(not bot.matches for bot in self._bots):  # noqa: ASYNC110 - no hurry to know
            await trio.sleep(1)

    async def _pair(self, game: Game, codec: Codec, lobby: int) -> None:
        """The second connects once the server knows the first, so that they need not search."""
        ports = self._daemon.ports[game.name]
        port = ports[lobby % len(ports)]
        async with trio.open_nursery() as nursery:
            for place in range(PLAYERS):
                bot = self._bot(game, codec, lobby, place)
                nursery.start_soon(self._run, bot, port)
                with trio.move_on_after(10):
                    await bot.seated.wait()

    def _bot(self, game: Game, codec: Codec, lobby: int, place: int) -> Bot:
        name = f"soak{lobby}"
        rng = random.Random(f"{self._seed}/{game.name}/{lobby}/{place}")
        options = PlayerOptions(
            lobby=name if game.name in NAMED_LOBBIES else None,
            username=f"Soak{lobby}x{place}",
            difficulty=len(game.difficulties) - 1,
        )
        player = game.player(options, rng)
        bot = Bot(game, codec, player, self.ledger, self._pace, name, rng.uniform(0.5, 1.5))
        self._bots.append(bot)
        return bot

    async def _run(self, bot: Bot, port: int) -> None:
        try:
            async with AsyncExitStack() as stack:
                async with self._door:
                    call = bot.game.transport.connect("127.0.0.1", port)
                    link = await stack.enter_async_context(call)
                self._note_coming()
                stack.callback(self._note_leaving)
                await bot.talk(link)
        except (OSError, BrokenProtocol, trio.EndOfChannel, trio.BrokenResourceError) as error:
            if bot.match is not None or not self.leaving:
                where = f"{bot.game.name}, {bot.match or 'between matches'}"
                self.ledger.accidents.append(f"{where}: {error!r}")
        finally:
            bot.seated.set()

    def _note_coming(self) -> None:
        self.connected += 1
        if self.connected == self._expected:
            self.seated.set()

    def _note_leaving(self) -> None:
        self.connected -= 1
