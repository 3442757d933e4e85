"""What happens in a game of Hexxagon, in events that words.js has sentences for."""

from collections.abc import Iterator
from typing import Any

from games.hexxagon.match import Match
from games.hexxagon.messages import GameStatus
from games.hexxagon.page.view import captured, filled, is_jump, mover
from games.hexxagon.rules import Move
from games.hexxagon.table import HexxagonTable
from ludothek.contract.page import Event
from ludothek.contract.table import Table


def tell(table: Table, message: Any) -> Iterator[Event]:
    """A status follows a move or a departure; all else concerns single clients or the lobby."""
    assert isinstance(table, HexxagonTable)
    match = table.match
    if match is None or not isinstance(message, GameStatus):
        return
    if match.left is not None:
        yield {"what": "left", "name": match.names[match.left]}
    elif match.state.last is not None and not _decreed(match):
        yield from _moved(match, match.state.last)


def _decreed(match: Match) -> bool:
    """Whether the organiser or the server has ended the game, instead of a move."""
    return match.awarded or (match.closed and match.state.outcome is None)


def _moved(match: Match, last: Move) -> Iterator[Event]:
    state = match.state
    side = mover(state, last)
    count = captured(match, last).bit_count()
    what = "jumped" if is_jump(last) else "cloned"
    yield {
        "what": f"{what}_capturing" if count else what,
        "name": match.names[side],
        "from": last.origin,
        "to": last.target,
        "captured": count,
        "loser": match.names[side.other],
    }
    if won := filled(match, last):
        yield {"what": "filled", "name": match.names[side], "count": won.bit_count()}
    if state.active is side and not match.closed:
        yield {"what": "passed", "name": match.names[side.other]}
