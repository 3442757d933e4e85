"""What a player may do wrong: a readable request that the rules do not allow."""

import enum


class Mistake(enum.Enum):
    """A way to break the rules; each game lists its own, the value is the sentence for humans."""


class RuleViolation(Exception):
    """Raised by rules for an action they do not allow; the state is as it was before."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.value)
        self.mistake = mistake
