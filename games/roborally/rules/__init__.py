"""The rules of RoboRally: pure functions over frozen states."""

from games.roborally.rules.actions import (
    Action,
    Boink,
    BuyUpgrade,
    DiscardSome,
    EndTimer,
    PlayCard,
    SelectedCard,
    SelectedDamage,
    SetStartingPoint,
)
from games.roborally.rules.cards import Card, Upgrade
from games.roborally.rules.course import Board, Course
from games.roborally.rules.decisions import (
    Damage,
    Decision,
    Program,
    Purchase,
    RegisterCard,
    Routine,
    StartPoint,
)
from games.roborally.rules.events import Event
from games.roborally.rules.game import apply, ignore, rejoin, remove, start
from games.roborally.rules.geometry import Cell, Direction, Rotation
from games.roborally.rules.legal import default_action, legal_actions
from games.roborally.rules.mistakes import Mistake
from games.roborally.rules.state import Phase, Player, State
from games.roborally.rules.succession import succeed
from games.roborally.rules.view import Robot, View

__all__ = [
    "Action",
    "Board",
    "Boink",
    "BuyUpgrade",
    "Card",
    "Cell",
    "Course",
    "Damage",
    "Decision",
    "Direction",
    "DiscardSome",
    "EndTimer",
    "Event",
    "Mistake",
    "Phase",
    "PlayCard",
    "Player",
    "Program",
    "Purchase",
    "RegisterCard",
    "Robot",
    "Rotation",
    "Routine",
    "SelectedCard",
    "SelectedDamage",
    "SetStartingPoint",
    "StartPoint",
    "State",
    "Upgrade",
    "View",
    "apply",
    "default_action",
    "ignore",
    "legal_actions",
    "rejoin",
    "remove",
    "start",
    "succeed",
]
