"""The entrants of one game: their seats, their programs and bots, their connections."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
import trio

from ludothek.arena.command_line import fill, placeholders
from ludothek.arena.court import Court
from ludothek.arena.entrant import Entrant, Kind, placeholders_of
from ludothek.arena.failure import Failure
from ludothek.arena.log_file import cut
from ludothek.arena.outcome import Reason
from ludothek.arena.program import Program
from ludothek.arena.sandbox import Sandbox, is_enclosed
from ludothek.arena.seat import Seat
from ludothek.arena.task import Task
from ludothek.arena.thinkers import Thinker
from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.contract.contest import Contest, Contestant
from ludothek.contract.player import PlayerOptions
from ludothek.runtime.playing import BotLink, play
from transports import BUGS, Farewell, Link, Listener, open_listeners
from transports.memory import MemoryLink, memory_link_pair

if TYPE_CHECKING:
    from ludothek.runtime.connection import Connection
    from ludothek.runtime.lobby import Lobby

log = structlog.get_logger()

# Where programs find the server.
LOOPBACK = "127.0.0.1"

# Seconds in which a program may hang up and connect again without being there twice.
AGAIN_SECONDS = 0.1

# Seconds in which the last message of a program that has ended may still be on its way.
LATE_SECONDS = 0.05


class Invited:
    """Everybody who has a seat in one game."""

    def __init__(
        self,
        task: Task,
        court: Court,
        settings: Any,
        chance: Chance,
        scratch: Path,
        cores: Sequence[int],
        news: Callable[[], None],
    ) -> None:
        self.lobby: Lobby | None = None  # the one that was opened for them
        self.bug: BaseException | None = None  # of ours, not of a program
        self._task = task
        self._court = court
        self._settings = settings
        self._chance = chance
        self._scratch = scratch
        self._cores = cores
        self._news = news
        self._started = inf
        self._helpers: trio.Nursery
        names = _names([self._contest.name(entrant.name) for entrant in task.entrants])
        self.seats = [
            Seat(number, entrant, name)
            for number, (entrant, name) in enumerate(zip(task.entrants, names, strict=True))
        ]

    @property
    def _contest(self) -> Contest:
        contest = self._court.game.contest
        assert contest is not None
        return contest

    @property
    def _own_options(self) -> set[str]:
        """What only players of this game can be told."""
        return {option.key for option in self._court.game.bot_options}

    def _is_informed(self, entrant: Entrant) -> bool:
        """Whether it is told what only the player of its seat must know, or joins without."""
        if entrant.kind is Kind.COMMAND:
            return not self._own_options.isdisjoint(placeholders(entrant.command))
        return entrant.kind is Kind.BOT

    @property
    def _lobby_name(self) -> str:
        return f"game{self._task.number}"

    def limit(self, seat: Seat) -> float:
        """Until when a seat has to be taken; whoever waits for others is not in a hurry."""
        admitted = seat.admitted.is_set()
        if not admitted and (seat.connected or seat.entrant.kind is Kind.BOT):
            return inf
        since = max(self._started, seat.admitted_at) if admitted else self._started
        return since + self._task.bounds.startup_seconds

    # Inviting them

    async def invite(self, helpers: trio.Nursery) -> None:
        """Open the lobby and start the programs; bots and watchers run in this nursery."""
        self._helpers = helpers
        self._open_lobby()
        async with trio.open_nursery() as nursery:
            for seat in self.seats:
                if seat.entrant.kind is not Kind.BOT:
                    nursery.start_soon(self._invite, seat)
        self._started = trio.current_time()

    def _open_lobby(self) -> None:
        opening = self._contest.opening
        if opening is None:
            return
        guests = [Contestant(seat.name, self._is_informed(seat.entrant)) for seat in self.seats]
        foyer = self._court.hall.foyer
        self.lobby = foyer.open_lobby(opening(self._lobby_name, guests, self._settings))
        for seat in self.seats:
            seat.keys = dict(self._contest.keys(self.lobby.table, seat.number))

    async def _invite(self, seat: Seat) -> None:
        listeners: Sequence[Listener]
        if seat.entrant.kind is Kind.REMOTE:
            port = int(seat.entrant.options.get("port", self._task.port))
            try:
                listeners, _ = await self._listen(seat, self._task.host, port)
            except OSError as error:
                where = f"{self._task.host} port {port}"
                reason = f"nobody can connect to {where}: {error.strerror or error}"
                raise Failure(reason) from None
        else:
            listeners = await self._launch(seat)
        await self._helpers.start(self._court.accept, listeners, partial(self._meet, seat))
        if seat.program is not None:
            self._helpers.start_soon(self._watch, seat, seat.program)

    async def _launch(self, seat: Seat) -> Sequence[Listener]:
        """Start a program; it can connect to the sockets that are returned."""
        folder = self._scratch / f"seat{seat.number + 1}"
        folder.mkdir(exist_ok=True)  # it may be started again
        log_file = self._scratch / f"seat{seat.number + 1}.log"
        listeners: Sequence[Listener] = ()
        port = self._court.game.port  # free in a network of its own, as all ports are
        if not self._encloses:
            listeners, port = await self._listen(seat, LOOPBACK, 0)
        sandbox = self._sandbox(seat.entrant, self._words(seat, port), folder)
        seat.program = Program(sandbox, log_file, self._cores_for(seat))
        within = await seat.program.launch(None if listeners else (LOOPBACK, port))
        if within is None:
            return listeners
        within.setblocking(False)
        return [trio.SocketListener(trio.socket.from_stdlib_socket(within))]

    # What a check does differently

    @property
    def _encloses(self) -> bool:
        """Whether programs have a network of their own."""
        return is_enclosed()

    def _sandbox(self, entrant: Entrant, words: Sequence[str], folder: Path) -> Sandbox:
        return Sandbox(entrant, words, self._task.bounds, self._task.private, folder)

    async def _listen(self, seat: Seat, host: str, port: int) -> tuple[Sequence[Listener], int]:
        """Where an entrant can connect: the sockets to serve, and the port that it is told."""
        listeners = await open_listeners(host, port)
        return listeners, int(listeners[0].socket.getsockname()[1])

    def _greet(self, seat: Seat, link: Link) -> "Connection":
        """An entrant that is served from now on."""
        return self._court.meet(link, hosted=False)

    def _mouth(self, seat: Seat, link: MemoryLink) -> BotLink:
        """The link over which a built-in bot plays."""
        return link

    # Their programs

    def _cores_for(self, seat: Seat) -> Sequence[int]:
        """A core for each program, and the last one for all bots."""
        if not self._cores:
            return ()
        programs = [each for each in self.seats if each.entrant.kind is Kind.COMMAND]
        number = programs.index(seat) if seat in programs else -1
        return [self._cores[number % len(self._cores)]]

    def _words(self, seat: Seat, port: int) -> list[str]:
        """The command line of a program, with all placeholders replaced."""
        entrant = seat.entrant
        values: Mapping[str, str] = {
            **dict.fromkeys(placeholders_of(self._court.game), ""),
            "host": LOOPBACK,
            "port": str(port),
            "lobby": self._lobby_name,
            "name": seat.name,
            "password": f"{self._chance.child('password', seat.number).seed}"[:16],
            "difficulty": str(entrant.difficulty),
            **entrant.options,
            **seat.keys,
        }
        return fill(entrant.command, values)

    async def _watch(self, seat: Seat, program: Program) -> None:
        await program.watch()
        await trio.sleep(LATE_SECONDS)
        await self._court.catch_up()
        late = seat.departed or seat.dismissed or self._court.ended is not None
        if program.end is not None and not late:
            seat.blame(program.end.reason, program.end.words)
        self._news()

    # Letting them in

    def admit(self, seat: Seat) -> None:
        """Let an entrant play as soon as it has connected."""
        if not seat.admitted.is_set():
            seat.admitted.set()
            seat.admitted_at = trio.current_time()
            if seat.entrant.kind is Kind.BOT:
                self._helpers.start_soon(self._play, seat)

    async def _meet(self, seat: Seat, link: Link) -> None:
        """Serve somebody who has connected where only this entrant can."""
        if seat.connected:
            await trio.sleep(AGAIN_SECONDS)
        if seat.connected or seat.played:
            # At a port that others reach, it may have been anybody.
            if not seat.departed and seat.entrant.kind is not Kind.REMOTE:
                seat.blame(Reason.CONNECTED_TWICE, "It opened a second connection.")
            self._news()
            await link.aclose(Farewell.REFUSED)
            return
        seat.link = link
        self._news()
        await seat.admitted.wait()
        if seat.link is not link:  # it has hung up and come again meanwhile
            await link.aclose(Farewell.REFUSED)
            return
        seat.client = self._greet(seat, link)
        try:
            await self._court.attend(seat.client)
        finally:
            self._news()

    async def _play(self, seat: Seat) -> None:
        """Let a built-in bot play."""
        entrant, game = seat.entrant, self._court.game
        try:
            options = PlayerOptions(
                lobby=None if seat.keys else self._lobby_name,
                username=seat.name,
                difficulty=entrant.difficulty,
                think_seconds=entrant.think_seconds,
                own={**entrant.options, **seat.keys},
            )
            # By name, too: otherwise two bots of one difficulty would play every game of a pair
            # alike, with exchanged roles, and their results would say nothing.
            rng = self._chance.child("bot", seat.number, entrant.name).random()
            player = game.player(options, rng)
            thinker = Thinker(self._cores_for(seat))
            if entrant.difficulty < len(game.difficulties) // 2:  # only the stronger ones think
                await thinker.wake(game.name)
            ours, theirs = memory_link_pair()
            seat.link = theirs
            seat.client = self._court.meet(theirs, hosted=True)
            self._helpers.start_soon(self._court.attend, seat.client)
            codec = game.codec(Clock(), self._settings)
            mouth = self._mouth(seat, ours)
            await play(mouth, codec, player, lambda report: None, decide=thinker.decide)
        except (trio.EndOfChannel, trio.BrokenResourceError):
            pass  # the game is over
        except BUGS as bug:
            self.bug = self.bug or bug
        finally:
            self._news()

    # Sending them home

    def dismiss(self) -> None:
        """From now on, nobody who is still there can be blamed for going."""
        for seat in self.seats:
            seat.dismissed = seat.connected

    async def send_home(self) -> None:
        """End all programs."""
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for seat in self.seats:
                    if seat.program is not None:
                        nursery.start_soon(seat.program.stop)

    def files(self) -> dict[str, bytes]:
        """What the programs have printed, by the names of the files."""
        kept = self._task.bounds.output_kilobytes * 1024
        found = {}
        for seat in self.seats:
            if seat.program is not None and (text := cut(seat.program.log_file, kept)):
                found[self._log_name(seat)] = text
        return found

    def log_names(self, files: Mapping[str, bytes]) -> list[str | None]:
        """The name of each seat's log, if it has one."""
        names = map(self._log_name, self.seats)
        return [name if name in files else None for name in names]

    def _log_name(self, seat: Seat) -> str:
        return f"{self._task.number:06}-{seat.number + 1}.log"


def _names(names: Sequence[str]) -> list[str]:
    """The same names, but none twice."""
    found: list[str] = []
    for name in names:
        number = 2
        unique = name
        while unique in found:
            ending = str(number)
            unique, number = f"{name[: len(name) - len(ending)]}{ending}", number + 1
        found.append(unique)
    return found
