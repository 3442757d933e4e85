"""What the Hexxagon network standard 0.6.1 demands of clients, sentence by sentence.

The document does not number its headings. An id is the place of the heading in the table of
contents, with the introduction as 1, and the number of the clause under it.
"""

from games.hexxagon.clauses import examples
from ludothek.contract.clauses import EVERY_MESSAGE, Clause, Example

# 2 Definitionen

TWO_CLIENTS = Clause(
    id="2.1",
    section="Definitionen: Lobby",
    quote="Im Kontext dieses Dokuments können sich maximal zwei Clients mit einer Lobby verbinden.",
    reading="A third client gets LobbyJoined with successfullyJoined false, and no strike: the "
    "seat may have been taken while its message was under way.",
    good=examples.JOIN,
    bad=Example(examples.JOIN, "for a lobby with playerOne and playerTwo"),
    crossing=True,
)
TEXT = Clause(
    id="2.2",
    section="Definitionen: JSON",
    quote="Alle Nachrichten welche in diesem Dokument spezifiziert werden sind im JSON Format "
    "spezifiziert und werden als String über eine WebSocket Verbindung übertragen.",
    reading="A message is one text frame (it may be fragmented). A binary frame earns a strike.",
    good=examples.LIST,
    bad=Example("", "the same bytes in a binary frame"),
    binds=EVERY_MESSAGE,
)
JSON = Clause(
    id="2.3",
    section="Definitionen: Nachricht",
    quote="Eine Nachricht wird im JSON Format als String vom Client an den Server oder vom Server "
    "an 1-n Clients gesendet.",
    reading="A text frame is exactly one JSON object. Anything else earns a strike.",
    good=examples.LIST,
    bad="GetAvailableLobbies",
    binds=EVERY_MESSAGE,
)

# 3.1 Nachrichtenarten

CLIENT_MESSAGES = Clause(
    id="3.1.2.1",
    section="Client-Nachrichten",
    quote="Client-Nachrichten, sind die Nachrichten, welche vom Client an den Server gesendet "
    "werden.",
    reading="A client that sends one of the messages of the server gets a strike.",
    good=examples.LIST,
    bad=examples.message("Welcome", welcomeMessage="Hello!"),
    binds=EVERY_MESSAGE,
)

# 3.2 Spezifikation der Datentypen

TYPE_NAMED = Clause(
    id="3.2.1.1",
    section="MessageType",
    quote="Jede Nachricht die vom Client zum Server, bzw. vom Server zum Client, geschickt wird, "
    "muss ein Attribut vom Typ MessageType besitzen.",
    reading="The attribute is called messageType, in every message. Without it: a strike.",
    good=examples.LIST,
    bad=examples.without("messageType", examples.LIST),
    binds=EVERY_MESSAGE,
)
TYPE_KNOWN = Clause(
    id="3.2.1.2",
    section="MessageType",
    quote="Der Datentyp MessageType ist ein Enum, welcher alle Nachrichtentypen aufführt.",
    reading="The names are those of the enum, with the same capitals. Another one: a strike.",
    good=examples.LIST,
    bad=examples.message("getAvailableLobbies"),
    binds=EVERY_MESSAGE,
)
UUIDS = Clause(
    id="3.2.2.1",
    section="UUID",
    quote="Beim Datentyp UUID handelt es sich um ein java.util.UUID Objekt.",
    reading="36 characters, hexadecimal digits in five groups; capitals are accepted, since "
    "java.util.UUID does not tell them apart. Anything else, null included, earns a strike.",
    good=examples.LEAVE_LOBBY,
    bad=examples.message("LeaveLobby", lobbyId="7"),
    binds=EVERY_MESSAGE,
)
STRINGS = Clause(
    id="3.2.3.1",
    section="String",
    quote="Beim Datentyp String handelt es sich um ein java.lang.String Objekt.",
    reading="A JSON string. A number, null or anything else earns a strike.",
    good=examples.CREATE,
    bad=examples.message("CreateNewLobby", lobbyName=5),
    binds=("CreateNewLobby", "JoinLobby"),
)
BLOCKED = Clause(
    id="3.2.6.1",
    section="TileStateEnum",
    quote="Das Feld ist blockiert, was bedeutet, es kann kein Spielstein auf dieses Feld gesetzt "
    "werden",
    reading="A move to one of the nine blocked tiles earns a strike; the player may try again.",
    good=examples.MOVE,
    bad=examples.move(30, 29),
)
TILES = Clause(
    id="3.2.7.1",
    section="TileEnum",
    quote="Es wurde eine verkürzte Abbildung des Enums gewählt, da es trivial sein sollte das "
    "Schema fortzusetzen.",
    reading="TILE_1 to TILE_61, with the same capitals. Anything else earns a strike.",
    good=examples.MOVE,
    bad=examples.move(30, 62),
)

# 3.3 Spezifikation der Nachrichten

IDENTITY = Clause(
    id="3.3.1.1",
    section="Welcome",
    quote="Jeder Client bekommt eine eindeutige Identifikationsnummer als UUID vom Server "
    "zugeordnet, diese Identifikationsnummer ist Teil der Welcome Nachricht und muss bei jeder "
    "weiteren Nachricht vom Client an den Server, zur Identifikation, mitgeschickt werden.",
    reading="Every message has the userId of the Welcome of its own connection; a new connection "
    "has a new one. A missing or different one earns a strike.",
    good=examples.LIST,
    bad=examples.LIST.replace(examples.USER, examples.STRANGER),
    binds=EVERY_MESSAGE,
)
CREATE_FIELDS = Clause(
    id="3.3.4.1",
    section="CreateNewLobby",
    quote="Um eine neue Lobby zu erstellen, sendet der Client dem Server eine CreateNewLobby "
    "Nachricht, welche wie folgt spezifiziert ist:",
    reading="Without lobbyName: a strike.",
    good=examples.CREATE,
    bad=examples.without("lobbyName", examples.CREATE),
)
JOIN_FIELDS = Clause(
    id="3.3.6.1",
    section="JoinLobby",
    quote="Diese Nachricht muss die Identifikationsnummer des Clients, die Identifikationsnummer "
    "der Lobby und einen frei wählbaren Benutzernamen des Spielers beinhalten.",
    reading="Without lobbyId or userName: a strike.",
    good=examples.JOIN,
    bad=examples.without("userName", examples.JOIN),
)
LOBBY_THERE = Clause(
    id="3.3.7.1",
    section="LobbyJoined",
    quote="Egal ob das Hinzufügen zur Lobby erfolgreich war oder nicht, wird dem Client eine "
    "LobbyJoined Nachricht gesendet.",
    reading="A lobby that was closed, has become a game or never existed cannot be joined. The "
    "answer is LobbyJoined with successfullyJoined false, and no strike.",
    good=Example(examples.JOIN, "for a lobby of AvailableLobbies"),
    bad=Example(examples.JOIN, "for a lobby that is gone"),
    crossing=True,
)
LEAVE_LOBBY = Clause(
    id="3.3.9.1",
    section="LeaveLobby",
    quote="Ein Client kann die Verbindung zu einer Lobby trennen, hierfür sendet er eine "
    "LeaveLobby Nachricht an den Server.",
    reading="The lobbyId is that of the lobby which the client has joined. Another one, or a "
    "LeaveLobby of a client that is in no lobby, earns a strike.",
    good=examples.LEAVE_LOBBY,
    bad=Example(examples.LEAVE_LOBBY, "from a client that has joined no lobby"),
)
LEAVE_LOBBY_FIELDS = Clause(
    id="3.3.9.2",
    section="LeaveLobby",
    quote="Die LeaveLobby Nachricht ist wie folgt spezifiziert:",
    reading="Without lobbyId: a strike.",
    good=examples.LEAVE_LOBBY,
    bad=examples.without("lobbyId", examples.LEAVE_LOBBY),
)
START_LOBBY = Clause(
    id="3.3.10.1",
    section="StartGame",
    quote="Der Client, der in der Lobby als playerOne eingetragen ist, kann das Spiel starten, "
    "insofern die Lobby über zwei verbundenen Clients verfügt.",
    reading="The lobbyId is that of the lobby which the client has joined, and its game has not "
    "started. Anything else earns a strike.",
    good=examples.START,
    bad=Example(examples.START, "from a client that has joined no lobby"),
)
START_FIELDS = Clause(
    id="3.3.10.2",
    section="StartGame",
    quote="Die StartGame Nachricht ist wie folgt spezifiziert:",
    reading="Without lobbyId: a strike.",
    good=examples.START,
    bad=examples.without("lobbyId", examples.START),
)
ACTIVE = Clause(
    id="3.3.12.1",
    section="GameStatus",
    quote="Das Attribut activePlayer ist vom Datentyp java.util.UUID und hält die "
    "Identifikationsnummer des Clients welcher den nächsten Spielzug ausführen darf.",
    reading="Whoever is not the activePlayer of the latest GameStatus gets a strike for a move. "
    "A player without a legal move is skipped, so the same player may be active twice.",
    good=Example(examples.MOVE, "when activePlayer is its own userId"),
    bad=Example(examples.MOVE, "when activePlayer is the other player"),
)
MOVE = Clause(
    id="3.3.13.1",
    section="GameMove",
    quote="Wenn ein Spieler seinen Zug ausgeführt hat, so sendet er den Spielzug mit einer "
    "GameMove Nachricht an den Server.",
    reading="Only players move, in their own game: the gameId is that of GameStarted. Another "
    "one, or a move when no game has started, earns a strike.",
    good=examples.MOVE,
    bad=Example(examples.MOVE, "from a client whose lobby has not started"),
)
MOVE_FIELDS = Clause(
    id="3.3.13.2",
    section="GameMove",
    quote="Die GameMove Nachricht ist wie folgt spezifiziert:",
    reading="Without gameId, moveFrom or moveTo: a strike.",
    good=examples.MOVE,
    bad=examples.without("moveTo", examples.MOVE),
)
LEAVE_GAME = Clause(
    id="3.3.14.1",
    section="LeaveGame",
    quote="Die LeaveGame Nachricht wird vom Client an den Server gesendet um eine laufende "
    "Spielpartie zu verlassen.",
    reading="The gameId is that of the game which the client plays. Another one, or a LeaveGame "
    "when there is no game, earns a strike.",
    good=examples.LEAVE_GAME,
    bad=Example(examples.LEAVE_GAME, "from a client that plays no game"),
)
LEAVE_GAME_FIELDS = Clause(
    id="3.3.14.2",
    section="LeaveGame",
    quote="Die LeaveGame Nachricht ist wie folgt spezifiziert:",
    reading="Without gameId: a strike.",
    good=examples.LEAVE_GAME,
    bad=examples.without("gameId", examples.LEAVE_GAME),
)
OUT_OF_PLACE = Clause(
    id="3.3.15.1",
    section="Strike",
    quote="zum Zeitpunkt des Sendens der Nachricht nicht zulässig ist (Beispiel: Client sendet "
    "eine CreateNewLobby Nachricht während der Client mit einer Lobby verbunden ist)",
    reading="CreateNewLobby and JoinLobby are for clients that are in no lobby and no game; from "
    "others they earn a strike. GetAvailableLobbies is always allowed.",
    good=Example(examples.CREATE, "after LeaveLobby"),
    bad=Example(examples.CREATE, "from a client in a lobby"),
    binds=("CreateNewLobby", "JoinLobby"),
)
TOO_MANY_STRIKES = Clause(
    id="3.3.15.2",
    section="Strike",
    quote="Angenommen der Wert in maxStrikeCount ist 10, dann trennt der Server die Verbindung "
    "zum Client, sobald dieser den zehnten Strike bekommen hat und nicht erst beim elften Strike.",
    reading="Strikes are counted for each connection and never forgotten. The last one is sent, "
    "then the connection ends (close code 1008). `max_strikes` sets how many there are.",
    good=Example("", "a client that stops and shows its user what went wrong"),
    bad=Example("", "a client that repeats a message which earns a strike"),
    rare="only a client that has earned strikes can earn too many",
)

# 4.5 Ablauf innerhalb einer Lobby

SECOND_NEEDED = Clause(
    id="4.5.1.1",
    section="Man ist der erste Teilnehmer in der Lobby",
    quote="Wenn man der erste Teilnehmer in einer Lobby ist, muss gewartet werden, bis ein zweiter "
    "Teilnehmer der Lobby beitrete.",
    reading="A StartGame before there is a playerTwo in LobbyStatus earns a strike.",
    good=Example(examples.START, "after a LobbyStatus with playerTwo"),
    bad=Example(examples.START, "after a LobbyStatus without playerTwo"),
)
FIRST_STARTS = Clause(
    id="4.5.1.2",
    section="Man ist der erste Teilnehmer in der Lobby",
    quote="Man kann ein Spiel nur starten, wenn man der erste Teilnehmer in einer Lobby ist.",
    reading="A StartGame of playerTwo earns a strike. If playerOne leaves, playerTwo becomes it.",
    good=Example(examples.START, "from playerOne"),
    bad=Example(examples.START, "from playerTwo"),
)
LEFT_BEFORE_START = Clause(
    id="4.5.2.1",
    section="Man ist der zweite Teilnehmer einer Lobby",
    quote="Als zweiter Teilnehmer einer Lobby kann man die Lobby verlassen, solange keine "
    "StartGame Nachricht vom ersten Teilnehmer gesendet wurde.",
    reading="Once the game has started there is no lobby to leave, for neither of them: a strike, "
    "unless the message may have been under way (ours.late). LeaveGame leaves a game.",
    good=Example(examples.LEAVE_GAME, "after GameStarted"),
    bad=Example(examples.LEAVE_LOBBY, "after GameStarted, again and again"),
    binds=("LeaveLobby", "LeaveGame"),
)
