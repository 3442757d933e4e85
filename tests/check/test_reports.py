"""What a check says, for people, programs, a CI and to hand in."""

from xml.etree import ElementTree

import attrs
import pytest
from rich.console import Console

from games.hexxagon.clauses import CLAUSES
from ludothek.check.reports.document import document
from ludothek.check.reports.junit import junit
from ludothek.check.reports.lines import show
from ludothek.check.reports.page import page
from ludothek.check.situations import absent
from ludothek.check.transcript import Incident
from ludothek.check.trial import Trial
from ludothek.check.verdict import Status, Verdict, judge
from ludothek.contract import registry
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.reach import bound_messages
from ludothek.contract.situation import Situation
from ludothek.observe.coverage import UNREADABLE

GAME = registry.load("hexxagon")
HOSTILE = '<script>alert(1)</script>\x1b[31m"&\x00\u202e'

SITUATION = Situation(name="short", about="A few moves.")
BREACH = Breach(CLAUSES["3.3.13.2"], "/moveTo", "a tile", HOSTILE)
INCIDENT = Incident(BREACH, Consequence.STRUCK, HOSTILE, 7)
TRIAL = Trial(situation=SITUATION, seat=1, seed=1, messages={"GameMove": 3})


def verdict(*trials: Trial) -> Verdict:
    found = tuple(judge(GAME, trials))
    return Verdict(GAME, ("./client",), 1, trials, found, absent(GAME), complete=True)


def in_a_terminal(verdict: Verdict) -> str:
    console = Console(record=True, width=100, file=open("/dev/null", "w"))  # noqa: SIM115
    with console.file:
        show(console, verdict)
        return console.export_text()


BROKEN = verdict(
    attrs.evolve(
        TRIAL,
        incidents=(INCIDENT,),
        problem="crashed",
        words=f"The program ended with exit code 1: {HOSTILE}.",
        output=HOSTILE,
    )
)


def statuses(*trials: Trial) -> dict[str, Status]:
    return {each.clause.id: each.status for each in verdict(*trials).clauses}


def test_a_clause_is_kept_by_whoever_sends_what_it_binds() -> None:
    found = statuses(TRIAL)
    assert found["3.3.13.2"] is Status.KEPT
    assert found["2.3"] is Status.KEPT  # binds every message
    assert found["3.3.14.2"] is Status.NOT_REACHED


def test_nothing_is_reached_by_a_client_that_says_nothing() -> None:
    silent = attrs.evolve(TRIAL, messages={})
    assert set(statuses(silent).values()) == {Status.NOT_REACHED}


def test_nothing_is_kept_by_a_client_that_says_only_what_cannot_be_read() -> None:
    nonsense = attrs.evolve(TRIAL, messages={UNREADABLE: 3}, incidents=(INCIDENT,))
    found = statuses(nonsense)
    assert found.pop("3.3.13.2") is Status.BROKEN
    assert set(found.values()) == {Status.NOT_REACHED}


def test_a_breach_in_one_situation_outweighs_all_others() -> None:
    assert statuses(TRIAL, attrs.evolve(TRIAL, incidents=(INCIDENT,)))["3.3.13.2"] is Status.BROKEN


def test_what_is_tolerated_is_not_held_against_a_client() -> None:
    tolerated = attrs.evolve(INCIDENT, consequence=Consequence.IGNORED)
    trial = attrs.evolve(TRIAL, incidents=(tolerated,))
    assert trial.passed
    assert "Tolerated, but not as it should be: short, message 7: /moveTo" in page(verdict(trial))
    assert statuses(trial)["3.3.13.2"] is Status.KEPT


def test_what_nobody_can_show_to_keep_is_not_reached() -> None:
    bound = bound_messages(GAME)
    every = dict.fromkeys((name for names in bound.values() for name in names), 1)
    found = statuses(attrs.evolve(TRIAL, messages=every))
    special = [clause for clause in CLAUSES.values() if clause.rare or clause.unseen]
    assert special
    assert {found[clause.id] for clause in special} == {Status.NOT_REACHED}


@pytest.mark.parametrize("name", registry.names())
def test_every_clause_binds_messages_or_says_why_nobody_reaches_it(name: str) -> None:
    game = registry.load(name)
    bound = bound_messages(game)
    lost = [
        clause.id
        for clause in game.clauses.values()
        if not (bound[clause.id] or clause.rare or clause.unseen)
    ]
    assert lost == []


def test_the_page_shows_what_came_and_runs_none_of_it() -> None:
    text = page(BROKEN)
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "default-src &#x27;none&#x27;" in text
    assert not {*text} & {"\x1b", "\x00", "\u202e"}
    assert "http://" not in text.replace("http-equiv", "")


def test_junit_has_a_case_for_each_clause_and_situation() -> None:
    root = ElementTree.fromstring(junit(BROKEN))
    clauses, situations = root
    assert len(clauses) == int(clauses.get("tests", "")) == len(CLAUSES)
    assert clauses.get("failures") == "1"
    (failure,) = clauses.findall("testcase/failure")
    assert "/moveTo" in str(failure.get("message"))
    assert int(clauses.get("skipped", "")) == len(clauses.findall("testcase/skipped")) > 0
    assert situations.get("failures") == "1"
    assert "alert" in str(situations.findtext("testcase/system-out"))
    (failed,) = situations.findall("testcase/failure")
    assert str(failed.get("message")).startswith("crashed: The program ended")
    assert str(failed.get("message")).endswith("; broke 3.3.13.2")


def test_the_document_has_frame_pointer_and_what_would_be_right() -> None:
    found = document(BROKEN)
    assert found["passed"] is False
    (clause,) = [each for each in found["clauses"] if each["status"] == "broken"]
    (breach,) = clause["breaches"]
    assert (breach["frame"], breach["pointer"]) == (HOSTILE, "/moveTo")
    assert breach["expected"] == "a tile"
    assert "moveTo" in clause["good"]


def test_people_see_the_same_and_no_control_characters() -> None:
    text = in_a_terminal(BROKEN)
    assert "3.3.13.2 broken: GameMove" in text
    assert "short, message 7, /moveTo: struck" in text
    assert "right:" in text
    assert not {*text} & {"\x1b", "\x00", "\u202e"}


def test_a_situation_in_which_something_was_broken_fails_in_a_ci() -> None:
    _, situations = ElementTree.fromstring(
        junit(verdict(attrs.evolve(TRIAL, incidents=(INCIDENT,))))
    )
    assert (situations.get("tests"), situations.get("failures")) == ("1", "1")
    (failure,) = situations.findall("testcase/failure")
    assert failure.get("message") == "broke 3.3.13.2"


def test_a_check_that_ended_early_is_no_success_in_a_ci() -> None:
    _, situations = ElementTree.fromstring(junit(attrs.evolve(verdict(TRIAL), complete=False)))
    assert (situations.get("tests"), situations.get("errors")) == ("2", "1")
    assert situations.findall("testcase/error")


def test_a_check_that_ended_early_is_no_success_in_any_report() -> None:
    early = attrs.evolve(verdict(TRIAL), complete=False)
    assert document(early)["passed"] is False
    assert '<span class="incomplete">incomplete</span>' in page(early)
    assert document(verdict())["passed"] is False  # it has not even begun
    assert document(verdict(TRIAL))["passed"] is True
    assert '<span class="passed">passed</span>' in page(verdict(TRIAL))


def test_all_reports_tell_that_situations_were_left_out() -> None:
    some = attrs.evolve(verdict(TRIAL), left_out=("server-shuts-down", "long-names"))
    assert document(some)["left_out"] == ["server-shuts-down", "long-names"]
    assert "2 situations were left out" in page(some)
    assert "2 left out" in in_a_terminal(some)
    _, situations = ElementTree.fromstring(junit(some))
    assert (situations.get("tests"), situations.get("skipped")) == ("3", "2")
    assert len(situations.findall("testcase/skipped")) == 2


def test_silence_is_not_blamed_on_the_message_before_it() -> None:
    late = attrs.evolve(INCIDENT, frame="", breach=Breach(CLAUSES["ours.late"], "", "", "none"))
    silent = verdict(attrs.evolve(TRIAL, incidents=(late,)))
    assert "short, after message 7: struck" in in_a_terminal(silent)
    assert "sent:" not in in_a_terminal(silent)
    assert b"sent:" not in junit(silent)
    assert "short, after message 7: none</td>" in page(silent)


def test_a_client_that_says_nothing_is_not_told_of_each_clause_that_it_has_not_reached() -> None:
    silent = verdict(attrs.evolve(TRIAL, messages={}, problem="never connected", words="Absent."))
    assert "Not reached" not in in_a_terminal(silent)
    assert "Not reached" in in_a_terminal(verdict(TRIAL))
