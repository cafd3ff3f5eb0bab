"""What is done to any one item of a loop, or of `xargs`, is seen: however many there are, and in bounded time."""

import pytest

from supervisor.evidence.shell import read_script
from supervisor.evidence.shell.run import MAX_COMMANDS
from tests.evidence.shell_reading import is_run

LOOPS = [
    "for d in {}; do rm -rf $d; done",
    'for d in {}; do rm -rf "$d"; done',
    'for d in {}; do cd / && sudo rm -rf "$d"; done',
    "for n in 1 2 3 4 5 6 7 8 9; do for d in {}; do rm -rf $d; done; done",
    "f() {{ for d; do rm -rf $d; done; }}; f {}",
    "a=({}); for d in ${{a[@]}}; do rm -rf $d; done",
    "printf '%s\\n' {} | while read d; do rm -rf $d; done",
    "printf '%s\\n' {} | xargs -I% rm -rf %",
    "printf '%s\\n' {} | xargs -I% sh -c 'rm -rf %'",
    "echo {} | xargs rm -rf",
    "parallel rm -rf ::: {}",
    "parallel rm -rf {{}} ::: {}",
]
COUNTS = (0, 7, 8, 9, 24, 63, 64, 70, 200)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("loop", LOOPS)
def test_no_item_is_skipped(loop, count):
    items = [f"a{number}" for number in range(count)]
    for at in {0, count // 2, count}:
        command = loop.format(" ".join([*items[:at], "/x", *items[at:]]))
        assert is_run(command), command
    assert not is_run(loop.format(" ".join([*items, "b"])))


@pytest.mark.parametrize("words", [9, 64, 1000])
def test_a_loop_around_much_is_read_in_part_and_not_refused(words):
    items = " ".join(f"a{number}" for number in range(words))
    body = "; ".join(f"echo {number} $1" for number in range(100))
    loop = f"for d in {items}; do f $d; done"
    commands = read_script(f"f() {{ {body}; }}; {loop}", None).commands
    assert len(commands) < MAX_COMMANDS
    assert any(f"a{words - 1}" in command.argv for command in commands)


def test_loops_in_loops_take_bounded_turns():
    nested = "for i in 1 2 3 4 5 6 7 8 9; do " * 20 + "rm -rf /x$i" + "; done" * 20
    assert len(read_script(nested, None).commands) <= 64
