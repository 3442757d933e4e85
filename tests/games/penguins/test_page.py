"""What the web page shows of Penguins."""

from itertools import pairwise
from random import Random
from typing import Any

import attrs
import orjson
import pytest

from games.penguins.member import Admission
from games.penguins.messages import Pause, Room, Step, UnreadableMove
from games.penguins.notices import Observing
from games.penguins.page import PAGE
from games.penguins.recipe import Recipe, Seat
from games.penguins.rules import Board, Coordinates, Move, State, Team, legal_actions, position
from games.penguins.settings import Settings
from games.penguins.table import PenguinsTable
from ludothek.contract.orders import Abort, Resume
from ludothek.contract.orders import Pause as PauseOrder
from ludothek.contract.orders import Step as StepOrder
from ludothek.testing.dummies import DummyClient
from tests.games.penguins.scene import NO_TARGET
from tests.support.watched import Watched, only, sentences

MOVES = ("set", "slid", "slid_catching")
ROOM, CODE, OBSERVER = "secret-room", "secret-code", "secret-observer"
OFFENCES = (
    "not_own",
    "place_first",
    "not_possible",
    "all_placed",
    "not_single_fish",
    "unrecognised",
    "not_your_turn",
    "not_requested",
)


class Game(Watched):
    """A prepared game of Anna, whose moves are timed, against somebody without a name."""

    table: PenguinsTable

    def __init__(self, *, begun: bool = True, paused: bool = False, **settings: Any) -> None:
        seats = (Seat(Team.ONE, "Anna", True, None), Seat(Team.TWO, " ", False, CODE))
        known = Settings(**{"board_seed": 42, "request_gap_seconds": 0, **settings})
        recipe = Recipe(room_id=ROOM, settings=known, seats=seats, paused=paused)
        super().__init__(PAGE, lambda clock: PenguinsTable(recipe, clock, Random(1)))
        self.clients = (DummyClient(1), DummyClient(2))
        observer = DummyClient(3)
        observer.key = observer.name = OBSERVER
        self._perform(self.table.told(Observing(observer)))
        if begun:
            self.enter(self.clients[0], Admission())
            self.enter(self.clients[1], Admission(CODE))

    @property
    def state(self) -> State:
        return self.table.match.state

    @state.setter
    def state(self, state: State) -> None:
        self.table.match.state = state

    def move(self, move: Move | UnreadableMove, by: Team | None = None) -> None:
        self.say(self.clients[(by or self.state.team).index], Room(ROOM, move))

    def play(self, moves: int) -> list[tuple[Team, Move]]:
        """Make so many legal moves; returns who has made which."""
        rng = Random(moves)
        made: list[tuple[Team, Move]] = []
        while len(made) < moves and not self.state.over:
            made.append((self.state.team, rng.choice(legal_actions(self.state))))
            self.move(made[-1][1])
        return made


def place(x: int, y: int) -> Coordinates:
    return Coordinates(x, y)


def setting(x: int, y: int) -> Move:
    return Move(None, place(x, y))


def slide(x: int, y: int, to_x: int, to_y: int) -> Move:
    return Move(place(x, y), place(to_x, to_y))


def test_a_room_has_nothing_to_show_before_its_game_begins() -> None:
    game = Game(begun=False)
    game._perform(game.table.told(Pause(ROOM, True)))
    assert game.view is None
    game._perform(game.table.told(Step(ROOM, forced=True)))
    assert game.table.result is not None
    assert (game.view, game.positions) == (None, [])


def test_the_first_position_shows_who_plays_and_begins() -> None:
    game = Game()
    assert game.view == {
        "stage": "running",
        "players": [
            seat("Anna", 0, "ONE", 0, turn=True, clock=2.0, ticking=True),
            seat("TWO", 0, "TWO", 0),
        ],
        "move": 0,
        "board": {"rows": [*game.state.board.rows()], "last": None},
        "winner": None,
        "reason": None,
    }


def seat(name: str, score: int, team: str, penguins: int, **others: Any) -> dict[str, Any]:
    seat = {"name": name, "score": score, "turn": False, "clock": None}
    own = {"team": team, "penguins": penguins, "violation": None}
    return {**seat, "ticking": False, "gone": False, "own": own, **others}


def test_a_penguin_that_is_set_is_shown_and_told() -> None:
    game = Game()
    game.move(setting(2, 0))
    last = {"team": "ONE", "from": None, "to": [2, 0], "fish": 1}
    assert game.view["board"]["last"] == last
    assert game.view["board"]["rows"][0] == "1R313122"
    assert game.told == [{"what": "set", "name": "Anna", "to": "2|0"}]
    assert [seat["own"]["penguins"] for seat in game.view["players"]] == [1, 0]


def test_a_slide_is_shown_and_told_with_its_catch() -> None:
    game = game_at("RRRR2030", "BBBB1000")
    game.move(slide(6, 0, 8, 0))
    last = {"team": "ONE", "from": [6, 0], "to": [8, 0], "fish": 2}
    assert game.view["board"]["last"] == last
    told = {"what": "slid_catching", "name": "Anna", "from": "6|0", "to": "8|0", "fish": 2}
    assert game.told[0] == told


def test_a_team_that_cannot_move_any_more_is_told_once() -> None:
    game = game_at("RRRR1000", "00000000", "BBBB1111")
    game.move(slide(6, 0, 8, 0))
    game.move(slide(6, 2, 8, 2))
    assert only(game.told, "stuck") == [{"what": "stuck", "name": "Anna"}]
    assert [seat["turn"] for seat in game.view["players"]] == [False, True]


def game_at(*rows: str) -> Game:
    """A game of which nothing is left but the first rows."""
    game = Game()
    board = Board.from_rows([*rows, *["00000000"] * (8 - len(rows))])
    game.state = position(board, 8, (4, 4))
    return game


def test_a_clock_runs_for_a_player_who_can_run_out_of_time() -> None:
    game = Game(request_gap_seconds=0.5)
    assert clocks(game) == [(2.0, True), (None, False)]
    game.wait(0.5)  # until the move is requested: people see no difference
    assert len(game.positions) == 1
    game.wait(0.75)
    assert clocks(game) == [(1.25, True), (None, False)]
    game.move(setting(2, 0))
    assert clocks(game) == [(2.0, False), (None, False)]
    game.wait(1.0)
    game.move(setting(0, 0))
    assert clocks(game) == [(2.0, True), (None, False)]


def clocks(game: Game) -> list[tuple[float | None, bool]]:
    return [(seat["clock"], seat["ticking"]) for seat in game.view["players"]]


def test_a_pause_is_shown_and_told_and_no_move_is_told_twice() -> None:
    game = Game()
    game.order(PauseOrder())
    game.move(setting(2, 0))
    assert game.view["stage"] == "paused"
    assert clocks(game)[1] == (None, False)
    game.order(StepOrder())
    game.move(setting(0, 0))
    assert clocks(game)[0] == (2.0, False)  # it is Anna's turn, but she has not been asked
    game.order(Resume())
    game.move(setting(6, 0))
    assert game.view["stage"] == "running"
    told = [event["what"] for event in game.told]
    assert told == ["paused", "set", "set", "resumed", "set"]


@pytest.mark.parametrize(
    ("end", "told", "winner", "reason", "violations"),
    [
        (lambda g: g.hang_up(g.clients[0]), [("left", "Anna")], "TWO", "left", ["left", None]),
        (
            lambda g: g.wait(10.0),
            [("timed_out", "Anna")],
            "TWO",
            "hard_timeout",
            ["hard_timeout", None],
        ),
        (lambda g: g.order(Abort()), [], None, "aborted", [None, None]),
        (lambda g: g.order(Abort(g.clients[0])), [], "Anna", "aborted", [None, None]),
    ],
)
def test_an_early_end_is_shown_and_its_last_move_not_told_again(
    end: Any, told: list[Any], winner: str | None, reason: str, violations: list[str | None]
) -> None:
    game = Game()
    game.play(2)
    end(game)
    assert [(event["what"], event["name"]) for event in game.told[2:]] == told
    view = game.view
    assert (view["stage"], view["winner"], view["reason"]) == ("ended", winner, reason)
    assert [seat["own"]["violation"] for seat in view["players"]] == violations
    assert [seat["gone"] for seat in view["players"]] == [reason == "left", False]
    assert not any(seat["turn"] for seat in view["players"])


def late(game: Game) -> None:
    game.wait(3.0)
    game.move(setting(2, 0))


@pytest.mark.parametrize(
    ("offend", "what", "move"),
    [
        (lambda g: g.move(slide(0, 0, 2, 0)), "broke_not_own", "0|0 2|0"),
        (lambda g: g.move(setting(4, 0)), "broke_not_single_fish", "4|0"),
        (lambda g: g.move(UnreadableMove((), NO_TARGET)), "broke_unrecognised", ""),
        (lambda g: g.move(setting(2, 0), Team.TWO), "broke_not_your_turn", "2|0"),
        (late, "timed_out", ""),
    ],
)
def test_an_offence_is_told_once_in_words(offend: Any, what: str, move: str) -> None:
    game = Game()
    offend(game)
    name = "TWO" if what == "broke_not_your_turn" else "Anna"
    assert game.told == [{"what": what, "name": name, "move": move}]


def test_offences_after_the_beginning_are_told() -> None:
    moving, setting_more, too_early = game_at("RRRR2030"), game_at("RRRR2030"), Game()
    moving.move(slide(6, 0, 12, 0))
    setting_more.move(setting(8, 0))
    too_early.move(setting(2, 0))
    too_early.move(setting(0, 0))
    too_early.move(slide(2, 0, 4, 0))
    games = (moving, setting_more, too_early)
    whats = [game.told[-1]["what"] for game in games]
    assert whats == ["broke_not_possible", "broke_all_placed", "broke_place_first"]


def test_a_move_without_a_request_is_told() -> None:
    game = Game(paused=True)
    game.move(setting(2, 0))
    assert game.told == [{"what": "broke_not_requested", "name": "Anna", "move": ""}]


@pytest.mark.parametrize("seed", range(5))
def test_every_move_of_a_match_is_told_exactly_once(seed: int) -> None:
    game = Game(board_seed=seed)
    made = game.play(1000 + seed)
    names = {Team.ONE: "Anna", Team.TWO: "TWO"}
    told = [(event["name"], event["to"]) for event in only(game.told, *MOVES)]
    assert told == [(names[team], f"{move.target.x}|{move.target.y}") for team, move in made]
    assert [position["view"]["move"] for position in game.positions] == [*range(len(made) + 1)]
    assert sorted(event["name"] for event in only(game.told, "stuck")) == ["Anna", "TWO"]


@pytest.mark.parametrize("seed", range(5))
def test_every_position_of_a_match_follows_from_the_one_before(seed: int) -> None:
    """A penguin comes to a floe, its fish are caught, and where it came from is water."""
    game = Game(board_seed=seed)
    game.play(1000 + seed)
    views = [position["view"] for position in game.positions]
    for before, after in pairwise(views):
        last, rows = after["board"]["last"], [[*row] for row in before["board"]["rows"]]
        (x, y), seat = last["to"], {"ONE": 0, "TWO": 1}[last["team"]]
        assert int(rows[y][x // 2]) == last["fish"]
        rows[y][x // 2] = "RB"[seat]
        if last["from"]:
            x, y = last["from"]
            rows[y][x // 2] = "0"
        assert ["".join(row) for row in rows] == after["board"]["rows"]
        scores = [[seat["score"] for seat in view["players"]] for view in (before, after)]
        scores[0][seat] += last["fish"]
        assert scores[0] == scores[1]
    assert views[-1]["stage"] == "ended"


def test_nobody_learns_codes_rooms_or_who_observes() -> None:
    game = Game()
    game.play(1000)
    shown = orjson.dumps(game.positions).decode()
    for secret in (ROOM, CODE, OBSERVER):
        assert secret not in shown


def test_a_match_that_was_taken_over_shows_its_last_move() -> None:
    past, game = Game(), Game()
    past.play(12)
    game._perform(game.table.take_over(past.table))
    assert game.view["board"] == past.view["board"]
    assert game.view["board"]["last"]["fish"] > 0


def test_there_are_sentences_for_all_events_in_both_languages() -> None:
    offences = [f"broke_{offence}" for offence in OFFENCES]
    for what in (
        *MOVES,
        *offences,
        "broke_rule",
        "left",
        "timed_out",
        "stuck",
        "paused",
        "resumed",
    ):
        assert sentences(PAGE.files, what) == 2


def test_legal_moves_are_plain() -> None:
    assert PAGE.move is not None
    assert PAGE.move(setting(2, 0)) == {"from": None, "to": [2, 0]}
    assert PAGE.move(slide(6, 0, 8, 0)) == {"from": [6, 0], "to": [8, 0]}


def test_the_position_does_not_depend_on_who_looks() -> None:
    game = Game()
    one, two = PAGE.view(game.table, False), PAGE.view(game.table, True)
    assert one is not None
    assert attrs.asdict(one) == (attrs.asdict(two) if two else None)
