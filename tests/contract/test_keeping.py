"""What is kept when not everything can be, with names that say all about a file."""

from collections.abc import Iterable
from math import inf

from ludothek.contract.keeping import Claim, Kept, Room, superfluous


def file(name: str, *, size: int = 1) -> Kept:
    """A file called ``address/player+player/anything``; who is brief is slight."""
    parts = name.split("/")
    owners = [part.split("+") for part in parts[:2]] if len(parts) > 1 else ()
    return Kept(name, size, Claim(owners, slight="brief" in name))


def go(files: Iterable[Kept], most: int, most_bytes: float = inf) -> list[str]:
    return [each.name for each in superfluous(files, Room(files=most, bytes=most_bytes))]


def names(pattern: str, count: int) -> list[Kept]:
    return [file(f"{pattern}/{number}") for number in range(count)]


def test_nothing_goes_as_long_as_there_is_room() -> None:
    assert go(names("a/x+y", 5), 5) == []
    assert go([], 5) == []


def test_files_of_nobody_go_by_age() -> None:
    assert go([file(str(number)) for number in range(5)], 3) == ["0", "1"]


def test_who_has_most_gives_back_its_oldest() -> None:
    files = [*names("a/harry+ron", 2), *names("a/eve+mallory", 10)]
    assert go(files, 10) == ["a/eve+mallory/0", "a/eve+mallory/1"]


def test_who_plays_with_everybody_has_no_more_for_that() -> None:
    files = [file("a/harry+ron/1"), *(file(f"a/eve+friend{n}/1") for n in range(10))]
    assert go(files, 5) == [f"a/eve+friend{n}/1" for n in range(6)]


def test_an_address_has_no_more_for_many_names() -> None:
    others = [*names("a/harry+ron", 5), *names("b/luna+ginny", 5)]
    flood = [file(f"c/user{n}+user{n + 1000}/1") for n in range(100)]
    gone = go([*others, *flood], 20)
    assert len(gone) == 90
    assert all(name.startswith("c/") for name in gone)


def test_of_those_who_share_an_address_the_one_with_most_gives_back() -> None:
    files = [*names("a/harry+ron", 3), *names("a/eve+mallory", 5), *names("b/luna+ginny", 6)]
    assert go(files, 13) == ["a/eve+mallory/0"]


def test_what_is_slight_has_a_tenth_and_no_more() -> None:
    worthy, slight = names("a/harry+ron", 20), names("b/eve+mallory/brief", 50)
    gone = go([*worthy, *slight], 20)
    assert gone.count("a/harry+ron/0") == 1
    assert sum("brief" in name for name in gone) == 48
    assert len(gone) == 50


def test_what_is_slight_may_have_what_nobody_wants() -> None:
    slight = names("b/eve+mallory/brief", 20)
    assert go(slight, 20) == []
    assert go([*slight, file("a/harry+ron/1")], 20) == ["b/eve+mallory/brief/0"]


def test_room_is_counted_in_bytes_too() -> None:
    large = [file(f"c/eve+mallory/{n}", size=100) for n in range(3)]
    small = [file(f"a/harry+ron/{n}", size=1) for n in range(10)]
    assert go([*small, *large], 100, most_bytes=250) == ["c/eve+mallory/0"]


def test_one_file_stays_however_large() -> None:
    assert go([file("a/x+y/1", size=1000)], 10, most_bytes=5) == []


def test_files_of_former_times_go_first() -> None:
    files = [*(file(str(number)) for number in range(5)), *names("a/harry+ron", 3)]
    assert go(files, 6) == ["0", "1"]
