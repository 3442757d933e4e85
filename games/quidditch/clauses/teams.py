"""What the network standard REVIEWME-14 demands of teams and formations, sentence by sentence."""

from games.quidditch.clauses import examples
from ludothek.contract.clauses import Clause, Example

# 2.1 Whole Game Sequence in short

FORMATION_DUE = Clause(
    id="2.1.2",
    section="Whole Game Sequence in short",
    quote="Beide Spieler stellen alle ihre Spielfiguren auf die linke bzw. rechte Spielfeldseite "
    "auf.",
    reading="Each player sends a teamFormation within the teamFormationTimeout of matchStart. "
    "Whoever does not loses: error 101. If neither does, nobody wins.",
    good=Example(examples.FORMATION, "right after matchStart"),
    bad=Example("", "nothing, until the time is up"),
)

# 5.2 Type Declaration

NAME_SIGNS = Clause(
    id="5.2.1.1",
    section="(string/name)",
    quote="ja, da ist ein Space im Regex.",
    reading="Names of teams and players have letters A to Z, digits and spaces, and no umlauts. "
    "Error 207 otherwise.",
    good=examples.TEAM,
    bad=examples.changed(examples.TEAM, name="Die Größten"),
)
NAME_LENGTH = Clause(
    id="5.2.1.2",
    section="(string/name)",
    quote="muss 3 bis 40 Zeichen lang sein. (Anmerkung Zeichen != Byte)",
    reading="A shorter or longer name of a team or player is error 207.",
    good=examples.TEAM,
    bad=examples.team_with("seeker", name="Al"),
)
MOTTO_SIGNS = Clause(
    id="5.2.2.1",
    section="(string/motto)",
    quote="Darf nur folgende Zeichen enthalten a-z, A-Z, 0-9, Leerzeichen sowie die Satzzeichen "
    ".,:;?!'-",
    reading="Any other character is error 207.",
    good=examples.TEAM,
    bad=examples.changed(examples.TEAM, motto="Höher (und weiter)"),
)
MOTTO_LENGTH = Clause(
    id="5.2.2.2",
    section="(string/motto)",
    quote="muss 3 bis 200 Zeichen lang sein.",
    reading="A shorter or longer motto is error 207.",
    good=examples.TEAM,
    bad=examples.changed(examples.TEAM, motto=""),
)
SEXES = Clause(
    id="5.2.4.1",
    section="(string/sex)",
    quote="`m` (Männlich) - `f` (Weiblich)",
    reading="Anything but m and f is error 207.",
    good=examples.TEAM,
    bad=examples.team_with("seeker", sex="w"),
)
BROOMS = Clause(
    id="5.2.5.1",
    section="(string/broom)",
    quote="`tinderblast` - `cleansweep11` - `comet260` - `nimbus2001` - `firebolt`",
    reading="The names are spelled like this, without hyphens. Another one is error 207.",
    good=examples.TEAM,
    bad=examples.team_with("seeker", broom="cleansweep-11"),
)
COLOR = Clause(
    id="5.2.6.1",
    section="(string/RRGGBB)",
    quote="Hexadezimaler RGB-Wert in GROßBUCHSTABEN",
    reading="Six digits or letters A to F, without #. Anything else is error 207.",
    good=examples.TEAM,
    bad=examples.changed(examples.TEAM, colors=examples.COLORS | {"primary": "#c80010"}),
)
IMAGE = Clause(
    id="5.2.8.1",
    section="(string/base64/png)",
    quote="Eine PNG-Datei base64-kodiert als String 256x256 Pixel",
    reading="A text of at most 360000 characters, which is more than such a PNG can have. It may "
    "begin as a data URI (data:image/png;base64,) and may be empty; only with `strict_images` does "
    "the server look at its content. Error 207, or 253 if it cannot be read at all.",
    good=examples.TEAM,
    bad=examples.changed(examples.TEAM, image=None),
)

# 5.3 Definition

TWO_COLORS = Clause(
    id="5.3.2.1",
    section="teamConfig",
    quote="Die Farben **primary** und **secondary** müssen unterschiedlich sein.",
    reading="The same colour twice is error 207.",
    good=examples.TEAM,
    bad=examples.changed(examples.TEAM, colors={"primary": "C80010", "secondary": "C80010"}),
)
TEAM_FIELDS = Clause(
    id="5.3.2.2",
    section="teamConfig",
    quote='"name": "(string/name)", "motto": "(string/motto)", "colors": {',
    reading="Every field of the definition is necessary, those inside of colors, fans and players "
    "too. Without one: error 253 or 153.",
    good=examples.TEAM,
    bad=examples.without("motto", examples.TEAM),
)

# 7 TeamFormation

NO_GOALS = Clause(
    id="7.1.1",
    section="TeamFormation: Description",
    quote="Torfelder sind keine gültigen Startpositionen.",
    reading="A player who starts on one of the six goals is error 101.",
    good=examples.FORMATION,
    bad=examples.formation(keeper=(2, 6)),
)
FORMATION_FIELDS = Clause(
    id="7.2.1.1",
    section="teamFormation",
    quote='"players": { "seeker": { "xPos": "(int/posx)", "yPos": "(int/posy)" }, "keeper": {',
    reading="All seven players have an xPos and a yPos. Error 253 or 153 otherwise.",
    good=examples.FORMATION,
    bad=examples.without("players", examples.FORMATION),
)

# 14.3 DisableGenderBalance-mod

GENDER_BALANCE = Clause(
    id="14.3.1.1",
    section="DisableGenderBalance-mod: Description",
    quote="Schaltet die Regel das Teams nur maximal eine bestimmte Anzahl von männlichen und "
    "weiblichen Spielfiguren haben dürfen aus.",
    reading="At most four of the seven players have the same sex, unless the client has named the "
    "mod in its joinRequest. Error 207 otherwise.",
    good=examples.TEAM,
    bad=examples.team_with("keeper", sex="f"),
)

# 15 appendix

START_CELLS = Clause(
    id="15.1",
    section="appendix",
    quote="Blau und Rot plus Hüterzone entspricht den möglichen Startpositionen der Spielfiguren.",
    reading="A player starts on a cell of the pitch in the own half: xPos below 8 for the left "
    "team, above 8 for the right one, and not in the centre circle (xPos 7 to 9, yPos 5 to 7). "
    "Error 101 otherwise.",
    good=examples.FORMATION,
    bad=examples.formation(seeker=(7, 6)),
)
