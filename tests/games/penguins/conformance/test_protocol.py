"""The sentences of the protocol document («Das Spielprotokoll»), each against a real socket."""

import re

import pytest
from trio.testing import MockClock

from games.penguins.messages import MoveRequest
from games.penguins.rules import legal_actions
from tests.games.penguins.scene import (
    UUID,
    call,
    entries,
    join_two,
    penguins_server,
    play,
    prepare,
)

RESULT = """<room roomId="ID">
    <data class="result">
      <definition>
        <fragment name="Siegpunkte">
          <aggregation>SUM</aggregation>
          <relevantForRanking>true</relevantForRanking>
        </fragment>
        <fragment name="Fische">
          <aggregation>AVERAGE</aggregation>
          <relevantForRanking>true</relevantForRanking>
        </fragment>
      </definition>
      <scores>
        <entry>
          <player team="ONE"/>
          <score cause="REGULAR" reason="">
            <part>2</part>
            <part>0</part>
          </score>
        </entry>
        <entry>
          <player team="TWO"/>
          <score cause="LEFT" reason="Der Spieler hat das Spiel verlassen: LOST_CONNECTION">
            <part>0</part>
            <part>0</part>
          </score>
        </entry>
      </scores>
      <winner team="ONE"/>
    </data>
  </room>"""


async def test_nothing_is_said_before_the_first_answer() -> None:
    """«Dieses Tag eröffnet die Kommunikation mit dem Server.»"""
    async with penguins_server() as server, call(server) as client:
        await client.say("<protocol>", '<authenticate password="secret"/>')
        assert await client.finish() == "<protocol>\n</protocol>"


async def test_join_enters_an_open_game() -> None:
    """«Betritt ein beliebige offene Spielpartie»"""
    async with penguins_server() as server, call(server) as one, call(server) as two:
        await join_two(one, two)


async def test_join_opens_a_game_if_none_is_open() -> None:
    """«Sollte kein Spiel offen sein, wird automatisch ein neues erstellt.»"""
    async with penguins_server() as server, call(server) as one, call(server) as two:
        await join_two(one, two)
        async with call(server) as three:
            await three.join()
            assert three.room_id != one.room_id


@pytest.mark.parametrize("paused", [True, False])
async def test_the_setting_paused_decides_how_games_start(paused: bool) -> None:
    """«Abhängig von der Einstellung `paused` … wird das Spiel pausiert gestartet oder nicht.»"""
    async with penguins_server(paused=paused) as server, call(server) as one, call(server) as two:
        await join_two(one, two)
        if not paused:
            assert (await one.hear_state()).turn == 0
            assert await one.hear_data() == MoveRequest()
        assert await one.has_heard_all()


async def test_join_room_enters_the_game_with_that_id() -> None:
    """«Einer bestimmten, bereits offenen aber noch nicht gestarteten Partie … beigetreten»"""
    async with penguins_server() as server, call(server) as one, call(server) as two:
        await one.join()
        await two.join(f'<joinRoom roomId="{one.room_id}" />')
        assert two.room_id == one.room_id


async def test_join_prepared_takes_the_reserved_seat() -> None:
    """«Unter Angabe eines Reservierungscodes kann man einen reservierten Platz … einnehmen»"""
    async with penguins_server() as server, call(server) as admin, call(server) as two:
        prepared = await prepare(admin)
        await prepared.seat(two, 1)
        async with call(server) as one:
            await prepared.seat(one, 0)
            assert "ONE" in await one.hear()
            assert "TWO" in await two.hear()


async def test_joining_is_confirmed_with_the_room_id() -> None:
    """«Der Server antwortet auf einen erfolgreichen Spielbeitritt mit: <joined roomId=…/>»"""
    async with penguins_server() as server, call(server) as client:
        await client.join("<join />")
        assert client.heard == f'<protocol>\n  <joined roomId="{client.room_id}"/>'
        assert UUID.fullmatch(client.room_id)


async def test_the_game_opens_with_a_welcome_and_the_state() -> None:
    """«Der Server eröffnet das Spiel mit einer Begrüßung und dem initialen Spielstatus sobald
    beide Spieler verbunden sind.»"""
    async with penguins_server(board_seed=42) as server, call(server) as one, call(server) as two:
        await one.join()
        await two.join()
        for peer, team in ((one, "ONE"), (two, "TWO")):
            assert await peer.hear() == (
                f'<room roomId="{one.room_id}">\n    <data class="welcomeMessage" color="{team}"/>'
                "\n  </room>"
            )
            state = await peer.hear()
            assert '<state class="state" turn="0">' in state
            assert "<startTeam>ONE</startTeam>" in state
            fields = "".join(re.findall("<field>(.)</field>", state))
            assert fields[:32] == "11313122112102212211210201111101"
            assert fields[32:] == fields[31::-1]
            assert re.findall("<int>(.)</int>", state) == ["0", "0"]


async def test_the_first_player_is_asked_for_a_move() -> None:
    """«Der erste Spieler erhält dann eine Zugaufforderung»"""
    async with penguins_server() as server, call(server) as one, call(server) as two:
        await join_two(one, two)
        await one.hear_state()
        assert await one.hear() == (
            f'<room roomId="{one.room_id}">\n    <data class="moveRequest"/>\n  </room>'
        )
        await two.hear_state()
        assert await two.has_heard_all()


async def test_a_move_brings_the_new_state_to_all_and_a_request_to_the_next() -> None:
    """«Nach Erhalt des Zuges sendet der Server den neuen Spielstatus an alle Spieler und dem
    nächsten Spieler eine Zugaufforderung.»"""
    async with penguins_server() as server, call(server) as one, call(server) as two:
        await join_two(one, two)
        state, _ = await one.hear_state(), await two.hear_state()
        assert await one.hear_data() == MoveRequest()
        await one.make(legal_actions(state)[0])
        assert (await one.hear_state()).turn == 1
        assert (await two.hear_state()).last_move == legal_actions(state)[0]
        assert await two.hear_data() == MoveRequest()
        assert await one.has_heard_all()


async def test_a_whole_game_ends_with_the_result() -> None:
    """«So geht es hin und her bis zum Spielergebnis.» — «Zum Spielende erhält jeder Spieler das
    Ergebnis.»"""
    async with penguins_server() as server, call(server) as one, call(server) as two:
        state = await play(await join_two(one, two))
        assert state.over
        result = await one.hear_result()
        assert result == await two.hear_result()
        assert [(cause, fish) for cause, _, _, fish in entries(result)] == [
            ("REGULAR", state.fish[0]),
            ("REGULAR", state.fish[1]),
        ]
        assert {entry.points for entry in result.scores} in ({0, 2}, {1})


async def test_the_result_explains_itself() -> None:
    """«Es beginnt mit einer `definition`, die die Interpretation der Ergebnisse erklärt. Für jeden
    Spieler gibt es einen Eintrag in `scores`.» — «Wenn es einen Sieger gibt, endet es mit einem
    `winner`-Tag»"""
    async with penguins_server() as server, call(server) as one, call(server) as two:
        await join_two(one, two)
        await two.stream.aclose()
        await one.hear_state()
        await one.hear_data()
        assert (await one.hear()).replace(one.room_id, "ID") == RESULT


async def test_the_last_message_is_followed_by_the_end_of_the_document(
    unhurried_clock: MockClock,
) -> None:
    """«Die letzte Nachricht des Servers endet mit: </protocol> Danach wird die Verbindung
    geschlossen.»"""
    async with penguins_server() as server:
        for goodbye in ("<close/>", "<sc.protocol.CloseConnection/>", "</protocol>", "<1>"):
            async with call(server) as client:
                await client.join()
                await client.say(goodbye)
                await client.hear_end()


async def test_the_connection_outlives_the_game() -> None:
    async with penguins_server() as server, call(server) as one, call(server) as two:
        await join_two(one, two)
        first = one.room_id
        await one.move((4, 0), (4, 0))
        await one.hear_result()
        await two.hear_result()
        await join_two(one, two)
        assert one.room_id != first
