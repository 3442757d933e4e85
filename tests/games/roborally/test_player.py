"""What the computer player says to a server, tested without one."""

import random
from typing import Any

import pytest

from games.roborally import courses
from games.roborally import messages as m
from games.roborally.player import RoboRallyPlayer
from ludothek.contract.player import BrokenProtocol, PlayerOptions, Report

MAP = courses.game_map(courses.load("DizzyHighway"))


def player(difficulty: int = 2) -> RoboRallyPlayer:
    options = PlayerOptions(username="Bot", difficulty=difficulty)
    return RoboRallyPlayer(options, random.Random(1))


def tell(bot: RoboRallyPlayer, *messages: Any) -> list[Any]:
    """Everything that is answered to some messages."""
    return [said for message in messages for said in bot.hear(message)]


def registered() -> RoboRallyPlayer:
    bot = player()
    said = tell(bot, m.HelloClient("Version 2.0"), m.Welcome(3))
    assert said[0] == m.HelloServer("Ludothek", True, "Version 2.0")
    assert tell(bot, m.PlayerAdded(3, "Bot", said[1].figure)) == [m.SetStatus(True)]
    return bot


def test_a_taken_figure_is_not_asked_for_again() -> None:
    bot = player()
    tell(bot, m.Welcome(3), *(m.PlayerAdded(n, f"Nr. {n}", n) for n in (1, 2, 4, 5, 6)))
    assert tell(bot, m.Error("?")) == [m.PlayerValues("Bot", 3)]


def test_a_taken_name_is_changed() -> None:
    bot = player()
    (values,) = tell(bot, m.Welcome(3), m.PlayerAdded(1, "Bot", 1), m.Error("?"))[1:]
    assert values.name.startswith("Bot ")


def test_a_server_that_refuses_everything_is_given_up() -> None:
    bot = player()
    tell(bot, m.Welcome(3))
    with pytest.raises(BrokenProtocol, match="refuses every name"):
        tell(bot, *[m.Error("No.")] * 30)


def test_a_game_without_a_winner_is_reported_and_the_next_one_awaited() -> None:
    bot = registered()
    tell(bot, m.GameStarted(MAP), m.Error("All players have left."))
    report, status = tell(bot, m.PlayerStatus(3, False))
    assert isinstance(report, Report)
    assert report.winner is None
    assert status == m.SetStatus(True)


def test_a_game_of_others_is_watched_and_then_joined() -> None:
    bot = player()
    tell(bot, m.Welcome(3))
    said = tell(bot, m.GameStarted(MAP), m.Error("?"), m.CurrentPlayer(1), m.ActivePhase(2))
    assert said == []
    (values,) = tell(bot, m.GameFinished(1), m.PlayerStatus(1, False))
    assert values.name == "Bot"


@pytest.mark.parametrize(
    "nonsense",
    [
        m.ActivePhase(9),
        m.Movement(99, 0, 0),
        m.PlayerTurning(3, "around"),
        m.RefillShop(["Jetpack"]),
        m.CheckpointMoved(7, 0, 0),
        m.YourCards(["Jump"], 3),
        m.SetStatus(True),
        m.GameStarted([]),
    ],
)
def test_what_cannot_be_is_a_broken_protocol(nonsense: Any) -> None:
    bot = registered()
    tell(bot, m.GameStarted(MAP))
    with pytest.raises(BrokenProtocol):
        tell(bot, nonsense)
