"""Organisers see why messages were refused."""

from pathlib import Path

from ludothek.runtime.explanations import GONE, LATEST, Explanations, RefusedClient
from tests.support.organiser_console import open_client, open_control
from transports.reasons import MAX_REASON


async def test_the_latest_refusals_of_a_client_are_shown(tmp_path: Path) -> None:
    async with (
        open_control(tmp_path, settings={"max_strikes": 100}) as organiser,
        open_client(organiser.hexxagon) as client,
    ):
        assert await organiser.get("/refusals") == []
        for number in range(LATEST + 2):
            await client.say("JoinLobby", lobbyId=str(number), userName="Ann")
            await client.hear("Strike")
        (listed,) = await organiser.get("/clients")
        assert (listed["heard"], listed["refused"]) == (LATEST + 2, LATEST + 2)
        refusals = await organiser.get("/refusals?game=hexxagon")
        assert [each["id"] for each in refusals] == ["hexxagon/1"] * LATEST
        assert {each["connected"] for each in refusals} == {True}
        assert refusals[0]["address"].startswith("127.0.0.1:")
        assert [each["time"] for each in refusals] == sorted(
            (each["time"] for each in refusals), reverse=True
        )
        assert "lobbyId" in refusals[0]["reason"]


async def test_they_are_shown_after_the_client_was_sent_away(tmp_path: Path) -> None:
    async with open_control(tmp_path, settings={"max_strikes": 1}) as organiser:
        async with open_client(organiser.hexxagon) as client:
            await client.say("x" * 1000)
            await client.hear("Strike")
            await client.peer.hear_end()
        while await organiser.get("/clients"):
            pass
        by_consequence = {each["consequence"]: each for each in await organiser.get("/refusals")}
        assert {*by_consequence} == {"struck", "kicked"}
        assert not any(each["connected"] for each in by_consequence.values())
        struck = by_consequence["struck"]
        assert len(struck["reason"]) <= MAX_REASON
        assert "xxxxx" in struck["reason"]


async def test_a_refusal_names_the_clause_the_field_and_what_would_have_been_right(
    tmp_path: Path,
) -> None:
    async with open_control(tmp_path) as organiser, open_client(organiser.hexxagon) as client:
        await client.say("LeaveLobby", lobbyId="7")
        await client.hear("Strike")
        (refusal,) = await organiser.get("/refusals")
        clause = organiser.hexxagon.endpoint.game.clauses["3.2.2.1"]
        assert refusal["consequence"] == "struck"
        assert (refusal["clause"], refusal["section"]) == (clause.id, "UUID")
        assert (refusal["quote"], refusal["reading"]) == (clause.quote, clause.reading)
        assert refusal["pointer"] == "/lobbyId"
        assert (refusal["expected"], refusal["came"]) == ("a UUID", "'7'")
        assert refusal["reason"] == "/lobbyId: expected a UUID; came '7'"


async def test_what_is_tolerated_is_shown_and_counts_as_no_refusal(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_client(organiser.hexxagon) as client:
        await client.create(" Lobby ")
        (corrected,) = await organiser.get("/refusals")
        assert (corrected["consequence"], corrected["clause"]) == ("corrected", "ours.tidy-names")
        (listed,) = await organiser.get("/clients")
        assert listed["refused"] == 0


async def test_only_so_many_clients_that_are_gone_are_remembered(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        refused = organiser.hexxagon.endpoint.clients.refused
        for number in range(GONE + 1):
            nothing = Explanations()
            refused.append(
                RefusedClient(number=number, key="", name="", peer="", explanations=nothing)
            )
        assert [each.number for each in refused] == [*range(1, GONE + 1)]
