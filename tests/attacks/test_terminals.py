"""Names and messages that would control the terminal of whoever looks at them."""

import json
from pathlib import Path
from typing import Any

import pytest
import trio

from ludothek.contract.player import Report
from ludothek.contract.registry import load
from ludothek.observe import terminal_json
from tests.games.qwirkle.party import QUIET, connected
from tests.support.organiser_console import Organiser, open_control
from tests.support.program import invoke, invoke_aside

# What terminals obey (C0, DEL, C1), what reverses the writing direction, what is invisible, what
# ends a line for some programs, what is not assigned yet, and what is outside of the first 65536.
CONTROLS = [*range(0x20), *range(0x7F, 0xA0)]
BIDI = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
HIDDEN = [0xAD, 0x200B, 0x2028, 0x2029, 0x2060, 0xFEFF, 0xFFF9, 0xE000]
ASTRAL = [0xE0001, 0xE0041, 0xF0000, 0x10FFFF]
DANGEROUS = [chr(code) for code in (*CONTROLS, *BIDI, *HIDDEN, *ASTRAL)]
EVIL = f"Eve{''.join(DANGEROUS)}!\x1b]0;pwned\x07\x9b31m\u202egnp.exe"
HALF = "\ud83d"  # of an emoji


def harmless(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize("sign", [*DANGEROUS, HALF, "\udfff"])
def test_json_says_the_same_in_characters_that_do_nothing(sign: str) -> None:
    said = terminal_json.dumps({sign: [f"a{sign}b", "\\", '"']}).decode()
    assert said.isprintable()
    assert json.loads(said) == {sign: [f"a{sign}b", "\\", '"']}


def test_what_is_printable_stays_readable() -> None:
    names = ["Jürgen", "李小龍", "דוד", "🤖", "\\u202e"]
    assert terminal_json.dumps(names).decode() == json.dumps(
        names, ensure_ascii=False, separators=(",", ":")
    )


async def look(organiser: Organiser, *words: str) -> str:
    done = await invoke_aside("ctl", *words, "--control", str(organiser.path))
    assert done.returncode == 0, done.stderr
    assert harmless(done.stdout)
    assert harmless(done.stderr)
    return done.stdout


async def test_a_name_does_nothing_on_an_organisers_terminal(tmp_path: Path) -> None:
    async with (
        open_control(tmp_path, load("qwirkle"), settings=QUIET) as organiser,
        connected(organiser.servers["qwirkle"], EVIL),
    ):
        await organiser.do("/lobbies", game="qwirkle", name=EVIL)
        await organiser.do("/lobbies/qwirkle/1/seat", clients=["1"])
        for what in ("lobbies", "clients", "status"):
            await look(organiser, what)
        (lobby,) = json.loads(await look(organiser, "lobbies", "--json"))
        assert (lobby["name"], lobby["players"]) == (EVIL, [EVIL])
        (client,) = json.loads(await look(organiser, "clients", "--json"))
        assert client["name"] == EVIL
        for form in ((), ("--json",)):
            said = await look(organiser, "top", "--once", "--interval", "0.1", *form)
            assert "Eve" in said
        response = await organiser.http.get("/clients")  # for those who use curl
        assert harmless(response.text)
        assert response.json()[0]["name"] == EVIL


async def test_half_a_character_in_a_name_hides_nobody(tmp_path: Path) -> None:
    async with (
        open_control(tmp_path, load("qwirkle"), settings=QUIET) as organiser,
        connected(organiser.servers["qwirkle"], "Eve"),
    ):
        (client,) = organiser.servers["qwirkle"].endpoint.clients
        client.name = f"Eve{HALF}"
        (shown,) = await organiser.get("/clients")
        assert shown["name"] == f"Eve{HALF}"
        assert "Eve\\ud83d" in await look(organiser, "clients")


async def test_the_wire_log_is_read_without_danger(tmp_path: Path) -> None:
    async with open_control(tmp_path, load("qwirkle"), settings=QUIET) as organiser:
        wire = await organiser.do("/endpoints/qwirkle/wire", on=True)
        async with connected(organiser.servers["qwirkle"], EVIL) as (eve,):
            await eve.say_line(b"\x1b[2J\xc2\x9b\xff")
            with trio.fail_after(60):
                while (await organiser.get("/wire"))[0]["lines"] < 5:
                    await trio.lowlevel.checkpoint()
        await organiser.do("/endpoints/qwirkle/wire", on=False)
    for form in ((), ("--pretty",), ("--raw",)):
        done = await invoke_aside("wire", wire["file"], *form)
        assert (done.returncode, done.stderr) == (0, "")
        assert "Eve" in done.stdout
        assert harmless(done.stdout)
    names = [json.loads(line).get("name") for line in done.stdout.splitlines()]
    assert EVIL in names


async def test_a_servers_words_do_nothing_where_a_bot_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run_bot(game: Any, host: str, port: int, player: Any, tell: Any, **_: Any) -> None:
        tell(Report(EVIL, {EVIL: 1}, 2, 0, details={"reason": EVIL}))

    monkeypatch.setattr("ludothek.cli.commands.run_bot", run_bot)
    done = await invoke_aside("bot", "--game", "hexxagon")
    assert harmless(done.stdout)
    report = json.loads(done.stdout)
    assert (report["winner"], report["points"], report["reason"]) == (EVIL, {EVIL: 1}, EVIL)


BAD = "x\x1b[31m\x9b\u202e\ny"


@pytest.mark.parametrize(
    "words",
    [
        ("ctl", "status", "--control", f"/nowhere/{BAD}"),
        ("ctl", "open", "--game", BAD, "--file", f"/nowhere/{BAD}"),
        ("ctl", "start", BAD),
        ("ctl", BAD),
        ("run", "--game", BAD),
        ("run", "--config", f"/nowhere/{BAD}"),
        ("run", "--game", "hexxagon", "--set", f"{BAD}=1"),
        ("run", "--game", "qwirkle", "--set", f"configuration={BAD}"),
        ("check-config", f"/nowhere/{BAD}"),
        ("games", "--course", BAD),
        ("wire", f"/nowhere/{BAD}"),
        ("bot", "--game", BAD),
        (f"--{BAD}",),
        (BAD,),
    ],
)
def test_what_was_typed_wrong_is_repeated_without_danger(words: tuple[str, ...]) -> None:
    done = invoke(*words)
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert harmless(done.stderr)


def test_a_configuration_file_is_quoted_without_danger(tmp_path: Path) -> None:
    path = tmp_path / "platform.toml"
    path.write_text(f'"a\\u009b" = 1\n[[host]]\ngame = "{chr(0x202E)}"\n"b\\nc" = 2\n')
    done = invoke("check-config", str(path))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 3
    assert harmless(done.stderr)
