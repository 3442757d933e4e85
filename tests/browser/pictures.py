"""Takes the pictures of the page for the documentation: python -m tests.browser.pictures DIR.

Seeded players play all games on a daemon of its own, and Chromium looks at them.
"""

import io
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs
from PIL import Image
from playwright.sync_api import Page, expect

from tests.support.chromium import open_chromium
from tests.support.contestants import match
from tests.support.cup import make_cup
from tests.support.served import QUICK, ROOT, Served, serving
from tests.support.tab import Tabs

SETTINGS = {
    **QUICK,
    "qwirkle": QUICK["qwirkle"].replace("start_players = 2", "start_players = 3"),
    "roborally": 'course = "Twister"',
}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1.5, "is_mobile": True}
PROJECTOR = {"viewport": {"width": 1600, "height": 900}}
COLOURS = 256


@attrs.frozen
class Scene:
    """A match of which a picture is taken, and how far it has come."""

    game: str
    names: Sequence[str]
    messages: int
    seed: int = 1
    difficulty: int = 1
    own: Sequence[Mapping[str, str]] = ()


SCENES = (
    Scene("hexxagon", ("Ada Lovelace", "Alan Turing"), 46, seed=2),
    Scene("penguins", ("Team 7", "Team 12"), 19, seed=3),
    Scene("qwirkle", ("Grace", "Edsger", "Barbara"), 40, seed=4),
    Scene("roborally", ("Twonky", "Hulk x90", "Spin Bot", "Zoom Bot"), 128, seed=5),
    Scene(
        "quidditch",
        ("hooch", "wood"),
        120,
        seed=6,
        own=[
            {"team": str(ROOT / "config/quidditch/team-herons.json")},
            {"team": str(ROOT / "config/quidditch/team-badgers.json")},
        ],
    ),
)


@attrs.define(eq=False)
class Studio:
    """A browser that takes pictures of one daemon."""

    served: Served
    tabs: Tabs
    folder: Path

    def open(self, path: str, **options: Any) -> Page:
        return self.tabs.open(self.served.url, path, **options)

    def take(self, page: Page, name: str, **options: Any) -> None:
        """A picture as small as its few colours allow; browsers follow six streams at most."""
        taken = Image.open(io.BytesIO(page.screenshot(**options))).convert("RGB")
        page.close()
        small = taken.quantize(COLOURS, dither=Image.Dither.NONE)
        small.save(self.folder / f"{name}.png", optimize=True)

    def match(self, match_id: str, name: str, **options: Any) -> None:
        page = self.open(f"/m/{match_id}", **options)
        expect(page.locator("#happenings a").first).to_be_visible()
        expect(page.locator("#loading")).to_be_hidden()
        self.take(page, name)


def take_all(studio: Studio) -> None:
    served = studio.served
    with match(served, "hexxagon", ("Konrad Zuse", "Emmy Noether"), seed=9) as (_, players):
        players.finish()
    with match(served, "penguins", seed=9) as (_, players):
        players.finish()
    with ExitStack() as stack:
        matches = {}
        for scene in SCENES:
            options: dict[str, Any] = {"difficulty": scene.difficulty, "own": scene.own}
            told = scene.names, scene.seed, scene.messages
            matches[scene.game], _ = stack.enter_context(
                match(served, scene.game, *told, **options)
            )
        for game, match_id in matches.items():
            studio.match(match_id, game)
        studio.match(matches["quidditch"], "dark", color_scheme="dark")
        studio.match(matches["penguins"], "phone", **PHONE)
        take_home(studio)
        take_hall(studio)
        take_organiser(studio)
    take_play(studio)


def take_tournament(studio: Studio) -> None:
    (told,) = studio.served.get("/api/tournaments")
    page = studio.open(f"/t/{told['id']}", viewport={"width": 1280, "height": 1000})
    expect(page.locator("#games-table a").first).to_be_visible()
    studio.take(page, "tournament")


def take_home(studio: Studio) -> None:
    page = studio.open("/")
    expect(page.locator("#ended-table")).to_be_visible()
    expect(page.locator("#lobbies [data-match]").first).to_be_visible()
    studio.take(page, "home", full_page=True)


def take_hall(studio: Studio) -> None:
    page = studio.open("/hall", **PROJECTOR)
    expect(page.locator("main[data-match] #board")).to_be_visible()
    studio.take(page, "hall")


def take_organiser(studio: Studio) -> None:
    page = studio.open(studio.served.login_link())
    expect(page.locator("[data-kind=lobbies] tbody tr").first).to_be_visible()
    expect(page.locator("[data-curve=lag] .line")).to_have_attribute("d", re.compile("L|H"))
    studio.take(page, "organiser")


def take_play(studio: Studio) -> None:
    page = studio.open("/play/hexxagon")
    page.locator("#start").click()
    stone = page.locator("#board .place[role=button]").first
    expect(stone).to_be_visible()
    stone.click()
    studio.take(page, "play")


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as temporary,
        serving(Path(temporary), "--arena", f"{temporary}/cups", settings=SETTINGS) as served,
        open_chromium() as browser,
    ):
        tabs = Tabs(browser)
        studio = Studio(served, tabs, folder)
        make_cup(Path(temporary) / "cups", "Cup of the bots").finish()
        take_tournament(studio)
        take_all(studio)
        tabs.close()
    assert tabs.complaints == []


if __name__ == "__main__":
    main()
