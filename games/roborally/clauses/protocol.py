"""What the LMU protocol 2.0 demands of clients, sentence by sentence.

An id is the number of the section and that of the clause in it. What section 7 says before 7.1 is
counted as 7.0. Unless a reading says something else, a breach is answered with an Error, and
nothing else happens: the client may try again.
"""

from games.roborally.clauses import examples
from games.roborally.clauses.examples import message
from ludothek.contract.clauses import EVERY_MESSAGE, Clause, Example

# 1 Grundlagen

JSON = Clause(
    id="1.1",
    section="Grundlagen",
    quote="Die Daten werden über TCP als JSON-Objekte übertragen.",
    reading="A message is a JSON object: on a line of its own, over several lines, or right after "
    "the one before it. Anything else is refused up to the end of its line.",
    good=examples.HELLO,
    bad="HelloServer TolleTrolle",
    binds=EVERY_MESSAGE,
)
UTF_8 = Clause(
    id="1.2",
    section="Grundlagen",
    quote="Als Zeichensatz wird hierfür UTF-8 verwendet",
    reading="Bytes that are not UTF-8 cannot be read. Before version 18, Java writes the system's "
    "own character set unless a program names UTF-8.",
    good=message("PlayerValues", name="Jürgen", figure=5),
    bad=Example("", "the same message in ISO 8859-1"),
    binds=EVERY_MESSAGE,
)
TYPES = Clause(
    id="1.3",
    section="Grundlagen",
    quote="unterschiedliche Nachrichtentypen durch sogenannte Wrapper-Objekte modelliert sind",
    reading="messageType is the name of a message of this document, with the same capitals. Alive "
    "and RebootDirection are from later versions.",
    good=examples.READY,
    bad=message("setStatus", ready=True),
    binds=EVERY_MESSAGE,
)
WRAPPER = Clause(
    id="1.4",
    section="Grundlagen",
    quote="Ein Objekt darf dabei stets nur eine Nachricht enthalten und sieht folgendermaßen aus:",
    reading="An object has a messageType and a messageBody, which is an object. Other keys are "
    "ignored, and a missing messageBody counts as empty.",
    good=examples.READY,
    bad='{"ready": true}',
    binds=EVERY_MESSAGE,
)
VALUES = Clause(
    id="1.5",
    section="Grundlagen",
    quote="Auch Kombinationen aus primitiven Typen und Objekten sind denkbar.",
    reading="A value has the type that it has in the document's example: integers without quotes "
    "or fraction, true or false, texts, lists of texts. Nothing is converted.",
    good=examples.VALUES,
    bad=message("PlayerValues", name="Nr. 5", figure="5"),
    binds=EVERY_MESSAGE,
)

# 2 Verbindungsaufbau

HELLO_FIELDS = Clause(
    id="2.1",
    section="Verbindungsaufbau: Gruppenidentifikation",
    quote="Anschließend antwortet der Client mit Informationen zu seiner benutzten "
    "Protokollversion, dem Gruppennamen und ob es sich um den Login einer KI handelt.",
    reading="HelloServer has group, isAI and protocol.",
    good=examples.HELLO,
    bad=message("HelloServer", group="TolleTrolle", protocol="Version 2.0"),
)
VERSION = Clause(
    id="2.2",
    section="Verbindungsaufbau: Gruppenidentifikation",
    quote="Sollte der Server die Protokollversion der Gruppe nicht unterstützen, so ist die "
    "Verbindung abzubrechen.",
    reading="The protocol is exactly «Version 2.0». After an Error, the connection ends.",
    good=examples.HELLO,
    bad=message("HelloServer", group="TolleTrolle", isAI=False, protocol="Version 1.0"),
)

# 3 Lobby

HELLO_FIRST = Clause(
    id="3.1",
    section="Lobby: Setzen des Spielernamens und der Figur",
    quote="Nach dem erfolgreichen Verbindungsaufbau kann ein Spieler seinen Namen und seine "
    "Spielfigur auswählen.",
    reading="Before HelloServer, every other message is refused.",
    good=Example(examples.VALUES, "after Welcome"),
    bad=Example(examples.VALUES, "before HelloServer"),
    binds=EVERY_MESSAGE,
)
VALUES_FIELDS = Clause(
    id="3.2",
    section="Lobby: Setzen des Spielernamens und der Figur",
    quote="Beide sollten einzigartig sein, werden aber in einer Nachricht verschickt.",
    reading="PlayerValues has both name and figure.",
    good=examples.VALUES,
    bad=message("PlayerValues", name="Nr. 5"),
)
TAKEN = Clause(
    id="3.3",
    section="Lobby: Bestätigung der Spielerauswahl",
    quote="Ein bereits vergebener Name oder eine vergebene Figur sollen, wie im Bereich Besondere "
    "Nachrichten beschrieben, quittiert werden.",
    reading="No other player has the name or the figure. Names that look the same are the same, "
    "whatever their case.",
    good=Example(examples.VALUES, "when no PlayerAdded has that name or figure"),
    bad=Example(examples.VALUES, "after a PlayerAdded with figure 5"),
    crossing=True,
)
VALUES_FIRST = Clause(
    id="3.4",
    section="Lobby: Bereitschaft signalisieren",
    quote="Sobald ein Spieler seine Auswahl erfolgreich getroffen hat, kann er dem Server "
    "signalisieren bereit zu sein.",
    reading="SetStatus is for clients whose PlayerValues were confirmed with PlayerAdded.",
    good=Example(examples.READY, "after PlayerAdded with the client's own playerID"),
    bad=Example(examples.READY, "right after Welcome"),
)
STATUS_FIELDS = Clause(
    id="3.5",
    section="Lobby: Bereitschaft signalisieren",
    quote="Diese Meinung kann er via Boolean aber auch zurückziehen!",
    reading="SetStatus has ready.",
    good=examples.READY,
    bad=message("SetStatus"),
)
GAME_STARTED = Clause(
    id="3.6",
    section="Lobby: Bereitschaft bestätigen oder widerrufen",
    quote="Sind alle Spieler bereit (mind. 2!), erstellt der Server die Karte und teilt diese den "
    "Anderen mit.",
    reading="The messages of sections 6 to 8 are for games, which begin with GameStarted and end "
    "with GameFinished. How many players a game needs is set by `min_players`.",
    good=Example(examples.START, "after GameStarted"),
    bad=Example(examples.START, "in the lobby"),
    binds=("SetStartingPoint", "BuyUpgrade", "SelectedCard", "PlayCard"),
)

# 4 Chatnachrichten

CHAT_OF_PLAYERS = Clause(
    id="4.1",
    section="Chatnachrichten: Privat senden",
    quote="Spieler sollen untereinander Nachrichten austauschen können.",
    reading="Players chat, in the lobby and during a game: clients with a name and a figure. "
    "Others would not know who speaks.",
    good=Example(examples.CHAT, "after PlayerAdded with the client's own playerID"),
    bad=Example(examples.CHAT, "right after Welcome"),
)
CHAT_FIELDS = Clause(
    id="4.2",
    section="Chatnachrichten: Privat senden",
    quote="Ein Client kann eine private Nachricht an Spieler ID 42 wie folgt veranlassen:",
    reading="SendChat has message and to.",
    good=examples.WHISPER,
    bad=message("SendChat", message="Yoh, Bob!"),
)
ADDRESSEE = Clause(
    id="4.3",
    section="Chatnachrichten: Öffentlich senden",
    quote='Im Falle einer Nachricht für alle Spieler wird "to" zu -1.',
    reading="to is the playerID of a player who is connected, or -1 for all.",
    good=examples.CHAT,
    bad=message("SendChat", message="Hi all!", to=0),
)

# 5 Besondere Nachrichten

RESENDING = Clause(
    id="5.1",
    section="Besondere Nachrichten: Fehlerhafte Nachrichten",
    quote="Im Allgemeinen verlangt ein Übertragungsfehler nach einem erneuten Senden der "
    "fehlerhaften Mitteilung.",
    reading="After an Error nothing has changed, so the client says it again, correctly. A client "
    "that does not is treated as one that says nothing.",
    good=Example(examples.READY, "after the Error that answered a SetStatus without ready"),
    bad=Example("", "to wait for PlayerStatus after that Error"),
    unseen="the server cannot know what a client has given up",
)

# 6 Spielkarten

PLAY_FIELDS = Clause(
    id="6.1",
    section="Spielkarten: Karten spielen",
    quote="Basiskarten werden ganz rudimentär als String übertragen.",
    reading="PlayCard has a card.",
    good=examples.PLAY,
    bad=message("PlayCard"),
    binds=("PlayCard",),
)
CARD_NAMES = Clause(
    id="6.2",
    section="Spielkarten: Programmierkarten",
    quote="MoveI, MoveII, MoveIII, TurnLeft, TurnRight, UTurn, BackUp, PowerUp und Again.",
    reading="A card has one of these names, or one of damage or of special cards, with the same "
    "capitals; PlayCard also plays upgrades.",
    good=examples.PLAY,
    bad=message("PlayCard", card="Move1"),
    binds=("SelectedCard", "DiscardSome", "PlayCard"),
)
REBOOT_TURN = Clause(
    id="6.3",
    section="Spielkarten: Programmierkarten",
    quote="TurnLeft, TurnRight und UTurn sind hier valide und müssen sich nicht im Besitz "
    "befinden.",
    reading="«Revolten» are reboots: after Reboot, a player may turn its robot once, until the "
    "next activation phase. A second turn is refused.",
    good=Example(examples.TURN, "after a Reboot with the client's own playerID"),
    bad=Example(examples.TURN, "once more after that"),
    binds=("PlayCard TurnLeft", "PlayCard TurnRight", "PlayCard UTurn"),
)
DAMAGE_NAMES = Clause(
    id="6.4",
    section="Spielkarten: Schadenskarten",
    quote="Spam, Worm, Virus und Trojan.",
    reading="SelectedDamage has damage cards only, and no more of a kind than its pile has left. "
    "The kind that has run out cannot be chosen.",
    good=examples.DAMAGE,
    bad=message("SelectedDamage", cards=["MoveI", "Trojan"]),
)
SPECIAL_CARDS = Clause(
    id="6.5",
    section="Spielkarten: Besondere Programmierkarten",
    quote="Energy, Sandbox, Weasel, Speed, Spam und Repeat.",
    reading="Sandbox and Weasel let their player choose by a second PlayCard: TurnLeft, TurnRight "
    "or UTurn, with a Sandbox also MoveI to MoveIII or BackUp. None of the ten upgrades brings "
    "them into a game.",
    good=Example(examples.TURN, "after a Weasel was played"),
    bad=Example(examples.PLAY, "after a Weasel was played"),
    rare="none of the ten upgrades brings Sandbox or Weasel into a game",
)
UPGRADE_NAMES = Clause(
    id="6.6",
    section="Spielkarten: Upgradekarten",
    quote="Sie können zwar mehr als die hier vorgestellten Karten umsetzen, bedenken Sie aber, "
    "dass nicht jeder Server dies unterstützen wird!",
    reading="This server has the ten upgrades of the document, with the same capitals.",
    good=examples.BUY,
    bad=message("BuyUpgrade", isBuying=True, card="Teleporter"),
)

# 7 Spielzug abhandeln

TURNS = Clause(
    id="7.0.1",
    section="Spielzug abhandeln: Aktiven Spieler setzen",
    quote="Der Server gibt eine kurze Nachricht aus, um den aktuell aktiven Spieler zu bestimmen.",
    reading="SetStartingPoint, BuyUpgrade, Boink and the PlayCard of a register are for the player "
    "of the latest CurrentPlayer.",
    good=Example(examples.PLAY, "after CurrentPlayer with the client's own playerID"),
    bad=Example(examples.PLAY, "after CurrentPlayer with another playerID"),
    binds=("SetStartingPoint", "BuyUpgrade", "PlayCard", "Boink"),
)
PHASES = Clause(
    id="7.0.2",
    section="Spielzug abhandeln: Aktive Spielphase setzen",
    quote="Die aktuelle Phase wird mittels einer eigenen ID übertragen.",
    reading="SetStartingPoint belongs to phase 0, BuyUpgrade to 1, SelectedCard and DiscardSome to "
    "2, Boink to 3. PlayCard belongs to 3, or to 2 for an upgrade that is about programming.",
    good=Example(examples.SELECT, "after ActivePhase 2"),
    bad=Example(examples.SELECT, "after ActivePhase 1"),
    binds=("SetStartingPoint", "BuyUpgrade", "SelectedCard", "PlayCard"),
)

# 7.1 Aufbauphase

START_FIELDS = Clause(
    id="7.1.1",
    section="Aufbauphase: Startpunkt wählen",
    quote="Spieler setzen ihren Startpunkt wie folgt:",
    reading="SetStartingPoint has x and y.",
    good=examples.START,
    bad=message("SetStartingPoint", x=1),
)
START_POINT = Clause(
    id="7.1.2",
    section="Aufbauphase: Bestätigen des Startpunktes",
    quote="Wenn die gewünschte Position valide ist, werden alle Spieler darüber benachrichtigt.",
    reading="The field is a StartPoint of the gameMap, and no StartingPointTaken has named it.",
    good=examples.START,
    bad=message("SetStartingPoint", x=4, y=2),
)

# 7.2 Upgradephase

IN_SHOP = Clause(
    id="7.2.1",
    section="Upgradephase: Shop auffüllen",
    quote="Ist der Shop nicht voll, wird den Clients mitgeteilt, welche neuen Upgrades zur "
    "Verfügung stehen.",
    reading="Only what the shop offers can be bought. RefillShop adds cards, ExchangeShop replaces "
    "all of them, UpgradeBought takes one away.",
    good=Example(examples.BUY, "after a RefillShop with Boink"),
    bad=Example(examples.BUY, "when somebody else has bought it"),
)
BUY_FIELDS = Clause(
    id="7.2.2",
    section="Upgradephase: Upgrades kaufen",
    quote="Der aktive Spieler kann eine Karte kaufen, oder ablehnen.",
    reading="BuyUpgrade has isBuying, which says which of the two.",
    good=examples.DECLINE,
    bad=message("BuyUpgrade", card=None),
)
BUY_ALWAYS = Clause(
    id="7.2.3",
    section="Upgradephase: Upgrades kaufen",
    quote="Diese Nachricht muss in jedem Fall verschickt werden.",
    reading="Whoever buys nothing says so. After `play_seconds`, the server declines for the "
    "player.",
    good=Example(examples.DECLINE, "after CurrentPlayer in phase 1"),
    bad=Example("", "no BuyUpgrade, since there is nothing to buy"),
)
BUY_CARD = Clause(
    id="7.2.4",
    section="Upgradephase: Upgrades kaufen",
    quote='Der Wert für "card" ist dann ggf. Null.',
    reading="Only without a purchase: if isBuying is true, there is a card. A card that is "
    "missing, null, empty, «null» or «Null» is none.",
    good=examples.DECLINE,
    bad=message("BuyUpgrade", isBuying=True, card=None),
)
ENOUGH_ENERGY = Clause(
    id="7.2.5",
    section="Upgradephase: Kaufbestätigung",
    quote="Ist beim Kaufprozess alles in Ordnung (Spieler an der Reihe, genug Energie), bestätigt "
    "der Server dies für alle Spieler sichtbar.",
    reading="The card costs no more energy than the player has; everybody begins with 5.",
    good=examples.BUY,
    bad=Example(examples.BUY, "with no energy left"),
)

# 7.3 Programmierphase

IN_HAND = Clause(
    id="7.3.1",
    section="Programmierphase: Spieler zieht Karten",
    quote="Es werden die obersten neun Programmierkarten gezogen.",
    reading="Cards are put into registers and on the deck from the hand: the latest YourCards, "
    "without those that are in registers.",
    good=Example(examples.SELECT, "after a YourCards with Again"),
    bad=Example(examples.SELECT, "when the only Again is in register 4"),
    binds=("SelectedCard", "DiscardSome"),
)
SELECT_FIELDS = Clause(
    id="7.3.2",
    section="Programmierphase: Karten auswählen",
    quote="Die Kartenauswahl wird vom Spieler zum Server übertragen, jede Karte einzeln.",
    reading="SelectedCard has a register. Without a card, it empties the register.",
    good=examples.SELECT,
    bad=message("SelectedCard", card="Again"),
)
FINISHED = Clause(
    id="7.3.3",
    section="Programmierphase: Auswahl beendet",
    quote="Sobald ein Spieler die fünfte Karte gelegt hat, sind keine Änderungen mehr möglich!",
    reading="After SelectionFinished, SelectedCard is refused, and so are MemorySwap and "
    "SpamBlocker, which would change the hand.",
    good=Example(examples.SELECT, "while a register is empty"),
    bad=Example(examples.SELECT, "after SelectionFinished with the client's own playerID"),
)
TIMER = Clause(
    id="7.3.4",
    section="Programmierphase: Timer gestartet",
    quote="Als Folge des ersten fertigen Spielers startet der 30 Sekunden Timer.",
    reading="All five registers are filled before TimerEnded. The server fills the others blindly. "
    "`timer_seconds` sets the time.",
    good=Example(examples.SELECT, "soon after TimerStarted"),
    bad=Example("", "an empty register 30 seconds after TimerStarted"),
)

# 7.4 Aktivierungsphase

IN_REGISTER = Clause(
    id="7.4.1",
    section="Aktivierungsphase: Aktive Programmierkarten",
    quote="Es wird jeweils nur die Karte aus dem aktuellen Register angezeigt.",
    reading="PlayCard plays the card that the latest CurrentCards has for the player.",
    good=Example(examples.PLAY, "after CurrentCards with MoveI for the client's own playerID"),
    bad=Example(examples.PLAY, "after CurrentCards with Again for the client's own playerID"),
    binds=("PlayCard",),
)

# 8 Aktionen, Ereignisse und Effekte

DAMAGE_COUNT = Clause(
    id="8.1",
    section="Aktionen: Schadensmeldungen",
    quote="Es werden immer alle auf einmal übertragen.",
    reading="SelectedDamage has cards, as many as the count of PickDamage.",
    good=Example(examples.DAMAGE, "after PickDamage with count 2"),
    bad=Example(examples.DAMAGE, "after PickDamage with count 1"),
)
DAMAGE_ASKED = Clause(
    id="8.2",
    section="Aktionen: Schadensmeldungen",
    quote="Sollten alle Spamkarten vergeben sein, fragt der Server vorher nach der Auswahl des "
    "Spielers und schickt nach der Wahl des Spielers die Schadensmeldung.",
    reading="SelectedDamage is the answer to PickDamage, and to nothing else.",
    good=Example(examples.DAMAGE, "after PickDamage"),
    bad=Example(examples.DAMAGE, "after DrawDamage"),
)
DISCARD_FIELDS = Clause(
    id="8.3",
    section="Aktionen: Memory Swap und Cache Memory",
    quote="Gibt die Karten an, die der Spieler auf sein Deck legen möchte.",
    reading="DiscardSome has cards; the first one ends up on top.",
    good=examples.DISCARD,
    bad=message("DiscardSome"),
)
