"""Qwirkle through the organiser's HTTP interface, with bots over real sockets."""

from pathlib import Path
from typing import Any

import trio

from games.qwirkle.messages import Update
from ludothek.contract.registry import load
from tests.games.qwirkle.party import QUIET, connected
from tests.games.qwirkle.whole_games import FAIR_PLAY, Recorder, recorder_of, recount, run_recorder
from tests.support.organiser_console import Organiser, open_control

SETTINGS = {**FAIR_PLAY, "colorShapeCount": 4, "tileCount": 2, "maxHandTiles": 4}


async def waiting(organiser: Organiser, count: int) -> list[str]:
    """The ids of clients that have identified themselves, once there are so many."""
    while True:
        clients = [c for c in await organiser.get("/clients?game=qwirkle") if c["name"]]
        if len(clients) == count:
            return [client["id"].partition("/")[2] for client in clients]


async def test_an_organiser_opens_seats_starts_pauses_and_resumes(tmp_path: Path) -> None:
    """The leaderboard agrees with an independent recount of the board."""
    recorders = [recorder_of("game", n) for n in range(3)]
    settings = QUIET | {"auto_skip": True}
    async with open_control(tmp_path, load("qwirkle"), settings=settings) as organiser:
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                for recorder in recorders:
                    nursery.start_soon(run_recorder, organiser.servers["qwirkle"], recorder)
                ids = await waiting(organiser, 3)
                config = SETTINGS | {"timeVisualization": 20}
                opened = await organiser.do(
                    "/lobbies", game="qwirkle", name="Finale", settings=config
                )
                path = f"/lobbies/{opened['id']}"
                assert (opened["id"], opened["state"]) == ("qwirkle/1", "NOT_STARTED")
                seated = (await organiser.do(f"{path}/seat", clients=ids))["players"]
                arranged = (await organiser.do(f"{path}/arrange", clients=ids[::-1]))["players"]
                assert (len(seated), arranged) == (3, seated[::-1])
                assert len((await organiser.do(f"{path}/expel", client=ids[0]))["players"]) == 2
                assert len((await organiser.do(f"{path}/seat", clients=ids[:1]))["players"]) == 3
                await organiser.do(f"{path}/start")
                await _hear_some(recorders[0])
                assert (await organiser.do(f"{path}/pause"))["state"] == "PAUSED"
                assert (await organiser.do(f"{path}/resume"))["state"] == "IN_PROGRESS"
        (lobby,) = await organiser.get("/lobbies")
    scores = {entry["client"]: entry["score"] for entry in lobby["facts"]["scores"]}
    for recorder in recorders:
        counted = recount(recorder.news)
        assert recorder.winner.leaderboard == counted
        assert scores == {client.client_id: score for client, score in counted.items()}
    assert lobby["facts"]["winner"] == recorders[0].winner.client.client_id


async def _hear_some(recorder: Recorder) -> None:
    while not any(isinstance(news, Update) for news in recorder.news):
        await trio.lowlevel.checkpoint()


async def test_an_organiser_runs_a_tournament(tmp_path: Path) -> None:
    recorders = [recorder_of("cup", n) for n in range(4)]
    settings = QUIET | {"auto_skip": True}
    async with (
        open_control(tmp_path, load("qwirkle"), settings=settings) as organiser,
        trio.open_nursery() as nursery,
    ):
        for recorder in recorders:
            nursery.start_soon(run_recorder, organiser.servers["qwirkle"], recorder, 2)
        ids = await waiting(organiser, 4)
        cup: Any = await organiser.do(
            "/lobbies", game="qwirkle", name="Cup", settings={**SETTINGS, "tournament": True}
        )
        path = f"/lobbies/{cup['id']}"
        await organiser.do(f"{path}/seat", clients=ids)
        await organiser.do(f"{path}/start")
        while cup["state"] != "ENDED":
            lobbies = await organiser.get("/lobbies?game=qwirkle")
            (cup,) = [lobby for lobby in lobbies if lobby["name"] == "Cup"]
        while len(finalists := [each for each in recorders if len(each.reports) == 2]) < 2:
            await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    assert cup["facts"]["winner"] == finalists[0].winner.client.client_id


async def test_what_makes_no_sense_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async with open_control(tmp_path, load("qwirkle"), settings=QUIET) as organiser:
        server = organiser.servers["qwirkle"]
        async with connected(server, "Anna") as (anna,):
            await organiser.do("/lobbies", game="qwirkle")
            for path, fields, status, words in (
                ("/lobbies", {"game": "qwirkle", "settings": {"turnTim": 1}}, 409, "turnTime"),
                ("/lobbies", {"game": "qwirkle", "content": "[]"}, 409, "content: expected a"),
                ("/lobbies/qwirkle/1/start", {}, 409, "cannot start with 0 players"),
                ("/lobbies/qwirkle/1/pause", {}, 409, "only a game in progress"),
                ("/lobbies/qwirkle/1/resume", {}, 409, "only a paused game"),
                ("/lobbies/qwirkle/1/step", {}, 409, "no single steps"),
                ("/lobbies/qwirkle/1/abort", {"winner": "1"}, 409, "must be a player"),
                ("/lobbies/qwirkle/2/start", {}, 404, "no lobby"),
                ("/lobbies/qwirkle/1/seat", {"clients": ["9"]}, 404, "no client"),
            ):
                code, sentence = await organiser.refused(path, **fields)
                assert (code, words in sentence) == (status, True), sentence
            await anna.hears_nothing()
            await organiser.do("/clients/qwirkle/1/kick")
            await anna.peer.hear_end()
