"""The MAC of a record that a seal signs later: HMAC-SHA256 (RFC 2104) over the bytes that a signature would cover.

Its key is derived from the signing key, so that no second secret has to be kept. It proves a record only to a holder
of the signing key. Only decisions, outcomes and reverts may have one in place of a signature, and no decision that asks
for an approval or rests on one: what a person said is proven to everybody, wherever its line is copied to.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadRecord

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MacKeys = dict[str, "MacKey"]  # by the ids of their signing keys
_PREFIX = "mac:"  # of a key id: no public key has such an id, so that none is ever taken for a secret
KINDS = frozenset({"decision", "outcome", "revert"})


@dataclass(frozen=True, slots=True)
class MacKey:
    """The secret that the records of one signing key have their MACs from."""

    key_id: str  # of the signing key
    secret: bytes = field(repr=False)

    def mac(self, signed: bytes) -> bytes:
        """The MAC of these bytes."""
        return hmac.digest(self.secret, signed, hashlib.sha256)

    def check(self, mac: bytes, signed: bytes) -> None:
        """Raises BadRecord if the MAC is another one."""
        if not hmac.compare_digest(mac, self.mac(signed)):
            raise BadRecord("its MAC does not verify", code="bad_mac")


def mac_key_of(key: Ed25519PrivateKey, key_id: str) -> MacKey:
    """The MAC key under a signing key with this id."""
    return MacKey(key_id, hmac.digest(key.private_bytes_raw(), b"supervisor-guard record mac", hashlib.sha256))


def mac_id(key_id: str) -> str:
    """The id of the MAC key under a signing key."""
    return _PREFIX + key_id


def signing_id(key_id: str) -> str:
    """The id of the signing key, given its own or that of its MAC key."""
    return key_id.removeprefix(_PREFIX)


def is_mac(key_id: str) -> bool:
    """Whether an envelope with this key id has a MAC in place of a signature."""
    return key_id.startswith(_PREFIX)


def may_have_mac(kind: str, predicate: Mapping[str, Any]) -> bool:
    """Whether a seal is enough for this record. The commitment to a chain of heads has to be signed at once: whoever
    could replace it could set the head back."""
    return kind in KINDS and "approval" not in predicate and "anchor" not in predicate
