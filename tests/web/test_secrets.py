"""What the page tells about a match that goes on has no secrets in it."""

from pathlib import Path

import pytest

from ludothek.contract import registry
from tests.support.page import Browser, open_page

# What is no longer than that is found by accident.
SHORT = 10

GAMES = [name for name in registry.names() if registry.load(name).page is not None]


async def everything_about(browser: Browser, match: str) -> str:
    """All that anybody can hear while it is being played."""
    async with browser.follow(f"/api/matches/{match}/live") as events:
        heard = [str(await events.next()) for _ in range(5)]
    paths = ("", "/history")
    texts = [(await browser.http.get(f"/api/matches/{match}{path}")).text for path in paths]
    texts += [(await browser.http.get(path)).text for path in ("/api/matches", "/api/games")]
    return "\n".join([*heard, *texts])


@pytest.mark.parametrize("game", GAMES)
async def test_seeds_addresses_and_ids_of_clients_stay_here(tmp_path: Path, game: str) -> None:
    async with open_page(tmp_path, game) as browser:
        browser.play(games=50)
        match = await browser.running_match()
        endpoint = browser.servers[0].endpoint
        (lobby,) = [each for each in endpoint.hall.lobbies.values() if each.match_id == match]
        secrets = {"seed": str(lobby.clerk.beginning.seed)}
        if len(lobby.key) > SHORT:
            secrets["key of the lobby"] = lobby.key
        for client in lobby.clients:
            secrets[f"address of {client}"] = client.peer
            if len(client.key) > SHORT:  # in other games it is a small number, or a name
                secrets[f"key of {client}"] = client.key
        text = await everything_about(browser, match)
    assert match in text
    assert len(secrets) > 2
    for what, secret in secrets.items():
        assert len(secret) > SHORT
        assert secret not in text, what
