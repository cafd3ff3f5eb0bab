"""Whether a text in the shape of a secret is one: it looks random, and is not a placeholder."""

from __future__ import annotations

import base64
import functools
import json
import math
from collections import Counter

import re2

from supervisor.evidence.secrets.formats import Proof

_LONG_TAIL = 16  # characters
_LEAST_SHUFFLED = 12  # characters, as of a bare value
LEAST_ENTROPY = 3.0  # bits a character; English words have less, 32 random Base64 characters more than 4

SAMPLE = "scott:tiger"  # the account of Oracle's samples, whose password its manuals print
# Placeholders for a secret: in an issuer's format, in a chosen password, in a value assigned to a name.
_DOCUMENTED = re2.compile(r"(?i)example|placeholder|redacted|changeme|xxxxx")
_DEFAULTS = re2.compile(
    r"(?i)[<{$\[%*/~.].*|\*+|x+|\.+|.*(?:example|placeholder|redacted|change_?me|[<>{}]).*|none|null|true|false|undefined"
    r"|(?:your|my|the|db|some)?[_ -]?(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key|key|credentials?)\d{0,4}"
    r"|admin|root|user(?:name)?|guest|test|postgres|mysql|mongo|redis|foo|bar|\d{1,4}"
)
_STAND_INS = re2.compile(
    r"(?i)change.?me|example|placeholder|redacted|dummy|sample|insert|replace|your|fake|mock|test|todo|xxx|\*\*\*|\.\.\."
    r"|passw|secret|token|credential|api.?key|(?:private|public)_?key|env\b|getenv|environ|^[<{$%@&#/~.]|[<{}>]|%s|://"
)
_WORDS = re2.compile(
    r"(?:[A-Za-z]{2,}\d{0,2}[_./:-]?)+|(?:.*/)?(?:[a-z]+\d{0,2}|\d{1,4})(?:[_+:-](?:[a-z]+\d{0,2}|\d{1,4}))*"
)
_RUNS = re2.compile(rb"[a-z]+|[A-Z]+|[0-9]+")
_DIGITS = re2.compile(rb"[0-9]+")


def proven(proof: Proof, secret: str) -> bool:
    """Whether a text in the shape of a secret is one, and not a placeholder."""
    raw = secret.encode("utf-8", "surrogatepass")
    if proof is Proof.CHOSEN:
        return bool(raw) and b"SECRET_" not in raw and not _DEFAULTS.fullmatch(raw)
    if proof is Proof.CLAIMS:
        return _has_claims(secret)
    if proof is Proof.ISSUED:
        tail = secret.rpartition("-")[2]  # the numbers of a workspace and a bot precede it
        random = entropy(secret) >= LEAST_ENTROPY or (len(tail) >= _LONG_TAIL and entropy(tail) >= LEAST_ENTROPY)
        return random and not _DOCUMENTED.search(raw)
    mixed = any(map(str.isdigit, secret)) and any(map(str.isalpha, secret))
    if not mixed or entropy(secret) < LEAST_ENTROPY or _STAND_INS.search(raw):
        return False
    return not _WORDS.fullmatch(raw) or _is_shuffled(raw)


def _is_shuffled(raw: bytes) -> bool:
    """Whether a value changes between capitals, small letters and digits more often than words do:
    `hT5kQ29xLmB4vWqZ`, not `getUser2ById`."""
    runs = len(_RUNS.findall(raw))
    return len(raw) >= _LEAST_SHUFFLED and raw.isalnum() and runs * 2 >= len(raw) and len(_DIGITS.findall(raw)) > 1


def _has_claims(token: str) -> bool:
    """Whether the header and the claims of a JSON Web Token are JSON objects, the header with an algorithm, and
    contain nothing that a shell would run once they are decoded."""
    header, claims, *_ = token.split(".")
    try:
        head, payload = (base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in (header, claims))
        parsed, body = json.loads(head), json.loads(payload)
    except (ValueError, RecursionError):
        return False
    inert = not any(mark in text for text in (head, payload) for mark in (b"$", b"`"))
    return (
        inert and isinstance(parsed, dict) and isinstance(body, dict) and not {"alg", "typ", "enc"}.isdisjoint(parsed)
    )


def entropy(text: str) -> float:
    """Shannon entropy of the first 256 characters, in bits a character."""
    head = text[:256]
    return sum(map(_bits(len(head)).__getitem__, Counter(head).values()))


@functools.cache
def _bits(length: int) -> list[float]:
    """The contribution to the entropy of a character, by its count in a text of `length` characters."""
    return [0.0, *(-count / length * math.log2(count / length) for count in range(1, length + 1))]
