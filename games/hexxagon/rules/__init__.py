"""The rules of Hexxagon."""

from games.hexxagon.rules.game import BIT as BIT
from games.hexxagon.rules.game import BLOCKED as BLOCKED
from games.hexxagon.rules.game import NEIGHBOURS as NEIGHBOURS
from games.hexxagon.rules.game import ONE as ONE
from games.hexxagon.rules.game import PLAYABLE as PLAYABLE
from games.hexxagon.rules.game import RADIUS as RADIUS
from games.hexxagon.rules.game import REACH as REACH
from games.hexxagon.rules.game import RING as RING
from games.hexxagon.rules.game import START as START
from games.hexxagon.rules.game import TWO as TWO
from games.hexxagon.rules.game import Move as Move
from games.hexxagon.rules.game import Outcome as Outcome
from games.hexxagon.rules.game import Side as Side
from games.hexxagon.rules.game import State as State
from games.hexxagon.rules.game import Stuck as Stuck
from games.hexxagon.rules.game import adjudicate as adjudicate
from games.hexxagon.rules.game import apply as apply
from games.hexxagon.rules.game import award as award
from games.hexxagon.rules.game import bit as bit
from games.hexxagon.rules.game import can_move as can_move
from games.hexxagon.rules.game import coordinates as coordinates
from games.hexxagon.rules.game import legal_actions as legal_actions
from games.hexxagon.rules.game import start as start
from games.hexxagon.rules.game import tiles as tiles
from games.hexxagon.rules.mistakes import Mistake as Mistake
