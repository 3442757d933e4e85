"""Who is at a table, by client and in the order in which they came."""

from ludothek.kit.members import Member, Members
from ludothek.testing.dummies import DummyClient


def test_a_member_who_is_back_is_known_by_the_new_connection_only() -> None:
    members, old, new = Members[Member](), DummyClient(1), DummyClient(2)
    member = members.add(Member(old))
    members.add(Member(DummyClient(3)))
    members.connect(member, new)
    assert (members.of(old), members.of(new), members[0]) == (None, member, member)
    assert members.clients[1:] == [new]


def test_whose_connection_is_lost_keeps_the_place() -> None:
    members, client = Members[Member](), DummyClient(1)
    member = members.add(Member(client))
    members.disconnect(member)
    members.disconnect(member)
    assert ([*members], member.client, members.clients) == ([member], None, [])
    members.remove(member)
    assert len(members) == 0
