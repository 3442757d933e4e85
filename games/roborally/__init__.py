"""Robo Rally, as LMU Munich's course of 2019 plays it."""

from games.roborally import bots, courses, rules
from games.roborally.clauses import CLAUSES
from games.roborally.codec import CODEC, wire_name
from games.roborally.contest import CONTEST
from games.roborally.drawing import draw
from games.roborally.framing import MAX_MARKS, ObjectFramer
from games.roborally.messages import MESSAGES, REQUESTS
from games.roborally.page import PAGE
from games.roborally.player import RoboRallyPlayer
from games.roborally.reception import RoboRallyReception
from games.roborally.rendering import render_course
from games.roborally.settings import Settings
from games.roborally.situations import SITUATIONS
from games.roborally.table import RoboRallyTable
from games.roborally.verdict import limit
from ludothek.contract.game import Game, Rules
from ludothek.contract.vocabulary import Vocabulary
from transports import Tcp

# Rounds of a game in which anything may happen; random play until somebody reaches the checkpoint
# takes a hundred and more.
SHORT = 4

GAME = Game(
    name="roborally",
    title="Robo Rally",
    protocol="LMU-SEP-Protokoll",
    version="2.0",
    transport=Tcp(lambda: ObjectFramer(max_marks=MAX_MARKS), caller_framer=ObjectFramer),
    port=9998,
    players=2,
    most_players=6,
    settings=Settings,
    codec=lambda clock, settings: CODEC,
    reception=RoboRallyReception,
    table=RoboRallyTable,
    draw=draw,
    rules=Rules(
        start=lambda rng: rules.start(courses.load("DizzyHighway"), (1, 2), rng)[0],
        legal_actions=lambda state: [
            action for one in state.player_ids for action in rules.legal_actions(state, one)
        ],
        apply=lambda state, action, rng: limit(*rules.apply(state, action, rng), SHORT)[0],
        over=lambda state: state.over,
    ),
    player=RoboRallyPlayer,
    difficulties=bots.DIFFICULTIES,
    situations=SITUATIONS,
    take_over=RoboRallyTable.take_over,
    gather=lambda table: table.gathering,
    page=PAGE,
    contest=CONTEST,
    clauses=CLAUSES,
    vocabulary=Vocabulary.of(MESSAGES, REQUESTS, wire_name=wire_name),
    limits={"first_message_seconds": 0.0},  # greeting_seconds is stricter: it expects the right one
    pictures={"course": lambda course: render_course(Settings(course=course).board)},
)
