"""The version of what is built, for pyproject.toml: no two sources that differ have the same.

From the repository: its latest tag (v1.2), or behind that the number of commits since and the
commit: 1.3.dev7+g82257c95f. An archive made by git has no repository but knows its commit from
.git_archival.txt: 0.0+g82257c95f, unless it is that of a tag. A bare copy of the files is 0.0.
"""

import re
import warnings
from pathlib import Path

from setuptools_scm import get_version

ROOT = Path(__file__).parent
UNKNOWN = "0.0"


def version() -> str:
    """What this source is called."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of archives without tags, which we know
        found = get_version(str(ROOT), fallback_version=UNKNOWN)
    return found if found != UNKNOWN else UNKNOWN + _archived_commit()


def _archived_commit() -> str:
    try:
        text = (ROOT / ".git_archival.txt").read_text()
    except OSError:
        return ""
    commit = re.search(r"^node: ([0-9a-f]{9})", text, re.MULTILINE)
    return f"+g{commit[1]}" if commit else ""
