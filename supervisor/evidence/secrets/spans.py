"""The spans of secrets in a text, none of which is code.

Masking precedes every specialist, so masked code would run unseen: only inert text counts as a secret here.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

import re2

from supervisor.evidence.secrets.formats import FORMATS, MASKED_ONLY, Proof, compiled, pattern_of
from supervisor.evidence.secrets.hidden import hidden_in
from supervisor.evidence.secrets.hints import hinted_in
from supervisor.evidence.secrets.proof import SAMPLE, proven

Found = dict[int, tuple[int, str]]  # start: (end, type)
_FOUND, _MASKED = b"\1", b"\2"
_TOKEN = compiled(r"SECRET_[a-z0-9_]+_[0-9a-f]{12}")

# The characters of a masked span: none starts, ends or separates anything in a shell, Python, SQL, JavaScript or a URL.
# An @ separates a host and an = an assignment, so = only pads Base64 or precedes Atlassian's checksum.
_INERT = re2.compile(rb"[A-Za-z0-9_+/.~:%-]+(?:=[0-9A-F]{8}|={0,2})")
# Without an issuer's prefix, a dot may lead to a file or a host (`x1/../bin/rm`, `x1.evil.example`).
_INERT_ALONE = re2.compile(rb"[/-]?(?:[A-Za-z0-9_+~:%]+[/-]?)*={0,2}")
_MARKED = frozenset({Proof.ISSUED, Proof.CLAIMS})  # marked by their issuer, or by their header
_COMMENTS = (b"--", b"//", b"/*", b"*/")  # a span may not begin or end inside one of these
_PATH = re2.compile(rb"[a-z0-9_+-]*(?:/+[a-z0-9_+-]+)+")  # plain names: a path that may lead to a program
_SAMPLE = f"//{SAMPLE}@".encode()
_CREDENTIALS = re2.compile(r"[\w.@+-]*:[\w+.~:@%-]+")  # RFC 7617: what Basic authentication encodes
# A line of a key, after escaped line breaks of a string literal.
_DIGIT = re.compile(rb"[0-9]")
_LINE = re2.compile(rb"(?:\\+[nrt])*([A-Za-z0-9+/]{16,}={0,2})")


MOST_CLAIMS = 5_000  # that are checked one by one; 100 KB of the densest listings have 1,000
MOST_SEARCHES = 50_000  # of one format in one text; a long text counts as several
_LONG = 2_048  # bytes whose search takes as long as its start


class TooMany(Exception):
    """More text looks like secrets than an allowance permits."""


class Allowance:
    """The remaining work on a value: counted, not timed, so that every run stops at the same place.

    A search takes about 2 µs, a claim 15 µs, whatever its result.
    """

    def __init__(self) -> None:
        self._searches, self._claims = MOST_SEARCHES, MOST_CLAIMS

    def copy(self) -> Allowance:
        """Another one with as much left."""
        other = Allowance()
        other._searches, other._claims = self._searches, self._claims
        return other

    def search(self, length: int) -> None:
        """Counts the search for one format in a text of `length` bytes. Raises TooMany if none is left."""
        self._searches -= 1 + length // _LONG
        if self._searches < 0:
            raise TooMany

    def claim(self) -> None:
        """Counts one part that looks like a secret. Raises TooMany if none is left."""
        self._claims -= 1
        if self._claims < 0:
            raise TooMany


def spans(raw: bytes, allowance: Allowance) -> list[tuple[int, int, str]]:
    """The secrets of a text as (start, end, type), in order, without overlaps.

    A span that overlaps a token is masked already. Raises TooMany beyond the allowance.
    """
    hinted = hinted_in(raw)
    if not hinted.formats and not hinted.places:
        return []
    taken = bytearray(len(raw))
    for token in _TOKEN.finditer(raw) if b"SECRET_" in raw else ():
        start, stop = token.span()
        taken[start:stop] = _MASKED * (stop - start)
    found = _issued(raw, hinted.formats, taken, allowance)
    allowance.search(len(raw) * len(hinted.places))
    for start, stop, kind in hidden_in(raw, hinted.places, allowance.claim):
        _hide(start, stop, kind, taken, found)
    return sorted((start, stop, kind) for start, (stop, kind) in found.items())


def _hide(start: int, stop: int, kind: str, taken: bytearray, found: Found) -> None:
    """Adds a span that is masked as a precaution. A secret inside it loses its own mask and gives its type to the span,
    so that a specialist finds the same as without the span."""
    if taken.find(_MASKED, start, stop) >= 0:
        return
    within = _within(start, stop, taken, found)
    if within is None:
        return
    if within:
        issued = [found[each][1] for each in within if found[each][1] not in MASKED_ONLY]
        kind = issued[0] if issued else kind
        for each in within:
            del found[each]
    taken[start:stop] = _FOUND * (stop - start)
    found[start] = (stop, kind)


def _within(start: int, stop: int, taken: bytearray, found: Found) -> list[int] | None:
    """The starts of the secrets found within a span; None if one of them extends beyond it."""
    within: list[int] = []
    at = taken.find(_FOUND, start, stop)
    while at >= 0:
        if at not in found or found[at][0] > stop:
            return None
        within.append(at)
        at = taken.find(_FOUND, found[at][0], stop)
    return within


def _issued(raw: bytes, hinted: list[int], taken: bytearray, allowance: Allowance) -> Found:
    """The secrets that the formats find, in order of trust."""
    found: Found = {}
    for index in sorted(hinted):
        allowance.search(len(raw))
        claimed_by = FORMATS[index]
        for start, stop in _claimed(raw, index):
            allowance.claim()
            is_free = taken.count(0, start, stop) == stop - start
            if is_free and _is_secret(claimed_by.proof, raw, start, stop):
                taken[start:stop] = _FOUND * (stop - start)
                found[start] = (stop, claimed_by.type)
    return found


def _claimed(raw: bytes, index: int) -> Iterator[tuple[int, int]]:
    """The spans that a format's pattern matches."""
    pattern = pattern_of(index)
    groups = pattern.groups
    is_edged = FORMATS[index].pattern.endswith(r"\b")
    for found in pattern.finditer(raw):
        if FORMATS[index].lines:
            yield from (line.span(1) for line in _LINE.finditer(raw, *found.span()))
        else:
            start, stop = found.span(groups)
            for group in range(groups - 1, -1, -1) if start < 0 else ():
                start, stop = (start, stop) if start >= 0 else found.span(group)
            yield start + (raw[start : start + 1] == b"_"), stop - (is_edged and raw[stop - 1 : stop] == b"_")


def _is_secret(proof: Proof, raw: bytes, start: int, stop: int) -> bool:
    """Whether a span is a secret and contains nothing that executes, now or after decoding: it would run unseen."""
    if proof is Proof.ASSIGNED and not _DIGIT.search(raw, start, stop):
        return False  # most names have no digit
    secret = raw[start:stop]
    if raw[start - 1 : start + 1] in _COMMENTS or raw[stop - 1 : stop + 1] in _COMMENTS:
        return False
    if secret == b"tiger" and raw[max(0, start - 8) : stop + 1] == _SAMPLE:
        return False
    inert = (_INERT if proof in _MARKED else _INERT_ALONE).fullmatch(secret)
    if not inert or (b"/" in secret and _PATH.fullmatch(secret)):
        return False
    encodes = proof is not Proof.CLAIMS and _encodes_text(secret)  # `proven` checks the claims of a JWT
    return not encodes and proven(proof, secret.decode())


def _encodes_text(secret: bytes) -> bool:
    """Whether a secret is Base64 of text, which may be a script for a shell; a key's bytes are not text."""
    try:
        text = binascii.a2b_base64(secret.rpartition(b".")[2]).decode()  # of a JWT only the signature: the rest is JSON
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(text) and not _CREDENTIALS.fullmatch(text)
