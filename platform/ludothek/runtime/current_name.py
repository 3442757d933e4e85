"""The name of an endpoint in the log."""

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from ludothek.runtime.endpoint import Endpoint


@attrs.frozen(repr=False)
class CurrentName:
    """An endpoint's name as of the time when a line is written."""

    _endpoint: "Endpoint"

    def __repr__(self) -> str:
        return self._endpoint.name
