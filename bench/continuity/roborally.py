"""Robo Rally: checks readiness, the order of phases, turns and the positions of robots.

Much of a round depends on cards and boards that no single player knows, so these checks cannot
detect every lost message. The messages of all players are therefore compared as well.
"""

from collections.abc import Sequence
from typing import Any

import attrs

from bench.continuity.gap import Answers, News, require
from games.roborally.messages import (
    ActivePhase,
    CardPlayed,
    CardSelected,
    CardsYouGotNow,
    CheckPointReached,
    CurrentCards,
    CurrentPlayer,
    DrawDamage,
    Energy,
    Error,
    GameFinished,
    GameStarted,
    HelloClient,
    HelloServer,
    Movement,
    NotYourCards,
    PickDamage,
    PlayerAdded,
    PlayerStatus,
    PlayerValues,
    Reboot,
    SelectedCard,
    SelectionFinished,
    SetStartingPoint,
    SetStatus,
    StartingPointTaken,
    TimerEnded,
    TimerStarted,
    Welcome,
    YourCards,
)
from games.roborally.rules import Phase
from games.roborally.rules.cards import REGISTERS

# Which phase may follow which; None is the time before the first.
FOLLOWING = {
    None: Phase.SETUP,
    Phase.SETUP: Phase.UPGRADE,
    Phase.UPGRADE: Phase.PROGRAMMING,
    Phase.PROGRAMMING: Phase.ACTIVATION,
    Phase.ACTIVATION: Phase.UPGRADE,
}


@attrs.define
class _Game:
    """A game as one of its players hears it."""

    me: int
    players: Sequence[int]
    phase: Phase | None = None
    had_turn: set[int] = attrs.field(factory=set)  # in this phase or register
    asked: int | None = None  # who must take a starting point
    hands: set[int] = attrs.field(factory=set)  # the players with cards in this round
    selected: set[tuple[int, int]] = attrs.field(factory=set)  # players and registers
    finished: set[int] = attrs.field(factory=set)
    timer: bool = False
    filled: bool = False  # blind cards for us must come
    register: int = 0
    revealed: set[int] = attrs.field(factory=set)  # whose cards of this register are known
    playing: int | None = None  # who must play a card
    rebooted: set[int] = attrs.field(factory=set)
    falling: set[int] = attrs.field(factory=set)  # and not yet at a reboot token
    cells: dict[int, tuple[int, int]] = attrs.field(factory=dict)
    energy: dict[int, int] = attrs.field(factory=dict)
    reached: dict[int, int] = attrs.field(factory=dict)
    picking: bool = False  # damage of ours must follow

    def hear(self, message: Any) -> None:
        if self.filled:
            require(isinstance(message, CardsYouGotNow), "no blind cards for us")
            self.filled = False
        elif isinstance(message, CardsYouGotNow):
            require(False, "cards that we had no register for")
        match message:
            case ActivePhase(phase=phase):
                self._enter(Phase(phase))
            case CurrentPlayer(player_id=player):
                self._turn_of(player)
            case StartingPointTaken(player_id=player, x=x, y=y):
                require(self.asked == player, "a starting point that nobody was asked for")
                self.asked, self.cells[player] = None, (x, y)
            case CurrentCards(active_cards=cards):
                self._reveal({each.player_id for each in cards})
            case _:
                self._hear_of_cards(message)
                self._hear_of_play(message)
                self._hear_of_robots(message)

    def _hear_of_cards(self, message: Any) -> None:
        match message:
            case YourCards():
                self._deal(self.me)
            case NotYourCards(player_id=player):
                self._deal(player)
            case CardSelected(player_id=player, register=register):
                require(self.hands == {*self.players}, "a hand is missing")
                require((player, register) not in self.selected, "a register was filled twice")
                self.selected.add((player, register))
            case SelectionFinished(player_id=player):
                count = sum(each == player for each, _ in self.selected)
                require(count == REGISTERS, f"finished with {count} registers")
                require(player not in self.finished, "finished again")
                self.finished.add(player)
            case TimerStarted():
                require(len(self.finished) == 1 and not self.timer, "a timer that is not due")
                self.timer = True
            case TimerEnded(player_ids=slow):
                missing = {*self.players} - self.finished
                require(self.timer or bool(slow), "a timer that did not run")
                require({*slow} == missing, f"{slow} were too slow, not {missing}")
                self.timer, self.filled = False, self.me in slow
                self.finished = {*self.players}

    def _hear_of_play(self, message: Any) -> None:
        match message:
            case CardPlayed(player_id=player):
                if self.phase is Phase.ACTIVATION:
                    require(player in self.had_turn, "a card outside of a turn")
                    self.playing = None if self.playing == player else self.playing
            case Reboot(player_id=player):
                self.rebooted.add(player)
                self.falling.add(player)
            case PickDamage():
                require(not self.picking, "damage to be picked again")
                self.picking = True
            case DrawDamage(player_id=self.me):
                self.picking = False

    def _hear_of_robots(self, message: Any) -> None:
        match message:
            case Movement(player_id=player, x=x, y=y):
                self._move(player, (x, y))
            case Energy(player_id=player, count=count):
                require(self.energy.get(player) != count, "the same energy again")
                self.energy[player] = count
            case CheckPointReached(player_id=player, number=number):
                require(number == self.reached.get(player, 0) + 1, f"checkpoint {number}")
                self.reached[player] = number

    def _move(self, player: int, cell: tuple[int, int]) -> None:
        before = self.cells[player]
        distance = abs(before[0] - cell[0]) + abs(before[1] - cell[1])
        require(distance == 1 or player in self.falling, f"{distance} steps at once")
        self.falling.discard(player)
        self.cells[player] = cell

    def _enter(self, phase: Phase) -> None:
        require(FOLLOWING[self.phase] is phase, f"{phase!r} after {self.phase!r}")
        if self.phase in (Phase.SETUP, Phase.UPGRADE):
            require(self.had_turn == {*self.players}, "a turn is missing")
        if self.phase is Phase.PROGRAMMING:
            require(self.finished == {*self.players}, "programming did not end")
            require(not self.timer, "the timer did not end")
        self._end_turns()
        if self.phase is Phase.ACTIVATION:
            all_rebooted = self.rebooted == {*self.players}
            require(self.register == REGISTERS or all_rebooted, f"{self.register} registers")
        if phase is Phase.PROGRAMMING:
            self.hands, self.selected, self.finished = set(), set(), set()
        if phase is Phase.UPGRADE:
            self.rebooted = set()
        self.phase, self.had_turn, self.register = phase, set(), 0

    def _turn_of(self, player: int) -> None:
        require(player in self.players, f"{player} does not play")
        require(self.asked is None, "no starting point was taken")
        require(player not in self.had_turn, "a second turn")
        require(self.playing is None, "no card was played")
        self.had_turn.add(player)
        if self.phase is Phase.SETUP:
            self.asked = player
        elif self.phase is Phase.ACTIVATION:
            self.playing = player

    def _end_turns(self) -> None:
        """A register is over: all robots that had a card and have not fallen have played it."""
        missing = self.revealed - self.had_turn - self.rebooted
        require(not missing, f"no turn of {missing}")
        require(self.playing is None, "no card was played")
        self.revealed = set()

    def _reveal(self, players: set[int]) -> None:
        require(self.phase is Phase.ACTIVATION, "cards outside of the activation")
        require(players <= {*self.players} - self.rebooted, "cards of robots that stand still")
        self._end_turns()
        self.register += 1
        self.revealed, self.had_turn = players, set()

    def _deal(self, player: int) -> None:
        require(self.phase is Phase.PROGRAMMING, "cards outside of programming")
        require(player not in self.hands or bool(self.selected), "a hand again")
        self.hands.add(player)


class RoboRallyContinuity:
    """One client in the lobby of its port, and the games there, one after another."""

    def __init__(self) -> None:
        self._answers = Answers()
        self._greeted = False
        self._me: int | None = None
        self._ready: dict[int, bool | None] = {}  # by player, in the order of coming
        self._resets: list[int] = []  # the players that become unready after a game
        self._game: _Game | None = None
        self._requests: list[Any] = []  # of ours that everybody is told of

    def said(self, message: Any) -> None:
        match message:
            case HelloServer():
                self._answers.expect(Welcome)
            case PlayerValues():
                self._answers.expect(PlayerAdded, Error)
            case SetStatus() | SetStartingPoint() | SelectedCard():
                self._requests.append(message)

    def heard(self, message: Any) -> None:
        name = type(message).__name__
        if self._resets:
            reset = isinstance(message, PlayerStatus) and message.player_id in self._resets
            require(reset and not message.ready, f"{name} where all become unready")
            self._resets.remove(message.player_id)
        require(self._greeted is not isinstance(message, HelloClient), f"{name}, no greeting")
        match message:
            case HelloClient():
                self._greeted = True
            case Welcome(player_id=me):
                self._answers.take(message)
                self._me = me
            case PlayerAdded(player_id=player):
                self._meet(message, player)
            case PlayerStatus(player_id=player, ready=ready):
                require(self._game is None, "back in the lobby without the end of a game")
                require(player in self._ready, f"status of the unknown player {player}")
                require(self._ready[player] is not ready, f"{message} again")
                self._ready[player] = ready
                self._done(SetStatus, player)
            case GameStarted():
                self._start()
            case Error():
                self._refused(message)
            case _:
                self._play(message)

    def news(self, message: Any, frame: bytes) -> News | None:
        match message:
            case CardsYouGotNow() | PickDamage() | Error():
                return None
            case YourCards(cards_in_hand=hand, cards_in_pile=pile):
                return News("hand", hash((self._me, len(hand), pile)))
            case NotYourCards(player_id=player, cards_in_hand=count, cards_in_pile=pile):
                return News("hand", hash((player, count, pile)))
        inside = self._game is not None or isinstance(message, GameFinished)
        return News.of(message, frame) if inside else None

    @property
    def owed(self) -> Sequence[str]:
        owed = self._answers.owed + [f"an answer to {each}" for each in self._requests]
        owed += [f"status of {player}" for player in self._resets]
        if self._game is not None and self._game.filled:
            owed.append("CardsYouGotNow")
        return owed

    # The lobby

    def _meet(self, added: PlayerAdded, player: int) -> None:
        require(player not in self._ready, f"{player} again")
        if player == self._me:
            self._answers.take(added)
        self._ready[player] = None

    def _refused(self, error: Error) -> None:
        if self._answers.owed:
            self._answers.take(error)
        elif self._requests:
            self._requests.pop(0)

    def _done(self, kind: type, player: int) -> None:
        """Something of a player was announced; if it is ours, a request is answered."""
        if player != self._me or not isinstance(next(iter(self._requests), None), kind):
            return
        self._requests.pop(0)

    # The game

    def _start(self) -> None:
        require(self._game is None, "a game began within another")
        require(all(self._ready.values()), "a game began before all were ready")
        require(self._me is not None, "no welcome")
        assert self._me is not None
        self._game = _Game(self._me, [*self._ready])

    def _play(self, message: Any) -> None:
        require(self._game is not None, f"{type(message).__name__} without a game")
        assert self._game is not None
        match message:
            case CardSelected(player_id=player):
                self._done(SelectedCard, player)
            case StartingPointTaken(player_id=player):
                self._done(SetStartingPoint, player)
            case GameFinished():
                self._resets = [*self._ready]
                self._game = None
                return
        self._game.hear(message)
