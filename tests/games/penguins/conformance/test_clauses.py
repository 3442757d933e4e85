"""Every clause of Penguins is broken over a real socket, and the server names it and no other."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import attrs
import pytest
import trio

from games.penguins import GAME, breaches
from games.penguins.gate import MOST_TRIES
from games.penguins.messages import MoveRequest
from games.penguins.rules import Coordinates, Move, State, legal_actions
from games.penguins.rules.mistakes import Mistake
from ludothek.testing.breaches import (
    Case,
    Cases,
    breakable,
    broken,
    explanations,
    hear_of_breach,
    misnamed,
)
from tests.games.penguins.scene import (
    PASSWORD,
    TWO_SLOTS,
    Players,
    Prepared,
    XmlPeer,
    call,
    join_two,
    penguins_server,
    play,
    prepare,
)
from tests.support.helpers import Server

# Row 0 of its board is 1 1 3 1 3 1 2 2.
SEED = 42
UNKNOWN = "293076c0-bbed-4bfd-8cb2-24b5654eb0d6"
MOVE = '<data class="move"><to x="0" y="0"/></data>'
AUTHENTICATE = f'<authenticate password="{PASSWORD}"/>'


@attrs.frozen
class Stage:
    """A server and three clients that have said nothing yet."""

    server: Server
    one: XmlPeer
    two: XmlPeer
    three: XmlPeer

    async def begin(self) -> Players:
        """A game in which ONE has been asked for its first move."""
        one, two = await join_two(self.one, self.two)
        await one.hear_data_of(MoveRequest)
        return one, two

    async def begin_prepared(self, attributes: str = "") -> Prepared:
        """The same, prepared by an administrator, with time limits."""
        prepared = await prepare(self.three, attributes=attributes)
        await prepared.seat_two(self.one, self.two)
        return prepared


CASES: Cases[Stage] = Cases()
breaks = CASES.breaks


def says(clause: str, pointer: str, consequence: str, packet: str, start: str = "") -> None:
    """A packet that is wrong wherever it is sent."""

    @breaks(clause, pointer, consequence)
    async def play(stage: Stage) -> None:
        await stage.one.say(f"{start or '<protocol>'}{packet}")


def administrates(clause: str, pointer: str, packet: str, consequence: str = "refused") -> None:
    """The same for administrators."""
    says(clause, pointer, consequence, packet, f"<protocol>{AUTHENTICATE}")


def moves(clause: str, pointer: str, children: str) -> None:
    """A first move that loses the game."""

    @breaks(clause, pointer, "struck")
    async def play(stage: Stage) -> None:
        one, _ = await stage.begin()
        await one.say_data(f'<data class="move">{children}</data>')


def slides(clause: str, pointer: str, choose: Callable[[State], Move]) -> None:
    """A move when all penguins are placed that loses the game."""

    @breaks(clause, pointer, "struck")
    async def play_on(stage: Stage) -> None:
        one, two = await join_two(stage.one, stage.two)
        await one.make(choose(await play((one, two), turns=8)))


# XML, and packets that are wrong wherever they are sent

says("Betreten.1", "", "kicked", "<join/>", start=" ")
says("Betreten.1", "", "kicked", f'<joinRoom roomId="{UNKNOWN}"></joinRoom>', start=" ")
says("Betreten.1", "", "kicked", "<protocol>")
says("Spielprotokoll.1", "/*", "kicked", "<Join/>")
says("Spielprotokoll.1", "/*", "kicked", '<slot displayName="A"/>')
says("ours.xml", "", "kicked", "join", start=" ")
says("ours.xml", "", "kicked", f"<joinRoom roomId={UNKNOWN}/>")
says("ours.xml", "", "kicked", "<join></joinRoom>")
says("ours.xml", "", "kicked", '<join gameType="&unknown;"/>')
says("ours.plain-xml", "", "kicked", "<!DOCTYPE a>")
says("ours.plain-xml", "", "kicked", "<?php ?>")
SPACED = '<data class="move"><to xmlns="urn:x" x="0" y="0"/></data>'
says("ours.plain-xml", "/room/data", "kicked", f'<room roomId="{UNKNOWN}">{SPACED}</room>')
says("ours.small-packets", "", "kicked", "<a>" * 9)
MANY = " ".join(f'a{number}=""' for number in range(17))
says("ours.small-packets", "", "kicked", f"<join {MANY}/>")
says("ours.small-packets", "", "kicked", f"<prepare>{'<slot/>' * 300}</prepare>")
says("ours.too-long", "", "kicked", f'<join gameType="{"x" * 20000}"/>')
says("ours.known-children", "/join/*[1]", "kicked", "<join><name>A</name></join>")
says("ours.known-children", "/prepare/*[1]", "kicked", "<prepare><player/></prepare>")
SLOT = '<slot displayName="A"/>'
SLOT_OF_MORE = f"<prepare>{SLOT}<slot><a/></slot></prepare>"
says("ours.known-children", "/prepare/slot[2]/*[1]", "kicked", SLOT_OF_MORE)
says("ours.server-packets", "/left", "refused", f'<left roomId="{UNKNOWN}"/>')
says("ours.server-packets", "/joined/*[1]", "kicked", "<joined><a/></joined>")
SEATS = "/joinedGameRoom/@playerCount"
says("ours.server-packets", SEATS, "kicked", '<joinedGameRoom playerCount="a"/>')
ORIGINAL = "/errorpacket/originalRequest"
NESTED = '<errorpacket><originalRequest class="yarr"/></errorpacket>'
says("ours.server-packets", ORIGINAL, "kicked", NESTED)

# Joining

says("ours.game-type", "/join/@gameType", "refused", '<join gameType="swc_2022_ostseeschach"/>')
says("BestimmtePartie.1", "/joinRoom/@roomId", "refused", f'<joinRoom roomId="{UNKNOWN}"/>')
says("BestimmtePartie.3", "/joinRoom/@roomId", "refused", f'<joinRoom room="{UNKNOWN}"/>')
CODE = "/joinPrepared/@reservationCode"
says("Reservierung.1", CODE, "refused", f'<joinPrepared reservationCode="{UNKNOWN}"/>')
says("Reservierung.2", CODE, "refused", f'<joinPrepared code="{UNKNOWN}"/>')


@breaks("BestimmtePartie.2", "/joinRoom/@roomId", "refused")
async def a_full_room(stage: Stage) -> None:
    one, _ = await stage.begin()
    await stage.three.say(f'<protocol><joinRoom roomId="{one.room_id}"/>')


@breaks("BestimmtePartie.2", "/joinRoom/@roomId", "refused")
async def a_reserved_seat(stage: Stage) -> None:
    prepared = await prepare(stage.three)
    await stage.one.say(f'<protocol><joinRoom roomId="{prepared.room_id}"/>')


@breaks("BestimmtePartie.1", "/joinRoom/@roomId", "refused")
async def a_room_that_is_gone(stage: Stage) -> None:
    prepared = await prepare(stage.three)
    await prepared.cancel()
    await stage.three.hear_result()
    await stage.one.say(f'<protocol><joinRoom roomId="{prepared.room_id}"/>')


@breaks("Reservierung.1", CODE, "refused")
async def a_code_that_was_used(stage: Stage) -> None:
    prepared = await prepare(stage.three)
    await prepared.seat(stage.one, 0)
    await stage.two.say(f'<protocol><joinPrepared reservationCode="{prepared.codes[0]}"/>')


@breaks("ours.rooms-of-one", "", "refused", max_rooms_per_client=1)
async def too_many_rooms_of_one_client(stage: Stage) -> None:
    await stage.begin()
    await stage.one.say("<join/>")


@breaks("ours.rooms-of-all", "", "refused", max_rooms=1)
async def too_many_rooms(stage: Stage) -> None:
    await stage.begin()
    await stage.three.say("<protocol><join/>")


@breaks("ours.draining", "", "refused")
async def a_room_at_the_end_of_the_server(stage: Stage) -> None:
    await stage.begin()
    stage.server.endpoint.hall.drain()
    await stage.three.say("<protocol><join/>")


@breaks("ours.idle-seat", "", "struck", max_rooms=1, idle_seat_seconds=1e-6)
async def silence_while_others_wait(stage: Stage) -> None:
    await stage.begin()
    await stage.three.join()


# Moves that are none

ROOM = f'<room roomId="{UNKNOWN}">'
says("Antwort.1", "/room/@roomId", "refused", f"{ROOM}{MOVE}</room>")
says("Ablauf.3", "/room/@roomId", "refused", f"<room>{MOVE}</room>")
says("Ablauf.3", "/room/*[1]", "kicked", f"{ROOM}<move/></room>")
says("Ablauf.3", "/room/data", "kicked", f"{ROOM}{MOVE}{MOVE}</room>")
says("Ablauf.3", "/room/data/@class", "kicked", f'{ROOM}<data class="Move"/></room>')
says("Ablauf.3", "/room/data/@class", "kicked", f"{ROOM}<data/></room>")
WELCOME = '<data class="welcomeMessage" color="RED"/>'
says("Ablauf.3", "/room/data/@color", "kicked", f"{ROOM}{WELCOME}</room>")
moves("Zug.1", "/room/data/to", "")
moves("Zug.1", "/room/data/to", '<from x="0" y="0"/>')
moves("Zug.1", "/room/data/*[2]", '<to x="0" y="0"/><to x="2" y="0"/>')
moves("Zug.1", "/room/data/*[2]", '<to x="0" y="0"/><hint content="a"/>')
moves("Zug.1", "/room/data/to/*[1]", '<to x="0" y="0"><z/></to>')
moves("Zug.2", "/room/data/to/@y", '<to x="0"/>')
moves("Zug.2", "/room/data/to/@x", '<to x="0.0" y="0"/>')
moves("Zug.2", "/room/data/from/@x", '<from x="" y="0"/><to x="0" y="0"/>')


@breaks("Ablauf.3", "/room/data", "refused")
async def a_room_without_data(stage: Stage) -> None:
    one, _ = await stage.begin()
    await one.say_data("")


@breaks("Ablauf.3", "/room/data/@class", "refused")
async def a_request_of_a_client(stage: Stage) -> None:
    one, _ = await stage.begin()
    await one.say_data('<data class="moveRequest"/>')


@breaks("Antwort.1", "/room/@roomId", "refused")
async def a_move_in_the_room_of_others(stage: Stage) -> None:
    one, _ = await stage.begin()
    await stage.three.say(f'<protocol><room roomId="{one.room_id}">{MOVE}</room>')


@breaks("Antwort.1", "/room/@roomId", "refused")
async def a_move_after_the_end(stage: Stage) -> None:
    one, two = await stage.begin()
    await two.stream.aclose()
    await one.hear_result()
    await one.say_data(MOVE)


# Moves at the wrong time


@breaks("Ablauf.1", "/room/data", "struck")
async def a_move_before_the_opponent_is_there(stage: Stage) -> None:
    await stage.one.join()
    await stage.one.say_data(MOVE)


@breaks("Ablauf.1", "/room/data", "struck")
async def a_move_in_a_pause(stage: Stage) -> None:
    await stage.begin_prepared('pause="true"')
    await stage.one.say_data(MOVE)


@breaks("Ablauf.2", "", "struck", soft_seconds=0.0)
async def a_late_move(stage: Stage) -> None:
    await stage.begin_prepared()
    await stage.one.hear_data_of(MoveRequest)
    await stage.one.say_data(MOVE)


@breaks("Ablauf.2", "", "struck", soft_seconds=0.0, hard_seconds=0.01)
async def no_move(stage: Stage) -> None:
    await stage.begin_prepared()


@breaks("Zug.3", "/room/data", "struck")
async def a_move_of_the_other_one(stage: Stage) -> None:
    _, two = await stage.begin()
    await two.say_data(MOVE)


@breaks("Zug.3", "/room/data", "struck")
async def two_moves_at_once(stage: Stage) -> None:
    one, _ = await stage.begin()
    await one.move((0, 0))
    await one.move((2, 0))


# Moves against the rules

moves("ours.single-fish", "/room/data/to", '<to x="4" y="0"/>')
moves("ours.on-board", "/room/data/to", '<to x="1" y="0"/>')
moves("ours.on-board", "/room/data/to", '<to x="16" y="0"/>')
moves("ours.on-board", "/room/data/from", '<from x="-1" y="0"/><to x="0" y="0"/>')
moves("ours.own-penguin", "/room/data/from", '<from x="0" y="0"/><to x="2" y="0"/>')


@breaks("ours.place-first", "/room/data/from", "struck")
async def a_slide_before_all_penguins_are_placed(stage: Stage) -> None:
    one, two = await stage.begin()
    await one.move((0, 0))
    await two.hear_data_of(MoveRequest)
    await two.move((6, 0))
    await one.hear_data_of(MoveRequest)
    await one.move((2, 0), (0, 0))


def _stays(state: State) -> Move:
    """A slide of a penguin to the field where it is."""
    slide = legal_actions(state)[0]
    assert slide.origin is not None
    return Move(slide.origin, slide.origin)


def _leaves(state: State) -> Move:
    """A slide of a penguin off the board."""
    return Move(legal_actions(state)[0].origin, Coordinates(1, 0))


slides("ours.four-penguins", "/room/data/from", lambda state: Move(None, Coordinates(0, 0)))
slides("ours.straight-slide", "/room/data/to", _stays)
slides("ours.on-board", "/room/data/to", _leaves)

# Administrators

says("ours.authenticated", "/cancel", "refused", f'<cancel roomId="{UNKNOWN}"/>')
says("ours.password", "/authenticate/@password", "refused", '<authenticate password="guess"/>')
says("ours.password", "/authenticate/@password", "refused", "<authenticate/>")
administrates("ours.admin-room", "/observe/@roomId", f'<observe roomId="{UNKNOWN}"/>')
administrates("ours.admin-room", "/step/@roomId", "<step/>")
PREPARE = '<prepare gameType="swc_2023_penguins">'
administrates("ours.game-type", "/prepare/@gameType", f"<prepare>{TWO_SLOTS}</prepare>")
administrates("ours.slots", "/prepare/slot", f"{PREPARE}</prepare>")
administrates("ours.slots", "/prepare/slot", f"{PREPARE}{SLOT * 3}</prepare>")
NAMELESS = f"{PREPARE}{SLOT}<slot/></prepare>"
administrates("ours.slots", "/prepare/slot[2]/@displayName", NAMELESS)


@breaks("ours.pause-changes", "/pause/@pause", "ignored")
async def a_pause_that_changes_nothing(stage: Stage) -> None:
    await (await prepare(stage.three)).pause(False)


@breaks("ours.step-in-pause", "/step", "ignored")
async def a_step_without_a_pause(stage: Stage) -> None:
    await (await stage.begin_prepared()).step()


@breaks("ours.step-in-pause", "/step", "ignored")
async def a_step_before_the_start(stage: Stage) -> None:
    await (await prepare(stage.three, attributes='pause="true"')).step()


# All of them


@asynccontextmanager
async def open_stage(settings: Mapping[str, Any]) -> AsyncIterator[Stage]:
    chosen = {"board_seed": SEED, **settings}
    async with penguins_server(**chosen) as server, AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(call(server)) for _ in range(3)]
        yield Stage(server, *peers)


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_a_breach_names_its_clause_and_no_other(case: Case[Stage]) -> None:
    async with open_stage(case.settings) as stage:
        await case.play(stage)
        await hear_of_breach(stage.server.endpoint)
        assert broken(stage.server.endpoint) == {case.broken}
        (explanation,) = explanations(stage.server.endpoint)
        assert explanation.breach.expected
        assert explanation.breach.came


async def test_a_password_that_comes_too_early_is_told_to_wait() -> None:
    async with open_stage({}) as stage:
        one, two = await stage.begin()
        await two.hear_state()
        for guesser in (*[one] * (MOST_TRIES - 1), two, two, two):
            await guesser.say('<authenticate password="guess"/>')
            assert "errorpacket" in await guesser.hear()
        *wrong, early = explanations(stage.server.endpoint)
        assert {each.breach.clause.id for each in wrong} == {"ours.password"}
        assert early.breach.clause.id == "ours.password-delay"
        assert early.breach.pointer == "/authenticate/@password"


async def test_nobody_learns_which_password_was_wrong() -> None:
    async with open_stage({}) as stage:
        await stage.one.say('<protocol><authenticate password="almost right"/>')
        await hear_of_breach(stage.server.endpoint)
        (explanation,) = explanations(stage.server.endpoint)
        assert "almost right" not in str(explanation)


async def test_whoever_guesses_is_told_which_clause_ends_it(autojump_clock: object) -> None:
    async with open_stage({}) as stage:
        one, _ = await stage.begin()
        for _ in range(MOST_TRIES):
            await trio.sleep(61)
            await one.say('<authenticate password="guess"/>')
            assert "errorpacket" in await one.hear()
        *_, wrong, kicked = explanations(stage.server.endpoint)
        assert (wrong.breach.clause.id, wrong.consequence.value) == ("ours.password", "refused")
        assert (kicked.breach.clause.id, kicked.consequence.value) == ("ours.guessing", "kicked")


def test_every_bad_example_that_cannot_be_read_breaks_its_clause() -> None:
    assert misnamed(GAME, lambda message: breaches.unreadable(message.flaw)) == {}


def test_every_clause_that_can_be_broken_is_broken_here() -> None:
    assert breakable(GAME.clauses) == CASES.clauses | {"ours.password-delay"}


@pytest.mark.parametrize("mistake", Mistake)
def test_every_mistake_of_the_rules_breaks_a_clause(mistake: Mistake) -> None:
    breach = breaches.against_the_rules(mistake, Move(None, Coordinates(0, 0)))
    assert GAME.clauses[breach.clause.id] is breach.clause
    assert breach.expected
