"""Decodes text that is disguised from filters.

Covered are invisible characters, letters borrowed from other alphabets (Unicode TR 39), Unicode tags ("ASCII
smuggling"), percent signs (RFC 3986), Base64 (RFC 4648) and character references of HTML: none of them changes what a
value is.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

import re2

from supervisor.evidence.prose.scripts import CYRILLIC, GREEK

MAX_HIDDEN = 64  # encoded texts that are decoded in one output
MAX_ENCODED = 16 * 1024  # characters of one of them
_LONG = 16  # characters from which a word may be an encoded text
_DEEPEST = 2  # encodings inside encodings

_TAGS = range(0xE0020, 0xE007F)
_UNTAGGED = {code: code - 0xE0000 for code in _TAGS}
_TAGGED = re.compile("[\U000e0020-\U000e007e]+")
_INVISIBLE = [0xAD, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
INVISIBLE = dict.fromkeys([*_INVISIBLE, *range(0xE0000, 0xE0080)])

# Cyrillic and Greek letters, each with the Latin letter that it resembles.
_BORROWED = "аеорсухіјѕԁһԛԝкмтнАВЕКМНОРСТХІЅοανρτυικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
LATIN = str.maketrans(_BORROWED, "aeopcyxijsdhqwkmthABEKMHOPCTXISoavptuikABEZHIKMNOPTYX")
# A word that mixes alphabets. Quantifiers are possessive and a match begins at the start of a word: linear time.
_ANY, _FOREIGN = f"[A-Za-z{CYRILLIC}{GREEK}]", f"[{CYRILLIC}{GREEK}]"
_BORROWING = re.compile(f"(?<!{_ANY})(?:[A-Za-z]++{_FOREIGN}|{_FOREIGN}++[A-Za-z]){_ANY}*+")
BORROWED = re.compile(_FOREIGN)  # a letter of an alphabet from which look-alikes come
_UNSEEN_ONES = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f"
_UNSEEN = re.compile(f"[{_UNSEEN_ONES}]")
_DISGUISED = re.compile(f"[{_UNSEEN_ONES}{CYRILLIC}{GREEK}]")
_PERCENT = re2.compile(r"[^\s\"'<>]*%[0-9A-Fa-f]{2}[^\s\"'<>]*")
# Linear without RE2, whose binding is slow for each match: no character is read more than 16 times.
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"\b(?:[0-9a-fA-F]{2}){10,}\b")


def unmasked(text: str) -> str:
    """Text without invisible characters, with tags as the letters they encode and words of mixed alphabets in Latin."""
    if text.isascii() or not _DISGUISED.search(text):
        return text
    if _UNSEEN.search(text):
        text = _TAGGED.sub(lambda tags: f" {tags.group().translate(_UNTAGGED)} ", text).translate(INVISIBLE)
    return _BORROWING.sub(lambda word: word.group().translate(LATIN), text)


def hidden_in(text: str, depth: int = _DEEPEST) -> Iterator[str]:
    """The decoded text of the encoded parts of a text, at most MAX_HIDDEN of each sort. Binary data are skipped."""
    if depth == 0:
        return
    for decoded in _decoded(text):
        yield decoded
        yield from hidden_in(decoded, depth - 1)


def _decoded(text: str) -> Iterator[str]:
    if "%" in text:
        yield from (unquote(found) for found in _first(_PERCENT, text))
    if "&" in text and ";" in text:
        yield from (plain for line in text.split("\n") if "&" in line and (plain := html.unescape(line)) != line)
    long = [word for word in text.split() if len(word) >= _LONG]
    mixed = " ".join([word for word in long if not word.islower()])  # the Base64 of every sentence has mixed case
    yield from filter(None, map(_from_base64, _first(_BASE64, mixed)))
    yield from filter(None, map(_from_hex, _first(_HEX, " ".join(long))))


def _first(pattern: re.Pattern[str] | re2._Regexp[str], text: str) -> Iterator[str]:
    for _, found in zip(range(MAX_HIDDEN), pattern.finditer(text), strict=False):
        yield found.group()[:MAX_ENCODED]


def _from_base64(encoded: str) -> str:
    plain = encoded.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return _prose(base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True))
    except binascii.Error:
        return ""


def _from_hex(encoded: str) -> str:
    return _prose(bytes.fromhex(encoded))


def _prose(raw: bytes) -> str:
    """Bytes as text; empty unless they are printable UTF-8."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return ""
    return text if all(letter.isprintable() or letter in "\r\n\t" for letter in text) else ""
