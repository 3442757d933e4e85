"""Every game lets organisers see why it has refused something."""

import pytest
import trio

from tests.support.helpers import open_server

# The first message of a client that has understood nothing.
NONSENSE = {
    "hexxagon": b'{"messageType": "Nonsense"}',
    "penguins": b"<protocol><nonsense/>",
    "quidditch": b'{"payloadType": "nonsense"}',
    "qwirkle": b'{"uniqueId": 404, "number": 1}\n',
    "roborally": b'{"messageType": "Nonsense"}',
}


@pytest.mark.parametrize("game", NONSENSE)
async def test_nonsense_is_explained_to_organisers(game: str) -> None:
    async with open_server(game) as server, server.connect() as peer:
        await peer.link.send(NONSENSE[game])
        endpoint = server.endpoint
        with trio.fail_after(10):
            while not [*endpoint.refused_clients, *(c for c in endpoint.clients if c.explanations)]:
                await trio.sleep(0.01)
        (client,) = [*endpoint.refused_clients, *endpoint.clients]
        assert client.explanations is not None
        assert client.explanations.latest[-1].reason
