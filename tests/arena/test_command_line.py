"""The words of command lines."""

from ludothek.arena.command_line import fill, placeholders, split


def test_placeholders_are_replaced_within_words() -> None:
    words = split("java -jar 'my player.jar' --url=ws://{host}:{port} -u {name} {team}")
    values = {"host": "127.0.0.1", "port": 4444, "name": "Ada L", "team": ""}
    expected = ["java", "-jar", "my player.jar", "--url=ws://127.0.0.1:4444", "-u", "Ada L", ""]
    assert fill(words, values) == expected


def test_other_braces_stay() -> None:
    assert fill(['{"port": {port}}', "{{host}}", "{}", "{hots}"], {"port": 1}) == [
        '{"port": 1}',
        "{host}",
        "{}",
        "{hots}",
    ]


def test_values_are_not_looked_at_again() -> None:
    assert fill(["{name}"], {"name": "{port}", "port": 1}) == ["{port}"]


def test_all_names_in_braces_are_found() -> None:
    assert [*placeholders(["{host}:{prot}", "{{name}}", "{ }"])] == ["host", "prot"]
