"""What tests with the real client share."""

import subprocess
from pathlib import Path

import pytest

from tests.interop.environment import socha_python


@pytest.fixture(scope="session")
def python() -> Path:
    try:
        return socha_python()
    except subprocess.CalledProcessError as error:
        pytest.fail(f"the real client cannot be installed:\n{error.stderr}", pytrace=False)
