"""The life of the daemon between start and end: reloading, draining, and handing over."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

import attrs
import structlog
import trio

from ludothek.contract.orders import OrderRefused
from ludothek.daemon.endpoints import Changes, Endpoints
from ludothek.daemon.guarded import AGAIN
from ludothek.daemon.handover import Handover
from ludothek.daemon.systemd import Manager
from ludothek.kit.reports import careful
from ludothek.settings.config_file import Config, ConfigError, Daemon
from ludothek.settings.fields import SettingsError
from transports import BUGS, unstopped_time

log = structlog.get_logger()

# Seconds between two checks whether a watchdog message is due.
LOOK_SECONDS = 0.25

# For the answer to the organiser who has asked for a restart.
ANSWER_SECONDS = 0.05

# Settings that cannot be changed while the daemon runs.
FIXED = (
    *("control_group", "metrics_host", "metrics_port"),
    *("web", "web_host", "web_port", "web_viewers", "web_viewers_per_address"),
    "tournaments",
)


class Lifecycle:
    """Runs the endpoints that the configuration names, until it is time to end."""

    def __init__(
        self,
        endpoints: Endpoints,
        settings: Daemon,
        nursery: trio.Nursery,
        reread: Callable[[], Config] | None = None,
        manager: Manager | None = None,
        handover: Handover | None = None,
        rehearse: Callable[[], Awaitable[None]] | None = None,
        leave: Callable[[int], object] = os._exit,
    ) -> None:
        self.endpoints = endpoints
        self.settings = settings
        self.draining = False
        self.problems: Sequence[str] = ()  # of the start, or of the latest reload
        self._nursery = nursery  # for work that outlives the request for it
        self._reread = reread  # None: there is no file
        self._manager = manager or Manager()
        self._changing = trio.Lock()
        self._serving = trio.CancelScope()
        self.handover = handover or Handover()
        # What has to be done before the next process goes on, in this order.
        self.before_restart: list[Callable[[], object]] = []
        # Who else applies a changed configuration, besides the endpoints.
        self.after_reload: list[Callable[[Config], object]] = []
        self._rehearse = rehearse
        self._restarting = False  # somebody has asked for it
        self._leave = leave

    def __str__(self) -> str:
        return f"draining: {self.endpoints}" if self.draining else str(self.endpoints)

    async def wait_for_end(self, ends: AsyncIterator[int]) -> None:
        """Wait until a signal asks the daemon to end, or everything has been drained."""
        with self._serving:
            await anext(ends)

    async def report_alive(self) -> None:
        """Feed the service manager's watchdog from the event loop, until cancelled."""
        while True:
            self._manager.alive(str(self))
            # By a clock that never stops, as the manager's does not either.
            again = unstopped_time() + self._manager.interval
            while (left := again - unstopped_time()) > 0:  # noqa: ASYNC110 - no event tells the time
                await trio.sleep(min(left, LOOK_SECONDS))

    # Draining

    @property
    def seconds_left(self) -> float:
        """Until the daemon ends even if matches are running; infinity if there is no limit."""
        return max(0.0, self._serving.deadline - trio.current_time())

    def drain(self, seconds: float) -> None:
        """Let no new match begin; end after the last one, or after that many seconds."""
        self._serving.deadline = trio.current_time() + seconds
        log.info("draining", seconds=seconds, state=str(self.endpoints))
        if self.handover.continuity is not None:
            self.handover.continuity.drain(self._serving.deadline)
        if not self.draining:
            self.draining = True
            self.endpoints.stop_new_matches()
            self._nursery.start_soon(self._drain)

    async def _drain(self) -> None:
        async with self._changing:
            pass  # a reload in progress is finished first
        await self.endpoints.drain()
        log.info("drained")
        self._serving.cancel()

    # Handing over

    async def restart(self) -> None:
        """Have the program started again as it is installed now; nobody is told goodbye.

        Raises:
          OrderRefused: matches would be lost.
        """
        self._check_restart()
        if self._restarting:
            raise OrderRefused("the daemon is being restarted already")
        self._restarting = True
        try:
            if self._rehearse is not None:
                await self._rehearse()
                self._check_restart()  # it has taken a while
            self._nursery.start_soon(self._restart_soon)
        except BaseException:
            self._restarting = False
            raise

    def _check_restart(self) -> None:
        if not self.handover.durable:
            raise OrderRefused(f"matches would be lost: {self.handover.problem}")
        if self.draining:
            raise OrderRefused("the daemon is being drained and will not be started again")

    async def _restart_soon(self) -> None:
        await trio.sleep(ANSWER_SECONDS)
        try:
            self._check_restart()
        except OrderRefused as refusal:
            self._restarting = False
            log.warning("not restarted", reason=str(refusal))
        else:
            self._restart()

    async def restart_on(self, signals: AsyncIterator[int]) -> None:
        """Restart when a signal asks for it; if matches would be lost, end as politely as ever."""
        async for _ in signals:
            if self.handover.durable and not self.draining:
                self._restart()
            self._serving.cancel()

    def _restart(self) -> None:
        log.info("restarting", state=str(self.endpoints))
        for prepare in self.before_restart:
            try:
                prepare()
            except BUGS as bug:
                with careful("preparing a restart crashed"):
                    log.error("preparing a restart crashed", exc_info=bug)
        self._leave(AGAIN)

    # Reloading

    async def reload_on(self, hangups: AsyncIterator[int]) -> None:
        """Reload whenever a signal asks for it."""
        async for _ in hangups:
            try:
                await self.reload()
            except OrderRefused as refusal:
                log.warning("configuration not read again", reason=str(refusal))

    async def reload(self) -> Changes:
        """Read the configuration file again and apply what has changed.

        Raises:
          OrderRefused: there is no file, it has errors, or the daemon is being drained.
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
            self.complain(error.problems if isinstance(error, ConfigError) else [str(error)])
            raise OrderRefused(str(error)) from None
        finally:
            self._manager.ready(str(self))
        self._adopt(config.daemon, changes)
        for adopt in self.after_reload:
            adopt(config)
        self.complain(changes.problems)
        log.info(
            "configuration read again",
            opened=changes.opened,
            changed=changes.changed,
            removed=changes.removed,
            renamed=changes.renamed,
        )
        return changes

    def _adopt(self, settings: Daemon, changes: Changes) -> None:
        """Apply what can be changed, and say what cannot."""
        before, self.settings = self.settings, settings
        for key in attrs.fields_dict(Daemon):
            if getattr(settings, key) == getattr(before, key):
                continue
            if key in FIXED:
                changes.problems.append(f"{key}: taken over only when the daemon starts")
                self.settings = attrs.evolve(self.settings, **{key: getattr(before, key)})
            else:
                changes.changed.append(key)

    def complain(self, problems: Sequence[str]) -> None:
        """Tell what is wrong with the configuration, now and whenever an organiser asks."""
        self.problems = problems
        for problem in problems:
            log.error("bad configuration", problem=problem)
