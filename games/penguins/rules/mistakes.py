"""The ways to break the rules of Penguins."""

from ludothek.contract import mistakes


class Mistake(mistakes.Mistake):
    """What a move can get wrong; the texts are those of the original server."""

    NOT_OWN = "Nur eigene Spielfiguren können gezogen werden"
    PLACE_FIRST = "Setze zuerst alle Pinguine"
    NOT_POSSIBLE = "Dieser Zug ist nicht möglich"
    ALL_PLACED = "Bereits alle Pinguine gesetzt"
    NOT_SINGLE_FISH = "Pinguine können nur auf einzelne Fische gesetzt werden"
