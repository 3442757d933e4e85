"""What a browser has drawn of a board: each game's own, read from the picture itself."""

from collections.abc import Mapping
from math import atan2, degrees
from typing import Any

import attrs
from playwright.sync_api import Page

# Elements with what they say about themselves, and where their middle is on the screen.
_READ = """
(selector) => [...document.querySelectorAll(selector)].map((each) => {
  const { a, b, e, f } = each.getScreenCTM();
  return { ...each.dataset, classes: [...each.classList], x: e, y: f, a, b };
})
"""


@attrs.frozen
class Figure:
    """Something on a board."""

    data: Mapping[str, Any]

    @property
    def at(self) -> str:
        return str(self.data["at"])

    @property
    def point(self) -> tuple[int, int]:
        """On the screen, in pixels."""
        return round(self.data["x"]), round(self.data["y"])

    @property
    def angle(self) -> int:
        """Clockwise, in degrees; 0 is upright."""
        return round(degrees(atan2(self.data["b"], self.data["a"]))) % 360

    def says(self, name: str) -> str:
        return str(self.data[name])

    def has(self, name: str) -> bool:
        return name in self.data["classes"]


def figures(page: Page, selector: str) -> list[Figure]:
    return read(page, f"#board {selector}")


def read(page: Page, selector: str) -> list[Figure]:
    return [Figure(data) for data in page.evaluate(_READ, selector)]


def hexxagon(page: Page) -> Any:
    tiles = {tile.at: tile for tile in figures(page, ".tile")}
    stones = figures(page, ".stone")
    assert all(stone.point == tiles[stone.at].point for stone in stones)
    places = {tile.point: at for at, tile in tiles.items()}
    return {
        "one": sorted(int(each.at) for each in stones if each.says("side") == "one"),
        "two": sorted(int(each.at) for each in stones if each.says("side") == "two"),
        "blocked": sorted(int(at) for at, tile in tiles.items() if tile.has("blocked")),
        "last": [
            int(places[each.point])
            for name in (".marks .from", ".marks .to")
            for each in figures(page, name)
        ],
    }


def penguins(page: Page) -> Any:
    fields = {field.at: field for field in figures(page, ".field")}
    birds = figures(page, ".penguin[data-at]")
    assert all(bird.point == fields[bird.at].point for bird in birds)
    fish = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("#board .field")].map((field) =>
          [field.dataset.at, field.querySelectorAll(".fish").length]))"""
    )
    places = {field.point: at for at, field in fields.items()}
    return {
        "ONE": sorted(each.at for each in birds if each.says("team") == "ONE"),
        "TWO": sorted(each.at for each in birds if each.says("team") == "TWO"),
        "fish": {at: count for at, count in fish.items() if count},
        "water": sorted(at for at, field in fields.items() if field.has("water")),
        "last": [places[each.point] for each in figures(page, ".marks .to")],
    }


def qwirkle(page: Page) -> Any:
    tiles = figures(page, ".tiles .tile")
    assert_on_a_grid({tile.at: tile for tile in tiles})
    return {
        "tiles": sorted((each.at, each.says("color"), each.says("shape")) for each in tiles),
        "last": sorted(each.at for each in figures(page, ".tiles .place.last .tile")),
        "bag": figures(page, ".bag text")[0].says("count"),
    }


def roborally(page: Page) -> Any:
    robots = figures(page, ".robot")
    spaces = figures(page, ".energy-space")
    checkpoints = figures(page, ".checkpoint")
    plates = {each.at: each for each in [*spaces, *checkpoints]}
    assert_on_a_grid(plates)
    for robot in robots:
        assert_on_a_grid({**plates, robot.at: robot})
    facing = ["up", "right", "down", "left"]
    return {
        "robots": {each.says("number"): (each.at, each.says("facing")) for each in robots},
        "turned": {
            robot.says("number"): facing[figures(page, _chassis(robot))[0].angle // 90]
            for robot in robots
        },
        "energy": {each.at: each.says("cubes") for each in spaces},
        "checkpoints": {each.says("number"): each.at for each in checkpoints},
    }


def _chassis(robot: Figure) -> str:
    return f'.robot[data-number="{robot.says("number")}"] .chassis'


def quidditch(page: Page) -> Any:
    flyers = figures(page, ".flyer:not(.absent)")
    balls = figures(page, ".ball:not(.absent)")
    cubes = figures(page, ".cube")
    assert_on_a_grid({each.at: each for each in [*flyers, *cubes] if not each.has("banned")}, "|")
    return {
        "players": {each.says("entity"): each.at for each in flyers},
        "banned": sorted(each.says("entity") for each in flyers if each.has("banned")),
        "knockout": sorted(each.says("entity") for each in flyers if each.has("knockout")),
        "holder": [each.says("entity") for each in flyers if each.has("holder")],
        "balls": {each.says("ball"): each.at for each in balls},
        "cubes": sorted(each.at for each in cubes),
        "fans": sorted((each.says("entity"), each.has("banned")) for each in figures(page, ".fan")),
    }


def assert_on_a_grid(figures: Mapping[str, Figure], between: str = ",") -> None:
    """Whatever has the same column or row is drawn in it; all cells are squares of one size."""
    places = {tuple(map(int, at.split(between))): each.point for at, each in figures.items()}
    for axis in (0, 1):
        lines = {place[axis]: point[axis] for place, point in places.items()}
        for place, point in places.items():
            assert abs(lines[place[axis]] - point[axis]) <= 1, (place, point)
        first, last = min(lines), max(lines)
        if first == last:
            continue
        size = (lines[last] - lines[first]) / (last - first)
        for number, pixels in lines.items():
            assert abs(lines[first] + (number - first) * size - pixels) <= 2, (number, pixels)
