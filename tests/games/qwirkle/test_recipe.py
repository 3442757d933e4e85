"""What Qwirkle's games and tournaments are made of."""

import json
from pathlib import Path

import attrs
import pytest

from games.qwirkle import GAME, configuration
from games.qwirkle.configuration import BUILT_IN
from games.qwirkle.recipe import Recipe, TournamentRecipe
from games.qwirkle.rules import Refill
from games.qwirkle.settings import LeavingNews, Settings
from games.qwirkle.table import QwirkleTable
from games.qwirkle.tables import make_table
from games.qwirkle.tournament import Tournament
from ludothek.contract import plain
from ludothek.contract.chance import KeyedRandom
from ludothek.contract.clock import Clock
from ludothek.contract.orders import Opening
from ludothek.contract.table import Table
from tests.support.house import House

RECIPES: dict[str, Recipe | TournamentRecipe] = {
    "game": Recipe(
        game_id=7,
        name="Spiel \ud800",  # half a character, which some clients send
        config=attrs.evolve(BUILT_IN, tile_count=5),
        settings=Settings(
            refill=Refill.AFTER_MOVE, spectator_leaving=LeavingNews.ALL, ended_seconds=7.5
        ).for_tables,
        tournament="3",
        full_at=4,
    ),
    "tournament": TournamentRecipe(
        key="3", name="Cup", config=BUILT_IN, settings=Settings().for_tables
    ),
}


def made(recipe: Recipe | TournamentRecipe) -> Table:
    return make_table(recipe, Clock(lambda: 0.0), KeyedRandom(1))


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_a_recipe_can_be_read_in_another_process(recipe: Recipe | TournamentRecipe) -> None:
    assert plain.read(plain.write(recipe), "games.qwirkle", lambda number: None) == recipe


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_a_table_says_what_it_was_made_of(recipe: Recipe | TournamentRecipe) -> None:
    assert made(recipe).recipe is recipe


def test_there_is_a_kind_of_table_for_each_kind_of_recipe() -> None:
    kinds = [type(made(recipe)) for recipe in RECIPES.values()]
    assert kinds == [QwirkleTable, Tournament]


def test_the_file_of_a_configuration_is_not_needed_again(tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    path.write_text(json.dumps({"maxPlayerNumber": 5, "tileCount": 9}))
    house = House(GAME, Settings(configuration=str(path), start_players=5))
    assert house.ask_reception("open", Opening(settings={"tournament": True}))
    path.unlink()
    for lobby in house.lobbies.values():
        recipe = house.read(lobby.recipe)
        assert recipe.config == attrs.evolve(
            configuration.BUILT_IN, max_player_number=5, tile_count=9
        )
        assert made(recipe).recipe == lobby.table.recipe
