"""What tests of a game need, wherever the game lives."""

import pytest

# A failed assertion in here shows its values, as it would in a test module.
pytest.register_assert_rewrite(
    f"{__name__}.distance",
    f"{__name__}.effects",
    f"{__name__}.endings",
    f"{__name__}.fair",
    f"{__name__}.lateness",
    f"{__name__}.lockstep",
    f"{__name__}.package",
    f"{__name__}.playing",
    f"{__name__}.repeating",
    f"{__name__}.results",
    f"{__name__}.scene",
    f"{__name__}.suite",
    f"{__name__}.visitors",
)
