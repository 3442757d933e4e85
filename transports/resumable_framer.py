"""A framer that can continue in another process."""

from typing import Protocol

from transports.framing import Framer


class ResumableFramer(Framer, Protocol):
    """A framer whose state can be written down; links in a ledger need one."""

    @property
    def resting(self) -> bytes | None:
        """Its state while no input is kept, cheap to get; None while something is kept."""

    @property
    def state(self) -> bytes:
        """What `resume` needs to be where this framer is, what it keeps included."""

    def resume(self, state: bytes, *, spoken: bool) -> None:
        """Be where another framer was, in another process; `spoken`: we have sent something."""
