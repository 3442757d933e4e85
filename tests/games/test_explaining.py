"""Every game lets organisers see why it has refused something."""

from collections.abc import Iterator

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.explanations import Explanation
from tests.support.helpers import open_server

# The first message of a client that has understood nothing.
NONSENSE = {
    "hexxagon": b'{"messageType": "Nonsense"}',
    "penguins": b"<protocol><nonsense/>",
    "quidditch": b'{"payloadType": "nonsense"}',
    "qwirkle": b'{"uniqueId": 404, "number": 1}\n',
    "roborally": b'{"messageType": "Nonsense"}',
}


def explained(endpoint: Endpoint) -> Iterator[Explanation]:
    for client in (*endpoint.clients, *endpoint.clients.refused):
        if client.explanations is not None:
            yield from client.explanations.latest


@pytest.mark.parametrize("game", NONSENSE)
async def test_nonsense_is_explained_to_organisers(game: str) -> None:
    async with open_server(game) as server, server.connect() as peer:
        await peer.link.send(NONSENSE[game])
        with trio.fail_after(10):
            while not (found := [*explained(server.endpoint)]):
                await wait_all_tasks_blocked(0.01)
        assert found[0].breach.reason
