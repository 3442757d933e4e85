"""How the Quidditch bots answer, given what a client sees of a match."""

import random
from collections.abc import Callable, Mapping

from games.quidditch.bots import beating, chasing, cheering, keeping, returning, seeking
from games.quidditch.bots.outlook import Outlook
from games.quidditch.bots.temper import TEMPERS, Temper
from games.quidditch.rules import (
    START_CELLS,
    Formation,
    Position,
    Request,
    Role,
    Side,
    State,
    TurnType,
    legal_requests,
)
from ludothek.kit.levels import level

DIFFICULTIES: tuple[str, ...] = tuple(temper.name for temper in TEMPERS)

Decision = Callable[[Outlook], Request]

_MOVES: Mapping[Role, Decision] = {
    Role.SEEKER: seeking.move,
    Role.KEEPER: keeping.move,
    Role.CHASER: chasing.move,
    Role.BEATER: beating.move,
}


def temper_of(difficulty: int) -> Temper:
    return level(TEMPERS, difficulty)


def line_up(side: Side, difficulty: int, rng: random.Random) -> Formation:
    """Return where a team lines up."""
    if temper_of(difficulty).slips < 1:
        return returning.line_up(side)
    return dict(zip(Position, rng.sample(START_CELLS[side], len(Position)), strict=True))


def choose(state: State, difficulty: int, rng: random.Random) -> Request:
    """Return the answer to the open turn; takes a few milliseconds at most."""
    return decide(state, temper_of(difficulty), rng)


def decide(state: State, temper: Temper, rng: random.Random) -> Request:
    if temper.slips and rng.random() < temper.slips:
        return rng.choice(legal_requests(state))
    outlook = Outlook.of(state, temper, rng)
    assert state.turn is not None
    match state.turn.type:
        case TurnType.MOVE:
            return _MOVES[outlook.entity.role](outlook)
        case TurnType.ACTION if outlook.entity.role is Role.BEATER:
            return beating.act(outlook)
        case TurnType.ACTION:
            return chasing.act(outlook)
        case TurnType.FAN:
            return cheering.act(outlook) if temper.fans else outlook.skip()
        case TurnType.REMOVE_BAN:
            return returning.come_back(outlook)
