"""Programs, good and bad, are led through situations and judged for what they do."""

import os
import re

import pytest

from ludothek.check.verdict import Status
from ludothek.contract.situation import Situation
from tests.check.checking import HASTY, IMPATIENT, SHORT, checked, tried

WHOLE = Situation(name="whole", about="A whole match.", settings={"max_turns": 6})


async def test_a_good_client_breaks_nothing() -> None:
    verdict = await checked("good", WHOLE)
    assert verdict.passed, verdict.trials
    assert verdict.complete
    assert not verdict.of(Status.BROKEN)
    assert {"3.3.13.1", "3.3.13.2", "2.3", "ours.too-long"} <= {
        each.clause.id for each in verdict.of(Status.KEPT)
    }
    missed = {each.clause.id: each.why for each in verdict.of(Status.NOT_REACHED)}
    assert missed["3.3.14.2"] == "the client has never sent LeaveGame"
    assert "strikes" in missed["3.3.15.2"]
    assert missed["ours.deadly"].startswith("no message can break it")


async def test_a_broken_clause_comes_with_frame_pointer_and_what_was_expected() -> None:
    verdict = await checked("careless")
    assert not verdict.passed
    (broken,) = verdict.of(Status.BROKEN)
    assert broken.clause.id == "3.3.13.2"
    evidence = broken.evidence[0]
    incident = evidence.incident
    assert incident.breach.pointer == "/moveTo"
    assert '"GameMove"' in incident.frame
    assert "moveTo" not in incident.frame
    assert incident.breach.expected
    assert incident.consequence.value == "struck"
    assert not evidence.trial.problem


async def test_a_crash_is_told_with_the_end_of_the_output() -> None:
    trial = await tried("crashing")
    assert trial.problem == "crashed"
    assert "no opening book" in trial.words
    assert "RuntimeError" in trial.output


async def test_a_crash_after_the_match_counts_as_well() -> None:
    trial = await tried("exhausted", WHOLE)
    assert trial.problem == "crashed"
    assert "cannot write the result" in trial.words


@pytest.mark.parametrize("kind", ["talkative", "wrapped"])
async def test_a_crash_is_recognised_by_a_long_trace_and_by_the_exit_code(kind: str) -> None:
    assert (await tried(kind, WHOLE)).problem == "crashed"


async def test_other_exit_codes_after_the_match_are_only_remarked() -> None:
    trial = await tried("content", WHOLE)
    assert trial.passed
    assert "exit code 3" in trial.remarks[0]


async def test_a_client_that_does_not_speak_websocket_hears_which_clause_that_breaks() -> None:
    verdict = await checked("plain")
    (trial,) = verdict.trials
    assert trial.problem
    assert trial.broken_clauses == ["ours.bad-handshake"]
    assert not verdict.not_run


async def test_a_client_that_hangs_or_ignores_the_server_is_silent() -> None:
    trial = await tried("hanging", bounds=IMPATIENT)
    assert trial.problem == "silent"


async def test_a_client_that_ends_before_the_match_does_is_told_so() -> None:
    trial = await tried("leaving")
    assert trial.problem == "exited"


async def test_who_cannot_play_need_not_send_what_cannot_be_read() -> None:
    trial = await tried("blurting", "seats-are-taken")
    assert trial.broken_clauses == ["3.2.1.2"]


@pytest.mark.parametrize(("times", "broken"), [(8, []), (30, ["3.3.7.1"])])
async def test_who_cannot_play_may_ask_some_times_but_not_insist(
    times: int, broken: list[str]
) -> None:
    trial = await tried(f"asking {times}", "lobby-is-gone")
    assert trial.broken_clauses == broken
    assert trial.passed is not bool(broken)


async def test_a_loop_breaks_the_clause_about_strikes() -> None:
    verdict = await checked("looping")
    assert not verdict.passed
    assert {"3.2.1.2", "3.3.15.2"} <= {each.clause.id for each in verdict.of(Status.BROKEN)}
    assert verdict.trials[0].problem


async def test_two_clients_where_one_is_expected_are_told() -> None:
    trial = await tried("twofold")
    assert trial.problem == "connected twice"


async def test_a_client_that_cannot_bear_unknown_fields_fails_only_there() -> None:
    verdict = await checked("fragile", "unknown-fields", SHORT)
    unknown, short = verdict.trials
    assert (unknown.problem, short.problem) == ("crashed", "")
    assert "an unknown field" in unknown.words


async def test_what_a_client_has_started_ends_with_it() -> None:
    trial = await tried("forking")
    assert trial.passed
    started = [int(pid) for pid in re.findall("started ([0-9]+)", trial.output)]
    assert started
    for pid in started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("situation", [SHORT, "seats-are-taken", "lobby-is-gone"])
async def test_a_client_that_ends_without_connecting_has_passed_nothing(
    situation: Situation | str,
) -> None:
    verdict = await checked("idle", situation)
    assert [trial.problem for trial in verdict.trials] == ["never connected"]
    assert verdict.not_run


async def test_a_client_that_never_comes_is_not_waited_for_again_and_again() -> None:
    verdict = await checked("absent", SHORT, SHORT, bounds=HASTY)
    assert [trial.problem for trial in verdict.trials] == ["never connected"]
    assert verdict.not_run
    assert not verdict.complete
