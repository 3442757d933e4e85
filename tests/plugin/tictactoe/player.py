"""A player on the wire: finds an opponent, plays, reports."""

import random
from collections.abc import Iterator
from typing import Any

from ludothek.api import BrokenProtocol, PlayerOptions, Report, SettingsError, Utterance

from tictactoe import bots
from tictactoe.knowledge import Knowledge
from tictactoe.member import MAX_NAME, is_name
from tictactoe.messages import (
    Closed,
    Hello,
    Join,
    Joined,
    Left,
    Lobbies,
    Mark,
    NotJoined,
    OpenLobby,
    Over,
    Position,
    Refused,
    Started,
    Welcome,
)
from tictactoe.rules import START, legal_actions


class TicTacToePlayer:
    """Plays one match after the other, in the lobby it was told or anywhere."""

    def __init__(self, options: PlayerOptions, rng: random.Random) -> None:
        name = options.username or f"Bot {rng.randrange(10**6)}"
        if not is_name(name):
            raise SettingsError(f"{name!r}: a name has 1 to {MAX_NAME} visible characters")
        self._known = Knowledge(name)
        self._lobby = options.lobby
        self._loyal = options.loyal
        self._difficulty = options.difficulty
        self._opening = _cell(options.own.get("opening"))
        self._rng = rng
        self._welcome = False
        self._asked = False  # for a seat; there will be an answer
        self._errors = 0

    def greet(self) -> Iterator[Utterance]:
        yield Hello(name=self._known.name)

    def hear(self, message: Any) -> Iterator[Utterance]:
        match message:
            case Welcome():
                self._welcome = True
                yield from self._ask_for_seat()
            case Joined(lobby=lobby):
                self._asked = False
                self._known.sit(lobby)
            case NotJoined():
                yield from self._look_elsewhere()
            case Started():
                self._known.start(message)
            case Position():
                yield from self._consider(message)
            case Over():
                yield self._report(message)
                yield from self._stand_up()
            case Closed() | Left():
                yield from self._stand_up()
            case Refused(reason=reason):
                self._mind(reason)
            case Lobbies():
                pass
            case _:
                raise BrokenProtocol(f"the server sent {type(message).__name__}")

    def idle(self) -> Iterator[Utterance]:
        """See whether there is a seat by now."""
        if self._welcome and self._known.lobby is None:
            yield from self._ask_for_seat()

    def _ask_for_seat(self) -> Iterator[Utterance]:
        if not self._asked:
            self._asked = True
            yield Join(lobby=self._lobby, spectator=False)

    def _look_elsewhere(self) -> Iterator[Utterance]:
        self._asked = False
        if self._lobby is not None and not self._loyal:
            # The lobby of this name is taken, or there is none: now there is one.
            self._asked, self._loyal = True, True
            yield OpenLobby(name=self._lobby)

    def _stand_up(self) -> Iterator[Utterance]:
        self._known.lobby = None
        yield from self._ask_for_seat()

    def _consider(self, position: Position) -> Iterator[Utterance]:
        known = self._known
        known.see(position)
        if known.lobby is None or position.paused or not known.is_our_turn:
            return
        known.moves += 1
        yield Mark(lobby=known.lobby, move=position.move, cell=self._choose())

    def _choose(self) -> int:
        state = self._known.state
        if state == START and self._opening is not None:
            return self._opening
        return bots.choose(state, self._difficulty, self._rng)

    def _mind(self, reason: str) -> None:
        if not self._welcome:
            raise BrokenProtocol(f"the server does not let us in: {reason}")
        self._errors += 1

    def _report(self, over: Over) -> Report:
        known, errors = self._known, self._errors
        self._errors = 0
        return Report(
            winner=over.winner,
            points={"X": over.board.count("X"), "O": over.board.count("O")},
            moves=known.moves,
            errors=errors,
            details={"won": over.winner == known.name, "reason": over.reason},
        )


def _cell(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isdecimal() and int(text) in legal_actions(START)):
        raise SettingsError(f"--opening {text!r}: the cells are numbered from 0 to 8")
    return int(text)
