"""What the web page shows of Qwirkle, and what it keeps secret."""

import inspect
import random
from collections.abc import Callable
from typing import Any

import attrs
import orjson
import pytest

from games.qwirkle import rules
from games.qwirkle.codec import QwirkleCodec
from games.qwirkle.configuration import BUILT_IN, Configuration, Milliseconds, SlowMove
from games.qwirkle.member import Admission
from games.qwirkle.messages import (
    MESSAGES,
    BagRequest,
    ClientType,
    ConnectRequest,
    GameDataRequest,
    GameDataResponse,
    LeavingRequest,
    Message,
    MessageSend,
    MoveValid,
    News,
    PlayerHandsRequest,
    PlayTiles,
    TileOnPosition,
    TileSwapRequest,
    TileSwapResponse,
)
from games.qwirkle.page import PAGE
from games.qwirkle.recipe import Recipe
from games.qwirkle.settings import Settings
from games.qwirkle.table import QwirkleTable
from ludothek.contract.orders import Abort, Pause, Resume, Start
from ludothek.testing.dummies import DummyClient
from tests.games.qwirkle.test_table import SMALL, small, state
from tests.games.qwirkle.test_tournament import cup
from tests.support.watched import Watched, only, sentences

PLAYER = Admission(ClientType.PLAYER, spectator=False)
SPECTATOR = Admission(ClientType.SPECTATOR, spectator=True)
HOSTILE = "</script>\u202e{name}\x00"

# Messages with tiles that are in somebody's hand or in the bag.
SECRET = {
    "StartTiles",
    "SendTiles",
    "TileSwapResponse",
    "BagResponse",
    "PlayerHandsResponse",
    "GameDataResponse",
}


class Game(Watched):
    """P1, P2, … and a spectator, Zoe."""

    table: QwirkleTable

    def __init__(
        self,
        players: int = 2,
        config: Configuration = BUILT_IN,
        *,
        begun: bool = True,
        **settings: Any,
    ) -> None:
        recipe = Recipe(
            game_id=1,
            name="Test",
            config=attrs.evolve(config, max_player_number=0),
            settings=Settings(**settings).for_tables,
        )
        super().__init__(PAGE, lambda clock: QwirkleTable(recipe, clock, random.Random(1)))
        self.clients = [DummyClient(n, name=f"P{n}") for n in range(1, players + 1)]
        self.zoe = DummyClient(9, name="Zoe")
        self.enter(self.zoe, SPECTATOR)
        for client in self.clients:
            self.enter(client, PLAYER)
        if begun:
            self.order(Start())

    @property
    def position(self) -> rules.State:
        return self.table.match.position

    @position.setter
    def position(self, position: rules.State) -> None:
        self.table.match.position = position

    def act(self, action: rules.Action) -> None:
        client = self.clients[self.position.active.player - 1]
        match action:
            case rules.Lay(placements=placed):
                tiles = [TileOnPosition(each.x, each.y, each.tile) for each in placed]
                self.say(client, PlayTiles(tiles))
            case rules.Swap(tiles=swapped):
                self.say(client, TileSwapRequest([*swapped]))
            case _:
                self.wait(self.table.timers.deadline - self.clock.time())

    def play(self, seed: int, check: Callable[[], None] = lambda: None) -> None:
        """A whole game of legal moves, mostly long ones."""
        rng = random.Random(seed)
        while not self.table.match.ended:
            actions = [*rules.legal_actions(self.position)]
            lays = [each for each in actions if isinstance(each, rules.Lay)]
            longest = max(lays, key=lambda lay: len(lay.placements), default=None)
            self.act(longest if longest and rng.random() < 0.8 else rng.choice(actions))
            check()


def quick(**changes: Any) -> Configuration:
    return attrs.evolve(BUILT_IN, time_visualization=Milliseconds(0), **changes)


# Positions


def test_nothing_is_shown_before_a_game_starts_nor_of_a_tournament() -> None:
    game = Game(begun=False)
    assert (game.view, game.positions) == (None, [])
    game.order(Abort())
    assert game.view is None
    tournament, _ = cup(2)
    assert PAGE.view(tournament, True) is None
    assert PAGE.scenery(tournament) is None
    assert [*PAGE.tell(tournament, LeavingRequest())] == []


def test_the_first_position_shows_who_plays_and_how_long_a_turn_may_take() -> None:
    game = Game()
    players = [
        {"name": "P1", "turn": True, "clock": 30.0, "ticking": True},
        {"name": "P2", "turn": False, "clock": None, "ticking": False},
    ]
    for player in players:
        player |= {"score": 0, "gone": False, "own": {"tiles": 6}}
    assert game.view == {
        "stage": "running",
        "players": players,
        "move": 0,
        "board": {"tiles": [], "last": [], "bag": 96},
        "winner": None,
        "reason": None,
    }
    assert PAGE.scenery(game.table) == {"kinds": 6, "tiles": 108, "hand": 6}


@pytest.mark.parametrize(("players", "kinds", "seed"), [(2, 6, 1), (4, 4, 2), (3, 9, 3)])
def test_every_position_is_what_the_rules_say(players: int, kinds: int, seed: int) -> None:
    game = Game(players, quick(color_shape_count=kinds, tile_count=2))

    def check() -> None:
        view, position = game.view, game.position
        shown = {(x, y): (color, shape) for x, y, color, shape in view["board"]["tiles"]}
        laid = position.board.placements()
        assert shown == {(each.x, each.y): (each.tile.color, each.tile.shape) for each in laid}
        hands = [seat["own"]["tiles"] for seat in view["players"]]
        assert len(shown) + view["board"]["bag"] + sum(hands) == kinds**2 * 2
        assert [seat["score"] for seat in view["players"]] == [*position.scores.values()]
        assert {(x, y) for x, y in view["board"]["last"]} <= shown.keys()
        orjson.dumps(view)

    game.play(seed, check)
    view = game.view
    assert (view["stage"], view["reason"]) == ("ended", "regular")
    assert view["winner"] == f"P{game.position.winner}"
    assert not any(seat["turn"] or seat["ticking"] for seat in view["players"])
    assert view["move"] == len(only(game.told, "laid", "swapped"))


def test_everything_is_shown_afterwards_and_the_next_tile_of_the_bag_first() -> None:
    game = Game()
    view = PAGE.view(game.table, True)
    assert view is not None
    hands = [[[tile.color, tile.shape] for tile in seat.hand] for seat in game.position.seats]
    assert [seat.own["hand"] for seat in view.players] == hands
    drawn = game.position.bag[-1]
    assert view.board["next"][0] == [drawn.color, drawn.shape]
    assert len(view.board["next"]) == 96


def test_a_player_who_leaves_stays_in_the_list() -> None:
    game = Game(3)
    game.say(game.clients[0], LeavingRequest())
    gone, *others = game.view["players"]
    assert gone == {
        "name": "P1",
        "score": None,
        "turn": False,
        "clock": None,
        "ticking": False,
        "gone": True,
        "own": {},
    }
    assert [seat["name"] for seat in others] == ["P2", "P3"]
    assert only(game.told, "left") == [{"what": "left", "name": "P1"}]
    game.hang_up(game.clients[1])
    view = game.view
    assert (view["stage"], view["winner"], view["reason"]) == ("ended", "P3", "left")


def test_a_pause_stops_the_clock() -> None:
    game = Game()
    game.wait(10.0)
    game.order(Pause())
    game.wait(5.0)
    seat = game.view["players"][0]
    assert (game.view["stage"], seat["clock"], seat["ticking"]) == ("paused", 20.0, False)
    game.order(Resume())
    assert game.view["players"][0]["ticking"]
    assert [event["what"] for event in game.told] == ["paused", "resumed"]


def test_nobody_is_asked_while_everybody_looks_at_a_move() -> None:
    game = Game()
    game.act(first_lay(game))
    assert not any(seat["turn"] for seat in game.view["players"])
    game.wait(1.0)
    assert [seat["turn"] for seat in game.view["players"]] == [False, True]


def first_lay(game: Game) -> rules.Lay:
    return next(each for each in rules.legal_actions(game.position) if isinstance(each, rules.Lay))


# What is told


def test_tiles_that_are_laid_are_told_with_their_points_and_marked() -> None:
    board = [rules.Placement(small(0, 0), 0, 0)]
    game = Game(config=attrs.evolve(SMALL, time_visualization=Milliseconds(0)))
    game.position = state(SMALL, board, [small(0, 1), small(2, 2)], [small(1, 1)], bag=[])
    game.act(rules.Lay((rules.Placement(small(0, 1), 0, 1),)))
    assert game.told == [{"what": "laid", "name": "P1", "count": 1, "points": 2}]
    assert game.view["board"]["last"] == [[0, 1]]


def test_a_swap_is_told_without_its_tiles_and_marks_nothing() -> None:
    game = Game()
    game.act(first_lay(game))
    game.wait(1.0)
    game.act(rules.Swap(game.position.active.hand[:2]))
    assert game.told[1:] == [{"what": "swapped", "name": "P2"}]
    assert game.view["board"]["last"] == []
    assert game.view["move"] == 2


@pytest.mark.parametrize("visualization", [0, 1000])
def test_penalties_are_told_once(visualization: int) -> None:
    config = attrs.evolve(BUILT_IN, time_visualization=Milliseconds(visualization))
    game = Game(3, config)
    game.wait(30.0 + visualization / 1000)
    assert game.told == [{"what": "slow", "name": "P1", "points": 1}]
    game.act(rules.Lay((rules.Placement(game.position.active.hand[0], 5, 5),)))
    game.wait(visualization / 1000)
    assert game.told[1:] == [{"what": "mistaken", "name": "P2", "points": 1}]
    assert [seat["score"] for seat in game.view["players"]] == [-1, -1, 0]
    game.say(game.clients[2], LeavingRequest())
    game.wait(visualization / 1000)
    assert [event["what"] for event in game.told[2:]] == ["left"]


def test_a_player_who_is_sent_away_for_slowness_is_told_to_leave() -> None:
    game = Game(config=quick(slow_move=SlowMove.KICK))
    game.wait(30.0)
    assert game.told == [{"what": "left", "name": "P1"}]


def test_the_bonus_for_the_last_tile_is_told() -> None:
    game = Game(config=attrs.evolve(SMALL, time_visualization=Milliseconds(0)))
    game.position = state(SMALL, [], [small(0, 1)], [small(1, 1)], bag=[])
    game.act(first_lay(game))
    assert {"what": "rewarded", "name": "P1", "points": 6} in game.told


def test_a_board_from_another_game_is_shown_but_not_told() -> None:
    past, game = Game(), Game()
    past.act(first_lay(past))
    game._perform(game.table.take_over(past.table))
    assert game.view["board"]["tiles"] == past.view["board"]["tiles"]
    assert game.told == []


def test_players_are_heard_by_all_and_spectators_by_none() -> None:
    game = Game()
    game.say(game.clients[0], MessageSend(HOSTILE))
    game.say(game.zoe, MessageSend("psst"))
    assert game.told == [{"what": "said", "name": "P1", "text": HOSTILE}]


def test_there_are_sentences_for_all_events_in_both_languages() -> None:
    for what in ("laid", "swapped", "mistaken", "slow", "rewarded", "said", "left"):
        assert sentences(PAGE.files, what) == 2
    assert sentences(PAGE.files, "paused") == sentences(PAGE.files, "resumed") == 2


def test_the_first_message_shown_to_authors_of_clients_is_right() -> None:
    assert QwirkleCodec(Settings()).decode_request(PAGE.hello.encode()) == ConnectRequest(
        "Anna", ClientType.PLAYER
    )


# Secrets


def shuffled(position: rules.State, rng: random.Random) -> rules.State:
    """The same position for those who see neither hands nor bag."""
    tiles = [*position.bag, *(tile for seat in position.seats for tile in seat.hand)]
    rng.shuffle(tiles)
    seats = []
    for seat in position.seats:
        seats.append(attrs.evolve(seat, hand=tuple(tiles.pop() for _ in seat.hand)))
    return attrs.evolve(position, seats=tuple(seats), bag=tuple(tiles), drawn=())


@pytest.mark.parametrize("seed", range(3))
def test_nobody_sees_hands_or_the_bag_while_a_game_runs(seed: int) -> None:
    rng, differences = random.Random(seed), 0
    game = Game(3, quick(), secret_hands=False)

    def check() -> None:
        nonlocal differences
        position = game.position
        before, everything = game.view, PAGE.view(game.table, True)
        game.position = shuffled(position, rng)
        assert game.view == before
        differences += PAGE.view(game.table, True) != everything
        game.position = position

    game.play(seed, check)
    assert differences > 20, "hidden things are shown afterwards"


def test_messages_with_hidden_tiles_tell_nothing() -> None:
    game, heard = Game(2, quick()), dict[str, Message]()
    questions = (BagRequest(), PlayerHandsRequest(), GameDataRequest())

    def check() -> None:
        for question in () if game.table.match.ended else questions:
            game.say(game.zoe, question)
            game.say(game.clients[0], question)
        for client in (*game.clients, game.zoe):
            heard.update({type(each).__name__: each for each in game.heard(client)})

    game.play(4, check)
    assert heard.keys() >= SECRET | {MoveValid.__name__}
    for name in SECRET:
        assert [*PAGE.tell(game.table, heard[name])] == []
    assert isinstance(heard["GameDataResponse"], GameDataResponse)
    assert isinstance(heard["TileSwapResponse"], TileSwapResponse)


def test_every_message_that_holds_tiles_is_known_here() -> None:
    """A new one has to be thought about: is it public, as the tiles on the board are?"""
    news = [each for each in MESSAGES.values() if issubclass(each, News)]
    hold = {each.__name__ for each in news if "Tile" in str(inspect.get_annotations(each))}
    assert hold == SECRET | {"Update"}


def test_events_hold_names_counts_and_chat_only() -> None:
    game = Game(2, quick())
    game.play(5)
    keys = {key for event in game.told for key in event}
    assert keys == {"what", "name", "count", "points"}
