"""The list of ended matches, from the file of results."""

from pathlib import Path
from typing import Any

import orjson
import trio

from ludothek.web.ended import EndedMatches
from ludothek.web.pace import Pace


def line(number: int, *names: str, game: str = "hexxagon", record: str | None = None) -> bytes:
    told: dict[str, Any] = {
        "time": f"2026-11-18T12:00:{number % 60:02}Z",
        "game": game,
        "endpoint": game,
        "lobby": str(number),
        "players": [{"name": name, "seat": 1, "score": 3, "rank": 1} for name in names],
        "winner": None,
        "reason": "regular",
        "moves": 5,
        "seconds": 1.0,
        "record": record,
    }
    return orjson.dumps(told) + b"\n"


async def lobbies(matches: EndedMatches, **wanted: Any) -> list[str]:
    choice: dict[str, Any] = {"game": "", "player": "", "before": 0, "limit": 50} | wanted
    return [each["lobby"] for each in (await matches.find(**choice))[0]]


async def test_the_newest_come_first_page_by_page(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"".join(line(number, "Ann") for number in range(7)))
    matches = EndedMatches(path)
    matches.refresh()
    found, rest = await matches.find(game="", player="", before=0, limit=3)
    assert [each["lobby"] for each in found] == ["6", "5", "4"]
    found, rest = await matches.find(game="", player="", before=rest, limit=3)
    assert [each["lobby"] for each in found] == ["3", "2", "1"]
    found, rest = await matches.find(game="", player="", before=rest, limit=3)
    assert ([each["lobby"] for each in found], rest) == (["0"], 0)


async def test_people_are_found_by_parts_of_their_names_and_games_by_theirs(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(
        line(1, "Ann", "Bob") + line(2, "Joanne") + line(3, "Carl") + line(4, "Ann", game="qwirkle")
    )
    matches = EndedMatches(path)
    matches.refresh()
    assert await lobbies(matches, player="ANN") == ["4", "2", "1"]
    assert await lobbies(matches, player="ann", game="qwirkle") == ["4"]
    assert await lobbies(matches, player="nobody") == []


async def test_games_wait_for_one_slice_of_all_searches_and_not_for_one_of_each(
    tmp_path: Path,
) -> None:
    slices = most = 0

    class Slice(Pace):
        """Over after each step."""

        fresh = False

        @property
        def is_over(self) -> bool:
            self.fresh = not self.fresh
            return self.fresh

        async def rest(self) -> None:
            nonlocal slices
            slices += 1
            await trio.lowlevel.checkpoint()

    async def play() -> None:
        nonlocal most
        while True:
            before = slices
            await trio.lowlevel.checkpoint()
            most = max(most, slices - before)

    path = tmp_path / "results.jsonl"
    path.write_bytes(b"".join(line(number, "Ann") for number in range(7)))
    matches = EndedMatches(path, Slice())
    matches.refresh()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play)
        async with trio.open_nursery() as people:
            for _ in range(20):
                people.start_soon(lobbies, matches)
        nursery.cancel_scope.cancel()
    assert slices == 20 * 7
    assert most <= 2


async def test_lines_that_come_later_are_found_also_across_a_rotation(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(line(1, "Ann"))
    matches = EndedMatches(path)
    matches.refresh()
    with path.open("ab") as file:
        file.write(line(2, "Ann") + line(3, "Ann")[:-5])  # half a line
    matches.refresh()
    assert await lobbies(matches) == ["2", "1"]
    with path.open("ab") as file:
        file.write(line(3, "Ann")[-5:] + line(4, "Ann"))
    path.rename(tmp_path / "results.jsonl.1")
    path.write_bytes(line(5, "Ann"))
    matches.refresh()
    assert await lobbies(matches) == ["5", "4", "3", "2", "1"]
    assert [each["lobby"] for each in matches.since(3)] == ["4", "5"]


async def test_what_is_not_a_result_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"rubbish\n{}\n[1]\n" + line(1, "Ann") + b'{"players": 3}\n')
    matches = EndedMatches(path)
    matches.refresh()
    assert await lobbies(matches) == ["1"]


async def test_a_match_is_new_for_a_while(tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_bytes(line(1, record="20261118-120000-1_aaaaaaaaaa_x.match"))
    ended = EndedMatches(path)
    ended.refresh()
    ((told,), _) = await ended.find(game="", player="", before=0, limit=1)
    assert ended.is_new(told["id"], 60)
    assert not ended.is_new(told["id"], 0)
    assert not ended.is_new("another", 60)


async def test_the_id_of_a_match_is_in_the_name_of_its_record(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    new = "20261118-120301-123456_hexxagon_1f0_k3v7q2xm7p_red.match"
    old = "20261118-120301-123456_hexxagon_1f0_red.match"
    path.write_bytes(line(1, record=new) + line(2, record=old) + line(3))
    matches = EndedMatches(path)
    matches.refresh()
    found, _ = await matches.find(game="", player="", before=0, limit=9)
    assert [each["id"] for each in found] == [None, old.removesuffix(".match"), "k3v7q2xm7p"]


async def test_without_a_file_nothing_has_ended(tmp_path: Path) -> None:
    for path in (None, tmp_path / "nothing"):
        matches = EndedMatches(path)
        matches.refresh()
        assert await lobbies(matches) == []
