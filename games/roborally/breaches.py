"""Which clause a message breaks, and what would have been right."""

import enum
from collections.abc import Mapping
from typing import Any, cast

from games.roborally.clauses import ours, protocol
from games.roborally.messages import VERSION, SelectedDamage, SendChat, SetStartingPoint
from games.roborally.rules import Card, Decision, Direction, Mistake, Program, Purchase, Upgrade
from ludothek.contract import mistakes
from ludothek.contract.clauses import Breach, Clause
from ludothek.contract.codec import shown
from ludothek.contract.flaws import Flaw, FlawKind
from ludothek.contract.limit_clauses import limit_of

_TYPE = "/messageType"
_BODY = "/messageBody"
_NAME = f"{_BODY}/name"

# Messages that cannot be read

_KINDS: Mapping[FlawKind, Clause] = {
    FlawKind.UNREADABLE: protocol.UTF_8,
    FlawKind.SYNTAX: protocol.JSON,
    FlawKind.NO_OBJECT: protocol.JSON,
    FlawKind.NO_TYPE: protocol.WRAPPER,
    FlawKind.UNKNOWN_TYPE: protocol.TYPES,
    FlawKind.NOT_FOR_CLIENTS: ours.CLIENT_MESSAGES,
}
_FIELDS: Mapping[str, Clause] = {
    "HelloServer": protocol.HELLO_FIELDS,
    "PlayerValues": protocol.VALUES_FIELDS,
    "SetStatus": protocol.STATUS_FIELDS,
    "SendChat": protocol.CHAT_FIELDS,
    "PlayCard": protocol.PLAY_FIELDS,
    "SetStartingPoint": protocol.START_FIELDS,
    "BuyUpgrade": protocol.BUY_FIELDS,
    "SelectedCard": protocol.SELECT_FIELDS,
    "SelectedDamage": protocol.DAMAGE_COUNT,
    "DiscardSome": protocol.DISCARD_FIELDS,
    "Boink": ours.ORIENTATION,
}


def unreadable(flaw: Flaw) -> Breach:
    if flaw.kind is FlawKind.UNREADABLE and flaw.came.endswith(" signs"):  # says the framer
        return Breach(ours.MANY_MARKS, "", "a smaller message", flaw.came)
    return Breach.by(flaw, _unreadable(flaw))


def _unreadable(flaw: Flaw) -> Clause:
    match flaw.kind:
        case FlawKind.MISSING:
            return _FIELDS[flaw.message]
        case FlawKind.WRONG:
            return protocol.WRAPPER if flaw.pointer == _BODY else protocol.VALUES
    return limit_of(flaw) or _KINDS[flaw.kind]


# Connecting


def before_hello(message: Any) -> Breach:
    return Breach(protocol.HELLO_FIRST, _TYPE, "HelloServer first", _kind(message))


def no_hello(seconds: float) -> Breach:
    return Breach(ours.GREETING, "", f"HelloServer within {seconds:g} seconds", "none")


def second_hello() -> Breach:
    return Breach(ours.ONE_HELLO, _TYPE, "one HelloServer", "another one")


def other_version(version: str) -> Breach:
    return Breach(protocol.VERSION, f"{_BODY}/protocol", shown(VERSION), shown(version))


def untidy_group(group: str, most: int) -> Breach:
    expected = f"at most {most} characters without spaces around them"
    return Breach(ours.GROUP, f"{_BODY}/group", expected, shown(group))


def crowded() -> Breach:
    return Breach(ours.CROWD, "", "fewer clients in the lobby", "one more")


def ending() -> Breach:
    return Breach(ours.ENDING, "", "HelloServer when the server is back", "one before its end")


def running() -> Breach:
    return Breach(ours.RUNNING, "", "HelloServer when no game is running", "one during a game")


def no_seat(most: int) -> Breach:
    return Breach(ours.SEATS, "", f"at most {most} players", "one more")


# The lobby


def taken(field: str, value: str | int) -> Breach:
    expected = f"a {field} that no other player has"
    return Breach(protocol.TAKEN, f"{_BODY}/{field}", expected, shown(value))


def bad_name(name: str, objection: str) -> Breach:
    return Breach(ours.NAMES, _NAME, "1 to 32 visible characters", f"{shown(name)}. {objection}")


def untidy_name(name: str) -> Breach:
    return Breach(ours.TIDY_NAMES, _NAME, "a name without spaces around it", shown(name))


def no_figure(figure: int, last: int) -> Breach:
    return Breach(ours.FIGURES, f"{_BODY}/figure", f"a number from 0 to {last}", shown(figure))


def values_when_ready() -> Breach:
    expected = "SetStatus with ready false before other values"
    return Breach(ours.VALUES_WHEN_READY, _TYPE, expected, "PlayerValues of a player who is ready")


def status_without_values() -> Breach:
    return Breach(protocol.VALUES_FIRST, _TYPE, "PlayerValues first", "SetStatus")


def outside_of_lobby(message: Any) -> Breach:
    came = f"{_kind(message)} while a game is running"
    return Breach(ours.LOBBY_ONLY, _TYPE, f"{_kind(message)} in the lobby", came)


def seat_wanted(reason: str) -> Breach:
    return Breach(ours.IDLE_SEAT, "", "SetStatus with ready true in time", reason)


# Chat


def chat_of_stranger() -> Breach:
    return Breach(protocol.CHAT_OF_PLAYERS, _TYPE, "PlayerValues first", "SendChat")


def long_chat(chat: SendChat, most: int) -> Breach:
    expected, came = f"at most {most} characters", f"{len(chat.message)} characters"
    return Breach(ours.CHAT_LENGTH, f"{_BODY}/message", expected, came)


def much_chat() -> Breach:
    return Breach(ours.CHAT_RATE, "", "fewer chat messages", "too many in a short time")


def no_addressee(player_id: int) -> Breach:
    expected = "-1, or the playerID of a connected player"
    return Breach(protocol.ADDRESSEE, f"{_BODY}/to", expected, shown(player_id))


# The course of a game


def no_game(message: Any) -> Breach:
    expected = f"{_kind(message)} after GameStarted"
    return Breach(protocol.GAME_STARTED, _TYPE, expected, "one when no game is running")


def paused(message: Any) -> Breach:
    expected = f"{_kind(message)} when the game goes on"
    return Breach(ours.PAUSED, _TYPE, expected, "one while it is paused")


def too_slow(pending: Decision | None, *, timer: bool) -> Breach:
    """The server has to decide for a player."""
    match pending:
        case Purchase():
            return Breach(protocol.BUY_ALWAYS, "", "BuyUpgrade", "none in time")
        case Program() if timer:
            return Breach(protocol.TIMER, "", "five registers before TimerEnded", "fewer")
    return Breach(ours.IN_TIME, "", "a decision in time", "none")


def silent() -> Breach:
    expected = "a decision of the player's own in `idle_rounds` rounds"
    return Breach(ours.IDLE_ROUNDS, "", expected, "none")


def no_card_to_buy() -> Breach:
    return Breach(protocol.BUY_CARD, f"{_BODY}/card", "a card, since isBuying is true", "none")


# Names for cards and directions

_WORDS: Mapping[type[enum.StrEnum], tuple[Clause, str]] = {
    Card: (protocol.CARD_NAMES, "the name of a card"),
    Upgrade: (protocol.UPGRADE_NAMES, "the name of an upgrade"),
    Direction: (ours.ORIENTATION, "up, right, down or left"),
}


def unknown_word(kind: type[enum.StrEnum], place: str, text: str) -> Breach:
    clause, expected = _WORDS[kind]
    return Breach(clause, f"{_BODY}/{place}", expected, shown(text))


# Actions that are against the rules

# The field that is wrong, as some messages call it; else it is the message itself.
_ITSELF = ()
_CARD = ("card",)
_CARDS = ("cards", "card")
_PLACE = ("x",)
_REGISTER = ("register",)
_ORIENTATION = ("orientation",)
_RULES: Mapping[Mistake, tuple[Clause, tuple[str, ...], str]] = {
    Mistake.GAME_OVER: (protocol.GAME_STARTED, _ITSELF, "a game that is not over"),
    Mistake.NOT_PLAYING: (ours.SPECTATORS, _ITSELF, "a message of a player"),
    Mistake.WRONG_PHASE: (protocol.PHASES, _ITSELF, "a message of the current phase"),
    Mistake.NOT_YOUR_TURN: (protocol.TURNS, _ITSELF, "a message of the current player"),
    Mistake.WAITING_FOR_DAMAGE: (ours.WAITING, _ITSELF, "SelectedDamage of the one who was asked"),
    Mistake.WAITING_FOR_ROUTINE: (ours.WAITING, _ITSELF, "PlayCard of the one who has to choose"),
    Mistake.NOT_ASKED: (protocol.DAMAGE_ASKED, _ITSELF, "an answer to PickDamage"),
    Mistake.NO_START_POINT: (protocol.START_POINT, _PLACE, "a StartPoint of the map"),
    Mistake.START_POINT_TAKEN: (protocol.START_POINT, _PLACE, "a free StartPoint"),
    Mistake.NOT_IN_SHOP: (protocol.IN_SHOP, _CARD, "a card of the shop"),
    Mistake.TOO_EXPENSIVE: (protocol.ENOUGH_ENERGY, _CARD, "a card for your energy"),
    Mistake.TOO_MANY_UPGRADES: (ours.UPGRADE_LIMIT, _CARD, "at most three of a kind"),
    Mistake.NO_SUCH_REGISTER: (ours.REGISTERS, _REGISTER, "1 to 5"),
    Mistake.ALREADY_FINISHED: (protocol.FINISHED, _ITSELF, "no changes after SelectionFinished"),
    Mistake.TOO_MANY_CHANGES: (ours.CHANGES, _ITSELF, "at most 200 changes in a round"),
    Mistake.NOT_IN_HAND: (protocol.IN_HAND, _CARDS, "cards of your hand"),
    Mistake.NOTHING_TO_REPEAT: (ours.AGAIN_FIRST, _REGISTER, "register 2 to 5"),
    Mistake.SWAP_UNFINISHED: (ours.MEMORY_SWAP, _ITSELF, "DiscardSome with three cards first"),
    Mistake.NOT_IN_REGISTER: (protocol.IN_REGISTER, _CARD, "your card in CurrentCards"),
    Mistake.NOT_OWNED: (ours.OWNED, _CARD, "an upgrade of your own"),
    Mistake.PASSIVE: (ours.PASSIVE, _CARD, "an upgrade that is played"),
    Mistake.REBOOTED: (ours.REBOOTED, _ITSELF, "nothing but one turn after Reboot"),
    Mistake.NO_TURN_LEFT: (protocol.REBOOT_TURN, _CARD, "one turn after Reboot"),
    Mistake.NOT_A_CHOICE: (protocol.SPECIAL_CARDS, _CARD, "one of the card's choices"),
    Mistake.ALREADY_PRIVILEGED: (ours.PRIVILEGE, _CARD, "one privilege in a round"),
    Mistake.NO_REGISTER_LEFT: (ours.PRIVILEGE, _CARD, "a privilege before register 5"),
    Mistake.ALREADY_SHIELDED: (ours.SHIELD, _CARD, "one shield in a register"),
    Mistake.NO_ENERGY: (ours.SHIELD, _CARD, "a shield when you have energy"),
    Mistake.NOTHING_TO_HACK: (ours.HACK, _CARD, "a hack with a card in the register"),
    Mistake.BLOCKED: (ours.BOINK_BLOCKED, _ORIENTATION, "a direction that is free"),
    Mistake.WRONG_COUNT: (ours.MEMORY_SWAP, _CARDS, "exactly three cards"),
    Mistake.NO_SUCH_DAMAGE: (protocol.DAMAGE_NAMES, _CARDS, "damage cards that are left"),
    Mistake.TOO_FEW_LEFT: (ours.KEPT_CARDS, _CARDS, "fewer cards"),
}
_DAMAGE_COUNT = (protocol.DAMAGE_COUNT, _CARDS, "as many cards as PickDamage says")


def against_the_rules(mistake: mistakes.Mistake, request: Any) -> Breach:
    clause, fields, expected = _RULES[cast("Mistake", mistake)]
    if mistake is Mistake.WRONG_COUNT and isinstance(request, SelectedDamage):
        clause, fields, expected = _DAMAGE_COUNT
    pointer, came = _place(fields, request)
    return Breach(clause, pointer, expected, f"{came}. {mistake.value}")


def _place(fields: tuple[str, ...], request: Any) -> tuple[str, str]:
    """Where one of these fields is in a request, and what is there."""
    if fields == _PLACE and isinstance(request, SetStartingPoint):
        return _BODY, f"{request.x}, {request.y}"
    for field in fields:
        if hasattr(request, field):
            value = getattr(request, field)
            return f"{_BODY}/{field}", shown(", ".join(value) if field == "cards" else value)
    return _TYPE, _kind(request)


def _kind(message: Any) -> str:
    return type(message).__name__
