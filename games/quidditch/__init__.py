"""Quidditch (Fantastic Feasts), as the University of Ulm's course of 2018/19 plays it."""

from games.quidditch import rules
from games.quidditch.bots import DIFFICULTIES
from games.quidditch.clauses import CLAUSES
from games.quidditch.codec.frames import QuidditchCodec
from games.quidditch.contest import CONTEST
from games.quidditch.drawing import draw
from games.quidditch.messages import MESSAGES, REQUESTS
from games.quidditch.page import PAGE
from games.quidditch.player import QuidditchPlayer
from games.quidditch.reception import QuidditchReception
from games.quidditch.settings import Settings
from games.quidditch.situations import SITUATIONS
from games.quidditch.table import QuidditchTable
from ludothek.contract.game import Game, Option, Rules
from ludothek.contract.vocabulary import Vocabulary
from transports import WebSocket

GAME = Game(
    name="quidditch",
    title="Quidditch",
    protocol="Standard-FantasticFeasts",
    version="REVIEWME-14",
    # A teamConfig carries a picture; what cannot be read is answered in the protocol's words.
    transport=WebSocket(max_bytes=512 * 1024, binary_is_unreadable=True),
    port=4488,
    players=2,
    settings=Settings,
    codec=lambda clock, settings: QuidditchCodec(clock),
    reception=QuidditchReception,
    table=QuidditchTable,
    draw=draw,
    page=PAGE,
    contest=CONTEST,
    rules=Rules(
        start=rules.example,
        legal_actions=rules.legal_requests,
        apply=lambda state, request, rng: rules.answer(state, request, rng).state,
        over=lambda state: state.over,
    ),
    player=QuidditchPlayer,
    difficulties=DIFFICULTIES,
    clauses=CLAUSES,
    vocabulary=Vocabulary.of(MESSAGES, REQUESTS),
    situations=SITUATIONS,
    run_options=(
        Option(
            key="match",
            flags=("-m", "--match"),
            metavar="MATCHFILE",
            help="Match configuration.",
        ),
    ),
    bot_options=(
        Option(
            key="team",
            flags=("-t", "--team"),
            metavar="TEAMFILE",
            help="Team configuration.",
            file=True,
        ),
    ),
    take_over=QuidditchTable.take_over,
    gather=lambda table: table.gathering,
    limits={"first_message_seconds": 0.0},  # login_seconds is stricter: it expects a joinRequest
)
