"""The cards by their names in the protocol: programming cards, damage, upgrades."""

import enum
from collections.abc import Mapping


class Card(enum.StrEnum):
    """What can lie in a register."""

    MOVE_I = "MoveI"
    MOVE_II = "MoveII"
    MOVE_III = "MoveIII"
    TURN_LEFT = "TurnLeft"
    TURN_RIGHT = "TurnRight"
    U_TURN = "UTurn"
    BACK_UP = "BackUp"
    POWER_UP = "PowerUp"
    AGAIN = "Again"

    SPAM = "Spam"
    TROJAN = "Trojan"
    VIRUS = "Virus"
    WORM = "Worm"

    # Special programming cards. There is no Spam Folder: on the wire it would be called Spam, too.
    ENERGY = "Energy"
    SANDBOX = "Sandbox"
    WEASEL = "Weasel"
    SPEED = "Speed"
    REPEAT = "Repeat"


class Upgrade(enum.StrEnum):
    """What the shop sells."""

    ADMIN_PRIVILEGE = "AdminPrivilege"
    REAR_LASER = "RearLaser"
    DEFLECTOR_SHIELD = "DeflectorShield"
    CACHE_MEMORY = "CacheMemory"
    MEMORY_STICK = "MemoryStick"
    BOINK = "Boink"
    HACK = "Hack"
    MEMORY_SWAP = "MemorySwap"
    SPAM_BLOCKER = "SpamBlocker"
    REPEAT_ROUTINE = "RepeatRoutine"


REGISTERS = 5
HAND = 9

DECK: tuple[Card, ...] = (
    *[Card.MOVE_I] * 5,
    *[Card.MOVE_II] * 3,
    Card.MOVE_III,
    *[Card.TURN_RIGHT] * 3,
    *[Card.TURN_LEFT] * 3,
    Card.U_TURN,
    Card.BACK_UP,
    Card.POWER_UP,
    *[Card.AGAIN] * 2,
)

# How many cards of each kind the box has; they belong to nobody until a robot is damaged.
DAMAGE: Mapping[Card, int] = {Card.SPAM: 38, Card.TROJAN: 12, Card.VIRUS: 18, Card.WORM: 6}

REPEATING = frozenset({Card.AGAIN, Card.REPEAT})

TURNS: tuple[Card, ...] = (Card.TURN_LEFT, Card.TURN_RIGHT, Card.U_TURN)

# What the player of such a card chooses from.
ROUTINES: Mapping[Card, tuple[Card, ...]] = {
    Card.WEASEL: TURNS,
    Card.SANDBOX: (Card.MOVE_I, Card.MOVE_II, Card.MOVE_III, Card.BACK_UP, *TURNS),
}

COSTS: Mapping[Upgrade, int] = {
    Upgrade.ADMIN_PRIVILEGE: 3,
    Upgrade.REAR_LASER: 2,
    Upgrade.DEFLECTOR_SHIELD: 2,
    Upgrade.CACHE_MEMORY: 4,
    Upgrade.MEMORY_STICK: 3,
    Upgrade.BOINK: 1,
    Upgrade.HACK: 1,
    Upgrade.MEMORY_SWAP: 1,
    Upgrade.SPAM_BLOCKER: 3,
    Upgrade.REPEAT_ROUTINE: 3,
}

# All others stay until the end of the game.
TEMPORARY = frozenset(
    {
        Upgrade.BOINK,
        Upgrade.HACK,
        Upgrade.MEMORY_SWAP,
        Upgrade.SPAM_BLOCKER,
        Upgrade.REPEAT_ROUTINE,
    }
)

UPGRADE_COPIES = 4
UPGRADE_DECK: tuple[Upgrade, ...] = tuple(
    upgrade for upgrade in Upgrade for _ in range(UPGRADE_COPIES)
)
MOST_PER_KIND = 3
