"""A desk that refuses nothing, for receptions under test."""

from ludothek.contract.client import Client


class GenerousDesk:
    """Has room for everybody, wherever they are."""

    def has_room_for(self, opener: Client) -> bool:
        return True

    def has_enough(self, opener: Client) -> bool:
        return False

    def opened_from(self, lobby: str) -> str | None:
        return None

    def is_crowded(self, lobby: str, client: Client, without: Client | None = None) -> bool:
        return False
