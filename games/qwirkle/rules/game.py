"""The course of a game: start, turns, players who leave, and the end."""

import random
from collections.abc import Iterator, Sequence
from itertools import chain

import attrs

from games.qwirkle.rules.actions import Action, Lay, Pass, Swap
from games.qwirkle.rules.bag import Bag, draw, put_back
from games.qwirkle.rules.laying import lay
from games.qwirkle.rules.listing import legal_moves, swaps
from games.qwirkle.rules.mistakes import Mistake
from games.qwirkle.rules.state import End, Seat, State
from games.qwirkle.rules.tiles import Tile, all_tiles
from games.qwirkle.rules.variant import Refill, Variant
from ludothek.contract.mistakes import RuleViolation

MIN_PLAYERS = 2


def start(variant: Variant, players: Sequence[int], rng: random.Random) -> State:
    """A fresh game in this turn order, with full hands; the first player is to move.

    Raises RuleViolation if there are too few players, or too few tiles for their hands.
    """
    bag = list(all_tiles(variant))
    rng.shuffle(bag)
    return deal(variant, players, tuple(bag))


def deal(variant: Variant, players: Sequence[int], bag: Bag) -> State:
    """A fresh game with a bag that has already been shuffled."""
    if len(players) < MIN_PLAYERS:
        raise RuleViolation(Mistake.TOO_FEW_PLAYERS)
    if len(bag) < len(players) * variant.max_hand_tiles:
        raise RuleViolation(Mistake.TOO_FEW_TILES)
    seats = []
    for player in players:
        bag, hand = draw(bag, variant.max_hand_tiles)
        seats.append(Seat(player, hand))
    return State(variant, tuple(seats), bag)


def apply(state: State, action: Action, rng: random.Random) -> State:
    """The active player's whole turn, and the beginning of the next one."""
    return advance(act(state, action, rng))


def act(state: State, action: Action, rng: random.Random) -> State:
    """Only the active player's action: this turn is over, but no other one has begun."""
    _check_running(state)
    match action:
        case Lay():
            return _lay(state, action)
        case Swap():
            return _swap(state, action, rng)
        case Pass():
            return _pass(state)


def end_turn(state: State) -> State:
    """The active player's turn ends without an action: too slow, or a punished mistake."""
    _check_running(state)
    return attrs.evolve(state, turn_over=True, drawn=())


def advance(state: State) -> State:
    """Pass the turn on, fill up the hand of the next player, and see whether the game is over."""
    if state.end or not state.turn_over:
        return state
    turn = (state.turn + 1) % len(state.seats)
    seat, seats = state.seats[turn], state.seats
    bag, drawn = draw(state.bag, state.variant.max_hand_tiles - len(seat.hand))
    if drawn:
        seats = state.seats_with(turn, Seat(seat.player, seat.hand + drawn, seat.score))
    return _ended_if_over(State(state.variant, seats, bag, state.board, turn, False, drawn))


def penalise(state: State, player: int, points: int) -> State:
    """Take points from a player; whose turn it is stays as it was."""
    index = state.index(player)
    return attrs.evolve(state, seats=state.seats_with(index, state.seats[index].scoring(-points)))


def remove(state: State, player: int, rng: random.Random) -> State:
    """Take a player out of the ranking and return the hand to the bag; the board stays.

    If it was the player's turn, it is over and `advance` goes on with the next player.
    """
    index = state.index(player)
    seats = state.seats[:index] + state.seats[index + 1 :]
    bag = put_back(state.bag, state.seats[index].hand, rng)
    mine = index == state.turn
    turn = (state.turn - (index <= state.turn)) % max(len(seats), 1)
    end = state.end or (End.ALONE if len(seats) < MIN_PLAYERS else None)
    return attrs.evolve(
        state,
        seats=seats,
        bag=bag,
        turn=turn,
        turn_over=state.turn_over or mine,
        drawn=() if mine else state.drawn,
        end=end,
    )


def legal_actions(state: State) -> Iterator[Action]:
    """Everything the active player may do, as an iterator: large hands have very many moves.

    Tiles of one kind are interchangeable, so one of them stands for all.
    """
    if state.end or state.turn_over:
        return
    hand, count = state.active.hand, state.variant.color_shape_count
    if is_stuck(state):
        yield Pass()
    for move in legal_moves(state.board, hand, count):
        yield Lay(move.placements)
    for tiles in swaps(hand, len(state.bag)):
        yield Swap(tiles)


def is_stuck(state: State) -> bool:
    """Whether the active player can do nothing but pass; after the end, not even that."""
    return not (state.end or state.bag or state.board.takes(state.active.hand))


def _check_running(state: State) -> None:
    if state.end:
        raise RuleViolation(Mistake.GAME_OVER)
    if state.turn_over:
        raise RuleViolation(Mistake.TURN_OVER)


def _check_hand(hand: tuple[Tile, ...], tiles: Sequence[Tile]) -> None:
    if not tiles:
        raise RuleViolation(Mistake.NO_TILES)
    if len({tile.unique_id for tile in tiles}) < len(tiles):
        raise RuleViolation(Mistake.TILE_TWICE)
    held = set(hand)
    if not all(tile in held for tile in tiles):
        raise RuleViolation(Mistake.NOT_IN_HAND)


def _lay(state: State, action: Lay) -> State:
    variant, seat = state.variant, state.active
    tiles = tuple([placement.tile for placement in action.placements])
    _check_hand(seat.hand, tiles)
    board, earned = lay(state.board, action.placements, variant.color_shape_count)
    hand, bag = seat.without(tiles), state.bag
    drawn: tuple[Tile, ...] = ()
    if variant.refill is Refill.AFTER_MOVE:
        bag, drawn = draw(bag, variant.max_hand_tiles - len(hand))
    seats = state.seats_with(state.turn, Seat(seat.player, hand + drawn, seat.score + earned))
    return State(variant, seats, bag, board, state.turn, True, drawn)


def _swap(state: State, action: Swap, rng: random.Random) -> State:
    _check_hand(state.active.hand, action.tiles)
    if len(action.tiles) > len(state.bag):
        raise RuleViolation(Mistake.BAG_TOO_SMALL)
    # Drawn before the others go back, so that nobody gets the same tiles again.
    bag, drawn = draw(state.bag, len(action.tiles))
    seat = state.active
    hand = seat.without(action.tiles) + drawn
    seats = state.seats_with(state.turn, Seat(seat.player, hand, seat.score))
    bag = put_back(bag, action.tiles, rng)
    return State(state.variant, seats, bag, state.board, state.turn, True, drawn)


def _pass(state: State) -> State:
    if not is_stuck(state):
        raise RuleViolation(Mistake.CAN_MOVE)
    return end_turn(state)


def _ended_if_over(state: State) -> State:
    if not state.bag and not all(seat.hand for seat in state.seats):
        return attrs.evolve(state, seats=_rewarded(state), end=End.OUT)
    if _is_dead(state):
        return attrs.evolve(state, end=End.STUCK)
    return state


def _rewarded(state: State) -> tuple[Seat, ...]:
    bonus = state.variant.end_bonus
    return tuple(seat if seat.hand else seat.scoring(bonus) for seat in state.seats)


def _is_dead(state: State) -> bool:
    """Whether nobody can ever lay a tile again, not even with what is left in the bag."""
    hands = chain.from_iterable([seat.hand for seat in state.seats])
    return not state.board.takes(hands) and not state.board.takes(state.bag)
