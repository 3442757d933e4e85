"""A table as text for a terminal, with everything that players hide."""

from collections.abc import Iterator, Mapping, Sequence

from games.roborally.member import Member
from games.roborally.rendering import render
from games.roborally.rules import Card, Player, Program, State
from games.roborally.table import RoboRallyTable
from ludothek.contract.names import printable
from ludothek.contract.table import Stage, Table

NO_CARD = "-"


def draw(table: Table) -> str:
    """The running game, or the latest one, and who waits for the next."""
    assert isinstance(table, RoboRallyTable)
    return "\n".join(_table(table))


def _table(table: RoboRallyTable) -> Iterator[str]:
    match, summary = table.latest_match, table.summary
    if match is not None:
        yield render(match.state)
        yield ""
        yield from _game(match.state, table.names)
        yield ""
    yield f"{printable(summary.name)}: {summary.stage.value}"
    if summary.stage is Stage.WAITING:
        yield from map(_member, table.members)


def _game(state: State, names: Mapping[int, str]) -> Iterator[str]:
    yield _moment(state)
    yield f"shop: {_cards(state.shop)}"
    for player in state.players:
        yield from _player(player, names[player.player_id])
    if state.winner is not None:
        yield f"won by player {state.winner}"


def _moment(state: State) -> str:
    parts = [f"round {state.round}", state.phase.name.lower()]
    if state.register:
        parts.append(f"register {state.register}")
    if state.deciding:
        what = type(state.pending).__name__
        parts.append(f"waits for {what} of {', '.join(map(str, state.deciding))}")
    if isinstance(state.pending, Program) and state.timer:
        parts.append("the timer runs")
    return ", ".join(parts)


def _player(player: Player, name: str) -> Iterator[str]:
    facts = [
        f"checkpoint {player.checkpoint}",
        f"energy {player.energy}",
        *(word for word in ("finished", "rebooted", "absent", "shielded") if getattr(player, word)),
    ]
    yield f"player {player.player_id}, {printable(name)}: {', '.join(facts)}"
    yield f"  registers  {_cards(player.registers)}"
    yield f"  hand       {_cards(player.hand)}"
    yield f"  upgrades   {_cards(player.upgrades)}"
    yield f"  {len(player.deck)} cards in the deck, {len(player.discard)} discarded"


def _cards(cards: Sequence[Card | str | None]) -> str:
    return " ".join(str(card or NO_CARD) for card in cards) or NO_CARD


def _member(member: Member) -> str:
    if not member.is_player:
        return f"player {member.player_id} of {printable(member.group)} watches"
    ready = "ready" if member.ready else "not ready"
    return f"player {member.player_id}, {printable(member.name)}: figure {member.figure}, {ready}"
