"""What the network standard REVIEWME-14 demands of answers in a match, sentence by sentence."""

from games.quidditch.clauses import examples
from ludothek.contract.clauses import Clause, Example

# 2 About this document

ONE_CELL = Clause(
    id="2.3",
    section="About this document",
    quote="Spieler versucht mehr als ein Entfernung zu bewegen",
    reading="A player stays or moves to one of the eight cells around. Further is error 102.",
    good=examples.MOVE,
    bad=examples.move(9, 2),
)
ON_PITCH = Clause(
    id="2.4",
    section="About this document",
    quote="Spieler versucht sich außerhalb des Spielfeld zu bewegen.",
    reading="The corners of the grid do not belong to the pitch: in the rows 0 and 12 it has the "
    "columns 3 to 13, in 1 and 11 2 to 14, in 2, 3, 9 and 10 1 to 15. Players move, and everything "
    "is thrown, beaten and put, to cells of the pitch. Error 102 otherwise.",
    good=examples.MOVE,
    bad=examples.move(0, 0),
    binds=(
        "DeltaRequest move",
        "DeltaRequest quaffleThrow",
        "DeltaRequest bludgerBeating",
        "DeltaRequest wombatPoo",
        "DeltaRequest unban",
    ),
)
BLUDGER_REACH = Clause(
    id="2.5",
    section="About this document",
    quote="Klatscher wird mehr als 3 Entfernung gekloppt...",
    reading="The distance is the number of king's moves. More than three is error 102.",
    good=examples.BEAT,
    bad=examples.beat(9, 9),
)

# 8 Snapshot

SNAPSHOT = Clause(
    id="8.1.1",
    section="Snapshot: Description",
    quote="Ein Snapshot ist ein valider Zustand des Spiels.",
    reading="The snapshot of a testRequest has everything that section 8.3.2 lists, with places on "
    "the grid and at most seven fans of each team. Error 253 or 153 otherwise.",
    good=Example("", "a testRequest with the payload of a snapshot that was received"),
    bad=Example("", 'a testRequest with "snapshot": {}'),
    binds=("TestRequest",),
)
PHASES = Clause(
    id="8.2.4.1",
    section="(string/phaseType)",
    quote="- ballPhase - playerPhase - fanPhase - gameFinish - unbanPhase",
    reading="Another phase, even where it has no meaning, is error 253 or 153.",
    good=examples.MOVE,
    bad=examples.changed(examples.MOVE, phase="player"),
    binds=("DeltaRequest",),
)

# 9 Next

OWN_TURN = Clause(
    id="9.1.1",
    section="Next: Description",
    quote="Der Zug habende Spieler kann über die `entityID` herausgefunden werden.",
    reading="The entity of the latest next begins with left or right: only that side answers. From "
    "the other one, a deltaRequest is ignored, with warning 303; so it is before the first next.",
    good=Example(examples.MOVE, "from the left player, after a next for leftSeeker"),
    bad=Example(examples.MOVE, "from the right player, or after a next for rightSeeker"),
    crossing=True,
    binds=("DeltaRequest",),
)
IN_TIME = Clause(
    id="9.1.2",
    section="Next: Description",
    quote="Die Antwort des Clients muss innerhalb des `timeouts` am Server eintreffen um als "
    "Spielzug gewertet zu werden, ansonsten wird diese Nachricht ignoriert.",
    reading="Ignored without a word: an answer while nobody is asked, one for another entity of "
    "the own team, and one that would have been right for a turn whose time is up (once each).",
    good=Example(examples.MOVE, "once, after a next for leftSeeker"),
    bad=Example(examples.MOVE, "after a next for leftKeeper"),
    binds=("DeltaRequest",),
)
TURN_TYPES = Clause(
    id="9.2.2.1",
    section="(string/turnType)",
    quote="- move - action - fan - removeBan",
    reading="The type of next says what may be answered: move, or quaffleThrow, wrestQuaffle and "
    "bludgerBeating, or the deed of a fan, or unban. A skip always may. Anything else: error 102.",
    good=Example(examples.MOVE, "after a next of the type move"),
    bad=Example(examples.UNBAN, "after a next of the type move"),
    binds=("DeltaRequest",),
)

# 10 Delta

BROADCASTS = Clause(
    id="10.1.1",
    section="Delta: Description",
    quote="deltaBroadcast befinden sich nur im snapshot",
    reading="Only the deltaTypes that the table marks as deltaRequest are sent by clients. Another "
    "one is error 102, since the server decides about it.",
    good=examples.MOVE,
    bad=examples.delta("snitchCatch", activeEntity="leftSeeker", success=True),
    binds=("DeltaRequest",),
)
NULLS = Clause(
    id="10.1.2",
    section="Delta: Description",
    quote="null-Felder müssen mitgeschickt werden.",
    reading="A missing field counts as null, except for deltaType.",
    good=examples.MOVE,
    bad=examples.without("banReason", examples.MOVE),
    unseen="a missing field counts as null, because known clients leave some of them out",
    binds=("DeltaRequest",),
)
COLUMNS = Clause(
    id="10.2.1.1",
    section="(int/posx)",
    quote="[0..16]",
    reading="xPosNew is a column of the grid wherever a cell is needed: for move, quaffleThrow, "
    "bludgerBeating, wombatPoo and unban. Null or another number is error 102.",
    good=examples.MOVE,
    bad=examples.move(17, 2),
    binds=("DeltaRequest",),
)
ROWS = Clause(
    id="10.2.2.1",
    section="(int/posy)",
    quote="[0..12]",
    reading="yPosNew is a row of the grid wherever a cell is needed: for move, quaffleThrow, "
    "bludgerBeating, wombatPoo and unban. Null or another number is error 102.",
    good=examples.MOVE,
    bad=examples.move(8, 13),
    binds=("DeltaRequest",),
)
DELTA_TYPES = Clause(
    id="10.2.3.1",
    section="(string/deltaType)",
    quote="- snitchCatch - bludgerBeating - quaffleThrow - snitchSnatch - trollRoar",
    reading="A deltaType that is not in the list is error 253 or 153.",
    good=examples.MOVE,
    bad=examples.delta("Move", xPosNew=8, yPosNew=2, activeEntity="leftSeeker"),
    binds=("DeltaRequest",),
)
ENTITIES = Clause(
    id="10.2.4.1",
    section="(string/entityID)",
    quote="- leftSeeker - leftKeeper - leftChaser1 - leftChaser2 - leftChaser3",
    reading="An entity that is not in the list is error 253 or 153.",
    good=examples.MOVE,
    bad=examples.delta("skip", activeEntity="seeker"),
    binds=("DeltaRequest",),
)
BAN_REASONS = Clause(
    id="10.2.5.1",
    section="(string/banReason)",
    quote="- stooging - blatching - flacking - haversacking - snitchnip",
    reading="A banReason that is not in the list is error 253 or 153. Clients need none.",
    good=examples.MOVE,
    bad=examples.changed(examples.MOVE, banReason=""),
    binds=("DeltaRequest",),
)
SUCCESS = Clause(
    id="10.3.1",
    section="Delta: General Definition",
    quote="Der Client setzt das `success` Feld immer auf `null`.",
    reading="The server decides what succeeds, whatever is there.",
    good=examples.MOVE,
    bad=examples.changed(examples.MOVE, success=True),
    unseen="fields without a meaning for a deltaType are not looked at, because known clients "
    "fill them in",
    binds=("DeltaRequest",),
)
DELTA_FIELDS = Clause(
    id="10.3.1.1",
    section="deltaRequest, deltaBroadcast",
    quote='"deltaType": "(string/deltaType)", "success": "(boolean)",',
    reading="Without deltaType: error 253 or 153.",
    good=examples.MOVE,
    bad=examples.without("deltaType", examples.MOVE),
    binds=("DeltaRequest",),
)

# 10.4 DeltaType-Specific Definition

BLUDGER = Clause(
    id="10.4.2.1",
    section="bludgerBeating (deltaRequest)",
    quote='"passiveEntity": "(string/entityID)" //Bludger that gets beaten',
    reading="A beater beats bludger1 or bludger2, whichever is on its own cell. Error 102 "
    "otherwise.",
    good=examples.BEAT,
    bad=examples.beat(7, 7, "quaffle"),
)
THROWER = Clause(
    id="10.4.4.1",
    section="quaffleThrow (deltaRequest)",
    quote='"activeEntity": "(string/entityID)" //Player that throws the quaffle',
    reading="Only the player with holdsQuaffle true throws. Error 102 otherwise.",
    good=examples.THROW,
    bad=Example(examples.THROW, "when another player holds the quaffle"),
)
DEEDS = Clause(
    id="10.4.6.1",
    section="snitchSnatch (deltaRequest)",
    quote="request : deltaRequest (left or right niffler wants a snitchSnatch)",
    reading="Each kind of fan has one deed: snitchSnatch of nifflers, trollRoar of trolls, "
    "elfTeleportation of elves, goblinShock of goblins, wombatPoo of wombats. Error 102 otherwise.",
    good=Example(examples.WOMBAT, "after a next for leftWombat"),
    bad=Example(examples.WOMBAT, "after a next for leftElf"),
    binds=(
        "DeltaRequest snitchSnatch",
        "DeltaRequest trollRoar",
        "DeltaRequest elfTeleportation",
        "DeltaRequest goblinShock",
        "DeltaRequest wombatPoo",
    ),
)
TELEPORTED = Clause(
    id="10.4.10.1",
    section="elfTeleportation (deltaRequest)",
    quote='"passiveEntity": "(string/entityID)" //Entity that gets teleported by the elf',
    reading="One of the fourteen players, of either team. Null, a ball or a fan is error 102.",
    good=examples.ELF,
    bad=examples.delta("elfTeleportation"),
)
SHOCKED = Clause(
    id="10.4.12.1",
    section="goblinShock (deltaRequest)",
    quote='"passiveEntity": "(string/entityID)" //Passive entity that gets shocked',
    reading="A player of the other team. Null, a ball or a fan is error 102.",
    good=examples.GOBLIN,
    bad=examples.delta("goblinShock", passiveEntity="quaffle"),
)
ACTIVE = Clause(
    id="10.4.16.1",
    section="move (deltaRequest)",
    quote='"activeEntity": "(string/entityID)" //Entity that gets a new position',
    reading="The entity of the latest next. Only fans and a skip may leave it null. Null, a ball "
    "or somebody of the other team is error 102; for others of the own team see 9.1.2.",
    good=Example(examples.MOVE, "after a next for leftSeeker"),
    bad=examples.changed(examples.MOVE, activeEntity=None),
    binds=("DeltaRequest",),
)
WRESTING = Clause(
    id="10.4.18.1",
    section="wrestQuaffle (deltaRequest)",
    quote='"activeEntity": "(string/entityID)" //Entity that wrest the Quaffle',
    reading="A chaser on a cell beside the opponent who holds the quaffle; a keeper in the own "
    "keeper zone is safe, and keepers do not wrest. Error 102 otherwise.",
    good=Example(examples.WREST, "beside a chaser of the other team with holdsQuaffle true"),
    bad=Example(examples.WREST, "two cells away"),
)
