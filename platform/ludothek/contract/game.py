"""A game as the core sees it."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from ludothek.contract.clauses import Clauses
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec
from ludothek.contract.contest import Contest
from ludothek.contract.effects import Effects
from ludothek.contract.invitation import Invitations
from ludothek.contract.page import Page
from ludothek.contract.player import Player
from ludothek.contract.reception import Desk, Reception
from ludothek.contract.situation import Situations
from ludothek.contract.table import Table
from ludothek.contract.vocabulary import Vocabulary
from transports import Transport


@attrs.frozen
class Rules:
    """A game's rules in the form every game shares, for tests that cover all games."""

    start: Callable[[random.Random], Any]
    legal_actions: Callable[[Any], Sequence[Any]]
    apply: Callable[[Any, Any, random.Random], Any]
    over: Callable[[Any], bool]


@attrs.frozen(kw_only=True)
class Option:
    """An option of the command line that only this game has."""

    key: str
    flags: Sequence[str]  # ("-t", "--team")
    metavar: str
    help: str
    file: bool = False  # whether its value names a file


@attrs.frozen(kw_only=True)
class Game:
    """All the core needs to know about a game."""

    name: str
    title: str
    protocol: str
    version: str
    transport: Transport
    port: int
    players: int  # how many a match needs at least
    # How many can play in a tournament's games at most.
    most_players: int = attrs.field(
        default=attrs.Factory(lambda self: self.players, takes_self=True)
    )
    settings: type[Any]
    codec: Callable[[Clock, Any], Codec]  # the second argument is the game's settings
    reception: Callable[[Desk, Any], Reception]  # likewise
    table: Callable[[Any, Clock, random.Random], Table]  # from its recipe
    draw: Callable[[Any], str]  # the state of a table as text
    rules: Rules
    player: Callable[..., Player]
    difficulties: Sequence[str]
    clauses: Clauses = attrs.field(factory=Clauses)  # what binds its clients
    vocabulary: Vocabulary = attrs.field(factory=Vocabulary)  # what its two sides can say
    situations: Situations = attrs.field(factory=Situations)  # what a check of a client adds
    # Limits that its clients need to be different; those that an operator sets take precedence.
    limits: Mapping[str, Any] = attrs.field(factory=dict)
    run_options: Sequence[Option] = ()  # shorthands for settings: the key is the setting's
    bot_options: Sequence[Option] = ()  # what only its player can be told
    pictures: Mapping[str, Callable[[str], str]] = attrs.field(factory=dict)  # text, by kind
    page: Page | None = None  # None: the web page lists its matches, but cannot show them
    invitations: Invitations | None = None  # None: people cannot play on the page
    contest: Contest | None = None  # None: there are no tournaments of it
    # Lets the match of a table, which has just begun, go on from that of another one; its effects
    # take the place of those from `Began` on. None if nobody can play on from a position.
    take_over: Callable[[Any, Any], Effects] | None = None
    # The settings with which players come together to continue from the match of a table.
    gather: Callable[[Any], Any] = lambda table: table.recipe.settings
