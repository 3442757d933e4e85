"""Playing on from any position of a record, with other clients on the seats."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from games import hexxagon, penguins, quidditch, qwirkle, roborally
from games.hexxagon.messages import GameStarted, GameStatus
from games.penguins.messages import Memento, Room
from ludothek.contract.game import Game
from ludothek.runtime.continuation import CannotGoOn, Continuation
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay
from ludothek.storage.match_files import newest_first
from ludothek.storage.state import StateDirectory
from ludothek.testing.fair import open_fair
from ludothek.testing.lockstep import Participant, perform
from tests.games.quidditch.scene import BRIEF
from tests.support.records import record_match

# With settings for which random players need no more than a few seconds.
SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "quidditch": {"match": str(BRIEF), "accounts": "memory"},
    "roborally": {"max_rounds": 4},
}
GAMES = [hexxagon.GAME, penguins.GAME, quidditch.GAME, qwirkle.GAME, roborally.GAME]


def recorded(path: Path, game: Game) -> Record:
    file = record_match(path, game=game, settings=SETTINGS.get(game.name, {}))
    return Record.read(file.read_bytes())


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    path = tmp_path_factory.mktemp("state")
    return {game.name: recorded(path / game.name, game) for game in GAMES}


def positions(game: Game, record: Record) -> list[int]:
    """The notes after which a match is running."""
    replay, found = Replay(game, record), []
    for _ in replay:
        if replay.rerun.began is not None:
            found.append(replay.done)
    return found


async def play_on(
    game: Game, record: Record, place: int, clock: MockClock, state: StateDirectory | None = None
) -> list[Participant]:
    position = Continuation(game, record, place)
    async with open_fair(game, 99, state=state, continuation=position) as fair:
        for _ in range(place % 3):
            fair.connect()  # others, so that players have other numbers
        await wait_all_tasks_blocked()
        players = await perform(fair, game, clock, 5)
        await wait_all_tasks_blocked()
        assert fair.endpoint.hall.crashes == 0
    return players


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
async def test_others_play_on_from_any_position(
    game: Game, records: dict[str, Record], mock_clock: MockClock, tmp_path: Path
) -> None:
    record = records[game.name]
    found = positions(game, record)
    for place in [found[0], *random.Random(1).sample(found, 8), found[-1]]:
        state = StateDirectory(tmp_path / str(place))
        players = await play_on(game, record, place, mock_clock, state)
        state.close(seconds=60)
        assert [one.report is not None for one in players] == [True, True]
        assert [one.report.errors for one in players if one.report] == [0, 0]
        # What they have played has a record, too.
        again = Record.read(next(newest_first(state.path)).read_bytes())
        assert again.beginning.past is not None
        assert [*again.beginning.past.notes] == record.notes[:place]
        for _ in Replay(game, again):
            pass


async def test_the_first_that_a_player_sees_is_that_position(
    records: dict[str, Record], mock_clock: MockClock
) -> None:
    game, record = hexxagon.GAME, records["hexxagon"]
    place = positions(game, record)[20]
    replay = Replay(game, record)
    while replay.done < place:
        replay.step()
    position = replay.rerun.table.match.status()  # type: ignore[attr-defined]
    for one in await play_on(game, record, place, mock_clock):
        heard = [one.codec.decode(frame) for way, frame in one.transcript if way == "<"]
        started, first = [each for each in heard if isinstance(each, GameStarted | GameStatus)][:2]
        assert isinstance(started, GameStarted)
        assert isinstance(first, GameStatus)
        assert (first.turn, first.board) == (position.turn, position.board)
        assert first.turn > 1
        own = {first.player_one, first.player_two}
        assert not own & {position.player_one, position.player_two}
        assert first.player_one_user_name == "Player0"


async def test_penguins_see_the_position_and_who_is_asked(
    records: dict[str, Record], mock_clock: MockClock
) -> None:
    game, record = penguins.GAME, records["penguins"]
    place = positions(game, record)[-3]
    for one in await play_on(game, record, place, mock_clock):
        heard = [one.codec.decode(frame) for way, frame in one.transcript if way == "<"]
        states = [
            each.data.state
            for each in heard
            if isinstance(each, Room) and isinstance(each.data, Memento)
        ]
        assert states[0].turn > 20


def test_where_nobody_plays_nobody_can_play_on(records: dict[str, Record]) -> None:
    record = records["hexxagon"]
    for place in (0, 1, len(record.notes)):
        with pytest.raises(CannotGoOn, match=f"no match is running after note {place}"):
            Continuation(hexxagon.GAME, record, place)


def test_a_protocol_without_words_for_it_is_told(records: dict[str, Record]) -> None:
    game = attrs.evolve(hexxagon.GAME, take_over=None)
    with pytest.raises(CannotGoOn, match="nobody can enter a match of Hexxagon in the middle"):
        Continuation(game, records["hexxagon"], 5)
