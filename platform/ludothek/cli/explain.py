"""platform explain: what binds the clients of a game."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import click

from ludothek.cli.columns import align
from ludothek.contract import registry as games
from ludothek.contract.clauses import Clause, Example
from ludothek.contract.game import Game
from ludothek.contract.names import printable
from ludothek.observe import terminal_json
from ludothek.settings.fields import SettingsError, nearest

WIDTH = 96
# Of a sentence in the list
SHORT = 60
# Clauses of a section that are named when somebody asks for the section.
NAMED = 8


@click.command()
@click.argument("name", metavar="GAME")
@click.argument("key", metavar="[CLAUSE]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def explain(name: str, key: str | None, as_json: bool) -> None:
    """Show the rules that clients of a game must follow: all clauses, or one with examples.

    The ids are those that the log, the wire log and platform ctl clients --refusals name.
    """
    game = _load(name)
    if key is None:
        listed = [_described(clause) for clause in game.clauses.values()]
        _show(listed, _list(game), as_json=as_json)
        return
    clause = _find(key, game)
    if clause is None:
        raise SettingsError(f"{name} has no clause {key!r}{_meant(key, game)}")
    _show(_described(clause), _lines(game, clause), as_json=as_json)


def _load(name: str) -> Game:
    try:
        return games.load(name)
    except games.UnknownGame:
        raise SettingsError(f"there is no game {name!r}{nearest(name, games.names())}") from None


def _find(key: str, game: Game) -> Clause | None:
    """Capitals, and a full stop after the number, make no difference."""
    ids = {each.casefold(): each for each in game.clauses}
    return game.clauses.get(ids.get(key.strip().rstrip(".").casefold(), ""))


def _meant(key: str, game: Game) -> str:
    """The nearest id; for a section, its clauses."""
    inside = [each for each in game.clauses if each.startswith(f"{key}.")]
    if len(inside) > NAMED:
        return f"; did you mean one of {inside[0]} to {inside[-1]}?"
    if inside:
        return f"; did you mean {' or '.join(inside)}?"
    guess = nearest(key, game.clauses)
    return guess if "did you mean" in guess else f"; platform explain {game.name} lists all"


def _show(value: Any, lines: Iterator[str], *, as_json: bool) -> None:
    if as_json:
        click.echo(terminal_json.dumps(value))
        return
    for line in lines:
        click.echo(line)


def _described(clause: Clause) -> Mapping[str, Any]:
    return {"ours": clause.ours, **attrs.asdict(clause)}


def _list(game: Game) -> Iterator[str]:
    if not game.clauses:
        yield f"{game.title} does not name its clauses."
        return
    rows = [(each.id, each.section, _shortened(each)) for each in game.clauses.values()]
    yield from align([("clause", "section", "sentence"), *rows])


def _shortened(clause: Clause) -> str:
    text = clause.quote or clause.reading
    return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"


def _lines(game: Game, clause: Clause) -> Iterator[str]:
    yield click.style(f"{clause.id}  {clause.section}", bold=True)
    source = f"{game.protocol} {game.version}"
    if clause.ours:
        yield f"Ours: the document ({source}) is silent about it."
    else:
        yield _wrapped(f"«{clause.quote}»", "  ")
        yield f"  ({source})"
    yield ""
    yield _wrapped(clause.reading, "")
    for word, colour, example in (("good", "green", clause.good), ("bad", "red", clause.bad)):
        yield ""
        yield from _example(word, colour, example)
    if clause.unseen:
        yield ""
        yield f"No client can break it: {clause.unseen}."


def _example(word: str, colour: str, example: Example) -> Iterator[str]:
    when = f" {example.when}" if example.when else ""
    yield click.style(f"{word}:", fg=colour) + (when if not example.message else "")
    if example.message:
        yield f"  {printable(example.message)}"
        if when:
            yield f" {when}"


def _wrapped(text: str, indent: str) -> str:
    return click.wrap_text(text, WIDTH, indent, indent)
