"""A Hexxagon player on the wire: finds or opens a lobby, starts, plays, reports."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from games.hexxagon import bots
from games.hexxagon.knowledge import Knowledge, position
from games.hexxagon.member import MAX_NAME, is_name
from games.hexxagon.messages import (
    AvailableLobbies,
    CreateNewLobby,
    GameMove,
    GameStarted,
    GameStatus,
    GetAvailableLobbies,
    JoinLobby,
    LeaveGame,
    LeaveLobby,
    Lobby,
    LobbyCreated,
    LobbyJoined,
    LobbyStatus,
    StartGame,
    Strike,
    Tile,
    Uuid,
    Welcome,
)
from games.hexxagon.rules import Move, legal_actions
from ludothek.contract.player import (
    BrokenProtocol,
    PlayerOptions,
    Question,
    Report,
    Thought,
    Utterance,
)
from ludothek.settings.fields import SettingsError

# From this difficulty on, choosing takes less time than a message, and is done in place.
QUICK = bots.DIFFICULTIES.index("greedy")

# The option for a lobby that is not listed.
LOBBY_ID = "lobby_id"

# A waiting player asks less and less often: hundreds of bots that list lobbies every second would
# keep a server from doing anything else.
EAGER = (1, 2, 4)
PATIENT = 8


class HexxagonPlayer:
    """Plays one game after another, in a lobby of the given name or in any that has room.

    It asks for one thing at a time: what was right when it was sent may be a strike when it
    arrives, and a busy server answers late. The server answers in order, so an answer also tells
    that everything sent before has been heard.
    """

    def __init__(self, options: PlayerOptions, rng: random.Random) -> None:
        self._difficulty = options.difficulty
        self._seconds = options.think_seconds
        self._lobby_name = options.lobby
        self._invited_to = options.own.get(LOBBY_ID)
        self._loyal = options.loyal
        self._asks = options.asks
        self._user_name = options.username or f"Bot_{rng.randrange(10**6)}"
        for name in filter(None, (self._user_name, self._lobby_name)):
            if not is_name(name):
                raise SettingsError(
                    f"{name!r}: a name has 1 to {MAX_NAME} characters, none of control"
                )
        self._rng = rng
        self._known = Knowledge()

    def greet(self) -> Iterator[Utterance]:
        """The server speaks first."""
        return iter(())

    def hear(self, message: Any) -> Iterator[Utterance]:
        match message:
            case Welcome(user_id=me):
                self._known.me = me
                yield from self._begin()
            case AvailableLobbies(available_lobbies=lobbies):
                yield from self._know(lobbies)
            case LobbyCreated(lobby_id=lobby_id, successfully_created=True):
                yield self._join(lobby_id)
            case LobbyJoined(successfully_joined=True):
                self._known.awaits = LobbyStatus
            case LobbyCreated() | LobbyJoined():
                self._known.awaits = None  # somebody was faster; try again after a while
            case LobbyStatus(lobby=lobby):
                yield from self._sit(lobby)
            case GameStarted(game_id=game_id):
                self._known.begin(game_id)
            case GameStatus():
                yield from self._consider(message)
            case Strike():
                yield from self._mind_strike()
            case _:
                raise BrokenProtocol(f"the server sent {type(message).__name__}")

    def idle(self) -> Iterator[Utterance]:
        """Check whether there is room by now, or somebody else waiting alone."""
        if self._known.me is None or self._known.playing:
            return
        if self._known.awaits is GameStarted:
            # If the other player left at the same moment, this is the only answer we will get.
            yield from self._look_around()
        elif self._known.awaits is None and (
            self._known.lobby is None or self._known.lobby.player_two is None
        ):
            self._known.waited += 1
            if self._known.waited in EAGER or self._known.waited % PATIENT == 0:
                yield from self._look_around()

    def resign(self) -> Iterator[Utterance]:
        """The opponent wins a game that was left; a lobby is just left."""
        known = self._known
        if known.playing is not None:
            yield LeaveGame(user_id=known.id, game_id=known.playing)
        elif known.lobby is not None:
            yield LeaveLobby(user_id=known.id, lobby_id=known.lobby.lobby_id)

    # Finding a lobby

    def _begin(self) -> Iterator[Utterance]:
        if self._invited_to is None:
            yield from self._look_around()
        else:
            yield self._join(Uuid(self._invited_to))

    def _look_around(self) -> Iterator[Utterance]:
        """Ask for the one thing that is allowed everywhere."""
        if self._known.awaits is not AvailableLobbies:
            self._known.awaits = AvailableLobbies
            yield GetAvailableLobbies(user_id=self._known.id)

    def _know(self, lobbies: list[Lobby]) -> Iterator[Utterance]:
        if self._known.awaits is not AvailableLobbies:
            return
        self._known.awaits = self._known.left = None
        self._known.starting = self._known.crossed = False
        if self._known.playing:
            return  # asked for before the game began
        lobbies = [lobby for lobby in lobbies if self._suits(lobby)]
        if self._known.lobby is None:
            yield from self._choose_lobby(lobbies)
        elif self._known.lobby.player_two is None:
            yield from self._move_over(self._known.lobby, lobbies)
        else:
            yield from self._start(self._known.lobby)

    def _choose_lobby(self, lobbies: list[Lobby]) -> Iterator[Utterance]:
        if lobbies:
            # Join where somebody waits, so that nobody waits alone; but bots that look at the same
            # moment should not all try the same lobby.
            waiting = [lobby for lobby in lobbies if lobby.player_one] or lobbies
            yield self._join(self._rng.choice(waiting).lobby_id)
        elif not self._loyal:
            self._known.awaits = LobbyCreated
            name = self._lobby_name or f"{self._user_name[:50]} waits"
            yield CreateNewLobby(user_id=self._known.id, lobby_name=name)

    def _suits(self, lobby: Lobby) -> bool:
        wanted = self._lobby_name in (None, lobby.lobby_name, lobby.lobby_id)
        return wanted and lobby.player_two is None and self._known.me != lobby.player_one

    def _move_over(self, own: Lobby, lobbies: list[Lobby]) -> Iterator[Utterance]:
        """Two who wait alone would wait for ever, so the one with the larger lobby id moves."""
        if any(lobby.player_one and lobby.lobby_id < own.lobby_id for lobby in lobbies):
            self._known.lobby, self._known.left = None, own.lobby_id
            yield LeaveLobby(user_id=self._known.id, lobby_id=own.lobby_id)
            yield from self._look_around()  # leaving itself is not answered

    def _join(self, lobby_id: Uuid) -> JoinLobby:
        self._known.awaits = LobbyJoined
        return JoinLobby(user_id=self._known.id, lobby_id=lobby_id, user_name=self._user_name)

    def _sit(self, lobby: Lobby) -> Iterator[Utterance]:
        if lobby.lobby_id == self._known.left:
            return  # sent before the server knew that we are leaving
        if self._known.awaits is LobbyStatus:
            self._known.awaits = None
        # If a player has left since we asked to start the game, it may not have started.
        self._known.crossed |= self._known.starting
        if lobby.is_closed:
            self._known.lobby = None
            yield from self._look_around()
            return
        self._known.lobby = lobby
        if self._known.awaits is None:
            yield from self._start(lobby)

    def _start(self, lobby: Lobby) -> Iterator[Utterance]:
        if lobby.player_one == self._known.me and lobby.player_two is not None:
            self._known.awaits, self._known.starting = GameStarted, True
            yield StartGame(user_id=self._known.id, lobby_id=lobby.lobby_id)

    # Playing

    def _consider(self, status: GameStatus) -> Iterator[Utterance]:
        moved, self._known.deciding = self._known.deciding, False
        if status.is_closed:
            self._known.playing = None
            self._known.crossed = moved  # the other player may have left before our move arrived
            yield self._report(status)
            self._known.strikes = 0
            yield from self._look_around()
        elif status.active_player == self._known.me:
            self._known.moves += 1
            self._known.deciding = True
            yield from self._think(status)

    def _mind_strike(self) -> Iterator[Utterance]:
        crossed, self._known.crossed, self._known.starting = self._known.crossed, False, False
        if not crossed:
            self._known.strikes += 1
            self._known.awaits = None
            if self._known.deciding:
                raise BrokenProtocol("the server refused a legal move")
        elif self._known.awaits is GameStarted:
            self._known.awaits = None
            if self._known.lobby is not None:
                yield from self._start(self._known.lobby)

    def _think(self, status: GameStatus) -> Iterator[Utterance]:
        state = position(status)
        if not (moves := legal_actions(state)):
            raise BrokenProtocol("the server asked for a move where there is none")
        if self._asks:
            yield Question(moves, partial(self._move, status.game_id))
            return
        rng = random.Random(self._rng.getrandbits(64))
        decide = partial(bots.choose, state, self._difficulty, rng, self._seconds)
        say = partial(self._move, status.game_id)
        if self._difficulty >= QUICK:
            yield say(decide())
        else:
            yield Thought(decide, say)

    def _move(self, game_id: Uuid, move: Move) -> GameMove:
        origin, target = Tile(move.origin), Tile(move.target)
        return GameMove(user_id=self._known.id, game_id=game_id, move_from=origin, move_to=target)

    def _report(self, status: GameStatus) -> Report:
        names = {
            status.player_one: status.player_one_user_name,
            status.player_two: status.player_two_user_name,
        }
        return Report(
            winner=names.get(status.winner, "somebody else") if status.winner else None,
            points={
                "playerOne": status.player_one_points,
                "playerTwo": status.player_two_points,
            },
            moves=self._known.moves,
            errors=self._known.strikes,
            details={
                "won": status.winner == self._known.me,
                "tie": status.tie,
                "side": "playerOne" if status.player_one == self._known.me else "playerTwo",
            },
        )
