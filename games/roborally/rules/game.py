"""The public face of the rules: start a game, apply actions, come and go."""

import random
from collections.abc import Sequence

from games.roborally.rules.actions import Action, SetStartingPoint
from games.roborally.rules.cards import DAMAGE, DECK, UPGRADE_DECK
from games.roborally.rules.course import Course
from games.roborally.rules.damage import choose_damage, default_damage
from games.roborally.rules.decisions import (
    Damage,
    Program,
    Purchase,
    RegisterCard,
    Routine,
    StartPoint,
)
from games.roborally.rules.decks import shuffled
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import ActivePhase, CurrentPlayer, Event, PickDamage, RefillShop
from games.roborally.rules.plays import register_card
from games.roborally.rules.programming import deal, drop_program, interrupt, was_dealt
from games.roborally.rules.referee import act, check
from games.roborally.rules.setup import free_starts, set_start
from games.roborally.rules.shop import refill, throw_away
from games.roborally.rules.state import Phase, Player, State
from games.roborally.rules.steps import ROUND, Call, concerned
from games.roborally.rules.turn import perform

Result = tuple[State, tuple[Event, ...]]

CUBES = 48  # energy cubes in the box


def start(course: Course, player_ids: Sequence[int], rng: random.Random) -> Result:
    """Return a game in the setup phase; players choose start points in the given order."""
    players = tuple(Player(player_id, course.orientation) for player_id in player_ids)
    in_use = sum(course.energy.values()) + sum(player.energy for player in players)
    state = State(
        course=course,
        players=players,
        agenda=(*(Call(StartPoint(player_id)) for player_id in player_ids), *ROUND),
        checkpoints=course.checkpoints,
        energy=course.energy,
        bank=max(0, CUBES - in_use),
        piles=DAMAGE,
        upgrade_deck=tuple(rng.sample(UPGRADE_DECK, len(UPGRADE_DECK))),
    )
    draft = Draft(state, rng)
    for player_id in player_ids:
        draft.change(player_id, deck=shuffled(draft, DECK))
    draft.tell(ActivePhase(int(Phase.SETUP)), RefillShop(refill(draft)))
    return run(draft)


def apply(state: State, action: Action, rng: random.Random) -> Result:
    """Return the state after the action and its consequences, or raise RuleViolation."""
    check(state, action)
    draft = Draft(state, rng)
    act(draft, action)
    return run(draft)


def remove(state: State, player_id: int, rng: random.Random) -> Result:
    """Take a robot and its cards out of the game; what belongs to the box goes back there."""
    draft = Draft(state, rng)
    player = state.player(player_id)
    cards = (*player.deck, *player.hand, *player.discard, *player.registers)
    draft.give_back(*(card for card in cards if card is not None and card in DAMAGE))
    throw_away(draft, player.upgrades)
    draft.evolve(
        bank=state.bank + player.energy,
        players=tuple(other for other in state.players if other is not player),
        order=tuple(other for other in state.order if other != player_id),
        agenda=tuple(step for step in state.agenda if concerned(step) != player_id),
    )
    return run(draft)


def ignore(state: State, player_id: int, rng: random.Random) -> Result:
    """Leave the robot on the course, but no longer ask its player for anything."""
    draft = Draft(state, rng)
    if isinstance(state.pending, Program):
        interrupt(draft, player_id)
    else:
        drop_program(draft, player_id)
    draft.change(player_id, absent=True)
    return run(draft)


def rejoin(state: State, player_id: int, rng: random.Random) -> Result:
    """Ask an ignored player again; the robot moves again in the next activation phase."""
    draft = Draft(state, rng)
    if state.player(player_id).absent:
        alone = all(player.absent for player in state.players)
        draft.change(player_id, absent=False)
        if isinstance(draft.state.pending, Program):
            if not was_dealt(draft.player(player_id)):
                deal(draft, player_id)
        elif alone:
            _ask_again(draft, player_id)
    return run(draft)


def _ask_again(draft: Draft, player_id: int) -> None:
    """Remind the player for whom the game has waited since everybody was gone.

    It does not wait for the card of a register: a player who was gone has none.
    """
    match draft.state.pending:
        case Damage(asked, _, count) if asked == player_id:
            draft.tell(PickDamage(player_id, count))
        case StartPoint(asked) | Purchase(asked) | Routine(asked) if asked == player_id:
            draft.tell(CurrentPlayer(player_id))


def run(draft: Draft) -> Result:
    """Process the agenda until a player has to decide, or the game is over."""
    while not _rests(draft.state):
        if draft.state.pending is None:
            perform(draft, draft.next_step())
        else:
            _settle(draft)
    return draft.state, tuple(draft.events)


def _rests(state: State) -> bool:
    if state.over or all(player.absent for player in state.players):
        return True
    pending = state.pending
    if pending is None:
        return False
    if isinstance(pending, Program):
        return bool(state.deciding)
    player = state.player(pending.player_id)
    if isinstance(pending, RegisterCard):
        return player.active and register_card(state, pending.player_id) is not None
    return not player.absent


def _settle(draft: Draft) -> None:
    """Skip a decision that is no longer needed, or that nobody is there to make."""
    match draft.state.pending:
        case StartPoint(player_id):
            cell = free_starts(draft.state)[0]
            set_start(draft, SetStartingPoint(player_id, cell.x, cell.y))
        case Damage() as damage:
            choose_damage(draft, default_damage(draft.state.piles, damage))
        case _:
            draft.next_step()
