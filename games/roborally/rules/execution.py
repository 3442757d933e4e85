"""What the cards in the registers do."""

from games.roborally.rules.cards import DAMAGE, REPEATING, ROUTINES, Card
from games.roborally.rules.decisions import Routine
from games.roborally.rules.decks import draw
from games.roborally.rules.draft import Draft
from games.roborally.rules.elements import gain_energy
from games.roborally.rules.events import CardPlayed
from games.roborally.rules.robots import QUARTERS, turn
from games.roborally.rules.state import Player
from games.roborally.rules.steps import Advance, Execute, Fall, Hacked, Replace, Step, Suffer

STEPS: dict[Card, int] = {
    Card.MOVE_I: 1,
    Card.MOVE_II: 2,
    Card.MOVE_III: 3,
    Card.SPEED: 3,
}
TROJAN_DAMAGE = 2
VIRUS_RANGE = 6


def execute(draft: Draft, step: Execute) -> None:
    player, card = draft.player(step.player_id), step.card
    if not player.active:
        return
    if card in STEPS:
        draft.do_next(Advance(step.player_id, player.facing, STEPS[card]))
    elif card is Card.BACK_UP:
        draft.do_next(Advance(step.player_id, player.facing.opposite, 1))
    elif card in QUARTERS:
        turn(draft, step.player_id, *QUARTERS[card])
    elif card in REPEATING:
        _repeat(draft, player)
    elif card in ROUTINES:
        draft.do_next(Routine(step.player_id, ROUTINES[card]))
    elif card in DAMAGE:
        _spoil(draft, player)
        _spread(draft, step.player_id, card, in_register=True)
    else:
        gain_energy(draft, step.player_id, "card")


def hacked(draft: Draft, step: Hacked) -> None:
    player = draft.player(step.player_id)
    card = player.registers[draft.state.register - 1]
    if player.hacks and card is not None:
        draft.change(step.player_id, hacks=player.hacks - 1)
        draft.do_next(Execute(step.player_id, card), step)


def replace(draft: Draft, step: Replace) -> None:
    """Play the next card of the deck; another damage card is treated in the same way."""
    player_id = step.player_id
    if not draft.player(player_id).active:
        return
    for card in draw(draft, player_id, 1):
        draft.tell(CardPlayed(player_id, card))
        if card in DAMAGE:
            _spread(draft, player_id, card, step.in_register)
            continue
        player = draft.player(player_id)
        if step.in_register:
            draft.change(player_id, registers=_with(player, draft.state.register, card))
        else:
            draft.change(player_id, discard=(card, *player.discard))
        draft.do_next(Execute(player_id, card))


def _repeat(draft: Draft, player: Player) -> None:
    """Repeat what the previous register did; a damage card there is not repeated."""
    for register in range(draft.state.register - 1, 0, -1):
        card = player.registers[register - 1]
        if register in player.spoiled:
            draft.do_next(Replace(player.player_id, in_register=False))
            return
        if card is not None and card not in REPEATING:
            draft.do_next(Execute(player.player_id, card))
            return


def _spoil(draft: Draft, player: Player) -> None:
    """Empty the register of a damage card; the next one cannot repeat it."""
    register = draft.state.register
    draft.change(
        player.player_id,
        registers=_with(player, register, None),
        spoiled=player.spoiled | {register},
    )


def _spread(draft: Draft, player_id: int, card: Card, in_register: bool) -> None:
    """Return a played damage card to its pile and let it take effect."""
    draft.give_back(card)
    player = draft.player(player_id)
    effects: list[Step] = []
    if card is Card.TROJAN:
        effects = [Suffer(player_id, Card.SPAM, TROJAN_DAMAGE)]
    elif card is Card.VIRUS:
        effects = [Suffer(victim, Card.VIRUS, 1) for victim in _near(draft, player)]
    elif card is Card.WORM and player.position is not None:
        effects = [Fall(player_id, player.position)]
    draft.do_next(*effects, Replace(player_id, in_register))


def _near(draft: Draft, player: Player) -> list[int]:
    here = player.position
    others = (draft.player(other) for other in draft.state.order if other != player.player_id)
    return [
        other.player_id
        for other in others
        if here and other.position and here.distance(other.position) <= VIRUS_RANGE
    ]


def _with(player: Player, register: int, card: Card | None) -> tuple[Card | None, ...]:
    registers = list(player.registers)
    registers[register - 1] = card
    return tuple(registers)
