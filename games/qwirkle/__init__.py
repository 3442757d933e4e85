"""Qwirkle, as the University of Paderborn's course of 2018/19 plays it."""

from games.qwirkle import bots, rules
from games.qwirkle.clauses import CLAUSES, opened
from games.qwirkle.codec import QwirkleCodec
from games.qwirkle.contest import CONTEST
from games.qwirkle.drawing import draw
from games.qwirkle.messages import MESSAGES, REQUESTS
from games.qwirkle.page import PAGE
from games.qwirkle.player import QwirklePlayer
from games.qwirkle.reception import QwirkleReception
from games.qwirkle.settings import Settings
from games.qwirkle.situations import SITUATIONS
from games.qwirkle.table import QwirkleTable
from games.qwirkle.tables import make_table
from ludothek.contract.game import Game, Rules
from ludothek.contract.vocabulary import Vocabulary
from transports import LineFramer, Tcp

# The longest request is a chat line.
MAX_LINE = 64 * 1024

# The longest answer is a bag with all the tiles that a game may have.
MAX_ANSWER = 1024 * 1024

GAME = Game(
    name="qwirkle",
    title="Qwirkle",
    protocol="Interface-Dokument Qwirkle",
    version="1.1.0",
    transport=Tcp(
        lambda: LineFramer(max_bytes=MAX_LINE),
        caller_framer=lambda: LineFramer(max_bytes=MAX_ANSWER),
    ),
    port=33100,
    players=2,
    most_players=8,
    settings=Settings,
    codec=lambda clock, settings: QwirkleCodec(settings),
    reception=QwirkleReception,
    table=make_table,
    clauses=CLAUSES,
    vocabulary=Vocabulary.of(MESSAGES, REQUESTS, opened=opened),
    draw=draw,
    rules=Rules(
        start=lambda rng: rules.start(rules.Variant(), (1, 2), rng),
        legal_actions=lambda state: list(rules.legal_actions(state)),
        apply=rules.apply,
        over=lambda state: state.end is not None,
    ),
    player=QwirklePlayer,
    difficulties=bots.DIFFICULTIES,
    situations=SITUATIONS,
    take_over=QwirkleTable.take_over,
    gather=lambda table: table.gathering,
    page=PAGE,
    contest=CONTEST,
    limits={"first_message_seconds": 0.0},  # greeting_seconds is stricter: it expects the right one
)
