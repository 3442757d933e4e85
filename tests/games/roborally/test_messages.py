"""Every message as its document shows it, and everything that is not a message."""

from typing import Any

import orjson
import pytest

from games.roborally import messages as m
from games.roborally.codec import CODEC
from ludothek.contract.codec import Malformed

# Each example of the document, in its order.
EXAMPLES: list[tuple[Any, dict[str, Any]]] = [
    (m.HelloClient("Version 2.0"), {"protocol": "Version 2.0"}),
    (
        m.HelloServer("TolleTrolle", False, "Version 2.0"),
        {"group": "TolleTrolle", "isAI": False, "protocol": "Version 2.0"},
    ),
    (m.Welcome(42), {"playerID": 42}),
    (m.PlayerValues("Nr. 5", 5), {"name": "Nr. 5", "figure": 5}),
    (m.PlayerAdded(42, "Nr. 5", 5), {"playerID": 42, "name": "Nr. 5", "figure": 5}),
    (m.SetStatus(True), {"ready": True}),
    (m.PlayerStatus(42, True), {"playerID": 42, "ready": True}),
    (
        m.GameStarted([[[{"type": "Wall", "orientations": ["up", "right"]}], [None]]]),
        {"gameMap": [[[{"type": "Wall", "orientations": ["up", "right"]}], [None]]]},
    ),
    (m.SendChat("Yoh, Bob!", 42), {"message": "Yoh, Bob!", "to": 42}),
    (
        m.ReceivedChat("Yoh, Bob!", 42, True),
        {"message": "Yoh, Bob!", "from": 42, "isPrivate": True},
    ),
    (m.Error("Whoops."), {"error": "Whoops."}),
    (
        m.ConnectionUpdate(9001, False, "AIControl"),
        {"playerID": 9001, "isConnected": False, "action": "AIControl"},
    ),
    (m.PlayCard("MoveI"), {"card": "MoveI"}),
    (m.CardPlayed(2, "MoveI"), {"playerID": 2, "card": "MoveI"}),
    (m.CurrentPlayer(7), {"playerID": 7}),
    (m.ActivePhase(3), {"phase": 3}),
    (m.SetStartingPoint(4, 2), {"x": 4, "y": 2}),
    (m.StartingPointTaken(4, 2, 42), {"x": 4, "y": 2, "playerID": 42}),
    (m.RefillShop(["Boink", "Hack"]), {"cards": ["Boink", "Hack"]}),
    (m.ExchangeShop(["Boink", "Hack"]), {"cards": ["Boink", "Hack"]}),
    (m.BuyUpgrade(True, "Boink"), {"isBuying": True, "card": "Boink"}),
    (m.UpgradeBought(42, "Boink"), {"playerID": 42, "card": "Boink"}),
    (m.YourCards(["MoveI", "Again"], 11), {"cardsInHand": ["MoveI", "Again"], "cardsInPile": 11}),
    (m.NotYourCards(42, 9, 11), {"playerID": 42, "cardsInHand": 9, "cardsInPile": 11}),
    (m.ShuffleCoding(42), {"playerID": 42}),
    (m.SelectedCard(card="Again", register=5), {"card": "Again", "register": 5}),
    (m.CardSelected(42, 5), {"playerID": 42, "register": 5}),
    (m.SelectionFinished(42), {"playerID": 42}),
    (m.TimerStarted(), {}),
    (m.TimerEnded([1, 3, 6]), {"playerIDs": [1, 3, 6]}),
    (m.CardsYouGotNow(["MoveI"]), {"cards": ["MoveI"]}),
    (
        m.CurrentCards([m.ActiveCard(1, "MoveI"), m.ActiveCard(2, "Again")]),
        {"activeCards": [{"playerID": 1, "card": "MoveI"}, {"playerID": 2, "card": "Again"}]},
    ),
    (m.Movement(42, 4, 2), {"playerID": 42, "x": 4, "y": 2}),
    (m.DrawDamage(42, ["Spam"]), {"playerID": 42, "cards": ["Spam"]}),
    (m.PickDamage(2), {"count": 2}),
    (m.SelectedDamage(["Virus", "Trojan"]), {"cards": ["Virus", "Trojan"]}),
    (m.PlayerShooting(), {}),
    (m.Reboot(42), {"playerID": 42}),
    (m.PlayerTurning(42, "left"), {"playerID": 42, "direction": "left"}),
    (m.Energy(42, 1, "field"), {"playerID": 42, "count": 1, "source": "field"}),
    (m.CheckPointReached(42, 3), {"playerID": 42, "number": 3}),
    (m.GameFinished(42), {"playerID": 42}),
    (m.DiscardSome(["MoveI"]), {"cards": ["MoveI"]}),
    (m.Boink("up"), {"orientation": "up"}),
    (m.CheckpointMoved(1, 6, 9), {"checkpointID": 1, "x": 6, "y": 9}),
]


@pytest.mark.parametrize(("message", "body"), EXAMPLES, ids=lambda value: type(value).__name__)
def test_every_example_of_the_document_is_written_and_read(
    message: Any, body: dict[str, Any]
) -> None:
    wire = {"messageType": type(message).__name__, "messageBody": body}
    assert orjson.loads(CODEC.encode(message)) == wire
    assert CODEC.decode(orjson.dumps(wire)) == message


def test_every_message_has_an_example() -> None:
    assert {type(message).__name__ for message, _ in EXAMPLES} == set(m.MESSAGES)


def test_the_type_comes_before_the_body_and_all_is_one_line() -> None:
    frame = CODEC.encode(m.Welcome(42))
    assert frame == b'{"messageType":"Welcome","messageBody":{"playerID":42}}'


def read(name: str, body: Any) -> Any:
    return CODEC.decode(orjson.dumps({"messageType": name, "messageBody": body}))


@pytest.mark.parametrize("card", [None, "null", "Null", ""])
def test_no_card_is_spelled_in_many_ways(card: str | None) -> None:
    assert read("SelectedCard", {"card": card, "register": 5}) == m.SelectedCard(register=5)
    assert read("BuyUpgrade", {"isBuying": False, "card": card}) == m.BuyUpgrade(False)


def test_a_card_left_out_is_no_card() -> None:
    assert read("SelectedCard", {"register": 5}) == m.SelectedCard(register=5)
    assert read("BuyUpgrade", {"isBuying": False}) == m.BuyUpgrade(False)


def test_unknown_keys_and_the_order_of_keys_mean_nothing() -> None:
    frame = b'{"messageBody":{"colour":"red","figure":1,"name":"A"},"messageType":"PlayerValues"}'
    assert CODEC.decode(frame) == m.PlayerValues("A", 1)


def test_an_empty_body_may_be_left_out() -> None:
    assert CODEC.decode(b'{"messageType":"TimerStarted"}') == m.TimerStarted()


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "list instead of an object"),
        (b"{}", "the message type is missing"),
        (b'{"messageType":7}', "unknown message type"),
        (b'{"messageType":"Hello","messageBody":{}}', "unknown message type 'Hello'"),
        (b'{"messageType":"PlayCard"}', "PlayCard: required field missing @ $.card"),
        (b'{"messageType":"PlayCard","messageBody":null}', "messageBody is not an object"),
        (b'{"messageType":"PlayCard","messageBody":[]}', "messageBody is not an object"),
        (b'{"messageType":"PlayCard","messageBody":{"card":null}}', "expected str, not NoneType"),
        (b'{"messageType":"SetStatus","messageBody":{"ready":1}}', "expected bool, not int"),
        (b'{"messageType":"SetStatus","messageBody":{"ready":"true"}}', "expected bool, not str"),
        (b'{"messageType":"SelectedCard","messageBody":{"register":1.0}}', "expected int"),
        (b'{"messageType":"SelectedCard","messageBody":{"register":"1"}}', "expected int"),
        (b'{"messageType":"SelectedCard","messageBody":{"card":1,"register":1}}', "a card"),
        (b'{"messageType":"SelectedCard","messageBody":{"register":%b}}' % (b"9" * 30), "int"),
        (
            b'{"messageType":"SelectedDamage","messageBody":{"cards":"Spam"}}',
            "a list, not str @ $.cards",
        ),
        (
            b'{"messageType":"SelectedDamage","messageBody":{"cards":{"Spam":1}}}',
            "expected a list, not dict",
        ),
        (
            b'{"messageType":"SelectedDamage","messageBody":{"cards":[null]}}',
            "str, not NoneType @ $.cards[0]",
        ),
    ],
)
def test_what_cannot_be_read_says_why(frame: bytes, reason: str) -> None:
    malformed = CODEC.decode(frame)
    assert isinstance(malformed, Malformed)
    assert reason in malformed.reason


@pytest.mark.parametrize(
    ("name", "body", "place"),
    [
        ("HelloServer", {"group": "A", "isAI": "no", "protocol": "Version 2.0"}, "$.isAI"),
        ("HelloServer", {"group": "A", "protocol": "Version 2.0"}, "$.isAI"),
        ("Welcome", {}, "$.playerID"),
        ("CheckpointMoved", {"x": 1, "y": 2}, "$.checkpointID"),
        ("BuyUpgrade", {}, "$.isBuying"),
    ],
)
def test_errors_name_keys_as_the_document_writes_them(
    name: str, body: dict[str, Any], place: str
) -> None:
    malformed = read(name, body)
    assert isinstance(malformed, Malformed)
    assert malformed.reason.endswith(f"@ {place}")


def test_a_byte_order_mark_is_skipped() -> None:
    """C# writes one before its first line, if it is told to write UTF-8."""
    frame = CODEC.encode(m.SetStatus(True))
    assert CODEC.decode_request(b"\xef\xbb\xbf" + frame) == m.SetStatus(True)
    assert isinstance(CODEC.decode_request(b"\xef\xbb\xbf" * 2 + frame), Malformed)
