"""Accounts that cannot be used: reported once, however often somebody tries."""

from games.quidditch.accounts import AccountsError, CannotKeep, Verdict
from ludothek.kit.outage import Outage

CANNOT_BE_USED = "accounts cannot be used"
CAN_BE_USED = "accounts can be used again"


class AccountTroubles:
    """One trouble for each kind of problem, until the problem is seen to be over.

    When one new account can be stored, all can. An account that cannot be read says nothing about
    the others, so only the one where the problem was noticed can show that it is over.
    """

    def __init__(self) -> None:
        self._keeping: dict[str, Outage] = {}
        self._reading: dict[str, tuple[str, Outage]] = {}

    def failed(self, name: str, error: AccountsError) -> None:
        problem = error.problem
        if isinstance(error, CannotKeep):
            trouble = self._keeping.setdefault(problem, Outage())
        else:
            _, trouble = self._reading.setdefault(problem, (name, Outage()))
        trouble.failed(CANNOT_BE_USED, problem, account=str(error))

    def worked(self, name: str, verdict: Verdict) -> None:
        if verdict is Verdict.NEW:
            for trouble in self._keeping.values():
                trouble.worked(CAN_BE_USED)
            self._keeping.clear()
        over = [problem for problem, (first, _) in self._reading.items() if first == name]
        for problem in over:
            self._reading.pop(problem)[1].worked(CAN_BE_USED)
