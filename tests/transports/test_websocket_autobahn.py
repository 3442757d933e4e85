"""The fuzzing client of Autobahn against our transport, where it is installed (as ``wstest``).

Frames of text in all sizes and pieces, pings, reserved bits, broken UTF-8, close codes; not binary
messages, which are refused, nor compression, which is not offered.
"""

import json
import shutil
from functools import partial
from pathlib import Path

import pytest
import trio

from transports import Link, Poller, Unreadable, WebSocket, open_listeners

CASES = [f"{group}.*" for group in ("1.1", "2", "3", "4", "5", "6", "7", "9.1", "9.3", "9.5", "10")]
FINE = {"OK", "NON-STRICT", "INFORMATIONAL"}


async def echo(link: Link) -> None:
    try:
        while True:
            if not isinstance(frame := await link.receive(), Unreadable):
                await link.send(frame)
    except (trio.EndOfChannel, trio.BrokenResourceError):
        pass
    finally:
        await link.aclose()


@pytest.mark.skipif(shutil.which("wstest") is None, reason="wstest is not installed")
async def test_the_fuzzing_client_finds_no_failure(
    tmp_path: Path, poller: Poller, nursery: trio.Nursery
) -> None:
    listeners = await open_listeners("127.0.0.1", 0)
    port = listeners[0].socket.getsockname()[1]
    serve = partial(WebSocket(max_bytes=32 * 1024 * 1024).serve, poller=poller)
    await nursery.start(serve, echo, listeners, nursery)
    server = {"agent": "ludothek", "url": f"ws://127.0.0.1:{port}"}
    spec = {"outdir": str(tmp_path), "servers": [server], "cases": CASES, "exclude-cases": []}
    await trio.Path(tmp_path / "spec.json").write_text(json.dumps(spec))
    command = ["wstest", "-m", "fuzzingclient", "-s", "spec.json"]
    await trio.run_process(command, cwd=tmp_path, capture_stdout=True, capture_stderr=True)
    report = json.loads(await trio.Path(tmp_path / "index.json").read_text())["ludothek"]
    assert len(report) > 200
    assert {case: e for case, e in report.items() if e["behavior"] not in FINE} == {}
    nursery.cancel_scope.cancel()
