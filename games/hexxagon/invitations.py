"""How people get into a lobby of their own, when they play on the page."""

from collections.abc import Sequence

from games.hexxagon.messages import NIL, JoinLobby
from games.hexxagon.player import LOBBY_ID
from games.hexxagon.table import HexxagonTable
from ludothek.contract.invitation import Invitation, Invitations
from ludothek.contract.orders import Opening


def _opening(name: str, players: Sequence[str], listed: bool) -> Opening:
    return Opening(name=name, settings={"private": not listed})


def _invite(table: HexxagonTable, seat: int) -> Invitation:
    """The same for both seats: whoever joins first begins."""
    recipe = table.recipe
    listed = ("--lobby", recipe.name)
    return Invitation(
        own={LOBBY_ID: recipe.lobby_id},
        name=None if recipe.private else recipe.name,
        message=JoinLobby(user_id=NIL, lobby_id=recipe.lobby_id, user_name="…"),
        bot=("--lobby-id", recipe.lobby_id) if recipe.private else listed,
    )


INVITATIONS = Invitations(opening=_opening, invite=_invite, first_come=True)
