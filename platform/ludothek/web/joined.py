"""Scripts and style sheets together with all that they import, so that browsers ask once.

To ask for a file costs a browser more than to read it, and what a script imports is known only when
the script is there. The sources stay what they are: modules that any browser could load by
themselves. So a script that is written in another way than ours is served as it is.
"""

import re
from collections.abc import Callable, Iterator, Mapping

ASSETS = "/assets/"

# Finds the text of a file by its path, as browsers see it; None: there is no such file.
Find = Callable[[str], str | None]

_COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
_NAMES = r"\{([\w\s,]*)\}"
_IMPORT = re.compile(rf'^import (?:(\w+)|{_NAMES}) from "([^"]+)";$', re.MULTILINE)
_PASSED_ON = re.compile(rf'^export {_NAMES} from "([^"]+)";$', re.MULTILINE)
_LISTED = re.compile(rf"^export {_NAMES};$", re.MULTILINE)
_DECLARED = re.compile(r"^export ((?:async function|function|class|const) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default (?=[{\[])", re.MULTILINE)
_LINKING = re.compile(r"\bexport\b|\bimport\b(?!\s*\()")
_WAITING = re.compile(r"^(?=\S)(?!(?:export )?async )[^\n]*\bawait\b", re.MULTILINE)

_SHEET = re.compile(r'^@import url\("([^"]+)"\);\n', re.MULTILINE)


class NotJoined(Exception):
    """A script is written in a way that is not known here."""


def join_script(path: str, find: Find) -> str | None:
    """A script and everything that it imports as one; None: it has to be served as it is."""
    try:
        return _Scripts(find).join(path)
    except NotJoined:
        return None


def join_sheet(path: str, find: Find) -> str:
    """A style sheet after those that it imports, each once."""
    return "\n".join(_sheets(path, find, set()))


def _sheets(path: str, find: Find, seen: set[str]) -> Iterator[str]:
    seen.add(path)
    text = find(path) or ""
    for imported in _SHEET.findall(text):
        if (other := _resolve(path, imported)) not in seen:
            yield from _sheets(other, find, seen)
    yield _SHEET.sub("", text)


def _resolve(path: str, imported: str) -> str:
    if imported.startswith("./"):
        return path[: path.rfind("/") + 1] + imported[2:]
    return imported


class _Scripts:
    """What has been joined so far: each script in a function of its own, after those it needs."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._numbers: dict[str, int | None] = {}  # None: it is being read
        self._parts: list[str] = []

    def join(self, path: str) -> str:
        """The script that is asked for stays as it is, with its own exports."""

        def pass_on(match: re.Match[str]) -> str:
            source = self._name(_resolve(path, match[2]))
            lines = []
            for inner, outer in _pairs(match[1]):
                lines.append(
                    f"const ${outer} = {source}.{inner}; export {{ ${outer} as {outer} }};"
                )
            return " ".join(lines)

        text = self._link(path, _PASSED_ON.sub(pass_on, self._read(path)))
        return "".join([*self._parts, text])

    def _read(self, path: str) -> str:
        text = self._find(path)
        if text is None:
            raise NotJoined(path)
        plain = _COMMENT.sub("", text)
        known = (_IMPORT, _PASSED_ON, _LISTED, _DECLARED, _DEFAULT)
        if len(_LINKING.findall(plain)) != sum(len(each.findall(plain)) for each in known):
            raise NotJoined(path)
        return text

    def _link(self, path: str, text: str) -> str:
        """The text with constants in place of what it imports."""

        def take(match: re.Match[str]) -> str:
            whole, names, imported = match.groups()
            source = self._name(_resolve(path, imported))
            return f"const {whole or _taken(names)} = {source}{'.default' if whole else ''};"

        return _IMPORT.sub(take, text)

    def _name(self, path: str) -> str:
        """What a script exports; it is added if it is not there."""
        if path not in self._numbers:
            self._numbers[path] = None
            part = self._wrap(path, self._read(path))
            self._numbers[path] = len(self._parts)
            self._parts.append(f"const ${len(self._parts)} = {part};\n")
        number = self._numbers[path]
        if number is None:
            raise NotJoined(f"{path} imports itself")
        return f"${number}"

    def _wrap(self, path: str, text: str) -> str:
        if _WAITING.search(_COMMENT.sub("", text)):
            raise NotJoined(path)
        given: list[str] = []

        def declare(match: re.Match[str]) -> str:
            given.append(match[2])
            return match[1]

        def listed(match: re.Match[str]) -> str:
            given.extend(f"{outer}: {inner}" for inner, outer in _pairs(match[1]))
            return ""

        def pass_on(match: re.Match[str]) -> str:
            source = self._name(_resolve(path, match[2]))
            given.extend(f"{outer}: {source}.{inner}" for inner, outer in _pairs(match[1]))
            return ""

        def default(_: re.Match[str]) -> str:
            given.append("default: $default")
            return "const $default = "

        text = self._link(path, _PASSED_ON.sub(pass_on, text))
        text = _DEFAULT.sub(default, _LISTED.sub(listed, _DECLARED.sub(declare, text)))
        return f"(() => {{\n{text}\nreturn {{ {', '.join(given)} }};\n}})()"


def _pairs(names: str) -> list[tuple[str, str]]:
    """`a, b as c` of an import or export: what each is called, and what it is called then."""
    words = [each.split() for each in names.split(",") if each.strip()]
    return [(each[0], each[-1]) for each in words]


def _taken(names: str) -> str:
    """The same as a declaration."""
    return "{ " + ", ".join(f"{there}: {here}" for there, here in _pairs(names)) + " }"


def finder(folders: Mapping[str, Mapping[str, bytes]]) -> Find:
    """Finds files in folders, by the paths of the folders."""

    def find(path: str) -> str | None:
        place = path.rfind("/") + 1
        content = folders.get(path[:place], {}).get(path[place:])
        return None if content is None else content.decode()

    return find
