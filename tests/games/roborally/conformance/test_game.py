"""The LMU protocol 2.0 over real sockets, sentence by sentence: a game from its start."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import orjson
import pytest

from tests.games.roborally.client import RoboRallyClient
from tests.support.helpers import open_server

STARTS = ((1, 1), (0, 3))


class Game:
    """Some clients in a game, and steps that take them further."""

    def __init__(self, clients: list[RoboRallyClient]) -> None:
        self.clients = clients

    def __getitem__(self, player_id: int) -> RoboRallyClient:
        return next(client for client in self.clients if client.id == player_id)

    async def hear_all(self, message_type: str) -> Any:
        """The next message of this type to everybody, which must be the same for all."""
        heard = [await client.hear_until(message_type) for client in self.clients]
        assert all(body == heard[0] for body in heard)
        return heard[0]

    async def start(self) -> None:
        for n, client in enumerate(self.clients, 1):
            await client.register(f"Nr. {n}", n)
        for client in self.clients:
            await client.say("SetStatus", ready=True)

    async def set_up(self) -> None:
        await self.start()
        for client, (x, y) in zip(self.clients, STARTS, strict=True):
            assert await self.hear_all("CurrentPlayer") == {"playerID": client.id}
            await client.say("SetStartingPoint", x=x, y=y)
            await self.hear_all("StartingPointTaken")

    async def buy_nothing(self) -> None:
        await self.set_up()
        for _ in self.clients:
            current = await self.hear_all("CurrentPlayer")
            await self[current["playerID"]].say("BuyUpgrade", isBuying=False, card=None)

    async def program(self, client: RoboRallyClient) -> list[str]:
        hand = (await client.hear_until("YourCards"))["cardsInHand"]
        cards = [card for card in hand if card != "Again"][:5]
        for register, card in enumerate(cards, 1):
            await client.say("SelectedCard", card=card, register=register)
        return cards

    async def activate(self) -> dict[int, list[str]]:
        await self.buy_nothing()
        return {client.id: await self.program(client) for client in self.clients}


@asynccontextmanager
async def open_game(**settings: Any) -> AsyncIterator[Game]:
    async with open_server("roborally", settings) as server, AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(server.connect()) for _ in range(2)]
        yield Game([await RoboRallyClient.arrive(peer) for peer in peers])


@pytest.fixture
async def game() -> AsyncIterator[Game]:
    async with open_game() as game:
        yield game


# 7 Spielzug abhandeln


async def test_who_connected_first_begins(game: Game) -> None:
    """«Entgegen der offiziellen Anleitung beginnt derjenige, der zuerst die Verbindung aufgebaut
    hat.»"""
    await game.start()
    first = min(client.id for client in game.clients)
    assert await game.hear_all("CurrentPlayer") == {"playerID": first}


async def test_the_shop_is_first_filled_in_the_setup_phase(game: Game) -> None:
    """«In der ersten Runde wird diese Nachricht im Rahmen der Aufbauphase das erste Mal
    verschickt.»"""
    await game.start()
    heard = await game.clients[0].hear_all_until("CurrentPlayer")
    names = [name for name, _ in heard]
    assert names[-4:] == ["GameStarted", "ActivePhase", "RefillShop", "CurrentPlayer"]
    assert heard[-3][1] == {"phase": 0}
    assert len(heard[-2][1]["cards"]) == len(game.clients)


async def test_a_valid_starting_point_is_told_to_all(game: Game) -> None:
    """«Wenn die gewünschte Position valide ist, werden alle Spieler darüber benachrichtigt.»"""
    await game.start()
    ann, bob = game.clients
    await game.hear_all("CurrentPlayer")
    for x, y in ((0, 5), (99, -1)):
        await ann.say("SetStartingPoint", x=x, y=y)
        await ann.hear("Error")
    await ann.say("SetStartingPoint", x=1, y=1)
    assert await game.hear_all("StartingPointTaken") == {"x": 1, "y": 1, "playerID": ann.id}
    await bob.hear_until("CurrentPlayer")
    await bob.say("SetStartingPoint", x=1, y=1)
    assert "starts from this field" in (await bob.hear("Error"))["error"]


async def test_the_phases_have_numbers(game: Game) -> None:
    """«0 => Aufbauphase, 1 => Upgradephase, 2 => Programmierphase, 3 => Aktivierungsphase»"""
    await game.activate()
    await game.hear_all("CurrentCards")
    frames = [orjson.loads(frame) for frame in game.clients[0].peer.frames]
    phases = [x["messageBody"] for x in frames if x["messageType"] == "ActivePhase"]
    assert phases == [{"phase": number} for number in range(4)]


# 7.2 Upgradephase


@pytest.mark.parametrize("nothing", [{"card": None}, {"card": "Null"}, {"card": ""}, {}])
async def test_who_does_not_buy_says_so(game: Game, nothing: dict[str, Any]) -> None:
    """«Diese Nachricht muss in jedem Fall verschickt werden. Der Wert für "card" ist dann ggf.
    Null.»"""
    await game.set_up()
    for _ in game.clients:
        current = await game.hear_all("CurrentPlayer")
        await game[current["playerID"]].say("BuyUpgrade", isBuying=False, **nothing)
    assert await game.hear_all("ActivePhase") == {"phase": 2}


async def test_a_purchase_is_confirmed_to_all_with_its_price(game: Game) -> None:
    """«bestätigt der Server dies für alle Spieler sichtbar. Die Energiekosten werden behandelt,
    wie im Abschnitt Aktionen beschrieben.»"""
    await game.start()
    shop = (await game.clients[0].hear_until("RefillShop"))["cards"]
    for client, (x, y) in zip(game.clients, STARTS, strict=True):
        await client.hear_until("CurrentPlayer")
        await client.say("SetStartingPoint", x=x, y=y)
    buyer = await current_buyer(game)
    await buyer.say("BuyUpgrade", isBuying=True, card=shop[0])
    bought = await game.hear_all("UpgradeBought")
    assert bought == {"playerID": buyer.id, "card": shop[0]}
    energy = await game.hear_all("Energy")
    assert energy["playerID"] == buyer.id
    assert energy["count"] < 5


async def current_buyer(game: Game) -> RoboRallyClient:
    while (await game.clients[0].hear_until("ActivePhase"))["phase"] != 1:
        pass
    return game[(await game.clients[0].hear_until("CurrentPlayer"))["playerID"]]


# 7.3 Programmierphase


async def test_a_hand_is_seen_by_its_owner_only(game: Game) -> None:
    """«Die Nachricht vom Server sollte natürlich nur von dem jeweils betroffenen Spieler empfangen
    werden können!» «Die anderen Spieler werden lediglich über die Anzahl der Karten
    benachrichtigt.»"""
    await game.buy_nothing()
    ann, bob = game.clients
    for client, other in ((ann, bob), (bob, ann)):
        while (await client.hear_until("ActivePhase"))["phase"] != 2:
            pass
        heard = [await client.peer.hear() for _ in range(2)]
        (own,) = [x["messageBody"] for x in heard if x["messageType"] == "YourCards"]
        (others,) = [x["messageBody"] for x in heard if x["messageType"] == "NotYourCards"]
        assert (len(own["cardsInHand"]), own["cardsInPile"]) == (9, 11)
        assert others == {"playerID": other.id, "cardsInHand": 9, "cardsInPile": 11}


async def test_a_selected_card_is_told_without_the_card(game: Game) -> None:
    """«Der Server gibt das belegte Register, natürlich ohne Karteninformation, an alle weiter.»"""
    await game.buy_nothing()
    ann, _ = game.clients
    hand = (await ann.hear_until("YourCards"))["cardsInHand"]
    card = next(card for card in hand if card != "Again")
    selected = {"playerID": ann.id, "register": 5}
    for body in ({"card": card}, {"card": None}, {"card": card}, {}, {"card": "Null"}):
        await ann.say("SelectedCard", **body, register=5)
        assert await game.hear_all("CardSelected") == selected
    for register in (0, 6):
        await ann.say("SelectedCard", card=card, register=register)
        await ann.hear_until("Error")


async def test_the_fifth_card_closes_the_registers_and_starts_the_timer(game: Game) -> None:
    """«Sobald ein Spieler die fünfte Karte gelegt hat, sind keine Änderungen mehr möglich! Dies
    wird für alle sichtbar übertragen.» «Als Folge des ersten fertigen Spielers startet der 30
    Sekunden Timer.»"""
    await game.buy_nothing()
    ann, _ = game.clients
    await game.program(ann)
    assert await game.hear_all("SelectionFinished") == {"playerID": ann.id}
    assert await game.hear_all("TimerStarted") == {}
    await ann.say("SelectedCard", card=None, register=1)
    await ann.hear("Error")


async def test_the_timer_ends_with_a_list_of_the_slow_who_draw_blindly() -> None:
    """«Diese beinhaltet auch die Information über evtl. zu langsam reagierende Spieler.» «Diese
    Karten werden in der vorgegebenen Reihenfolge auf die noch offenen Register gelegt.»"""
    async with open_game(timer_seconds=0.05) as game:
        await game.buy_nothing()
        ann, bob = game.clients
        await game.program(ann)
        assert await game.hear_all("TimerEnded") == {"playerIDs": [bob.id]}
        drawn = (await bob.hear_until("CardsYouGotNow"))["cards"]
        assert len(drawn) == 5
        cards = (await bob.hear_until("CurrentCards"))["activeCards"]
        assert {"playerID": bob.id, "card": drawn[0]} in cards


async def test_when_all_are_in_time_nobody_is_on_the_list(game: Game) -> None:
    await game.activate()
    assert await game.hear_all("TimerEnded") == {"playerIDs": []}


# 7.4 Aktivierungsphase, 6 Spielkarten


async def test_each_register_begins_with_its_cards(game: Game) -> None:
    """«Es wird jeweils nur die Karte aus dem aktuellen Register angezeigt.»"""
    programs = await game.activate()
    cards = (await game.hear_all("CurrentCards"))["activeCards"]
    first = [{"playerID": player_id, "card": cards[0]} for player_id, cards in programs.items()]
    assert sorted(cards, key=str) == sorted(first, key=str)


async def test_the_card_of_the_register_is_played_and_told(game: Game) -> None:
    """«Der Server gibt dies an die anderen Clients weiter.»"""
    programs = await game.activate()
    await game.hear_all("CurrentCards")
    current = game[(await game.hear_all("CurrentPlayer"))["playerID"]]
    card = programs[current.id][0]
    other = next(client for client in game.clients if client is not current)
    await other.say("PlayCard", card=programs[other.id][0])
    assert "It is another player's turn." in (await other.hear_until("Error"))["error"]
    for wrong in ("Worm", "Dance", "Boink"):
        await current.say("PlayCard", card=wrong)
        await current.hear("Error")
    await current.say("PlayCard", card=card)
    assert await game.hear_all("CardPlayed") == {"playerID": current.id, "card": card}


async def test_turns_of_robots_that_were_not_rebooted_are_refused(game: Game) -> None:
    """«TurnLeft, TurnRight und UTurn sind hier valide und müssen sich nicht im Besitz befinden.»"""
    await game.activate()
    current = game[(await game.hear_all("CurrentPlayer"))["playerID"]]
    other = next(client for client in game.clients if client is not current)
    await other.say("PlayCard", card="TurnLeft")
    await other.hear_until("Error")


# 5 Verbindungsverlust


async def test_who_is_lost_in_the_game_is_removed_and_the_game_goes_on(game: Game) -> None:
    """«Remove: Entfernt den Roboter des Clients aus dem Spiel.»"""
    await game.set_up()
    ann, bob = game.clients
    await bob.peer.link.aclose()
    update = {"playerID": bob.id, "isConnected": False, "action": "Remove"}
    assert await ann.hear_until("ConnectionUpdate") == update
    await ann.say("BuyUpgrade", isBuying=False)
    await ann.hear_until("YourCards")


@pytest.mark.parametrize(
    ("policy", "action"), [("ignore", "Ignore"), ("ai", "AIControl"), ("reconnect", "Ignore")]
)
async def test_what_becomes_of_a_lost_player_is_told(policy: str, action: str) -> None:
    """«Wie Sie mit dieser Situation dann umgehen, ist Ihnen überlassen.»"""
    settings = {"on_disconnect": policy, "ai_seconds": 0.01}
    async with open_server("roborally", settings) as server, server.connect() as peer:
        ann = await RoboRallyClient.arrive(peer, "A")
        async with server.connect() as lost:
            bob = await RoboRallyClient.arrive(lost, "B")
            await Game([ann, bob]).set_up()
        update = {"playerID": bob.id, "isConnected": False, "action": action}
        assert await ann.hear_until("ConnectionUpdate") == update


async def test_who_comes_back_is_told_where_the_game_stands() -> None:
    """«Reconnect: Der Client ist wieder online und verbunden.»"""
    settings = {"on_disconnect": "reconnect"}
    async with open_server("roborally", settings) as server, server.connect() as peer:
        ann = await RoboRallyClient.arrive(peer, "A")
        async with server.connect() as lost:
            bob = await RoboRallyClient.arrive(lost, "B")
            await Game([ann, bob]).set_up()
        await ann.hear_until("ConnectionUpdate")
        async with server.connect() as again:
            back = await RoboRallyClient.arrive(again, "B")
            assert back.id == bob.id
            update = {"playerID": bob.id, "isConnected": True, "action": "Reconnect"}
            assert await ann.hear_until("ConnectionUpdate") == update
            assert len((await back.hear_until("GameStarted"))["gameMap"]) == 13
            assert (await back.hear_until("StartingPointTaken"))["playerID"] == ann.id
            assert (await back.hear_until("StartingPointTaken"))["playerID"] == bob.id
