"""Scripts and style sheets that come with all that they import."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ludothek.contract import registry
from ludothek.web import files
from ludothek.web.joined import ASSETS, finder, join_script, join_sheet

OWN = [
    *(("shell", name) for name in files.shell() if name.endswith(".js")),
    *(
        (game, name)
        for game in registry.names()
        for name in files.of_game(registry.load(game).page)
        if name.endswith(".js")
    ),
]


def folder(owner: str) -> files.Folder:
    if owner == "shell":
        return files.shell()
    page = registry.load(owner).page
    assert page is not None
    return files.of_game(page)


def joined(**sources: str) -> str | None:
    """The script `main` with what it imports."""
    contents = {f"{name}.js": text.encode() for name, text in sources.items()}
    return join_script("/x/main.js", finder({"/x/": contents, ASSETS: {}}))


def run(script: str, tmp_path: Path) -> str:
    """What a script prints."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node")
    path = tmp_path / "main.mjs"
    path.write_text(script)
    return subprocess.run([node, path], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(("owner", "name"), OWN)
def test_every_script_of_ours_comes_with_all_that_it_imports(owner: str, name: str) -> None:
    text = re.sub(r"/\*.*?\*/", "", folder(owner)[name].content.decode(), flags=re.DOTALL)
    assert not re.search(r"^import\b|\bfrom\s+\"", text, re.MULTILINE)


def test_what_is_joined_does_what_it_did(tmp_path: Path) -> None:
    text = joined(
        main='import { count as n } from "./a.js";\n'
        + 'import words from "./b.js";\nimport { Box } from "./c.js";\n'
        + 'export { later } from "./c.js";\n'
        + "const count = 1;\nconsole.log(n, count, words.en, new Box().tell(), Box.n === n);\n"
        + "await null;\n",
        a="let hidden = 3;\nexport const count = ++hidden;\n",
        b='export default {\n  en: "text",\n};\n',
        c='import { count } from "./a.js";\nexport { shut as later };\n'
        + "export class Box { static n = count; tell() { return shut(); } }\n"
        + 'function shut() {\n  return "shut";\n}\n',
    )
    assert text is not None
    assert text.count("++hidden") == 1  # once, however many need it
    printed = run(f'{text}\nimport("./main.mjs").then((m) => console.log(m.later()));', tmp_path)
    assert printed == "4 1 text shut true\nshut\n"


@pytest.mark.parametrize(
    "text",
    [
        'import "./other.js";',
        'import * as other from "./other.js";',
        "import { other } from './other.js';",
        'import { other } from "https://elsewhere.example/other.js";',
        'import { missing } from "./missing.js";',
        'import { waiting } from "./waiting.js";',
        'import { main } from "./main.js";',
        "export let count = 0;",
        "export default function () {}",
        "const here = import.meta.url;",
        'const one = 1; import{other}from"./other.js";',
    ],
)
def test_a_script_in_another_style_stays_as_it_is(text: str) -> None:
    others = {"other": "export const other = 1;\n", "waiting": "export const waiting = await 1;\n"}
    assert joined(main=text + "\n", **others) is None


def test_a_style_sheet_comes_after_those_that_it_needs_each_once() -> None:
    sheets = {
        "a.css": b'@import url("./b.css");\n@import url("./c.css");\na {}\n',
        "b.css": b'/* b */\n\n@import url("./c.css");\nb {}\n',
        "c.css": b'c {}\n@import url("./a.css");\n',
    }
    text = join_sheet("/x/a.css", finder({"/x/": sheets}))
    assert [text.count(each) for each in ("a {}", "b {}", "c {}", "@import")] == [1, 1, 1, 0]
    assert text.index("c {}") < text.index("b {}") < text.index("a {}")
