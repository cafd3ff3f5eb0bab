"""Where a text holds secrets, and that what is masked there is no code.

A mask comes before every judge, so what it swallowed would run unseen: only inert text is ever a secret here.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator

import re2

from supervisor.evidence.secrets.formats import FORMATS, Proof, compiled, formats_hinted_in, pattern_of
from supervisor.evidence.secrets.proof import proven

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
    hinted = formats_hinted_in(raw)
    if not hinted:
        return []
    taken = bytearray(len(raw))
    for token in _TOKEN.finditer(raw) if b"SECRET_" in raw else ():
        start, stop = token.span()
        taken[start:stop] = b"\1" * (stop - start)
    found = []
    for index in sorted(hinted):
        allowance.search(len(raw))
        claimed_by = FORMATS[index]
        for start, stop in _claimed(raw, index):
            allowance.claim()
            if taken.find(1, start, stop) < 0 and _is_secret(claimed_by.proof, raw, start, stop):
                taken[start:stop] = b"\1" * (stop - start)
                found.append((start, stop, claimed_by.type))
    return sorted(found)


def _claimed(raw: bytes, index: int) -> Iterator[tuple[int, int]]:
    """What a format's pattern takes for secrets."""
    pattern = pattern_of(index)
    groups = range(pattern.groups, 0, -1)
    for found in pattern.finditer(raw):
        if FORMATS[index].lines:
            yield from (line.span(1) for line in _LINE.finditer(raw, *found.span()))
        else:
            yield found.span(next((group for group in groups if found.start(group) >= 0), 0))


def _is_secret(proof: Proof, raw: bytes, start: int, stop: int) -> bool:
    """Whether it is one, and nothing in it executes, now or once it is decoded: else no judge would see that run."""
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
