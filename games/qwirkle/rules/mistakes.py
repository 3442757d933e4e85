"""Every way to break the rules, in the words that reach the player."""

import ludothek.contract.mistakes


class Mistake(ludothek.contract.mistakes.Mistake):
    """What a player or the organiser asked for but may not have."""

    NO_TILES = "Es ist kein Stein angegeben."
    TILE_TWICE = "Ein Stein ist mehrfach angegeben."
    NOT_IN_HAND = "Ein Stein ist nicht auf der Hand."

    CELL_TWICE = "Zwei Steine sollen auf dasselbe Feld."
    OCCUPIED = "Auf einem der Felder liegt schon ein Stein."
    NOT_ONE_LINE = "Alle Steine müssen in einer Zeile oder in einer Spalte liegen."
    NOT_ON_ORIGIN = "Beim ersten Zug muss ein Stein auf (0, 0) liegen."
    NO_CONTACT = "Keiner der Steine berührt einen Stein auf dem Brett."
    GAP = "Zwischen den Steinen bleibt eine Lücke."
    MISMATCH = (
        "In jeder Reihe müssen alle Steine dieselbe Farbe und verschiedene Formen haben"
        " oder dieselbe Form und verschiedene Farben."
    )

    BAG_TOO_SMALL = "Im Beutel sind weniger Steine, als getauscht werden sollen."
    CAN_MOVE = "Aussetzen darf nur, wer weder legen noch tauschen kann."
    TURN_OVER = "Dieser Zug ist schon vorbei."
    GAME_OVER = "Das Spiel ist schon vorbei."

    TOO_FEW_PLAYERS = "Das Spiel braucht mindestens zwei Spieler."
    TOO_FEW_TILES = "Die Steine reichen nicht für die Hände aller Spieler."
