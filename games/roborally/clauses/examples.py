"""Messages of clients as they should be, for examples."""

from typing import Any

import orjson


def message(kind: str, **body: Any) -> str:
    return orjson.dumps({"messageType": kind, "messageBody": body}).decode()


HELLO = message("HelloServer", group="TolleTrolle", isAI=False, protocol="Version 2.0")
VALUES = message("PlayerValues", name="Nr. 5", figure=5)
READY = message("SetStatus", ready=True)
WHISPER = message("SendChat", message="Yoh, Bob!", to=42)
CHAT = message("SendChat", message="Hi all!", to=-1)
PLAY = message("PlayCard", card="MoveI")
TURN = message("PlayCard", card="TurnLeft")
START = message("SetStartingPoint", x=1, y=1)
BUY = message("BuyUpgrade", isBuying=True, card="Boink")
DECLINE = message("BuyUpgrade", isBuying=False, card=None)
SELECT = message("SelectedCard", card="Again", register=5)
DAMAGE = message("SelectedDamage", cards=["Virus", "Trojan"])
DISCARD = message("DiscardSome", cards=["MoveI", "UTurn", "Again"])
BOINK = message("Boink", orientation="up")
