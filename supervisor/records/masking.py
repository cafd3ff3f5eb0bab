"""A deployment's mask. Its salt is derived from the signing key, so that a secret has one token in all records."""

from __future__ import annotations

import hashlib
import hmac

from supervisor.evidence.secrets import Masker
from supervisor.records.envelope import Signer


def masker_of(signer: Signer) -> Masker:
    """The masker for all records under this key."""
    return Masker(hmac.digest(signer.key.private_bytes_raw(), b"supervisor-guard mask", hashlib.sha256))
