"""What an operator can set for Quidditch."""

from functools import cached_property
from pathlib import Path

import attrs

from games.quidditch.artefacts import BadArtefact, load_match, standard_match
from games.quidditch.messages import MatchConfig
from ludothek.settings.fields import GameSettings, SettingsError, at_least, setting

# Accounts that end with the daemon.
IN_MEMORY = "memory"


@attrs.frozen(kw_only=True)
class Settings(GameSettings):
    """Settings of one Quidditch endpoint."""

    match: str | None = setting(
        None, "path of a matchConfig file; none: the built-in configuration", file=True
    )
    reconnect_seconds: float = setting(
        60.0,
        "seconds in which a player must reconnect before the match is lost; they also count during "
        "a pause",
        check=at_least(0),
    )
    strict_images: bool = setting(
        False, "accept a teamConfig only if its image is a PNG of 256x256 pixels"
    )
    accounts: str | None = setting(
        None,
        "directory for user names and password hashes, one file per user; none: accounts/ in the "
        "state directory; memory: not stored, lost when the daemon exits",
    )
    max_accounts: int = setting(
        10_000,
        "accounts that can exist; above that, the oldest account whose user has never played a "
        "match is deleted",
        check=at_least(1),
    )
    registrations_per_hour: int = setting(
        100,
        "accounts one address may create per hour; addresses in limits.exempt have no limit; "
        "0: no limit",
        check=at_least(0),
    )
    carry_bludgers: bool = setting(
        True, "a moving beater takes the bludgers on its cell along, as the standard specifies"
    )
    login_seconds: float = setting(
        300.0,
        "seconds in which a client must send its joinRequest; 0: no limit",
        check=at_least(0),
    )
    lobbies_seconds: float = setting(
        1.0,
        "seconds after which a new client that has sent nothing receives the list of lobbies "
        "(lobby mod); 0: only clients that name the mod in their joinRequest receive it",
        check=at_least(0),
    )
    max_lobbies: int = setting(100, "lobbies open at the same time", check=at_least(1))
    empty_lobby_seconds: float = setting(
        600.0,
        "seconds that an empty lobby stays open and keeps its last replay; 0: it closes at once",
        check=at_least(0),
    )
    chat_length: int = setting(
        500, "maximum length of a chat or pause message, in characters", check=at_least(1)
    )
    replays: int = setting(
        500,
        "replays of each kind to keep in the state directory; above that, the oldest replay of "
        "the owner with the most is deleted; 0: keep none",
        check=at_least(0),
    )
    replay_megabytes: int = setting(
        5000, "megabytes that the replays of each kind may take", check=at_least(1)
    )

    def __attrs_post_init__(self) -> None:
        _ = self.match_config
        try:
            is_file = self.accounts_directory is not None and self.accounts_directory.is_file()
        except OSError as error:  # nobody may look there, or the name is too long
            raise SettingsError(f"accounts: {error.strerror}") from None
        if is_file:
            raise SettingsError(f"accounts: {self.accounts} is a file; expected a directory")

    @cached_property
    def match_config(self) -> MatchConfig:
        """The configuration of matches for which nobody has chosen another one."""
        if self.match is None:
            return standard_match()
        try:
            return load_match(Path(self.match))
        except BadArtefact as error:
            raise SettingsError(f"match: {error}") from None

    @property
    def accounts_directory(self) -> Path | None:
        """The configured directory for accounts, if there is one."""
        return None if self.accounts in (None, IN_MEMORY) else Path(self.accounts)
