"""Hexxagon goes on in another process: lobbies, what is listed, and who has created what."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

import pytest
import trio
from trio.testing import MockClock

from games.hexxagon import GAME, rules
from games.hexxagon.messages import (
    CreateNewLobby,
    GameMove,
    GetAvailableLobbies,
    JoinLobby,
    LeaveGame,
    LeaveLobby,
    StartGame,
    Tile,
    Uuid,
)
from games.hexxagon.recipe import Recipe
from games.hexxagon.rules import Stuck
from games.hexxagon.settings import Settings
from games.hexxagon.table import HexxagonTable
from ludothek.contract import plain
from ludothek.contract.orders import Abort, Opening, Start
from ludothek.runtime.connection import Connection
from ludothek.testing.lockstep import Participant, perform
from ludothek.testing.phoenix import Phoenix
from tests.support.crowd import Crowd
from tests.support.hexxagon import UNKNOWN
from tests.support.twins import TwinClient, open_twins

if TYPE_CHECKING:
    from ludothek.testing.fair import Fair

# So tight that lobbies are refused, closed for others, and forgotten.
SETTINGS = {
    "max_strikes": 6,
    "max_turns": 12,
    "max_lobbies": 4,
    "max_lobbies_per_client": 2,
    "empty_lobby_seconds": 40,
    "abandoned_lobby_seconds": 15,
    "occupied_lobby_seconds": 90,
    "idle_seat_seconds": 20,
}
STEPS = 250


def test_a_recipe_survives_as_plain_data() -> None:
    recipe = Recipe(
        lobby_id=Uuid(UNKNOWN),
        name='Lobby "Ä" \ud83d',  # half a character at the end
        settings=Settings(stuck=Stuck.FILL, max_turns=3),
        creator=Uuid("me"),
    )
    assert plain.read(plain.write(recipe), "games.hexxagon", lambda number: None) == recipe


class HexxagonCrowd(Crowd):
    """People in lobbies and games."""

    fewest, most = 2, 6

    async def _do(self, client: TwinClient) -> None:
        rng, twins = self._rng, self._twins
        match rng.randrange(40):
            case 0:
                await twins.hang_up(client)
            case 1 | 2 | 3:
                await twins.wait(rng.choice([0.5, 5.0, 25.0]))
            case 4 if twins.tables:
                key = rng.choice([*twins.tables])
                if rng.random() < 0.3:
                    await twins.order(key, Abort, rng.choice([None, client]))
                else:
                    await twins.order(key, lambda client: Start())
            case 5:
                await twins.open(Opening(name="Organised"))
            case _:
                connection = twins.connection(client)
                messages = [*self._messages(connection)]
                await twins.say(client, rng.choice(messages))

    def _messages(self, client: Connection) -> Iterator[Any]:
        """What a client may think of saying; sensible things more often."""
        rng, user = self._rng, Uuid(client.key)
        if client.place is None:
            keys = [UNKNOWN, *self._twins.tables]
            yield CreateNewLobby(user_id=user, lobby_name=rng.choice(["Lobby", " "]))
            for key in keys:
                yield JoinLobby(
                    user_id=user, lobby_id=Uuid(key), user_name=rng.choice(["A", "B", ""])
                )
        yield GetAvailableLobbies(user_id=user)
        visitor = client.visitor
        table = self._twins.tables.get(client.place or "")
        lobby = Uuid(client.place or visitor.past_lobby or UNKNOWN)
        game = visitor.past_game or Uuid(UNKNOWN)
        if isinstance(table, HexxagonTable) and table.match is not None:
            game = table.match.game_id
            for _ in range(20):
                yield self._move(user, game, table.match.state)
        yield StartGame(user_id=user, lobby_id=lobby)
        yield rng.choice(
            [
                LeaveLobby(user_id=user, lobby_id=lobby),
                LeaveGame(user_id=user, game_id=game),
                StartGame(user_id=user, lobby_id=Uuid(UNKNOWN)),
                b"nonsense",
            ]
        )

    def _move(self, user: Uuid, game: Uuid, state: rules.State) -> GameMove:
        move = self._rng.choice(rules.legal_actions(state))
        return GameMove(
            user_id=user, game_id=game, move_from=Tile(move.origin), move_to=Tile(move.target)
        )


@pytest.mark.parametrize("seed", range(6))
async def test_nobody_notices_that_the_process_has_died(
    seed: int, autojump_clock: MockClock
) -> None:
    async with open_twins(GAME, seed, SETTINGS) as twins:
        crowd = HexxagonCrowd(twins, seed)
        for _ in range(STEPS):
            await crowd.act()
        assert twins.deaths > 5
        heard = b"".join(frame for client in twins.clients for frame in client.heard)
        for kind in (b"GameStarted", b'"isClosed":true', b"Strike", b"AvailableLobbies"):
            assert kind in heard


async def test_strikes_are_those_of_the_latest_lobby_not_of_the_last_that_was_repeated(
    autojump_clock: MockClock,
) -> None:
    async with open_twins(GAME, 1, SETTINGS, risk=0) as twins:
        stays, moves = await twins.connect(), await twins.connect()
        await twins.open(Opening())
        await twins.open(Opening())
        old, new = map(Uuid, twins.tables)
        names = {client: Uuid(twins.connection(client).key) for client in (stays, moves)}
        for client in (stays, moves):
            join = JoinLobby(user_id=names[client], lobby_id=new, user_name="Anybody")
            await twins.say(client, join)
        await twins.say(moves, b"nonsense")
        await twins.say(moves, LeaveLobby(user_id=names[moves], lobby_id=new))
        await twins.say(moves, JoinLobby(user_id=names[moves], lobby_id=old, user_name="Anybody"))
        await twins.say(moves, b"nonsense")
        twins.die()
        await twins.say(moves, b"nonsense")
        assert b'"strikeCount":3' in moves.heard[-1]


async def test_what_was_carried_over_counts_matches_and_not_lobbies(mock_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        phoenix = Phoenix(nursery, GAME, 1, {})
        counted = []

        def die(player: Participant) -> Iterable[bytes]:
            running = sum(lobby.match_runs for lobby in phoenix.endpoint.hall.lobbies.values())
            phoenix.die()
            carried = phoenix.endpoint.carried
            counted.append((running, carried.matches, carried.all_matches))
            return ()

        await perform(cast("Fair", phoenix), GAME, mock_clock, 1, die)
        nursery.cancel_scope.cancel()
    assert {*counted} == {(0, 0, 0), (1, 1, 1)}
