"""How to call this program as it is installed at that moment.

An update changes a link (`current` in docs/install.md) while the old version runs. So links are not
followed here, and a script is called by its own name: the first line of the one that is there now
says which Python it needs.
"""

import os
import sys


def installed_program() -> list[str]:
    """The words that the arguments follow."""
    if os.access(sys.argv[0], os.X_OK):
        return [os.path.abspath(sys.argv[0])]
    # As in python -m ludothek
    words = len(sys.orig_argv) - len(sys.argv) + 1
    return [sys.executable, *sys.orig_argv[1:words]]
