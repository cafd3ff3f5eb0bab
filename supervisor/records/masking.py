"""A deployment's mask: its salt belongs to the signing key, so that a secret has one token in all its records."""

from __future__ import annotations

import hashlib
import hmac

from supervisor.evidence.secrets import Masker
from supervisor.records.envelope import Signer


def masker_of(signer: Signer) -> Masker:
    """What masks all that this key's owner records."""
    return Masker(hmac.digest(signer.key.private_bytes_raw(), b"supervisor-guard mask", hashlib.sha256))
