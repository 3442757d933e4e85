"""What the network standard REVIEWME-14 demands of the conversation, sentence by sentence.

An id is the number of the section and the number of the clause in it. `teams` has what concerns
teams and formations, `deltas` what concerns turns.
"""

from games.quidditch.clauses import examples
from ludothek.contract.clauses import EVERY_MESSAGE, Clause, Example

# 2 About this document

TEXT = Clause(
    id="2.1",
    section="About this document",
    quote="Alle Json Nachrichten werden per Websocket Protokoll verschickt.",
    reading="A message is one text frame (it may be fragmented), in UTF-8. A binary frame is "
    "error 251 or 151.",
    good=examples.DEBUG,
    bad=Example("", "the same bytes in a binary frame"),
    binds=EVERY_MESSAGE,
)
CONTAINER = Clause(
    id="2.2",
    section="About this document",
    quote="Falls ein json nicht im Container Format geschickt wird, ist es eine "
    "Protokollverletzung.",
    reading="Every message has a payloadType, which is a text, and a payload. Without them: error "
    "252 or 152. The timestamp is not looked at, and may be missing.",
    good=examples.DEBUG,
    bad='{"information": "hagrid, I love Magic"}',
    binds=EVERY_MESSAGE,
)
PLAYERS_ONLY = Clause(
    id="2.1.1",
    section="Whole Game Sequence in short",
    quote="Ein Zuschauer wird zum Spieler, indem er seine Team-Konfiguration an den Server sendet "
    "und diese erfolgreich angenommen wird.",
    reading="Only the two players of the running match send a teamFormation or a deltaRequest. "
    "From spectators, and from players who wait for an opponent: error 254.",
    good=Example(examples.MOVE, "from a user whom matchStart names"),
    bad=Example(examples.MOVE, "from a spectator"),
    binds=("TeamFormation", "DeltaRequest"),
)

# 4 Container

JSON = Clause(
    id="4.1.1",
    section="Container: Description",
    quote="Der Container ist ein valides Json-Objekt und beschreibt den strukturellen Zusammenhang "
    "der definierenten jsonpayload Formate.",
    reading="A text frame is exactly one JSON object. No JSON: error 251 or 151. JSON, but not an "
    "object: 252 or 152.",
    good=examples.DEBUG,
    bad="hagrid, I love Magic",
    binds=EVERY_MESSAGE,
)
UNDEFINED = Clause(
    id="4.1.2",
    section="Container: Description",
    quote="Falls der payloadType hier nicht definiert ist, wird er einfach ignoriert.",
    reading="The names are those of section 4.2.1 and of the mods, with the same capitals. A "
    "message with another one is ignored, and nobody is told.",
    good=examples.DEBUG,
    bad=examples.message("SendDebug", information="hagrid, I love Magic"),
    binds=EVERY_MESSAGE,
)
REQUESTS = Clause(
    id="4.3.3.1",
    section="Overview",
    quote="request: Client sendet an Server",
    reading="Clients send only what is in that column. What only servers send, matchConfig "
    "included, is error 254 or 154; 208 before the login.",
    good=examples.DEBUG,
    bad=examples.message("globalDebug", information="50 points to gryffindor"),
    binds=EVERY_MESSAGE,
)
DEBUG_FIELDS = Clause(
    id="4.4.2.1.1",
    section="sendDebug",
    quote='"information" : "(string)"',
    reading="Without information: error 253 or 153.",
    good=examples.DEBUG,
    bad=examples.without("information", examples.DEBUG),
)

# 4.5 Login

JOIN_FIRST = Clause(
    id="4.5.1",
    section="Login",
    quote="Die `joinRequest` ist in jedem Fall die erste Nachricht, welche ein Client an den "
    "Server sendet.",
    reading="Before it, every other message that the standard defines is error 208. After the "
    "joinResponse, a second joinRequest is 254 or 154.",
    good=Example(examples.JOIN, "as the first message"),
    bad=Example(examples.TEAM, "as the first message"),
    binds=EVERY_MESSAGE,
)
MODS = Clause(
    id="4.5.2",
    section="Login",
    quote="Falls der Server die angegebenen `mods` nicht unterstützt, muss die Verbindung vom "
    "Server geschlossen werden.",
    reading="chat, disableGenderBalance, replayWithSnapshot, lobbies and test are supported; error "
    "and warning are accepted without effect. Any other mod is error 202.",
    good=examples.changed(examples.JOIN, mods=["chat"]),
    bad=examples.changed(examples.JOIN, mods=["Chat"]),
)
ONE_CONNECTION = Clause(
    id="4.5.3",
    section="Login",
    quote="Es kann immer nur eine Verbindung für einen `userName` existieren.",
    reading="The newest login counts: the older connection gets error 201 and is closed, the newer "
    "one gets warning 301 and takes its place, in a match too.",
    good=Example(examples.JOIN, "after the other connection was closed"),
    bad=Example(examples.JOIN, "on a second connection at the same time"),
)
WRONG_PASSWORD = Clause(
    id="4.5.4",
    section="Login",
    quote="Das `password` gehört zum `userName`.",
    reading="A user name belongs to the first password that was sent with it, on the whole server "
    "and across restarts. Another password is error 206; so is the name of a bot of the server.",
    good=Example(examples.JOIN, "with the password of the first login"),
    bad=Example(examples.changed(examples.JOIN, password="42"), "after a login with 1337"),
)
ONE_MATCH = Clause(
    id="4.5.5",
    section="Login",
    quote="Der Server unterstützt immer nur eine Partie gleichzeitig pro lobby.",
    reading="A teamConfig during a match is ignored, with warning 302.",
    good=Example(examples.TEAM, "after matchFinish"),
    bad=Example(examples.TEAM, "after matchStart"),
    crossing=True,
)
USER_NAME_SIGNS = Clause(
    id="4.5.1.1.1",
    section="(string/userNameType)",
    quote="Darf nur folgende Zeichen enthalten `regex=[a-zA-Z0-9]`",
    reading="Letters A to Z and digits; no spaces, no umlauts. Another one is error 203.",
    good=examples.JOIN,
    bad=examples.changed(examples.JOIN, userName="deal with it"),
)
USER_NAME_LENGTH = Clause(
    id="4.5.1.1.2",
    section="(string/userNameType)",
    quote="muss 3 bis 20 Zeichen lang sein. (Anmerkung Zeichen != Byte)",
    reading="A shorter or longer userName is error 203.",
    good=examples.JOIN,
    bad=examples.changed(examples.JOIN, userName="dw"),
)
LOBBY_SIGNS = Clause(
    id="4.5.1.2.1",
    section="(string/lobbyType)",
    quote="Darf nur folgende Zeichen enthalten `regex=[a-zA-Z0-9]`",
    reading="Letters A to Z and digits; no spaces, no umlauts. Another one is error 204.",
    good=examples.JOIN,
    bad=examples.changed(examples.JOIN, lobby="Memes Only"),
)
LOBBY_LENGTH = Clause(
    id="4.5.1.2.2",
    section="(string/lobbyType)",
    quote="muss 3 bis 40 Zeichen lang sein. (Anmerkung Zeichen != Byte)",
    reading="A shorter or longer lobby is error 204.",
    good=examples.JOIN,
    bad=examples.changed(examples.JOIN, lobby=""),
)
JOIN_FIELDS = Clause(
    id="4.5.2.1.1",
    section="joinRequest",
    quote='"lobby": "(string/lobbyType)", "userName": "(string/userNameType)", "password" : '
    '"(string)", "isArtificialIntelligence": "(boolean)", "mods": ["(string)"]',
    reading="All five fields are necessary; mods may be empty. Without one: error 253.",
    good=examples.JOIN,
    bad=examples.without("mods", examples.JOIN),
)

# 11 Pause

PAUSE_PLAYING = Clause(
    id="11.1.1",
    section="Pause: Description",
    quote="Eine Pause-Request kann von allen spielenden Clients an den Server gesendet werden.",
    reading="From spectators, and when no match is running, it changes nothing; everybody gets a "
    "pauseResponse with the state as it is.",
    good=Example(examples.PAUSE, "from a player, after matchStart"),
    bad=Example(examples.PAUSE, "from a spectator"),
)
CONTINUE_PLAYING = Clause(
    id="11.1.2",
    section="Pause: Description",
    quote="Außerdem können alle spielenden Clients eine Continue-Request an den Server senden.",
    reading="From spectators, and when no match is running, it changes nothing; everybody gets a "
    "pauseResponse with the state as it is.",
    good=Example(examples.CONTINUE, "from a player, after a pauseResponse with pause true"),
    bad=Example(examples.CONTINUE, "from a spectator"),
)
NO_PAUSE_OF_AI = Clause(
    id="11.1.3",
    section="Pause: Description",
    quote="KI-Clients dürfen keine Pausen verlangen.",
    reading="The pauseRequest of a user that has logged in with isArtificialIntelligence true "
    "changes nothing; everybody gets a pauseResponse. It may send continueRequest.",
    good=Example(examples.PAUSE, "from a player who is no AI"),
    bad=Example(examples.PAUSE, "from an AI"),
)
PAUSE_FIELDS = Clause(
    id="11.2.1.1",
    section="pauseRequest",
    quote='"message" : "(string)"',
    reading="Without message: error 253 or 153. It may be empty.",
    good=examples.PAUSE,
    bad=examples.without("message", examples.PAUSE),
)
CONTINUE_FIELDS = Clause(
    id="11.2.2.1",
    section="continueRequest",
    quote='"message" : "(string)"',
    reading="Without message: error 253 or 153. It may be empty.",
    good=examples.CONTINUE,
    bad=examples.without("message", examples.CONTINUE),
)

# 13 Replay

REPLAY = Clause(
    id="13.1.1",
    section="Replay: Description",
    quote="Das getReplay bezieht sich immer auf das letzte MatchFinish, falls es noch kein Spiel "
    "in dieser lobby gab wird der Client gekickt.",
    reading="getReplay and getReplayWithSnapshot before the first matchFinish of a lobby are error "
    "254, or 154 from a player.",
    good=Example(examples.REPLAY, "after matchFinish"),
    bad=Example(examples.REPLAY, "before any match was finished in the lobby"),
    binds=("GetReplay", "GetReplayWithSnapshot"),
)
PASSWORD = Clause(
    id="13.4.5.1",
    section="Error and Warning List",
    quote="Error: invalid password (too long or forbidden characters)",
    reading="A password has 0 to 128 characters, none of them a control character. Error 205 "
    "otherwise.",
    good=examples.JOIN,
    bad=examples.changed(examples.JOIN, password="13\n37"),
)
TYPES = Clause(
    id="13.4.5.2",
    section="Error and Warning List",
    quote="the payload does not correspond to the desired format (e.g. missing Fields or fields "
    "have wrong types e.g. String instead of Int)",
    reading='Types are exact: "3" is not a number, 0 is not false, and only the fields of a '
    "deltaRequest may be null. A payload is an object. Error 253 or 153.",
    good=examples.JOIN,
    bad=examples.changed(examples.JOIN, isArtificialIntelligence="false"),
    binds=EVERY_MESSAGE,
)
FORMED = Clause(
    id="13.4.5.3",
    section="Error and Warning List",
    quote="if a player sends a second teamFormation this will be true",
    reading="A second teamFormation is error 154. Only a player who has come back after matchStart "
    "may send it again (ours.formation-again).",
    good=Example(examples.FORMATION, "once, after matchStart"),
    bad=Example(examples.FORMATION, "twice"),
)
PAUSED = Clause(
    id="13.4.5.4",
    section="Error and Warning List",
    quote="Warning: deltaRequest received while game is paused, please make a break",
    reading="During a pause a deltaRequest is ignored, with warning 304. The open next is repeated "
    "when the match goes on.",
    good=Example(examples.MOVE, "after the next that follows a pauseResponse with pause false"),
    bad=Example(examples.MOVE, "after a pauseResponse with pause true"),
    crossing=True,
    binds=("DeltaRequest",),
)

# 14 standardisierte Mods

MOD_NAMED = Clause(
    id="14.1.1",
    section="standardisierte Mods: Description",
    quote="Falls der Server und der userClient die Mods unterstützen können diese im login so "
    "aktiviert werden",
    reading="sendChat, getReplayWithSnapshot and testRequest are ignored, with warning 300, from "
    "clients that have not named the mod in their joinRequest.",
    good=Example(examples.CHAT, 'after a joinRequest with the mods ["chat"]'),
    bad=Example(examples.CHAT, "after a joinRequest without mods"),
    binds=("SendChat", "GetReplayWithSnapshot", "TestRequest"),
)
CHAT_FIELDS = Clause(
    id="14.2.2.1.1",
    section="sendChat",
    quote='"information" : "(string)"',
    reading="Without information: error 253 or 153.",
    good=examples.CHAT,
    bad=examples.without("information", examples.CHAT),
)
TEST_FIELDS = Clause(
    id="14.6.2.1",
    section="testRequest",
    quote='"testType":"snapshot-delta-snapshot", // noch keine Anderen Typen',
    reading="testType, snapshot and delta are necessary; createdByTeamXX and description are not "
    "looked at. Error 253 or 153.",
    good=Example("", "a testRequest with testType, snapshot and delta"),
    bad=examples.message("testRequest", testType="snapshot-delta-snapshot"),
    binds=("TestRequest",),
)
