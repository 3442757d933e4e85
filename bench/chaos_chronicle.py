"""What all who take part in a match heard of it: it must be the same for all."""

from array import array
from collections.abc import Sequence

import attrs

from bench.continuity.gap import News

SHOWN = 3  # messages around a difference


@attrs.frozen
class _Account:
    """What a witness has heard of a match, from the beginning or from some moment on."""

    witness: str
    kinds: Sequence[str]
    prints: "array[int]"  # of all news, 8 bytes each
    whole: bool

    @classmethod
    def of(cls, witness: str, heard: Sequence[News], whole: bool) -> "_Account":
        prints = array("q", (hash((news.kind, news.fingerprint)) for news in heard))
        return cls(witness, [news.kind for news in heard], prints, whole)

    def difference(self, other: "_Account") -> int | None:
        """Where the other one has heard something else; None if nowhere."""
        missed = 0 if other.whole else len(self.prints) - len(other.prints)
        own = self.prints[max(0, missed) :]
        if own == other.prints:
            return None
        pairs = enumerate(zip(own, other.prints, strict=False))
        return next((n for n, (a, b) in pairs if a != b), min(len(own), len(other.prints)))


@attrs.define
class Chronicle:
    """Collects what witnesses hear, and compares it when they have heard the end."""

    faults: list[str] = attrs.field(factory=list)
    compared: int = 0  # accounts that were the same as another one
    _open: dict[tuple[str, str], list[News]] = attrs.field(factory=dict)
    _accounts: dict[str, _Account] = attrs.field(factory=dict)  # the first whole ones
    _waiting: dict[str, list[_Account]] = attrs.field(factory=dict)  # that came before those

    def add(self, match: str, witness: str, news: News) -> None:
        self._open.setdefault((match, witness), []).append(news)

    def end(self, match: str, witness: str, *, whole: bool) -> None:
        """A witness has heard the end of a match, and the beginning if its account is whole."""
        account = _Account.of(witness, self._open.pop((match, witness), []), whole)
        first = self._accounts.get(match)
        if first is not None:
            self._compare(match, first, account)
        elif not whole:
            self._waiting.setdefault(match, []).append(account)
        else:
            # Kinds are only needed to show a difference, and there are many matches.
            self._accounts[match] = attrs.evolve(account, kinds=())
            for other in self._waiting.pop(match, ()):
                self._compare(match, account, other)

    def _compare(self, match: str, one: _Account, other: _Account) -> None:
        where = one.difference(other)
        if where is None:
            self.compared += 1
            return
        shown = other.kinds[max(0, where - SHOWN) : where + SHOWN]
        self.faults.append(
            f"{match}: {one.witness} and {other.witness} heard {len(one.prints)} and "
            f"{len(other.prints)} messages that differ from number {where} on: {shown}"
        )
