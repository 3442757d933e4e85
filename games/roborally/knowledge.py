"""What a client knows about a running game, learned from messages alone."""

from collections import Counter
from typing import Any

import attrs

from games.roborally import courses
from games.roborally.messages import (
    ActivePhase,
    CardPlayed,
    CardsYouGotNow,
    CheckpointMoved,
    CheckPointReached,
    ConnectionUpdate,
    CurrentCards,
    DrawDamage,
    Energy,
    ExchangeShop,
    GameStarted,
    Movement,
    PlayerTurning,
    Reboot,
    RefillShop,
    SelectedCard,
    StartingPointTaken,
    UpgradeBought,
    YourCards,
)
from games.roborally.rules import (
    Card,
    Cell,
    Course,
    Damage,
    Decision,
    Direction,
    Phase,
    Robot,
    Rotation,
    Upgrade,
    View,
)
from games.roborally.rules.cards import DAMAGE, REGISTERS, TEMPORARY

ENERGY_AT_START = 5


@attrs.define
class Knowledge:
    """A game as one player sees it; it changes with every message."""

    me: int
    course: Course
    robots: dict[int, Robot] = attrs.field(factory=dict)
    checkpoints: list[Cell] = attrs.field(factory=list)
    shop: list[Upgrade] = attrs.field(factory=list)
    piles: Counter[Card] = attrs.field(factory=lambda: Counter(DAMAGE))
    hand: list[Card] = attrs.field(factory=list)
    registers: list[Card | None] = attrs.field(factory=lambda: [None] * REGISTERS)
    may_turn: bool = False
    phase: Phase = Phase.SETUP
    register: int = 0
    round: int = 0

    @classmethod
    def of(cls, me: int, started: GameStarted) -> "Knowledge":
        """Everything that is known when a game begins; raises BadCourse."""
        course = courses.recognise(started.game_map)
        knowledge = cls(me, course, checkpoints=list(course.checkpoints))
        knowledge._meet(me)
        return knowledge

    def view(self, pending: Decision) -> View:
        """The game at a moment when this player has to decide."""
        return View(
            course=self.course,
            player_id=self.me,
            pending=pending,
            robots=tuple(self.robots.values()),
            checkpoints=tuple(self.checkpoints),
            shop=tuple(self.shop),
            piles=dict(self.piles),
            hand=tuple(self.hand),
            registers=tuple(self.registers),
            may_turn=self.may_turn,
            register=self.register,
        )

    def select(self, selected: SelectedCard) -> None:
        """Remember what is put into one of our registers, or taken out of it."""
        index = selected.register - 1
        if (before := self.registers[index]) is not None:
            self.hand.append(before)
        self.registers[index] = None if selected.card is None else Card(selected.card)
        if selected.card is not None:
            self.hand.remove(Card(selected.card))

    def damage(self, count: int) -> Damage:
        """What PickDamage asks for; it does not tell which pile is empty.

        Only other piles are offered. If they are known to have too few cards, it is the Virus
        pile that has run out, and there is more Spam than we know of.
        """
        others = sum(self.piles[card] for card in DAMAGE if card is not Card.SPAM)
        if others >= count:
            return Damage(self.me, Card.SPAM, count)
        self.piles[Card.SPAM] = max(self.piles[Card.SPAM], count)
        return Damage(self.me, Card.VIRUS, count)

    def learn(self, message: Any) -> None:
        match message:
            case ActivePhase(phase=phase):
                self._begin(Phase(phase))
            case CurrentCards():
                self._reveal(message)
            case YourCards(cards_in_hand=cards):
                self.hand = [Card(card) for card in cards]
            case CardsYouGotNow(cards=cards):
                self._fill(cards)
            case RefillShop(cards=cards):
                self.shop += [Upgrade(card) for card in cards]
            case ExchangeShop(cards=cards):
                self.shop = [Upgrade(card) for card in cards]
            case CheckpointMoved(checkpoint_id=number, x=x, y=y):
                self.checkpoints[number - 1] = Cell(x, y)
            case ConnectionUpdate(player_id=player_id, action="Remove"):
                self.robots.pop(player_id, None)
            case _:
                self._learn_of_robot(message)

    def _learn_of_robot(self, message: Any) -> None:
        match message:
            case StartingPointTaken(x=x, y=y, player_id=player_id):
                self._meet(player_id)
                self._change(player_id, position=Cell(x, y), start=Cell(x, y))
            case Movement(player_id=player_id, x=x, y=y):
                self._change(player_id, position=Cell(x, y))
            case PlayerTurning(player_id=player_id, direction=direction):
                facing = self.robots[player_id].facing.turned(Rotation(direction))
                self._change(player_id, facing=facing)
            case Reboot(player_id=player_id):
                self._change(player_id, facing=Direction.UP, rebooted=True)
                self.may_turn = self.may_turn or player_id == self.me
            case Energy(player_id=player_id, count=count):
                self._change(player_id, energy=count)
            case CheckPointReached(player_id=player_id, number=number):
                self._change(player_id, checkpoint=number)
            case UpgradeBought(player_id=player_id, card=card):
                self._install(player_id, Upgrade(card))
            case CardPlayed(player_id=player_id, card=card):
                self._played(player_id, card)
            case DrawDamage(cards=cards):
                self.piles.subtract(Card(card) for card in cards)

    def _begin(self, phase: Phase) -> None:
        self.phase, self.register = phase, 0
        if phase is Phase.PROGRAMMING:
            self.round += 1
            self.hand, self.registers = [], [None] * REGISTERS
            for player_id in self.robots:
                self._change(player_id, rebooted=False)
        elif phase is Phase.ACTIVATION:
            self.may_turn = False

    def _reveal(self, cards: CurrentCards) -> None:
        self.register += 1
        for active in cards.active_cards:
            if active.player_id == self.me:
                self.registers[self.register - 1] = Card(active.card)

    def _fill(self, cards: list[str]) -> None:
        drawn = iter(cards)
        for index, card in enumerate(self.registers):
            if card is None:
                self.registers[index] = Card(next(drawn))

    def _meet(self, player_id: int) -> None:
        self.robots.setdefault(
            player_id,
            Robot(
                player_id=player_id,
                position=None,
                facing=self.course.orientation,
                start=None,
                energy=ENERGY_AT_START,
                checkpoint=0,
                rebooted=False,
                upgrades=(),
            ),
        )

    def _install(self, player_id: int, upgrade: Upgrade) -> None:
        if upgrade in self.shop:
            self.shop.remove(upgrade)
        self._change(player_id, upgrades=(*self.robots[player_id].upgrades, upgrade))

    def _played(self, player_id: int, name: str) -> None:
        if name in DAMAGE:
            self.piles[Card(name)] += 1
        elif name in TEMPORARY:
            upgrades = list(self.robots[player_id].upgrades)
            upgrades.remove(Upgrade(name))
            self._change(player_id, upgrades=tuple(upgrades))

    def _change(self, player_id: int, **changes: Any) -> None:
        self.robots[player_id] = attrs.evolve(self.robots[player_id], **changes)
