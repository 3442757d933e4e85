"""Messages of clients as they should be, for examples."""

from typing import Any

import orjson


def message(kind: str, **payload: Any) -> str:
    container = {
        "timestamp": "2019-02-11 11:13:12.111",
        "payloadType": kind,
        "payload": payload,
    }
    return orjson.dumps(container).decode()


def without(field: str, message: str) -> str:
    container = orjson.loads(message)
    del container["payload"][field]
    return orjson.dumps(container).decode()


def changed(message: str, **fields: Any) -> str:
    """The same with other fields in its payload."""
    container = orjson.loads(message)
    container["payload"] |= fields
    return orjson.dumps(container).decode()


# What comes before a match

JOIN = message(
    "joinRequest",
    lobby="MemesOnly",
    userName="dealwithit",
    password="1337",
    isArtificialIntelligence=False,
    mods=[],
)
DEBUG = message("sendDebug", information="hagrid, I love Magic")
PLAYERS = {
    "seeker": {"name": "Ada Heron", "broom": "firebolt", "sex": "f"},
    "keeper": {"name": "Bob Heron", "broom": "tinderblast", "sex": "m"},
    "chaser1": {"name": "Cleo Heron", "broom": "nimbus2001", "sex": "f"},
    "chaser2": {"name": "Dan Heron", "broom": "comet260", "sex": "m"},
    "chaser3": {"name": "Eve Heron", "broom": "cleansweep11", "sex": "f"},
    "beater1": {"name": "Finn Heron", "broom": "comet260", "sex": "m"},
    "beater2": {"name": "Gwen Heron", "broom": "tinderblast", "sex": "f"},
}
FANS = {"goblins": 2, "trolls": 1, "elves": 2, "nifflers": 1, "wombats": 1}
COLORS = {"primary": "C80010", "secondary": "1E90FF"}
TEAM = message(
    "teamConfig",
    name="The Herons",
    motto="Patience, then speed!",
    colors=COLORS,
    image="iVBORw0KGgo=",
    fans=FANS,
    players=PLAYERS,
)


def team_with(place: str, **fields: Any) -> str:
    """A team with something else about one of its players."""
    return changed(TEAM, players=PLAYERS | {place: PLAYERS[place] | fields})


# Lining up

CELLS = {
    "seeker": (7, 2),
    "keeper": (3, 6),
    "chaser1": (6, 4),
    "chaser2": (6, 6),
    "chaser3": (6, 8),
    "beater1": (5, 5),
    "beater2": (5, 7),
}


def formation(**cells: tuple[int, int]) -> str:
    """The left team on its places, some of them other ones."""
    places = {name: {"xPos": x, "yPos": y} for name, (x, y) in (CELLS | cells).items()}
    return message("teamFormation", players=places)


FORMATION = formation()

# In a match


def delta(kind: str, **fields: Any) -> str:
    nothing = dict.fromkeys(
        (
            *("success", "xPosOld", "yPosOld", "xPosNew", "yPosNew"),
            *("activeEntity", "passiveEntity", "phase"),
            *("leftPoints", "rightPoints", "round", "banReason"),
        )
    )
    return message("deltaRequest", deltaType=kind, **(nothing | fields))


def move(x: int, y: int) -> str:
    return delta("move", xPosNew=x, yPosNew=y, activeEntity="leftSeeker")


def throw(x: int, y: int) -> str:
    return delta("quaffleThrow", xPosNew=x, yPosNew=y, activeEntity="leftChaser1")


def beat(x: int, y: int, ball: str = "bludger1") -> str:
    return delta(
        "bludgerBeating", xPosNew=x, yPosNew=y, activeEntity="leftBeater1", passiveEntity=ball
    )


def unban(x: int, y: int) -> str:
    return delta("unban", xPosNew=x, yPosNew=y, activeEntity="leftChaser1")


MOVE = move(8, 2)
THROW = throw(14, 6)
BEAT = beat(7, 7)
UNBAN = unban(5, 5)
WREST = delta("wrestQuaffle", activeEntity="leftChaser1")
SKIP = delta("skip", activeEntity="leftSeeker")
ELF = delta("elfTeleportation", passiveEntity="rightSeeker")
GOBLIN = delta("goblinShock", passiveEntity="rightSeeker")
WOMBAT = delta("wombatPoo", xPosNew=9, yPosNew=3)

PAUSE = message("pauseRequest", message="Ich bin gleich wieder da")
CONTINUE = message("continueRequest", message="weiter")
REPLAY = message("getReplay")
CHAT = message("sendChat", information="Good luck!")
