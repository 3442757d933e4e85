"""Courses: where they come from and how they look on the wire."""

from games.roborally.courses.flaws import BadCourse
from games.roborally.courses.gamemap import from_game_map, game_map
from games.roborally.courses.library import NAMES, load, load_file, recognise

__all__ = ["NAMES", "BadCourse", "from_game_map", "game_map", "load", "load_file", "recognise"]
