"""What we have decided where the network standard is silent."""

from games.quidditch.clauses import examples
from ludothek.contract.clauses import Clause, Example

_LOGIN = "Login, where the standard is silent"
LOGIN_TIME = Clause(
    id="ours.login-time",
    section=_LOGIN,
    reading="The joinRequest comes within `login_seconds` of connecting. Error 200 otherwise.",
    good=Example(examples.JOIN, "right after connecting"),
    bad=Example("", "a connection on which nothing is sent"),
)
ORGANISER = Clause(
    id="ours.organiser",
    section=_LOGIN,
    reading="Nobody is called organiser, in small letters or capitals: a pauseResponse with that "
    "userName is the organiser's. Error 203.",
    good=examples.JOIN,
    bad=examples.changed(examples.JOIN, userName="Organiser"),
)
LOGINS_WAITING = Clause(
    id="ours.logins-waiting",
    section=_LOGIN,
    reading="1000 logins wait for their passwords to be checked, 100 of them from one address. "
    "More: error 200.",
    good=Example(examples.JOIN, "again, some seconds later"),
    bad=Example(examples.JOIN, "on hundreds of connections at once"),
    rare="only a server that is full insists on it",
)
NEW_NAMES = Clause(
    id="ours.new-names",
    section=_LOGIN,
    reading="One address creates `registrations_per_hour` accounts at most. More: error 200.",
    good=Example(examples.JOIN, "with the same userName every time"),
    bad=Example(examples.JOIN, "with another userName every time"),
    rare="only a server that is full insists on it",
)
ACCOUNTS = Clause(
    id="ours.accounts",
    section=_LOGIN,
    reading="When accounts cannot be read or written, nobody can log in. Error 200.",
    good=Example(examples.JOIN, "again, when the operator has repaired it"),
    bad=Example(examples.JOIN, "while the disk is full"),
    unseen="it is not the client's mistake",
    rare="only a server that is full insists on it",
)

_LOBBIES = "Lobbies, where the standard is silent"
LOBBIES_OF_ALL = Clause(
    id="ours.lobbies-of-all",
    section=_LOBBIES,
    reading="There are `max_lobbies` lobbies. When somebody is in each of them, a joinRequest that "
    "names another one is error 204.",
    good=Example(examples.JOIN, "for a lobby that is there"),
    bad=Example(examples.JOIN, "for a new one, when there are no more"),
    crossing=True,
    rare="only a server that is full insists on it",
)
LOBBIES_OF_ADDRESS = Clause(
    id="ours.lobbies-of-address",
    section=_LOBBIES,
    reading="One address opens `max_lobbies_per_address` lobbies. When somebody is in each of "
    "them, a joinRequest that names another one is error 204.",
    good=Example(examples.JOIN, "for a lobby that is there"),
    bad=Example(examples.JOIN, "for one more lobby from the same address"),
    rare="only a server that is full insists on it",
)
ENDING = Clause(
    id="ours.ending",
    section=_LOBBIES,
    reading="A server that is about to end opens no lobbies any more. Error 204.",
    good=Example(examples.JOIN, "for a lobby that is there"),
    bad=Example(examples.JOIN, "for a new one, while the server drains"),
    unseen="it is not the client's mistake",
    rare="only a server that is about to end insists on it",
    crossing=True,
)
CROWDED = Clause(
    id="ours.crowded",
    section=_LOBBIES,
    reading="`max_clients_per_lobby` clients are in one lobby, and as many of one address as "
    "`max_clients_per_lobby_and_address` says. More: error 204. Whoever was there may come back.",
    good=Example(examples.JOIN, "for another lobby"),
    bad=Example(examples.JOIN, "for a lobby that is full"),
    crossing=True,
    rare="only a server that is full insists on it",
)

_TALK = "Talking, where the standard is silent"
TEXT_LENGTH = Clause(
    id="ours.text-length",
    section=_TALK,
    reading="A text to everybody has `chat_length` characters at most. A longer sendChat is "
    "ignored, with warning 300; the message of a longer pauseRequest or continueRequest is cut.",
    good=examples.CHAT,
    bad=examples.message("sendChat", information="x" * 501),
    binds=("SendChat", "PauseRequest", "ContinueRequest"),
)
TEXT_RATE = Clause(
    id="ours.text-rate",
    section=_TALK,
    reading="One user says something to everybody (sendChat, pauseRequest, continueRequest) once a "
    "second, or twenty times at once; all spectators together five times a second, or fifty times "
    "at once. Every 100 bytes of a text count as one. More is ignored, with warning 300.",
    good=Example(examples.CHAT, "once a second"),
    bad=Example(examples.CHAT, "in a loop"),
    binds=("SendChat", "PauseRequest", "ContinueRequest"),
)

_MATCH = "Matches, where the standard is silent"
FORMATION_AGAIN = Clause(
    id="ours.formation-again",
    section=_MATCH,
    reading="Nothing in reconnect says whether the formation of a player has arrived, so a player "
    "who has come back may send it again while teams line up. Once the match has begun it is "
    "ignored, with warning 300.",
    good=Example(examples.FORMATION, "after a reconnect in which snapshot is null"),
    bad=Example(examples.FORMATION, "after a reconnect with a snapshot"),
)
AFTER_THE_END = Clause(
    id="ours.after-the-end",
    section=_MATCH,
    reading="A deltaRequest or teamFormation of a player of the last match is ignored, since it "
    "may have been under way when that ended.",
    good=Example("", "no answer after matchFinish"),
    bad=Example(examples.MOVE, "after matchFinish"),
    binds=("DeltaRequest", "TeamFormation"),
)
PAUSE_AGAIN = Clause(
    id="ours.pause-again",
    section=_MATCH,
    reading="A player whose pause somebody else has ended cannot pause again until the open "
    "question is answered or its time is up; everybody gets a pauseResponse with pause false.",
    good=Example(examples.PAUSE, "after the next snapshot"),
    bad=Example(examples.PAUSE, "right after the other player's continueRequest"),
)
ORGANISERS_PAUSE = Clause(
    id="ours.organisers-pause",
    section=_MATCH,
    reading="Only the organiser ends a pause of the organiser; everybody gets a pauseResponse with "
    "pause true.",
    good=Example(examples.CONTINUE, "after a pauseResponse of a player"),
    bad=Example(examples.CONTINUE, "after a pauseResponse whose userName is organiser"),
)
