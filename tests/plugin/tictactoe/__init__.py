"""Tic-tac-toe for two players and any number of spectators, over lines of JSON."""

from ludothek.api import Game, LineFramer, Option, Rules, Tcp

from tictactoe import bots, rules
from tictactoe.clauses import CLAUSES
from tictactoe.codec import TicTacToeCodec
from tictactoe.drawing import draw
from tictactoe.player import TicTacToePlayer
from tictactoe.reception import TicTacToeReception
from tictactoe.settings import Settings
from tictactoe.table import TicTacToeTable

GAME = Game(
    name="tictactoe",
    title="Tic-tac-toe",
    protocol="Tic-tac-toe over lines",
    version="1.0",
    transport=Tcp(LineFramer),
    port=4499,
    players=2,
    settings=Settings,
    codec=lambda clock, settings: TicTacToeCodec(),
    reception=TicTacToeReception,
    table=TicTacToeTable,
    draw=draw,
    rules=Rules(
        start=lambda rng: rules.START,
        legal_actions=rules.legal_actions,
        apply=lambda state, cell, rng: rules.apply(state, cell),
        over=lambda state: state.over,
    ),
    player=TicTacToePlayer,
    difficulties=bots.DIFFICULTIES,
    clauses=CLAUSES,
    run_options=[
        Option(
            key="move_seconds",
            flags=("--move-seconds",),
            metavar="SECONDS",
            help="Seconds for each move; 0: as many as it takes.",
        )
    ],
    bot_options=[
        Option(
            key="opening",
            flags=("--opening",),
            metavar="CELL",
            help="Cell to begin with, from 0 to 8.",
        )
    ],
)
