"""The contract suite: what every game promises, as tests.

A game runs it by a class in one of its test modules::

    class TestTicTacToe(ContractSuite):
        game = GAME
"""

from ludothek.testing.asking import AskingSuite
from ludothek.testing.clauses import ClauseSuite
from ludothek.testing.endings import EndingSuite
from ludothek.testing.lateness import LatenessSuite
from ludothek.testing.package import PackageSuite
from ludothek.testing.playing import PlayingSuite
from ludothek.testing.repeating import RepeatingSuite
from ludothek.testing.results import ResultSuite
from ludothek.testing.reviving import RevivingSuite


class ContractSuite(
    PackageSuite,
    PlayingSuite,
    EndingSuite,
    RepeatingSuite,
    LatenessSuite,
    ResultSuite,
    RevivingSuite,
    AskingSuite,
    ClauseSuite,
):
    """All tests of one game; `game` says which, and the other attributes are for short matches."""
