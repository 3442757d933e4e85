"""A match over the wire that begins in a given scene.

A match file makes things certain or impossible. Both clients line up as always; then the match is
put into that scene (see `moments`) instead of its first round.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

from games.quidditch import artefacts, rules
from games.quidditch.messages import MatchConfig
from games.quidditch.rules import Progress, Side, State, Step
from tests.games.quidditch.clients import QuidditchClient, start_match
from tests.games.quidditch.moments import under
from tests.games.quidditch.scene import changed, match_config
from tests.support.helpers import NOON, Fair, Peer, open_fair

_GROUPS = ("extra_move", "foul_detection", "fan_foul_detection")


def chances(**certain: float) -> MatchConfig:
    """A match in which nothing happens by chance except for what is named."""
    config = match_config()
    odds = config.probabilities
    paths = [name for name in attrs.asdict(odds, recurse=False) if name not in _GROUPS]
    for group in _GROUPS:
        paths += [f"{group}.{name}" for name in attrs.asdict(getattr(odds, group))]
    named = {key.replace("__", "."): value for key, value in certain.items()}
    assert named.keys() <= set(paths), named
    values = dict.fromkeys(paths, 0.0) | named
    result: MatchConfig = changed(
        config, {f"probabilities.{path}": value for path, value in values.items()}
    )
    return result


@attrs.frozen
class Stage:
    """Two clients who have both heard whose turn it is."""

    fair: Fair
    clients: dict[Side, QuidditchClient]

    async def ask(self, side: Side, request: dict[str, Any]) -> tuple[list[Any], Any]:
        """Ask for something; returns the snapshots that both hear, and what comes after them."""
        await self.clients[side].say("deltaRequest", request)
        return await self.hear_out()

    async def hear_out(self) -> tuple[list[Any], Any]:
        left, right = [await _hear_out(client) for client in self.clients.values()]
        assert left == right
        return left


async def _hear_out(client: QuidditchClient) -> tuple[list[Any], Any]:
    shots = []
    while (message := await client.peer.hear())["payloadType"] == "snapshot":
        shots.append(message["payload"])
    return shots, message


def begin_with(monkeypatch: pytest.MonkeyPatch, state: State) -> None:
    """Let matches begin in a scene, with the probabilities of their own configuration."""

    def start(config: rules.MatchConfig, *rest: Any) -> Progress:
        return Progress(under(state, config), (Step(state.snapshot),))

    monkeypatch.setattr(rules, "start", start)


@asynccontextmanager
async def staged(
    monkeypatch: pytest.MonkeyPatch, folder: Path, state: State, config: MatchConfig
) -> AsyncIterator[Stage]:
    path = folder / "match.json"
    path.write_bytes(artefacts.write(config, NOON))
    begin_with(monkeypatch, state)
    async with open_fair("quidditch", settings={"match": str(path)}) as fair:
        names = {Side.LEFT: "harry", Side.RIGHT: "draco"}
        clients = {
            side: await QuidditchClient.login(Peer(fair.connect()), name)
            for side, name in names.items()
        }
        await start_match(*clients.values())
        stage = Stage(fair, clients)
        _, question = await stage.hear_out()
        assert state.turn is not None
        assert question["payload"]["turn"] == state.turn.entity
        yield stage
        assert fair.endpoint.hall.crashes == 0
