"""Every clause of Robo Rally is broken over a real socket, and the server names it and no other."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from games.roborally import GAME, breaches
from games.roborally import messages as m
from games.roborally.match import MOST_CHANGES
from games.roborally.messages import VERSION
from games.roborally.rules import Card, Cell, Damage, Mistake, State, Upgrade
from games.roborally.rules.decisions import Routine
from games.roborally.rules.state import NO_REGISTERS
from ludothek.contract.orders import Pause
from ludothek.testing.breaches import (
    Case,
    Cases,
    breakable,
    broken,
    explanations,
    hear_of_breach,
    misnamed,
)
from tests.games.roborally.scene import activating, in_shop, programming
from tests.games.roborally.stage import Stage, open_stage

CASES: Cases[Stage] = Cases()
breaks = CASES.breaks


def frame(clause: str, pointer: str, data: bytes) -> None:
    """Bytes that are wrong by themselves."""

    @breaks(clause, pointer)
    async def play(stage: Stage) -> None:
        await (await stage.arrive()).peer.say(data)


def says(clause: str, pointer: str, kind: str, **body: Any) -> None:
    """A message that is wrong for somebody who has just come into the lobby."""

    @breaks(clause, pointer)
    async def play(stage: Stage) -> None:
        await (await stage.arrive()).say(kind, **body)


def plays(
    clause: str,
    pointer: str,
    kind: str,
    *,
    at: Callable[[State], bool] = lambda state: True,
    changes: Mapping[str, Any] | None = None,
    state: Mapping[str, Any] | None = None,
    **body: Any,
) -> None:
    """A message that is wrong for the player for whom the game waits, changed like this."""

    @breaks(clause, pointer)
    async def play(stage: Stage) -> None:
        player, _ = await stage.game(at, **changes or {})
        stage.set_state(**state or {})
        await player.say(kind, **body)


# 1 Grundlagen

frame("1.1", "", b"HelloServer TolleTrolle")
frame("1.1", "", b'["SetStatus"]')
frame("1.2", "", '{"messageType": "Jürgen"}'.encode("latin-1"))
says("1.3", "/messageType", "setStatus", ready=True)
frame("1.3", "/messageType", b'{"messageType": 5}')
frame("1.4", "/messageType", b'{"ready": true}')
frame("1.4", "/messageBody", b'{"messageType": "SetStatus", "messageBody": true}')
says("1.5", "/messageBody/figure", "PlayerValues", name="Nr. 5", figure="5")
says("1.5", "/messageBody/ready", "SetStatus", ready="true")
says("1.5", "/messageBody/card", "BuyUpgrade", isBuying=True, card=5)
says("1.5", "/messageBody/cards", "SelectedDamage", cards="Spam")
says("1.5", "/messageBody/cards/1", "DiscardSome", cards=["MoveI", None])
says("ours.client-messages", "/messageType", "CardSelected", playerID=1, register=5)
frame("ours.many-marks", "", b'{"messageBody": {"cards": [' + b'"", ' * 1100)
frame("ours.many-values", "", b'{"x": [' + b"[]," * 9000 + b"[]]}")
frame("ours.too-long", "", b'{"messageType": "' + b"x" * 70_000 + b'"}')

# 2 Verbindungsaufbau


@breaks("2.1", "/messageBody/isAI")
async def a_hello_that_does_not_say_who_plays(stage: Stage) -> None:
    await (await stage.connect()).say("HelloServer", group="TolleTrolle", protocol=VERSION)


@breaks("2.2", "/messageBody/protocol", "kicked")
async def another_version(stage: Stage) -> None:
    client = await stage.connect()
    await client.say("HelloServer", group="TolleTrolle", isAI=False, protocol="Version 1.0")


@breaks("3.1", "/messageType")
async def values_before_hello(stage: Stage) -> None:
    await (await stage.connect()).say("PlayerValues", name="Nr. 5", figure=5)


@breaks("ours.greeting", "", "kicked", greeting_seconds=0.05)
async def no_hello(stage: Stage) -> None:
    await stage.connect()


@breaks("ours.group", "/messageBody/group", "corrected")
async def spaces_around_a_group(stage: Stage) -> None:
    client = await stage.connect()
    await client.say("HelloServer", group=" TolleTrolle", isAI=False, protocol=VERSION)


@breaks("ours.crowd", "", "kicked", limits={"max_clients_per_lobby": 2})
async def one_client_more_than_the_lobby_has_room_for(stage: Stage) -> None:
    await stage.arrive()
    await stage.arrive()
    await stage.knock()


@breaks("ours.ending", "", "kicked")
async def coming_in_when_the_server_is_about_to_end(stage: Stage) -> None:
    client = await stage.connect()
    stage.server.endpoint.hall.drain()
    await client.say("HelloServer", group="TolleTrolle", isAI=False, protocol=VERSION)


@breaks("ours.running", "", "kicked")
async def coming_in_during_a_game(stage: Stage) -> None:
    await stage.game()
    await stage.knock()


@breaks("ours.seats", "", "kicked", max_players=2)
async def one_player_too_many(stage: Stage) -> None:
    await stage.players(2)
    await stage.knock()


says("ours.one-hello", "/messageType", "HelloServer", group="G", isAI=False, protocol=VERSION)

# 3 Lobby

says("3.2", "/messageBody/figure", "PlayerValues", name="Nr. 5")
says("3.2", "/messageBody/name", "PlayerValues", figure=5)
says("3.4", "/messageType", "SetStatus", ready=True)
says("3.5", "/messageBody/ready", "SetStatus")
says("3.6", "/messageType", "SetStartingPoint", x=1, y=1)
says("ours.names", "/messageBody/name", "PlayerValues", name="", figure=5)
says("ours.names", "/messageBody/name", "PlayerValues", name="x" * 33, figure=5)
says("ours.figures", "/messageBody/figure", "PlayerValues", name="Nr. 7", figure=7)
plays("ours.lobby-only", "/messageType", "SetStatus", ready=False)
plays("ours.lobby-only", "/messageType", "PlayerValues", name="Nr. 5", figure=5)


@breaks("3.3", "/messageBody/name")
async def the_name_of_another(stage: Stage) -> None:
    await stage.players(1)
    await (await stage.arrive()).say("PlayerValues", name="nr. 1", figure=2)


@breaks("3.3", "/messageBody/figure")
async def the_figure_of_another(stage: Stage) -> None:
    await stage.players(1)
    await (await stage.arrive()).say("PlayerValues", name="Nr. 2", figure=1)


@breaks("ours.tidy-names", "/messageBody/name", "corrected")
async def spaces_around_a_name(stage: Stage) -> None:
    await (await stage.arrive()).say("PlayerValues", name=" Nr. 5 ", figure=5)


@breaks("ours.seats", "", "refused", max_players=2)
async def a_name_when_all_seats_are_taken(stage: Stage) -> None:
    slow = await stage.arrive()
    await stage.players(2)
    await slow.say("PlayerValues", name="Nr. 3", figure=3)


@breaks("ours.values-when-ready", "/messageType")
async def a_name_when_ready(stage: Stage) -> None:
    (ready,) = await stage.players(1)
    await ready.say("SetStatus", ready=True)
    await ready.say("PlayerValues", name="Nr. 5", figure=5)


@breaks("ours.idle-seat", "", "kicked", idle_seat_seconds=0.05)
async def keeping_the_others_waiting(stage: Stage) -> None:
    for client in (await stage.players(3))[:2]:
        await client.say("SetStatus", ready=True)


# 4 Chatnachrichten

says("4.1", "/messageType", "SendChat", message="Hi all!", to=-1)
says("4.2", "/messageBody/to", "SendChat", message="Hi all!")
plays("4.3", "/messageBody/to", "SendChat", message="Hi all!", to=0)
plays("ours.chat-length", "/messageBody/message", "SendChat", message="x" * 1001, to=-1)


@breaks("ours.chat-rate", "")
async def chatting_too_much(stage: Stage) -> None:
    (client,) = await stage.players(1)
    for _ in range(2):
        await client.say("SendChat", message="x" * 1000, to=-1)


# 6 Spielkarten

says("6.1", "/messageBody/card", "PlayCard")
plays("6.2", "/messageBody/card", "PlayCard", card="Move1")
plays("6.2", "/messageBody/card", "SelectedCard", card="Boink", register=1)
plays("6.2", "/messageBody/cards/1", "DiscardSome", cards=["MoveI", "Move2"])
REBOOTED = {"rebooted": True, "registers": NO_REGISTERS}
plays("6.3", "/messageBody/card", "PlayCard", at=activating, changes=REBOOTED, card="UTurn")
plays("ours.rebooted", "/messageType", "PlayCard", at=activating, changes=REBOOTED, card="MoveI")
plays("6.6", "/messageBody/card", "BuyUpgrade", at=in_shop, isBuying=True, card="Teleporter")


@breaks("6.5", "/messageBody/card")
async def a_move_that_a_weasel_does_not_offer(stage: Stage) -> None:
    player, _ = await stage.game(activating)
    stage.wait_for(Routine(player.id, (Card.TURN_LEFT, Card.TURN_RIGHT, Card.U_TURN)))
    await player.say("PlayCard", card="MoveI")


# 7 Spielzug abhandeln

plays("7.0.2", "/messageType", "SelectedCard", register=1)
plays("7.0.2", "/messageType", "PlayCard", card="MoveI")
plays("7.1.1", "/messageBody/y", "SetStartingPoint", x=1)
plays("7.1.2", "/messageBody", "SetStartingPoint", x=4, y=2)


@breaks("7.0.1", "/messageType")
async def starting_out_of_turn(stage: Stage) -> None:
    _, other = await stage.game()
    await other.say("SetStartingPoint", x=1, y=1)


@breaks("7.0.1", "/messageType")
async def playing_out_of_turn(stage: Stage) -> None:
    _, other = await stage.game(activating)
    await other.say("PlayCard", card="MoveI")


@breaks("7.1.2", "/messageBody")
async def starting_where_another_robot_stands(stage: Stage) -> None:
    player, other = await stage.game()
    await player.say("SetStartingPoint", x=1, y=1)
    await other.hear_until("CurrentPlayer")
    await other.say("SetStartingPoint", x=1, y=1)


@breaks("ours.spectators", "/messageType")
async def playing_without_a_robot(stage: Stage) -> None:
    stranger = await stage.arrive()
    await stage.game()
    await stranger.say("SetStartingPoint", x=1, y=1)


@breaks("ours.paused", "/messageType")
async def playing_during_a_pause(stage: Stage) -> None:
    player, _ = await stage.game()
    assert [*stage.table.order(Pause())] == []
    await player.say("SetStartingPoint", x=1, y=1)


@breaks("ours.in-time", "", "corrected")
async def no_start_point(stage: Stage) -> None:
    player, _ = await stage.game()
    await stage.time_is_up(player)


# 7.2 Upgradephase

SHOP = {"shop": (Upgrade.BOINK,)}
BUY: dict[str, Any] = {"isBuying": True, "card": "Boink"}
plays("7.2.1", "/messageBody/card", "BuyUpgrade", at=in_shop, state={"shop": ()}, **BUY)
plays("7.2.2", "/messageBody/isBuying", "BuyUpgrade", at=in_shop, card=None)
plays("7.2.4", "/messageBody/card", "BuyUpgrade", at=in_shop, isBuying=True, card=None)
plays(
    *("7.2.5", "/messageBody/card", "BuyUpgrade"),
    at=in_shop,
    state=SHOP,
    changes={"energy": 0},
    **BUY,
)
plays(
    *("ours.upgrade-limit", "/messageBody/card", "BuyUpgrade"),
    at=in_shop,
    state=SHOP,
    changes={"upgrades": (Upgrade.BOINK,) * 3},
    **BUY,
)


@breaks("7.2.3", "", "corrected")
async def neither_buying_nor_declining(stage: Stage) -> None:
    player, _ = await stage.game(in_shop)
    await stage.time_is_up(player)


# 7.3 Programmierphase

CACHE = {"upgrades": (Upgrade.CACHE_MEMORY,)}
FIVE = (Card.MOVE_I,) * 5
SWAP = {"swapped": FIVE[:3], "hand": FIVE[:3], "upgrades": (Upgrade.MEMORY_SWAP,)}
HAND = "/messageBody/cards"


def programs(clause: str, pointer: str, kind: str, changes: Any = None, **body: Any) -> None:
    plays(clause, pointer, kind, at=programming, changes=changes, **body)


programs("7.3.1", "/messageBody/card", "SelectedCard", card="Worm", register=1)
programs("7.3.1", HAND, "DiscardSome", CACHE, cards=["Worm"])
programs("7.3.2", "/messageBody/register", "SelectedCard", card="MoveI")
programs("7.3.3", "/messageType", "SelectedCard", {"finished": True}, register=1)
programs("ours.registers", "/messageBody/register", "SelectedCard", card="MoveI", register=6)
AGAIN = {"hand": (Card.AGAIN,)}
programs(
    "ours.again-first", "/messageBody/register", "SelectedCard", AGAIN, card="Again", register=1
)
programs("ours.owned", "/messageType", "DiscardSome", cards=["MoveI"])
programs("ours.kept-cards", HAND, "DiscardSome", {**CACHE, "hand": FIVE}, cards=["MoveI"])
programs("ours.memory-swap", HAND, "DiscardSome", SWAP, cards=["MoveI"])
programs("ours.memory-swap", "/messageType", "SelectedCard", SWAP, card="MoveI", register=1)
programs("ours.memory-swap", "/messageType", "PlayCard", SWAP, card="MemorySwap")
programs("8.3", HAND, "DiscardSome")


@breaks("7.3.4", "", "corrected")
async def an_empty_register(stage: Stage) -> None:
    player, other = await stage.game(programming)
    stage.change(other, finished=True)
    stage.set_state(timer=True)
    await stage.time_is_up(player)


@breaks("ours.changes", "/messageType")
async def changing_a_program_too_often(stage: Stage) -> None:
    player, _ = await stage.game(programming)
    stage.match._changes[player.id] = MOST_CHANGES
    await player.say("SelectedCard", register=1)


# 7.4 Aktivierungsphase


def activates(clause: str, pointer: str, kind: str, changes: Any = None, **body: Any) -> None:
    plays(clause, pointer, kind, at=activating, changes=changes, **body)


def plays_upgrade(clause: str, upgrade: Upgrade, **changes: Any) -> None:
    owned = {"upgrades": (upgrade,), **changes}
    activates(clause, "/messageBody/card", "PlayCard", owned, card=upgrade.value)


activates("7.4.1", "/messageBody/card", "PlayCard", {"registers": FIVE}, card="Again")
activates("ours.owned", "/messageBody/card", "PlayCard", card="Hack")
activates("ours.owned", "/messageType", "Boink", orientation="up")
plays_upgrade("ours.passive", Upgrade.REAR_LASER)
plays_upgrade("ours.privilege", Upgrade.ADMIN_PRIVILEGE, privileges=frozenset({2}))
plays_upgrade("ours.shield", Upgrade.DEFLECTOR_SHIELD, shielded=True)
plays_upgrade("ours.shield", Upgrade.DEFLECTOR_SHIELD, energy=0)
plays_upgrade("ours.hack", Upgrade.HACK, registers=NO_REGISTERS)
BELOW_ANTENNA = {"upgrades": (Upgrade.BOINK,), "position": Cell(0, 4)}
WAY = "/messageBody/orientation"
activates("ours.boink-blocked", WAY, "Boink", BELOW_ANTENNA, orientation="up")
activates("ours.orientation", WAY, "Boink", orientation="north")
activates("ours.orientation", WAY, "Boink")


@breaks("ours.privilege", "/messageBody/card")
async def a_privilege_for_no_register(stage: Stage) -> None:
    player, _ = await stage.game(activating, upgrades=(Upgrade.ADMIN_PRIVILEGE,))
    stage.set_state(register=5)
    await player.say("PlayCard", card="AdminPrivilege")


# 8 Aktionen, Ereignisse und Effekte


def chooses(clause: str, pointer: str, cards: list[str]) -> None:
    """Damage that a player cannot choose who is asked for two cards instead of Spam."""

    @breaks(clause, pointer)
    async def play(stage: Stage) -> None:
        player, _ = await stage.game(activating)
        stage.wait_for(Damage(player.id, Card.SPAM, 2))
        await player.say("SelectedDamage", cards=cards)


chooses("8.1", HAND, ["Virus"])
chooses("6.4", HAND, ["MoveI", "Virus"])
chooses("6.4", HAND, ["Spam", "Virus"])
activates("8.1", HAND, "SelectedDamage")
activates("8.2", "/messageType", "SelectedDamage", cards=["Virus"])


@breaks("ours.waiting", "/messageType")
async def playing_while_another_chooses_damage(stage: Stage) -> None:
    player, other = await stage.game(activating)
    stage.wait_for(Damage(player.id, Card.SPAM, 2))
    await other.say("PlayCard", card="MoveI")


@breaks("ours.waiting", "/messageType")
async def playing_while_another_chooses_what_a_card_does(stage: Stage) -> None:
    player, other = await stage.game(activating)
    stage.wait_for(Routine(player.id, (Card.TURN_LEFT,)))
    await other.say("PlayCard", card="TurnLeft")


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_a_breach_names_its_clause_and_no_other(case: Case[Stage]) -> None:
    async with open_stage(case.settings) as stage:
        await case.play(stage)
        await hear_of_breach(stage.server.endpoint)
        assert broken(stage.server.endpoint) == {case.broken}
        (explanation,) = explanations(stage.server.endpoint)
        assert explanation.breach.came


async def test_an_error_names_the_clause_the_field_and_what_was_expected() -> None:
    async with open_stage({}) as stage:
        client = await stage.arrive()
        await client.say("PlayerValues", name="Nr. 5", figure="5")
        text = "1.5 /messageBody/figure: expected an integer; came '5'"
        assert await client.hear("Error") == {"error": text}


async def test_whoever_never_does_anything_is_told_which_clause_ends_it() -> None:
    async with open_stage({"idle_rounds": 1}) as stage:
        player, other = await stage.game(programming)
        stage.change(other, finished=True)
        await stage.time_is_up(other)
        await player.hear_until("Error")
        await player.peer.hear_end()
        assert broken(stage.server.endpoint) == {
            ("ours.in-time", "", "corrected"),
            ("ours.idle-rounds", "", "kicked"),
        }


def test_every_bad_example_that_cannot_be_read_breaks_its_clause() -> None:
    assert misnamed(GAME, lambda message: breaches.unreadable(message.flaw)) == {}


def test_every_clause_that_can_be_broken_is_broken_here() -> None:
    assert breakable(GAME.clauses) == CASES.clauses | {"ours.idle-rounds"}


@pytest.mark.parametrize("mistake", Mistake)
@pytest.mark.parametrize("request_", [m.PlayCard("MoveI"), m.SelectedDamage(["Spam"])])
def test_every_mistake_of_the_rules_breaks_a_clause(mistake: Mistake, request_: Any) -> None:
    breach = breaches.against_the_rules(mistake, request_)
    assert GAME.clauses[breach.clause.id] is breach.clause
    assert breach.expected
