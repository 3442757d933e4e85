"""The judge: what a game of a tournament comes to for each entrant, and why."""

from collections.abc import Sequence

import attrs

from ludothek.arena.outcome import Finish, Reason, Thinking
from ludothek.arena.seat import Seat
from ludothek.arena.timekeeper import Timekeeper
from ludothek.contract.clauses import Consequence
from ludothek.contract.effects import Ended
from ludothek.contract.results import Place
from transports import Complaint

# Limits of the server that only somebody breaks who sends or reads in the wrong amount.
FLOODS = {
    Complaint.TOO_MANY_MESSAGES,
    Complaint.TOO_MANY_BYTES,
    Complaint.OUTBOX_FULL,
    Complaint.SLOW_WRITE,
}

# In the words in which games say why they are over.
TIMEOUT, VIOLATION = "timeout", "violation"


@attrs.frozen
class Judge:
    """Judges after the end; offences during the game are known already."""

    seats: Sequence[Seat]
    ended: Ended | None  # None: the match has not begun
    times: Timekeeper

    def finishes(self, logs: Sequence[str | None]) -> tuple[Finish, ...]:
        """How the game ended for each seat."""
        places = self.ended.players if self.ended else ()
        ranks = self._ranks(places)
        return tuple(
            Finish(
                rank=ranks[seat.number],
                points=places[seat.number].score if places else None,
                reason=seat.offence.reason if seat.offence else Reason.REGULAR,
                words=seat.offence.words if seat.offence else "",
                thinking=self.times.thinking(seat.client.number) if seat.client else Thinking(),
                log=logs[seat.number],
            )
            for seat in self.seats
        )

    def _ranks(self, places: Sequence[Place]) -> list[int | None]:
        """Offenders are last together; without them, the others are as the game has it."""
        if not any(seat.offence for seat in self.seats):
            return [place.rank for place in places]
        innocent = [seat.number for seat in self.seats if seat.offence is None]
        merits = {each: (places[each].rank if places else None) or len(places) for each in innocent}
        return [
            len(self.seats)
            if seat.offence
            else 1 + sum(other < merits[seat.number] for other in merits.values())
            for seat in self.seats
        ]

    # Who has done something wrong

    def accuse(self) -> None:
        """Find out why somebody has lost; before programs are ended, which would hide it."""
        if self.ended is not None:
            for seat in self.seats:
                self._accuse(seat, self.ended)

    def _accuse(self, seat: Seat, ended: Ended) -> None:
        if seat.offence is not None or seat.client is None:
            return
        if seat.departed:
            self._accuse_departed(seat)
        elif TIMEOUT in ended.reason and seat.client.number in self.times.before:
            seat.blame(Reason.SILENT, "It made no move in the time that the game allows.")
        elif VIOLATION in ended.reason.lower() and (reason := _explained(seat, punished=True)):
            seat.blame(Reason.ILLEGAL, reason)

    def _accuse_departed(self, seat: Seat) -> None:
        complaint = seat.link.complaint if seat.link else None
        if complaint is not None:
            _accuse_dropped(seat, complaint)
        elif not seat.sent_away and seat.program is not None and seat.program.end is not None:
            seat.blame(seat.program.end.reason, seat.program.end.words)
        elif not seat.sent_away:
            seat.blame(Reason.LEFT, "It closed its connection before the end.")
        elif reason := _explained(seat):
            seat.blame(Reason.ILLEGAL, reason)
        elif seat.awaited:
            seat.blame(Reason.SILENT, "It was sent away because it did nothing for too long.")
        else:
            seat.blame(Reason.LEFT, "It left the game.")


def accuse_refused(seat: Seat) -> None:
    """Blame somebody whom the server has disconnected before the match, if it has."""
    complaint = seat.link.complaint if seat.link else None
    told = seat.client.explanations if seat.client else None
    if complaint is not None:
        _accuse_dropped(seat, complaint)
    elif told and told.latest and told.latest[-1].consequence is Consequence.KICKED:
        seat.blame(Reason.ILLEGAL, _explained(seat))


def _accuse_dropped(seat: Seat, complaint: Complaint) -> None:
    words = f"The server has dropped it: {complaint.value}."
    seat.blame(Reason.FLOOD if complaint in FLOODS else Reason.ILLEGAL, words)


def _explained(seat: Seat, *, punished: bool = False) -> str:
    """Why the server has refused what it said last, or last with further consequences."""
    told = seat.client.explanations if seat.client else None
    for latest in reversed(told.latest if told else ()):
        if punished and latest.consequence is Consequence.REFUSED:
            continue
        breach = latest.breach
        reason = " ".join(breach.reason.split()).rstrip(".")
        return f"The server has refused what it sent: {reason} (clause {breach.clause.id})."
    return ""
