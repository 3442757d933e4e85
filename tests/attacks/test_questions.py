"""Short questions with long answers: clients that keep asking must not keep the daemon busy."""

from typing import Any

import pytest
from trio.testing import MockClock

from games.hexxagon.codec import HexxagonCodec
from games.hexxagon.messages import AvailableLobbies
from tests.attacks.arena import open_arena
from tests.support.hexxagon import HexxagonClient, start_game


async def test_a_list_of_lobbies_is_written_once_until_a_lobby_changes(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    write = HexxagonCodec._write

    def count(codec: HexxagonCodec, message: Any) -> bytes:
        if isinstance(message, AvailableLobbies):
            written.append(message)
        return write(codec, message)

    monkeypatch.setattr(HexxagonCodec, "_write", count)
    async with (
        open_arena("hexxagon") as arena,
        arena.server.connect() as asking,
        arena.server.connect() as one,
        arena.server.connect() as two,
    ):
        curious, *players = [await HexxagonClient.arrive(peer) for peer in (asking, one, two)]
        lobby = await curious.create()
        for _ in range(50):
            (listed,) = await curious.lobbies()
        assert (len(written), "playerOne" in listed) == (1, False)

        await players[0].join(lobby, "Eins")
        for client in (curious, players[0]) * 25:
            (listed,) = await client.lobbies()
        assert (len(written), listed["playerOneUserName"]) == (2, "Eins")

        await players[0].say("LeaveLobby", lobbyId=lobby)
        assert await players[0].lobbies() == []
        await start_game(*players)
        assert await curious.lobbies() == await players[0].lobbies() == []
        assert len(written) == 3
