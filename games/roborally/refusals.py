"""Errors: the one answer to everything that is refused."""

from collections.abc import Iterator

from games.roborally.messages import Error
from games.roborally.settings import Settings
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.client import Client
from ludothek.contract.effects import Effect, Explain, Send

# «nur als Hinweis»
HINT = "Whoops. That did not work. Try to adjust something."


class Refused(Exception):
    """Something cannot be done at this moment; the breach says why."""

    def __init__(self, breach: Breach) -> None:
        super().__init__(breach)
        self.breach = breach


def refuse(client: Client, breach: Breach, settings: Settings) -> Iterator[Effect]:
    """The answer to a refused message; whether it says why is up to the operator."""
    yield Explain(client, breach)
    yield Send(client, Error(str(breach) if settings.detailed_errors else HINT))


def dismiss(client: Client, breach: Breach, text: str) -> Iterator[Effect]:
    """Tell a client why it has to go; what follows disconnects it."""
    yield Explain(client, breach, Consequence.KICKED)
    yield Send(client, Error(text))
