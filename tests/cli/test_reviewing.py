"""`supervisor review --label`: the queue at a terminal, by keys."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from supervisor.cli.reviewing import Reviewing
from supervisor.feedback.schema import labels
from supervisor.policy import Policy, Records
from supervisor.service.console.desk import Deployed, Desk
from tests.attack.terminals import SUPERVISOR, terminal
from tests.conftest import Ran
from tests.feedback.journals import Machine

_OPEN = os.open


class Pressed:
    """Keys that a person presses, and lines that they type, in order; what the screen shows."""

    columns = 40

    def __init__(self, *keys: str) -> None:
        self._keys = list(keys)
        self.shown = ""
        self.before: dict[str, Callable[[], object]] = {}  # what happens before a key is pressed

    def show(self, text: str) -> None:
        self.shown += text

    def forget(self) -> None:
        """Nothing is pressed too early here."""

    def key(self) -> str:
        pressed = self._keys.pop(0) if self._keys else ""
        self.before.pop(pressed, lambda: None)()
        return pressed

    def line(self, question: str) -> str:
        self.shown += question
        return self._keys.pop(0)


class Queue:
    """A desk over a machine, and what a person's keys do at it."""

    def __init__(self, machine: Machine) -> None:
        key = str(machine.records.parent / "key.pem")
        policy = Policy(records=Records(str(machine.records), key))
        self.machine, self.desk = machine, Desk(Deployed(policy, machine.records, machine.signer))

    def press(self, *keys: str, by: str = "ann") -> Pressed:
        return self.run(Pressed(*keys), by)

    def run(self, pressed: Pressed, by: str = "ann") -> Pressed:
        self.steps = Reviewing(self.desk, pressed, by).run()  # type: ignore[arg-type]
        return pressed

    def given(self) -> list[tuple[str, ...]]:
        with self.desk.store.reading() as connection:
            order = (labels.c.time, labels.c.record)
            rows = connection.execute(labels.select().order_by(*order))
            return [(row.decision, f"{row.word} {row.verdict}".strip(), row.entry, row.note, row.via) for row in rows]


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[Queue]:
    made = Queue(Machine(tmp_path))
    yield made
    made.desk.close()


def test_one_key_judges_and_shows_the_next(queue: Queue) -> None:
    first, second = queue.machine.decide("touch block"), queue.machine.decide("mkfs /dev/sda", minute=1)
    shown = queue.press("x", "3").shown
    assert [each[:2] for each in queue.given()] == [(first, "wrong"), (second, "should_have_been nudge")]
    assert {each[4] for each in queue.given()} == {"terminal"}
    assert (queue.steps, shown.count("Why you see this:")) == (2, 2)
    assert shown.endswith("Nothing waits.  u undo  space look again  q end\n")


def test_a_note_and_a_finding_are_of_the_next_judgement_alone(queue: Queue) -> None:
    first, second = queue.machine.decide("touch block"), queue.machine.decide("mkfs /dev/sda", minute=1)
    queue.press("n", "a mirror", "e", "1", "x", "a")
    assert [each[:4] for each in queue.given()] == [
        (first, "wrong", "touches_block", "a mirror"),
        (second, "right", "", ""),
    ]


def test_a_judgement_that_does_not_fit_is_refused_and_the_item_stays(queue: Queue) -> None:
    record = queue.machine.decide("touch block")
    pressed = queue.press("e", "other", "x", "?", "e", "", "x")
    assert "it has no finding on this action" in pressed.shown
    assert [each[:3] for each in queue.given()] == [(record, "wrong", "")]


def test_all_alike_is_one_step_that_undo_takes_back(queue: Queue) -> None:
    alike = {queue.machine.decide(f"touch block {minute}", minute=minute, session=f"s{minute}") for minute in range(3)}
    shown = queue.press("l", "x", "u", "q").shown
    assert "The next judgement is of all 3 alike." in shown
    given = queue.given()
    assert len(given) == 6
    assert {each[:2] for each in given[:3]} == {(record, "wrong") for record in alike}
    assert {each[:2] for each in given[3:]} == {(record, "withdrawn") for record in alike}
    assert queue.steps == 0


def test_the_last_step_can_be_undone_where_nothing_waits_any_more(queue: Queue) -> None:
    record = queue.machine.decide("touch block")
    shown = queue.press("x", "u", "a", "q").shown
    assert [each[:2] for each in queue.given()] == [(record, "wrong"), (record, "withdrawn"), (record, "right")]
    assert shown.count("Nothing waits.  u undo  space look again  q end\n") == 2
    assert queue.steps == 1


def test_where_nothing_waits_and_no_step_stands_the_review_ends(queue: Queue) -> None:
    queue.machine.decide("touch block")
    queue.press("x", "q")
    assert queue.press("u").shown == "Nothing waits.\n"  # another visit has nothing to take back


def test_a_step_that_somebody_else_looks_at_is_taken_back_and_not_shown(queue: Queue) -> None:
    record = queue.machine.decide("touch block")
    pressed = Pressed("x", "u", "q")
    pressed.before["u"] = lambda: queue.desk.hold(record, "bob")
    queue.run(pressed)
    assert "somebody else looks at this now" in pressed.shown
    assert [each[1] for each in queue.given()] == ["wrong", "withdrawn"]


def test_what_is_recorded_meanwhile_is_shown_when_one_looks_again(queue: Queue) -> None:
    first, later = queue.machine.decide("touch block"), list[str]()
    pressed = Pressed("x", " ", "a", "q")
    pressed.before[" "] = lambda: later.append(queue.machine.decide("mkfs /dev/sda", minute=1))
    queue.run(pressed)
    assert [each[:2] for each in queue.given()] == [(first, "wrong"), (later[0], "right")]


def test_every_step_counts_also_where_the_oldest_cannot_be_undone_any_more(queue: Queue) -> None:
    number = 52  # a visit remembers 50
    for minute in range(number):
        queue.machine.decide(f"{'touch block' if minute % 2 else 'mkfs /dev/sda'} {minute * 7919}", minute=minute)
    queue.press(*"x" * number, "q")
    assert (queue.steps, len(queue.given())) == (number, number)


def test_undo_shows_its_item_again(queue: Queue) -> None:
    first = queue.machine.decide("touch block")
    queue.machine.decide("mkfs /dev/sda", minute=1)
    queue.press("x", "u", "a", "q")
    assert [each[:2] for each in queue.given()] == [(first, "wrong"), (first, "withdrawn"), (first, "right")]
    assert queue.steps == 1


def test_what_was_skipped_comes_again_after_the_others(queue: Queue) -> None:
    first, second = queue.machine.decide("touch block"), queue.machine.decide("mkfs /dev/sda", minute=1)
    queue.press(" ", "a", "x")
    assert [each[:2] for each in queue.given()] == [(second, "right"), (first, "wrong")]


def test_what_one_person_holds_nobody_else_is_shown_until_they_leave(queue: Queue) -> None:
    queue.machine.decide("touch block")
    queue.desk.refresh()
    item = queue.desk.next_item("bob")
    assert item is not None
    assert queue.press("a").shown == "Nothing waits.\n"
    queue.desk.release(item.record, "bob")
    queue.press("q")
    assert queue.desk.next_item("bob") == item  # q lets go of it


def test_an_agents_text_cannot_look_like_a_line_of_the_program(queue: Queue) -> None:
    forged = "ls\n-> right\nblock by nobody (1.00)" + " " * 40 + "a right  x wrong\x1b[2J"
    queue.machine.decide(forged)
    lines = queue.press("s", "q").shown.split("\n")
    of_agent = [line for line in lines if "-> right" in line or "nobody" in line or "[2J" in line]
    assert len(of_agent) >= 6
    assert all(line.startswith("  | ") for line in of_agent)
    assert max(map(len, (line for line in lines if line.startswith("  | ")))) <= 40
    assert "\x1b" not in "".join(lines)


def test_a_long_value_is_cut_and_s_shows_all_of_it(queue: Queue) -> None:
    queue.machine.decide("touch " + "x" * 5_000 + "END")
    shown = queue.press("q").shown
    assert "characters more; s shows them" in shown
    assert "END" not in shown
    assert "END" in queue.press("s", "q").shown


def test_a_person_at_a_terminal_judges_what_was_recorded(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.decide("touch block")
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"records: {{path: {machine.records}, key: {tmp_path / 'key.pem'}}}")
    with terminal(SUPERVISOR, "review", "--label", "--by", "ann", "--policy", policy) as screen:
        screen.wait_for("q end")
        screen.type("n")
        screen.wait_for("Note: ")
        screen.type("seen\n")
        screen.wait_for("seen\n")
        screen.type("a")
        screen.wait_for("look again  q end")
        screen.type("q")
        assert screen.ends() == 0
    assert screen.shown.endswith("q end\n1 step recorded\n")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--label",), "no_terminal"),
        (("--label", "--json"), "--label asks a person"),
        (("--by", "ann"), "only --label takes a name"),
    ],
)
def test_what_is_no_review_is_refused(
    options: tuple[str, ...], told: str, run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("supervisor.cli.terminal.os.open", _no_terminal)
    machine = Machine(tmp_path)
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"records: {{path: {machine.records}, key: {tmp_path / 'key.pem'}}}")
    machine.decide()
    ran = run("review", *options, "--policy", policy)
    assert ran.code == 2
    assert told in ran.err


def _no_terminal(path: str, flags: int, mode: int = 0o777, **options: Any) -> int:
    if path == "/dev/tty":
        raise OSError(errno.ENXIO, "No such device or address", path)
    return _OPEN(path, flags, mode, **options)
