"""Where a client runs that is checked."""

from pathlib import Path

import pytest

from ludothek.arena.bounds import Bounds
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.sandbox import FOR_DOTNET, Sandbox
from ludothek.check.open_air import OpenAir

ADA = Entrant(name="Ada", kind=Kind.COMMAND, command=("true",))


@pytest.mark.parametrize(("place", "confined"), [(Sandbox, True), (OpenAir, False)])
def test_only_programs_of_tournaments_lose_system_calls(
    place: type[Sandbox], confined: bool, tmp_path: Path
) -> None:
    """A check starts a client as its author does, perhaps with `sudo` or from a snap."""
    sandbox = place(ADA, ADA.command, Bounds(), (), tmp_path)
    assert sandbox.confined is confined
    assert FOR_DOTNET.items() <= sandbox.environment.items()
