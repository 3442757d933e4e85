"""Pages name every script that they will need."""

import re

import pytest

from ludothek.web import files

PAGES = [name for name in files.shell() if name.endswith(".html")]


def imported(script: str) -> set[str]:
    """Everything that a script imports, itself or by others; what is in brackets may span lines."""
    seen: set[str] = set()
    waiting = [script]
    while waiting:
        text = files.shell()[waiting.pop()].content.decode()
        code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        new = set(re.findall(r'from\s+"\./([^"]+)"', code)) - seen
        seen |= new
        waiting += new
    return seen


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_all_its_scripts(page: str) -> None:
    text = files.shell()[page].content.decode()
    (script,) = re.findall(r'<script type="module" src="/assets/([^"]+)">', text)
    named = re.findall(r'<link rel="modulepreload" href="/assets/([^"]+)">', text)
    assert len(named) == len(set(named)) > 3
    assert {*named} == imported(script)
