"""What a Robo Rally table is made of."""

import json
from pathlib import Path

import attrs
import pytest

from games.roborally import GAME, courses
from games.roborally.recipe import Recipe, Seat
from games.roborally.settings import Settings
from games.roborally.table import RoboRallyTable
from ludothek.contract import plain
from ludothek.contract.chance import KeyedRandom
from ludothek.contract.clock import Clock
from ludothek.testing.dummies import DummyClient
from tests.support.house import House


def copied(recipe: Recipe, *clients: DummyClient) -> Recipe:
    """As another process reads it."""
    known = {client.number: client for client in clients}
    found = plain.read(plain.write(recipe), "games.roborally", known.get)
    assert isinstance(found, Recipe)
    return found


@pytest.mark.parametrize("name", courses.NAMES)
def test_a_recipe_holds_the_whole_course(name: str) -> None:
    recipe = Recipe(course=courses.load(name), settings=Settings().for_tables)
    assert copied(recipe) == recipe


def test_seats_have_the_very_clients() -> None:
    client = DummyClient(7)
    seat = Seat(client=client, player_id=3, group="G", seconds=0.1, name="Ann", figure=None)
    recipe = Recipe(course=courses.load("Twister"), settings=Settings(), seats=(seat,))
    assert copied(recipe, client).seats[0].client is client
    assert copied(recipe, client) == recipe


def test_the_file_of_a_course_is_not_needed_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    course = attrs.evolve(courses.load("BurnRun"), name="mine", boards=(), category="", length="")
    path.write_text(json.dumps({"gameMap": courses.game_map(course)}))
    house = House(GAME, Settings(course=str(path), min_players=3))
    path.unlink()
    (lobby,) = house.lobbies.values()
    table = GAME.table(house.read(lobby.recipe), house.clock, KeyedRandom(1))
    assert isinstance(table, RoboRallyTable)
    assert table.recipe.course == course
    assert table.recipe.settings.min_players == 3


def test_a_table_says_what_it_was_made_of() -> None:
    recipe = Recipe(course=courses.load("Twister"), settings=Settings())
    assert RoboRallyTable(recipe, Clock(lambda: 0.0), KeyedRandom(1)).recipe is recipe
