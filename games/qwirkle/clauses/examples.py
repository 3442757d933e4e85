"""Messages of clients as they should be, for examples."""

from typing import Any

import orjson


def message(unique_id: int, **fields: Any) -> str:
    return orjson.dumps({**fields, "uniqueId": unique_id}).decode()


def tile(unique_id: int) -> dict[str, int]:
    """A tile as it is in the printed game, with six colours and shapes."""
    color, shape = divmod(unique_id % 36, 6)
    return {"color": color, "shape": shape, "uniqueId": unique_id}


def play(*placed: tuple[int, int, int]) -> str:
    """PlayTiles with these tiles: id, x and y."""
    tiles = [{"coordX": x, "coordY": y, "tile": tile(number)} for number, x, y in placed]
    return message(414, tiles=tiles)


def swap(*numbers: int) -> str:
    return message(411, tiles=[tile(number) for number in numbers])


def bare_play(**fields: Any) -> str:
    """PlayTiles with one tile that has these attributes only."""
    return message(414, tiles=[fields])


CONNECT = message(100, clientName="Anna", clientType="PLAYER")
CONNECT_SPECTATOR = message(100, clientName="Xaver", clientType="SPECTATOR")
LIST = message(300)
JOIN = message(302, gameId=7)
WATCH = message(304, gameId=7)
CHAT = message(306, message="hi")
LEAVE = message(405)
SWAP = swap(17, 40)
PLAY = play((17, 0, 0))
SCORES = message(417)
BAG = message(423)
