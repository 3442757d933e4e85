"""Hexxagon, as the University of Ulm's course of 2019/20 plays it."""

from games.hexxagon import bots, rules
from games.hexxagon.clauses import CLAUSES
from games.hexxagon.codec import HexxagonCodec
from games.hexxagon.contest import CONTEST
from games.hexxagon.drawing import draw
from games.hexxagon.invitations import INVITATIONS
from games.hexxagon.messages import MESSAGES, REQUESTS
from games.hexxagon.page import PAGE
from games.hexxagon.player import LOBBY_ID, HexxagonPlayer
from games.hexxagon.reception import HexxagonReception
from games.hexxagon.settings import Settings
from games.hexxagon.situations import SITUATIONS
from games.hexxagon.table import HexxagonTable
from ludothek.contract.game import Game, Option, Rules
from ludothek.contract.vocabulary import Vocabulary
from transports import WebSocket

GAME = Game(
    name="hexxagon",
    title="Hexxagon",
    protocol="Hexxagon-Netzwerkstandard",
    version="0.6.1",
    # A binary frame counts as any other unreadable message: it earns a strike.
    transport=WebSocket(binary_is_unreadable=True),
    port=4444,
    players=2,
    settings=Settings,
    codec=lambda clock, settings: HexxagonCodec(settings.max_strikes),
    reception=HexxagonReception,
    table=HexxagonTable,
    draw=draw,
    page=PAGE,
    take_over=HexxagonTable.take_over,
    rules=Rules(
        start=lambda rng: rules.start(),
        legal_actions=rules.legal_actions,
        apply=lambda state, move, rng: rules.apply(state, move),
        over=lambda state: state.over,
    ),
    player=HexxagonPlayer,
    invitations=INVITATIONS,
    contest=CONTEST,
    difficulties=bots.DIFFICULTIES,
    clauses=CLAUSES,
    vocabulary=Vocabulary.of(MESSAGES, REQUESTS),
    situations=SITUATIONS,
    bot_options=(
        Option(
            key=LOBBY_ID,
            flags=("--lobby-id",),
            metavar="ID",
            help="Lobby to play the first game in, listed or not.",
        ),
    ),
    # People connect and then look at a menu; only after ten minutes is nobody there.
    limits={"first_message_seconds": 600.0},
)
