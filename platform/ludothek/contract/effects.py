"""What tables and receptions may ask of the core.

A table or reception answers each happening with effects. The core first collects and checks all of
them and encodes all messages, and only then performs them, in order: if anything fails before that,
none of them takes place.
"""

import random
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, get_args

from ludothek.contract.chance import Chance
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.client import Client
from ludothek.contract.frozen import frozen
from ludothek.contract.keeping import Room
from ludothek.contract.results import Place
from transports import Complaint, Farewell

if TYPE_CHECKING:
    from ludothek.contract.table import Table

# For both


@frozen
class Send:
    """Send one message to one or several clients; it is encoded once."""

    to: Client | Iterable[Client]
    message: Any


@frozen
class Fetch:
    """Send one client a message that takes long to make; a worker thread makes and encodes it.

    A client that asks for the same message again before it is ready gets it once.
    """

    to: Client
    make: Callable[[], Any]


@frozen
class Work:
    """Have something slow done in a worker thread; `worked` hears the result.

    Expected failures are results too: an exception counts as a bug, and the result is None.
    """

    about: Hashable  # tells results apart
    do: Callable[[], Any]
    client: Client | None = None  # whose connection a bug ends, if it is done for a client


@frozen
class Kick:
    """End a client's connection after everything sent so far has reached it."""

    client: Client
    farewell: Farewell


@frozen
class Drop:
    """End a client's connection because it has broken a limit; it is told so, and counted."""

    client: Client
    complaint: Complaint


@frozen
class Save:
    """Keep a file in the state directory; a worker thread makes its content.

    Of all files in the folder, as many are kept as the room allows, in fair shares.
    """

    folder: str
    name: str
    content: Callable[[], bytes]
    room: Room


@frozen
class Chore:
    """Have a task that waits for a disk done in a worker thread.

    Nobody is told the outcome; it may raise OSError.
    """

    do: Callable[[], None]


@frozen
class Explain:
    """Let people see which clause a client has broken, and what came of it.

    It goes with every message that is refused, struck, ignored or corrected, and with every kick,
    before the answer. The client itself gets nothing of it.
    """

    client: Client
    breach: Breach
    consequence: Consequence = Consequence.REFUSED


# For tables


@frozen
class Release:
    """Let a client go back to the reception; its connection stays open."""

    client: Client


@frozen
class Close:
    """End this lobby; clients that are still in it go back to the reception."""


@frozen
class Renew:
    """What was before no longer matters: the table could be made from this recipe now.

    For tables that outlive their matches, which would otherwise have to be repeated from the very
    first one. The core gives the table's generator a new seed, which does not follow from the old
    one: whoever has the record of a match must not be able to compute the next one.
    """

    recipe: Any
    chance: random.Random


@frozen
class Inform:
    """Tell the reception something; it hears it after the current step."""

    notice: Any


@frozen
class Began:
    """A match has begun between players of these names, in the order of turns."""

    players: Sequence[str]


@frozen(kw_only=True)
class Ended:
    """The match that has begun is over; the log and the results file record it.

    A table yields it once for each match, however it ends; if it does not, the lobby does.
    """

    players: Sequence[Place]
    winner: str | None
    reason: str  # one word: regular, left, timeout, aborted or one of the game's own
    moves: int


# For receptions. Effects on a lobby take place at once: what its table answers comes before the
# effects that follow.


@frozen
class Open:
    """Open a lobby."""

    lobby: str  # its key
    table: "Table"
    chance: Chance  # with which the table was made, from `Desk.chance_for`
    opener: Client | None = None  # counts for its address as long as the lobby is open


@frozen
class Admit:
    """Let a client into a lobby, whose table hears `enter`.

    From then on the table receives the client's messages until it is released. Without `listen`,
    the client is in the lobby as well, but the reception still receives its messages; it can be in
    several lobbies, and enter one of them repeatedly.
    """

    client: Client
    lobby: str
    admission: Any
    listen: bool = True


@frozen
class Pass:
    """Pass a client's message on to the table of a lobby, which receives it."""

    client: Client
    lobby: str
    message: Any


@frozen
class Tell:
    """Tell the table of a lobby something; it hears `told`."""

    lobby: str
    notice: Any


@frozen
class Retire:
    """Let the current match of a lobby be its last; if none is being played, close the lobby."""

    lobby: str


@frozen
class Hold:
    """Handle no more messages of a client until `Unhold`; they wait."""

    client: Client


@frozen
class Unhold:
    """Handle a client's messages again."""

    client: Client


Common = Send | Fetch | Work | Kick | Drop | Save | Chore | Explain
TableEffect = Common | Release | Close | Renew | Inform | Began | Ended
ReceptionEffect = Common | Open | Admit | Pass | Tell | Retire | Hold | Unhold
TABLE_EFFECTS = frozenset(get_args(TableEffect))
RECEPTION_EFFECTS = frozenset(get_args(ReceptionEffect))
Effect = TableEffect | ReceptionEffect
Effects = Iterable[Effect]
