"""What the interface document 1.1.0 demands of clients, sentence by sentence.

An id is the number of the section and the number of the clause in it. A row of a table, or the
explanation in it, counts as a sentence.
"""

from games.qwirkle.clauses import examples
from ludothek.contract.clauses import EVERY_MESSAGE, Clause, Example

# Messages that have sentences in common
_MOVES = ("PlayTiles", "TileSwapRequest")
_JOINS = ("GameJoinRequest", "SpectatorJoinRequest")
_QUESTIONS = (
    *("ScoreRequest", "TurnTimeLeftRequest", "TotalTimeRequest"),
    *("BagRequest", "PlayerHandsRequest", "GameDataRequest"),
)

# 2 Glossar

PLAYERS = Clause(
    id="2.1",
    section="Glossar",
    quote="Spieler ist ein Client, der einem Spiel als Spieler beigetreten ist.",
    reading="Only players lay and swap tiles. PlayTiles and TileSwapRequest of a client in the "
    "lobby are answered with NotAllowed (920).",
    good=Example(examples.PLAY, "after GameJoinAccepted, StartGame and CurrentPlayer"),
    bad=Example(examples.PLAY, "in the lobby"),
    binds=_MOVES,
)
ONCE_A_SPECTATOR = Clause(
    id="2.2",
    section="Glossar",
    quote="Ein Player oder EnginePlayer bleibt bis zum Ende des Games ein Beobachter.",
    reading="A PLAYER that watches a game cannot play in it; after LeavingRequest it is in the "
    "lobby again.",
    good=Example(examples.JOIN, "after the end of the game that the client has watched"),
    bad=Example(examples.JOIN, "while the client watches a game"),
    unseen="whoever asks to play while it watches breaks 5.4",
)

# 3 Verwendung

JSON = Clause(
    id="3.1",
    section="Verwendung",
    quote="Die im Interface bereitgestellten Interface-Objekte werden mittels der Parser-Klasse in "
    "einen JSON-String umgewandelt.",
    reading="A line is exactly one JSON object. Anything else, such as a part of an object or two "
    "of them, is answered with ParsingError (910).",
    good=examples.LIST,
    bad="GameListRequest",
    binds=EVERY_MESSAGE,
)
IDENTIFIED = Clause(
    id="3.2",
    section="Verwendung",
    quote="Der Empfänger übergibt diesen String wieder der Parser-Klasse, welche dann wiederum ein "
    "Message-Objekt daraus generiert.",
    reading="Which message a line is says its attribute uniqueId, as in the committee's library; "
    "uniqueID and id are read as well. Without one: ParsingError (910) with causeId 0.",
    good=examples.LIST,
    bad='{"messageType":"GameListRequest"}',
    binds=EVERY_MESSAGE,
)
TCP = Clause(
    id="3.3",
    section="Verwendung",
    quote="Die Netzwerkverbindung hat unverschlüsselt über TCP zu erfolgen, sodass sich der Client "
    "per IP und Port am Server anmelden kann.",
    reading="A connection that begins with HTTP or TLS ends at once.",
    good=Example(examples.CONNECT, "as the first bytes of a TCP connection"),
    bad=Example("", "an HTTP upgrade, or the ClientHello of TLS"),
    unseen="whoever speaks HTTP or TLS breaks a limit, ours.http-request or ours.binary",
)
LINES = Clause(
    id="3.4",
    section="Verwendung",
    quote="Jede Nachricht hat in einer Zeile zu erfolgen, sodass das End-Of-Line Symbol mit dem "
    "End-Of-Message Symbol gleichzusetzen ist.",
    reading="A line ends with LF or CRLF; empty lines mean nothing.",
    good=examples.LIST,
    bad='{\n  "uniqueId": 300\n}',
    unseen="a message on several lines is several lines, of which each breaks 3.1",
)
UTF8 = Clause(
    id="3.5",
    section="Verwendung",
    quote="Die Codierung der Messages hat als UTF8 zu erfolgen.",
    reading="Bytes that are not UTF-8 become replacement characters. A line with thousands of "
    "them is answered with ParsingError (910).",
    good=examples.message(306, message="Grüße"),
    bad=Example(examples.message(306, message="Grüße"), "in windows-1252"),
    binds=EVERY_MESSAGE,
)

# 4.1 Verbindung zum Server aufbauen und beenden

_CONNECTION = "Verbindung zum Server aufbauen und beenden"
SENDERS = Clause(
    id="4.1.1",
    section=_CONNECTION,
    quote="ID Pseudoname Sender Empfänger Aktion",
    reading="Each section has a table of who sends which message. A message whose sender is the "
    "server is answered with ParsingError (910) if a client sends it.",
    good=examples.LIST,
    bad=examples.message(301, games=[]),
    binds=EVERY_MESSAGE,
)
CONNECT = Clause(
    id="4.1.2",
    section=_CONNECTION,
    quote="Ein Client, der sich mit dem Server verbinden möchte, schickt dem Server ein "
    "ConnectRequest (100).",
    reading="Everything else before that is answered with AccessDenied (900).",
    good=examples.CONNECT,
    bad=Example(examples.LIST, "as the first message"),
    binds=EVERY_MESSAGE,
)
NEW_SESSION = Clause(
    id="4.1.3",
    section=_CONNECTION,
    quote="Er muss sich erneut mit ConnectRequest verbinden.",
    reading="A new connection is a new client with another clientId. Whoever was in a game has "
    "left it.",
    good=Example(examples.CONNECT, "as the first message of every connection"),
    bad=Example(examples.PLAY, "as the first message of a second connection"),
    unseen="to the server a second connection is like any other: what is missing is 4.1.2",
)

# 4.2 Einem Spiel beitreten & Ingame Chat

_JOINING = "Einem Spiel beitreten & Ingame Chat"
GAMES = Clause(
    id="4.2.1",
    section=_JOINING,
    quote="Mit GameJoinRequest (302) und SpectatorJoinRequest (304) kann ein Client einem Spiel "
    "als Spieler, bzw. Beobachter beitreten.",
    reading="The gameId is that of a game in GameListResponse (301). Others, also games that have "
    "been over for a while, are NotAllowed (920).",
    good=examples.JOIN,
    bad=examples.message(302, gameId=-1),
    crossing=True,
    binds=_JOINS,
)
SEATED = Clause(
    id="4.2.2",
    section=_JOINING,
    quote="Wenn ein Client ein JoinAccepted erhält, ohne ein JoinRequest verschickt zu haben, "
    "wurde der Client vom Server zu einem Spiel hinzugefügt.",
    reading="Organisers seat clients in games, and so does `seat_arrivals`. A client that has not "
    "asked has to play all the same.",
    good=Example(examples.PLAY, "after a GameJoinAccepted that the client has not asked for"),
    bad=Example(examples.LIST, "after that, since the client takes itself to be in the lobby"),
    unseen="a client that does not notice it breaks 5.3 or 4.3.3 later",
)
CHAT = Clause(
    id="4.2.3",
    section=_JOINING,
    quote="Zusätzlich unterstützt jeder Server und Client eine Chatfunktion in einem Spiel.",
    reading="A client has to cope with MessageSignal (307) at any time in a game.",
    good=examples.CHAT,
    bad=Example("", "a client that ends when somebody chats"),
    unseen="a server cannot see whether a client shows what others say",
)
TYPES = Clause(
    id="4.2.4",
    section=_JOINING,
    quote="Zusätzlich zu den IDs und den Beschreibungen weiter oben, sieht man hier die einzelnen "
    "Klassen und ihre Attribute.",
    reading="An attribute has the type that the class diagrams and section 4.4 give it: a text, a "
    "whole number of 32 bits, a list, an object. Numbers in quotes are read as well. Anything "
    "else, null included, is answered with ParsingError (910).",
    good=examples.JOIN,
    bad=examples.message(302, gameId="Spiel 7"),
    binds=EVERY_MESSAGE,
)

# 4.3 Spiellogik

_PLAY = "Spiellogik"
OWN_TILES = Clause(
    id="4.3.1",
    section=_PLAY,
    quote="Der Spieler sendet dem Server eigene Steine, die er tauschen möchte.",
    reading="All tiles of TileSwapRequest, and of PlayTiles as well, are in the player's hand. "
    "Otherwise the move is not valid: TileSwapValid or MoveValid with validation false, and what "
    "wrongMove says.",
    good=Example(examples.SWAP, "with these tiles in the hand"),
    bad=Example(examples.SWAP, "with one of them on the board or in another hand"),
    binds=_MOVES,
)
ORIGIN = Clause(
    id="4.3.2",
    section=_PLAY,
    quote="In jedem Spiel muss beim ersten PlayTiles (414) genau einen Stein die Koordinaten "
    "(x, y) = (0, 0) haben.",
    reading="As long as the board is empty, one of the tiles lies on (0, 0); there may be more. "
    "Otherwise MoveValid with validation false, and what wrongMove says.",
    good=examples.PLAY,
    bad=Example(examples.play((17, 5, 5)), "when the board is empty"),
)
TURN_TIME = Clause(
    id="4.3.3",
    section=_PLAY,
    quote="Der Spieler muss innerhalb seiner Zugzeit einen validen Zug mit PlayTiles (414) oder "
    "TileSwapRequest (411) an den Server verschicken.",
    reading="turnTime milliseconds after CurrentPlayer (409) the turn is over and slowMove is due. "
    "A player who can neither lay nor swap breaks nothing, but loses the turn (`auto_skip`).",
    good=Example(examples.PLAY, "within turnTime after CurrentPlayer"),
    bad=Example("", "nothing, or only wrong moves, until the time is up"),
    binds=_MOVES,
)
SWAP_COUNT = Clause(
    id="4.3.4",
    section=_PLAY,
    quote="Ein TileSwapRequest ist nicht valide, wenn der Client mehr Steine anfordert, als er auf "
    "der Hand hat oder noch im Bag sind.",
    reading="Update (416) says how many tiles are in the bag. More than that: TileSwapValid with "
    "validation false, and what wrongMove says.",
    good=Example(examples.SWAP, "with two tiles in the bag"),
    bad=Example(examples.SWAP, "with one tile in the bag"),
)

# 4.4 Erläuterung der Implementierung

_CLASSES = "Erläuterung der Implementierung"
IDS = Clause(
    id="4.4.1",
    section=_CLASSES,
    quote="ID Pseudoname Attribute Erklärung",
    reading="This table and that of section 5 have the ids of all messages. Others, such as the "
    "200 of earlier versions, are answered with ParsingError (910).",
    good=examples.LIST,
    bad=examples.message(200),
    binds=EVERY_MESSAGE,
)
CONNECT_FIELDS = Clause(
    id="4.4.2",
    section=_CLASSES,
    quote="100 ConnectRequest String clientName Name des Spielers",
    reading="Without clientName or clientType: ParsingError (910). The name may be empty.",
    good=examples.CONNECT,
    bad=examples.message(100, clientName="Anna"),
)
JOIN_FIELDS = Clause(
    id="4.4.3",
    section=_CLASSES,
    quote="int gameId ID des Spiels",
    reading="GameJoinRequest and SpectatorJoinRequest have a gameId; gameID is read as well. "
    "Without it: ParsingError (910).",
    good=examples.JOIN,
    bad=examples.message(302),
    binds=_JOINS,
)
CHAT_FIELDS = Clause(
    id="4.4.4",
    section=_CLASSES,
    quote="306 MessageSend String message Die zu übertragene Chat-Nachricht",
    reading="Without message: ParsingError (910).",
    good=examples.CHAT,
    bad=examples.message(306, text="hi"),
)
SWAP_FIELDS = Clause(
    id="4.4.5",
    section=_CLASSES,
    quote="Liste der Steine, die der Spieler tauschen möchte",
    reading="Without tiles, TileSwapRequest is answered with ParsingError (910).",
    good=examples.SWAP,
    bad=examples.message(411),
)
PLAY_FIELDS = Clause(
    id="4.4.6",
    section=_CLASSES,
    quote="Liste der Steine, die der Spieler legen will sowie deren Position auf dem Spielfeld",
    reading="Without tiles, PlayTiles is answered with ParsingError (910).",
    good=examples.PLAY,
    bad=examples.message(414),
)
CLIENT_TYPES = Clause(
    id="4.4.7",
    section=_CLASSES,
    quote="ClientType PLAYER Der Client ist ein aktiver Spieler.",
    reading="clientType is PLAYER or SPECTATOR, in small letters too; the ENGINE_PLAYER of earlier "
    "versions is a PLAYER. Anything else is answered with ParsingError (910).",
    good=examples.CONNECT_SPECTATOR,
    bad=examples.message(100, clientName="Xaver", clientType="OBSERVER"),
)
IN_PROGRESS = Clause(
    id="4.4.8",
    section=_CLASSES,
    quote="Das Spiel läuft",
    reading="Moves before the start, while the game is paused (403) and after the end are "
    "NotAllowed (920).",
    good=Example(examples.PLAY, "after StartGame or ResumeGame"),
    bad=Example(examples.PLAY, "after PauseGame"),
    binds=_MOVES,
)
LOOKING = Clause(
    id="4.4.9",
    section=_CLASSES,
    quote="Zeit für die Visualisierung des letzten Zugs",
    reading="After every turn, also one that ran out, nobody is to move for timeVisualization "
    "milliseconds. Moves before the next CurrentPlayer are NotAllowed (920).",
    good=Example(examples.PLAY, "after CurrentPlayer"),
    bad=Example(examples.PLAY, "after Update, without waiting for CurrentPlayer"),
    binds=_MOVES,
)
TILE_FIELDS = Clause(
    id="4.4.10",
    section=_CLASSES,
    quote="Tile int color Farbe des Spielsteins",
    reading="A tile has color, shape and uniqueId. Without one of them: ParsingError (910).",
    good=examples.SWAP,
    bad=examples.message(411, tiles=[{"color": 2, "shape": 5}]),
    binds=_MOVES,
)
UNIQUE_TILES = Clause(
    id="4.4.11",
    section=_CLASSES,
    quote="einzigartige ID zur eindeutigen Identifizierung jedes Steins",
    reading="A move does not name the same tile twice; tiles that look the same have other ids. "
    "Otherwise it is not valid, and wrongMove says what comes of it.",
    good=examples.SWAP,
    bad=examples.swap(17, 17),
    binds=_MOVES,
)
POSITION_FIELDS = Clause(
    id="4.4.12",
    section=_CLASSES,
    quote="TileOnPosition int x x-Koordinate des Steins",
    reading="A tile on a position has coordX, coordY and tile, as in the committee's library; x "
    "and y, as in the document, are right too. Without one of them: ParsingError (910).",
    good=examples.PLAY,
    bad=examples.bare_play(coordX=0, tile=examples.tile(17)),
)

# 5 Fehlerbehandlung

_ERRORS = "Fehlerbehandlung"
ERRORS = Clause(
    id="5.1",
    section=_ERRORS,
    quote="Fehler werden ebenfalls als Message-Objekt vom Server an den jeweiligen Client "
    "gesendet.",
    reading="A client has no errors to report. AccessDenied, ParsingError and NotAllowed of "
    "clients are ignored, since an error about an error would help nobody.",
    good=Example("", "a line in the client's own log about what it could not read"),
    bad=examples.message(910, message="unknown message", causeId=409),
    binds=EVERY_MESSAGE,
)
CONNECTED = Clause(
    id="5.2",
    section=_ERRORS,
    quote="Client ist schon verbunden.",
    reading="A second ConnectRequest on the same connection is NotAllowed (920).",
    good=Example(examples.CONNECT, "once"),
    bad=Example(examples.CONNECT, "after ConnectAccepted"),
)
LIST_IN_LOBBY = Clause(
    id="5.3",
    section=_ERRORS,
    quote="Client ist schon in einem Spiel.",
    reading="GameListRequest is for clients in the lobby; in a game it is NotAllowed (920). After "
    "Winner (407) everybody is in the lobby again.",
    good=Example(examples.LIST, "in the lobby"),
    bad=Example(examples.LIST, "after GameJoinAccepted"),
    crossing=True,
)
JOIN_IN_LOBBY = Clause(
    id="5.4",
    section=_ERRORS,
    quote="Spieler ist schon in einem Spiel.",
    reading="GameJoinRequest is for clients in the lobby. From a PLAYER that plays or watches it "
    "is NotAllowed (920).",
    good=Example(examples.JOIN, "in the lobby"),
    bad=Example(examples.JOIN, "after GameJoinAccepted"),
    crossing=True,
)
NOT_STARTED = Clause(
    id="5.5",
    section=_ERRORS,
    quote="Das Spiel hat schon angefangen.",
    reading="Only games whose gameState is NOT_STARTED can be joined by players; others are "
    "NotAllowed (920), but can be watched.",
    good=Example(examples.JOIN, "for a game that is NOT_STARTED"),
    bad=Example(examples.JOIN, "for a game that is IN_PROGRESS"),
    crossing=True,
)
PLAYERS_JOIN = Clause(
    id="5.6",
    section=_ERRORS,
    quote="Keine Berechtigung für Beobachter.",
    reading="GameJoinRequest of a client of type SPECTATOR is answered with AccessDenied (900).",
    good=Example(examples.WATCH, "from a SPECTATOR"),
    bad=Example(examples.JOIN, "from a SPECTATOR"),
    binds=("GameJoinRequest",),
)
WATCH_IN_LOBBY = Clause(
    id="5.7",
    section=_ERRORS,
    quote="Client beobachtet oder spielt schon.",
    reading="SpectatorJoinRequest is for clients in the lobby; in a game it is NotAllowed (920).",
    good=Example(examples.WATCH, "in the lobby"),
    bad=Example(examples.WATCH, "after SpectatorJoinAccepted"),
    crossing=True,
)
CHAT_IN_GAME = Clause(
    id="5.8",
    section=_ERRORS,
    quote="Client nicht im Spiel.",
    reading="MessageSend is for clients in a game; in the lobby it is NotAllowed (920).",
    good=Example(examples.CHAT, "in a game"),
    bad=Example(examples.CHAT, "in the lobby"),
)
LEAVE_IN_GAME = Clause(
    id="5.9",
    section=_ERRORS,
    quote="Client nicht im Spiel.",
    reading="LeavingRequest is for clients in a game; in the lobby it is NotAllowed (920). A game "
    "that has ended can still be left once.",
    good=Example(examples.LEAVE, "in a game"),
    bad=Example(examples.LEAVE, "in the lobby"),
)
ACTIVE = Clause(
    id="5.10",
    section=_ERRORS,
    quote="Spieler ist nicht am Zug.",
    reading="PlayTiles and TileSwapRequest are for the player of the latest CurrentPlayer (409). "
    "From others they are NotAllowed (920), without a penalty.",
    good=Example(examples.PLAY, "after a CurrentPlayer with the client's own id"),
    bad=Example(examples.PLAY, "after a CurrentPlayer with another id"),
    binds=_MOVES,
)
PLAYERS_MOVE = Clause(
    id="5.11",
    section=_ERRORS,
    quote="Keine Berechtigung als Beobachter.",
    reading="PlayTiles and TileSwapRequest of whoever watches, or has the type SPECTATOR, are "
    "answered with AccessDenied (900).",
    good=Example(examples.PLAY, "from a player"),
    bad=Example(examples.PLAY, "after SpectatorJoinAccepted"),
    binds=_MOVES,
)
KNOWN_TILES = Clause(
    id="5.12",
    section=_ERRORS,
    quote="Der Stein ist nicht bekannt.",
    reading="A tile has the color, shape and uniqueId with which the server has sent it. One that "
    "the game does not have is answered with ParsingError (910), in TileSwapRequest as well, "
    "without a penalty.",
    good=examples.PLAY,
    bad=examples.bare_play(coordX=0, coordY=0, tile={"color": 0, "shape": 0, "uniqueId": 17}),
    binds=_MOVES,
)
ASK_IN_GAME = Clause(
    id="5.13",
    section=_ERRORS,
    quote="Client nicht im Spiel.",
    reading="Requests about a game (417, 419, 421, 423, 425, 498) are for clients in one; in the "
    "lobby they are NotAllowed (920). A game that has ended can still be asked about until the "
    "client leaves it or joins another.",
    good=Example(examples.SCORES, "in a game"),
    bad=Example(examples.SCORES, "in the lobby"),
    binds=_QUESTIONS,
)
SPECTATORS_ASK = Clause(
    id="5.14",
    section=_ERRORS,
    quote="Keine Berechtigung als Spieler.",
    reading="BagRequest and PlayerHandsRequest of a player are answered with AccessDenied (900).",
    good=Example(examples.BAG, "from whoever watches"),
    bad=Example(examples.BAG, "from a player"),
    binds=("BagRequest", "PlayerHandsRequest"),
)

# 6 Konfiguration

FULL = Clause(
    id="6.1",
    section="Konfiguration",
    quote="Mit der Option max Player Number wird bestimmt, wie viele Spieler in diesem Spiel sein "
    "dürfen.",
    reading="A game that has maxPlayerNumber players is full, unless that is 0: GameJoinRequest "
    "is NotAllowed (920).",
    good=Example(examples.JOIN, "for a game with fewer than maxPlayerNumber players"),
    bad=Example(examples.JOIN, "for a game with maxPlayerNumber players"),
    crossing=True,
)
