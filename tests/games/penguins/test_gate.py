"""The gate for administrators: who has to wait, and what is logged about those who guess."""

import attrs
import pytest
from structlog.testing import LogCapture

from games.penguins.gate import MOST_REMEMBERED, MOST_WAITING, Gate
from games.penguins.messages import Authenticate
from games.penguins.refusals import Refusal
from ludothek.contract.client import Client
from ludothek.contract.timers import Timers
from ludothek.testing.dummies import DummyClient

ADDRESS = DummyClient().origin
GUESS, SECRET = Authenticate("guess"), Authenticate("secret")


@attrs.define
class Scene:
    """A gate, the time, and who has hung up."""

    now: float = 0.0
    gone: list[Client] = attrs.field(factory=list)
    gate: Gate = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        def now() -> float:
            return self.now

        def has_hung_up(client: Client) -> bool:
            return client in self.gone

        self.gate = Gate(Timers(now), now, lambda host: False, has_hung_up)

    def guess_until_braked(self) -> Client:
        """Guess until others at that address have to wait; returns the first who does."""
        guesser, first = DummyClient(1), DummyClient(2)
        while not self.gate.line_up(first, SECRET):
            with pytest.raises(Refusal):
                self.gate.check(guesser, "guess", "secret")
        return first

    def wait_for_turn(self) -> tuple[Client, Authenticate] | None:
        """Let time pass until somebody may try; returns who."""
        self.now = self.gate.timers.deadline
        assert self.gate.timers.take_due() == ADDRESS
        return self.gate.next_try(ADDRESS)


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_the_log_tells_of_a_long_guessing_but_not_of_each_guess(
    scene: Scene, logs: LogCapture
) -> None:
    guesser = DummyClient()
    for hour in range(100):
        scene.now = 3600.0 * hour
        with pytest.raises(Refusal):
            scene.gate.check(guesser, "guess", "secret")
    told = [entry["failures"] for entry in logs.entries if entry["event"] == "wrong password"]
    assert told == [*range(1, 11), 16, 32, 64]


def test_a_new_process_gives_nobody_more_tries(scene: Scene) -> None:
    scene.guess_until_braked()
    again = Scene(scene.now)
    again.gate.recall(scene.gate.remember())
    assert again.gate.failures == scene.gate.failures
    with pytest.raises(Refusal, match="too many wrong passwords"):
        again.gate.check(DummyClient(3), "secret", "secret")
    assert again.gate.line_up(DummyClient(3), SECRET)
    again.wait_for_turn()
    assert again.now == 1.0  # as in the process before


def test_only_the_worst_guessers_are_remembered(scene: Scene) -> None:
    for number in range(MOST_REMEMBERED + 1):
        guesser = DummyClient(host=f"2001:db8::{number}")
        for _ in range(1 if number == 7 else 2):
            with pytest.raises(Refusal):
                scene.gate.check(guesser, "guess", "secret")
    hosts = [host for host, _, _ in scene.gate.remember().places]
    assert len(hosts) == MOST_REMEMBERED
    assert "2001:db8::7" not in hosts


def test_nobody_overtakes_those_who_wait_for_their_turn(scene: Scene) -> None:
    """A client that plays, or finds the line full, is answered at once, and could otherwise try at
    the right moment."""
    gate = scene.gate
    administrator, guesser = scene.guess_until_braked(), DummyClient(1)
    seen = gate.failures
    scene.now = 3600.0
    with pytest.raises(Refusal, match="too many wrong passwords"):
        gate.check(guesser, "guess", "secret")
    assert gate.failures == seen
    gate.check(administrator, "secret", "secret")
    gate.leave(administrator)
    gate.check(guesser, "secret", "secret")


def test_tries_are_looked_at_in_order_each_as_soon_as_it_may_be(scene: Scene) -> None:
    gate = scene.gate
    first, second, third = scene.guess_until_braked(), DummyClient(3), DummyClient(4)
    assert gate.line_up(second, GUESS)
    assert gate.line_up(third, SECRET)
    assert scene.wait_for_turn() == (first, SECRET)
    assert scene.now == 1.0
    gate.check(first, "secret", "secret")
    gate.leave(first)
    assert scene.wait_for_turn() == (second, GUESS)
    assert scene.now == 1.0  # the password was right, so there is nothing to wait for
    with pytest.raises(Refusal, match="Failed to authenticate"):
        gate.check(second, "guess", "secret")
    gate.leave(second)
    assert scene.wait_for_turn() == (third, SECRET)
    assert 2.9 < scene.now <= 3.0  # one more failure doubles the wait
    gate.leave(third)
    assert ADDRESS not in gate.timers


def test_a_timer_that_is_early_is_set_again(scene: Scene) -> None:
    first = scene.guess_until_braked()
    scene.now = 0.75
    assert scene.gate.next_try(ADDRESS) is None
    assert scene.wait_for_turn() == (first, SECRET)
    assert scene.now == 1.0


def test_a_client_that_is_gone_gives_up_its_turn_to_the_next(scene: Scene) -> None:
    first, second = scene.guess_until_braked(), DummyClient(3)
    scene.gate.line_up(second, SECRET)
    scene.gone.append(first)
    assert scene.wait_for_turn() == (second, SECRET)
    assert scene.now == 1.0


def test_leaving_from_the_middle_of_a_line_changes_nothing_for_the_first(scene: Scene) -> None:
    first, second = scene.guess_until_braked(), DummyClient(3)
    scene.gate.line_up(second, SECRET)
    scene.now = 0.5
    scene.gate.leave(second)
    assert scene.wait_for_turn() == (first, SECRET)
    assert scene.now == 1.0


def test_a_full_line_has_room_again_when_some_are_gone(scene: Scene) -> None:
    gate = scene.gate
    line = [scene.guess_until_braked(), *(DummyClient(n) for n in range(3, MOST_WAITING + 2))]
    for client in line[1:]:
        assert gate.line_up(client, GUESS)
    late = DummyClient(1000)
    assert gate.make_room(ADDRESS) == []
    assert not gate.line_up(late, SECRET)
    scene.gone += line[:1] + line[50:60]
    assert gate.make_room(ADDRESS) == scene.gone
    assert gate.line_up(late, SECRET)
    assert scene.wait_for_turn() == (line[1], GUESS)
    scene.gone.append(line[1])
    assert gate.make_room(ADDRESS) == []  # nobody is checked as long as there is room
