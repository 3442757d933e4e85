"""A teamConfig as the standard defines it, and as the rules know it."""

import base64
import binascii
import re

from games.quidditch import breaches
from games.quidditch.configs import TeamConfig
from games.quidditch.rules import Broom, FanKind, Position, Sex, Team, TeamPlayer, team_refusal
from ludothek.contract.clauses import Breach

_NAME = re.compile(r"[a-zA-Z0-9 ]{3,40}")
_MOTTO = re.compile(r"[a-zA-Z0-9 .,:;?!'-]{3,200}")
_COLOR = re.compile(r"[0-9A-F]{6}")
_DATA_URI = re.compile(r"data:image/png;base64,")

_FANS = {
    FanKind.GOBLIN: "goblins",
    FanKind.TROLL: "trolls",
    FanKind.ELF: "elves",
    FanKind.NIFFLER: "nifflers",
    FanKind.WOMBAT: "wombats",
}

# A picture of 256x256 pixels that cannot be compressed at all takes 350 kB in base64.
MAX_IMAGE = 360_000

# What every PNG begins with: the signature, the first chunk's head, width and height.
_PNG_HEAD = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + 2 * (256).to_bytes(4, "big")


def objection(
    config: TeamConfig, *, gender_balance: bool = True, strict_image: bool = False
) -> Breach | None:
    """What is wrong with a team, if anything."""
    return (
        _looks_objection(config)
        or _players_objection(config)
        or _image_objection(config.image, strict=strict_image)
        or _rules_objection(config, gender_balance=gender_balance)
    )


def line_up(config: TeamConfig) -> Team:
    """The team as the rules know it; brooms and sexes must be known ones."""
    players = {place: getattr(config.players, place) for place in Position}
    return Team(
        players={p: TeamPlayer(Broom(each.broom), Sex(each.sex)) for p, each in players.items()},
        fans={kind: getattr(config.fans, name) for kind, name in _FANS.items()},
    )


def _looks_objection(config: TeamConfig) -> Breach | None:
    if not _NAME.fullmatch(config.name):
        return breaches.team_name(config.name)
    if not _MOTTO.fullmatch(config.motto):
        return breaches.motto(config.motto)
    for which in ("primary", "secondary"):
        color = getattr(config.colors, which)
        if not _COLOR.fullmatch(color):
            return breaches.color(which, color)
    if config.colors.primary == config.colors.secondary:
        return breaches.same_colors(config.colors.secondary)
    return None


def _players_objection(config: TeamConfig) -> Breach | None:
    for place in Position:
        player = getattr(config.players, place)
        if not _NAME.fullmatch(player.name):
            return breaches.team_name(player.name, "players", place)
        if player.broom not in set(Broom):
            return breaches.broom(place, player.broom)
        if player.sex not in set(Sex):
            return breaches.sex(place, player.sex)
    return None


def _image_objection(image: str, *, strict: bool) -> Breach | None:
    if len(image) > MAX_IMAGE:
        return breaches.image(f"at most {MAX_IMAGE} characters", f"{len(image)} characters")
    if not strict:
        return None
    try:
        # Known clients write a data URI instead of the bare base64.
        png = base64.b64decode(_DATA_URI.sub("", image, count=1), validate=True)
    except (binascii.Error, ValueError):
        return breaches.image("a PNG in base64", "no base64")
    if png.startswith(_PNG_HEAD):
        return None
    return breaches.image("a PNG of 256x256 pixels", "something else in base64")


def _rules_objection(config: TeamConfig, *, gender_balance: bool) -> Breach | None:
    objection = team_refusal(line_up(config), gender_balance=gender_balance)
    return None if objection is None else breaches.line_up(objection)
