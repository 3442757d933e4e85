"""The ways to break the rules of Quidditch."""

from ludothek.contract import mistakes


class Mistake(mistakes.Mistake):
    """A request that the rules do not allow."""

    MATCH_OVER = "The match is over."
    WRONG_ENTITY = "It is the turn of another entity."
    MOVE_EXPECTED = "A move or a skip is expected."
    ACTION_EXPECTED = "A throw, a beating, a wresting or a skip is expected."
    UNBAN_EXPECTED = "An unban or a skip is expected."
    WRONG_DEED = "A fan of this kind cannot do that."

    NO_CELL = "The request names no cell."
    OFF_PITCH = "This cell is not on the pitch."
    TOO_FAR = "A player moves by at most one cell."
    CUBE_IN_THE_WAY = "A wombat cube is on this cell."

    NO_QUAFFLE = "This player does not hold the quaffle."
    OWN_CELL = "The quaffle cannot be thrown to the cell of its thrower."
    CANNOT_WREST = "Only a chaser beside an opponent who holds the quaffle can wrest it."
    NO_BLUDGER = "The request names no bludger on the cell of this beater."
    OUT_OF_REACH = "A bludger is beaten over three cells at most."
    PLAYER_IN_THE_WAY = "A player is in the way of the bludger."

    NO_TARGET = "The request names no player as its target."
    TARGET_BANNED = "This player is banned."
    OWN_TEAM = "A goblin shocks players of the other team only."
    CELL_TAKEN = "There is a player or a ball on this cell."

    NOT_OWN_HALF = "A player returns to the own half."
    GOAL_CELL = "A player does not return to a goal."


class LineUpMistake(mistakes.Mistake):
    """A team or a formation that the rules do not allow."""

    MISSING_BROOM = "Each broom must be used by at least one player."
    ONE_SEX = "At most four players may have the same sex."
    MISSING_FANS = "At least one fan of each kind must come."
    NUMBER_OF_FANS = "A team has seven fans."

    NO_PLACE = "This player has no place."
    OFF_PITCH = "There is no such cell on the pitch."
    GOAL = "This cell is a goal."
    OTHER_HALF = "This cell is not in the own half."
    CENTRE = "This cell belongs to the centre circle."
    SAME_CELL = "Two players cannot start on the same cell."
