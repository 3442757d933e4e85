"""A computer player that connects like any other client."""

from collections.abc import Callable

import structlog
import trio

from ludothek.contract.clock import Clock
from ludothek.contract.game import Game
from ludothek.contract.player import BrokenProtocol, Player, Report
from ludothek.runtime.playing import play, put_into_words

log = structlog.get_logger()

# Seconds within which a server must say something: each greets, or answers the player's greeting.
# The slowest have many passwords to check.
FIRST_SECONDS = 60.0


class NoServer(Exception):
    """The server cannot be reached, or has gone away."""


async def run_bot(
    game: Game,
    host: str,
    port: int,
    player: Player,
    tell: Callable[[Report], None],
    *,
    games: int = 1,
) -> None:
    """Play a number of games on a server, over the wire.

    Raises:
      NoServer: it cannot be reached, or went away before the games were over.
      BrokenProtocol: it does not keep to the protocol.
    """
    codec = game.codec(Clock(), game.settings())
    try:
        # A player that has to think first does so before it connects: when many players start at
        # once, that may take longer than a server waits for a client's first message.
        greeting = [await put_into_words(utterance) for utterance in player.greet()]
        async with game.transport.connect(host, port) as link:
            await play(
                link,
                codec,
                player,
                tell,
                games=games,
                first_seconds=FIRST_SECONDS,
                greeting=greeting,
            )
    except OSError as error:
        raise NoServer(f"cannot reach {host} port {port}: {error.strerror or error}") from error
    except UnicodeError:
        raise NoServer(f"{host!r} is not a host name") from None
    except (trio.EndOfChannel, trio.BrokenResourceError):
        raise NoServer(f"the server at {host} port {port} has hung up") from None
    except BrokenProtocol:
        raise
    except Exception as error:
        # A server can send messages that contradict each other; only the traceback can tell whether
        # that or a bug in the player is the reason.
        log.debug("the player has failed", exc_info=error)
        raise BrokenProtocol(
            f"the player cannot follow what the server said: {error!r}; -v 1 tells more"
        ) from error
