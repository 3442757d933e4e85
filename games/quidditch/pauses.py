"""Pausing and going on, by players and by the organiser (section 11)."""

from games.quidditch.arena import Arena
from games.quidditch.member import Member, Members
from games.quidditch.messages import PauseResponse
from ludothek.contract.effects import Effect, Effects, Send
from ludothek.contract.orders import OrderRefused

# The user name in a pauseResponse that no client asked for.
ORGANISER = "organiser"


class Pauses:
    """Decides who may stop and restart the clocks, and tells everybody."""

    def __init__(self, arena: Arena, members: Members, max_text: int) -> None:
        self._arena = arena
        self._members = members
        self._max_text = max_text

    def pause(self, member: Member, text: str) -> Effects:
        """«KI-Clients dürfen keine Pausen verlangen», nor may spectators; all get an answer."""
        match = self._arena.match
        plays = self._arena.side_of(member) is not None
        human = not member.visitor.is_artificial_intelligence
        if match and plays and human and match.may_be_paused(member.name):
            match.pause(member.name)
        yield self._response(text, member.name)

    def go_on(self, member: Member, text: str) -> Effects:
        """«bis einer der Mitspieler anzeigt, dass er weiterspielen möchte»"""
        match = self._arena.match
        plays = self._arena.side_of(member) is not None
        goes_on = match is not None and match.paused and plays and not match.halted
        resumed = tuple(self._arena.resume(match, member.name)) if match and goes_on else ()
        yield self._response(text, member.name)
        yield from resumed

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
