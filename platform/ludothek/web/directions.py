"""How a client gets to a game."""

from typing import Any

from ludothek.runtime.endpoint import Endpoint


def directions(endpoint: Endpoint, host: str) -> dict[str, Any]:
    """An endpoint, its protocol, and what the author of a client needs, as JSON.

    The host is the one under which a browser has found us: that will do for its client, too, if we
    listen there.
    """
    game, port = endpoint.game, endpoint.port
    name = f"[{host}]" if ":" in host else host
    url = f"{game.transport.scheme}://{name}:{port}"
    address = "" if host in ("127.0.0.1", "localhost") else f" -a {host}"
    own_port = "" if port == game.port else f" -p {port}"
    return {
        "name": game.name,
        "title": game.title,
        "endpoint": endpoint.name,
        "protocol": game.protocol,
        "version": game.version,
        "url": url,
        "port": port,
        "difficulties": [*game.difficulties],
        "playable": endpoint.playable,
        "how": {
            "lines": [url, *([game.page.hello] if game.page and game.page.hello else [])],
            "bot": f"platform bot --game {game.name}{address}{own_port}",
        },
    }
