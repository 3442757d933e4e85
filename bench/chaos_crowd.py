"""Who takes part in a chaos run: two players in every lobby, and a guest here and there."""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import trio

from bench.chaos_clients import Client, Findings
from bench.chaos_daemon import HOSTED
from bench.chaos_double import DoublePlayer
from bench.chaos_guests import PenguinsAdministrator, QuidditchSpectator, QwirkleSpectator
from bench.chaos_killer import Killer
from bench.chaos_patience import PATIENCE
from bench.chaos_wire import Wire
from bench.soak_daemon import ONE_PER_PORT, settings
from bench.soak_ledger import PLAYERS
from bench.soak_players import NAMED_LOBBIES
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec
from ludothek.contract.game import Game
from ludothek.contract.player import Player, PlayerOptions
from ludothek.settings.fields import build

SEATED = 20.0  # seconds until a client has heard something

# How many connections are made at the same time.
DOOR = 20


class Crowd:
    """All clients of all games."""

    def __init__(
        self, ports: Mapping[str, Sequence[int]], lobbies: int, seed: int, speed: float
    ) -> None:
        self._ports = ports
        self._lobbies = lobbies
        self._seed = seed
        self._speed = speed
        self._door = trio.CapacityLimiter(DOOR)
        self._leaving = False
        self.clients: list[Client] = []
        self.findings = Findings()

    def wires(self) -> Iterator[Wire]:
        return (client.wire for client in self.clients if client.wire is not None)

    @property
    def seated(self) -> bool:
        return all(client.seated.is_set() for client in self.clients)

    def leave(self) -> None:
        """Play the matches to their end that have begun, and begin no others."""
        self._leaving = True
        for client in self.clients:
            client.leaving = True

    @property
    def playing(self) -> int:
        """How many players are in a match."""
        return sum(bool(client.playing) for client in self.clients)

    async def play(self, games: Sequence[Game], killer: Killer, *, administrator: bool) -> None:
        """Take part until cancelled."""
        async with trio.open_nursery() as nursery:
            for game in games:
                codec = game.codec(Clock(), build(game.settings, settings(game.name, 1), ""))
                if game.name == "penguins" and administrator:
                    admin = PenguinsAdministrator(self._rng(game, "administrator"))
                    await self._seat(nursery, killer, 0, self._guest(game, codec, 0, admin))
                if game.name == "penguins":
                    await self._seat(nursery, killer, 0, self._double(game, codec))
                for lobby in range(self._most(game)):
                    nursery.start_soon(partial(self._fill, game, codec, lobby, killer))
                if game.name == HOSTED and len(self._ports[game.name]) > 1:
                    alone = self._player(game, codec, self._lobbies, 0)
                    alone.company = 1
                    await self._seat(nursery, killer, -1, alone)

    def _most(self, game: Game) -> int:
        ports = len(self._ports[game.name])
        return min(self._lobbies, ports) if game.name in ONE_PER_PORT else self._lobbies

    async def _fill(self, game: Game, codec: Codec, lobby: int, killer: Killer) -> None:
        """The second connects once the server knows the first, so that they need not search."""
        port = lobby if game.name in ONE_PER_PORT else 0
        async with trio.open_nursery() as nursery, self._door:
            seat = partial(self._seat, nursery, killer, port)
            if guest := self._spectator(game, lobby):
                await seat(self._guest(game, codec, lobby, guest))
            for place in range(PLAYERS):
                await seat(self._player(game, codec, lobby, place))

    async def _seat(self, nursery: trio.Nursery, killer: Killer, port: int, client: Client) -> None:
        if self._leaving:
            return  # too late to begin
        self.clients.append(client)
        number = self._ports[client.game.name][port]
        nursery.start_soon(client.run, number, killer.on_news)
        with trio.move_on_after(SEATED):
            await client.seated.wait()

    def _rng(self, game: Game, *what: object) -> random.Random:
        return random.Random("/".join(map(str, (self._seed, game.name, *what))))

    @staticmethod
    def _spectator(game: Game, lobby: int) -> Player | None:
        """Every second lobby is watched, where a protocol knows spectators."""
        if lobby % 2:
            return None
        match game.name:
            case "quidditch":
                return QuidditchSpectator(f"Watch{lobby}", f"chaos{lobby}")
            case "qwirkle":
                return QwirkleSpectator(f"Watch{lobby}")
        return None

    def _guest(self, game: Game, codec: Codec, lobby: int, guest: Player) -> Client:
        return Client(
            name=f"{game.name} {type(guest).__name__} {lobby}",
            place=f"{game.name} chaos{lobby}",
            game=game,
            codec=codec,
            player=guest,
            findings=self.findings,
            rng=self._rng(game, "guest", lobby),
            speed=self._speed,
            plays=False,
        )

    def _double(self, game: Game, codec: Codec) -> Client:
        """One that plays in two rooms at the same time."""
        client = self._player(game, codec, self._lobbies, 0)
        options = PlayerOptions(difficulty=len(game.difficulties) - 1)
        players = [game.player(options, self._rng(game, "double", n)) for n in range(2)]
        client.player, client.limit = DoublePlayer(players), len(players)
        return client

    def _player(self, game: Game, codec: Codec, lobby: int, place: int) -> Client:
        options = PlayerOptions(
            lobby=f"chaos{lobby}" if game.name in NAMED_LOBBIES else None,
            username=f"Chaos{lobby}x{place}",
            difficulty=len(game.difficulties) - 1,
        )
        player = game.player(options, self._rng(game, lobby, place))
        return Client(
            name=f"{game.name} Chaos{lobby}x{place}",
            place=f"{game.name} chaos{lobby}",
            game=game,
            codec=codec,
            player=PATIENCE[game.name](player),
            findings=self.findings,
            rng=self._rng(game, "pace", lobby, place),
            speed=self._speed,
        )
