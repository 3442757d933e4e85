"""Pausing and resuming, by players and by the organiser (section 11)."""

from games.quidditch import breaches
from games.quidditch.arena import Arena
from games.quidditch.member import Member, Members
from games.quidditch.messages import PauseResponse
from ludothek.contract.clauses import Breach
from ludothek.contract.client import Client
from ludothek.contract.effects import Effect, Effects, Explain, Send
from ludothek.contract.orders import OrderRefused

# The user name in a pauseResponse that no client asked for.
ORGANISER = "organiser"


class Pauses:
    """Decides who may stop and restart the clocks, and tells everybody."""

    def __init__(self, arena: Arena, members: Members, max_text: int) -> None:
        self._arena = arena
        self._members = members
        self._max_text = max_text

    def pause(self, member: Member, client: Client, text: str) -> Effects:
        """«KI-Clients dürfen keine Pausen verlangen», nor may spectators; all get an answer."""
        match = self._arena.match
        if breach := self._pause_breach(member):
            yield Explain(client, breach)
        elif match is not None and not match.paused:
            match.pause(member.name)
        yield self._response(text, member.name)

    def _pause_breach(self, member: Member) -> Breach | None:
        """Why a member may not pause the match; None if it may, or if that has happened."""
        match = self._arena.match
        if match is None or self._arena.side_of(member) is None:
            return breaches.pause_of_spectator()
        if member.visitor.is_artificial_intelligence:
            return breaches.pause_of_ai()
        if match.paused or match.may_be_paused(member.name):
            return None
        return breaches.pause_again()

    def go_on(self, member: Member, client: Client, text: str) -> Effects:
        """«bis einer der Mitspieler anzeigt, dass er weiterspielen möchte»"""
        match = self._arena.match
        resumed: Effects = ()
        if breach := self._continuing_breach(member):
            yield Explain(client, breach)
        elif match is not None and match.paused:
            resumed = tuple(self._arena.resume(match, member.name))
        yield self._response(text, member.name)
        yield from resumed

    def _continuing_breach(self, member: Member) -> Breach | None:
        """Why a member may not end a pause; None if it may, or if there is none."""
        match = self._arena.match
        if match is None or self._arena.side_of(member) is None:
            return breaches.continue_of_spectator()
        return breaches.organisers_pause() if match.paused and match.halted else None

    def halt(self) -> Effects:
        """The organiser's pause: no player can end it."""
        match = self._arena.match
        if match is None:
            raise OrderRefused("no match is running")
        match.pause(ORGANISER, halted=True)
        yield self._response("The organiser has paused the match.", ORGANISER)

    def unhalt(self) -> Effects:
        match = self._arena.match
        if match is None or not match.paused:
            raise OrderRefused("no match is paused")
        resumed = tuple(self._arena.resume(match, ORGANISER))
        yield self._response("The organiser lets the match go on.", ORGANISER)
        yield from resumed

    def current(self) -> PauseResponse | None:
        """What a client is told when it comes into a paused match."""
        match = self._arena.match
        if match is None or not match.paused:
            return None
        return PauseResponse(message="", user_name=match.paused_by, pause=True)

    def _response(self, text: str, user_name: str) -> Effect:
        """«In allen Fällen broadcastet der Server eine Pause-Response an alle Clients.»"""
        paused = self._arena.match is not None and self._arena.match.paused
        text = text[: self._max_text]
        response = PauseResponse(message=text, user_name=user_name, pause=paused)
        return Send(self._members.clients, response)
