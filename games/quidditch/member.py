"""Who is in a lobby."""

from collections.abc import Callable, Sequence

import attrs

from games.quidditch.messages import Lobbies
from games.quidditch.mods import Mod
from ludothek.runtime.client import Client
from transports import Bucket, Rate

# What one user may say to everybody, so that neither slow readers nor replays are flooded.
SAYINGS = Rate(per_second=1, burst=20)
# What all may say together who only watch: somebody with many names is still one person.
MURMURS = Rate(per_second=5, burst=50)
# Bytes of a text that counts as one. Whoever thinks for a minute without reading is given up when
# something waits that its system does not take: a hundred kilobytes are enough for that.
SAYING_BYTES = 100
# As how many a text counts at most, so that whatever `chat_length` allows can be said.
MOST_SAYINGS = 10.0


@attrs.frozen(kw_only=True)
class Login:
    """Somebody who has proved who it is and wants to come in."""

    user_name: str
    is_artificial_intelligence: bool = False
    mods: frozenset[Mod] = frozenset()
    replaces_other: bool = False  # an older connection of the same user was closed for it
    lobbies: Callable[[], Lobbies] | None = None  # for those who want to know, once they are in


@attrs.define(eq=False)
class Member:
    """A user in the lobby, spectator or player."""

    login: Login
    client: Client | None  # None while a player is gone and may come back

    @property
    def name(self) -> str:
        return self.login.user_name


@attrs.define(eq=False)
class Company:
    """The members of a lobby, in the order in which they came."""

    _time: Callable[[], float]
    _members: dict[str, Member] = attrs.field(factory=dict)
    # How much more each may say, also those who have left: coming back makes nobody louder.
    _sayings: dict[str, Bucket] = attrs.field(factory=dict)
    _murmurs: Bucket = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._murmurs = Bucket(MURMURS, self._time())

    def admit(self, login: Login, client: Client) -> Member:
        """Let somebody in; who is there already under that name is the same user."""
        member = self._members.get(login.user_name)
        if member is None:
            member = Member(login, client)
            self._members[login.user_name] = member
        member.login, member.client = login, client
        return member

    def may_speak(self, member: Member, text: str, *, plays: bool) -> bool:
        """Whether somebody may say something to everybody once more, which it does then.

        A long text counts as several. Players never have to wait for those who watch.
        """
        if member.name not in self._sayings:
            self._forget_silent()
            self._sayings[member.name] = Bucket(SAYINGS, self._time())
        worth = min(max(1.0, len(text.encode()) / SAYING_BYTES), MOST_SAYINGS)
        if not self._sayings[member.name].afford(worth, self._time):
            return False
        return plays or self._murmurs.afford(worth, self._time)

    def _forget_silent(self) -> None:
        now = self._time()
        self._sayings = {n: each for n, each in self._sayings.items() if not each.is_full(now)}

    def dismiss(self, member: Member) -> None:
        self._members.pop(member.name, None)

    def dismiss_lost(self) -> None:
        self._members = {name: each for name, each in self._members.items() if each.client}

    def of(self, client: Client) -> Member | None:
        return next((each for each in self._members.values() if each.client is client), None)

    def find(self, user_name: str) -> Member | None:
        return self._members.get(user_name)

    @property
    def present(self) -> Sequence[Member]:
        return [each for each in self._members.values() if each.client]

    @property
    def clients(self) -> Sequence[Client]:
        return [each.client for each in self._members.values() if each.client]

    def clients_with(self, mod: Mod) -> Sequence[Client]:
        return [e.client for e in self._members.values() if e.client and mod in e.login.mods]

    def names(self, choose: Callable[[str], bool] = lambda name: True) -> tuple[str, ...]:
        return tuple(each.name for each in self.present if choose(each.name))
