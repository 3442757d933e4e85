"""How the Robo Rally bots choose an action, given what a player sees."""

import random
import time
from collections import Counter

from games.roborally.rules import (
    Action,
    BuyUpgrade,
    Card,
    Cell,
    Damage,
    PlayCard,
    Program,
    Purchase,
    RegisterCard,
    Rotation,
    Routine,
    SelectedCard,
    SelectedDamage,
    SetStartingPoint,
    StartPoint,
    Upgrade,
    View,
)
from games.roborally.rules.cards import COSTS, MOST_PER_KIND, REPEATING, TEMPORARY, TURNS
from games.roborally.rules.robots import QUARTERS
from games.roborally.search import Clock, Search, nearest_start
from ludothek.kit.levels import level

# The index is the difficulty; every level clearly beats the next one.
DIFFICULTIES: tuple[str, ...] = ("search", "greedy", "random")

# What is worth its price to a bot, the best first.
WANTED: tuple[Upgrade, ...] = (Upgrade.MEMORY_STICK, Upgrade.SPAM_BLOCKER, Upgrade.REAR_LASER)
MUCH_SPAM = 2

# The least bad ones first: a Virus only hurts others, a Worm costs a whole round.
BEARABLE: tuple[Card, ...] = (Card.SPAM, Card.VIRUS, Card.TROJAN, Card.WORM)


def choose(
    view: View,
    difficulty: int,
    rng: random.Random,
    seconds: float = 1.0,
    clock: Clock = time.monotonic,
) -> Action:
    """Return what to do about the pending decision; programs come card by card.

    The answer may also be an upgrade to play before the next card of the program. Only the
    strongest level takes more than a moment, and never more than `seconds`.
    """
    deadline = clock() + seconds
    strength = level(DIFFICULTIES, difficulty)
    match view.pending:
        case StartPoint():
            return _start(view, strength, rng)
        case Purchase():
            return BuyUpgrade(view.player_id, _purchase(view, strength, rng))
        case Program():
            return _program(view, strength, rng, clock, deadline)
        case RegisterCard():
            return PlayCard(view.player_id, _register_card(view))
        case Damage(kind=kind, count=count):
            return SelectedDamage(view.player_id, _damage(view, kind, count))
        case Routine(options=options):
            return PlayCard(view.player_id, rng.choice(options))
    raise ValueError("the game waits for nobody")


def turn_after_reboot(view: View, clock: Clock = time.monotonic) -> PlayCard | None:
    """Return the free turn that brings a rebooted robot closer to its checkpoint, if any does."""
    me = view.me
    if not view.may_turn or me.position is None:
        return None
    search = Search.of(view, clock, clock())
    row = search.goals[search.goal].rows[0]
    ways = {card: row[_turned(search.pose, card)] for card in TURNS}
    best = min(ways, key=ways.__getitem__)
    return PlayCard(view.player_id, best) if ways[best] < row[search.pose] else None


def _turned(pose: int, card: Card) -> int:
    quarters = sum(1 if rotation is Rotation.RIGHT else 3 for rotation in QUARTERS[card])
    return (pose & ~3) + (pose + quarters) % 4


def _start(view: View, strength: str, rng: random.Random) -> Action:
    taken = {robot.start for robot in view.robots}
    free = [cell for cell in view.course.start_points if cell not in taken]
    cell: Cell = rng.choice(free) if strength == "random" else nearest_start(view, free, rng)
    return SetStartingPoint(view.player_id, cell.x, cell.y)


def _purchase(view: View, strength: str, rng: random.Random) -> Upgrade | None:
    offers = [card for card in view.shop if _can_buy(view, card)]
    if strength == "random":
        return rng.choice([*offers, None])
    return next((card for card in WANTED if card in offers), None)


def _can_buy(view: View, card: Upgrade) -> bool:
    me = view.me
    same = [owned for owned in me.upgrades if (owned in TEMPORARY) == (card in TEMPORARY)]
    return COSTS[card] <= me.energy and len(same) < MOST_PER_KIND


def _program(
    view: View, strength: str, rng: random.Random, clock: Clock, deadline: float
) -> Action:
    if strength == "random" or view.me.position is None:
        return _random_card(view, rng)
    spam = view.hand.count(Card.SPAM)
    if Upgrade.SPAM_BLOCKER in view.me.upgrades and spam >= MUCH_SPAM and not view.swapped:
        return PlayCard(view.player_id, Upgrade.SPAM_BLOCKER)
    search = Search.of(view, clock, deadline)
    program = search.think() if strength == "search" else search.hasty()
    for register, (card, fixed) in enumerate(zip(program, view.registers, strict=False), 1):
        if fixed is None:
            return SelectedCard(view.player_id, card, register)
    # A program that wins early, or that a small hand cannot fill: any cards will do.
    return _random_card(view, rng)


def _random_card(view: View, rng: random.Random) -> Action:
    for register in (n for n, card in enumerate(view.registers, 1) if card is None):
        cards = [card for card in view.hand if register > 1 or card not in REPEATING]
        if cards:
            return SelectedCard(view.player_id, rng.choice(cards), register)
    # Only repetitions are left for the first register: take another card back for it.
    others = [n for n, card in enumerate(view.registers, 1) if card and card not in REPEATING]
    return SelectedCard(view.player_id, None, rng.choice(others or [1]))


def _register_card(view: View) -> Card:
    card = view.registers[view.register - 1]
    if card is None:
        raise ValueError("there is no card in the current register")
    return card


def _damage(view: View, kind: Card, count: int) -> tuple[Card, ...]:
    left = Counter({card: view.piles[card] for card in BEARABLE if card is not kind})
    return tuple(left.elements())[:count]
