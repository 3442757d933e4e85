"""The final ranking of a match."""

from collections.abc import Iterable

from ludothek.contract.frozen import frozen


@frozen(kw_only=True)
class Place:
    """How a match ended for one player.

    The score is the game's own (stones, fish, points, checkpoints), null for a player who was out
    of the rating before the end. Players who share a rank share the best one; without a decision
    nobody has one.
    """

    name: str
    seat: int  # in the order of turns, from 1
    score: int | None = None
    rank: int | None = None

    def simple(self) -> dict[str, str | int | None]:
        """As JSON."""
        return {"name": self.name, "seat": self.seat, "score": self.score, "rank": self.rank}


def ranked(
    players: Iterable[tuple[str, int | None]], winner: int | None, *, decided: bool = True
) -> tuple[Place, ...]:
    """Rank the players (name and score, in the order of turns); `winner` is an index into them."""
    found = [*players]
    merits = [
        (seat == winner, score is not None, score or 0) for seat, (_, score) in enumerate(found)
    ]
    return tuple(
        Place(
            name=name,
            seat=seat + 1,
            score=score,
            rank=1 + sum(other > merits[seat] for other in merits) if decided else None,
        )
        for seat, (name, score) in enumerate(found)
    )
