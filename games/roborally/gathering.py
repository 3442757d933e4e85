"""Before a game: clients come in, choose a name and figure, and get ready."""

from collections.abc import Sequence
from math import inf

from games.roborally import breaches
from games.roborally.member import Member, Members
from games.roborally.messages import ConnectionUpdate, PlayerValues, Welcome
from games.roborally.notices import IdTaken
from games.roborally.patience import Patience
from games.roborally.recipe import Recipe
from games.roborally.refusals import Refused, dismiss
from games.roborally.settings import OnDisconnect
from ludothek.contract.clauses import Consequence
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Effects, Explain, Inform, Release, Send
from ludothek.contract.orders import OrderRefused
from ludothek.contract.timers import Timers

# The timer: how long players who are ready wait for the others.
PATIENCE = "patience"


class Gathering:
    """Brings the members of a table together for one game."""

    def __init__(self, recipe: Recipe, members: Members, timers: Timers, clock: Clock) -> None:
        settings = recipe.settings
        self._members = members
        self._timers = timers
        self._clock = clock
        self._settings = settings
        self._most_players = min(settings.max_players, len(recipe.course.start_points))
        self._patience = Patience(clock.time, settings.idle_seat_seconds)
        self._over = False
        self.look()

    @property
    def complete(self) -> bool:
        """Whether everybody is ready, and they are enough for a game."""
        return self._enough and all(player.ready for player in self._members.players)

    @property
    def _enough(self) -> bool:
        """Whether those who are ready could play, with at least one person among them."""
        ready = sum(player.ready for player in self._members.players)
        people = any(player.ready for player in self._members.people)
        return ready >= self._settings.min_players and people

    @property
    def _full(self) -> bool:
        return len(self._members.players) >= self._most_players

    def look(self) -> None:
        """Note who is ready and who keeps the others waiting."""
        if not self._over:
            self._patience.look(self._members.people, enough=self._enough)
            self._timers.start(PATIENCE, self._patience.deadline - self._clock.time())

    def end(self) -> None:
        """The game begins; after it, there is another gathering."""
        self._over = True
        self._timers.stop(PATIENCE)

    def choose(self) -> Sequence[Member]:
        """Those who are ready; all players if too few are. Raises OrderRefused."""
        players, least = self._members.players, self._settings.min_players
        ready = [player for player in players if player.ready]
        chosen = ready if len(ready) >= least else players
        if len(chosen) < least:
            raise OrderRefused(f"a game needs {least} players with name and figure")
        return chosen

    # Coming

    def admit(self, client: Client, player_id: int) -> Effects:
        """Let a client come in as this player, if there is a seat."""
        yield from self._free_seat()
        if self._full:
            text = f"There are {self._most_players} players already."
            yield from dismiss(client, breaches.no_seat(self._most_players), text)
            yield Release(client)
            return
        group = client.name = client.visitor.group
        self._members.add(Member(client, player_id, group, self._clock.time()))
        yield Inform(IdTaken())
        yield Send(client, Welcome(player_id))
        yield from self.introduce(client)

    def introduce(self, client: Client) -> Effects:
        """«neu hinzukommende Clients» are told about the players there, and their status."""
        yield from [Send(client, player.added) for player in self._members.players]
        yield from [Send(client, player.status) for player in self._members.players]

    def set_values(self, member: Member, values: PlayerValues) -> Effects:
        """A member has chosen a name and a figure; raises Refused."""
        if not member.is_player:
            yield from self._free_seat()
        name = values.name.strip()
        self._members.set_values(member, name, values.figure, self._most_players)
        if name != values.name and member.client:
            breach = breaches.untidy_name(values.name)
            yield Explain(member.client, breach, Consequence.CORRECTED)
        yield Send(self._members.clients, member.added)
        self.look()

    def set_status(self, member: Member, ready: bool) -> Send:
        """A member is ready, or not any more; raises Refused."""
        if not member.is_player:
            raise Refused(breaches.status_without_values())
        member.ready = ready
        return Send(self._members.clients, member.status)

    # Going

    def longest_watching(self, origin: str) -> Client | None:
        """Who has watched longest, and too long if others want in; preferably of this origin."""
        long_ago = self._clock.time() - (self._settings.idle_seat_seconds or inf)
        found = [client for each, client in self._members.strangers if each.since <= long_ago]
        near = [client for client in found if client.origin == origin]
        return next(iter(near or found), None)

    def lose_patience(self) -> Effects:
        """Send away those who were not ready for too long."""
        for member in self._patience.overdue:
            yield from self.send_away(member, "You were not ready, and the others have waited.")

    def _free_seat(self) -> Effects:
        """If no seat is free, take that of the player who has been unready longest."""
        for member in self._patience.overdue[:1] if self._full else ():
            yield from self.send_away(member, "You were not ready, and somebody else wants in.")

    def send_away(self, member: Member, reason: str) -> Effects:
        client = member.client
        self._members.remove(member)
        self.look()
        if client is not None:
            yield from dismiss(client, breaches.seat_wanted(reason), reason)
            yield Release(client)
        if member.is_player:
            yield Send(self._members.clients, gone(member, OnDisconnect.REMOVE))


def gone(member: Member, policy: OnDisconnect) -> ConnectionUpdate:
    """A player is gone, and this is what happens to its robot."""
    return ConnectionUpdate(member.player_id, False, policy.action)
