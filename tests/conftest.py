"""Logs of tests: rich tracebacks take seconds, in which nobody is served."""

import structlog

structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)
