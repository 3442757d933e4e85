"""Rules of the game that the network standard presupposes.

They are in the requirements: «Alles was der Spiellogik aus dem Lastenheft widerspricht, ist eine
Protokollverletzung folglich wird der Client gekickt.»
"""

from games.quidditch.clauses import examples
from ludothek.contract.clauses import Clause, Example

_TEAMS = "Rules of the game: teams"
ALL_BROOMS = Clause(
    id="ours.all-brooms",
    section=_TEAMS,
    reading="Each of the five brooms is used by at least one player. Error 207 otherwise.",
    good=examples.TEAM,
    bad=examples.team_with("seeker", broom="comet260"),
)
FANS = Clause(
    id="ours.fans",
    section=_TEAMS,
    reading="A team has seven fans, at least one of each kind. Error 207 otherwise.",
    good=examples.TEAM,
    bad=examples.changed(examples.TEAM, fans=examples.FANS | {"elves": 3}),
)
OWN_START = Clause(
    id="ours.own-start",
    section=_TEAMS,
    reading="No two players of a team start on the same cell. Error 101 otherwise.",
    good=examples.FORMATION,
    bad=examples.formation(beater1=(5, 7)),
)

_TURNS = "Rules of the game: turns"
NO_CUBE = Clause(
    id="ours.no-cube",
    section=_TURNS,
    reading="No player moves or returns to the cell of a wombat cube, and no second cube is put "
    "there. Error 102 otherwise.",
    good=examples.MOVE,
    bad=Example(examples.MOVE, "when (8, 2) is in wombatCubes"),
    binds=("DeltaRequest move", "DeltaRequest unban", "DeltaRequest wombatPoo"),
)
THROWN_AWAY = Clause(
    id="ours.thrown-away",
    section=_TURNS,
    reading="The quaffle is thrown to another cell than that of its thrower. Error 102 otherwise.",
    good=examples.THROW,
    bad=Example(examples.THROW, "when leftChaser1 is on (14, 6)"),
)
BLUDGER_LINE = Clause(
    id="ours.bludger-line",
    section=_TURNS,
    reading="No player is on the cells between a beater and the target of the bludger; the line "
    "goes from the middle of one cell to that of the other. Error 102 otherwise.",
    good=examples.BEAT,
    bad=Example(examples.BEAT, "when another player is on (6, 6)"),
)
PRESENT_TARGET = Clause(
    id="ours.present-target",
    section=_TURNS,
    reading="Elves and goblins choose players who are not banned. Error 102 otherwise.",
    good=examples.ELF,
    bad=Example(examples.ELF, "when rightSeeker is banned"),
    binds=("DeltaRequest elfTeleportation", "DeltaRequest goblinShock"),
)
OPPONENT = Clause(
    id="ours.opponent",
    section=_TURNS,
    reading="Goblins shock players of the other team only. Error 102 otherwise.",
    good=examples.GOBLIN,
    bad=examples.delta("goblinShock", passiveEntity="leftSeeker"),
)
FREE_CELL = Clause(
    id="ours.free-cell",
    section=_TURNS,
    reading="A cube is put, and a player returns, where there is neither a player nor a ball. "
    "Error 102 otherwise.",
    good=examples.WOMBAT,
    bad=Example(examples.WOMBAT, "when the quaffle is on (9, 3)"),
    binds=("DeltaRequest wombatPoo", "DeltaRequest unban"),
)
OWN_HALF = Clause(
    id="ours.own-half",
    section=_TURNS,
    reading="A player returns to the own half: xPosNew below 8 for the left team, above 8 for the "
    "right one, and not to a goal. Error 102 otherwise.",
    good=examples.UNBAN,
    bad=examples.unban(11, 5),
)
