"""Penguins, as the Software-Challenge of 2022/23 plays it."""

import random
from functools import partial

from games.penguins import bots, rules
from games.penguins.clauses import CLAUSES
from games.penguins.codec import CODEC
from games.penguins.contest import CONTEST
from games.penguins.drawing import draw
from games.penguins.invitations import INVITATIONS
from games.penguins.page import PAGE
from games.penguins.player import RESERVATION, PenguinsPlayer
from games.penguins.reception import PenguinsReception
from games.penguins.settings import Settings
from games.penguins.situations import SITUATIONS
from games.penguins.table import PenguinsTable
from games.penguins.vocabulary import VOCABULARY
from ludothek.contract.game import Game, Option, Rules
from transports import Tcp, XmlFramer


def _start(rng: random.Random) -> rules.State:
    return rules.start(rules.generate(rng.choice(rules.SEEDS)))


GAME = Game(
    name="penguins",
    title="Hey, Danke für den Fisch",
    protocol="Software-Challenge",
    version="23.0.3",
    transport=Tcp(partial(XmlFramer, "protocol")),
    port=13050,
    players=2,
    settings=Settings,
    codec=lambda clock, settings: CODEC,
    reception=PenguinsReception,
    table=PenguinsTable,
    draw=draw,
    page=PAGE,
    take_over=PenguinsTable.take_over,
    rules=Rules(
        start=_start,
        legal_actions=rules.legal_actions,
        apply=lambda state, move, rng: rules.apply(state, move),
        over=lambda state: state.over,
    ),
    player=PenguinsPlayer,
    invitations=INVITATIONS,
    contest=CONTEST,
    difficulties=bots.DIFFICULTIES,
    clauses=CLAUSES,
    vocabulary=VOCABULARY,
    situations=SITUATIONS,
    bot_options=(
        Option(key="room", flags=("--room",), metavar="ID", help="Room to play the first game in."),
        Option(
            key=RESERVATION,
            flags=("--reservation",),
            metavar="CODE",
            help="Code of a reserved seat to play the first game on.",
        ),
    ),
)
