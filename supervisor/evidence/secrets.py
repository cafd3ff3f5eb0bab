"""Secrets are masked before anything else sees an action, and the mask can still be read as what it stands for.

A masked value leaves a typed token, `SECRET_github_token_0123456789ab`: letters, digits and underscores only, so that
the shell, SQL, Python or URL around it parses as before. Only inert text is masked, and no code: a mask comes before
every judge, so what it swallowed would run unseen. Its end is a keyed digest (HMAC-SHA256, RFC 2104): equal
secrets give equal tokens within a deployment, and without the salt nobody can try candidates against it.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import hmac
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

import re2

from supervisor.evidence.secret_formats import FORMATS, Proof, formats_hinted_in, pattern_of

T = TypeVar("T")

LEAST_ENTROPY = 3.0  # bits a character; English words lie below, 32 random Base64 characters above 4
LEAST_SALT = 16  # bytes
_USUAL = 64  # keys of a mapping, and characters of a key, that are looked at once and remembered

# Safe in the backtracking engine: a token's type holds no capital, so that no run of it is read twice.
_TOKEN = re.compile(r"SECRET_([a-z0-9_]+)_([0-9a-f]{12})")
_TOKEN_BYTES = re.compile(_TOKEN.pattern.encode())

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

# Stand-ins for a secret: in an issuer's format, in a password that somebody chose, in a value given to a name.
_DOCUMENTED = re2.compile(r"(?i)example|placeholder|redacted|changeme|xxxxx")
_DEFAULTS = re2.compile(
    r"(?i)[<{$\[%*/~.].*|\*+|x+|\.+|.*(?:example|placeholder|redacted|change_?me|[<>{}]).*|none|null|true|false|undefined"
    r"|(?:your|my|the|db|some)?[_ -]?(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key|key|credentials?)\d{0,4}"
    r"|admin|root|user(?:name)?|guest|test|postgres|mysql|mongo|redis|foo|bar|\d{1,4}"
)
_STAND_INS = re2.compile(
    r"(?i)change.?me|example|placeholder|redacted|dummy|sample|insert|replace|your|fake|mock|test|todo|xxx|\*\*\*|\.\.\."
    r"|passw|secret|token|credential|api.?key|env\b|getenv|environ|^[<{$%@&#/~.]|[<{}>]|%s|://"
)
_WORDS = re2.compile(
    r"(?:[A-Za-z]{2,}\d{0,2}[_./:-]?)+|(?:.*/)?(?:[a-z]+\d{0,2}|\d{1,4})(?:[_+:-](?:[a-z]+\d{0,2}|\d{1,4}))*"
)
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
    """Masks secrets under one deployment's salt. Keeps no other state: safe to share between threads."""

    def __init__(self, salt: bytes) -> None:
        if len(salt) < LEAST_SALT:
            raise ValueError(f"a salt has at least {LEAST_SALT} random bytes")
        self._salt = salt

    def mask(self, value: T) -> T:
        """A JSON value with its secrets masked, in keys too. Mappings become new dicts, sequences new lists."""
        root: list[Any] = [value]
        pending: list[Any] = [root]
        while pending:
            holder = pending.pop()
            for place in holder if isinstance(holder, dict) else range(len(holder)):
                node = holder[place]
                if isinstance(node, str):
                    holder[place] = self._mask_named(place, node)
                elif (copy := self._copied(node)) is not None:
                    holder[place] = copy
                    pending.append(copy)
        return root[0]  # type: ignore[no-any-return]

    def _copied(self, node: Any) -> dict[Any, Any] | list[Any] | None:
        """A container that may be changed in place, its keys masked; None for a value that holds no others."""
        if node is None or isinstance(node, (int, float)):  # the most frequent, and asking for a Mapping is slow
            return None
        if isinstance(node, (dict, Mapping)):
            return self._with_masked_keys(dict(node))
        return list(node) if isinstance(node, (list, tuple)) else None

    def _with_masked_keys(self, node: dict[Any, Any]) -> dict[Any, Any]:
        """The mapping with the secrets in its keys masked; itself where they hold none. Keys stay distinct."""
        keys = tuple(node)
        usual = len(keys) <= _USUAL and all(isinstance(key, str) and len(key) <= _USUAL for key in keys)
        look = (
            _may_hold_secrets if usual else _may_hold_secrets.__wrapped__
        )  # a cache shall not fill with strangers' keys
        if not look(keys):
            return node
        renamed: dict[Any, Any] = {}
        for key, value in node.items():
            name = masked = self.mask_text(key) if isinstance(key, str) else key
            number = 1
            while name in renamed or (name is not key and name in node):
                number += 1
                name = f"{masked}_{number}"
            renamed[name] = value
        return renamed

    def mask_text(self, text: str) -> str:
        """The text with its secrets masked; the very same object where it holds none. Idempotent, linear time."""
        raw = text.encode("utf-8", "surrogatepass")
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
            and len(name) <= 2 * _USUAL
            and (kind := _kind_of_name(name))
            and _proven(kind[1], text)
        ):
            return self._token(kind[0], text.encode("utf-8", "surrogatepass")).decode()
        return masked

    def _token(self, kind: str, secret: bytes) -> bytes:
        digest = hmac.new(self._salt, secret, hashlib.sha256).hexdigest()[:12]
        return f"SECRET_{kind}_{digest}".encode()


def _spans(raw: bytes, hinted: list[int]) -> list[tuple[int, int, str]]:
    """Where the secrets of the hinted formats stand, in order and apart. What overlaps a token is masked already."""
    taken = bytearray(len(raw))
    for token in _TOKEN_BYTES.finditer(raw):
        taken[token.start() : token.end()] = b"\1" * len(token[0])
    spans = []
    for index in sorted(hinted):
        found_in = FORMATS[index]
        for start, stop in _claimed(raw, index):
            if 1 not in taken[start:stop] and _is_secret(found_in.proof, raw, start, stop):
                taken[start:stop] = b"\1" * (stop - start)
                spans.append((start, stop, found_in.type))
    return sorted(spans)


def _claimed(raw: bytes, index: int) -> Iterator[tuple[int, int]]:
    """What a format's pattern takes for secrets."""
    for found in pattern_of(index).finditer(raw):
        start, stop = found.span(_last_group(found))
        if FORMATS[index].lines:
            yield from ((start + line.start(1), start + line.end(1)) for line in _LINE.finditer(raw[start:stop]))
        else:
            yield start, stop


def _is_secret(proof: Proof, raw: bytes, start: int, stop: int) -> bool:
    """Whether it is one, and nothing in it executes, now or once it is decoded: else no judge would see that run."""
    secret = raw[start:stop]
    inert = (_INERT if proof is Proof.ISSUED else _INERT_ALONE).fullmatch(secret) and not _PATH.fullmatch(secret)
    apart = raw[start - 1 : start + 1] not in _COMMENTS and raw[stop - 1 : stop + 1] not in _COMMENTS
    return bool(inert) and apart and not _encodes_text(secret) and _proven(proof, secret.decode())


def _encodes_text(secret: bytes) -> bool:
    """Whether it is Base64 of text, which may be a script on its way to a shell; a key's bytes are no text."""
    try:
        text = base64.b64decode(secret.rpartition(b".")[2]).decode()  # of a JWT, the signature: the rest is JSON
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(text) and not _CREDENTIALS.fullmatch(text)


def _last_group(found: Any) -> int:
    """The number of the last group that took part in a match; 0 (all of it) where none did."""
    return max((number for number, group in enumerate(found.groups(), 1) if group is not None), default=0)


def _proven(proof: Proof, secret: str) -> bool:
    """Whether what has a secret's shape is one, and no stand-in."""
    if proof is Proof.CHOSEN:
        return bool(secret) and "SECRET_" not in secret and not _DEFAULTS.fullmatch(secret)
    if entropy(secret) < LEAST_ENTROPY:
        return False
    if proof is Proof.ISSUED:
        return not _DOCUMENTED.search(secret)
    mixed = any(letter.isdigit() for letter in secret) and any(letter.isalpha() for letter in secret)
    return mixed and not _STAND_INS.search(secret) and not _WORDS.fullmatch(secret)


def entropy(text: str) -> float:
    """Shannon entropy of the first 256 characters, in bits a character."""
    counts = Counter(text[:256])
    length = counts.total()
    return -sum(count / length * math.log2(count / length) for count in counts.values())


@functools.lru_cache(maxsize=4096)
def _kind_of_name(name: str) -> tuple[str, Proof] | None:
    """What a key says of its value: a password is one however it looks, a key or a token only if it looks random."""
    found = _SECRET_NAME.fullmatch(name)
    if found is None:
        return None
    return ("password", Proof.CHOSEN) if found[1] else ("assigned_secret", Proof.ASSIGNED)


@functools.lru_cache(maxsize=1024)
def _may_hold_secrets(keys: tuple[Any, ...]) -> bool:
    """One look at all keys of a mapping together; tools are called with the same few names again and again."""
    return bool(formats_hinted_in("\0".join(map(str, keys)).encode("utf-8", "surrogatepass")))
