"""The rules of Penguins."""

from games.penguins.rules.board import SEEDS as SEEDS
from games.penguins.rules.board import Board as Board
from games.penguins.rules.board import Coordinates as Coordinates
from games.penguins.rules.board import Team as Team
from games.penguins.rules.board import generate as generate
from games.penguins.rules.game import Move as Move
from games.penguins.rules.game import State as State
from games.penguins.rules.game import apply as apply
from games.penguins.rules.game import legal_actions as legal_actions
from games.penguins.rules.game import position as position
from games.penguins.rules.game import score as score
from games.penguins.rules.game import start as start
from games.penguins.rules.game import stuck as stuck
from games.penguins.rules.game import winner as winner
from games.penguins.rules.mistakes import Mistake as Mistake
