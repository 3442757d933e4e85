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
