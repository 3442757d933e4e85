"""The two kinds of tables: games and tournaments."""

import random

from games.qwirkle.recipe import Recipe, TournamentRecipe
from games.qwirkle.table import QwirkleTable
from games.qwirkle.tournament import Tournament
from ludothek.contract.clock import Clock
from ludothek.contract.table import Table


def make_table(recipe: Recipe | TournamentRecipe, clock: Clock, rng: random.Random) -> Table:
    """The table of the kind that the recipe is for."""
    if isinstance(recipe, TournamentRecipe):
        return Tournament(recipe, clock, rng)
    return QwirkleTable(recipe, clock, rng)
