"""What we have decided where the LMU protocol 2.0 is silent.

The rules of the game are those of the 2016 edition, which the document takes for granted.
"""

from games.roborally.clauses import examples
from games.roborally.clauses.examples import message
from ludothek.contract.clauses import EVERY_MESSAGE, Clause, Example

_CONNECTION = "Connection"
CLIENT_MESSAGES = Clause(
    id="ours.client-messages",
    section=_CONNECTION,
    reading="Messages of the server are not for clients. The names are similar: a client says "
    "SelectedCard, the server CardSelected.",
    good=examples.SELECT,
    bad=message("CardSelected", playerID=42, register=5),
    binds=EVERY_MESSAGE,
)
MANY_MARKS = Clause(
    id="ours.many-marks",
    section=_CONNECTION,
    reading="A message has at most 2048 braces and quotation marks, twice as many as the longest "
    "message of a client. The rest of its line is skipped.",
    good=examples.DISCARD,
    bad=Example("", "a list of two thousand texts"),
    binds=EVERY_MESSAGE,
)
GREETING = Clause(
    id="ours.greeting",
    section=_CONNECTION,
    reading="HelloServer has to arrive within `greeting_seconds`. The connection ends.",
    good=Example(examples.HELLO, "right after HelloClient"),
    bad=Example("", "no HelloServer"),
)
ONE_HELLO = Clause(
    id="ours.one-hello",
    section=_CONNECTION,
    reading="A connection has one HelloServer, and one player.",
    good=Example(examples.VALUES, "after Welcome"),
    bad=Example(examples.HELLO, "after Welcome"),
    binds=("HelloServer",),
)
GROUP = Clause(
    id="ours.group",
    section=_CONNECTION,
    reading="Spaces around a group are removed, and it is cut after 64 characters.",
    good=examples.HELLO,
    bad=message("HelloServer", group=" TolleTrolle", isAI=False, protocol="Version 2.0"),
)
CROWD = Clause(
    id="ours.crowd",
    section=_CONNECTION,
    reading="The lobby has room for `max_clients_per_lobby` clients, and for "
    "`max_clients_per_lobby_and_address` of one address. One more gets an Error, and the "
    "connection ends.",
    good=Example(examples.HELLO, "some minutes later"),
    bad=Example(examples.HELLO, "from dozens of connections of one computer"),
    rare="only a server that is full insists on it",
)
ENDING = Clause(
    id="ours.ending",
    section=_CONNECTION,
    reading="A server that is about to end opens no lobby any more. An Error, and the connection "
    "ends.",
    good=Example(examples.HELLO, "when the server is back"),
    bad=Example(examples.HELLO, "while the server waits for the last game to end"),
    rare="only a server that is about to end insists on it",
    crossing=True,
)
RUNNING = Clause(
    id="ours.running",
    section=_CONNECTION,
    reading="While a game is running, nobody can come in, except a lost player whose seat is kept "
    "(`on_disconnect`). An Error, and the connection ends.",
    good=Example(examples.HELLO, "after the game"),
    bad=Example(examples.HELLO, "during the game of others"),
    crossing=True,
)
SEATS = Clause(
    id="ours.seats",
    section=_CONNECTION,
    reading="A game has `max_players` players at most, and as many as the course has start points. "
    "When all seats are taken, whoever connects gets an Error, and the connection ends; whoever is "
    "there already may watch.",
    good=Example(examples.HELLO, "when fewer than six players have a name"),
    bad=Example(examples.HELLO, "as the seventh player"),
    crossing=True,
    binds=("HelloServer", "PlayerValues"),
)

_LOBBY = "Lobby"
NAMES = Clause(
    id="ours.names",
    section=_LOBBY,
    reading="A name has 1 to 32 visible characters, without control characters.",
    good=examples.VALUES,
    bad=message("PlayerValues", name="", figure=5),
)
TIDY_NAMES = Clause(
    id="ours.tidy-names",
    section=_LOBBY,
    reading="Spaces around a name are removed.",
    good=examples.VALUES,
    bad=message("PlayerValues", name=" Nr. 5", figure=5),
)
FIGURES = Clause(
    id="ours.figures",
    section=_LOBBY,
    reading="Figures are numbered from 0 to 6: some clients count from 0, others from 1.",
    good=examples.VALUES,
    bad=message("PlayerValues", name="Nr. 5", figure=7),
)
VALUES_WHEN_READY = Clause(
    id="ours.values-when-ready",
    section=_LOBBY,
    reading="Name and figure can be changed until the player is ready.",
    good=Example(examples.VALUES, "after SetStatus with ready false"),
    bad=Example(examples.VALUES, "after SetStatus with ready true"),
)
LOBBY_ONLY = Clause(
    id="ours.lobby-only",
    section=_LOBBY,
    reading="PlayerValues and SetStatus are for the lobby, not for a game that is running.",
    good=Example(examples.READY, "after GameFinished"),
    bad=Example(examples.READY, "after GameStarted"),
    crossing=True,
    binds=("PlayerValues", "SetStatus"),
)
IDLE_SEAT = Clause(
    id="ours.idle-seat",
    section=_LOBBY,
    reading="Whoever is not ready for `idle_seat_seconds` in all, or has only watched for as long, "
    "gets an Error and is disconnected as soon as others wait for that or need the place.",
    good=Example(examples.READY, "soon after PlayerAdded"),
    bad=Example("", "no SetStatus while all others are ready"),
)
CHAT_LENGTH = Clause(
    id="ours.chat-length",
    section=_LOBBY,
    reading="A chat message has at most 1000 characters.",
    good=examples.CHAT,
    bad=Example("", "a SendChat with 1001 characters"),
)
CHAT_RATE = Clause(
    id="ours.chat-rate",
    section=_LOBBY,
    reading="A client may chat once per second, in bursts of 10; 100 characters count as one "
    "message.",
    good=examples.CHAT,
    bad=Example(examples.CHAT, "eleven times within a second"),
)

_GAME = "Course of a game"
SPECTATORS = Clause(
    id="ours.spectators",
    section=_GAME,
    reading="Clients without a robot watch; messages of a game are for its players.",
    good=Example(examples.CHAT, "while watching"),
    bad=Example(examples.START, "while watching"),
    rare="there are no spectators in a check",
)
PAUSED = Clause(
    id="ours.paused",
    section=_GAME,
    reading="While the organiser has paused a game, its messages are refused; chat is not. The "
    "clocks stand still.",
    good=Example(examples.CHAT, "during a pause"),
    bad=Example(examples.PLAY, "during a pause"),
    rare="only an organiser pauses, and no message tells of it",
)
IN_TIME = Clause(
    id="ours.in-time",
    section=_GAME,
    reading="A start point, the card of a register and damage have to be chosen within "
    "`play_seconds`, and a program within `programming_seconds` as long as nobody has finished. "
    "After that the server decides.",
    good=Example(examples.PLAY, "right after CurrentPlayer"),
    bad=Example("", "no PlayCard after CurrentPlayer"),
    binds=("PlayCard",),
)
IDLE_ROUNDS = Clause(
    id="ours.idle-rounds",
    section=_GAME,
    reading="A player for whom the server has decided everything for `idle_rounds` rounds gets an "
    "Error and is disconnected.",
    good=Example(examples.SELECT, "in each programming phase"),
    bad=Example("", "no message for two rounds"),
)
WAITING = Clause(
    id="ours.waiting",
    section=_GAME,
    reading="While the game waits for the player who has to choose damage cards, or what a card "
    "does, other messages are refused; they can be sent again afterwards.",
    good=Example(examples.PLAY, "after the DrawDamage that follows"),
    bad=Example(examples.PLAY, "while another player answers PickDamage"),
    binds=("PlayCard",),
)

_RULES = "Rules of the game"
REGISTERS = Clause(
    id="ours.registers",
    section=_RULES,
    reading="The registers are numbered from 1 to 5.",
    good=examples.SELECT,
    bad=message("SelectedCard", card="Again", register=0),
)
AGAIN_FIRST = Clause(
    id="ours.again-first",
    section=_RULES,
    reading="Again and Repeat cannot be put into register 1: there is nothing to repeat.",
    good=examples.SELECT,
    bad=message("SelectedCard", card="Again", register=1),
)
CHANGES = Clause(
    id="ours.changes",
    section=_RULES,
    reading="A player may change its program 200 times in a round: SelectedCard, DiscardSome and "
    "PlayCard with CacheMemory count.",
    good=Example(examples.SELECT, "for each register"),
    bad=Example(examples.SELECT, "for the 201st time in a round"),
)
UPGRADE_LIMIT = Clause(
    id="ours.upgrade-limit",
    section=_RULES,
    reading="Nobody has more than three permanent and three temporary upgrades. There is no "
    "message to throw one away.",
    good=examples.DECLINE,
    bad=Example(examples.BUY, "with three temporary upgrades"),
)
OWNED = Clause(
    id="ours.owned",
    section=_RULES,
    reading="An upgrade can be used by whoever has bought it; a temporary one is used up. Boink "
    "needs a Boink, DiscardSome a CacheMemory or a MemorySwap that was just played.",
    good=Example(examples.BOINK, "after UpgradeBought with Boink"),
    bad=Example(examples.BOINK, "without that upgrade"),
    binds=(
        *("Boink", "DiscardSome", "PlayCard AdminPrivilege", "PlayCard DeflectorShield"),
        *("PlayCard CacheMemory", "PlayCard Hack", "PlayCard MemorySwap"),
        *("PlayCard SpamBlocker", "PlayCard RepeatRoutine"),
    ),
)
PASSIVE = Clause(
    id="ours.passive",
    section=_RULES,
    reading="RearLaser and MemoryStick work on their own and are not played.",
    good=message("PlayCard", card="DeflectorShield"),
    bad=message("PlayCard", card="RearLaser"),
    binds=("PlayCard",),
)
REBOOTED = Clause(
    id="ours.rebooted",
    section=_RULES,
    reading="A robot that was rebooted plays no more cards and upgrades in this round, apart from "
    "one turn.",
    good=Example(examples.TURN, "after Reboot"),
    bad=Example(examples.PLAY, "after Reboot, in the same round"),
    binds=("PlayCard",),
)
PRIVILEGE = Clause(
    id="ours.privilege",
    section=_RULES,
    reading="AdminPrivilege counts once in a round, for the next register. In register 5 there is "
    "none.",
    good=message("PlayCard", card="AdminPrivilege"),
    bad=Example(message("PlayCard", card="AdminPrivilege"), "for the second time in a round"),
)
SHIELD = Clause(
    id="ours.shield",
    section=_RULES,
    reading="DeflectorShield costs one energy, and works once in a register.",
    good=message("PlayCard", card="DeflectorShield"),
    bad=Example(message("PlayCard", card="DeflectorShield"), "with no energy left"),
)
HACK = Clause(
    id="ours.hack",
    section=_RULES,
    reading="Hack repeats the card of the current register, so there has to be one.",
    good=message("PlayCard", card="Hack"),
    bad=Example(message("PlayCard", card="Hack"), "with an empty register"),
)
ORIENTATION = Clause(
    id="ours.orientation",
    section=_RULES,
    reading="Boink has an orientation: up, right, down or left, as seen on the map.",
    good=examples.BOINK,
    bad=message("Boink", orientation="north"),
)
BOINK_BLOCKED = Clause(
    id="ours.boink-blocked",
    section=_RULES,
    reading="Boink goes where the robot can go. Before a wall it is refused, and the card is kept.",
    good=examples.BOINK,
    bad=Example(examples.BOINK, "with a wall above the robot"),
)
MEMORY_SWAP = Clause(
    id="ours.memory-swap",
    section=_RULES,
    reading="A MemorySwap draws three cards and ends with a DiscardSome of exactly three. Until "
    "then three cards stay in the hand, and there is no second MemorySwap.",
    good=examples.DISCARD,
    bad=Example(message("DiscardSome", cards=["MoveI"]), "after a MemorySwap"),
    binds=("DiscardSome", "PlayCard MemorySwap"),
)
KEPT_CARDS = Clause(
    id="ours.kept-cards",
    section=_RULES,
    reading="After DiscardSome, the hand has enough cards for all empty registers.",
    good=Example(message("DiscardSome", cards=["MoveI"]), "with nine cards in the hand"),
    bad=Example(message("DiscardSome", cards=["MoveI"]), "with five cards for five registers"),
)
