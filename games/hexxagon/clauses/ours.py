"""What we have decided where the Hexxagon network standard is silent.

The rules of the game are in the requirements that it extends: «Der Netzwerkstandard stellt eine
Erweiterung des Lastenhefts dar».
"""

from games.hexxagon.clauses import examples
from ludothek.contract.clauses import Clause, Example

_RULES = "Rules of the game"
OWN_STONE = Clause(
    id="ours.own-stone",
    section=_RULES,
    reading="moveFrom is a tile with a stone of the player's own: PLAYERONE for playerOne. A free "
    "or blocked tile, or a stone of the opponent, earns a strike; the player may try again.",
    good=examples.MOVE,
    bad=examples.move(1, 2),
)
FREE_TARGET = Clause(
    id="ours.free-target",
    section=_RULES,
    reading="moveTo is a free tile, and not the one where the stone is. A strike otherwise.",
    good=examples.MOVE,
    bad=examples.move(30, 22),
)
NEAR_TARGET = Clause(
    id="ours.near-target",
    section=_RULES,
    reading="moveTo is one or two steps from moveFrom, whatever is between them. Tiles are "
    "numbered column by column, so neighbouring numbers may be far apart. A strike otherwise.",
    good=examples.MOVE,
    bad=examples.move(30, 19),
)

_COURTESY = "Where the standard is silent"
LATE = Clause(
    id="ours.late",
    section=_COURTESY,
    reading="With `lenient_races`, a LeaveGame, GameMove, LeaveLobby or StartGame that names the "
    "client's last game or lobby is ignored, since it may have been under way when that ended; so "
    "is a StartGame that crosses with the departure of playerTwo. After eight of them: strikes.",
    good=Example("", "nothing about a game after its GameStatus with isClosed true"),
    bad=Example(examples.LEAVE_GAME, "after a GameStatus with isClosed true"),
    binds=("LeaveGame", "GameMove", "LeaveLobby", "StartGame"),
)
NAMES = Clause(
    id="ours.names",
    section=_COURTESY,
    reading="A name has 1 to 64 visible characters, without control characters. Others get "
    "LobbyCreated or LobbyJoined with false, and no strike.",
    good=examples.JOIN,
    bad=examples.message("JoinLobby", lobbyId=examples.LOBBY, userName="x" * 65),
    binds=("CreateNewLobby", "JoinLobby"),
)
TIDY_NAMES = Clause(
    id="ours.tidy-names",
    section=_COURTESY,
    reading="Spaces around a name are removed, and a client without a userName gets one.",
    good=examples.JOIN,
    bad=examples.message("JoinLobby", lobbyId=examples.LOBBY, userName=" Max "),
    binds=("CreateNewLobby", "JoinLobby"),
)
LOBBIES_OF_ONE = Clause(
    id="ours.lobbies-of-one",
    section=_COURTESY,
    reading="A client may have created `max_lobbies_per_client` lobbies that nobody has joined, "
    "and its address `max_lobbies_per_address`. More: LobbyCreated with false, and no strike.",
    good=Example(examples.JOIN, "after the answer to CreateNewLobby"),
    bad=Example(examples.CREATE, "eleven times"),
    binds=("CreateNewLobby",),
)
LOBBIES_OF_ALL = Clause(
    id="ours.lobbies-of-all",
    section=_COURTESY,
    reading="`max_lobbies` lobbies may wait for players. More: LobbyCreated with false, and no "
    "strike.",
    good=Example(examples.JOIN, "for a lobby that is there"),
    bad=Example(examples.CREATE, "when the list is full"),
    binds=("CreateNewLobby",),
)
