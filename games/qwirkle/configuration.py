"""A game's Configuration: what it means, which values make sense, how it is stored in files."""

import enum
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NewType

import attrs
import orjson
import structlog

from games.qwirkle import rules
from ludothek.contract.codec import camel_case, shown
from ludothek.kit.files import read_small_file
from ludothek.settings.fields import SettingsError, nearest

log = structlog.get_logger()

Milliseconds = NewType("Milliseconds", int)

# The known clients have pictures for this many colours and shapes.
PICTURES = 12

# A bag that spectators ask for is one line of JSON; this many tiles still fit into 1 MiB.
MAX_TILES = 20_000

INT = 2**31 - 1  # attributes are Java's int and long
LONG = 2**63 - 1


class WrongMove(enum.Enum):
    """The consequence of a move against the rules."""

    NOTHING = "NOTHING"
    POINT_LOSS = "POINT_LOSS"
    KICK = "KICK"


class SlowMove(enum.Enum):
    """What happens when a player's time is up."""

    POINT_LOSS = "POINT_LOSS"
    KICK = "KICK"


class ConfigurationError(SettingsError):
    """A Configuration is wrong; the text says where, what, and what would be right."""


@attrs.frozen(kw_only=True)
class Configuration:
    """How a game is played."""

    color_shape_count: int
    tile_count: int
    max_hand_tiles: int
    turn_time: Milliseconds
    time_visualization: Milliseconds
    wrong_move: WrongMove
    wrong_move_penalty: int
    slow_move: SlowMove
    slow_move_penalty: int
    max_player_number: int  # 0: no limit

    @property
    def total(self) -> int:
        """How many tiles the game has."""
        return self.color_shape_count**2 * self.tile_count

    def can_seat(self, players: int) -> bool:
        """Whether this many may play, given the limit and the tiles for their first hands."""
        within = not self.max_player_number or players <= self.max_player_number
        return within and self.has_tiles_for(players)

    def has_tiles_for(self, players: int) -> bool:
        return players * self.max_hand_tiles <= self.total

    def attributes(self) -> dict[str, Any]:
        """All of it as plain values, named as on the wire."""
        return {wire: _plain(getattr(self, name)) for wire, name in _ATTRIBUTES.items()}

    def variant(self, end_bonus: int, refill: rules.Refill) -> rules.Variant:
        """The part of it that concerns the rules."""
        return rules.Variant(
            self.color_shape_count, self.tile_count, self.max_hand_tiles, end_bonus, refill
        )


# The printed game, for two to four players.
BUILT_IN = Configuration(
    color_shape_count=6,
    tile_count=3,
    max_hand_tiles=6,
    turn_time=Milliseconds(30_000),
    time_visualization=Milliseconds(1_000),
    wrong_move=WrongMove.POINT_LOSS,
    wrong_move_penalty=1,
    slow_move=SlowMove.POINT_LOSS,
    slow_move_penalty=1,
    max_player_number=4,
)

# A Configuration takes a few hundred bytes.
MAX_FILE_BYTES = 64 * 1024

# A game that starts by itself when it is full should not keep two players waiting.
FOR_TWO = attrs.evolve(BUILT_IN, max_player_number=2)

# Attribute, smallest and largest value.
_RANGES = {
    "color_shape_count": (2, INT),
    "tile_count": (1, INT),
    "max_hand_tiles": (1, INT),
    "turn_time": (1, LONG),
    "time_visualization": (0, LONG),
    "wrong_move_penalty": (0, INT),
    "slow_move_penalty": (0, INT),
    "max_player_number": (0, INT),
}
_ENUMS: dict[str, type[enum.Enum]] = {"wrong_move": WrongMove, "slow_move": SlowMove}
_ATTRIBUTES = {camel_case(field.name): field.name for field in attrs.fields(Configuration)}


def build(base: Configuration, values: Mapping[str, Any], where: str) -> Configuration:
    """The base with some attributes changed; they are named as on the wire, ``turnTime``.

    Raises:
      ConfigurationError: an attribute is unknown, or a value has the wrong type or makes no sense.
    """
    changes = {}
    for name, value in values.items():
        wire_name = camel_case(name)  # turn_time is welcome too
        if wire_name not in _ATTRIBUTES:
            hint = nearest(name, list(_ATTRIBUTES))
            raise ConfigurationError(f"{where}: unknown attribute {shown(name)}{hint}")
        attribute = _ATTRIBUTES[wire_name]
        changes[attribute] = _value(attribute, value, f"{where}: {wire_name}")
    return _checked(attrs.evolve(base, **changes), where)


def _value(attribute: str, value: Any, where: str) -> Any:
    if attribute in _ENUMS:
        known = [member.value for member in _ENUMS[attribute]]
        if not isinstance(value, str) or value.upper() not in known:
            raise ConfigurationError(
                f"{where}: expected one of {', '.join(known)}, not {shown(value)}"
            )
        return _ENUMS[attribute](value.upper())
    least, most = _RANGES[attribute]
    if type(value) is not int:
        raise ConfigurationError(f"{where}: expected a whole number, not {shown(value)}")
    if not least <= value <= most:
        raise ConfigurationError(f"{where}: must be from {least} to {most}, not {value}")
    return value


def _checked(configuration: Configuration, where: str) -> Configuration:
    if configuration.max_player_number == 1:
        raise ConfigurationError(f"{where}: maxPlayerNumber: must be 0 (no limit) or at least 2")
    if configuration.total > MAX_TILES:
        raise ConfigurationError(
            f"{where}: {configuration.total} tiles are too many, at most {MAX_TILES} are possible"
        )
    if not configuration.has_tiles_for(2):
        raise ConfigurationError(
            f"{where}: {configuration.total} tiles are too few for two hands of "
            f"{configuration.max_hand_tiles}"
        )
    if configuration.color_shape_count > PICTURES:
        log.warning("known clients cannot draw so many kinds", configuration=where, most=PICTURES)
    return configuration


def load(path: Path) -> Configuration:
    """The Configuration in a file; missing attributes have their built-in values.

    Raises:
      ConfigurationError: the file cannot be read, or something in it is wrong.
    """
    try:
        content = read_small_file(path, MAX_FILE_BYTES)
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise ConfigurationError(f"{str(path)!r}: {error}") from None
    return read(content, str(path))


def read(content: bytes, where: str) -> Configuration:
    """The Configuration in the content of a file.

    Raises:
      ConfigurationError: something in it is wrong.
    """
    try:
        values = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise ConfigurationError(f"{where}: not JSON: {error}") from None
    if not isinstance(values, dict):
        raise ConfigurationError(f"{where}: expected a JSON object with a Configuration")
    return build(BUILT_IN, values, where)


def save(configuration: Configuration, path: Path) -> None:
    """Save a Configuration to a file, as the committee's library writes it.

    Raises:
      ConfigurationError: the file cannot be written.
    """
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    try:
        path.write_bytes(orjson.dumps(configuration.attributes(), option=options))
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}") from None


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, enum.Enum) else value
