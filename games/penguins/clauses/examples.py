"""Packets of clients as they should be, for examples."""

ROOM = "f07bac68-9a43-4d9d-887c-475e19e7c4f9"
STRANGE_ROOM = "293076c0-bbed-4bfd-8cb2-24b5654eb0d6"
CODE = "52adce64-cffc-4df9-acc2-78877fed78fd"

JOIN = "<join/>"
JOIN_ROOM = f'<joinRoom roomId="{ROOM}"/>'
JOIN_PREPARED = f'<joinPrepared reservationCode="{CODE}"/>'
AUTHENTICATE = '<authenticate password="examplepassword"/>'
SLOT = '<slot displayName="A" canTimeout="true" reserved="true"/>'
PAUSE = f'<pause roomId="{ROOM}" pause="true"/>'
STEP = f'<step roomId="{ROOM}"/>'


def room(data: str, room_id: str = ROOM) -> str:
    return f'<room roomId="{room_id}">{data}</room>'


def move(children: str) -> str:
    return room(f'<data class="move">{children}</data>')


def placement(x: int, y: int) -> str:
    return move(f'<to x="{x}" y="{y}"/>')


def slide(origin: tuple[int, int], target: tuple[int, int]) -> str:
    (a, b), (x, y) = origin, target
    return move(f'<from x="{a}" y="{b}"/><to x="{x}" y="{y}"/>')


def prepare(*slots: str, game_type: str = "swc_2023_penguins") -> str:
    return f'<prepare gameType="{game_type}" pause="false">{"".join(slots)}</prepare>'


PLACEMENT = placement(2, 4)
SLIDE = slide((0, 6), (14, 6))
PREPARE = prepare(SLOT, SLOT.replace("A", "B"))
