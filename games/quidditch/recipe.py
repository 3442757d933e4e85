"""What a lobby is made of, so that it can be made again elsewhere."""

from collections.abc import Mapping, Sequence
from math import inf

import attrs

from games.quidditch.messages import GlobalChat, MatchConfig
from games.quidditch.replay import MatchRecord
from games.quidditch.settings import Settings
from ludothek.contract.client import Client
from transports import Bucket


def _without_files(settings: Settings) -> Settings:
    """The same, but nothing in them has to be read anywhere: a recipe has its own match."""
    return attrs.evolve(settings, match=None, accounts=None)


@attrs.frozen(kw_only=True)
class Talk:
    """What was said lately, and how much more may be said."""

    said: Sequence[GlobalChat]
    of_spectators: Bucket
    of_users: Mapping[str, Bucket]


@attrs.frozen(kw_only=True)
class Aftermath:
    """What is left of a lobby's past when a match has ended: no timer but that of an empty lobby,
    nobody who is waited for, nobody who wants to play."""

    members: Sequence[Client]  # as they first came
    clients: Sequence[Client]  # the same as they connected, some of them again
    talk: Talk
    record: MatchRecord
    former: Sequence[str]  # who have played
    deserted_since: float = inf


@attrs.frozen(kw_only=True)
class Recipe:
    """Everything about a lobby but time and chance: a new one, or one that has seen a match."""

    name: str
    settings: Settings = attrs.field(converter=_without_files)
    config: MatchConfig
    kept: bool = False  # an organiser opened it, and will close it
    past: Aftermath | None = None
