"""Programs that misbehave: each loses for the right reason, next to a healthy one."""

import os
from pathlib import Path

import attrs
import pytest

from ludothek.arena import program as program_module
from ludothek.arena.bounds import Bounds
from ludothek.arena.outcome import Finish, Reason
from ludothek.arena.played import Played
from tests.arena.games import BOUNDS, animal, bot, played, program, running, task, within


@pytest.fixture(autouse=True)
def _no_long_farewell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of these would not use the time that they have to end by themselves."""
    monkeypatch.setattr(program_module, "LEAVE_SECONDS", 0.05)
    monkeypatch.setattr(program_module, "TERM_SECONDS", 0.1)


async def beaten(kind: str, folder: Path, bounds: Bounds = BOUNDS) -> Finish:
    """What an animal gets that plays Penguins; its opponent must be undisturbed."""
    game = task("penguins", animal(kind), bot(), folder=folder, bounds=bounds)
    return loser(await played(game), seat=0)


def loser(result: Played, seat: int) -> Finish:
    assert result.outcome.failure is None
    other = result.outcome.finishes[1 - seat]
    assert (other.rank, other.reason, other.words) == (1, Reason.REGULAR, "")
    lost = result.outcome.finishes[seat]
    assert lost.rank == 2
    return lost


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("hasty", Reason.EXITED),
        ("deserter", Reason.EXITED),
        ("broken", Reason.CRASHED),
        ("victim", Reason.CRASHED),
        ("leaver", Reason.LEFT),
        ("twins", Reason.CONNECTED_TWICE),
        ("stammerer", Reason.ILLEGAL),
        ("stranger", Reason.ILLEGAL),
        ("chatterbox", Reason.FLOOD),
    ],
)
async def test_misbehaviour_loses_by_its_name(kind: str, reason: Reason, tmp_path: Path) -> None:
    lost = await beaten(kind, tmp_path)
    assert lost.reason is reason, lost
    assert lost.words.endswith(".")


@pytest.mark.parametrize(
    ("kind", "bounds", "reason"),
    [
        ("absent", within(startup_seconds=1.0), Reason.NEVER_CONNECTED),
        ("sleeper", within(move_seconds=0.5), Reason.SILENT),
        ("printer", within(files_megabytes=1), Reason.FILES),
        ("rabbit", within(processes=20), Reason.PROCESSES),
        ("glutton", within(memory_megabytes=64), Reason.MEMORY),
        # What five processes share counts once.
        ("family", within(memory_megabytes=64, move_seconds=0.5), Reason.SILENT),
        ("spinner", within(cpu_seconds=1.0), Reason.CPU),
    ],
)
async def test_exceeding_a_bound_loses_by_its_name(
    kind: str, bounds: Bounds, reason: Reason, tmp_path: Path
) -> None:
    lost = await beaten(kind, tmp_path, bounds)
    assert lost.reason is reason, lost


@pytest.mark.usefixtures("enclosed")
@pytest.mark.parametrize(
    ("kind", "bounds", "reason"),
    [
        ("miser", within(memory_megabytes=64), Reason.MEMORY),
        ("assassin", within(move_seconds=0.5), Reason.SILENT),
    ],
)
async def test_a_sandbox_sees_what_belongs_to_nobody_and_cannot_be_stopped(
    kind: str, bounds: Bounds, reason: Reason, tmp_path: Path
) -> None:
    lost = await beaten(kind, tmp_path, bounds)
    assert lost.reason is reason, lost


async def test_a_move_for_the_other_seat_loses(tmp_path: Path) -> None:
    """The first to move does not move, and has done nothing wrong so far."""
    game = task("penguins", animal("sleeper"), animal("meddler"), folder=tmp_path)
    lost = loser(await played(game), seat=1)
    assert lost.reason is Reason.ILLEGAL
    assert "(clause Zug.3)" in lost.words


async def test_a_refusal_without_consequences_is_no_offence_when_another_one_ends_the_game(
    tmp_path: Path,
) -> None:
    game = task("penguins", animal("nagger"), animal("meddler"), folder=tmp_path)
    assert loser(await played(game), seat=1).reason is Reason.ILLEGAL


@pytest.mark.parametrize("seat", [0, 1])
async def test_whoever_goes_to_another_lobby_loses_and_not_who_waits(
    seat: int, tmp_path: Path
) -> None:
    entrants = [bot(), bot()]
    entrants[seat] = animal("loner")
    bounds = within(startup_seconds=1.0)
    lost = loser(await played(task("penguins", *entrants, folder=tmp_path, bounds=bounds)), seat)
    assert lost.reason is Reason.SILENT
    assert lost.words == "It was not ready to play within 1 seconds; it is in another lobby."


async def test_nobody_can_open_a_second_lobby_of_the_same_name(tmp_path: Path) -> None:
    """The opponent would go there and wait."""
    decoy = animal("decoy", "{host}", "{port}", "{lobby}")
    result = await played(task("hexxagon", decoy, bot(), folder=tmp_path))
    assert loser(result, seat=0).reason is Reason.EXITED
    assert result.files["000001-1.log"] == b"False"


async def test_a_command_that_does_not_exist_loses(tmp_path: Path) -> None:
    game = task("hexxagon", bot(), program("Ada", "no-such-program", "{port}"), folder=tmp_path)
    lost = loser(await played(game), seat=1)
    assert lost.reason is Reason.NOT_STARTED
    assert lost.words == "The program cannot be started: No such file or directory."


@pytest.mark.parametrize("seat", [0, 1])
async def test_somebody_elses_name_loses(seat: int, tmp_path: Path) -> None:
    entrants = [bot("Ada"), bot("Bo")]
    cuckoo = animal("cuckoo", "{host}", "{port}", "{name}")
    entrants[seat] = attrs.evolve(cuckoo, name=entrants[seat].name)
    lost = loser(await played(task("qwirkle", *entrants, folder=tmp_path)), seat)
    assert lost.reason is Reason.WRONG_NAME


async def test_what_a_crashed_program_said_last_is_told(tmp_path: Path) -> None:
    result = await played(task("penguins", animal("broken"), bot(), folder=tmp_path))
    lost = loser(result, seat=0)
    assert lost.words == "The program ended with exit code 1: RuntimeError: no opening book."
    assert lost.log is not None
    assert result.files[lost.log].startswith(b"Traceback")


async def test_output_is_cut_in_the_middle(tmp_path: Path) -> None:
    bounds = within(files_megabytes=1, output_kilobytes=2)
    result = await played(
        task("penguins", animal("printer"), bot(), folder=tmp_path, bounds=bounds)
    )
    lost = loser(result, seat=0)
    assert lost.log is not None
    text = result.files[lost.log]
    assert len(text) < 2200
    assert b"bytes are left out here" in text
    assert lost.reason is Reason.FILES


async def test_two_who_never_come_have_both_lost(tmp_path: Path) -> None:
    bounds = within(startup_seconds=0.5)
    game = task("penguins", animal("absent"), animal("absent"), folder=tmp_path, bounds=bounds)
    finishes = (await played(game)).outcome.finishes
    assert [each.reason for each in finishes] == [Reason.NEVER_CONNECTED] * 2
    assert [each.rank for each in finishes] == [2, 2]


async def test_whoever_fails_more_slowly_has_not_won(tmp_path: Path) -> None:
    entrants = animal("broken"), animal("late", "0.7")
    finishes = (await played(task("penguins", *entrants, folder=tmp_path))).outcome.finishes
    assert [each.reason for each in finishes] == [Reason.CRASHED, Reason.EXITED]
    assert [each.rank for each in finishes] == [2, 2]


async def test_whoever_goes_because_the_game_is_over_has_done_nothing_wrong(tmp_path: Path) -> None:
    bounds = within(startup_seconds=1.0)
    game = task("penguins", animal("polite"), animal("absent"), folder=tmp_path, bounds=bounds)
    assert loser(await played(game), seat=1).reason is Reason.NEVER_CONNECTED


async def test_whoever_hangs_up_before_the_game_has_been_there(tmp_path: Path) -> None:
    bounds = within(startup_seconds=1.0)
    game = task("penguins", animal("visitor"), bot(), folder=tmp_path, bounds=bounds)
    lost = loser(await played(game), seat=0)
    assert lost.reason is Reason.LEFT
    assert lost.words == "It closed its connection and did not come back."


async def test_with_more_players_the_others_play_on(tmp_path: Path) -> None:
    others = [bot("Ada"), bot("Bo")]
    leaver = animal("quitter", "{host}", "{port}", "{name}")
    result = await played(task("qwirkle", others[0], leaver, others[1], folder=tmp_path))
    one, lost, three = result.outcome.finishes
    assert (lost.rank, lost.reason) == (3, Reason.EXITED)
    assert {one.rank, three.rank} == {1, 2}
    assert one.thinking.moves > 5
    assert three.thinking.moves > 5


async def test_a_game_that_takes_too_long_is_lost_by_whoever_thought_longest(
    tmp_path: Path,
) -> None:
    bounds = within(game_seconds=1.0)
    game = task("penguins", bot(), animal("sleeper"), folder=tmp_path, bounds=bounds)
    assert loser(await played(game), seat=1).reason is Reason.OVERTIME


async def test_nothing_stays_behind(tmp_path: Path) -> None:
    mark = f"mark-{os.getpid()}"
    words = ("{host}", "{port}", "{reservation}", mark)
    bounds = within(move_seconds=0.5)
    for kind in ("hydra", "sleeper"):
        await played(task("penguins", animal(kind, *words), bot(), folder=tmp_path, bounds=bounds))
    assert running(mark) == []
