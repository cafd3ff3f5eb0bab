"""Where a text holds secrets, and that what is masked there is no code.

A mask comes before every judge, so what it swallowed would run unseen: only inert text is ever a secret here.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

import re2

from supervisor.evidence.secrets.formats import FORMATS, MASKED_ONLY, Proof, compiled, pattern_of
from supervisor.evidence.secrets.hidden import hidden_in
from supervisor.evidence.secrets.hints import hinted_in
from supervisor.evidence.secrets.proof import proven

Found = dict[int, tuple[int, str]]  # where each begins, where it ends, and its type
_FOUND, _MASKED = b"\1", b"\2"
_TOKEN = compiled(r"SECRET_[a-z0-9_]+_[0-9a-f]{12}")

# All that a masked span may hold: nothing of it starts, ends or separates anything in a shell, Python, SQL, JavaScript
# or a URL. An @ parts a host and an = an assignment, so = only pads Base64 or precedes Atlassian's checksum.
_INERT = re2.compile(rb"[A-Za-z0-9_+/.~:%-]+(?:=[0-9A-F]{8}|={0,2})")
# Without an issuer's prefix, a dot may lead to a file or a host (`x1/../bin/rm`, `x1.evil.example`).
_INERT_ALONE = re2.compile(rb"[/-]?(?:[A-Za-z0-9_+~:%]+[/-]?)*={0,2}")
_MARKED = frozenset({Proof.ISSUED, Proof.CLAIMS})  # by their issuer, or by their header
_COMMENTS = (b"--", b"//", b"/*", b"*/")  # no character of these is taken from the other
_PATH = re2.compile(rb"[a-z0-9_+-]*(?:/+[a-z0-9_+-]+)+")  # plain names: may lead to a program
_CREDENTIALS = re2.compile(r"[\w.@+-]*:[\w+.~:@%-]+")  # RFC 7617: what Basic authentication encodes
# A line of a key, behind the escaped line breaks of a string literal.
_DIGIT = re.compile(rb"[0-9]")
_LINE = re2.compile(rb"(?:\\+[nrt])*([A-Za-z0-9+/]{16,}={0,2})")


MOST_CLAIMS = 5_000  # that are looked at one by one; 100 KB of the listings that hold most have 1,000
MOST_SEARCHES = 50_000  # for one format in one text, the longer the more of them
_LONG = 2_048  # bytes that take as long to search as it takes to begin


class TooMany(Exception):
    """More looks like secrets than an allowance has room for."""


class Allowance:
    """How much of a value may still be looked at: counted, not timed, so that every run stops at the same place.

    A search takes about 2 µs, a claim 15 µs, whatever becomes of it.
    """

    def __init__(self) -> None:
        self._searches, self._claims = MOST_SEARCHES, MOST_CLAIMS

    def search(self, length: int) -> None:
        """One format is looked for in a text of so many bytes. Raises TooMany."""
        self._searches -= 1 + length // _LONG
        if self._searches < 0:
            raise TooMany

    def claim(self) -> None:
        """One more part looks like a secret. Raises TooMany."""
        self._claims -= 1
        if self._claims < 0:
            raise TooMany


def spans(raw: bytes, allowance: Allowance) -> list[tuple[int, int, str]]:
    """Where the secrets of a text stand, in order and apart, with the types of their formats. TooMany.

    What overlaps a token is masked already.
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
    """Takes what only a mask covers. What lies within it loses its own mask, and gives its type: a specialist finds the
    same there as without."""
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
    """Where what was found there begins; None where some of it reaches beyond."""
    within: list[int] = []
    at = taken.find(_FOUND, start, stop)
    while at >= 0:
        if at not in found or found[at][0] > stop:
            return None
        within.append(at)
        at = taken.find(_FOUND, found[at][0], stop)
    return within


def _issued(raw: bytes, hinted: list[int], taken: bytearray, allowance: Allowance) -> Found:
    """What the formats find, in order of trust."""
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
    """What a format's pattern takes for secrets."""
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
    """Whether it is one, and nothing in it executes, now or once it is decoded: else no judge would see that run."""
    if proof is Proof.ASSIGNED and not _DIGIT.search(raw, start, stop):
        return False  # as most names have none
    secret = raw[start:stop]
    if raw[start - 1 : start + 1] in _COMMENTS or raw[stop - 1 : stop + 1] in _COMMENTS:
        return False
    inert = (_INERT if proof in _MARKED else _INERT_ALONE).fullmatch(secret)
    if not inert or (b"/" in secret and _PATH.fullmatch(secret)):
        return False
    encodes = proof is not Proof.CLAIMS and _encodes_text(secret)  # whose claims are read, and hold nothing that runs
    return not encodes and proven(proof, secret.decode())


def _encodes_text(secret: bytes) -> bool:
    """Whether it is Base64 of text, which may be a script on its way to a shell; a key's bytes are no text."""
    try:
        text = binascii.a2b_base64(secret.rpartition(b".")[2]).decode()  # of a JWT, the signature: the rest is JSON
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(text) and not _CREDENTIALS.fullmatch(text)
