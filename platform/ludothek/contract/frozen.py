"""Frozen classes that only the type checker guards, at no cost at run time.

attrs' own ``frozen`` makes every constructor bypass its ``__setattr__``, which doubles the cost.
For a class that is created with every message, or with every move that a bot considers, this is too
much for a guard against what mypy finds anyway.
"""

from functools import partial
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from attrs import frozen as frozen
else:
    frozen = partial(attrs.define, unsafe_hash=True)
