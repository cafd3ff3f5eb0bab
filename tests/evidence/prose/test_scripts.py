"""The classes of letters, held against RE2's, which follow Unicode's own table of scripts."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.prose.disguise import LATIN, unmasked
from supervisor.evidence.prose.scripts import CYRILLIC, GREEK, UNSPACED

# What Unicode counts among them outside of their blocks: phonetic letters, musical and other signs.
_ELSEWHERE = {
    "Greek": re.compile("[\u1d26-\u1dbf\u2126\uab65\U00010140-\U000101a0\U0001d200-\U0001d245]"),
    "Cyrillic": re.compile("[\u1d2b\u1d78\ufe2e\ufe2f\U0001e030-\U0001e08f]"),
    "Han": re.compile("[\u3038-\u303b\U00016fe2-\U00016ff1]"),
    "Katakana": re.compile("[\u32d0-\u32fe\u3300-\u3357\U0001aff0-\U0001b167]"),
    "Hiragana": re.compile("[\U0001b001-\U0001b152\U0001f200]"),
    "Thai": re.compile("(?!)"),
}


@pytest.mark.parametrize(
    ("script", "ours"),
    [
        ("Greek", GREEK),
        ("Cyrillic", CYRILLIC),
        *((name, UNSPACED) for name in ("Han", "Hiragana", "Katakana", "Thai")),
    ],
)
def test_every_letter_of_a_script_is_in_its_class(script: str, ours: str) -> None:
    letters = "".join(map(chr, (*range(0xD800), *range(0xE000, sys.maxunicode + 1))))
    theirs = set(re2.findall(rf"\p{{{script}}}", letters))
    assert not {letter for letter in theirs if not re.match(f"[{ours}]|{_ELSEWHERE[script].pattern}", letter)}


@pytest.mark.parametrize("ours", [GREEK, CYRILLIC, UNSPACED])
def test_no_letter_of_another_script_is_in_a_class(ours: str) -> None:
    others = re.findall(f"[{ours}]", "".join(map(chr, range(0xD800))))
    known = (
        "SLAVONIC",
        "HANGZHOU",
        "GREEK",
        "COPTIC",
        "CYRILLIC",
        "CJK",
        "KANGXI",
        "HIRAGANA",
        "KATAKANA",
        "THAI",
        "IDEOGRAPHIC",
    )
    names = {letter: unicodedata.name(letter, "") for letter in others}
    assert not {letter: name for letter, name in names.items() if name and not any(word in name for word in known)}


def _in_latin(text: str) -> str:
    """Word by word, as slowly as it is simply said."""
    words = re.split(f"([A-Za-z{CYRILLIC}{GREEK}]+)", text)
    return "".join(word.translate(LATIN) if re.search("[A-Za-z]", word) else word for word in words)


@given(st.text(st.sampled_from("aZo \u043e\u0421\u03b1 \u044f-. 1\u00e9")))
def test_words_of_mixed_alphabets_are_read_as_latin(text: str) -> None:
    assert unmasked(text) == _in_latin(text)
