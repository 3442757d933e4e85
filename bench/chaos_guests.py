"""Those who take part without playing: spectators, and an administrator who observes and pauses."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from games.penguins import messages as penguins
from games.quidditch import messages as quidditch
from games.qwirkle import messages as qwirkle
from ludothek.contract.player import BrokenProtocol, Utterance

# Of the administrator of Penguins.
PASSWORD = "chaos"

# How often an administrator pauses a game, as a share of the states that it sees, and for how many
# states of other games.
PAUSES = 0.02
PATIENCE = 50


class QwirkleSpectator:
    """Watches one game after another, each from its beginning."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._me: qwirkle.ClientInfo | None = None
        self._watches = False

    def greet(self) -> Iterator[Utterance]:
        yield qwirkle.ConnectRequest(self._name, qwirkle.ClientType.SPECTATOR)

    def hear(self, message: Any) -> Iterator[Utterance]:
        match message:
            case qwirkle.ConnectAccepted(client_id=me):
                kind = qwirkle.ClientType.SPECTATOR
                self._me = qwirkle.ClientInfo(me, self._name, kind)
                yield qwirkle.GameListRequest()
            case qwirkle.GameListResponse(games=games):
                waiting = [g for g in games if g.game_state is qwirkle.GameState.NOT_STARTED]
                if waiting and not self._watches:
                    self._watches = True
                    yield qwirkle.SpectatorJoinRequest(waiting[0].game_id)
            case qwirkle.SpectatorJoinAccepted(game=game):
                if game.game_state is not qwirkle.GameState.NOT_STARTED:
                    yield qwirkle.LeavingRequest()  # it has begun in the meantime
            case qwirkle.Winner() | qwirkle.LeavingPlayer(client=self._me):
                self._watches = False
                yield qwirkle.GameListRequest()

    def idle(self) -> Iterator[Utterance]:
        if not self._watches:
            yield qwirkle.GameListRequest()


class QuidditchSpectator:
    """Is in a lobby and never brings a team."""

    def __init__(self, name: str, lobby: str) -> None:
        self._name, self._lobby = name, lobby

    def greet(self) -> Iterator[Utterance]:
        yield quidditch.JoinRequest(
            lobby=self._lobby,
            user_name=self._name,
            password="chaos",
            is_artificial_intelligence=False,
            mods=[],
        )

    def hear(self, message: Any) -> Iterable[Utterance]:
        if isinstance(message, quidditch.PrivateError):
            raise BrokenProtocol(message.information)
        return ()

    def idle(self) -> Iterable[Utterance]:
        return ()


class PenguinsAdministrator:
    """Observes every room, and pauses one of them now and then."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._paused: str | None = None
        self._heard = 0  # states of other rooms since then

    def greet(self) -> Iterator[Utterance]:
        yield penguins.Authenticate(PASSWORD)

    def hear(self, message: Any) -> Iterator[Utterance]:
        match message:
            case penguins.JoinedGameRoom(room_id=room, player_count=1):
                yield penguins.Observe(room)
            case penguins.Room(room_id=room, data=penguins.Memento()):
                yield from self._see(room)
            case penguins.ErrorPacket(original_request=penguins.Pause() | penguins.Observe()):
                pass  # the game has ended in the meantime
            case penguins.ErrorPacket(message=text):
                raise BrokenProtocol(f"the administrator was refused: {text}")

    def idle(self) -> Iterator[Utterance]:
        if self._paused is not None:
            yield penguins.Pause(self._paused, False)
            self._paused = None

    def _see(self, room: str | None) -> Iterator[Utterance]:
        if self._paused is not None:
            self._heard += 1
            if self._heard > PATIENCE:
                yield from self.idle()
        elif self._rng.random() < PAUSES:
            self._paused, self._heard = room, 0
            yield penguins.Pause(room, True)
