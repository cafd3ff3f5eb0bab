"""The public keys of a journal, named by their ids, in its folder `keys/`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from supervisor.errors import BadRecord
from supervisor.intake.files import replace_file
from supervisor.records.envelope import Signer, key_id_of, read_public_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    Keys = dict[str, Ed25519PublicKey]

FOLDER = "keys"


def publish_key(folder: Path, signer: Signer, *, sync: bool) -> None:
    """Puts the signer's public key into a journal. Raises OSError."""
    path = folder / FOLDER / f"{signer.key_id}.pem"
    if not path.exists():
        path.parent.mkdir(exist_ok=True, mode=0o700)
        replace_file(path, signer.public_pem, sync=sync)


def published_keys(folder: Path) -> tuple[Keys, list[BadRecord]]:
    """The public keys in a journal, and an error for each file that is not a valid one."""
    keys: Keys = {}
    wrong = []
    try:
        names = sorted(name for name in os.listdir(folder / FOLDER) if name.endswith(".pem"))
    except OSError:  # no folder: without keys nothing verifies, and that is reported
        names = []
    for name in names:
        try:
            key = read_public_key(folder / FOLDER / name)
            if name != f"{key_id_of(key)}.pem":
                raise BadRecord(f"holds the key {key_id_of(key)}", place=name, code="bad_key")
            keys[key_id_of(key)] = key
        except BadRecord as error:
            wrong.append(BadRecord(error.message, place=f"{FOLDER}/{name}", code=error.code))
    return keys, wrong
