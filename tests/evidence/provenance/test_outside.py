"""Where no argument may name an address on a network, no value of the action is one."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.evidence.provenance.spellings import OUTSIDE, may_name_outside, values_of

PARTS = st.sampled_from(
    (
        *(
            "a",
            "b.py",
            "/",
            "/x/y.toml",
            ".com",
            "example.com",
            "é",
            "薪",
            "-",
            "--to=",
            "+49 1234 567/8",
            "C:\\",
            '"',
            "~",
        ),
        *(
            "eve@x.example",
            "://",
            "https",
            "www.",
            "%2E",
            "%40",
            "12345678",
            " ",
            "\n",
            "'",
            "..",
            ".io/a",
            "_",
            "+",
            ".",
        ),
        "ZXZlQHRoaWVmLmV4YW1wbGU=",
    )
)
TEXTS = st.lists(PARTS, max_size=10).map("".join)


@given(TEXTS)
@example("+1 234 567/8-a.py")
@example("cat .a.py")
def test_nothing_outside_is_missed(text: str) -> None:
    action = Action("bash", {"command": text}, "shell")
    values = values_of(Action("bash", {"command": text}, "shell"), Context())
    assert may_name_outside(action) or not any(value.sort in OUTSIDE for value in values)


def test_a_command_on_files_names_nothing_outside() -> None:
    command = "sed -n '1,80p' src/requests/models.py | grep -n ./tests/test_models.py"
    assert not may_name_outside(Action("bash", {"command": command}, "shell"))
    assert may_name_outside(Action("bash", {"command": "nc thief.example 80"}, "shell"))
