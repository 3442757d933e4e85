"""Structured logs on stderr: coloured lines for people, JSON for the journal."""

import io
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from time import gmtime, strftime, time_ns
from typing import Any, Literal, TextIO

import attrs
import structlog

from ludothek.contract.names import printable
from ludothek.kit.reports import count_failure, words
from ludothek.observe import terminal_json
from ludothek.observe.log_context import add_context, drop_repeated
from ludothek.observe.ration import Name, Ration
from ludothek.storage.lines import Lines
from ludothek.storage.stream import Stream
from ludothek.storage.writer import Writer

LogFormat = Literal["console", "json"]

# The journal's priorities; each line begins with its own as a prefix, which the journal removes.
_PRIORITIES = {"critical": 2, "error": 3, "exception": 3, "warning": 4, "info": 6, "debug": 7}

# Characters of one value in a line; it may quote a client.
MAX_VALUE = 1000

# Bytes that may wait for a reader: some ten thousand lines.
MAX_WAITING = 4 * 1024 * 1024


class _Stderr:
    """Where logs go; the reader may be gone, which must not disturb any game."""

    lines: Lines | None = None  # set while a thread writes the log
    style: LogFormat = "console"
    ration = Ration()

    def write(self, text: str) -> int:
        if self.lines is not None:
            self.lines.put(text.encode(errors="backslashreplace"))
        else:
            with patient(sys.stderr):
                sys.stderr.write(text)
                sys.stderr.flush()
        return len(text)

    def flush(self) -> None:
        """Handlers of the standard library call it; nothing is left to do."""


class _Logger:
    """What structlog hands finished lines to; they may be of any level."""

    def __init__(self, *_: Any) -> None:
        self._stderr = _Stderr()

    def msg(self, line: str) -> None:
        self._stderr.write(f"{line}\n")

    debug = info = warning = error = critical = exception = msg


@contextmanager
def written_aside(style: LogFormat) -> Iterator[None]:
    """Have a thread write the log, so that a slow reader blocks nobody."""

    def tell_lost(lines: int) -> bytes:
        entry = {"event": "lines of the log were lost", "level": "warning", "lines": lines}
        text = _dumps(entry) if style == "json" else "{event}: {lines}".format(**entry)
        return ((_rank(text, "warning") if journal else text) + "\n").encode()

    journal = _read_by_the_journal()
    # One line at a time, so that it is known which ones were written.
    writer = Writer("log", max_bytes=MAX_WAITING, batch_bytes=0)
    _Stderr.lines = Lines(writer, Stream(sys.stderr.fileno()), note=tell_lost)
    try:
        yield
    finally:
        writer.close()


def lost() -> int:
    """The number of log lines that could not be written."""
    return _Stderr.lines.lost if _Stderr.lines else 0


def left_out() -> int:
    """The number of log lines that exceeded the rate limit of their kind."""
    return _Stderr.ration.left_out


@attrs.frozen
class patient:  # noqa: N801 -- is used like a function
    """For writing to a stream whose reader may be gone, or whose disk may be full."""

    _stream: TextIO

    def __enter__(self) -> None: ...

    def __exit__(self, _: Any, error: BaseException | None, __: Any) -> bool:
        if isinstance(error, BrokenPipeError):
            _discard(self._stream)
        return isinstance(error, OSError | ValueError)


def flush_at_exit(stream: TextIO) -> None:
    """Flush a stream; if that fails, Python's own attempt at exit must not spoil the exit code."""
    try:
        stream.flush()
    except OSError:
        _discard(stream)
    except ValueError:
        pass  # it is closed


def _discard(stream: TextIO) -> None:
    """Redirect the stream, with what is in its buffer, to /dev/null."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def setup(style: LogFormat, verbosity: int = 0, *, quiet: bool = False) -> None:
    """Send all logs of this process to stderr; of libraries, only warnings and errors."""
    _Stderr.style = style
    _Stderr.ration = Ration()
    level = logging.DEBUG if verbosity > 0 else logging.ERROR if quiet else logging.INFO
    processors: list[structlog.types.Processor] = [
        add_context,
        structlog.contextvars.merge_contextvars,
        _make_harmless,
        structlog.processors.add_log_level,
        _add_time,
    ]
    structlog.configure(
        processors=[drop_repeated, _Stderr.ration, *processors, *_renderers(style)],
        wrapper_class=_unfailing(structlog.make_filtering_bound_logger(level)),
        logger_factory=_Logger,
        cache_logger_on_first_use=True,
    )
    _adopt_libraries(processors, style)


def begin() -> None:
    """Log for people, until a command has chosen its log format."""
    _Stderr.style = "console"


def last_words(message: str) -> str:
    """The line that says why the program ends, in the format of its log."""
    if _Stderr.style == "json":
        entry = {"problem": message, "event": "cannot go on", "level": "error"}
        text = _dumps(_add_time(None, "", entry))
    else:
        text = f"platform: {message}"
    return _rank(text, "error") if _read_by_the_journal() else text


def _read_by_the_journal() -> bool:
    """Whether stderr is connected directly to the journal."""
    try:
        found = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def _rank(text: str, level: str) -> str:
    prefix = f"<{_PRIORITIES.get(level, 6)}>"
    return "\n".join(prefix + line for line in text.split("\n"))


def _rank_entry(_: Any, level: str, text: Any) -> str:
    return _rank(text, level)


def _unfailing(logger: type[Any]) -> type[Any]:
    """A logger class that never raises, whatever it is given."""

    class Unfailing(logger):  # type: ignore[misc]
        def _proxy_to_logger(self, method_name: str, event: Any = None, **entry: Any) -> Any:
            try:
                return super()._proxy_to_logger(method_name, event, **entry)
            except Exception as error:
                count_failure()
                return _tell_failure(event, error)

    return Unfailing


def _tell_failure(event: Any, error: Exception) -> None:
    """Log at least that a line could not be rendered."""
    with suppress(Exception):
        about = printable(event)[:MAX_VALUE] if isinstance(event, str) else ""
        entry = {"event": "a line of the log could not be made", "level": "warning"}
        text = _dumps(entry | {"about": about, "error": type(error).__name__})
        _Stderr().write((_rank(text, "warning") if _read_by_the_journal() else text) + "\n")


def _make_harmless(_: Any, __: str, entry: structlog.types.EventDict) -> structlog.types.EventDict:
    """Escape and shorten values that may quote clients: they must not forge lines."""
    for key, value in entry.items():
        if isinstance(value, str) and not (len(value) <= MAX_VALUE and value.isprintable()):
            entry[key] = printable(value if len(value) <= MAX_VALUE else f"{value[:MAX_VALUE]}…")
    return entry


def _add_time(_: Any, __: str, entry: structlog.types.EventDict) -> structlog.types.EventDict:
    seconds, nanoseconds = divmod(time_ns(), 1_000_000_000)
    entry["timestamp"] = f"{_date(seconds)}.{nanoseconds // 1000:06}Z"
    return entry


@lru_cache(maxsize=1)  # most lines are written in the same second as the one before
def _date(seconds: int) -> str:
    return strftime("%Y-%m-%dT%H:%M:%S", gmtime(seconds))


def _renderers(style: LogFormat) -> list[structlog.types.Processor]:
    renderers = _json_renderers() if style == "json" else _console_renderers()
    return [*renderers, *([_rank_entry] if _read_by_the_journal() else [])]


def _json_renderers() -> list[structlog.types.Processor]:
    # No local variables in tracebacks: they could be passwords.
    tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    render_exception = structlog.processors.ExceptionRenderer(tracebacks)

    def render(logger: Any, level: str, entry: structlog.types.EventDict) -> str:
        if "exc_info" in entry:
            entry = render_exception(logger, level, entry)
        return _dumps(entry)

    return [render]


def _console_renderers() -> list[structlog.types.Processor]:
    colors = sys.stderr.isatty()
    return [structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=_write_traceback)]


def _write_traceback(out: TextIO, exc_info: structlog.types.ExcInfo) -> None:
    """In Python's format (rich tracebacks take seconds), with control characters escaped."""
    text = io.StringIO()
    structlog.dev.plain_traceback(text, exc_info)
    out.write("\n".join(map(printable, text.getvalue().split("\n"))))


def _dumps(entry: Any) -> str:
    return terminal_json.text(entry, words)


def _name(record: logging.LogRecord) -> Name:
    # By logger: the messages of libraries may contain anything.
    return record.levelname, record.name


def _adopt_libraries(processors: list[structlog.types.Processor], style: LogFormat) -> None:
    handler = logging.StreamHandler(_Stderr())
    ration = _Stderr.ration
    handler.addFilter(lambda record: ration.admits(_name(record)))
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                lambda _, __, entry: ration.confess(_name(entry["_record"]), entry),
                *processors,
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_renderers(style),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
