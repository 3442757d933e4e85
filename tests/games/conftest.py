"""What happens around every test of a game."""

from collections.abc import Iterator

import pytest

from ludothek.testing.witness import witnessed


@pytest.fixture(autouse=True)
def nothing_is_refused_without_a_clause(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test is about: everything that servers in this process refuse names its clause."""
    with witnessed(monkeypatch) as witness:
        yield
    assert witness.unexplained == []
