"""A server on which every match begins in the position of a record."""

import sys

import click
import trio

from ludothek.contract.chance import Chance
from ludothek.daemon.endpoints import Endpoints
from ludothek.daemon.serve import serve
from ludothek.observe import log
from ludothek.runtime.continuation import Continuation
from ludothek.settings.config_file import Config, Daemon, Host
from ludothek.settings.fields import build
from ludothek.settings.limits import Limits
from transports import PatientClock


def serve_continuation(position: Continuation, host: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT; nothing of it is kept."""
    game = position.game
    limits = build(Limits, game.limits, game.name)
    place = Host(game=game, settings=position.settings, host=host, port=port, limits=limits)
    config = Config(daemon=Daemon(), hosts=[place])
    endpoints = Endpoints(Chance(), continuation=position)

    def ready() -> None:
        for endpoint in endpoints.all:
            with log.patient(sys.stdout):
                click.echo(f"{game.name} ready on {endpoint.url}")

    async def main() -> None:
        await serve(endpoints, config, ready=ready)

    clock = PatientClock()
    with log.written_aside("console"):
        trio.run(main, clock=clock, instruments=[clock])
