"""What counts as a bug: one connection or one lobby ends by it, never the daemon."""

# What code that waits may catch: all exceptions but those that end tasks and coroutines. A game may
# call a library that means to end the program. (No signal raises KeyboardInterrupt in the daemon.)
BUGS = (Exception, SystemExit, KeyboardInterrupt)


def as_bug(error: BaseException) -> Exception:
    """Whatever a game has raised, as something that ends no more than what it was raised in."""
    if isinstance(error, Exception):
        return error
    bug = RuntimeError(f"{type(error).__name__} in a game")
    bug.__cause__ = error
    return bug.with_traceback(error.__traceback__)
