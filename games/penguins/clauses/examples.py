"""Packets of clients as they should be, for examples."""

ROOM = "f07bac68-9a43-4d9d-887c-475e19e7c4f9"
CODE = "52adce64-cffc-4df9-acc2-78877fed78fd"

JOIN = "<join/>"
JOIN_ROOM = f'<joinRoom roomId="{ROOM}"/>'
JOIN_PREPARED = f'<joinPrepared reservationCode="{CODE}"/>'
AUTHENTICATE = '<authenticate password="examplepassword"/>'
SLOT = '<slot displayName="A" canTimeout="true" reserved="true"/>'
PAUSE = f'<pause roomId="{ROOM}" pause="true"/>'
STEP = f'<step roomId="{ROOM}"/>'


def room(data: str) -> str:
    return f'<room roomId="{ROOM}">{data}</room>'


def move(children: str) -> str:
    return room(f'<data class="move">{children}</data>')


def placement(x: int, y: int) -> str:
    return move(f'<to x="{x}" y="{y}"/>')


def slide(origin: tuple[int, int], target: tuple[int, int]) -> str:
    (a, b), (x, y) = origin, target
    return move(f'<from x="{a}" y="{b}"/><to x="{x}" y="{y}"/>')


def prepare(*slots: str) -> str:
    return f'<prepare gameType="swc_2023_penguins" pause="false">{"".join(slots)}</prepare>'


PLACEMENT = placement(2, 4)
SLIDE = slide((0, 6), (14, 6))
PREPARE = prepare(SLOT, SLOT.replace("A", "B"))
