"""The scripts of a page, named in its head so that browsers fetch all of them at once.

Otherwise a browser learns what a script imports when it has the script, and so on, layer by layer.
"""

import re
from collections.abc import Mapping

_SCRIPT = re.compile(rb'<script type="module" src="/assets/([\w-]+\.js)"></script>')
_IMPORT = re.compile(rb'^(?:import|export|\}).*? from "\./([\w-]+\.js)";$', re.MULTILINE)


def name_scripts(page: bytes, files: Mapping[str, bytes]) -> bytes:
    """The page, with a link to everything that its scripts import."""
    found: dict[str, None] = {}
    for script in _SCRIPT.findall(page):
        _follow(script.decode(), files, found)
    links = [b'<link rel="modulepreload" href="/assets/%s">' % each.encode() for each in found]
    return page.replace(b"</head>", b"\n".join([*links, b"</head>"]))


def _follow(script: str, files: Mapping[str, bytes], found: dict[str, None]) -> None:
    for match in _IMPORT.findall(files[script]):
        name = match.decode()
        if name not in found:
            found[name] = None
            _follow(name, files, found)
