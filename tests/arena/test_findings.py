"""Reports: what a tournament has shown, as text, JSON, CSV and a page."""

import csv
import io
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

import attrs
import orjson
import pytest

from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.findings.document import document
from ludothek.arena.findings.findings import Findings, Meeting, find
from ludothek.arena.findings.grids import grids, remarks
from ludothek.arena.findings.poster import poster
from ludothek.arena.findings.spreadsheet import spreadsheet
from ludothek.arena.formats.schedule import Fixture
from ludothek.arena.outcome import Finish, Outcome, Reason, shares
from ludothek.arena.plan import Format, Plan
from ludothek.arena.stats.sprt import Sprt
from tests.support.arena import made_up, plan

NASTY = "<script>alert(1)</script>"


def played(planned: Plan, limit: int = 10_000) -> dict[int, Outcome]:
    """Outcomes of the first games, made up."""
    schedule = planned.schedule()
    outcomes: dict[int, Outcome] = {}
    while len(outcomes) < limit:
        results = {number: shares(outcome.finishes) for number, outcome in outcomes.items()}
        due = [f for f in schedule.fixtures(results) if f.number not in results]
        if not due:
            break
        outcomes[due[0].number] = made_up(planned.task(due[0], "games"))
    return outcomes


def rows(planned: Plan, outcomes: Mapping[int, Outcome]) -> list[dict[str, Any]]:
    """Games as the database has them."""
    results = {number: shares(outcome.finishes) for number, outcome in outcomes.items()}
    return [_row(planned, fixture, outcomes) for fixture in planned.schedule().fixtures(results)]


def _row(planned: Plan, fixture: Fixture, outcomes: Mapping[int, Outcome]) -> dict[str, Any]:
    finishes = outcomes[fixture.number].finishes
    return {
        "number": fixture.number,
        "round": fixture.round,
        "seats": [planned.names[entrant] for entrant in fixture.seats],
        "shares": [*shares(finishes)],
        "points": [finish.points for finish in finishes],
        "words": [finish.words for finish in finishes],
        "record": None,
    }


def of(planned: Plan, limit: int = 10_000) -> Findings:
    return find(planned, played(planned, limit))


@pytest.fixture
def findings() -> Findings:
    return of(plan(4, games=40))


def test_the_order_of_strengths_comes_out(findings: Findings) -> None:
    assert [standing.name for standing in findings.standings] == plan(4).names
    found = [standing.rating for standing in findings.standings if standing.rating]
    assert found == sorted(found, reverse=True)
    assert findings.superiority[0][3] > 0.99


def test_everything_is_counted_once(findings: Findings) -> None:
    assert (findings.played, findings.size, findings.complete) == (240, 240, True)
    for standing in findings.standings:
        assert standing.games == standing.wins + standing.draws + standing.losses == 120
        assert standing.points == standing.wins + standing.draws / 2
        assert sum(findings.won[standing.entrant].values()) == standing.wins
        assert sum(findings.lost[standing.entrant].values()) == standing.losses
        met = findings.meetings[standing.entrant]
        assert sum(meeting.points for meeting in met) == standing.points
        assert met[standing.entrant] == Meeting()
        assert findings.time[standing.entrant].moves == 9 * 120
    assert sum(standing.points for standing in findings.standings) == 240


def test_errors_shrink_with_more_games(findings: Findings) -> None:
    few = of(plan(4, games=10))
    for one, two in zip(few.standings, findings.standings, strict=True):
        assert one.error is not None
        assert two.error is not None
        assert 1.3 < one.error / two.error < 3


def test_a_win_says_what_has_happened_to_the_other() -> None:
    outcome = Outcome(
        number=1, finishes=(Finish(rank=2, reason=Reason.CRASHED, words="It died."), Finish(rank=1))
    )
    planned = plan(2)
    findings = find(planned, {1: outcome})
    loser, winner = next(planned.schedule().fixtures({})).seats
    assert findings.won[winner] == {Reason.CRASHED: 1}
    assert findings.lost[loser] == {Reason.CRASHED: 1}
    titles = [table.title for table in grids(findings)]
    assert {"Wins, by reason", "Games not won, by reason"} <= {*titles}


def test_before_the_first_game_there_is_nothing_to_say() -> None:
    findings = of(plan(3), limit=0)
    assert [standing.rating for standing in findings.standings] == [None] * 3
    assert {standing.place for standing in findings.standings} == {1}
    assert poster(findings, []).startswith("<!DOCTYPE html>")


def test_a_swiss_table_counts_byes_and_orders_by_points() -> None:
    findings = of(plan(5, format=Format.SWISS, rounds=3, games=2))
    points = [standing.points for standing in findings.standings]
    assert points == sorted(points, reverse=True)
    assert sum(points) == 3 * 2 * 2 + 3 * 2


def test_a_knockout_ends_with_its_bracket() -> None:
    findings = of(plan(6, format=Format.KNOCKOUT, games=2, tie_breaks=1))
    assert findings.bracket is not None
    final = findings.bracket[-1]
    assert findings.standings[0].entrant == final.winner
    assert {standing.place for standing in findings.standings} == {1, 2, 3, 5}
    drawn = poster(findings, [])
    assert "bye" in drawn
    assert 'aria-label="Bracket"' in drawn


def test_a_sequential_test_says_its_verdict() -> None:
    planned = plan(2, format=Format.SPRT, games=600, sprt=Sprt(elo0=0, elo1=80))
    findings = of(planned)
    assert findings.trial is not None
    first, llr, elo = remarks(findings)
    assert first.startswith("cup: sprt of 2 at hexxagon")
    assert f"LLR {findings.trial.ratio:.2f} (-2.94, 2.94): H1" in llr
    assert elo.startswith("Entrant 0 against Entrant 1: +")
    told = document(findings, [], [])["sprt"]
    assert told["verdict"] == "H1"
    assert sum(told["pairs"]) * 2 == findings.played


def test_games_of_four_are_rated_too() -> None:
    findings = of(plan(6, players=4, games=8))
    assert findings.played == 15 * 8
    assert findings.standings[0].entrant == 0
    assert findings.meetings[0][1].games == 6 * 8


@pytest.mark.parametrize("format_", [Format.ROUND_ROBIN, Format.SWISS, Format.KNOCKOUT])
def test_json_holds_everything(format_: Format) -> None:
    planned = plan(4, format=format_, rounds=2, tie_breaks=1)
    outcomes = played(planned)
    told = document(find(planned, outcomes), rows(planned, outcomes), [])
    again = orjson.loads(orjson.dumps(told))
    keys = {"name", "games", "points", "wins", "draws", "losses", "rating", "error"}
    assert keys <= {*again["standings"][0]}
    assert len(again["games"]) == again["played"] == len(outcomes)
    assert (again["bracket"] is None) == (format_ is not Format.KNOCKOUT)


def nasty() -> Plan:
    entrants = (
        Entrant(name=NASTY, kind=Kind.BOT),
        Entrant(name='"><img src=x>', kind=Kind.BOT, difficulty=1),
        Entrant(name="=1+1", kind=Kind.BOT, difficulty=2),
    )
    return attrs.evolve(plan(3), entrants=entrants, title="</title><script>")


def test_the_page_is_safe_and_needs_nothing_else() -> None:
    planned = nasty()
    outcomes = played(planned)

    tags: set[str] = set()
    outside: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            tags.add(tag)
            outside.extend(name for name, _ in attributes if name in ("src", "href"))

    text = poster(find(planned, outcomes), rows(planned, outcomes))
    Reader().feed(text)
    assert not tags & {"script", "img", "link", "iframe"}
    assert not outside
    assert "&lt;script&gt;alert(1)" in text
    assert {"svg", "polyline", "circle", "table"} <= tags


def test_plots_are_well_formed() -> None:
    planned = attrs.evolve(nasty(), format=Format.KNOCKOUT, games=2)
    outcomes = played(planned)
    text = poster(find(planned, outcomes), rows(planned, outcomes))
    drawn = [part.partition("</svg>")[0] for part in text.split("<svg")[1:]]
    assert len(drawn) == 3
    for part in drawn:
        ElementTree.fromstring(f"<svg{part}</svg>")


def test_long_names_stay_within_their_plots() -> None:
    planned = plan(16, format=Format.KNOCKOUT, games=2, tie_breaks=1)
    assert "textLength" not in poster(of(planned), rows(planned, played(planned)))
    names = [f"Entrant with a long name: {n:2}" for n in range(16)]
    entrants = tuple(
        attrs.evolve(entrant, name=name)
        for entrant, name in zip(planned.entrants, names, strict=True)
    )
    planned = attrs.evolve(planned, entrants=entrants)
    page = poster(of(planned), rows(planned, played(planned)))
    assert page.count("textLength") >= 30  # in the bracket alone


def test_a_spreadsheet_takes_no_name_for_a_formula() -> None:
    text = spreadsheet(find(nasty(), played(nasty())))
    found = [*csv.DictReader(io.StringIO(text))]
    assert {row["name"] for row in found} == {NASTY, '"><img src=x>', "'=1+1"}
    assert [row["place"] for row in found] == ["1", "2", "3"]


def test_a_game_that_all_have_spoiled_is_in_the_table_of_reasons() -> None:
    planned = plan(2, games=2)
    absent = Finish(rank=2, reason=Reason.NEVER_CONNECTED)
    crashed = Finish(rank=2, reason=Reason.CRASHED)
    outcomes = {1: Outcome(number=1, finishes=(absent, crashed))}
    found = find(planned, outcomes)
    first, second = next(planned.schedule().fixtures({})).seats
    assert found.lost[first] == {Reason.NEVER_CONNECTED: 1}
    assert found.lost[second] == {Reason.CRASHED: 1}
    assert [*found.won] == [{}, {}]
