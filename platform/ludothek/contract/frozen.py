"""Frozen classes whose guard is the type checker: nobody pays for it at run time.

attrs' own ``frozen`` makes every constructor go round its ``__setattr__``, which takes as long as
all the rest of it. For a class that is made with every message, or with every move that a bot
thinks of, this is too much for a guard against what mypy finds anyway.
"""

from functools import partial
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from attrs import frozen as frozen
else:
    frozen = partial(attrs.define, unsafe_hash=True)
