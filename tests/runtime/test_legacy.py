"""What an endpoint takes over from the process before this one."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import orjson

from ludothek.runtime.annals import RETIRED
from ludothek.runtime.legacy import Legacy
from ludothek.runtime.recovery import Past

if TYPE_CHECKING:
    from ludothek.runtime.chronicle import Chronicle

HOST = "hexxagon 127.0.0.1 4444"


def entries() -> Iterator[bytes]:
    """A match has ended at a host that a reload then removed, and another one has added again."""
    estate = {"endpoint": HOST, "serial": 0, "estate": {}}
    yield orjson.dumps({"kind": "owed", "number": 1, **estate})
    yield orjson.dumps({"kind": "retired", "endpoint": HOST, "now": f"{HOST}{RETIRED}7"})
    yield orjson.dumps({"kind": "owed", "number": 2, **estate})


def test_results_of_a_removed_host_are_written_by_the_one_that_came_back() -> None:
    """«written exactly once»"""
    past = Past(entries())
    legacy = Legacy(cast("Chronicle", None), past)
    found = legacy.past(HOST)
    assert found is not None
    assert set(found.estates) == {1, 2}
    assert not any(each.estates for each in past.endpoints.values())
    assert legacy.past(HOST) is None
