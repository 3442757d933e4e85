"""What every game promises."""

from ludothek.testing.contract import ContractSuite

from tictactoe import GAME


class TestTicTacToe(ContractSuite):
    game = GAME
    late_players = 4
