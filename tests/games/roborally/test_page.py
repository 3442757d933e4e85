"""What the web page shows of Robo Rally, and what it keeps secret."""

import random
from collections.abc import Callable, Iterable
from typing import Any

import attrs
import orjson
import pytest

from games.roborally import courses
from games.roborally import messages as m
from games.roborally.codec import CODEC
from games.roborally.page import PAGE
from games.roborally.page.scenery import course_scenery
from games.roborally.page.view import COVERED
from games.roborally.requests import request
from games.roborally.rules import Card, Phase, Player, State, Upgrade, legal_actions
from games.roborally.rules.fields import EnergySpace, Field, Laser, RotatingBelt, StartPoint
from ludothek.contract.effects import Effect, Send
from ludothek.contract.orders import Abort, Pause, Resume
from ludothek.web.camera import Camera
from tests.games.roborally.scene import (
    Person,
    Scene,
    activating,
    change,
    fill,
    programming,
    set_state,
)
from tests.support.watched import only, sentences

# Too long for anybody to win it within a test.
LONG = "ChopShopChallenge"

HOSTILE = "</script>\u202e{name}\x00"

# What cards a message holds only their owner may know.
SECRET = (m.YourCards, m.CardsYouGotNow)
PUBLIC = (
    m.CardPlayed,
    m.CurrentCards,
    m.ActiveCard,
    m.DrawDamage,
    m.RefillShop,
    m.ExchangeShop,
    m.UpgradeBought,
)


class Game(Scene):
    """A table that somebody watches on the web page."""

    def __init__(self, seed: int = 1, **settings: Any) -> None:
        super().__init__(seed, **settings)
        self.positions: list[Any] = []
        self.sent: list[Any] = []
        self._camera = Camera(PAGE, self.table, everything=False)

    def _perform(self, effects: Iterable[Effect]) -> None:
        collected = [*effects]
        for effect in collected:
            if isinstance(effect, Send):
                self.sent.append(effect.message)
                self._camera.hear(effect.message)
        position = self._camera.take(len(self.positions) + 1, 0.0)
        if position is not None:
            self.positions.append(orjson.loads(position))
        super()._perform(collected)

    @property
    def view(self) -> Any:
        view = PAGE.view(self.table, False)
        return None if view is None else orjson.loads(orjson.dumps(view.simple()))

    @property
    def everything(self) -> Any:
        view = PAGE.view(self.table, True)
        return None if view is None else orjson.loads(orjson.dumps(view.simple()))

    @property
    def told(self) -> list[Any]:
        return [event for position in self.positions for event in position["told"]]

    def own(self, player: int) -> Any:
        return self.view["players"][player - 1]["own"]

    def play(self, seed: int, moves: int, check: Callable[[], None]) -> None:
        """So many actions of any legal kind."""
        rng = random.Random(seed)
        for _ in range(moves):
            if not self.running:
                return
            player_id = self.state.deciding[0]
            actions = [*legal_actions(self.state, player_id)]
            self.say(self.person(player_id), request(rng.choice(actions)))
            check()


# Positions


def test_nothing_is_shown_before_the_first_game() -> None:
    game = Game()
    game.players(2, ready=False)
    assert (game.view, game.positions, PAGE.scenery(game.table)) == (None, [], None)


def test_the_first_position_shows_who_plays_and_chooses_first() -> None:
    game = Game()
    game.game()
    view = game.view
    assert (view["stage"], view["move"], view["winner"]) == ("running", 0, None)
    first, second = view["players"]
    assert first["own"] == {
        "number": 1,
        "id": 1,
        "at": None,
        "facing": "right",
        "energy": 5,
        "registers": [None] * 5,
        "cards": 0,
        "pile": 20,
        "upgrades": [],
        "finished": False,
        "rebooted": False,
        "shielded": False,
        "acted": False,
    }
    assert (first["name"], first["score"]) == ("Spieler 1", 0)
    assert [(seat["turn"], seat["clock"], seat["ticking"]) for seat in (first, second)] == [
        (True, 30.0, True),
        (False, None, False),
    ]
    board = view["board"]
    assert (board["round"], board["phase"], board["waits"]) == (1, "setup", "StartPoint")
    assert len(board["shop"]) == 2


@pytest.mark.parametrize("seed", range(2))
def test_every_position_is_what_the_rules_say(seed: int) -> None:
    game = Game(seed, course="Twister")
    game.game(3)
    phases = set()

    def check() -> None:
        if not game.running:
            return
        view, state = game.view, game.state
        phases.add(view["board"]["phase"])
        for seat, player in zip(view["players"], state.players, strict=True):
            own = seat["own"]
            at = None if player.position is None else [*player.position]
            assert (own["at"], own["facing"]) == (at, player.facing.value)
            assert (own["energy"], seat["score"]) == (player.energy, player.checkpoint)
            assert seat["turn"] == (player.player_id in state.deciding)
        assert view["board"]["checkpoints"] == [[*cell] for cell in state.checkpoints]
        assert {(x, y): n for x, y, n in view["board"]["energy"]} == state.energy
        assert view["board"]["shop"] == [*state.shop]

    game.play(seed, 150, check)
    assert len(phases) == 4


def test_programs_are_covered_until_their_registers_are_reached() -> None:
    game = Game()
    players = game.game()
    game.go_on_until(programming)
    for register in (1, 2):
        hand = game.state.player(1).hand
        card = next(card for card in hand if card is not Card.AGAIN)
        game.say(players[0], m.SelectedCard(card=card.value, register=register))
    assert game.own(1)["registers"] == [COVERED, COVERED, None, None, None]
    fill(game, players[0], first=3)
    assert game.own(1)["finished"]
    game.go_on_until(lambda state: state.register == 2 and activating(state))
    cards = game.state.player(1).registers
    assert game.own(1)["registers"] == [cards[0], cards[1], COVERED, COVERED, COVERED]
    assert game.everything["players"][0]["own"]["registers"] == [*cards]


def test_the_clock_shows_how_long_players_may_program() -> None:
    game = Game()
    players = game.game()
    game.go_on_until(programming)
    game.wait(10.0)
    assert clocks(game) == [(290.0, True), (290.0, True)]
    fill(game, players[0])
    game.wait(10.0)
    assert clocks(game) == [(None, False), (20.0, True)]
    assert game.view["board"]["timer"]
    game.order(Pause())
    game.wait(60.0)
    assert clocks(game)[1] == (20.0, False)
    assert game.view["stage"] == "paused"
    game.order(Resume())
    game.wait(20.0)
    assert {"what": "timer_late", "names": ["Spieler 2"]} in game.told
    assert not game.view["board"]["timer"]


def clocks(game: Game) -> list[tuple[float | None, bool]]:
    return [(seat["clock"], seat["ticking"]) for seat in game.view["players"]]


def test_a_game_without_time_limits_has_no_clocks() -> None:
    game = Game(play_seconds=0)
    game.game()
    assert game.view["players"][0]["turn"]
    assert clocks(game) == [(None, False), (None, False)]


def test_a_player_who_leaves_stays_in_the_list() -> None:
    game = Game()
    players = game.game(3)
    game.leave(players[1])
    gone = game.view["players"][1]
    assert (gone["name"], gone["gone"], gone["score"], gone["own"]) == ("Spieler 2", True, None, {})
    assert [seat["own"].get("number") for seat in game.view["players"]] == [1, None, 3]
    assert only(game.told, "left") == [{"what": "left", "name": "Spieler 2"}]


@pytest.mark.parametrize(
    ("policy", "what"), [("ignore", "lost"), ("reconnect", "lost"), ("ai", "replaced")]
)
def test_the_robot_of_a_player_who_is_disconnected_stays(policy: str, what: str) -> None:
    game = Game(on_disconnect=policy)
    players = game.game()
    game.go_on_until(programming)
    game.leave(players[0])
    seat = game.view["players"][0]
    assert seat["gone"]
    assert seat["own"]["at"] is not None
    assert {"what": what, "name": "Spieler 1"} in game.told


def test_the_end_is_shown_until_the_next_game_begins() -> None:
    game = Game()
    players = game.game()
    game.go_on_until(activating)
    game.order(Abort(players[1].client))
    view = game.view
    assert (view["stage"], view["winner"], view["reason"]) == ("ended", "Spieler 2", "aborted")
    assert not any(seat["turn"] or seat["clock"] for seat in view["players"])
    assert game.positions[-1]["view"]["stage"] == "ended"
    for person in players:
        game.say(person, m.SetStatus(True))
    assert (game.view["stage"], game.view["winner"], game.view["move"]) == ("running", None, 0)


def test_a_game_that_is_won_names_its_winner() -> None:
    game = Game()
    game.game()
    game.go_on_until(activating)
    number = len(game.state.checkpoints)
    change(game, 1, checkpoint=number - 1)
    cell = game.state.player(1).position
    set_state(game, checkpoints=(*game.state.checkpoints[:-1], cell))
    for player in (1, 2):
        change(game, player, registers=(Card.POWER_UP,) * 5)
    while game.running:
        game.go_on()
    assert {"what": "reached", "name": "Spieler 1", "number": number} in game.told
    view = game.view
    assert (view["winner"], view["reason"]) == ("Spieler 1", "regular")


# Courses


@pytest.mark.parametrize("name", courses.NAMES)
def test_the_scenery_has_everything_that_lies_on_a_course(name: str) -> None:
    course = courses.load(name)
    scenery = course_scenery(course)
    squares = [square for column in course.columns for square in column]
    fields: list[Field] = [field for square in squares for field in square or ()]

    def count(kind: type) -> int:
        return sum(isinstance(field, kind) for field in fields)

    assert (scenery["width"], scenery["height"]) == (len(course.columns), len(course.columns[0]))
    assert len(scenery["holes"]) == squares.count(None)
    assert len(scenery["starts"]) == count(StartPoint)
    assert len(scenery["energy"]) == count(EnergySpace)
    assert len(scenery["lasers"]) == count(Laser)
    assert sum("inward" in belt for belt in scenery["belts"]) == count(RotatingBelt)
    assert scenery["checkpoints"] == len(course.checkpoints)
    orjson.dumps(scenery)


def test_beams_reach_up_to_walls() -> None:
    lasers = course_scenery(courses.load("DizzyHighway"))["lasers"]
    reach = {tuple(laser["at"]): (laser["to"], laser["reach"]) for laser in lasers}
    assert reach == {
        (8, 6): ("right", 1),
        (6, 5): ("up", 1),
        (9, 4): ("down", 1),
        (7, 3): ("left", 1),
    }


# What is told

ANN, BOB = "Spieler 1", "Spieler 2"
TOLD: list[tuple[Any, dict[str, Any] | None]] = [
    (m.ReceivedChat(HOSTILE, 1, False), {"what": "said", "name": ANN, "text": HOSTILE}),
    (m.ReceivedChat("psst", 1, True), None),
    (m.ConnectionUpdate(2, False, "Remove"), {"what": "left", "name": BOB}),
    (m.ConnectionUpdate(2, False, "Ignore"), {"what": "lost", "name": BOB}),
    (m.ConnectionUpdate(2, False, "AIControl"), {"what": "replaced", "name": BOB}),
    (m.ConnectionUpdate(2, True, "Reconnect"), {"what": "came_back", "name": BOB}),
    (m.CardPlayed(1, "MoveI"), {"what": "played", "name": ANN, "card": {"what": "card_MoveI"}}),
    (m.ActivePhase(0), {"what": "phase_setup", "round": 1}),
    (m.ActivePhase(1), {"what": "phase_upgrade", "round": 1}),
    (m.ActivePhase(2), {"what": "phase_programming", "round": 1}),
    (m.ActivePhase(3), {"what": "phase_activation", "round": 1}),
    (m.StartingPointTaken(1, 8, 1), {"what": "started", "name": ANN, "x": 1, "y": 8}),
    (m.RefillShop(["Boink", "Hack"]), {"what": "shop_filled", "cards": ["Boink", "Hack"]}),
    (m.RefillShop([]), None),
    (m.ExchangeShop(["Boink"]), {"what": "shop_exchanged", "cards": ["Boink"]}),
    (m.UpgradeBought(2, "RearLaser"), {"what": "bought", "name": BOB, "card": "Rear Laser"}),
    (m.YourCards(["MoveI"], 11), None),
    (m.NotYourCards(1, 9, 11), None),
    (m.ShuffleCoding(1), {"what": "shuffled", "name": ANN}),
    (m.CardSelected(1, 3), None),
    (m.SelectionFinished(1), {"what": "programmed", "name": ANN}),
    (m.TimerStarted(), {"what": "timer_started"}),
    (m.TimerEnded([]), {"what": "timer_ended"}),
    (m.TimerEnded([1, 2]), {"what": "timer_late", "names": [ANN, BOB]}),
    (m.CardsYouGotNow(["MoveI"]), None),
    (
        m.CurrentCards([m.ActiveCard(1, "MoveI"), m.ActiveCard(2, "Again")]),
        {
            "what": "revealed",
            "register": 1,
            "cards": [
                {"what": "revealed_card", "name": ANN, "card": {"what": "card_MoveI"}},
                {"what": "revealed_card", "name": BOB, "card": {"what": "card_Again"}},
            ],
        },
    ),
    (m.Movement(1, 4, 5), {"what": "moved", "name": ANN, "x": 4, "y": 5}),
    (
        m.DrawDamage(1, ["Spam", "Worm"]),
        {"what": "damaged", "name": ANN, "cards": [{"what": "card_Spam"}, {"what": "card_Worm"}]},
    ),
    (m.PickDamage(2), None),
    (m.PlayerShooting(), {"what": "shooting"}),
    (m.Reboot(1), {"what": "rebooted", "name": ANN}),
    (m.PlayerTurning(1, "left"), {"what": "turned_left", "name": ANN}),
    (m.PlayerTurning(1, "right"), {"what": "turned_right", "name": ANN}),
    (m.Energy(1, 6, "card"), {"what": "energy_card", "name": ANN, "count": 6}),
    (m.Energy(1, 6, "field"), {"what": "energy_field", "name": ANN, "count": 6}),
    (m.Energy(1, 4, "upgrade"), {"what": "energy_paid", "name": ANN, "count": 4}),
    (m.CheckPointReached(1, 2), {"what": "reached", "name": ANN, "number": 2}),
    (m.CheckpointMoved(1, 2, 3), {"what": "checkpoint_moved", "number": 1, "x": 2, "y": 3}),
    (m.Error("no"), None),
    (m.Welcome(1), None),
    (m.PlayerAdded(1, "x", 1), None),
    (m.PlayerStatus(1, True), None),
    (m.CurrentPlayer(1), None),
    (m.GameFinished(1), None),
    (m.GameStarted([]), None),
    (m.HelloClient("Version 2.0"), None),
]


@pytest.fixture(scope="module")
def running() -> Game:
    game = Game()
    game.game()
    game.go_on_until(activating)
    return game


@pytest.mark.parametrize(("message", "event"), TOLD, ids=lambda value: type(value).__name__)
def test_messages_become_events_in_both_languages(
    message: Any, event: dict[str, Any] | None, running: Game
) -> None:
    assert [*PAGE.tell(running.table, message)] == ([] if event is None else [event])
    assert event is None or sentences(PAGE.files, event["what"]) == 2


def test_every_message_of_the_server_is_known_here() -> None:
    known = {type(message) for message, _ in TOLD}
    assert known == {*m.ServerMessage.__subclasses__()}


def test_every_message_that_holds_cards_is_public_or_secret() -> None:
    """A new one has to be thought about."""
    everything = {*m.ServerMessage.__subclasses__(), m.ActiveCard}
    names = {"card", "cards", "cards_in_hand", "active_cards"}
    holds = {each for each in everything if names & {f.name for f in attrs.fields(each)}}
    assert holds - {m.NotYourCards} == {*SECRET, *PUBLIC}  # which has only a number


def test_what_a_returning_player_is_told_again_is_no_news() -> None:
    game = Game(on_disconnect="reconnect")
    players = game.game()
    game.go_on_until(activating)
    game.leave(players[0])
    before = len(game.told)
    game.enter("Gruppe 1")
    assert m.StartingPointTaken in map(type, game.sent[-40:]), "the game was retold"
    assert game.told[before:] == [{"what": "came_back", "name": "Spieler 1"}]
    game.go_on()
    assert game.told[before + 1 :], "news are told again"


def test_a_game_that_is_taken_over_is_shown_but_not_told() -> None:
    past, game = Game(), Game()
    past.game()
    past.go_on_until(activating)
    game.game()
    before = len(game.told)
    game._perform(game.table.take_over(past.table))
    assert game.told[before:] == []
    assert [seat["own"]["at"] for seat in game.view["players"]] == [
        seat["own"]["at"] for seat in past.view["players"]
    ]


def test_private_chat_is_not_told() -> None:
    game = Game()
    ann, _ = game.game()
    game.say(ann, m.SendChat("psst", 2))
    game.say(ann, m.SendChat(HOSTILE, -1))
    assert only(game.told, "said") == [{"what": "said", "name": "Spieler 1", "text": HOSTILE}]


def test_the_first_message_shown_to_authors_of_clients_is_right() -> None:
    hello = CODEC.decode_request(PAGE.hello.encode())
    assert hello == m.HelloServer("TolleTrolle", False, m.VERSION)


# Secrets


def disguised(state: State, rng: random.Random) -> State:
    """The same position for those who see no hands, decks and registers to come."""
    upgrades = rng.sample(state.upgrade_deck, len(state.upgrade_deck))
    players = tuple(_disguised(state, player, rng) for player in state.players)
    return attrs.evolve(state, players=players, upgrade_deck=tuple(upgrades))


def _disguised(state: State, player: Player, rng: random.Random) -> Player:
    def others(cards: Iterable[Card | None]) -> tuple[Any, ...]:
        return tuple(None if card is None else rng.choice([*Card]) for card in cards)

    shown, rest = player.registers[: state.register], player.registers[state.register :]
    return attrs.evolve(
        player,
        registers=(*shown, *others(rest)),
        hand=others(player.hand),
        deck=others(player.deck),
        discard=others(player.discard),
    )


@pytest.mark.parametrize("seed", range(2))
def test_nobody_sees_cards_that_are_not_revealed(seed: int) -> None:
    rng, differences = random.Random(seed), 0
    game = Game(seed, course=LONG)
    game.game(3)

    def check() -> None:
        nonlocal differences
        state, view, everything = game.state, game.view, game.everything
        match = game.table.latest_match
        assert match is not None
        match.state = disguised(state, rng)
        assert game.view == view
        differences += game.everything != everything
        match.state = state

    game.play(seed, 120, check)
    assert differences > 100, "hidden things are shown afterwards"


@pytest.mark.parametrize("policy", ["remove", "reconnect", "ai"])
def test_registers_show_only_what_everybody_was_told(policy: str) -> None:
    """Also of robots that reboot, or whose players come and go."""
    game = Game(5, course=LONG, on_disconnect=policy, idle_rounds=0)
    game.game(3)
    rng, known, heard, shown = random.Random(5), set[tuple[int, str]](), 0, 0

    def check() -> None:
        nonlocal heard, shown
        for message in game.sent[heard:]:
            if isinstance(message, m.CardPlayed):
                known.add((message.player_id, message.card))
            elif isinstance(message, m.CurrentCards):
                known.update((each.player_id, each.card) for each in message.active_cards)
        heard = len(game.sent)
        for seat in game.view["players"]:
            cards = [card for card in seat["own"].get("registers", ()) if card]
            shown += len(cards)
            assert {(seat["own"]["id"], card) for card in cards} <= known
        if game.state.phase is Phase.PROGRAMMING:
            known.clear()

    for _ in range(150):
        if rng.random() < 0.03 and policy != "remove":
            person: Person = game.person(rng.choice([1, 2]))
            game.leave(person)
            check()
            game.wait(20.0)
            check()
            game.enter(person.client.visitor.group)
        else:
            game.go_on()
        check()
    assert shown > 50


def test_a_robot_that_reboots_loses_its_cards_and_is_marked() -> None:
    game = Game()
    game.game()
    game.go_on_until(activating)
    current = game.state.deciding[0]
    change(game, current, registers=(Card.WORM, *game.state.player(current).registers[1:]))
    game.go_on()
    own = game.own(current)
    assert (own["rebooted"], own["registers"]) == (True, [None] * 5)
    assert {"what": "rebooted", "name": f"Spieler {current}"} in game.told


def test_upgrades_are_public() -> None:
    game = Game()
    game.game()
    change(game, 1, upgrades=(Upgrade.HACK, Upgrade.BOINK), shielded=True, energy=2)
    own = game.own(1)
    assert (own["upgrades"], own["shielded"], own["energy"]) == (["Hack", "Boink"], True, 2)
