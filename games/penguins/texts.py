"""Sentences for people that are sent on the wire, in the words of the original server."""

from games.penguins.member import Member
from games.penguins.messages import UnreadableMove
from games.penguins.rules import Move

UNRECOGNISED = "Der Zug konnte nicht erkannt werden"
NOT_YOUR_TURN = "It's not your turn yet"
NOT_REQUESTED = "has not been requested."


def has_left(how: str) -> str:
    return f"Der Spieler hat das Spiel verlassen: {how}"


def timed_out(seconds: float) -> str:
    return (
        f"Der Spieler hat innerhalb von {seconds:g} Sekunden nach Aufforderung keinen Zug gesendet"
    )


def not_your_turn(expected: Member, got: Member, move: Move | UnreadableMove) -> str:
    return f"{NOT_YOUR_TURN}; expected: {expected}, got {got} (msg was {in_words(move)})."


def not_requested(member: Member) -> str:
    return f"Move from {member} {NOT_REQUESTED}"


def invalid_move(member: Member, move: Move | UnreadableMove, mistake: str) -> str:
    """What the offender and the observers are told; the line break is part of it."""
    return (
        f"Ungueltiger Zug von '{member.name}'.\n"
        f"InvalidMoveException(mistake={mistake}, move={in_words(move)})"
    )


def broken_rule(move: Move | UnreadableMove, mistake: str) -> str:
    """The same for the result."""
    return f"{mistake} bei Zug '{in_words(move)}'" if isinstance(move, Move) else mistake


def in_words(move: Move | UnreadableMove) -> str:
    if isinstance(move, UnreadableMove):
        return "null"
    target = f"[{move.target.x}|{move.target.y}]"
    if move.origin is None:
        return f"Setze Pinguin auf {target}"
    return f"Schlittern [{move.origin.x}|{move.origin.y}] zu {target}"
