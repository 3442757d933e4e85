"""What a player can do wrong in Robo Rally."""

from ludothek.contract import mistakes as violation


class Mistake(violation.Mistake):
    """A way to break the rules of Robo Rally."""

    GAME_OVER = "The game is over."
    NOT_PLAYING = "This player does not take part in the game."
    WRONG_PHASE = "That is not possible in this phase."
    NOT_YOUR_TURN = "It is another player's turn."
    WAITING_FOR_DAMAGE = "The game waits for a player who has to choose damage cards."
    WAITING_FOR_ROUTINE = "The game waits for a player who has to choose what a card does."
    NOT_ASKED = "There is no damage to choose at the moment."

    NO_START_POINT = "There is no start point on this field."
    START_POINT_TAKEN = "Another robot starts from this field."

    NOT_IN_SHOP = "The shop does not offer this card."
    TOO_EXPENSIVE = "That is more energy than you have."
    TOO_MANY_UPGRADES = "Nobody can have more than three permanent and three temporary upgrades."

    NO_SUCH_REGISTER = "The registers are numbered from 1 to 5."
    ALREADY_FINISHED = "All your registers are filled already; they cannot be changed any more."
    TOO_MANY_CHANGES = "You have changed your program too often in this round."
    NOT_IN_HAND = "You do not have this card in your hand."
    NOTHING_TO_REPEAT = "The first register cannot repeat anything."
    SWAP_UNFINISHED = "First put three cards on your deck to finish your memory swap."

    NOT_IN_REGISTER = "This is not the card in your current register."
    NOT_OWNED = "You do not own this upgrade."
    PASSIVE = "This upgrade works on its own and is not played."
    REBOOTED = "Your robot has been rebooted and does nothing more in this round."
    NO_TURN_LEFT = "Only a robot that was rebooted can turn, and only once."
    NOT_A_CHOICE = "The card in your register does not allow this choice."

    ALREADY_PRIVILEGED = "Your privilege is already used."
    NO_REGISTER_LEFT = "There is no later register in this round."
    ALREADY_SHIELDED = "Your shield is already up."
    NO_ENERGY = "You have no energy left."
    NOTHING_TO_HACK = "There is no card in your current register."
    BLOCKED = "Something that cannot be pushed away is in this direction."

    WRONG_COUNT = "That is the wrong number of cards."
    NO_SUCH_DAMAGE = "The damage piles do not have these cards."
    TOO_FEW_LEFT = "You have to keep enough cards to fill all registers."
