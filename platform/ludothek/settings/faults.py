"""Trouble for clients that ask for it: how likely it is, and where."""

from collections.abc import Sequence
from typing import Any

import attrs

from ludothek.contract.game import Game
from ludothek.settings.fields import SettingsError, Text, between, setting
from transports import Trouble

# The situation of a check in which clients meet fields that no document has.
UNKNOWN_FIELDS = "unknown-fields"


@attrs.frozen(kw_only=True)
class Faults:
    """What clients at the fault port of a host meet, each with a probability from 0 to 1."""

    port: int | None = setting(
        None,
        "port for clients that ask for trouble; 0 picks a free one; none: no faults",
        check=between(0, 65535),
    )
    seed: int = setting(0, "decides what happens on the first connection, the second and so on")
    delay: float = setting(
        0.1, "probability that bytes are late, in either direction", check=between(0, 1)
    )
    delay_ms: int = setting(200, "milliseconds that they are late, at most", check=between(0, 5000))
    cut: float = setting(
        0.2, "probability that what the server sends arrives in pieces", check=between(0, 1)
    )
    merge: float = setting(
        0.2, "probability that it arrives together with what follows", check=between(0, 1)
    )
    unknown_fields: float = setting(
        0.0, "probability that a message has fields that no document has", check=between(0, 1)
    )
    disconnect: float = setting(
        0.0, "probability that the connection breaks in the middle of it", check=between(0, 1)
    )

    @property
    def trouble(self) -> Trouble:
        """What happens to bytes."""
        return Trouble(
            delay=self.delay,
            delay_seconds=self.delay_ms / 1000,
            cut=self.cut,
            merge=self.merge,
            disconnect=self.disconnect,
        )

    def __str__(self) -> str:
        late = f"delay {self.delay:g} (up to {self.delay_ms} ms)" if self.delay else ""
        others = [
            f"{name} {chance:g}"
            for name in ("cut", "merge", "unknown_fields", "disconnect")
            if (chance := getattr(self, name))
        ]
        return ", ".join([*filter(None, [late]), *others, f"seed {self.seed}"])

    def problem_with(self, game: Game) -> str | None:
        """Why clients of that game must not meet them."""
        reason = game.situations.absent.get(UNKNOWN_FIELDS)
        if self.unknown_fields and reason is not None:
            return f"unknown_fields: {game.name} cannot have them: {reason}"
        return None


NO_FAULTS = Faults()


def read_faults(assignments: Sequence[str]) -> dict[str, Any]:
    """``key=value,...`` from the command line; without a port, a free one is picked.

    Raises:
      SettingsError: an assignment has no equals sign.
    """
    found: dict[str, Any] = {"port": 0} if assignments else {}
    for assignment in ",".join(assignments).split(",") if assignments else ():
        key, equals, value = assignment.partition("=")
        if not equals:
            raise SettingsError(f"--faults {assignment}: expected KEY=VALUE")
        found[key.strip()] = Text.read(value.strip())
    return found
