"""Whatever happens at a table of any game can be repeated, byte by byte, from its record."""

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import orjson
import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Save
from ludothek.contract.keeping import Room
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay
from ludothek.storage.match_files import newest_first
from ludothek.storage.state import StateDirectory
from ludothek.testing.disturbances import give_orders, nonsense
from ludothek.testing.fair import NOON, Fair, open_fair
from ludothek.testing.lateness import LatenessSuite
from ludothek.testing.lockstep import Meddler, Participant, nobody_meddles, perform

# The folder for records of lobbies whose end is not waited for.
OPEN = "open"

# How often somebody is disturbed.
OFTEN = 0.05

# What clients say that nobody should read later; and, in the end, what anybody may say.
SECRET = b"sw0rdfish"
SECRETS = (
    b'{"password":"%s"}' % SECRET,
    b'{"messageType":"StartGame","Password" : "\\"%s"}' % SECRET,
    b'{"timestamp":"","payloadType":"joinRequest","payload":{"password":"%s' % SECRET,
    b"<authenticate password='%s'/>" % SECRET,
    b'{"password":[]}',
    b'{"password":-1e3,"password":null}',
    b'{"messageType":"SendChat","messageBody":{"message":"my password = 1234","to":-1}}',
    b'{"messageType":"SendChat","messageBody":{"message":"\\"password\\":\'1\'","to":-1}}',
)

Disturb = Callable[[Fair, random.Random], Meddler]


def nothing(fair: Fair, rng: random.Random) -> Meddler:
    """A match as it should be."""
    return nobody_meddles


def garbage(fair: Fair, rng: random.Random) -> Meddler:
    """Nonsense, damaged messages, and valid ones at the wrong time or from the wrong player."""
    heard: list[bytes] = []

    def meddle(player: Participant) -> Iterable[bytes]:
        heard.extend(frame for _, frame in player.transcript[-2:])
        if rng.random() < OFTEN:
            yield nonsense(rng, heard)

    return meddle


def secrets(fair: Fair, rng: random.Random) -> Meddler:
    """Passwords where nobody asks for them, in messages and in the chat."""

    def meddle(player: Participant) -> Iterable[bytes]:
        if rng.random() < OFTEN:
            yield rng.choice(SECRETS)

    return meddle


def orders(fair: Fair, rng: random.Random) -> Meddler:
    """An organiser who does not know what to do."""

    def meddle(player: Participant) -> Iterable[bytes]:
        if rng.random() < OFTEN:
            give_orders(fair, rng)
        return ()

    return meddle


def hanging_up(fair: Fair, rng: random.Random) -> Meddler:
    """A player who leaves in the middle."""

    def meddle(player: Participant) -> Iterable[bytes]:
        if rng.random() < OFTEN / 5:
            player.link.close()
        return ()

    return meddle


def shutting_down(fair: Fair, rng: random.Random) -> Meddler:
    """The daemon ends in the middle."""

    def meddle(player: Participant) -> Iterable[bytes]:
        if rng.random() < OFTEN / 5:
            fair.endpoint.close()
        return ()

    return meddle


def restless_clock() -> Clock:
    """Each look at the date shows another one."""
    looks = count()
    return Clock(date=lambda: NOON + timedelta(seconds=1.5 * next(looks)))


class RepeatingSuite(LatenessSuite):
    """Matches that are recorded and repeated."""

    async def record(
        self, time: MockClock, path: Path, seed: int, disturb: Disturb
    ) -> tuple[list[Path], list[Participant]]:
        """Let a match be played; returns the records of all that happened, and the players."""
        state = StateDirectory(path)
        clock = restless_clock()
        async with open_fair(self.game, seed, self.settings, clock=clock, state=state) as fair:
            meddler = disturb(fair, random.Random(seed))
            players = await perform(fair, self.game, time, seed, meddler)
            for lobby in fair.endpoint.hall.lobbies.values():  # also where nobody plays any more
                assert lobby.journal.problem == ""
                content = lobby.record(fair.endpoint.hall.about)
                state.archive.put(Save(OPEN, f"{lobby.key}.match", content, Room(files=100)))
            fair.endpoint.close()
            await wait_all_tasks_blocked()
            assert fair.endpoint.hall.crashes == 0
        state.close()
        return _records(path), players

    def repeat(self, file: Path) -> list[tuple[Client, bytes]]:
        """Repeat a record; returns what clients were sent."""
        record = Record.read(file.read_bytes())
        assert Record.read(record.write()) == record
        return [each for step in Replay(self.game, record) for each in step]

    @pytest.mark.trio
    @pytest.mark.parametrize(
        "disturb",
        [nothing, garbage, secrets, orders, hanging_up, shutting_down],
    )
    @pytest.mark.parametrize("seed", range(2))
    async def test_what_is_recorded_can_be_repeated(
        self, seed: int, disturb: Disturb, mock_clock: MockClock, tmp_path: Path
    ) -> None:
        files, players = await self.record(mock_clock, tmp_path, seed, disturb)
        assert files
        results = _results(tmp_path)
        assert {line["record"] for line in results} == {
            file.name for file in newest_first(tmp_path)
        }
        compared = set()
        for file in files:
            sent = self.repeat(file)
            assert SECRET not in b"".join(Record.read(file.read_bytes()).text())
            for number, player in enumerate(players, start=1):
                frames = [frame for client, frame in sent if client.number == number]
                compared.update([number] if frames else [])
                assert player.link.farewell or player.gone or _is_part(frames, _heard(player))
        assert disturb is not nothing or compared == {*range(1, self.game.players + 1)}

    @pytest.mark.trio
    async def test_what_was_late_can_be_repeated(
        self, mock_clock: MockClock, tmp_path: Path
    ) -> None:
        """Messages cross on the wire, and several matches follow each other."""
        state = StateDirectory(tmp_path)
        settings = self.late_settings(tmp_path)
        async with open_fair(self.game, 3, settings, clock=restless_clock(), state=state) as fair:
            await self.play_late(fair, 3)
            fair.endpoint.close()
            await wait_all_tasks_blocked()
        state.close(seconds=60)
        files = _records(tmp_path)
        assert len(files) >= self.late_matches
        for file in files:
            self.repeat(file)

    @pytest.mark.trio
    async def test_a_record_is_repeated_in_another_process(
        self, mock_clock: MockClock, tmp_path: Path
    ) -> None:
        """Its sets and dictionaries have another order if that depends on hashes."""
        for seed, disturb in enumerate((nothing, garbage)):
            files, _ = await self.record(mock_clock, tmp_path / str(seed), seed, disturb)
            done = _replay(files[0], str(1000 + seed))
            assert (done.returncode, done.stderr) == (0, "")


def _results(path: Path) -> list[dict[str, Any]]:
    lines = path / "results.jsonl"
    return [*map(orjson.loads, lines.read_bytes().splitlines())] if lines.exists() else []


def _records(path: Path) -> list[Path]:
    return [*newest_first(path), *sorted((path / OPEN).glob("*"))]


def _replay(file: Path, hash_seed: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "ludothek", "replay", file],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )


def _heard(player: Participant) -> Iterator[bytes]:
    yield from (frame for direction, frame in player.transcript if direction == "<")
    yield from player.link.received()


def _is_part(frames: Sequence[bytes], heard: Iterator[bytes]) -> bool:
    """Whether all these frames are among those that were heard, in the same order."""
    return all(frame in heard for frame in frames)
