"""The situations that the protocols of all games have."""

from collections.abc import Iterator, Mapping

import attrs

from ludothek.contract.game import Game
from ludothek.contract.situation import Delivery, Opponents, Seats, Server, Situation

# Decisions after which a situation that is not about the end of a match has been seen.
ENOUGH = 8

# The same where each decision of the opponent takes all of its time.
FEW = 4

PAUSE, TIME, BACK, LEAVING = (
    "server-pauses",
    "time-runs-out",
    "connection-breaks",
    "opponent-leaves",
)

_COMMON = (
    Situation(
        name="long-names",
        about="Everybody has a name as long as the protocol allows, with umlauts if it has them.",
        long_names=True,
        decisions=ENOUGH,
    ),
    Situation(
        name="opponent-is-slow",
        about="The opponent takes a second and a half for its moves.",
        opponents=Opponents.ARE_SLOW,
        decisions=3,
    ),
    Situation(
        name=LEAVING,
        about="The opponent hangs up in the middle of the match.",
        opponents=Opponents.LEAVE,
        decisions=ENOUGH,
    ),
    Situation(
        name="opponent-strays",
        about="The opponent sends something unreadable, and plays on if it may.",
        opponents=Opponents.STRAY,
        decisions=ENOUGH,
    ),
    Situation(
        name="opponent-is-expelled",
        about="The opponent sends something unreadable until the server sends it away.",
        opponents=Opponents.ARE_EXPELLED,
        decisions=ENOUGH,
    ),
    Situation(
        name="seats-are-taken",
        about="The client comes when others play already.",
        seats=Seats.TAKEN,
    ),
    Situation(
        name="lobby-is-gone",
        about="The lobby of the client was closed before it comes.",
        seats=Seats.GONE,
    ),
    Situation(
        name="unknown-fields",
        about="The server's messages have fields that the document does not know.",
        delivery=Delivery.UNKNOWN_FIELDS,
        decisions=ENOUGH,
    ),
    Situation(
        name="reordered-fields",
        about="The fields of the server's messages come in another order.",
        delivery=Delivery.REORDERED,
        decisions=ENOUGH,
    ),
    Situation(
        name="messages-in-pieces",
        about="The server's messages arrive in pieces.",
        delivery=Delivery.PIECES,
        decisions=ENOUGH,
    ),
    Situation(
        name="messages-glued",
        about="Several messages of the server arrive at once.",
        delivery=Delivery.GLUED,
        decisions=ENOUGH,
    ),
    Situation(
        name=PAUSE,
        about="The server pauses the match and goes on with it.",
        server=Server.PAUSES,
        decisions=ENOUGH,
    ),
    Situation(
        name="server-shuts-down",
        about="The server says goodbye in the middle of the match.",
        server=Server.SHUTS_DOWN,
    ),
)


def situations_of(game: Game) -> list[Situation]:
    """All situations of a game, in the order in which a client is led through them."""
    own = game.situations
    found = [*_games(game), *_COMMON, *_timed(game), *own.more]
    return [
        attrs.evolve(each, settings={**own.settings, **each.settings})
        for each in found
        if each.name not in own.absent
    ]


def absent(game: Game) -> Mapping[str, str]:
    """Names of situations that a game does not have, and why."""
    missing = dict(game.situations.absent)
    if not game.situations.quick_clock:
        missing.setdefault(TIME, "no time limit is part of the protocol")
    if not game.situations.coming_back:
        missing.setdefault(BACK, "a client cannot come back")
    return missing


def _games(game: Game) -> Iterator[Situation]:
    """Whole matches, against opponents of every strength."""
    for strength in reversed(range(len(game.difficulties))):
        word = game.difficulties[strength]
        yield Situation(
            name=f"match-{word}",
            about=f"A whole match against an opponent that plays {word!r}.",
            strength=strength,
        )
    if game.most_players > game.players:
        yield Situation(
            name="match-full",
            about=f"A match of {game.most_players} players, in which messages are longest.",
            players=game.most_players,
            decisions=ENOUGH,
        )


def _timed(game: Game) -> Iterator[Situation]:
    if game.situations.quick_clock:
        yield Situation(
            name=TIME,
            about="The opponent does nothing until its time has run out.",
            opponents=Opponents.ARE_SILENT,
            settings=game.situations.quick_clock,
            decisions=FEW,
        )
    if game.situations.coming_back:
        yield Situation(
            name=BACK,
            about="The connection breaks; the client comes back, or is started again.",
            server=Server.CUTS_OFF,
            settings=game.situations.coming_back,
            decisions=ENOUGH,
        )
