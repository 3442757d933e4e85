"""What the computer player says to a server, and how it gets along with ours."""

import random
from functools import partial
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.quidditch import artefacts, teams
from games.quidditch import messages as m
from games.quidditch.bots import DIFFICULTIES
from games.quidditch.player import QuidditchPlayer
from games.quidditch.rules import (
    DeltaType,
    Entity,
    Phase,
    Side,
    TurnType,
    VictoryReason,
    formation_refusal,
)
from ludothek.contract.codec import Codec
from ludothek.contract.player import BrokenProtocol, PlayerOptions, Report
from ludothek.runtime.playing import play
from ludothek.settings.fields import SettingsError
from tests.games.quidditch.clients import QuidditchClient, places, wire
from tests.games.quidditch.moments import picture
from tests.games.quidditch.scene import (
    BADGERS,
    BRIEF,
    CODEC,
    CONFIG,
    LEFT,
    RIGHT,
    Scene,
    match_config,
)
from tests.support.helpers import Fair, Peer, open_fair

LEVELS = range(len(DIFFICULTIES))
RANDOM = LEVELS[-1]


def player(**options: Any) -> QuidditchPlayer:
    return QuidditchPlayer(PlayerOptions(**{"username": "Bot", **options}), random.Random(1))


def tell(bot: QuidditchPlayer, *messages: Any) -> list[Any]:
    """Everything that is answered to some messages."""
    return [said for message in messages for said in bot.hear(message)]


def match_start(left: str = "Bot", right: str = "draco") -> m.MatchStart:
    return m.MatchStart(
        match_config=match_config(),
        left_team_config=artefacts.standard_team(),
        right_team_config=BADGERS,
        left_team_user_name=left,
        right_team_user_name=right,
    )


def finish(winner: str) -> m.MatchFinish:
    return m.MatchFinish(
        end_round=14,
        left_points=40,
        right_points=10,
        winner_user_name=winner,
        victory_reason=VictoryReason.MOST_POINTS,
    )


SNAPSHOT = m.Snapshot(picture({"leftChaser1": (6, 6)}))
CHASER = m.Next(Entity.LEFT_CHASER1, TurnType.MOVE, 5000)


class TestLogin:
    def login(self, **options: Any) -> m.JoinRequest:
        (request,) = QuidditchPlayer(PlayerOptions(**options), random.Random(3)).greet()
        assert isinstance(request, m.JoinRequest)
        return request

    def test_the_options_of_the_standard_are_used(self) -> None:
        request = self.login(lobby="MemesOnly", username="dealwithit", password="1337")
        assert request == m.JoinRequest(
            lobby="MemesOnly",
            user_name="dealwithit",
            password="1337",
            is_artificial_intelligence=True,
            mods=[],
        )

    def test_without_options(self) -> None:
        """«(default --lobby hogwarts)»; «username und password werden in der KI hardgecoded»"""
        request = self.login()
        assert (request.lobby, request.password) == ("hogwarts", "ludothek")
        another = QuidditchPlayer(PlayerOptions(), random.Random(4))
        assert request.user_name != next(another.greet()).user_name

    @pytest.mark.parametrize("name", ["Bot 1", "Bot 12", "A very long name of a bot"])
    def test_company_has_a_name_that_fits_and_is_its_own_in_every_lobby(self, name: str) -> None:
        names = set()
        for seed in range(5):
            options = PlayerOptions(username=name, lobby="abc", loyal=True)
            (request,) = QuidditchPlayer(options, random.Random(seed)).greet()
            assert request.user_name.startswith(name.replace(" ", "")[:11])
            assert request.user_name.isalnum()
            assert len(request.user_name) <= 20
            names.add(request.user_name)
        assert len(names) == 5

    @pytest.mark.parametrize(
        ("options", "complaint"),
        [
            ({"username": "Jürgen"}, "--username: 3 to 20 letters and digits"),
            ({"username": "ab"}, "--username"),
            ({"lobby": "no way"}, "--lobby: 3 to 40 letters and digits"),
            ({"own": {"team": "nowhere.json"}}, "--team: nowhere.json: No such file"),
            ({"own": {"team": str(BRIEF)}}, "expected a teamConfig, not a matchConfig"),
        ],
    )
    def test_what_cannot_be_is_refused_before_anything_is_said(
        self, options: dict[str, Any], complaint: str
    ) -> None:
        with pytest.raises(SettingsError, match=complaint):
            self.login(**options)

    def test_the_built_in_team_is_in_order(self) -> None:
        team = artefacts.standard_team()
        assert teams.objection(team, strict_image=True) is None
        assert len(team.image) < 4096

    def test_the_team_is_sent_upon_the_join_response(self) -> None:
        assert tell(player(), m.JoinResponse("hello")) == [artefacts.standard_team()]
        team = CONFIG / "team-badgers.json"
        assert tell(player(own={"team": str(team)}), m.JoinResponse("hello")) == [BADGERS]


class TestMatch:
    def test_it_lines_up_on_its_side(self) -> None:
        for start, side in ((match_start(), Side.LEFT), (match_start("eve", "Bot"), Side.RIGHT)):
            (formation,) = tell(player(), start)
            assert formation_refusal(side, formation.formation) is None

    def test_it_answers_for_its_own_players_and_fans_only(self) -> None:
        bot = player()
        tell(bot, match_start(), SNAPSHOT)
        (request,) = tell(bot, CHASER)
        assert request.active_entity is Entity.LEFT_CHASER1
        assert len(tell(bot, m.Next(Entity.LEFT_ELF, TurnType.FAN, 3000))) == 1
        assert tell(bot, m.Next(Entity.RIGHT_CHASER1, TurnType.MOVE, 5000)) == []
        assert tell(bot, m.Next(Entity.RIGHT_ELF, TurnType.FAN, 3000)) == []

    @pytest.mark.parametrize(
        "question",
        [
            m.Next(Entity.SNITCH, TurnType.MOVE, 0),
            m.Next(Entity.BLUDGER1, TurnType.MOVE, 0),
            m.Next(Entity.LEFT_ELF, TurnType.MOVE, 5000),
            m.Next(Entity.LEFT_KEEPER, TurnType.FAN, 5000),
        ],
    )
    def test_what_nobody_can_answer_is_ignored(self, question: m.Next) -> None:
        assert tell(player(), match_start(), SNAPSHOT, question)[1:] == []

    @pytest.mark.parametrize("level", LEVELS)
    def test_an_action_that_cannot_be_is_skipped(self, level: int) -> None:
        question = m.Next(Entity.LEFT_CHASER1, TurnType.ACTION, 5000)
        _, request = tell(player(difficulty=level), match_start(), SNAPSHOT, question)
        assert request.delta_type is DeltaType.SKIP

    def test_after_a_pause_the_same_question_is_answered_again(self) -> None:
        bot = player()
        tell(bot, match_start(), SNAPSHOT, CHASER, m.PrivateWarning(304, "please make a break"))
        pauses = [m.PauseResponse(message="", user_name="eve", pause=on) for on in (True, False)]
        (request,) = tell(bot, *pauses, CHASER)
        assert request.active_entity is Entity.LEFT_CHASER1

    def test_other_talk_is_ignored(self) -> None:
        talk = (m.LoginGreeting("eve"), m.GlobalDebug("?"), m.Undefined("x"), m.Lobbies([]))
        assert tell(player(), match_start(), SNAPSHOT, *talk)[1:] == []

    def test_it_reports_and_is_ready_for_another_match(self) -> None:
        bot = player()
        warning = m.PrivateWarning(303, "It's not your turn")
        tell(bot, match_start(), SNAPSHOT, CHASER, warning)
        report, team = tell(bot, finish("Bot"))
        details = {"won": True, "side": "left", "victoryReason": "mostPoints", "endRound": 14}
        assert report == Report("Bot", {"left": 40, "right": 10}, 1, 1, details)
        assert team == artefacts.standard_team()

    def test_a_match_of_others_is_watched_and_not_reported(self) -> None:
        bot = player()
        start = m.Contained("", match_start("eve", "draco"))
        seen, question = m.Contained("", SNAPSHOT), m.Contained("", CHASER)
        assert tell(bot, m.Reconnect(start, seen, question), SNAPSHOT, CHASER) == []
        assert tell(bot, finish("eve")) == [artefacts.standard_team()]

    def test_a_match_of_its_own_is_gone_on_with(self) -> None:
        start = m.Contained("", match_start())
        seen, question = m.Contained("", SNAPSHOT), m.Contained("", CHASER)
        (request,) = tell(player(), m.Reconnect(start, seen, question))
        assert request.active_entity is Entity.LEFT_CHASER1

    def test_nobody_lines_up_twice(self) -> None:
        assert tell(player(), m.Reconnect(m.Contained("", match_start()))) == []


class TestTrouble:
    @pytest.mark.parametrize("code", [202, 206, 207])
    def test_an_error_is_passed_on(self, code: int) -> None:
        error = m.PrivateError(code=code, information="Error: no", trigger_match_finish=False)
        with pytest.raises(BrokenProtocol, match=rf"Error: no \(code {code}\)"):
            tell(player(), error)

    def test_a_team_that_cannot_be_is_a_broken_protocol(self) -> None:
        start = match_start()
        keeper = attrs.evolve(BADGERS.players.keeper, broom="vacuum")
        team = attrs.evolve(BADGERS, players=attrs.evolve(BADGERS.players, keeper=keeper))
        with pytest.raises(BrokenProtocol, match="vacuum"):
            tell(player(), attrs.evolve(start, right_team_config=team))

    def test_a_snapshot_that_cannot_be_is_a_broken_protocol(self) -> None:
        nowhere = m.Snapshot(picture({"leftChaser1": (99, 99)}, phase=Phase.PLAYER))
        with pytest.raises(BrokenProtocol, match="cannot be"):
            tell(player(), match_start(), nowhere, CHASER)


def seated(scene: Scene, bot: QuidditchPlayer, name: str) -> Any:
    """Put a player at a table without Trio; returns a function that lets it go on talking."""
    person = scene.enter(name, ai=True)

    def talk() -> list[Report]:
        reports = []
        for message in person.hears():
            for said in bot.hear(message):
                if isinstance(said, Report):
                    reports.append(said)
                else:
                    scene.say(person, CODEC.decode(CODEC.encode(said)))
        return reports

    return talk


@pytest.mark.parametrize("level", LEVELS)
def test_players_of_every_level_play_a_match_at_a_table(level: int) -> None:
    scene, reports = Scene(seed=level), []
    talks = [
        seated(scene, player(username=name, difficulty=each), name)
        for name, each in (("one", level), ("two", RANDOM))
    ]
    for _ in range(20_000):
        reports += [report for talk in talks for report in talk()]
        if len(reports) == 2:
            break
    assert [report.errors for report in reports] == [0, 0]
    assert {report.details["victoryReason"] for report in reports} <= set(VictoryReason)


async def run(fair: Fair, codec: Codec, *, games: int, **options: Any) -> list[Report]:
    reports: list[Report] = []
    bot = QuidditchPlayer(PlayerOptions(**options), random.Random(options["username"]))
    await play(fair.connect(), codec, bot, reports.append, games=games)
    return reports


async def test_several_matches_are_played_in_one_lobby(autojump_clock: MockClock) -> None:
    settings = {"match": str(BRIEF)}
    async with open_fair("quidditch", settings=settings) as fair, trio.open_nursery() as nursery:
        nursery.start_soon(partial(run, fair, CODEC, games=0, username="one", difficulty=2))
        reports = await run(fair, CODEC, games=2, username="two", difficulty=0)
        assert [report.errors for report in reports] == [0, 0]
        nursery.cancel_scope.cancel()


async def test_a_third_one_waits_for_the_next_match(autojump_clock: MockClock) -> None:
    settings = {"match": str(BRIEF)}
    async with open_fair("quidditch", settings=settings) as fair, trio.open_nursery() as nursery:
        for name in ("one", "two"):
            nursery.start_soon(partial(run, fair, CODEC, games=1, username=name, difficulty=RANDOM))
        await wait_all_tasks_blocked()
        nursery.start_soon(partial(run, fair, CODEC, games=1, username="four", difficulty=RANDOM))
        (report,) = await run(fair, CODEC, games=1, username="three", difficulty=RANDOM)
        assert report.winner in {"three", "four"}


async def test_a_person_gets_company_in_every_lobby(autojump_clock: MockClock) -> None:
    settings = {"match": str(BRIEF), "bots": 1, "bot_difficulty": 0}
    async with open_fair("quidditch", settings=settings) as fair:
        for lobby in ("hogwarts", "durmstrang"):
            me = await QuidditchClient.login(Peer(fair.connect()), f"me{lobby}", lobby=lobby)
            await me.say("teamConfig", wire(BADGERS))
            start = await me.hear_until("matchStart")
            names = {start["leftTeamUserName"], start["rightTeamUserName"]}
            assert {name[:5] for name in names - {me.name}} == {"Bot1x"}
            formation = LEFT if start["leftTeamUserName"] == me.name else RIGHT
            await me.say("teamFormation", places(formation))
            await me.hear_until("snapshot")
        assert fair.endpoint.hall.crashes == 0
