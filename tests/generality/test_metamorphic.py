"""What may be done to any destructive script without its being judged more kindly."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.verdict import Verdict
from tests.generality.judging import ENTRIES, OF_OUTPUT, Harm, harms_of
from tests.generality.scripts import is_bare, single, words

_HARMLESS = ("ls -la", "pwd", "echo 'all done'", "git status --short", "cat README.md | head -3", "true", "date +%F")
_UNREADABLE = "unreadable_execution"  # what stands beside such a script cannot be read either: it is stopped as a whole
_SPACES = st.sampled_from([" ", "  ", "\t", " \t ", " \\\n"])


@functools.cache
def _harms(*, simple: bool) -> Sequence[Harm]:
    """All destructive cases; of the `simple` ones the script is one command."""
    every = [one for path in ENTRIES for one in harms_of(path.stem)]
    return [one for one in every if words(one.script)] if simple else every


any_harm = st.deferred(lambda: st.sampled_from([one for one in _harms(simple=False) if one.entry != _UNREADABLE]))
unseen_harm = any_harm.filter(lambda one: one.entry not in OF_OUTPUT)
simple_harm = st.deferred(lambda: st.sampled_from(_harms(simple=True)))
harmless = st.sampled_from(_HARMLESS)
several = st.lists(harmless, max_size=3)
holds = settings(max_examples=300)


def _is_kept(one: Harm, script: str) -> None:
    verdict = one.verdict_on(script)
    assert verdict is not None, f"{one.name} is refused: {script!r}"
    assert verdict >= one.verdict, f"{one.name} is judged {verdict.label}: {script!r}"


@holds
@given(
    any_harm, st.lists(harmless, max_size=3), st.lists(harmless, max_size=3), st.sampled_from([";", " &&", " ||", ""])
)
def test_harmless_commands_around_it_change_nothing(one: Harm, before: list[str], after: list[str], mark: str) -> None:
    lines = [*(f"{line}{mark}" for line in before), one.script, *after]
    assert one.verdict_on("\n".join(lines)) is one.verdict


@holds
@given(simple_harm, st.data())
def test_more_white_space_changes_nothing(one: Harm, data: st.DataObject) -> None:
    found = words(one.script) or []
    _is_kept(one, "".join(word + data.draw(_SPACES) for word in found[:-1]) + found[-1])


@holds
@given(any_harm, st.integers(1, 4))
def test_shells_in_shells_change_nothing(one: Harm, depth: int) -> None:
    script = one.script
    for _ in range(depth):
        script = f"bash -c {single(script)}"
    _is_kept(one, script)


@holds
@given(unseen_harm, st.lists(st.sampled_from([">/dev/null", "2>/dev/null", "2>&1", "</dev/null", "5>&1"]), max_size=3))
def test_its_output_may_go_to_nothing(one: Harm, redirections: list[str]) -> None:
    _is_kept(one, f"{{\n{one.script}\n}} {' '.join(redirections)}")


@holds
@given(simple_harm, st.data())
def test_a_word_may_be_put_together_from_variables(one: Harm, data: st.DataObject) -> None:
    found = words(one.script) or []
    at = data.draw(st.sampled_from(range(len(found))))
    word = found[at]
    if not is_bare(word) or (not at and "=" in word):
        return
    cut = data.draw(st.integers(1, len(word)))
    spelt = data.draw(st.sampled_from(['"$A$B"', "${A}${B}", '${A}"${B}"', '"${A:-x}${B:+$B}"']))
    _is_kept(one, f"A={word[:cut]} B={word[cut:]}\n{' '.join([*found[:at], spelt, *found[at + 1 :]])}")


@holds
@given(simple_harm, st.sampled_from(['"$HOME"', "$HOME", "${HOME}", '"${HOME}"', "${HOME%/}"]))
def test_a_home_may_be_named_by_its_variable(one: Harm, home: str) -> None:
    found = [home + word[1:] if word == "~" or word.startswith("~/") else word for word in words(one.script) or []]
    _is_kept(one, " ".join(found))


@holds
@given(any_harm, any_harm)
def test_two_scripts_together_are_as_bad_as_the_worse(one: Harm, other: Harm) -> None:
    both = f"(\n{one.script}\n) && (\n{other.script}\n)"
    _is_kept(one, both)
    if not _SAVES.search(one.script):  # the other can no longer lose what the first has saved
        _is_kept(other, both)


_SAVES = re.compile(r"\bgit (?:\S+ )*(?:commit|stash)\b(?! (?:pop|drop|clear|apply))")


@holds
@given(any_harm, st.lists(harmless, min_size=1, max_size=4), st.sampled_from([" && ", "; ", " | ", "\n"]))
def test_harmless_scripts_together_are_harmless(one: Harm, lines: list[str], mark: str) -> None:
    assert one.verdict_on(mark.join(lines)) is Verdict.OK


_QUOTINGS: tuple[Callable[[str], str], ...] = (
    str,
    lambda letter: f"'{letter}'",
    lambda letter: f'"{letter}"',
    lambda letter: f"\\{letter}",
    lambda letter: f"$'\\x{ord(letter):02x}'",
    lambda letter: f"''{letter}",
)


@holds
@given(simple_harm, st.data())
def test_each_letter_may_be_quoted_for_itself(one: Harm, data: st.DataObject) -> None:
    found = words(one.script) or []
    at = data.draw(st.sampled_from([at for at, word in enumerate(found) if is_bare(word)]))
    letters = [data.draw(st.sampled_from(_QUOTINGS))(letter) for letter in found[at]]
    _is_kept(one, " ".join([*found[:at], "".join(letters), *found[at + 1 :]]))
