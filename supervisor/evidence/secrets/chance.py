"""Whether a value is random or consists of words: secrets under a name are random, code and prose are words."""

from __future__ import annotations

from itertools import filterfalse, pairwise

from supervisor.regexes import compile_later

_LEAST = 8  # characters of a random value
_MOST_WORDS = 0.5  # share of the characters
_TWO = "by|id|to|is|of|in|on|at|db|pk|ip|ok|no|my|up|do|go|if|or|as|us|js|py|it|we|re|be|an|am|io|ui|os"
_PIECE = compile_later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]")
_RUN = compile_later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|[0-9]+")
_MIXED = compile_later(r"[0-9][A-Za-z]|[a-z][A-Z]")
_SIGNS = compile_later(r"[\W_]+")
_JOINED = compile_later(
    r"(?:[a-z]+[0-9]{0,2}|[0-9]{1,4})(?:[_+:./-](?:[a-z]+[0-9]{0,2}|[0-9]{1,4}))+"
)  # words and numbers
_LEAST_SHUFFLED = 8
_RUN_OF_WORDS = 2.9  # characters: the mean run of a random value is shorter
# Rare pairs of letters: one in a thousand words of English or of programs contains one; a third of all pairs are rare.
_RARE = (
    r"a[joq]|b[ghknqvwxz]|c[bgjvwxz]|d[hjqwxz]|f[bdghjkmpqvwxz]|g[cdfjkqvwxz]|h[bcfghjknpqvwxz]|i[jqwy]|"
    r"j[bcdfghijklmnpqrtvwxyz]|k[bcdfghjkmpqrtvxz]|l[hjqwxz]|m[ghjkqvwxz]|n[jqwxz]|o[hqy]|p[fgjkqvwxz]|"
    r"q[abcdefghijkmnopqrstvwxyz]|r[hjqxz]|s[bjxz]|t[jkqx]|u[hjquvwyz]|v[bcdfghjklmnpqrtuvwxyz]|"
    r"w[bcdfgjklmpqtuvwxyz]|x[bdfghjklnqrsuvwxz]|y[bfhjkqruvxyz]|z[bcdfghjklmnpqrstuvwxyz]|"
)
RARE = _RARE.rstrip("|")  # the pairs as a pattern
_NO_WORD = compile_later(rf"(?i){_RARE}[^aeiouy]{{5}}|[aeiou]{{4}}|^(?!(?:{_TWO})$).{{1,2}}$")


_ENOUGH = 192  # characters of a value that suffice


def is_random(value: str) -> bool:
    """Whether most of a value is random: hex, Base64, shuffled letters; and it is long enough to decide."""
    value = value[:_ENOUGH]
    if len(value) < _LEAST or len(_SIGNS.sub("", value)) < len(value) / 5:
        return False
    if _JOINED.fullmatch(value):
        return False
    if not value.isascii():
        return not _is_plain(value)
    return _is_shuffled(value) or worded(value) < _MOST_WORDS


def _is_shuffled(value: str) -> bool:
    """Whether a value changes between capitals, small letters and digits more often than words do."""
    runs = _RUN.findall(value)
    return len(value) >= _LEAST_SHUFFLED and len(value) < _RUN_OF_WORDS * len(runs) and _MIXED.search(value) is not None


def worded(value: str) -> float:
    """The share of a value's characters that are in words. Digits do not count as words."""
    return len("".join(filterfalse(_NO_WORD.search, _PIECE.findall(value)))) / max(1, len(value))


def _is_plain(value: str) -> bool:
    """Whether a value is text of another script, which rarely changes between capitals, digits and Unicode blocks."""
    sorts = [_sort(letter) for letter in value]
    changes = sum(before != after for before, after in pairwise(sorts))
    return changes < len(value) / 4


def _sort(letter: str) -> int:
    if letter.isdigit():
        return -1
    if ord(letter) < _LATIN:
        return -2 if letter.isupper() else -3 if letter.isalpha() else -4
    return ord(letter) >> 8 if ord(letter) < _IDEOGRAPHS else _IDEOGRAPHS


_LATIN, _IDEOGRAPHS = 0x250, 0x2E80  # the end of European letters, and the start of East Asian ones
