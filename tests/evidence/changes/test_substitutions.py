"""What the scripts of sed and perl make of a text, against sed itself."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.changes.substitutions import substituted

SED = shutil.which("sed")
TEXT = "def test_a():\n    assert a(1) == 3\n    self.assertEqual(b, 4)  # b\n\n    return a/b\n"

SCRIPTS = (
    ["s/a/X/"],
    ["s/a/X/g"],
    ["s/assert/pass  # &/"],
    ["-E", r"s/^(\s*)(assert .*)$/\1# \2/"],
    [r"s/^\( *\)assert/\1pass #/"],
    ["/assert/d"],
    ["/assert/!d"],
    ["2d"],
    ["2,3d"],
    ["$d"],
    ["-e", "s/a/X/", "-e", "s/X/Y/"],
    ["s/a/X/;s/b/Z/"],
    ["/return/s/a/X/"],
    ["s|a/b|c|"],
    ["s#assert#check#g"],
    ["s/ASSERT/x/I"],
    [r"s/a(1)/a(2)/"],
    ["-E", r"s/a\(1\)/a(2)/"],
)


@pytest.mark.skipif(SED is None, reason="no sed on this machine")
@pytest.mark.parametrize("script", SCRIPTS, ids=" ".join)
def test_as_sed_does(script: list[str]) -> None:
    ran = subprocess.run([str(SED), *script], input=TEXT, capture_output=True, text=True, check=True)
    assert substituted(script, TEXT) == ran.stdout


@pytest.mark.skipif(SED is None, reason="no sed on this machine")
@given(st.text("ab( ", min_size=1, max_size=4), st.text("xy&", max_size=3), st.text("ab(\n ", max_size=30))
def test_any_plain_substitution_as_sed_does(old: str, new: str, text: str) -> None:
    script = [f"s/{old}/{new}/g"]
    ran = subprocess.run([str(SED), *script], input=f"{text}\n", capture_output=True, text=True, check=True)
    assert substituted(script, f"{text}\n") == ran.stdout


@pytest.mark.parametrize(
    "script", [["y/a/b/"], ["N;s/a/b/"], ["/a/,/b/d"], ["1~2d"], ["s/a/b/w out"], ["s/[/x/"], [""], []]
)
def test_other_scripts_are_not_guessed(script: list[str]) -> None:
    assert substituted(script, TEXT) is None


def test_perl_has_extended_expressions() -> None:
    assert substituted(["-pi", "-e", r"s/^(\s*)assert/$1pass #/"], "  assert a\n", perl=True) == "  pass # a\n"
    assert substituted(["-pi", "-e", "s/a/f()/e"], "a\n", perl=True) is None
