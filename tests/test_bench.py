"""What the benchmarks promise: figures that can be trusted, and packages that can be installed."""

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import click
import pytest

from bench.disturbance import ATTEMPTS, TOLERATED, Attempts, Disturbed, undisturbed
from bench.measure import CannotMeasure

BENCH = Path(__file__).parent.parent / "bench"


@attrs.frozen
class Trial:
    disturbed: float


def shares(*found: float) -> Callable[[], Trial]:
    """A trial that is disturbed for these shares of its time, one after the other."""
    left: Iterator[float] = iter(found)
    return lambda: Trial(next(left))


def test_disturbed_trial_is_repeated() -> None:
    assert undisturbed("it", shares(0.5, 0.04, TOLERATED)) == Trial(TOLERATED)


def test_trial_that_is_always_disturbed_does_not_count() -> None:
    with pytest.raises(Disturbed):
        undisturbed("it", shares(*[0.04] * ATTEMPTS))


def test_lenient_run_takes_what_it_gets() -> None:
    assert undisturbed("it", shares(0.5), lenient=True) == Trial(0.5)


def test_nothing_is_published_without_a_trusted_trial_of_everything() -> None:
    attempts = Attempts(lenient=False)
    assert attempts.make("quiet", shares(0.0)) == Trial(0.0)
    attempts.require_all()
    assert attempts.make("noisy", shares(*[0.5] * ATTEMPTS)) is None
    with pytest.raises(click.ClickException, match="noisy"):
        attempts.require_all()
    assert attempts.make("noisy", shares(0.5, 0.0)) == Trial(0.0)
    attempts.require_all()


def test_server_that_cannot_be_measured_does_not_end_the_run() -> None:
    def fail() -> Trial:
        raise CannotMeasure("it does not start")

    attempts = Attempts(lenient=True)
    assert attempts.make("broken", fail) is None
    with pytest.raises(click.ClickException, match="broken"):
        attempts.require_all()


def test_lenient_run_is_not_published() -> None:
    with pytest.raises(click.UsageError):
        Attempts(lenient=True).require_strict()


def test_benchmarks_do_not_import_tests() -> None:
    files = [path for path in BENCH.rglob("*.py") if "node_modules" not in path.parts]
    assert files
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not any(name.split(".")[0] == "tests" for name in names), path


def test_packages_of_peers_can_be_installed_from_any_registry_on_any_system() -> None:
    lock = json.loads((BENCH / "peers" / "package-lock.json").read_text())
    packages = lock["packages"]
    names = {path.rpartition("node_modules/")[2] for path in packages}
    for path, package in packages.items():
        assert "resolved" not in package, path
        assert package.get("optionalDependencies", {}).keys() <= names, path
