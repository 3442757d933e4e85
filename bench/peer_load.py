"""The load for servers on Node: their own clients, in one Node process."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.disturbance import usage_of
from bench.hexxagon_load import records
from bench.load import Taken
from bench.measure import LOAD_CORE, CannotMeasure, on_core

HERE = Path(__file__).parent / "peers"


def installed() -> bool:
    """Whether Node and the packages of bench/peers are installed."""
    return shutil.which("node") is not None and (HERE / "node_modules").is_dir()


def node(script: str, *arguments: str) -> list[str]:
    return ["node", "--expose-gc", str(HERE / script), *arguments]


class PeerLoad:
    """Clients of one of the servers on Node."""

    def __init__(self, port: int, script: str, seed: int) -> None:
        self._records = tempfile.NamedTemporaryFile("w", suffix=".json")  # noqa: SIM115
        json.dump(_plain(seed), self._records)
        self._records.flush()
        with on_core(LOAD_CORE):
            self._process = subprocess.Popen(
                node(script, str(port), self._records.name),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def connect(self, count: int) -> None:
        self._do("connect", count=count)

    def deal(self) -> None:
        self._do("deal")

    def play(self, *, rate: float = 0, seconds: float, moves: int | None = None) -> Taken:
        begin = usage_of(self.pid).cpu
        taken = self._do("play", rate=rate, seconds=seconds, moves=moves)
        busy = usage_of(self.pid).cpu - begin
        return Taken(taken["steps"], taken["seconds"], busy, taken["micros"])

    def leave(self) -> None:
        self._do("leave")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._records.close()

    def _do(self, what: str, **details: float | None) -> Any:
        process = self._process
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(json.dumps({"do": what, **details}) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            process.kill()
            raise CannotMeasure(f"the clients on Node failed: {process.stderr.read()}")
        return json.loads(answer)


def _plain(seed: int) -> Sequence[dict[str, Any]]:
    """The recorded games with tiles counted from 0."""
    return [
        {
            "moves": [(player, m.origin - 1, m.target - 1) for player, m in record.moves],
            "points": record.points,
        }
        for record in records(seed)
    ]
