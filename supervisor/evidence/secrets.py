"""Secrets are masked before anything else sees an action, and the mask can still be read as what it stands for.

A masked value leaves a typed token, `SECRET_github_token_0123456789ab`: letters, digits and underscores only, so that
the shell, SQL, Python or URL around it parses as before. Only inert text is masked, and no code: a mask comes before
every judge, so what it swallowed would run unseen. Its end is a keyed digest (HMAC-SHA256, RFC 2104): equal
secrets give equal tokens within a deployment, and without the salt nobody can try candidates against it.
"""

from __future__ import annotations

import binascii
import functools
import hmac
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

import re2

from supervisor.evidence.secret_formats import FORMATS, SHORTEST, Proof, compiled, formats_hinted_in, pattern_of
from supervisor.evidence.secret_proof import proven

T = TypeVar("T")

LEAST_SALT = 16  # bytes
_LONGEST_NAME = 128  # characters of a key that may say what its value is

# Safe in the backtracking engine: a token's type holds no capital, so that no run of it is read twice.
_TOKEN = re.compile(r"SECRET_([a-z0-9_]+)_([0-9a-f]{12})")
_TOKEN_BYTES = compiled(_TOKEN.pattern)

# All that a masked span may hold: nothing of it starts, ends or separates anything in a shell, Python, SQL, JavaScript
# or a URL. An @ parts a host and an = an assignment, so = only pads Base64 or precedes Atlassian's checksum.
_INERT = re2.compile(rb"[A-Za-z0-9_+/.~:%-]+(?:=[0-9A-F]{8}|={0,2})")
# Without an issuer's prefix, a dot may lead to a file or a host (`x1/../bin/rm`, `x1.evil.example`).
_INERT_ALONE = re2.compile(rb"[/-]?(?:[A-Za-z0-9_+~:%]+[/-]?)*={0,2}")
_COMMENTS = (b"--", b"//", b"/*", b"*/")  # no character of these is taken from the other
_PATH = re2.compile(rb"[a-z0-9_+-]*(?:/+[a-z0-9_+-]+)+")  # plain names: may lead to a program
_CREDENTIALS = re2.compile(r"[\w.@+-]*:[\w+.~:@%-]+")  # RFC 7617: what Basic authentication encodes
# A line of a key, behind the escaped line breaks of a string literal.
_LINE = re2.compile(rb"(?:\\+[nrt])*([A-Za-z0-9+/]{16,}={0,2})")

_SECRET_NAME = re2.compile(
    r"(?i).{0,64}(?:(pass(?:word|wd|phrase)|pwd|secret)|api[_-]?key|(?:secret|private|access)[_-]?key|token)"
)


class Secret(NamedTuple):
    """A secret that was masked: its type, the token that stands for it, and where in the text that is."""

    type: str
    token: str
    position: int


def secrets_in(text: str) -> list[Secret]:
    """The masked secrets in a text, in order."""
    if "SECRET_" not in text:
        return []
    return [Secret(found[1], found[0], found.start()) for found in _TOKEN.finditer(text)]


class Masker:
    """Masks secrets under one deployment's salt. Keeps no other state: safe to share between threads.

    Takes linear time: 2 ns a character of ordinary text, below 1 µs a character of any. Searches let other threads run.
    """

    def __init__(self, salt: bytes) -> None:
        if len(salt) < LEAST_SALT:
            raise ValueError(f"a salt has at least {LEAST_SALT} random bytes")
        self._salt = salt

    def mask(self, value: T) -> T:
        """A JSON value with its secrets masked, in keys too. Mappings become new dicts, sequences new lists.

        Several values are best masked together, in one list: one look at all their strings tells whether any may hold a
        secret, and most often none does.
        """
        root: list[Any] = [value]
        holders, texts = _copied(root)
        if _may_hold_secrets(texts):
            for holder in holders:
                self._mask_within(holder)
        return root[0]  # type: ignore[no-any-return]

    def _mask_within(self, holder: _Holder) -> None:
        if isinstance(holder, dict):
            self._mask_keys(holder)
        for place, node in _places(holder):
            if isinstance(node, str):
                holder[place] = self._mask_named(place, node)

    def _mask_keys(self, node: dict[Any, Any]) -> None:
        """Masks the secrets in the keys of a mapping, which stay distinct and in order."""
        if not _may_hold_secrets(key for key in node if isinstance(key, str)):
            return
        before = dict(node)
        node.clear()
        for key, value in before.items():
            name = masked = self.mask_text(key) if isinstance(key, str) else key
            number = 1
            while name in node or (name is not key and name in before):
                number += 1
                name = f"{masked}_{number}"
            node[name] = value

    def mask_text(self, text: str) -> str:
        """The text with its secrets masked; the very same object where it holds none. Idempotent, linear time."""
        if len(text) < SHORTEST:
            return text
        raw = _bytes(text)
        hinted = formats_hinted_in(raw)
        spans = _spans(raw, hinted) if hinted else []
        if not spans:
            return text
        pieces: list[bytes] = []
        end = 0
        for start, stop, kind in spans:
            pieces += raw[end:start], self._token(kind, raw[start:stop])
            end = stop
        return b"".join([*pieces, raw[end:]]).decode("utf-8", "surrogatepass")

    def _mask_named(self, name: Any, text: str) -> str:
        """A string under its key: `{"password": "open sesame"}` is a secret whatever it looks like."""
        masked = self.mask_text(text)
        if (
            masked is text
            and isinstance(name, str)
            and len(name) <= _LONGEST_NAME
            and (kind := _kind_of_name(name))
            and proven(kind[1], text)
        ):
            return self._token(kind[0], _bytes(text)).decode()
        return masked

    def _token(self, kind: str, secret: bytes) -> bytes:
        return f"SECRET_{kind}_{hmac.digest(self._salt, secret, 'sha256')[:6].hex()}".encode()


_Holder = dict[Any, Any] | list[Any]


def _copied(root: list[Any]) -> tuple[list[_Holder], list[str]]:
    """Puts copies in the place of all containers below the root. These with the root, and all strings, keys too."""
    holders: list[_Holder] = [root]
    texts: list[str] = []
    for holder in holders:  # which grows meanwhile
        if isinstance(holder, dict):
            texts.extend(key for key in holder if isinstance(key, str))
        for place, node in _places(holder):
            if isinstance(node, str):
                texts.append(node)
            elif (copy := _copy_of(node)) is not None:
                holder[place] = copy
                holders.append(copy)
    return holders, texts


def _copy_of(node: Any) -> _Holder | None:
    """None for a value that holds no others."""
    if isinstance(node, dict):
        return dict(node)
    if isinstance(node, (list, tuple)):
        return list(node)
    if node is None or isinstance(node, (int, float)):  # the most frequent, and asking for a Mapping is slow
        return None
    return dict(node) if isinstance(node, Mapping) else None


def _places(holder: _Holder) -> Iterable[tuple[Any, Any]]:
    return holder.items() if isinstance(holder, dict) else enumerate(holder)


def _may_hold_secrets(texts: Iterable[str]) -> bool:
    """One search through all of them. What makes a key's value a secret, whatever it looks like, is a hint as well."""
    return bool(formats_hinted_in(_bytes("\0".join(texts))))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _spans(raw: bytes, hinted: list[int]) -> list[tuple[int, int, str]]:
    """Where the secrets of the hinted formats stand, in order and apart. What overlaps a token is masked already."""
    taken = bytearray(len(raw))
    for token in _TOKEN_BYTES.finditer(raw) if b"SECRET_" in raw else ():
        start, stop = token.span()
        taken[start:stop] = b"\1" * (stop - start)
    spans = []
    for index in sorted(hinted):
        found_in = FORMATS[index]
        for start, stop in _claimed(raw, index):
            if taken.find(1, start, stop) < 0 and _is_secret(found_in.proof, raw, start, stop):
                taken[start:stop] = b"\1" * (stop - start)
                spans.append((start, stop, found_in.type))
    return sorted(spans)


def _claimed(raw: bytes, index: int) -> Iterator[tuple[int, int]]:
    """What a format's pattern takes for secrets."""
    pattern = pattern_of(index)
    groups = range(pattern.groups, 0, -1)
    for found in pattern.finditer(raw):
        start, stop = found.span(next((group for group in groups if found.start(group) >= 0), 0))
        if FORMATS[index].lines:
            yield from ((start + line.start(1), start + line.end(1)) for line in _LINE.finditer(raw[start:stop]))
        else:
            yield start, stop


def _is_secret(proof: Proof, raw: bytes, start: int, stop: int) -> bool:
    """Whether it is one, and nothing in it executes, now or once it is decoded: else no judge would see that run."""
    secret = raw[start:stop]
    if raw[start - 1 : start + 1] in _COMMENTS or raw[stop - 1 : stop + 1] in _COMMENTS:
        return False
    inert = (_INERT if proof is Proof.ISSUED else _INERT_ALONE).fullmatch(secret)
    if not inert or (b"/" in secret and _PATH.fullmatch(secret)):
        return False
    return not _encodes_text(secret) and proven(proof, secret.decode())


def _encodes_text(secret: bytes) -> bool:
    """Whether it is Base64 of text, which may be a script on its way to a shell; a key's bytes are no text."""
    try:
        text = binascii.a2b_base64(secret.rpartition(b".")[2]).decode()  # of a JWT, the signature: the rest is JSON
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(text) and not _CREDENTIALS.fullmatch(text)


@functools.lru_cache(maxsize=4096)
def _kind_of_name(name: str) -> tuple[str, Proof] | None:
    """What a key says of its value: a password is one however it looks, a key or a token only if it looks random."""
    found = _SECRET_NAME.fullmatch(name)
    if found is None:
        return None
    return ("password", Proof.CHOSEN) if found[1] else ("assigned_secret", Proof.ASSIGNED)
