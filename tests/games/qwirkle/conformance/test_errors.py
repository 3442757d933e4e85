"""Section 5 of the document: which error answers which message, in every state and role."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest

from ludothek.contract.orders import Abort, Pause
from tests.games.qwirkle.party import STILL, Guest, Party, connected, party, placed

STATES = ("not started", "in progress", "looking at a move", "paused", "ended")
ROLES = ("stranger", "lobby", "lobby S", "active", "waiting", "watching", "spectator")

in_every_state = pytest.mark.parametrize("state", STATES)

# A tile that every game has, but that is certainly in nobody's hand.
TILE = {"color": 0, "shape": 0, "uniqueId": 0}
NO_GAME = {"gameId": 77}

# A message's id, what it says, and the id of the answer for each role. A game that does not exist
# can be neither joined nor watched; "move" depends on the state, see below.
TABLE: list[tuple[int, dict[str, Any], str]] = [
    (100, {"clientName": "X", "clientType": "PLAYER"}, "--- 920 920 920  920  920 920"),
    (300, {}, "900 301 301 920  920  920 920"),
    (302, NO_GAME, "900 920 900 920  920  920 900"),
    (304, NO_GAME, "900 920 920 920  920  920 920"),
    (405, {}, "900 920 920 ---  ---  --- ---"),
    (411, {"tiles": []}, "900 920 900 move 920  900 900"),
    (414, {"tiles": []}, "900 920 900 move 920  900 900"),
    (417, {}, "900 920 920 418  418  418 418"),
    (419, {}, "900 920 920 420  420  420 420"),
    (421, {}, "900 920 920 422  422  422 422"),
    (423, {}, "900 920 920 900  900  424 424"),
    (425, {}, "900 920 920 900  900  426 426"),
    (498, {}, "900 920 920 499  499  499 499"),
]

# After the end everybody is back in the lobby, and may still ask.
ENDED = {300: 301}

UNREADABLE = [
    (b"garbage", 0),
    (b"{", 0),
    (b"{}", 0),
    (b"[]", 0),
    (b'{"uniqueId":"x"}', 0),
    (b'{"uniqueId":999}', 999),
    (b'{"uniqueId":200}', 200),
    (b'{"uniqueId":302}', 302),
    (b'{"uniqueId":304,"gameId":"x"}', 304),
    (b'{"uniqueId":306,"message":null}', 306),
    (b'{"uniqueId":411,"tiles":[null]}', 411),
    (b'{"uniqueId":414}', 414),
    (b'{"uniqueId":414,"tiles":[{"coordX":0,"coordY":0}]}', 414),
]

# fmt: off
SERVER_IDS = (101, 301, 303, 305, 307, 400, 401, 402, 403, 404, 406, 407, 408, 409, 410, 412, 413,
              415, 416, 418, 420, 422, 424, 426, 499)
# fmt: on


@attrs.frozen
class Scene:
    """One client of every role around a game in some state."""

    party: Party
    guests: dict[str, Guest]

    @property
    def members(self) -> dict[str, Guest]:
        return {role: self.guests[role] for role in ROLES[3:]}


@asynccontextmanager
async def scene(state: str) -> AsyncIterator[Scene]:
    async with (
        party(players=3, spectators=1, wrongMove="NOTHING", **STILL) as found,
        connected(found.server, "Lobby", "Watching") as (waiting, watching),
        connected(found.server, "Lobby S", client_type="SPECTATOR") as (waiting_spectator,),
        found.server.connect() as stranger,  # type: ignore[union-attr]
    ):
        await watching.ask(304, 305, gameId=1)
        found.spectators.append(watching)
        await _bring_about(found, state)
        clients = (
            Guest(stranger, "Stranger"),
            waiting,
            waiting_spectator,
            found.players[0],
            found.players[1],
            watching,
            found.spectators[0],
        )
        yield Scene(found, dict(zip(ROLES, clients, strict=True)))
        assert found.endpoint.hall.crashes == 0


async def _bring_about(found: Party, state: str) -> None:
    if state == "not started":
        return
    await found.start()
    if state == "looking at a move":
        await found.players[0].lay_first()
        await found.players[0].hear(415)
        await found.all_hear(416)
    elif state == "paused":
        found.order(Pause())
        await found.all_hear(403)
    elif state == "ended":
        found.order(Abort())
        await found.all_hear(402, 407)


@in_every_state
async def test_every_message_of_every_role_has_its_answer(state: str) -> None:
    """Die Prioritäten sind: ParsingError > AccessDenied > NotAllowed."""
    async with scene(state) as found:
        for unique_id, attributes, row in TABLE:
            for role, cell in zip(ROLES, row.split(), strict=True):
                if cell != "---":
                    answer_id = expected(unique_id, role, cell, state)
                    answer = await found.guests[role].ask(unique_id, answer_id, **attributes)
                    assert answer.get("causeId", unique_id) == unique_id


def expected(unique_id: int, role: str, cell: str, state: str) -> int:
    if state == "ended" and role in ROLES[3:]:
        cell = str(ENDED.get(unique_id, cell))
    if cell != "move":
        return int(cell)
    # «Spieler ist nicht am Zug.» An empty move of the active player breaks the rules.
    return {411: 412, 414: 415}[unique_id] if state == "in progress" else 920


@in_every_state
async def test_chat_is_for_members_in_every_state(state: str) -> None:
    async with scene(state) as found:
        for role in ROLES[:3]:
            await found.guests[role].refused(900 if role == "stranger" else 920, 306, message="x")
        for role, guest in found.members.items():
            await guest.say(306, message=role)
            to_all = role in ("active", "waiting")
            for listener in found.party.everybody if to_all else found.party.spectators:
                assert (await listener.hear(307))["message"] == role


@in_every_state
async def test_what_cannot_be_read_is_a_parsing_error_for_everybody(state: str) -> None:
    """alle: Nachricht konnte nicht korrekt interpretiert werden. ParsingError."""
    async with scene(state) as found:
        for guest in found.guests.values():
            for line, cause_id in UNREADABLE:
                await guest.say_line(line)
                assert (await guest.hear(910))["causeId"] == cause_id


@in_every_state
async def test_messages_of_the_server_are_parsing_errors_for_everybody(state: str) -> None:
    async with scene(state) as found:
        for guest in found.guests.values():
            for unique_id in SERVER_IDS:
                await guest.refused(910, unique_id)


@in_every_state
async def test_errors_of_clients_are_not_answered(state: str) -> None:
    async with scene(state) as found:
        for guest in found.guests.values():
            for unique_id in (900, 910, 920):
                await guest.say(unique_id, message="I do not understand", causeId=409)
                await guest.say(unique_id)
            await guest.hears_nothing()


@in_every_state
async def test_an_unknown_tile_is_a_parsing_error_whoever_s_turn_it_is(state: str) -> None:
    """414 Spieler: Der Stein ist nicht bekannt. ParsingError."""
    async with scene(state) as found:
        stranger = TILE | {"uniqueId": 108}
        for role in ("active", "waiting"):
            await found.guests[role].refused(910, 411, tiles=[stranger])
            await found.guests[role].refused(910, 414, tiles=[placed(stranger)])
        for role in ("watching", "spectator"):
            await found.guests[role].refused(900, 414, tiles=[placed(stranger)])


@in_every_state
async def test_games_cannot_be_joined_at_the_wrong_time(state: str) -> None:
    """302 Spieler: Das Spiel hat schon angefangen. NotAllowed."""
    async with scene(state) as found:
        guest = found.guests["lobby"]
        for game_id in (0, -1, 2, 2**31 - 1):
            await guest.refused(920, 302, gameId=game_id)
            await guest.refused(920, 304, gameId=game_id)
        if state == "not started":
            await guest.ask(302, 303, gameId=1)
        else:
            await guest.refused(920, 302, gameId=1)
            await guest.ask(304, 305, gameId=1)


@in_every_state
@pytest.mark.parametrize("way", ["asks", "hangs up"])
async def test_everybody_may_go_at_any_time(state: str, way: str) -> None:
    async with scene(state) as found:
        last = found.party.players[2]
        for role in ("watching", "spectator", "waiting", "active"):
            leaver = found.guests[role]
            if way == "asks":
                await _leave(leaver, state)
            else:
                await leaver.peer.link.aclose()
            if role in ("waiting", "active") and state != "ended":
                for guest in {last, found.guests["active"]} - {leaver}:
                    assert (await guest.hear(406))["client"] == leaver.info
        if state in ("not started", "ended"):
            await last.hears_nothing()
        else:
            assert (await last.hear(401, 407))["client"] == last.info
        for role in ("lobby", "lobby S"):
            await found.guests[role].ask(300, 301)


async def _leave(leaver: Guest, state: str) -> None:
    await leaver.say(405)
    if state != "ended":
        await leaver.hear(406)
    await leaver.ask(300, 301)
