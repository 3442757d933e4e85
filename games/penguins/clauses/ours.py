"""What we have decided where the protocol document of the Software-Challenge is silent.

Most of it is what the original server does. The document has neither the rules of the game nor the
packets of administrators.
"""

from games.penguins.clauses import examples
from ludothek.contract.clauses import EVERY_MESSAGE, Clause, Example

_RULES = "Rules of the game"
ON_BOARD = Clause(
    id="ours.on-board",
    section=_RULES,
    reading="from and to are fields of the board in doubled coordinates: y is the row, from 0 to "
    "7; x is twice the place in the row, and one more in odd rows. So x + y is even and x is 15 "
    "at most. Anything else loses the game (RULE_VIOLATION).",
    good=examples.placement(3, 5),
    bad=examples.placement(1, 4),
)
SINGLE_FISH = Clause(
    id="ours.single-fish",
    section=_RULES,
    reading="A penguin is placed on a field with exactly one fish and without a penguin. Another "
    "field loses the game (RULE_VIOLATION).",
    good=Example(examples.PLACEMENT, "where the field has one fish"),
    bad=Example(examples.PLACEMENT, "where the field has two"),
)
PLACE_FIRST = Clause(
    id="ours.place-first",
    section=_RULES,
    reading="Each player's first four moves place penguins, and have no from. A slide before that "
    "loses the game (RULE_VIOLATION).",
    good=Example(examples.PLACEMENT, "as the second move"),
    bad=Example(examples.SLIDE, "as the second move"),
)
FOUR_PENGUINS = Clause(
    id="ours.four-penguins",
    section=_RULES,
    reading="Nobody has more than four penguins: from the fifth move on, a move has a from. "
    "Another placement loses the game (RULE_VIOLATION).",
    good=Example(examples.SLIDE, "as the fifth move"),
    bad=Example(examples.PLACEMENT, "as the fifth move"),
)
OWN_PENGUIN = Clause(
    id="ours.own-penguin",
    section=_RULES,
    reading="from is the field of a penguin of the player's own: ONE in the state for the player "
    "with the color ONE. Another field loses the game (RULE_VIOLATION).",
    good=examples.SLIDE,
    bad=Example(examples.SLIDE, "where the opponent's penguin is on from"),
)
STRAIGHT = Clause(
    id="ours.straight-slide",
    section=_RULES,
    reading="A penguin slides in one of the six directions, at least one field far; all fields on "
    "its way and the last one have fish and no penguin. Anything else loses the game "
    "(RULE_VIOLATION).",
    good=examples.SLIDE,
    bad=examples.slide((0, 6), (0, 6)),
)

_XML = "XML"
WELL_FORMED = Clause(
    id="ours.xml",
    section=_XML,
    reading="What a client sends is one well-formed XML document in UTF-8. Text between packets is "
    "ignored. After anything else the connection ends (LEFT with PROTOCOL_ERROR), since nobody "
    "can tell where the next packet begins.",
    good=examples.JOIN,
    bad=f"<joinRoom roomId={examples.ROOM}/>",
    binds=EVERY_MESSAGE,
)
PLAIN_XML = Clause(
    id="ours.plain-xml",
    section=_XML,
    reading="No DOCTYPE, no processing instructions but <?xml …?> at the very beginning, no "
    "namespaces in moves. They end the connection (LEFT with PROTOCOL_ERROR).",
    good=examples.PLACEMENT,
    bad=examples.move('<to xmlns="urn:x" x="2" y="4"/>'),
    binds=EVERY_MESSAGE,
)
SMALL_PACKETS = Clause(
    id="ours.small-packets",
    section=_XML,
    reading="A packet has at most eight levels, 16 attributes in each tag, and 256 tags and "
    "comments, with those before it. More of them end the connection (LEFT with PROTOCOL_ERROR).",
    good=examples.PLACEMENT,
    bad=Example("", "a packet with a hundred elements inside each other"),
    binds=EVERY_MESSAGE,
)
KNOWN_CHILDREN = Clause(
    id="ours.known-children",
    section=_XML,
    reading="A packet has no elements but those of its example; unknown attributes are ignored. "
    "An unknown element ends the connection (LEFT with PROTOCOL_ERROR).",
    good=examples.JOIN,
    bad="<join><name>A</name></join>",
    binds=EVERY_MESSAGE,
)
SERVER_PACKETS = Clause(
    id="ours.server-packets",
    section=_XML,
    reading="joined, left, prepared, observed, joinedGameRoom and errorpacket are the server's. "
    "A client that sends one gets an errorpacket; if it cannot be read, the connection ends.",
    good=examples.JOIN,
    bad=f'<left roomId="{examples.ROOM}"/>',
    binds=EVERY_MESSAGE,
)

_ROOMS = "Rooms"
GAME_TYPE = Clause(
    id="ours.game-type",
    section=_ROOMS,
    reading="The gameType of join may be left out; that of prepare may not. It is "
    "swc_2023_penguins. Otherwise: an errorpacket.",
    good='<join gameType="swc_2023_penguins"/>',
    bad='<join gameType="swc_2022_ostseeschach"/>',
    binds=("Join", "Prepare"),
)
ROOMS_OF_ONE = Clause(
    id="ours.rooms-of-one",
    section=_ROOMS,
    reading="Through join and joinRoom, a connection may be in `max_rooms_per_client` rooms, and "
    "an address may have opened `max_lobbies_per_address`. More: an errorpacket.",
    good=Example(examples.JOIN, "after left"),
    bad=Example(examples.JOIN, "again and again, while games are running"),
    binds=("Join", "JoinRoom"),
)
ROOMS_OF_ALL = Clause(
    id="ours.rooms-of-all",
    section=_ROOMS,
    reading="`max_rooms` rooms are open at most. When they are, a join that would open another one "
    "gets an errorpacket, and so does prepare.",
    good=Example(examples.JOIN, "some time later"),
    bad=Example(examples.JOIN, "when the server is full"),
    rare="only a server that is full insists on it",
)
DRAINING = Clause(
    id="ours.draining",
    section=_ROOMS,
    reading="A server that is about to end opens no more rooms. The answer is an errorpacket.",
    good=Example("", "connect again when the server is back"),
    bad=Example(examples.JOIN, "while the server waits for the last games to end"),
    rare="only a server that is about to end insists on it",
    crossing=True,
)
IDLE_SEAT = Clause(
    id="ours.idle-seat",
    section=_ROOMS,
    reading="When no more rooms can be opened, the game whose player has been silent for longest, "
    "and for `idle_seat_seconds`, ends with HARD_TIMEOUT, also if the player has no time limit.",
    good=Example(examples.PLACEMENT, "soon after the moveRequest"),
    bad=Example("", "no answer to a moveRequest for ten minutes"),
    rare="only a server that is full insists on it",
)

_ADMINISTRATORS = "Administrators"
AUTHENTICATED = Clause(
    id="ours.authenticated",
    section=_ADMINISTRATORS,
    reading="prepare, observe, pause, step and cancel are for administrators: authenticate comes "
    "first, on the same connection. Otherwise: an errorpacket.",
    good=Example(examples.PREPARE, "after authenticate"),
    bad=Example(examples.PREPARE, "without authenticate"),
    binds=("Prepare", "Observe", "Pause", "Step", "Cancel"),
)
PASSWORD = Clause(
    id="ours.password",
    section=_ADMINISTRATORS,
    reading="The password is the setting `password`; without one, nobody is an administrator. The "
    "right one has no answer, a wrong one an errorpacket, and the tenth ends the connection.",
    good=examples.AUTHENTICATE,
    bad='<authenticate password="guess"/>',
)
PATIENCE = Clause(
    id="ours.password-delay",
    section=_ADMINISTRATORS,
    reading="After some wrong passwords from an address, the next one has to wait. Where it cannot "
    "wait, because its client is in a room or too many wait already, it gets an errorpacket, even "
    "if it is right.",
    good=Example(examples.AUTHENTICATE, "after the time that the errorpacket says"),
    bad=Example(examples.AUTHENTICATE, "in a room, right after many wrong ones"),
)
ADMIN_ROOM = Clause(
    id="ours.admin-room",
    section=_ADMINISTRATORS,
    reading="The roomId of observe, pause, step and cancel is that of an open room. Otherwise: an "
    "errorpacket.",
    good=examples.PAUSE,
    bad=Example(examples.PAUSE, "after left"),
    binds=("Observe", "Pause", "Step", "Cancel"),
)
SLOTS = Clause(
    id="ours.slots",
    section=_ADMINISTRATORS,
    reading="prepare has one slot or two, each with a displayName, which may be empty. canTimeout "
    "and reserved are false unless they are `true`. Otherwise: an errorpacket.",
    good=examples.PREPARE,
    bad=examples.prepare('<slot canTimeout="true"/>'),
)
PAUSE_CHANGES = Clause(
    id="ours.pause-changes",
    section=_ADMINISTRATORS,
    reading="A pause that the room has already, or none where there is none, is ignored. Anything "
    "but `true` means no pause.",
    good=Example(examples.PAUSE, "when the game is not paused"),
    bad=Example(examples.PAUSE, "twice"),
)
STEP_IN_PAUSE = Clause(
    id="ours.step-in-pause",
    section=_ADMINISTRATORS,
    reading='A step of a game that is not paused, or has not begun, is ignored; with forced="true" '
    "it ends a game that has not begun.",
    good=Example(examples.STEP, "when the game is paused and both players are there"),
    bad=Example(examples.STEP, "when the game is not paused"),
)
