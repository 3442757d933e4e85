"""platform explain as a student calls it."""

import json

import pytest
from click.testing import CliRunner

from games.hexxagon import GAME
from ludothek.cli.commands import cli
from ludothek.contract import registry
from tests.support.program import invoke


def explain(*words: str) -> str:
    done = CliRunner().invoke(cli, ["explain", *words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_a_clause_is_shown_with_its_sentence_its_reading_and_examples() -> None:
    said = explain("hexxagon", "3.3.1.1")
    words = " ".join(said.split())
    clause = GAME.clauses["3.3.1.1"]
    assert "3.3.1.1 Welcome" in words
    assert f"«{clause.quote}»" in words
    assert "Hexxagon-Netzwerkstandard 0.6.1" in words
    assert clause.reading in words
    assert said.index(clause.good.message) < said.index(clause.bad.message)


def test_a_decision_of_ours_is_marked_as_such() -> None:
    assert "Ours" in explain("hexxagon", "ours.late")
    assert "Ours" not in explain("hexxagon", "2.1")


@pytest.mark.parametrize("key", ["OURS.Late", "ours.late.", " ours.late"])
def test_capitals_and_a_full_stop_make_no_difference(key: str) -> None:
    assert explain("hexxagon", key) == explain("hexxagon", "ours.late")


def test_all_clauses_are_listed() -> None:
    listed = [line.split()[0] for line in explain("hexxagon").splitlines()[1:]]
    assert listed == [*GAME.clauses]


def test_as_json() -> None:
    assert [each["id"] for each in json.loads(explain("hexxagon", "--json"))] == [*GAME.clauses]
    one = json.loads(explain("hexxagon", "2.1", "--json"))
    assert (one["id"], one["ours"]) == ("2.1", False)
    assert json.loads(one["good"]["message"])["messageType"] == "JoinLobby"
    assert one["bad"]["when"] == "for a lobby with playerOne and playerTwo"


@pytest.mark.parametrize("game", registry.names())
def test_every_game_can_be_asked(game: str) -> None:
    assert explain(game)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("hexagon", "there is no game 'hexagon'; did you mean 'hexxagon'?"),
        ("hexxagon ours.lat", "hexxagon has no clause 'ours.lat'; did you mean 'ours.late'?"),
        ("hexxagon 99", "hexxagon has no clause '99'; platform explain hexxagon lists all"),
        ("hexxagon 3.3", "no clause '3.3'; did you mean one of 3.3.1.1 to 3.3.15.2?"),
        ("hexxagon 3.3.13", "no clause '3.3.13'; did you mean 3.3.13.1 or 3.3.13.2?"),
    ],
)
def test_what_does_not_exist_names_the_nearest(words: str, complaint: str) -> None:
    done = invoke("explain", *words.split())
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
