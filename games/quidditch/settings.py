"""What an operator can set for Quidditch."""

from functools import cached_property
from pathlib import Path

import attrs

from games.quidditch.artefacts import BadArtefact, load_match, standard_match
from games.quidditch.messages import MatchConfig
from ludothek.settings.fields import GameSettings, SettingsError, at_least, setting

# Accounts that are forgotten at the end.
IN_MEMORY = "memory"


@attrs.frozen(kw_only=True)
class Settings(GameSettings):
    """Settings of one Quidditch endpoint."""

    match: str | None = setting(
        None, "path of a matchConfig file; none: the built-in one", file=True
    )
    reconnect_seconds: float = setting(
        60.0,
        "seconds a player whose connection is lost has to come back before the match is lost, too",
        check=at_least(0),
    )
    strict_images: bool = setting(
        False, "accept a teamConfig only if its image really is a PNG of 256x256 pixels"
    )
    accounts: str | None = setting(
        None,
        "directory where user names and hashed passwords are kept, one file each; none: accounts/ "
        "in the state directory; memory: nowhere, they are forgotten when the daemon ends",
    )
    max_accounts: int = setting(
        10_000,
        "user names that can be given away; beyond that the oldest one goes whose user has never "
        "played a match",
        check=at_least(1),
    )
    registrations_per_hour: int = setting(
        100,
        "new user names that one address may take in an hour; those of limits.exempt any number; "
        "0: no limit",
        check=at_least(0),
    )
    carry_bludgers: bool = setting(
        True, "a beater who moves takes the bludgers of his cell along, as the standard has it"
    )
    login_seconds: float = setting(
        300.0,
        "seconds until a client must have sent its joinRequest; 0: no limit",
        check=at_least(0),
    )
    lobbies_seconds: float = setting(
        1.0,
        "a client that has connected and says nothing for so many seconds is sent the list of "
        "lobbies (lobby mod); 0: only clients that name the mod in their joinRequest are",
        check=at_least(0),
    )
    max_lobbies: int = setting(100, "lobbies that can be open at once", check=at_least(1))
    empty_lobby_seconds: float = setting(
        600.0,
        "seconds a lobby stays open when everybody has left, with its last replay; 0: not at all",
        check=at_least(0),
    )
    chat_length: int = setting(
        500, "characters a chat or pause message may have", check=at_least(1)
    )
    replays: int = setting(
        500,
        "replays that are kept in the state directory, of each kind; beyond that the oldest one "
        "goes of whoever has most; 0: none is kept",
        check=at_least(0),
    )
    replay_megabytes: int = setting(
        5000, "megabytes that replays may take there, of each kind", check=at_least(1)
    )

    def __attrs_post_init__(self) -> None:
        _ = self.match_config
        if self.accounts_directory and self.accounts_directory.is_file():
            raise SettingsError(f"accounts: {self.accounts} is a file; expected a directory")

    @cached_property
    def match_config(self) -> MatchConfig:
        """The match that is played in lobbies for which nobody has chosen another one."""
        if self.match is None:
            return standard_match()
        try:
            return load_match(Path(self.match))
        except BadArtefact as error:
            raise SettingsError(f"match: {error}") from None

    @property
    def accounts_directory(self) -> Path | None:
        """Where accounts are kept, if somebody has chosen a place."""
        return None if self.accounts in (None, IN_MEMORY) else Path(self.accounts)
