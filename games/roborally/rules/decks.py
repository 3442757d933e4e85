"""The programming cards of a player: deck, hand and discard pile."""

from games.roborally.rules.cards import Card
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import NotYourCards, ShuffleCoding, YourCards


def draw(draft: Draft, player_id: int, count: int) -> tuple[Card, ...]:
    """Take cards from the top of the deck; when it is empty, the discard pile becomes the deck."""
    player = draft.player(player_id)
    drawn, deck = player.deck[:count], player.deck[count:]
    draft.change(player_id, deck=deck)
    missing = count - len(drawn)
    if missing and player.discard:
        draft.change(player_id, deck=shuffled(draft, player.discard), discard=())
        draft.tell(ShuffleCoding(player_id))
        drawn += draw(draft, player_id, missing)
    return drawn


def shuffled(draft: Draft, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    pile = list(cards)
    draft.rng.shuffle(pile)
    return tuple(pile)


def draw_hand(draft: Draft, player_id: int, count: int) -> tuple[Card, ...]:
    """Draw cards into the hand."""
    drawn = draw(draft, player_id, count)
    draft.change(player_id, hand=draft.player(player_id).hand + drawn)
    return drawn


def discard_hand(draft: Draft, player_id: int) -> None:
    player = draft.player(player_id)
    draft.change(player_id, hand=(), swapped=(), discard=player.hand + player.discard)


def put_on_deck(draft: Draft, player_id: int, cards: tuple[Card, ...]) -> None:
    """Put cards from the hand on the deck, the first one on top."""
    player = draft.player(player_id)
    draft.change(player_id, hand=without(player.hand, cards), deck=cards + player.deck)


def without(hand: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return tuple(rest)


def show_hand(draft: Draft, player_id: int) -> None:
    player = draft.player(player_id)
    draft.tell(
        YourCards(player_id, player.hand, len(player.deck)),
        NotYourCards(player_id, len(player.hand), len(player.deck)),
    )
