"""Masks secrets before anything else reads an action, by tokens that name their type.

A masked value leaves a typed token, `SECRET_github_token_0123456789ab`: letters, digits and underscores only, so that
the shell, SQL, Python or URL around it parses as before. Only inert text is masked, never code: masking precedes
every specialist, so masked code would run unseen. The token ends in a keyed digest (HMAC-SHA256, RFC 2104): equal
secrets give equal tokens within a deployment, and without the salt, candidates cannot be tested against it.
"""

from __future__ import annotations

import functools
import hmac
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

import re2

from supervisor.errors import BadInput
from supervisor.evidence.secrets.formats import MASKED_ONLY, SHORTEST, Proof
from supervisor.evidence.secrets.hints import is_hinted
from supervisor.evidence.secrets.names import sort_of_name
from supervisor.evidence.secrets.opaque import kind_of
from supervisor.evidence.secrets.proof import proven
from supervisor.evidence.secrets.spans import MOST_CLAIMS, Allowance, TooMany, spans

T = TypeVar("T")

LEAST_SALT = 16  # bytes
_BATCH = 256 * 1024  # characters of texts that are searched together
_LONGEST_NAME = 128  # characters of a key that may name a secret

# Safe in a backtracking engine: a token's type has no capitals, so that no part is read twice.
_TOKEN = re.compile(r"SECRET_([a-z0-9_]+)_([0-9a-f]{12})")

_SECRET_NAME = re2.compile(
    r"(?i).{0,64}(?:(pass(?:word|wd|phrase)|pwd|secret)|api[_-]?key|(?:secret|private|access)[_-]?key|token)"
)


class Secret(NamedTuple):
    """A masked secret: its type, its token, and the index of the token in the text."""

    type: str
    token: str
    position: int


def secrets_in(text: str) -> list[Secret]:
    """The masked secrets in a text, in order: values in an issuer's format, and random values under a secret's name.

    Values that are masked only as a precaution are not among them: see `hidden_in`.
    """
    return [secret for secret in _tokens_in(text) if secret.type not in MASKED_ONLY]


def hidden_in(text: str) -> list[Secret]:
    """The values in a text that are masked only as a precaution, in order; specialists do not report them."""
    return [secret for secret in _tokens_in(text) if secret.type in MASKED_ONLY]


def _tokens_in(text: str) -> list[Secret]:
    if "SECRET_" not in text:
        return []
    return [Secret(found[1], found[0], found.start()) for found in _TOKEN.finditer(text)]


class Masker:
    """Masks secrets under one deployment's salt. It has no other state and may be shared between threads.

    Masking takes linear time, 2 ns a character of ordinary text. An `Allowance` limits the work on text that looks like
    secrets, by MOST_CLAIMS and MOST_SEARCHES. Searches let other threads run.
    """

    def __init__(self, salt: bytes) -> None:
        if len(salt) < LEAST_SALT:
            raise ValueError(f"a salt has at least {LEAST_SALT} random bytes")
        self._salt = salt

    def mask(self, value: T) -> T:
        """A JSON value with its secrets masked, in keys too. Mappings become new dicts, sequences new lists.

        Several values are best masked together, in one list: a single search shows whether any of their strings may
        contain a secret, and usually none does. Raises BadInput (`too_large`) if too much of it looks like secrets.
        """
        return self._masked(value, coarse=False)

    def mask_output(self, value: T) -> T:
        """The same for the outputs of tools and doors, and for past steps. Never raises.

        If too much looks like secrets, further such texts are masked as a whole: they are read, but do not run.
        """
        return self._masked(value, coarse=True)

    def mask_within(self, value: T, allowance: Allowance) -> T:
        """The same within an allowance that several calls share. Raises BadInput (`too_large`) if it is used up."""
        return self._masked(value, coarse=False, allowance=allowance)

    def mask_text(self, text: str) -> str:
        """The text with its secrets masked, as in `mask`; the same object if there are none. Idempotent."""
        return _Masking(self._salt).text(text)

    def _masked(self, value: T, *, coarse: bool, allowance: Allowance | None = None) -> T:
        root: list[Any] = [value]
        holders, texts = _copied(root)
        if _may_hold_secrets(texts):
            masking = _Masking(self._salt, coarse=coarse, allowance=allowance)
            for holder in holders:
                masking.mask_within(holder)
        masked: T = root[0]
        return masked


class _Masking:
    """Masks one value, within one allowance."""

    def __init__(self, salt: bytes, *, coarse: bool = False, allowance: Allowance | None = None) -> None:
        self._salt = salt
        self._coarse = coarse
        self._allowance = allowance or Allowance()
        self._known: dict[str, str | None] = {}  # short texts already searched; None for one without secrets

    def text(self, text: str) -> str:
        """The masked text; the same object if it contains no secret."""
        if len(text) < SHORTEST:
            return text
        if len(text) > _LONGEST_NAME:
            return self._masked(text) or text
        if text not in self._known:  # keys repeat often
            self._known[text] = self._masked(text)
        return self._known[text] or text

    def mask_within(self, holder: _Holder) -> None:
        if isinstance(holder, dict):
            self._mask_keys(holder)
        for place, node in _places(holder):
            if isinstance(node, str):
                holder[place] = self._named(place, node)

    def _mask_keys(self, node: dict[Any, Any]) -> None:
        """Masks the secrets in the keys of a mapping, which stay distinct and in order."""
        names = [self.text(key) if isinstance(key, str) else key for key in node]
        if all(map(operator.is_, names, node)):
            return
        before = dict(node)
        node.clear()
        numbers: dict[str, int] = {}
        for masked, (key, value) in zip(names, before.items(), strict=True):
            name = masked
            while name in node or (name is not key and name in before):
                numbers[masked] = numbers.get(masked, 1) + 1
                name = f"{masked}_{numbers[masked]}"
            node[name] = value

    def _named(self, name: Any, text: str) -> str:
        """A string under its key: `{"password": "open sesame"}` is a secret in any form."""
        masked = self.text(text)
        if not isinstance(name, str) or len(name) > _LONGEST_NAME:
            return masked
        kind, sort = _kind_of_name(name), sort_of_name(name)
        if masked is text and kind:
            masked = self._within_allowance(text, partial(self._under, kind)) or text
        if masked is text and sort and (hidden := kind_of(_bytes(text), sort, quoted=True)):
            masked = self._within_allowance(text, partial(self._hidden, hidden)) or text
        return masked

    def _masked(self, text: str) -> str | None:
        """The masked text; None if it contains no secret."""
        return self._within_allowance(text, self._without_secrets)

    def _within_allowance(self, text: str, mask: Callable[[str], str | None]) -> str | None:
        try:
            return mask(text)
        except TooMany:
            if self._coarse:
                return self._token("many_secrets", _bytes(text)).decode()
            reason = f"too much of the action and its context looks like secrets: at most {MOST_CLAIMS:,} parts may"
            raise BadInput(reason, code="too_large") from None

    def _without_secrets(self, text: str) -> str | None:
        raw = _bytes(text)
        found = spans(raw, self._allowance)
        if not found:
            return None
        pieces: list[bytes] = []
        end = 0
        for start, stop, kind in found:
            pieces += raw[end:start], self._token(kind, raw[start:stop])
            end = stop
        return b"".join([*pieces, raw[end:]]).decode("utf-8", "surrogatepass")

    def _under(self, kind: tuple[str, Proof], text: str) -> str | None:
        self._allowance.claim()
        return self._token(kind[0], _bytes(text)).decode() if proven(kind[1], text) else None

    def _hidden(self, kind: str, text: str) -> str:
        self._allowance.claim()
        return self._token(kind, _bytes(text)).decode()

    def _token(self, kind: str, secret: bytes) -> bytes:
        return f"SECRET_{kind}_{hmac.digest(self._salt, secret, 'sha256')[:6].hex()}".encode()


_Holder = dict[Any, Any] | list[Any]


def _copied(root: list[Any]) -> tuple[list[_Holder], list[str]]:
    """Replaces all containers below the root by copies. Returns these with the root, and all strings, also keys."""
    holders: list[_Holder] = [root]
    texts: list[str] = []
    for holder in holders:  # grows during the loop
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
    """A copy of a container; None for other values."""
    if isinstance(node, dict):
        return dict(node)
    if isinstance(node, (list, tuple)):
        return list(node)
    if node is None or isinstance(node, (int, float)):  # the most frequent types; the check for a Mapping is slow
        return None
    return dict(node) if isinstance(node, Mapping) else None


def _places(holder: _Holder) -> Iterable[tuple[Any, Any]]:
    return holder.items() if isinstance(holder, dict) else enumerate(holder)


def _may_hold_secrets(texts: Iterable[str]) -> bool:
    """Searches all texts at once. Names that make any value a secret are hints as well."""
    return any(is_hinted(_bytes("\0".join(batch))) for batch in _batches(texts))


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Texts in batches for one search each, of less than a millisecond unless a text is large."""
    batch: list[str] = []
    room = _BATCH
    for text in texts:
        batch.append(text)
        room -= len(text) + 1
        if room < 0:
            yield batch
            batch, room = [], _BATCH
    yield batch


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@functools.lru_cache(maxsize=4096)
def _kind_of_name(name: str) -> tuple[str, Proof] | None:
    """What a key implies for its value: a password may have any form, a key or a token must look random."""
    found = _SECRET_NAME.fullmatch(name)
    if found is None:
        return None
    return ("password", Proof.CHOSEN) if found[1] else ("assigned_secret", Proof.ASSIGNED)
