"""Which parts of its protocol the clients of each game have used, for organisers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ludothek.contract.reach import is_reached
from ludothek.control.messages import (
    ClientCoverageView,
    CoverageItemView,
    CoverageView,
    ListRequest,
)
from ludothek.control.organiser import Organiser
from ludothek.observe.coverage import Tally
from ludothek.runtime.endpoint import Endpoint


def coverage(organiser: Organiser, request: ListRequest) -> list[CoverageView]:
    return [_view(endpoint) for endpoint in organiser.chosen(request.game)]


def _view(endpoint: Endpoint) -> CoverageView:
    present = ((each.name, each.usage) for each in endpoint.clients if each.foreign)
    tallies = endpoint.clients.coverage.tallies(present)
    reached = Reached(endpoint)
    clients = [_view_client(name, tally, reached) for name, tally in tallies.items()]
    vocabulary = endpoint.game.vocabulary
    requests = [each.__name__ for each in vocabulary.requests]
    fields = [name for each in vocabulary.requests for name in vocabulary.fields(each)]
    answers = [each.__name__ for each in vocabulary.answers]
    return CoverageView(
        game=endpoint.name,
        items=[
            *_items("message", requests, [each.messages for each in clients]),
            *_items("field", fields, [each.fields for each in clients]),
            *_items("answer", answers, [each.answers for each in clients]),
            *_items("clause", endpoint.game.clauses, [each.clauses for each in clients]),
        ],
        clients=clients,
    )


class Reached:
    """Which clauses a client has reached; most clients have sent the same messages."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._clauses = endpoint.game.clauses
        self._bound = endpoint.clients.coverage.bound
        self._known: dict[frozenset[str], list[str]] = {}

    def by(self, sent: frozenset[str]) -> list[str]:
        """The ids of those that whoever has sent these messages can have kept."""
        if sent not in self._known:
            self._known[sent] = [
                clause.id
                for clause in self._clauses.values()
                if is_reached(clause, self._bound[clause.id], sent)
            ]
        return self._known[sent]


def _view_client(name: str, tally: Tally, reached: Reached) -> ClientCoverageView:
    kept = dict.fromkeys(reached.by(frozenset(tally.names)), 0)
    return ClientCoverageView(
        name=name,
        connections=tally.connections,
        messages=tally.requests,
        fields=tally.fields,
        answers=tally.answers,
        clauses=kept | tally.broken,
    )


def _items(
    kind: str, known: Iterable[str], used: Iterable[Mapping[str, int]]
) -> Iterator[CoverageItemView]:
    """All that the protocol has, and whatever else was used."""
    counts: Counter[str] = Counter()
    clients: Counter[str] = Counter()
    for each in used:
        counts.update(each)
        clients.update(each.keys())
    for item in dict.fromkeys((*known, *counts)):
        yield CoverageItemView(
            kind=kind,
            item=item,
            count=counts[item],
            clients=clients[item],
            status=status(kind, counts.get(item)),
        )


def status(kind: str, count: int | None) -> str:
    """In words; the count is None if there is none."""
    if kind != "clause":
        return "used" if count else "never used"
    return "not reached" if count is None else "broken" if count else "kept"
