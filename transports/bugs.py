"""What counts as a bug: it ends one connection or one lobby, never the daemon."""

# What code that awaits may catch: everything except what Trio and Python use to end tasks and
# coroutines. A game may call a library that tries to exit the program. (No signal raises
# KeyboardInterrupt in the daemon.)
BUGS = (Exception, SystemExit, KeyboardInterrupt)


def as_bug(error: BaseException) -> Exception:
    """Whatever a game has raised, as an exception that ends only the thing it was raised in."""
    if isinstance(error, Exception):
        return error
    bug = RuntimeError(f"{type(error).__name__} in a game")
    bug.__cause__ = error
    return bug.with_traceback(error.__traceback__)
