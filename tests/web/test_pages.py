"""Pages as they leave the server: in which language, and with which answers."""

import re
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from ludothek.web import files, pages
from ludothek.web.app import PAGES
from ludothek.web.words import language_of, texts
from tests.support.page import open_page

HOSTILE = "</script><!--<script>\u2028&lt;\"'"
# Everything that ends a block of data, or changes how a browser reads on.
MARKUP = re.compile(r"[<>&]")


def told_by(answer: httpx.Response) -> Any:
    """What a page has brought along."""
    found = re.findall(r'<script type="application/json" id="told">(.*?)</script>', answer.text)
    assert len(found) == 1
    assert not MARKUP.search(found[0])
    return orjson.loads(found[0])


@pytest.mark.parametrize(
    ("wishes", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("fr-FR, fr;q=0.9, de ; q=0.2", "de"),
        ("en;q=0.1,DE;q=0.5", "de"),
        ("de;q=0,en;q=0.1", "en"),
        ("fr", "en"),
        ("", "en"),
        ("*", "en"),
        ("de;q=high", "en"),
        (f"{'x,' * 10_000}de", "en"),
    ],
)
def test_the_browser_says_which_language_it_wants(wishes: str, language: str) -> None:
    assert language_of(wishes) == language


async def test_pages_have_their_texts_before_any_script_runs(tmp_path: Path) -> None:
    async with open_page(tmp_path) as browser:
        for language in ("en", "de"):
            wish = {"accept-language": language}
            for path in (*PAGES, "/nonsense"):
                text = (await browser.http.get(path, headers={**wish, "accept": "text/html"})).text
                assert f'<html lang="{language}">' in text
                assert not re.search(r"\{\w+\.\w|<!-- ", text), path
                if path != "/hall":
                    assert texts(language)["frame.about"] in text
            home = (await browser.http.get("/", headers=wish)).text
            assert f'<h2 id="past-title">{texts(language)["home.ended"]}</h2>' in home


async def test_a_page_brings_what_it_would_ask_for(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play()
        match = await browser.running_match()
        home = told_by(await browser.http.get("/"))["answers"]
        assert home["/api/games"] == await browser.get("/api/games")
        assert [each["match"] for each in home["/api/matches"]["lobbies"]] == [match]
        page = await browser.http.get(f"/m/{match}")
        answers = told_by(page)["answers"]
        asked = await browser.get(f"/api/matches/{match}")
        assert answers[f"/api/matches/{match}"].keys() == asked.keys()
        assert 'href="/games/hexxagon/board.css"' in page.text
        for path in ("/", f"/m/{match}", "/play/hexxagon", "/organiser"):
            answer = await browser.http.get(path)
            assert answer.headers["cache-control"] == "no-store"  # it may be old in a second


async def test_a_match_that_is_not_there_brings_nothing(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        answer = await browser.http.get("/m/%3Cscript%3E")
        assert answer.status_code == 200
        assert told_by(answer)["answers"] == {}


def test_nothing_that_is_told_ends_the_block_of_data() -> None:
    told = {HOSTILE: [HOSTILE, {"name": HOSTILE}]}
    block = pages.data_block(told).decode()
    assert block.startswith('<script type="application/json" id="told">')
    inside = block[len('<script type="application/json" id="told">') : -len("</script>")]
    assert not MARKUP.search(inside)
    assert orjson.loads(inside) == told


async def test_files_that_are_named_by_their_content_are_kept(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        page = (await browser.http.get("/")).text
        links = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)
        assert len(links) >= 4
        for link in links:
            answer = await browser.http.get(link)
            assert answer.status_code == 200
            assert answer.headers["cache-control"] == files.FOREVER
        # A page of an older server gets what there is now, and asks again the next time.
        for old in (re.sub("v=.*", "v=0123456789abcdef", links[-1]), links[-1].partition("?")[0]):
            answer = await browser.http.get(old)
            assert answer.status_code == 200
            assert answer.headers["cache-control"] == "no-cache"
            tag = {"if-none-match": answer.headers["etag"]}
            assert (await browser.http.get(old, headers=tag)).status_code == 304


@pytest.mark.parametrize(
    ("wishes", "packed"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("gzip;q=1.0", True),
        ("gzip; q=0", False),
        ("gzip;q=0.000, br", False),
        ("br", False),
        ("x-gzip", False),
    ],
)
async def test_only_those_who_want_it_get_something_compressed(
    tmp_path: Path, wishes: str, packed: bool
) -> None:
    async with open_page(tmp_path) as browser:
        for path in ("/", "/assets/home.js"):
            answer = await browser.http.get(path, headers={"accept-encoding": wishes})
            assert (answer.headers.get("content-encoding") == "gzip") is packed


async def test_a_copy_that_is_still_right_is_known_by_any_of_its_tags(tmp_path: Path) -> None:
    async with open_page(tmp_path) as browser:
        tag = (await browser.http.get("/assets/home.js")).headers["etag"]
        for tags, status in ((f'"x", W/{tag}', 304), (f"W/{tag}", 304), ('"x"', 200), ("", 200)):
            headers = {"if-none-match": tags}
            answer = await browser.http.get("/assets/home.js", headers=headers)
            assert answer.status_code == status, tags


async def test_templates_are_no_files_of_the_page(tmp_path: Path) -> None:
    async with open_page(tmp_path) as browser:
        for name in ("index.html", "head.html", "header.html"):
            assert (await browser.http.get(f"/assets/{name}")).status_code == 404
