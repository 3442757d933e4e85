"""A lobby can be made again from its recipe: a new one, and one that has seen a match."""

import random
from pathlib import Path
from typing import Any

import attrs
import pytest

from games.quidditch import GAME, artefacts
from games.quidditch import messages as m
from games.quidditch.mods import Mod
from games.quidditch.recipe import Recipe
from games.quidditch.settings import Settings
from games.quidditch.table import QuidditchTable
from ludothek.contract import plain
from ludothek.contract.client import Client
from ludothek.contract.effects import Effects, Ended, Fetch, Renew, Save
from ludothek.contract.orders import Order, Shutdown
from tests.games.quidditch.scene import BADGERS, HERONS, Scene, animated, match_config
from tests.games.quidditch.test_fuzz import happen
from tests.support.helpers import NOON


def again(recipe: Recipe, *clients: Client) -> Recipe:
    """The recipe as another process reads it."""
    of = {client.number: client for client in clients}
    read: Recipe = plain.read(plain.write(recipe), "games.quidditch", of.get)
    assert plain.write(read) == plain.write(recipe)
    return read


# What the core chooses for a renewed table.
SEED = 7


def comparable(effect: Any) -> Any:
    """What is made later, as it is made; a recipe as it is written."""
    match effect:
        case Fetch(to=to, make=make):
            return to, make()
        case Save(content=content):
            return effect.folder, effect.name, content()
        case Renew(recipe=recipe):
            return plain.write(recipe)
    return effect


class Twins:
    """A table, and the same made again from the recipe of its latest renewal."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.renewals = self.compared = 0
        self.one = scene.table
        self.other: QuidditchTable | None = None

    def _both(self, name: str, *args: Any) -> Effects:
        expected = tuple(getattr(self.one, name)(*args))
        if self.other is not None:
            self.compared += 1
            found = tuple(getattr(self.other, name)(*args))
            assert [*map(comparable, found)] == [*map(comparable, expected)]
            assert self.other.summary == self.one.summary
            assert self.other.entry() == self.one.entry()
            assert self.other.deserted_since == self.one.deserted_since
            assert self.other.timers.deadline == self.one.timers.deadline
        for effect in expected:
            if isinstance(effect, Renew):
                assert effect is expected[-1]
                self._make(effect)
        return expected

    def _make(self, renewal: Renew) -> None:
        self.renewals += 1
        recipe = again(renewal.recipe, *renewal.recipe.past.members)
        renewal.chance.seed(SEED)
        self.other = GAME.table(recipe, self._scene.clock, random.Random(SEED))  # type: ignore[assignment]

    def enter(self, client: Client, admission: Any) -> Effects:
        return self._both("enter", client, admission)

    def receive(self, client: Client, message: Any) -> Effects:
        return self._both("receive", client, message)

    def leave(self, client: Client) -> Effects:
        return self._both("leave", client)

    def order(self, order: Order) -> Effects:
        return self._both("order", order)

    def time_up(self, timer: Any) -> Effects:
        if self.other is not None:
            assert self.other.timers.take_due() == timer
        return self._both("time_up", timer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.one, name)


@pytest.mark.parametrize("animation", [0, 200])
@pytest.mark.parametrize("seed", range(4))
def test_a_lobby_renewed_after_a_match_goes_on_as_it_would_have(seed: int, animation: int) -> None:
    rng = random.Random(seed)
    config = animated(animation) if animation else match_config()
    scene = Scene(config, seed, empty_lobby_seconds=1000)
    scene.table = twins = Twins(scene)  # type: ignore[assignment]
    for _ in range(1000):
        happen(rng, scene)
    assert twins.renewals > 2
    assert twins.compared > 500
    for person in list(scene.people.values()):
        scene.leave(person)
    scene.wait(5000)
    assert scene.closed


def test_a_renewed_lobby_has_its_replay_its_chat_and_its_people() -> None:
    scene = Scene()
    left, right = scene.game()
    luna = scene.enter("luna", Mod.CHAT, Mod.REPLAY_WITH_SNAPSHOT)
    scene.say(luna, m.SendChat("good luck"))
    scene.leave(left)
    back = scene.enter("harry")  # now the last one that has connected
    scene.say(back, m.Replay({}))  # which ends the match
    (renewed,) = [each for each in scene.effects if isinstance(each, Renew)]
    recipe = again(renewed.recipe, right.client, luna.client)
    assert recipe.past is not None
    assert recipe.past.members == [right.client, luna.client]
    assert recipe.past.talk.said == (m.GlobalChat("luna", "good luck"),)
    assert recipe.past.former == ("harry", "draco")
    old = scene.say(luna, m.GetReplayWithSnapshot())
    scene.table = QuidditchTable(recipe, scene.clock, random.Random(SEED))
    assert scene.say(luna, m.GetReplayWithSnapshot()) == old
    scene.say(luna, HERONS)
    scene.say(right, BADGERS)
    assert scene.running


def test_a_match_that_ends_with_its_lobby_renews_nothing() -> None:
    scene = Scene()
    scene.game()
    scene.order(Shutdown())
    kinds = [type(each) for each in scene.effects]
    assert Ended in kinds
    assert Renew not in kinds


def test_a_recipe_has_what_files_say_and_names_none(tmp_path: Path) -> None:
    path, accounts = tmp_path / "match.json", tmp_path / "accounts"
    path.write_bytes(artefacts.write(match_config(max_rounds=17), NOON))
    settings = Settings(match=str(path), accounts=str(accounts), chat_length=17)
    recipe = Recipe(name="hogwarts", settings=settings, config=settings.match_config, kept=True)
    path.unlink()
    read = again(recipe)
    assert read == recipe
    assert (read.config.max_rounds, read.settings.chat_length) == (17, 17)
    assert str(tmp_path) not in plain.write(recipe).decode()
    table = GAME.table(read, Scene().clock, random.Random(1))
    assert table.recipe == attrs.evolve(recipe)
