"""The life of the daemon between start and end: reloading its configuration, and draining."""

from collections.abc import AsyncIterator, Callable, Sequence

import attrs
import structlog
import trio

from ludothek.contract.orders import OrderRefused
from ludothek.daemon.endpoints import Changes, Endpoints
from ludothek.daemon.systemd import Manager
from ludothek.kit.reports import careful
from ludothek.settings.config_file import Config, ConfigError, Daemon
from ludothek.settings.fields import SettingsError
from transports import BUGS, unstopped_time

log = structlog.get_logger()

# Seconds between two looks whether a sign of life is due.
LOOK_SECONDS = 0.25

# What holds from the start to the end.
FIXED = ("control_group", "metrics_host", "metrics_port")


class Lifecycle:
    """Runs the endpoints that the configuration names, until it is time to end."""

    def __init__(
        self,
        endpoints: Endpoints,
        settings: Daemon,
        nursery: trio.Nursery,
        reread: Callable[[], Config] | None = None,
        manager: Manager | None = None,
    ) -> None:
        self.endpoints = endpoints
        self.settings = settings
        self.draining = False
        self.problems: Sequence[str] = ()  # of the latest reading of the file
        self._nursery = nursery  # for what goes on after whoever wanted it has hung up
        self._reread = reread  # None: there is no file
        self._manager = manager or Manager()
        self._changing = trio.Lock()
        self._opening_hours = trio.CancelScope()

    def __str__(self) -> str:
        return f"draining: {self.endpoints}" if self.draining else str(self.endpoints)

    async def stay_open(self, ends: AsyncIterator[int]) -> None:
        """Wait until somebody wants the daemon to end, or all that was drained has ended."""
        with self._opening_hours:
            await anext(ends)

    async def report(self) -> None:
        """Tell the service manager that this event loop is alive, for as long as it is."""
        while True:
            self._manager.alive(str(self))
            # By a clock that waits for nobody, as the manager's does not either.
            again = unstopped_time() + self._manager.interval
            while (left := again - unstopped_time()) > 0:  # noqa: ASYNC110 - no event tells the time
                await trio.sleep(min(left, LOOK_SECONDS))

    # Draining

    @property
    def seconds_left(self) -> float:
        """Until the daemon ends anyway; infinity where nobody has set a limit."""
        return max(0.0, self._opening_hours.deadline - trio.current_time())

    def drain(self, seconds: float) -> None:
        """Let no new match begin; end after the last one, or after so many seconds."""
        self._opening_hours.deadline = trio.current_time() + seconds
        log.info("draining", seconds=seconds, state=str(self.endpoints))
        if not self.draining:
            self.draining = True
            self._nursery.start_soon(self._drain)

    async def _drain(self) -> None:
        async with self._changing:
            pass  # what is being changed is drained as it will be
        await self.endpoints.drain()
        log.info("drained")
        self._opening_hours.cancel()

    # Reading the file again

    async def heed(self, hangups: AsyncIterator[int]) -> None:
        """Read the file again whenever a signal asks for it."""
        async for _ in hangups:
            try:
                await self.reload()
            except OrderRefused as refusal:
                log.warning("configuration not read again", reason=str(refusal))

    async def reload(self) -> Changes:
        """Read the file again and change what is different in it.

        Raises:
          OrderRefused: there is no file, it has mistakes, or the daemon is about to end.
        """
        if self._reread is None:
            raise OrderRefused("there is no file to read again: started without --config")
        send, receive = trio.open_memory_channel[Changes | OrderRefused](1)
        self._nursery.start_soon(self._answer, send, self._reread)
        answer = await receive.receive()
        if isinstance(answer, OrderRefused):
            raise answer
        return answer

    async def _answer(
        self, send: "trio.MemorySendChannel[Changes | OrderRefused]", reread: Callable[[], Config]
    ) -> None:
        answer: Changes | OrderRefused
        async with self._changing:
            try:
                answer = await self._reload(reread)
            except OrderRefused as refusal:
                answer = refusal
            except BUGS as bug:
                answer = OrderRefused("internal error; the log says more")
                with careful("reading the configuration crashed"):
                    log.error("reading the configuration crashed", exc_info=bug)
        send.send_nowait(answer)

    async def _reload(self, reread: Callable[[], Config]) -> Changes:
        if self.draining:
            raise OrderRefused("the daemon is being drained and takes no other configuration")
        self._manager.reloading()
        try:
            config = await trio.to_thread.run_sync(reread, abandon_on_cancel=True)
            changes = await self.endpoints.change(config.hosts)
        except SettingsError as error:
            self._complain(error.problems if isinstance(error, ConfigError) else [str(error)])
            raise OrderRefused(str(error)) from None
        finally:
            self._manager.ready(str(self))
        changes.problems.extend(self._adopt(config.daemon))
        self._complain(changes.problems)
        log.info(
            "configuration read again",
            opened=changes.opened,
            changed=changes.changed,
            removed=changes.removed,
            renamed=changes.renamed,
        )
        return changes

    def _adopt(self, settings: Daemon) -> list[str]:
        """Take over what can be changed; tells what cannot."""
        fixed = {key: getattr(self.settings, key) for key in FIXED}
        wanted = {key: getattr(settings, key) for key in fixed}
        self.settings = attrs.evolve(settings, **fixed)
        changed = [key for key in fixed if fixed[key] != wanted[key]]
        return [f"{key}: taken over only when the daemon starts" for key in changed]

    def _complain(self, problems: Sequence[str]) -> None:
        self.problems = problems
        for problem in problems:
            log.error("bad configuration", problem=problem)
