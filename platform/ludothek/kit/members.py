"""Everybody at a table."""

from collections.abc import Iterator
from typing import Generic, TypeVar

import attrs

from ludothek.contract.client import Client


@attrs.define(eq=False)
class Member:
    """Somebody at a table; games add what they know about a member."""

    client: Client | None  # None while the connection is lost and may come back


M = TypeVar("M", bound=Member)


class Members(Generic[M]):
    """The members of a table, in the order in which they came."""

    def __init__(self) -> None:
        self._members: list[M] = []
        self._of: dict[Client, M] = {}

    def __iter__(self) -> Iterator[M]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __getitem__(self, place: int) -> M:
        return self._members[place]

    @property
    def clients(self) -> list[Client]:
        """Those who are connected."""
        return list(self._of)

    def of(self, client: Client) -> M | None:
        """The member that a client is at this table, if any."""
        return self._of.get(client)

    def add(self, member: M) -> M:
        self._members.append(member)
        if member.client is not None:
            self._of[member.client] = member
        return member

    def remove(self, member: M) -> None:
        self._members.remove(member)
        if member.client is not None:
            del self._of[member.client]

    def clear(self) -> None:
        self._members.clear()
        self._of.clear()

    def disconnect(self, member: M) -> None:
        """The member's connection is lost; its place is kept."""
        if member.client is not None:
            del self._of[member.client]
            member.client = None

    def connect(self, member: M, client: Client) -> None:
        """The member is back, perhaps on another connection."""
        self.disconnect(member)
        member.client = client
        self._of[client] = member
