"""What a match leaves behind is on disk once, whenever the process dies."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import attrs
import orjson
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.registry import load
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay
from ludothek.storage.writer import Writer
from ludothek.testing.lockstep import Participant, perform
from ludothek.testing.phoenix import Phoenix
from tests.games.quidditch.scene import BRIEF

if TYPE_CHECKING:
    from ludothek.testing.fair import Fair

SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "hexxagon": {},
    "penguins": {},
    "qwirkle": {},
    "roborally": {"max_rounds": 2},
    "quidditch": {"match": str(BRIEF), "accounts": "memory"},
}


@attrs.define
class Disk:
    """Writes when it is told to."""

    waiting: list[tuple[Writer, Any]] = attrs.field(factory=list)

    def write(self, count: int) -> None:
        """Write some of what is waiting; the rest is lost."""
        some, self.waiting = self.waiting[:count], []
        for writer, entry in some:
            writer._write([entry])

    def forget_the_dead(self, phoenix: Phoenix) -> None:
        """A process that is killed does not tidy up, as its tasks do here."""
        assert phoenix.endpoint.state is not None
        alive = phoenix.endpoint.state.writer
        self.waiting = [each for each in self.waiting if each[0] is alive]


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk()
    monkeypatch.setattr(
        Writer, "_enqueue", lambda writer, entry: disk.waiting.append((writer, entry))
    )
    return disk


@attrs.define
class Evening:
    """A match that is over, of which nothing is on disk yet."""

    phoenix: Phoenix
    path: Path
    disk: Disk

    def everything(self) -> int:
        """How much is waiting to be written."""
        return len(self.disk.waiting)

    async def die(self, written: int) -> None:
        """The process dies when so much is written."""
        self.disk.write(written)
        self.phoenix.die()
        await wait_all_tasks_blocked()

    def kept(self) -> dict[str, list[str]]:
        """The names of all files, by folder, and all results."""
        found = {
            folder.name: sorted(file.name for file in folder.iterdir())
            for folder in self.path.iterdir()
            if folder.is_dir()
        }
        return found | {"results": (self.path / "results.jsonl").read_text().splitlines()}


async def play(
    nursery: trio.Nursery, name: str, clock: MockClock, path: Path, disk: Disk
) -> Evening:
    game = load(name)
    phoenix = Phoenix(nursery, game, 1, SETTINGS[name], path)
    await perform(cast("Fair", phoenix), game, clock, 1)
    return Evening(phoenix, path, disk)


@pytest.mark.parametrize("name", SETTINGS)
async def test_what_a_match_leaves_behind_is_kept_once_however_much_of_it_was_written(
    name: str, mock_clock: MockClock, tmp_path: Path, disk: Disk
) -> None:
    expected: dict[str, list[str]] | None = None
    written, everything = -1, 1
    while written < everything:
        async with trio.open_nursery() as nursery:
            path = tmp_path / str(written)
            evening = await play(nursery, name, mock_clock, path, disk)
            everything = evening.everything()
            if expected is not None:
                await evening.die(written)
                await evening.die(0)  # during the recovery
            evening.disk.write(evening.everything())
            nursery.cancel_scope.cancel()
        kept = _without_times(evening.kept())
        assert len(kept["results"]) == 1
        assert len(kept["matches"]) == 1
        assert expected is None or kept == expected
        expected, written = kept, written + 1
    assert everything >= 2


def _without_times(kept: dict[str, list[str]]) -> dict[str, list[str]]:
    """Each evening is at another time and in another lobby."""
    results = [orjson.loads(line) for line in kept.pop("results")]
    for result in results:
        assert [result["record"]] == kept["matches"]
        del result["time"], result["lobby"], result["record"], result["seconds"]
    return {folder: ["*"] * len(names) for folder, names in kept.items()} | {
        "results": [repr(result) for result in results]
    }


async def test_a_record_that_the_next_process_writes_can_be_repeated(
    mock_clock: MockClock, tmp_path: Path, disk: Disk
) -> None:
    async with trio.open_nursery() as nursery:
        evening = await play(nursery, "hexxagon", mock_clock, tmp_path, disk)
        await evening.die(0)
        disk.write(evening.everything())
        nursery.cancel_scope.cancel()
    (file,) = (tmp_path / "matches").iterdir()
    for _ in Replay(load("hexxagon"), Record.read(file.read_bytes())):
        pass  # it would raise an exception


@pytest.mark.parametrize("name", SETTINGS)
async def test_players_who_are_lost_with_the_machine_have_not_left(
    name: str, mock_clock: MockClock, tmp_path: Path, disk: Disk
) -> None:
    game = load(name)
    async with trio.open_nursery() as nursery:
        phoenix = Phoenix(nursery, game, 1, SETTINGS[name], tmp_path)

        def reboot_during_the_match(player: Participant) -> Iterable[bytes]:
            if any(lobby.match_runs for lobby in phoenix.endpoint.hall.lobbies.values()):
                phoenix.reboot()
            return ()

        with trio.fail_after(3600):
            await perform(cast("Fair", phoenix), game, mock_clock, 1, reboot_during_the_match)
        await wait_all_tasks_blocked()
        disk.forget_the_dead(phoenix)
        disk.write(len(disk.waiting))
        nursery.cancel_scope.cancel()
    (line,) = (tmp_path / "results.jsonl").read_bytes().splitlines()
    assert phoenix.deaths == 1
    assert orjson.loads(line)["reason"] == "aborted"


async def test_what_is_on_disk_is_forgotten(
    mock_clock: MockClock, tmp_path: Path, disk: Disk
) -> None:
    async with trio.open_nursery() as nursery:
        evening = await play(nursery, "hexxagon", mock_clock, tmp_path, disk)
        disk.write(evening.everything())
        phoenix = evening.phoenix
        with phoenix.endpoint.turns.turn():
            phoenix.chronicle.settle()
        (tmp_path / "results.jsonl").unlink()  # by an administrator
        await evening.die(0)
        assert not evening.everything()
        nursery.cancel_scope.cancel()


async def test_a_disk_that_hangs_does_not_fill_the_memory(
    mock_clock: MockClock, tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludothek.runtime.annals.MOST_OWED", 0)
    async with trio.open_nursery() as nursery:
        evening = await play(nursery, "hexxagon", mock_clock, tmp_path, disk)
        assert not any(b'"owed"' in entry for entry in evening.phoenix.chronicle.everything())
        disk.write(evening.everything())
        nursery.cancel_scope.cancel()
    assert len(evening.kept()["results"]) == 1


async def test_a_result_is_kept_even_if_the_next_version_cannot_repeat_the_match(
    mock_clock: MockClock, tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with trio.open_nursery() as nursery:
        evening = await play(nursery, "quidditch", mock_clock, tmp_path, disk)
        monkeypatch.setattr("ludothek.runtime.rerun.Rerun.repeat", _fail)
        await evening.die(0)
        disk.write(evening.everything())
        nursery.cancel_scope.cancel()
    kept = evening.kept()
    assert len(kept["results"]) == len(kept["matches"]) == 1
    assert "replays" not in kept


def _fail(*_: Any) -> Iterable[Participant]:
    raise RuntimeError("the rules have changed")
