"""Seats are found without searching all rooms, however many there are."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from games.penguins.vacancies import Vacancies


class Rooms:
    """Some rooms, and how often one of them was looked at."""

    def __init__(self) -> None:
        self.all: dict[str, Any] = {}
        self.opened = self.looks = 0
        self.vacancies = Vacancies(self.find)

    def find(self, key: str) -> Any:
        self.looks += 1
        return self.all.get(key)

    def open(self, *, has_room: bool, codes: tuple[str, ...] = ()) -> Any:
        room: Any = SimpleNamespace(
            room_id=f"room {self.opened}", has_room=has_room, reservations=list(codes)
        )
        self.opened += 1
        self.all[room.room_id] = room
        self.vacancies.add(room)
        return room

    def close(self, room: Any) -> None:
        del self.all[room.room_id]


@pytest.fixture
def rooms() -> Iterator[Rooms]:
    rooms = Rooms()
    yield rooms
    rooms.looks = 0
    for _ in range(10):
        rooms.vacancies.first()
        rooms.vacancies.reserved("no such code")
    assert rooms.looks <= 20


def test_the_oldest_room_with_a_free_seat_comes_first(rooms: Rooms) -> None:
    assert rooms.vacancies.first() is None
    rooms.open(has_room=False)
    oldest, newest = rooms.open(has_room=True), rooms.open(has_room=True)
    assert rooms.vacancies.first() == oldest
    oldest.has_room = False
    assert rooms.vacancies.first() == newest
    rooms.close(newest)
    assert rooms.vacancies.first() is None


def test_a_code_leads_to_its_room_until_it_is_used_or_the_room_is_gone(rooms: Rooms) -> None:
    first = rooms.open(has_room=False, codes=("a", "b"))
    second = rooms.open(has_room=False, codes=("c",))
    assert [rooms.vacancies.reserved(code) for code in "abcd"] == [first, first, second, None]
    first.reservations.remove("a")
    rooms.close(second)
    assert [rooms.vacancies.reserved(code) for code in "abc"] == [None, first, None]


def test_another_process_finds_the_same_seats(rooms: Rooms) -> None:
    rooms.open(has_room=False, codes=("a",))
    oldest = rooms.open(has_room=True)
    rooms.open(has_room=True, codes=("b", "c"))
    again = Vacancies(rooms.find)
    again.recall(rooms.all.values())
    for vacancies in (rooms.vacancies, again):
        assert vacancies.first() is oldest
        found = [vacancies.reserved(code) for code in "abcd"]
        assert [room and room.room_id for room in found] == ["room 0", "room 2", "room 2", None]
    oldest.has_room = False
    assert again.first() is rooms.vacancies.first() is not None


def test_a_thousand_rooms_without_a_seat_are_not_looked_at_again(rooms: Rooms) -> None:
    for number in range(1000):
        rooms.open(has_room=True).has_room = False
        rooms.open(has_room=False, codes=(f"code {number}",))
    rooms.vacancies.first()


def test_nothing_is_remembered_of_rooms_that_are_gone(rooms: Rooms) -> None:
    rooms.open(has_room=True)  # and nobody ever comes
    for number in range(100):
        rooms.close(rooms.open(has_room=True, codes=(f"code {number}",)))
    assert len(rooms.vacancies._free) <= 2
    assert len(rooms.vacancies._reserved) <= 1
