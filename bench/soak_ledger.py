"""What players saw of their matches: each one that began must have ended, alike for all players."""

from collections import Counter
from collections.abc import Mapping

import attrs

from ludothek.contract.player import Report

PLAYERS = 2


@attrs.define
class Entry:
    """One match, as its players saw it."""

    game: str
    players: int = PLAYERS  # who are to see it
    begun: int = 0  # players who saw it begin
    reports: list[Report] = attrs.field(factory=list)

    @property
    def fault(self) -> str | None:
        """What is wrong with it, if anything."""
        if self.begun != self.players:
            return f"{self.begun} of {self.players} players saw it begin"
        if len(self.reports) != self.players:
            return f"{len(self.reports)} of {self.players} players saw it end"
        one = self.reports[0]
        if any((one.winner, one.points) != (each.winner, each.points) for each in self.reports):
            return "its players saw different results"
        won = sum(bool(report.details["won"]) for report in self.reports)
        if won > 1 or (self.players == PLAYERS and won != (one.winner is not None)):
            return "not exactly one player has won"
        if any(report.errors for report in self.reports):
            return "a player was told of a mistake"
        return next(filter(None, map(self._unfair, self.reports)), None)

    def _unfair(self, report: Report) -> str | None:
        """Why a result cannot be right."""
        reason = report.details.get("victoryReason", "mostPoints")
        if reason == "violationOfProtocol":
            return "it did not end by the rules"
        if reason == "mostPoints" and not _has_most(report):
            return "the winner has not the most points"
        return None


def _has_most(report: Report) -> bool:
    """Whether no other player has more points than the winner."""
    side = report.details.get("side") or report.details.get("team") or None
    if side is not None:
        # Points are by side, and this player knows only its own.
        own = report.points[side]
        others = [points for each, points in report.points.items() if each != side]
        if report.winner is None:
            return [own] == others
        return own >= max(others) if report.details["won"] else own <= max(others)
    return report.winner is None or report.points[report.winner] == max(report.points.values())


@attrs.define
class Ledger:
    """All matches of a soak."""

    entries: dict[str, Entry] = attrs.field(factory=dict)
    accidents: list[str] = attrs.field(factory=list)  # players that could not go on
    said: int = 0

    def begin(self, game: str, key: str, players: int = PLAYERS) -> None:
        self.entries.setdefault(key, Entry(game, players)).begun += 1

    def end(self, key: str, report: Report) -> None:
        self.entries[key].reports.append(report)

    def faults(self) -> Mapping[str, str]:
        """Every match with something wrong, and what that is."""
        return {key: fault for key, entry in self.entries.items() if (fault := entry.fault)}

    def ended(self) -> Counter[str]:
        """Matches by game that all their players saw end."""
        whole = (each for each in self.entries.values() if len(each.reports) == each.players)
        return Counter(entry.game for entry in whole)

    def begun(self) -> Counter[str]:
        return Counter(entry.game for entry in self.entries.values())
