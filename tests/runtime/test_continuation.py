"""Playing on from any position of a record, with other clients on the seats."""

import random
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games import hexxagon, penguins, quidditch, qwirkle, roborally
from games.hexxagon.messages import GameStarted, GameStatus
from games.penguins.messages import Memento, Room
from games.quidditch.messages import MatchStart, Reconnect
from games.qwirkle.messages import ConnectAccepted, StartGame, StartTiles, Update
from games.roborally.messages import Energy, Movement, PlayerAdded, StartingPointTaken
from games.roborally.rules import Cell, succeed
from ludothek.contract.game import Game
from ludothek.runtime.continuation import CannotGoOn, Continuation
from ludothek.runtime.record import BadRecord, Record
from ludothek.runtime.record_lines import MOST_PROLOGUES
from ludothek.runtime.replay import Replay
from ludothek.runtime.rerun import Prologue
from ludothek.storage.match_files import newest_first
from ludothek.storage.state import StateDirectory
from ludothek.testing.fair import open_fair
from ludothek.testing.lockstep import Participant, perform
from tests.games.quidditch.scene import BRIEF
from tests.support.records import record_match

FOUR = Path(__file__).parents[2] / "config" / "qwirkle" / "four-players.json"

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
        assert again.beginning.prologue is not None
        assert [*again.beginning.prologue.notes] == record.notes[:place]
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


def table_at(game: Game, record: Record, place: int) -> Any:
    replay = Replay(game, record)
    while replay.done < place:
        replay.step()
    return replay.rerun.table


def heard_by(one: Participant) -> list[Any]:
    return [one.codec.decode(frame) for way, frame in one.transcript if way == "<"]


async def test_qwirkle_tells_hands_board_and_scores(
    records: dict[str, Record], mock_clock: MockClock
) -> None:
    game, record = qwirkle.GAME, records["qwirkle"]
    place = positions(game, record)[40]
    match = table_at(game, record, place).match
    assert len(match.board) > 10
    for seat, one in enumerate(await play_on(game, record, place, mock_clock)):
        heard = heard_by(one)
        start = next(n for n, each in enumerate(heard) if isinstance(each, StartGame))
        started, tiles, update, scores = heard[start : start + 4]
        names = [client.client_name for client in started.clients]
        assert (started.config, names) == (match.config, ["Player0", "Player1"])
        assert tiles == StartTiles(match.hand(match.players[seat]))
        assert update == Update(match.board, len(match.position.bag))
        assert [*scores.scores] == started.clients
        assert [*scores.scores.values()] == [*match.scores.values()]
        own = next(each.client_id for each in heard if isinstance(each, ConnectAccepted))
        assert started.clients[seat].client_id == own


async def test_quidditch_tells_what_a_player_hears_who_comes_back(
    records: dict[str, Record], mock_clock: MockClock
) -> None:
    game, record = quidditch.GAME, records["quidditch"]
    found = positions(game, record)
    place = found[len(found) // 2]
    match = table_at(game, record, place).match
    for one in await play_on(game, record, place, mock_clock):
        heard = heard_by(one)
        assert not any(isinstance(each, MatchStart) for each in heard)
        told: Any = next(each for each in heard if isinstance(each, Reconnect))
        start = told.match_start.message
        assert (start.left_team_user_name, start.right_team_user_name) == ("Player0", "Player1")
        # Teams and configuration are those of the record.
        users = {"left_team_user_name": "Player0", "right_team_user_name": "Player1"}
        assert attrs.asdict(start) == attrs.asdict(match.start) | users
        assert told.snapshot.message.snapshot == match.seen
        assert told.snapshot.message.snapshot.round > 1
        asked = match.reconnect().next.message
        assert told.next.message.turn is asked.turn
        assert told.next.message.type is asked.type


async def test_teams_line_up_again_if_they_were_doing_so(
    records: dict[str, Record], mock_clock: MockClock
) -> None:
    game, record = quidditch.GAME, records["quidditch"]
    place = positions(game, record)[0]
    assert table_at(game, record, place).match.forming
    for one in await play_on(game, record, place, mock_clock):
        heard = heard_by(one)
        assert sum(isinstance(each, MatchStart) for each in heard) == 1
        assert not any(isinstance(each, Reconnect) for each in heard)


async def test_robots_are_where_they_were(
    records: dict[str, Record], mock_clock: MockClock
) -> None:
    game, record = roborally.GAME, records["roborally"]
    found = positions(game, record)
    place = found[len(found) // 2]
    players = table_at(game, record, place).latest_match.state.players
    for one in await play_on(game, record, place, mock_clock):
        heard = heard_by(one)
        ids = [each.player_id for each in heard if isinstance(each, PlayerAdded)][-2:]
        energy = [n for n, each in enumerate(heard) if isinstance(each, Energy)][:2]
        assert [heard[n].count for n in energy] == [player.energy for player in players]
        assert {heard[n].player_id for n in energy} == {*ids}
        places = {
            each.player_id: Cell(each.x, each.y)
            for each in heard[: energy[-1]]
            if isinstance(each, StartingPointTaken | Movement)
        }
        assert [*places.values()] == [player.position for player in players]


def test_robots_are_programmed_anew(records: dict[str, Record]) -> None:
    """Nobody could tell their new players what is in the registers."""
    game, record = roborally.GAME, records["roborally"]
    for place in positions(game, record):
        state = table_at(game, record, place).latest_match.state
        if any(player.finished for player in state.players) and state.timer:
            break
    after = succeed(state, (7, 8), random.Random(1))
    assert (after.player_ids, after.deciding, after.timer) == ((7, 8), (7, 8), False)
    for old, new in zip(state.players, after.players, strict=True):
        cards = [card for card in (*old.hand, *old.registers) if card is not None]
        assert sorted(new.hand) == sorted(cards)
        assert (new.position, new.deck, new.energy) == (old.position, old.deck, old.energy)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_where_no_match_is_running_nobody_can_play_on(
    game: Game, records: dict[str, Record]
) -> None:
    record = records[game.name]
    for place in (0, len(record.notes)):
        with pytest.raises(CannotGoOn, match=f"no match is running after note {place}"):
            Continuation(game, record, place)


def test_a_record_cannot_go_on_from_others_for_ever(records: dict[str, Record]) -> None:
    record = records["hexxagon"]
    beginning = record.beginning
    for _ in range(MOST_PROLOGUES + 1):
        beginning = attrs.evolve(beginning, prologue=Prologue(beginning, ()))
    with pytest.raises(BadRecord, match="it goes on from too many others"):
        Record.read(attrs.evolve(record, beginning=beginning).write())


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        (qwirkle.GAME, {"configuration": str(FOUR), "start_players": 3}),
        (roborally.GAME, {"min_players": 3, "max_rounds": 2}),
    ],
    ids=["qwirkle", "roborally"],
)
async def test_as_many_come_together_as_were_playing(
    game: Game, settings: Mapping[str, Any], mock_clock: MockClock, tmp_path: Path
) -> None:
    game = attrs.evolve(game, players=3)
    file = await trio.to_thread.run_sync(
        partial(record_match, tmp_path, game=game, settings=settings)
    )
    record = Record.read(file.read_bytes())
    found = positions(game, record)
    players = await play_on(game, record, found[len(found) // 2], mock_clock)
    assert [one.report is not None for one in players] == [True, True, True]
    assert [one.report.errors for one in players if one.report] == [0, 0, 0]


async def test_what_was_played_on_can_be_played_on_again(
    records: dict[str, Record], mock_clock: MockClock, tmp_path: Path
) -> None:
    game, record = qwirkle.GAME, records["qwirkle"]
    state = StateDirectory(tmp_path)
    await play_on(game, record, positions(game, record)[10], mock_clock, state)
    state.close(seconds=60)
    again = Record.read(next(newest_first(tmp_path)).read_bytes())
    players = await play_on(game, again, positions(game, again)[10], mock_clock)
    assert all(one.report for one in players)


def test_a_protocol_without_words_for_it_is_told(records: dict[str, Record]) -> None:
    game = attrs.evolve(hexxagon.GAME, take_over=None)
    with pytest.raises(CannotGoOn, match="nobody can enter a match of Hexxagon in the middle"):
        Continuation(game, records["hexxagon"], 5)
