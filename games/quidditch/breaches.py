"""Which clause a message breaks, and what would have been right."""

from collections.abc import Mapping
from typing import cast

from games.quidditch.clauses import deltas, ours, rules, standard, teams
from games.quidditch.messages import DeltaRequest, JoinRequest, payload_type
from games.quidditch.mods import Mod
from games.quidditch.rules import DeltaType, LineUpMistake, Mistake, Objection
from ludothek.contract import mistakes
from ludothek.contract.clauses import Breach, Clause
from ludothek.contract.codec import Malformed, shown
from ludothek.contract.flaws import FlawKind, pointer_to
from ludothek.contract.limit_clauses import limit_of

_TYPE = "/payloadType"
_PAYLOAD = "/payload"


def _to(*steps: str | int) -> str:
    return pointer_to("payload", *steps)


# Messages that cannot be read

_KINDS: Mapping[FlawKind, Clause] = {
    FlawKind.SYNTAX: standard.JSON,
    FlawKind.NO_OBJECT: standard.JSON,
    FlawKind.NO_TYPE: standard.CONTAINER,
    FlawKind.NOT_FOR_CLIENTS: standard.REQUESTS,
}
_FIELDS: Mapping[str, Clause] = {
    "sendDebug": standard.DEBUG_FIELDS,
    "joinRequest": standard.JOIN_FIELDS,
    "teamConfig": teams.TEAM_FIELDS,
    "teamFormation": teams.FORMATION_FIELDS,
    "deltaRequest": deltas.DELTA_FIELDS,
    "pauseRequest": standard.PAUSE_FIELDS,
    "continueRequest": standard.CONTINUE_FIELDS,
    "sendChat": standard.CHAT_FIELDS,
    "testRequest": standard.TEST_FIELDS,
}
# By the name of the field; what is in none of these is of the wrong type.
_VALUES: Mapping[str, Clause] = {
    "image": teams.IMAGE,
    "snapshot": deltas.SNAPSHOT,
    "deltaType": deltas.DELTA_TYPES,
    "activeEntity": deltas.ENTITIES,
    "passiveEntity": deltas.ENTITIES,
    "phase": deltas.PHASES,
    "banReason": deltas.BAN_REASONS,
}


def unreadable(message: Malformed) -> Breach:
    flaw, clause = message.flaw, _unreadable(message)
    if clause is deltas.SNAPSHOT:
        return Breach(clause, flaw.pointer, "a snapshot as in section 8.3.2", message.reason)
    return Breach.by(flaw, clause)


def _unreadable(message: Malformed) -> Clause:
    flaw = message.flaw
    match flaw.kind:
        case FlawKind.MISSING if flaw.pointer == _PAYLOAD:
            return standard.CONTAINER
        case FlawKind.MISSING:
            return _FIELDS[flaw.message]
        case FlawKind.WRONG:
            return _VALUES.get(flaw.pointer.rpartition("/")[2], standard.TYPES)
    return limit_of(flaw) or _KINDS.get(flaw.kind, standard.TEXT)


def undefined(name: str) -> Breach:
    return Breach(standard.UNDEFINED, _TYPE, "a payloadType of the standard", shown(name))


# The login


def not_joined(message: type) -> Breach:
    return Breach(standard.JOIN_FIRST, _TYPE, "joinRequest", payload_type(message))


def not_in_a_lobby(message: type) -> Breach:
    if message is JoinRequest:
        return Breach(standard.JOIN_FIRST, _TYPE, "one joinRequest", "a second one")
    return Breach(standard.REQUESTS, _TYPE, "a message of clients", payload_type(message))


def no_login() -> Breach:
    return Breach(ours.LOGIN_TIME, "", "", "no joinRequest came in time")


def user_name(name: str) -> Breach:
    right_length = 3 <= len(name) <= 20
    clause = standard.USER_NAME_SIGNS if right_length else standard.USER_NAME_LENGTH
    return Breach(clause, _to("userName"), "3 to 20 letters and digits", shown(name))


def organisers_name(name: str) -> Breach:
    expected = "a name that is not the organiser's"
    return Breach(ours.ORGANISER, _to("userName"), expected, shown(name))


def lobby_name(name: str) -> Breach:
    clause = standard.LOBBY_SIGNS if 3 <= len(name) <= 40 else standard.LOBBY_LENGTH
    return Breach(clause, _to("lobby"), "3 to 40 letters and digits", shown(name))


def long_password(most: int, length: int) -> Breach:
    expected = f"at most {most} characters"
    return Breach(standard.PASSWORD, _to("password"), expected, f"{length} characters")


def strange_password() -> Breach:
    expected = "no control characters"
    return Breach(standard.PASSWORD, _to("password"), expected, "a control character")


def unknown_mod(number: int, name: str) -> Breach:
    expected = f"one of {', '.join(Mod)}"
    return Breach(standard.MODS, _to("mods", number), expected, shown(name))


def wrong_password() -> Breach:
    expected = "the password of this user"
    return Breach(standard.WRONG_PASSWORD, _to("password"), expected, "another one")


def name_of_a_bot(name: str) -> Breach:
    expected = "a name that no bot of the server has"
    return Breach(standard.WRONG_PASSWORD, _to("userName"), expected, shown(name))


def replaced(name: str) -> Breach:
    """For the older connection."""
    return Breach(standard.ONE_CONNECTION, "", f"one connection of {name}", "a newer login")


def second_login(name: str) -> Breach:
    """For the newer connection."""
    expected = f"one connection of {name}"
    return Breach(standard.ONE_CONNECTION, _to("userName"), expected, "a second login")


def crowded_out() -> Breach:
    reason = "too many logins wait already; try again later"
    return Breach(ours.LOGINS_WAITING, "", "", reason)


def too_many_names() -> Breach:
    return Breach(ours.NEW_NAMES, "", "", "too many new user names come from this address")


def no_accounts() -> Breach:
    return Breach(ours.ACCOUNTS, "", "", "accounts cannot be used at the moment")


def server_ends() -> Breach:
    return Breach(ours.ENDING, "", "", "the server ends soon and opens no lobby any more")


def all_lobbies(count: int) -> Breach:
    return Breach(ours.LOBBIES_OF_ALL, "", "", f"there are {count} lobbies already")


def lobbies_of_address(count: int) -> Breach:
    reason = f"there are {count} lobbies from your address already"
    return Breach(ours.LOBBIES_OF_ADDRESS, "", "", reason)


def crowded() -> Breach:
    return Breach(ours.CROWDED, "", "", "there is no room for anybody else in this lobby")


# Teams and formations


def match_runs() -> Breach:
    expected = "teamConfig when no match is running"
    return Breach(standard.ONE_MATCH, _TYPE, expected, "one during a match")


def team_name(name: str, *place: str) -> Breach:
    """The name of a team, or of the player at that place."""
    clause = teams.NAME_SIGNS if 3 <= len(name) <= 40 else teams.NAME_LENGTH
    expected = "3 to 40 letters, digits and spaces"
    return Breach(clause, _to(*place, "name"), expected, shown(name))


def motto(text: str) -> Breach:
    clause = teams.MOTTO_SIGNS if 3 <= len(text) <= 200 else teams.MOTTO_LENGTH
    expected = "3 to 200 letters, digits, spaces and signs of .,:;?!'-"
    return Breach(clause, _to("motto"), expected, shown(text))


def color(which: str, value: str) -> Breach:
    expected = "six digits or letters A to F"
    return Breach(teams.COLOR, _to("colors", which), expected, shown(value))


def same_colors(value: str) -> Breach:
    expected = "another colour than primary"
    return Breach(teams.TWO_COLORS, _to("colors", "secondary"), expected, shown(value))


def broom(place: str, name: str) -> Breach:
    expected = "a broom of section 5.2.5"
    return Breach(teams.BROOMS, _to("players", place, "broom"), expected, shown(name))


def sex(place: str, name: str) -> Breach:
    return Breach(teams.SEXES, _to("players", place, "sex"), "m or f", shown(name))


def image(expected: str, came: str) -> Breach:
    return Breach(teams.IMAGE, _to("image"), expected, came)


_LINE_UP: Mapping[LineUpMistake, tuple[Clause, str, str]] = {
    LineUpMistake.MISSING_BROOM: (rules.ALL_BROOMS, "players", "all five brooms"),
    LineUpMistake.ONE_SEX: (teams.GENDER_BALANCE, "players", "at most four of one sex"),
    LineUpMistake.MISSING_FANS: (rules.FANS, "fans", "at least one fan of each kind"),
    LineUpMistake.NUMBER_OF_FANS: (rules.FANS, "fans", "seven fans"),
    LineUpMistake.NO_PLACE: (teams.FORMATION_FIELDS, "players", "a place for each player"),
    LineUpMistake.OFF_PITCH: (teams.START_CELLS, "players", "a cell of the pitch"),
    LineUpMistake.GOAL: (teams.NO_GOALS, "players", "a cell that is no goal"),
    LineUpMistake.OTHER_HALF: (teams.START_CELLS, "players", "a cell of the own half"),
    LineUpMistake.CENTRE: (teams.START_CELLS, "players", "a cell outside the centre circle"),
    LineUpMistake.SAME_CELL: (rules.OWN_START, "players", "a cell for each player"),
}


def line_up(objection: Objection) -> Breach:
    """A team or a formation that is against the rules."""
    clause, field, expected = _LINE_UP[objection.mistake]
    place = (objection.position,) if objection.position else ()
    return Breach(clause, _to(field, *place), expected, str(objection))


def no_formation() -> Breach:
    expected = "teamFormation within the teamFormationTimeout"
    return Breach(teams.FORMATION_DUE, "", expected, "nothing: it did not come in time")


def formed_already() -> Breach:
    return Breach(standard.FORMED, _TYPE, "one teamFormation", "a second one")


def formed_long_ago() -> Breach:
    expected = "no teamFormation once the match has begun"
    return Breach(ours.FORMATION_AGAIN, _TYPE, expected, "one more, which is ignored")


# Turns


def not_playing(name: str) -> Breach:
    return Breach(standard.PLAYERS_ONLY, _TYPE, "a message of spectators", name)


def after_the_end(name: str) -> Breach:
    return Breach(ours.AFTER_THE_END, _TYPE, "no answer after matchFinish", name)


def paused(request: DeltaRequest) -> Breach:
    expected = "no deltaRequest during a pause"
    return Breach(standard.PAUSED, _TYPE, expected, f"{request.request}")


def not_your_turn(request: DeltaRequest) -> Breach:
    return Breach(deltas.OWN_TURN, "", "an answer to a next of your side", f"{request.request}")


def late(request: DeltaRequest) -> Breach:
    return Breach(deltas.IN_TIME, "", "an answer to the open next", f"{request.request}")


# What clients may ask for; the rest is for the server to tell.
_REQUESTS = {
    *(DeltaType.MOVE, DeltaType.QUAFFLE_THROW, DeltaType.WREST_QUAFFLE, DeltaType.BLUDGER_BEATING),
    *(DeltaType.SNITCH_SNATCH, DeltaType.TROLL_ROAR, DeltaType.ELF_TELEPORTATION),
    *(DeltaType.GOBLIN_SHOCK, DeltaType.WOMBAT_POO, DeltaType.SKIP, DeltaType.UNBAN),
}
_DELTA_TYPE, _CELL = "deltaType", "xPosNew"
_ACTIVE, _PASSIVE = "activeEntity", "passiveEntity"
_RULES: Mapping[Mistake, tuple[Clause, str, str]] = {
    Mistake.MATCH_OVER: (ours.AFTER_THE_END, _DELTA_TYPE, "no answer after the end"),
    Mistake.WRONG_ENTITY: (deltas.ACTIVE, _ACTIVE, "the entity of the latest next"),
    Mistake.MOVE_EXPECTED: (deltas.TURN_TYPES, _DELTA_TYPE, "move or skip"),
    Mistake.ACTION_EXPECTED: (
        deltas.TURN_TYPES,
        _DELTA_TYPE,
        "quaffleThrow, wrestQuaffle, bludgerBeating or skip",
    ),
    Mistake.UNBAN_EXPECTED: (deltas.TURN_TYPES, _DELTA_TYPE, "unban or skip"),
    Mistake.WRONG_DEED: (deltas.DEEDS, _DELTA_TYPE, "the deed of the fan whose turn it is"),
    Mistake.NO_CELL: (deltas.COLUMNS, _CELL, "xPosNew and yPosNew"),
    Mistake.OFF_PITCH: (deltas.ON_PITCH, _CELL, "a cell of the pitch"),
    Mistake.TOO_FAR: (deltas.ONE_CELL, _CELL, "the same cell or one beside it"),
    Mistake.CUBE_IN_THE_WAY: (rules.NO_CUBE, _CELL, "a cell without a wombat cube"),
    Mistake.NO_QUAFFLE: (deltas.THROWER, _ACTIVE, "the player who holds the quaffle"),
    Mistake.OWN_CELL: (rules.THROWN_AWAY, _CELL, "another cell than that of the thrower"),
    Mistake.CANNOT_WREST: (deltas.WRESTING, _ACTIVE, "a chaser beside an opponent with it"),
    Mistake.NO_BLUDGER: (deltas.BLUDGER, _PASSIVE, "a bludger on the cell of a beater"),
    Mistake.OUT_OF_REACH: (deltas.BLUDGER_REACH, _CELL, "a cell three steps away at most"),
    Mistake.PLAYER_IN_THE_WAY: (rules.BLUDGER_LINE, _CELL, "a line without players on it"),
    Mistake.NO_TARGET: (deltas.TELEPORTED, _PASSIVE, "a player"),
    Mistake.TARGET_BANNED: (rules.PRESENT_TARGET, _PASSIVE, "a player who is not banned"),
    Mistake.OWN_TEAM: (rules.OPPONENT, _PASSIVE, "a player of the other team"),
    Mistake.CELL_TAKEN: (rules.FREE_CELL, _CELL, "a cell without players and balls"),
    Mistake.NOT_OWN_HALF: (rules.OWN_HALF, _CELL, "a cell of the own half"),
    Mistake.GOAL_CELL: (rules.OWN_HALF, _CELL, "a cell that is no goal"),
}
_COLUMNS, _ROWS = range(17), range(13)


def against_the_rules(mistake: mistakes.Mistake, message: DeltaRequest) -> Breach:
    clause, field, expected = _rule(cast("Mistake", mistake), message)
    return Breach(clause, _to(field), expected, f"{message.request}. {mistake.value}")


def _rule(mistake: Mistake, message: DeltaRequest) -> tuple[Clause, str, str]:
    """The clause, the field and what would have been right in it."""
    if mistake is not Mistake.WRONG_ENTITY and message.delta_type not in _REQUESTS:
        return deltas.BROADCASTS, _DELTA_TYPE, "a deltaType of clients"
    if mistake in (Mistake.NO_CELL, Mistake.OFF_PITCH):
        if message.x_pos_new not in _COLUMNS:
            return deltas.COLUMNS, "xPosNew", "0 to 16"
        if message.y_pos_new not in _ROWS:
            return deltas.ROWS, "yPosNew", "0 to 12"
    if mistake is Mistake.NO_TARGET and message.delta_type is DeltaType.GOBLIN_SHOCK:
        return deltas.SHOCKED, _PASSIVE, "a player of the other team"
    return _RULES[mistake]


# Pauses, talk and replays


def pause_of_spectator() -> Breach:
    expected = "pauseRequest of a player in a match"
    return Breach(standard.PAUSE_PLAYING, _TYPE, expected, "one of somebody else")


def pause_of_ai() -> Breach:
    return Breach(standard.NO_PAUSE_OF_AI, _TYPE, "no pauseRequest of an AI", "one")


def pause_again() -> Breach:
    expected = "no second pauseRequest in the same turn"
    return Breach(ours.PAUSE_AGAIN, _TYPE, expected, "one after another player's continueRequest")


def continue_of_spectator() -> Breach:
    expected = "continueRequest of a player in a match"
    return Breach(standard.CONTINUE_PLAYING, _TYPE, expected, "one of somebody else")


def organisers_pause() -> Breach:
    expected = "no continueRequest until the organiser goes on"
    return Breach(ours.ORGANISERS_PAUSE, _TYPE, expected, "one")


def long_text(field: str, most: int, text: str) -> Breach:
    expected = f"at most {most} characters"
    return Breach(ours.TEXT_LENGTH, _to(field), expected, f"{len(text)} characters")


def too_much_talk() -> Breach:
    return Breach(ours.TEXT_RATE, "", "", "ignored, too many of them; wait a second")


def mod_not_named(mod: Mod) -> Breach:
    expected = f"the mod {mod} in the joinRequest"
    return Breach(standard.MOD_NAMED, _TYPE, expected, "a joinRequest without it")


def no_replay() -> Breach:
    expected = "a match that was finished in this lobby"
    return Breach(standard.REPLAY, _TYPE, expected, "no match so far")
