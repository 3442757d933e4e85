"""What a terminal shows of a table."""

from games.roborally.drawing import draw
from games.roborally.messages import PlayerValues
from games.roborally.rendering import render
from games.roborally.rules import Upgrade
from ludothek.contract.orders import Abort, Pause
from tests.games.roborally.scene import Scene, activating, change, fill, programming

WAITING = """\
Dizzy Highway: waiting
player 1, Ann: figure 4, not ready
player 2 of \\x1b[2J watches"""

PROGRAMMING = """\
round 1, programming, waits for Program of 2, the timer runs
shop: DeflectorShield RepeatRoutine
player 1, Spieler 1: checkpoint 0, energy 5, finished
"""

ACTIVATION = """\
round 1, activation, register 1, waits for RegisterCard of 2
shop: DeflectorShield RepeatRoutine
player 1, Spieler 1: checkpoint 1, energy 3, finished, rebooted
  registers  UTurn TurnLeft PowerUp MoveI Again
  hand       -
  upgrades   Hack
  11 cards in the deck, 4 discarded
player 2, Spieler 2: checkpoint 0, energy 5, finished
  registers  MoveII TurnRight MoveI PowerUp MoveIII
  hand       -
  upgrades   -
  11 cards in the deck, 4 discarded

Dizzy Highway: running"""

AFTER = """

Dizzy Highway: waiting
player 1, Spieler 1: figure 1, not ready
player 2, Spieler 2: figure 2, not ready"""


def test_before_the_first_game_there_are_only_people() -> None:
    scene = Scene()
    scene.say(scene.enter(), PlayerValues("Ann", 4))
    scene.enter("\x1b[2J")
    assert draw(scene.table) == WAITING


def test_a_game_shows_the_course_with_robots_and_all_cards() -> None:
    scene = Scene()
    scene.game()
    scene.go_on_until(activating)
    change(scene, 1, checkpoint=1, energy=3, rebooted=True, upgrades=(Upgrade.HACK,))
    course, game = render(scene.state), draw(scene.table)
    assert game == f"{course}\n\n{ACTIVATION}"
    assert "\n  3 | S+1>  .   .   " in course


def test_hands_are_shown_while_they_are_hidden() -> None:
    scene = Scene()
    players = scene.game()
    scene.go_on_until(programming)
    fill(scene, players[0])
    shown = draw(scene.table)
    assert PROGRAMMING in shown
    hand = " ".join(scene.state.player(2).hand)
    assert f"  registers  - - - - -\n  hand       {hand}\n" in shown


def test_a_pause_is_shown() -> None:
    scene = Scene()
    scene.game()
    scene.order(Pause())
    assert draw(scene.table).endswith("\nDizzy Highway: paused")


def test_the_last_game_is_shown_until_the_next_one() -> None:
    scene = Scene()
    players = scene.game()
    scene.go_on_until(activating)
    during = draw(scene.table).removesuffix("\n\nDizzy Highway: running")
    scene.order(Abort(players[1].client))
    assert draw(scene.table) == during + AFTER
