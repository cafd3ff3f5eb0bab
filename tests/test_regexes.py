"""Regular expressions that are compiled later are the same as those that are compiled at once, and none is wrong."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
import re2

from supervisor.regexes import compile_later, compile_linear, compile_pending


@pytest.mark.parametrize("flags", [0, re.IGNORECASE, re.MULTILINE | re.IGNORECASE])
def test_what_is_compiled_later_is_the_same_pattern(flags):
    later, at_once = compile_later(r"^(?P<word>b+)", flags), re.compile(r"^(?P<word>b+)", flags)
    text = "bb\nB"
    assert [each.span() for each in later.finditer(text)] == [each.span() for each in at_once.finditer(text)]
    assert later.sub("x", text) == at_once.sub("x", text)
    assert (later.pattern, later.flags, later.groupindex) == (at_once.pattern, at_once.flags, at_once.groupindex)


def test_bytes_are_searched_by_a_pattern_of_bytes():
    assert compile_later(rb"\d").search(b"a1") is not None


def test_a_pattern_has_no_attribute_that_a_compiled_one_lacks():
    with pytest.raises(AttributeError, match="nothing"):
        compile_later("a").nothing  # noqa: B018


def test_what_is_wrong_is_told_at_the_latest_when_all_are_compiled():
    compile_pending()
    compile_later("(")
    with pytest.raises(re.error):
        compile_pending()
    compile_pending()


LOADED = """
import supervisor.engine.supervisor
from supervisor.catalog.catalog import load_specialist
from supervisor.evidence.secrets import names
from supervisor.catalog.discovery import find_pairs
from supervisor.policy import Taxonomy

assert "search" not in vars(names._PUBLIC), "a start compiles nothing"
load_specialist(next(pair for pair in find_pairs(Taxonomy())[0] if pair.id == "look_alike_domain"))
assert "search" in vars(names._PUBLIC), "a specialist's time is limited, so nothing is left to do then"
"""


def test_a_start_compiles_nothing_and_a_specialist_finds_all_compiled():
    subprocess.run([sys.executable, "-c", LOADED], check=True)


def test_a_wrong_expression_of_an_agent_prints_nothing(capfd):
    with pytest.raises(re2.error):
        compile_linear("D:\\")
    assert capfd.readouterr() == ("", "")
    assert compile_linear("serve.*sock").search("supervisor serve --socket")
