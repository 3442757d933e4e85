"""What the web page shows of Hexxagon."""

from itertools import pairwise
from random import Random
from typing import Any

import attrs
import orjson
import pytest

from games.hexxagon.member import Admission
from games.hexxagon.messages import GameMove, LeaveGame, Tile, Uuid
from games.hexxagon.page import PAGE
from games.hexxagon.recipe import Recipe
from games.hexxagon.rules import ONE, START, Move, Side, State, Stuck, bit, legal_actions
from games.hexxagon.settings import Settings
from games.hexxagon.table import HexxagonTable
from games.hexxagon.visitor import Visitor
from ludothek.contract.orders import Abort, Shutdown, Start
from ludothek.testing.dummies import DummyClient
from tests.support.watched import Watched, only, sentences

MOVES = ("cloned", "cloned_capturing", "jumped", "jumped_capturing")
SECRETS = ("secret-lobby", "secret-one", "secret-two")


class Lobby(Watched):
    """A game between Eins and Zwei."""

    table: HexxagonTable

    def __init__(self, *, begun: bool = True, **settings: Any) -> None:
        lobby_id, one, two = map(Uuid, SECRETS)
        recipe = Recipe(lobby_id=lobby_id, name="Finale", settings=Settings(**settings))
        super().__init__(PAGE, lambda clock: HexxagonTable(recipe, clock, Random(1)))
        self.one = DummyClient(1, visitor=Visitor(one))
        self.two = DummyClient(2, visitor=Visitor(two))
        self.enter(self.one, Admission("Eins"))
        self.enter(self.two, Admission("Zwei"))
        if begun:
            self.order(Start())

    @property
    def state(self) -> State:
        assert self.table.match is not None
        return self.table.match.state

    @state.setter
    def state(self, state: State) -> None:
        assert self.table.match is not None
        self.table.match.state = state

    @property
    def game_id(self) -> Uuid:
        assert self.table.match is not None
        return self.table.match.game_id

    def move(self, origin: int, target: int) -> None:
        client = self.one if self.state.active is ONE else self.two
        move = GameMove(
            user_id=client.visitor.key,
            game_id=self.game_id,
            move_from=Tile(origin),
            move_to=Tile(target),
        )
        self.say(client, move)

    def leave_game(self) -> None:
        self.say(self.one, LeaveGame(user_id=self.one.visitor.key, game_id=self.game_id))


def play_at_random(seed: int) -> tuple[Lobby, list[tuple[Side, Move]]]:
    """A whole game, and who has made which move."""
    lobby, rng = Lobby(), Random(seed)
    made = []
    while not lobby.state.over:
        move = rng.choice(legal_actions(lobby.state))
        made.append((lobby.state.active, move))
        lobby.move(move.origin, move.target)
    return lobby, made


def test_a_lobby_has_nothing_to_show_before_its_game_begins() -> None:
    lobby = Lobby(begun=False)
    assert lobby.view is None
    assert lobby.positions == []


def test_the_first_position_shows_who_plays_and_begins() -> None:
    assert Lobby().view == {
        "stage": "running",
        "players": [
            seat("Eins", 6, "one", turn=True),
            seat("Zwei", 6, "two"),
        ],
        "move": 0,
        "board": {"tiles": START, "last": None},
        "winner": None,
        "reason": None,
    }


def seat(name: str, score: int, side: str, **others: bool) -> dict[str, Any]:
    seat = {"turn": False, "clock": None, "ticking": False, "gone": False, "own": {"side": side}}
    return {"name": name, "score": score, **seat, **others}


@pytest.mark.parametrize(
    ("move", "jump", "captured", "what"),
    [
        ((23, 24), False, [], "cloned"),
        ((23, 25), True, [], "jumped"),
        ((22, 30), False, [21, 39], "cloned_capturing"),
        ((22, 13), True, [21], "jumped_capturing"),
    ],
)
def test_the_last_move_is_shown_and_told_with_what_it_captured(
    move: tuple[int, int], jump: bool, captured: list[int], what: str
) -> None:
    lobby = Lobby()
    lobby.state = State(bit(22) | bit(23), bit(21) | bit(39) | bit(61), ONE)
    lobby.move(*move)
    origin, target = move
    last = {"side": "one", "from": origin, "to": target, "jump": jump}
    assert lobby.view["board"]["last"] == {**last, "captured": captured, "filled": []}
    told = {"what": what, "name": "Eins", "loser": "Zwei", "from": origin, "to": target}
    assert lobby.told == [{**told, "captured": len(captured)}]


def test_somebody_who_cannot_move_passes() -> None:
    lobby = stuck(Stuck.PASS)
    assert only(lobby.told, "passed") == [{"what": "passed", "name": "Zwei"}]
    assert [seat["turn"] for seat in lobby.view["players"]] == [True, False]


def test_free_tiles_that_are_filled_are_shown_and_told() -> None:
    lobby = stuck(Stuck.FILL)
    filled = lobby.view["board"]["last"]["filled"]
    told = {"what": "filled", "name": "Eins", "count": len(filled)}
    assert only(lobby.told, "filled", "passed") == [told]
    # Of 52 tiles, nine had stones, and one was moved to.
    assert len(filled) == 52 - 9 - 1


def stuck(rule: Stuck) -> Lobby:
    """A game in which the second player, in a corner, cannot move after the first move."""
    lobby = Lobby(stuck=rule)
    lobby.state = State(sum(map(bit, [2, 6, 7, 8, 12, 13, 4, 15])), bit(1), ONE)
    lobby.move(15, 24)
    return lobby


@pytest.mark.parametrize(
    ("end", "told", "winner", "reason", "gone"),
    [
        (Lobby.leave_game, [{"what": "left", "name": "Eins"}], "Zwei", "left", [True, False]),
        (
            lambda lobby: lobby.hang_up(lobby.two),
            [{"what": "left", "name": "Zwei"}],
            "Eins",
            "left",
            [False, True],
        ),
        (lambda lobby: lobby.order(Abort()), [], None, "aborted", [False, False]),
        (lambda lobby: lobby.order(Abort(lobby.two)), [], "Zwei", "aborted", [False, False]),
        (lambda lobby: lobby.order(Shutdown()), [], None, "aborted", [False, False]),
    ],
)
def test_an_early_end_is_shown_and_its_last_move_not_told_again(
    end: Any, told: list[Any], winner: str | None, reason: str, gone: list[bool]
) -> None:
    lobby = Lobby()
    lobby.move(30, 38)
    end(lobby)
    assert lobby.told[1:] == told
    view = lobby.view
    assert (view["stage"], view["winner"], view["reason"]) == ("ended", winner, reason)
    assert [seat["gone"] for seat in view["players"]] == gone
    assert not any(seat["turn"] for seat in view["players"])


@pytest.mark.parametrize("seed", range(5))
def test_every_move_of_a_match_is_told_exactly_once(seed: int) -> None:
    lobby, made = play_at_random(seed)
    names = {Side.PLAYERONE: "Eins", Side.PLAYERTWO: "Zwei"}
    told = [(event["name"], event["from"], event["to"]) for event in only(lobby.told, *MOVES)]
    assert told == [(names[side], move.origin, move.target) for side, move in made]
    assert [position["view"]["move"] for position in lobby.positions] == [*range(len(made) + 1)]
    passes = sum(one is other for (one, _), (other, _) in pairwise(made))
    assert len(only(lobby.told, "passed")) == passes


@pytest.mark.parametrize("seed", range(5))
def test_every_position_of_a_match_follows_from_the_one_before(seed: int) -> None:
    """Captured stones change sides, jumpers leave their tile, and nothing else happens."""
    lobby, _ = play_at_random(seed)
    views = [position["view"] for position in lobby.positions]
    for before, after in pairwise(views):
        last = after["board"]["last"]
        own = {"one": "1", "two": "2"}[last["side"]]
        tiles = list(before["board"]["tiles"])
        for tile in [last["to"], *last["captured"], *last["filled"]]:
            tiles[tile - 1] = own
        if last["jump"]:
            tiles[last["from"] - 1] = "."
        assert "".join(tiles) == after["board"]["tiles"]
        assert [tiles.count(sign) for sign in "12"] == [seat["score"] for seat in after["players"]]
    assert views[-1]["stage"] == "ended"


def test_nobody_learns_the_ids_that_clients_act_by() -> None:
    """Whoever knows them could pretend to be a player."""
    lobby, _ = play_at_random(7)
    shown = orjson.dumps(lobby.positions).decode()
    for secret in (*SECRETS, lobby.game_id):
        assert secret not in shown


def test_the_lobby_and_strikes_of_single_clients_are_not_told() -> None:
    lobby = Lobby()
    lobby.say(lobby.one, LeaveGame(user_id=Uuid("somebody else"), game_id=lobby.game_id))
    assert len(lobby.heard(lobby.one)) > 2  # a strike among them
    assert lobby.told == []


def test_a_match_that_was_taken_over_shows_its_last_move() -> None:
    past, lobby = Lobby(), Lobby()
    past.move(30, 38)
    past.move(27, 37)
    lobby._perform(lobby.table.take_over(past.table))
    assert lobby.view["board"] == past.view["board"]
    assert lobby.view["board"]["last"]["captured"] == [38]


def test_there_are_sentences_for_all_events_in_both_languages() -> None:
    for what in (*MOVES, "filled", "passed", "left"):
        assert sentences(PAGE.files, what) == 2


def test_legal_moves_are_plain() -> None:
    assert PAGE.move is not None
    moves = [PAGE.move(move) for move in legal_actions(Lobby().state)]
    assert {"from": 22, "to": 13} in moves
    assert orjson.loads(orjson.dumps(moves)) == moves


def test_the_position_does_not_depend_on_who_looks() -> None:
    lobby = Lobby()
    one, two = PAGE.view(lobby.table, False), PAGE.view(lobby.table, True)
    assert one is not None
    assert attrs.asdict(one) == (attrs.asdict(two) if two else None)
