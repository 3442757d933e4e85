"""Frames that have arrived: passed to the listener, or kept until somebody asks for them."""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import trio

from transports.link import Frame

if TYPE_CHECKING:
    from transports.meter import Meter

Hear = Callable[[Frame], None]

# How many frames of one peer are handled in a row. A peer that asks for the most expensive answers
# as fast as it can delays the others by no more than that.
PORTION = 16


class Inbox:
    """The receiving half of a link.

    The listener is called the moment a frame arrives, which costs no task switch. Its exceptions go
    to the caller that delivered the frame. One task at a time, usually the listener's, may wait
    here for any change of the link.
    """

    __slots__ = ("_sleeper", "backlog", "hear", "held", "meter", "over")

    def __init__(self) -> None:
        # An empty deque takes more memory than the rest of an idle connection.
        self.backlog: deque[Frame] | None = None
        self.hear: Hear | None = None
        self.meter: Meter | None = None  # None for peers that have sent nothing
        self.held = False  # frames that have arrived have to wait for now
        self.over: type[Exception] | Exception | None = None  # why no more frames will come
        self._sleeper: trio.lowlevel.Task | None = None

    @property
    def is_behind(self) -> bool:
        """Whether frames are waiting that could be handled now."""
        return self.backlog is not None and self.hear is not None and not self.held

    def arrive(self, frames: Sequence[Frame]) -> None:
        """Pass these frames to the listener, at most a portion of them; the rest is kept."""
        heard = 0
        if self.backlog is None:
            for frame in frames:
                hear = self.hear
                if hear is None or self.held or heard == PORTION:
                    break
                heard += 1
                hear(frame)
            else:
                return
        if self.over is None or self.hear is not None:  # otherwise nobody will ask for them
            if self.backlog is None:
                self.backlog = deque()
            self.backlog.extend(frames[heard:])
            self.wake()

    def catch_up(self) -> None:
        """Pass a portion of the kept frames to the listener."""
        portion = PORTION
        while portion and self.backlog and (hear := self.hear) is not None and not self.held:
            portion -= 1
            frame = self.backlog.popleft()
            if not self.backlog:
                self.backlog = None
            hear(frame)

    async def converse(self, hear: Hear, catch_up: Callable[[], None]) -> None:
        """Call `hear` with every frame until `hush` is called; `catch_up` is the link's.

        Raises:
          trio.EndOfChannel: the peer has hung up, and everything it sent has been handled.
          trio.BrokenResourceError: the connection is lost.
        """
        self.hear = hear
        try:
            catch_up()
            while self.hear is hear:
                if self.over is not None and (self.backlog is None or not self.held):
                    catch_up()  # nobody else will from now on
                    if self.backlog is None:
                        raise self.over
                    if self.hear is not hear:
                        break  # hushed just now; what is left is for somebody else
                await self.sleep()
        finally:
            if self.hear is hear:
                self.hear = None
        if isinstance(self.over, Exception):
            raise self.over  # a bug in `hear`

    async def receive(self, caught_up: Callable[[], None]) -> Frame:
        """The next frame; always a checkpoint. `caught_up` is called after the last kept one.

        Raises like `converse`.
        """
        # A checkpoint even if a frame is there already: a peer that sends without pause must not
        # starve the others, nor be handled after its task was cancelled.
        await trio.lowlevel.checkpoint()
        while self.backlog is None or self.held:
            if self.over is not None and self.backlog is None:
                raise self.over
            await self.sleep()
        frame = self.backlog.popleft()
        if not self.backlog:
            self.backlog = None
            caught_up()
        return frame

    def hush(self) -> None:
        """End the conversation; frames are kept from now on."""
        self.hear = None
        self.wake()

    def forget(self) -> None:
        """Discard what has arrived."""
        self.hear = self.backlog = None
        self.held = False

    def finish(self, why: type[Exception] | Exception) -> None:
        """No more frames will come; a bug takes precedence over other reasons."""
        if not isinstance(self.over, Exception):
            self.over = why
        self.wake()

    def sleep(self) -> Awaitable[Any]:
        """Sleep until something changes."""
        self._sleeper = trio.lowlevel.current_task()
        # Not a coroutine of its own: every idle connection would have to keep one alive.
        return trio.lowlevel.wait_task_rescheduled(self._give_up)  # noqa: ASYNC105

    def _give_up(self, _: object) -> trio.lowlevel.Abort:
        self._sleeper = None
        return trio.lowlevel.Abort.SUCCEEDED

    def wake(self) -> None:
        sleeper, self._sleeper = self._sleeper, None
        if sleeper is not None:
            trio.lowlevel.reschedule(sleeper)
