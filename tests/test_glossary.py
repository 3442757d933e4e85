"""One word, one meaning: no two classes of the core share a name."""

import ast
import importlib
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
GLOSSARY = (ROOT / "docs" / "architecture.md").read_text().split("\n## ")[2]

# What modules of the games are called is in the glossary as well.
PACKAGES = ("", "ludothek.", *(f"games.{path.name}." for path in (ROOT / "games").glob("*/")))


def is_there(dotted: str) -> bool:
    """Whether a module, a class or a method of a class is where the glossary says."""
    words = dotted.split(".")
    for count in range(len(words), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(words[:count]))
        except ModuleNotFoundError:
            continue
        for word in words[count:]:
            found = getattr(found, word, None)
        return found is not None
    return False


def test_no_two_public_classes_of_the_core_have_the_same_name() -> None:
    places = defaultdict(list)
    for folder in (ROOT / "platform", ROOT / "transports"):
        for path in folder.rglob("*.py"):
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(path.name)
    assert len(places) > 500
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_every_class_of_the_glossary_is_there() -> None:
    assert GLOSSARY.startswith("Glossary\n")
    named = {
        name
        for row in re.findall(r"^\|.*\|(.*)\|$", GLOSSARY, re.M)
        for name in re.findall(r"`(\w+(?:\.\w+)+)`", row)
        if not name.endswith(".py")
    }
    assert len(named) > 100
    assert [name for name in named if not any(is_there(each + name) for each in PACKAGES)] == []
