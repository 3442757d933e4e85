"""Frames that have arrived: told to whoever listens, kept for whoever asks."""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import trio

from transports.bugs import as_bug
from transports.complaint import Complaint
from transports.link import Frame
from transports.poller import reactor

Heard = Callable[[Frame], None]
Breach = Callable[[Complaint], None]


# Frames of one peer that are heard in one go. Who asks for the longest answers there are, as fast
# as it can, keeps the others waiting for no more than so many.
PORTION = 16


class Mailbox:
    """The receiving half of a link.

    One task at a time may wait for it. A listener is called the moment a frame arrives, which
    costs no task switch; the owner's task only learns when the connection is over.
    """

    __slots__ = ("_backlog", "_listener", "_over", "_sleeper", "on_breach")

    def __init__(self) -> None:
        # An empty deque takes more memory than all the rest of an idle connection.
        self._backlog: deque[Frame] | None = None
        self._listener: Heard | None = None
        self._sleeper: trio.lowlevel.Task | None = None
        self.on_breach: Breach | None = None
        # Why no more frames will come.
        self._over: type[Exception] | Exception | None = None

    @property
    def gone(self) -> bool:
        """Whether the peer has hung up, also if some of what it said before is still to be heard.

        For callers that are not waiting for the peer; those who are learn it anyway.
        """
        return self._over is not None

    @property
    def congested(self) -> bool:
        """Whether the peer should first read what it was told; then it is not listened to."""
        return False

    @property
    def _held_up(self) -> bool:
        """Whether frames that have arrived are not heard yet, for a while."""
        return self.congested

    def _caught_up(self) -> None:
        """All frames that have arrived are heard; time to let more in."""

    def _arrive(self, frames: Sequence[Frame]) -> None:
        """Take frames in, and let the listener hear them if there is one."""
        if len(frames) > PORTION:
            self._keep(frames)
            self._catch_up()
            return
        heard = 0
        if self._backlog is None:
            for frame in frames:
                if (hear := self._listener) is None or self._held_up:
                    break
                heard += 1
                try:
                    hear(frame)
                except BaseException as bug:  # nothing waits in here
                    self._break(as_bug(bug))
                    return
            else:
                return
        self._keep(frames[heard:])

    def _keep(self, frames: Sequence[Frame]) -> None:
        if self._over is not None:
            return  # nobody will ask any more
        if self._backlog is None:
            self._backlog = deque()
        self._backlog.extend(frames)
        self._wake()

    def _break(self, bug: Exception) -> None:
        """We are called by whoever brought the frame: a bug is the owner's to deal with."""
        self._over = bug
        self._listener = self._backlog = None
        self._wake()

    async def converse(self, hear: Heard) -> None:
        """Let `hear` be called with every frame, the moment it arrives, until `hush` is.

        Raises:
          trio.EndOfChannel: the peer has hung up, and all it has said was heard.
          trio.BrokenResourceError: the connection is lost.
        """
        self._listener = hear
        try:
            self._catch_up()
            while self._listener is hear:
                if self._over is not None and (self._backlog is None or not self._held_up):
                    self._catch_up()  # nobody else will any more
                    if self._backlog is None:
                        raise self._over
                    if self._listener is not hear:
                        break  # hushed just now, and what is left is for somebody else to hear
                await self._sleep()
        finally:
            if self._listener is hear:
                self._listener = None
        if isinstance(self._over, Exception):
            raise self._over  # a bug in `hear`

    def charge(self, copies: int) -> None:
        """What the peer has said was told to so many others; only sockets count that."""

    def hush(self) -> None:
        """End the conversation; frames are kept from now on."""
        self._listener = None
        self._wake()

    def end(self) -> None:
        """Hear nothing more; who waits for a frame is told that there will be none."""
        self._listener = self._backlog = None
        self._finish(trio.EndOfChannel)

    def _catch_up(self) -> None:
        """Hear a portion of what waits; what is left of it comes after everybody else's turn."""
        portion = PORTION
        while self._backlog and (hear := self._listener) is not None and not self._held_up:
            if not portion:
                reactor().poller.behind.add(self)
                token = trio.lowlevel.current_trio_token()
                token.run_sync_soon(self._go_on, idempotent=True)
                return
            portion -= 1
            frame = self._backlog.popleft()
            if not self._backlog:
                self._backlog = None
            try:
                hear(frame)
            except BaseException as bug:
                self._break(as_bug(bug))
        if self._backlog is None and not self._held_up:
            self._caught_up()
            self._wake()

    def _go_on(self) -> None:
        reactor().poller.behind.discard(self)
        self._catch_up()

    async def receive(self) -> Frame:
        """The next frame; always a checkpoint.

        Raises:
          trio.EndOfChannel: the peer has hung up.
          trio.BrokenResourceError: the connection is lost.
        """
        # A checkpoint even if a frame is there already: a peer that talks without pause must not
        # starve the others, nor be heard after its seat was taken away.
        await trio.lowlevel.checkpoint()
        while self._backlog is None or self._held_up:
            if self._over is not None and self._backlog is None:
                raise self._over
            await self._sleep()
        frame = self._backlog.popleft()
        if not self._backlog:
            self._backlog = None
            self._caught_up()
        return frame

    def _finish(self, why: type[Exception] | Exception) -> None:
        if self._over is None:
            self._over = why
        self._wake()

    def _sleep(self) -> Awaitable[Any]:
        """Sleep until something has changed."""
        self._sleeper = trio.lowlevel.current_task()
        # Not a coroutine of its own: every idle connection would have to keep it.
        return trio.lowlevel.wait_task_rescheduled(self._give_up)  # noqa: ASYNC105

    def _give_up(self, _: object) -> trio.lowlevel.Abort:
        self._sleeper = None
        return trio.lowlevel.Abort.SUCCEEDED

    def _wake(self) -> None:
        sleeper, self._sleeper = self._sleeper, None
        if sleeper is not None:
            trio.lowlevel.reschedule(sleeper)
