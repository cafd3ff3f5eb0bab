"""What the end of an output asks, and that nothing else is taken for a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.runtime.drivers.prompts import Kind, prompt_in


@pytest.mark.parametrize(
    ("shown", "kind", "question", "needless"),
    [
        ("Continue? [Y/n] ", Kind.YES_NO, "Continue?", True),
        (
            "Reading lists\nDo you want to continue? [Y/n] ",
            Kind.YES_NO,
            "Reading lists. Do you want me to continue?",
            True,
        ),
        ("Proceed ([y]/n)? ", Kind.YES_NO, "Proceed?", True),
        ("Is this ok [y/N]: ", Kind.YES_NO, "Is this ok?", False),
        ("Overwrite (y/[n])? ", Kind.YES_NO, "Overwrite?", False),
        ("\x1b[1mSure?\x1b[0m (yes/no) ", Kind.YES_NO, "Sure?", True),
        ("  0%\r100%\r\nPress Enter to continue...", Kind.ENTER, "100%. Continue?", True),
        ("Press any key to reboot", Kind.ENTER, "Press any key to reboot?", True),
        ("Which remote? ", Kind.TEXT, "Which remote?", False),
        ("Stage this hunk [y,n,q,a,d,e,?]? ", Kind.TEXT, "Stage this hunk [y,n,q,a,d,e,?]?", False),
    ],
)
def test_prompts_are_recognised(shown: str, kind: Kind, question: str, needless: bool) -> None:
    found = prompt_in(shown)
    assert found is not None
    assert (found.kind, found.question, found.may_be_needless) == (kind, question, needless)


@pytest.mark.parametrize(
    "shown",
    ["", "\n", "Continue? [Y/n]\n", "Downloading", "Resolving host: ", "50% [####    ]", "(1/2) ", "$ ", "done? yes"],
)
def test_what_may_be_at_work_is_left_alone(shown: str) -> None:
    assert prompt_in(shown) is None


def test_what_hides_what_is_typed_asks_for_a_secret() -> None:
    found = prompt_in("[sudo] password for ada: ", hides=True)
    assert found is not None
    assert (found.kind, found.may_be_needless) == (Kind.SECRET, False)


@given(st.text(), st.booleans())
def test_any_output_is_read(shown: str, hides: bool) -> None:
    found = prompt_in(shown, hides=hides)
    if found is not None:
        assert found.line in shown or "\x1b" in shown or any(ord(each) < 32 for each in shown)
        assert "\n" not in found.typed(shown)
        assert found.question


@pytest.mark.parametrize(
    ("shown", "answer", "typed"),
    [("A? [Y/n] ", "yes", "y"), ("A? (yes/no)", "no", "no"), ("Press Enter", "go on", ""), ("B? ", " a\nb ", "a b")],
)
def test_an_answer_becomes_one_line(shown: str, answer: str, typed: str) -> None:
    found = prompt_in(shown)
    assert found is not None
    assert found.typed(answer) == typed
