"""Answers that arrive too late: «Bei verspätet eintreffenden Deltas werden diese ignoriert»."""

from collections import deque

from games.quidditch.rules import DeltaType, FanKind, Request, Side, Turn, TurnType

# How many unanswered turns are remembered; a client slower than that is not playing.
REMEMBERED = 20

_DEEDS = {
    FanKind.ELF: DeltaType.ELF_TELEPORTATION,
    FanKind.GOBLIN: DeltaType.GOBLIN_SHOCK,
    FanKind.TROLL: DeltaType.TROLL_ROAR,
    FanKind.NIFFLER: DeltaType.SNITCH_SNATCH,
    FanKind.WOMBAT: DeltaType.WOMBAT_POO,
}

_ANSWERS = {
    TurnType.MOVE: {DeltaType.MOVE},
    TurnType.ACTION: {
        DeltaType.QUAFFLE_THROW,
        DeltaType.WREST_QUAFFLE,
        DeltaType.BLUDGER_BEATING,
    },
    TurnType.REMOVE_BAN: {DeltaType.UNBAN},
}


class Missed:
    """Turns whose time ran out, and whose answers may still be on their way."""

    def __init__(self) -> None:
        self._turns: dict[Side, deque[Turn]] = {side: deque(maxlen=REMEMBERED) for side in Side}

    def add(self, turn: Turn) -> None:
        self._turns[turn.side].append(turn)

    def names_other(self, turn: Turn, request: Request) -> bool:
        """Whether a request names another member of the team than the one whose turn it is.

        Only of the same team: nobody is ever asked to act for the other one.
        """
        other = request.active
        if other is None or other is turn.entity or not (other.is_player or other.is_fan):
            return False
        return other.side is turn.side

    def forgive(self, side: Side, request: Request) -> bool:
        """Whether a wrong answer was right for a missed turn; that is accepted only once."""
        turns = self._turns[side]
        for turn in turns:
            if _answers(turn, request):
                turns.remove(turn)
                return True
        return False


def _answers(turn: Turn, request: Request) -> bool:
    if turn.type is TurnType.FAN:
        return request.type is _DEEDS[turn.entity.kind] and request.active is None
    return request.active is turn.entity and request.type in _ANSWERS[turn.type]
