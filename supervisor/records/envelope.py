"""DSSE envelopes (Dead Simple Signing Envelope v1) around in-toto statements, signed with Ed25519 (RFC 8032).

The signature covers the payload's bytes as they are, never a re-serialised value, so verifying needs no canonical form.
An envelope is one line of JSON and is accepted in exactly one spelling: base64 has others that decode to the same.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from supervisor.errors import BadRecord, RecordFailed
from supervisor.intake.files import read_file
from supervisor.records.macs import MacKey, mac_id, mac_key_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PAYLOAD_TYPE = b"application/vnd.in-toto+json"
_MAX_KEY = 64 * 1024  # bytes of a file that holds a key
_PIECE = 3 * 256 * 1024  # bytes that are encoded at once; base64 turns three bytes into four characters


def encoding_to_sign(payload: bytes) -> bytes:
    """DSSE's pre-authentication encoding: type and payload with their lengths, so neither can pass as the other."""
    return b"DSSEv1 %d %s %d " % (len(PAYLOAD_TYPE), PAYLOAD_TYPE, len(payload)) + payload


def _line(payload: bytes, key_id: str, signature: bytes) -> bytes:
    """The one spelling of an envelope. Base64 and key ids need no escapes, so the JSON is concatenated."""
    named = b'","payloadType":"%s","signatures":[{"keyid":"%s","sig":"%s"}]}'
    rest = named % (PAYLOAD_TYPE, key_id.encode(), base64.b64encode(signature))
    encoded = [base64.b64encode(payload)] if len(payload) <= _PIECE else _base64(payload)
    return b"".join([b'{"payload":"', *encoded, rest])


def _base64(payload: bytes) -> Iterator[bytes]:
    """Base64 in pieces: no other thread runs during an encoding, and a megabyte takes more than a millisecond."""
    for start in range(0, len(payload), _PIECE):
        yield base64.b64encode(payload[start : start + _PIECE])


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key, its key id, and the MAC key under it."""

    key: Ed25519PrivateKey
    key_id: str
    mac_key: MacKey = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mac_key", mac_key_of(self.key, self.key_id))

    def sign(self, payload: bytes) -> bytes:
        """The envelope around `payload`: one line, without its newline."""
        return _line(payload, self.key_id, self.key.sign(encoding_to_sign(payload)))

    def mac(self, payload: bytes) -> bytes:
        """The envelope with a MAC in place of a signature, for a record that a seal signs later."""
        return _line(payload, mac_id(self.key_id), self.mac_key.mac(encoding_to_sign(payload)))

    @property
    def public_pem(self) -> bytes:
        """The public key, as `openssl pkeyutl -verify` reads it."""
        from cryptography.hazmat.primitives import serialization as form

        return self.key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)


def open_signer(path: Path) -> Signer:
    """The signer with the PEM key at `path`, created (mode 0600) if there is none. Raises RecordFailed if it cannot be
    read or created."""
    from cryptography.exceptions import InternalError, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        if not path.exists():
            _create_key(path)
        key = form.load_pem_private_key(read_file(path, _MAX_KEY), password=None)
    except OSError as error:
        why = f"the signing key cannot be made or read: {error.strerror}; set records.key, or make its folder writable"
        raise RecordFailed(why, place=str(path), code="signing_key") from None
    except (ValueError, TypeError, UnsupportedAlgorithm, InternalError) as error:  # TypeError: it is encrypted
        raise RecordFailed(f"not a private key in PEM: {error}", place=str(path), code="signing_key") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise RecordFailed("not an Ed25519 key", place=str(path), code="signing_key")
    return Signer(key, key_id_of(key.public_key()))


def _create_key(path: Path) -> None:
    """Creates a key. Two processes may start at once: each writes a file of its own, and the first to link it wins."""
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    plain = (form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    pem = Ed25519PrivateKey.generate().private_bytes(*plain)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    own = path.with_suffix(f".{os.getpid()}.{os.urandom(4).hex()}.tmp")
    with open(os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(pem)
    try:
        os.link(own, path)
    except FileExistsError:
        pass  # the other process was first; its key serves both
    finally:
        own.unlink()


def key_id_of(key: Ed25519PublicKey) -> str:
    """The id of a key: the first 16 hex digits of the SHA-256 of its 32 raw bytes."""
    return hashlib.sha256(key.public_bytes_raw()).hexdigest()[:16]


def read_public_key(path: Path, *, follow: bool = False) -> Ed25519PublicKey:
    """The Ed25519 public key in a PEM file. A symlink is read only if `follow`. Raises BadRecord for anything else."""
    from cryptography.exceptions import InternalError, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    place = str(path)
    try:
        key = load_pem_public_key(read_file(path, _MAX_KEY, follow=follow))
    except OSError as error:
        raise BadRecord(f"cannot be read: {error.strerror}", place=place, code="bad_key") from None
    except (ValueError, UnsupportedAlgorithm, InternalError):
        raise BadRecord("not a public key in PEM", place=place, code="bad_key") from None
    if not isinstance(key, Ed25519PublicKey):
        raise BadRecord("not an Ed25519 key", place=place, code="bad_key")
    return key


def open_envelope(line: bytes, keys: dict[str, Ed25519PublicKey]) -> bytes:
    """The payload of an envelope whose signature one of `keys` verifies. Raises BadRecord for any other line."""
    payload, key_id, signature = read_envelope(line)
    check_signature(payload, key_id, signature, keys)
    return payload


def check_signature(payload: bytes, key_id: str, signature: bytes, keys: dict[str, Ed25519PublicKey]) -> None:
    """Raises BadRecord unless one of `keys` verifies the signature. A MAC is none, whoever asks."""
    key = keys.get(key_id)
    if key is None:
        raise BadRecord(f"signed by the unknown key {key_id}", code="unknown_key")
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(signature, encoding_to_sign(payload))
    except InvalidSignature:
        raise BadRecord("its signature does not verify", code="bad_signature") from None


def read_envelope(line: bytes) -> tuple[bytes, str, bytes]:
    """Payload, key id and signature of an envelope, not verified. Raises BadRecord if the line is no envelope."""
    try:
        envelope: Any = orjson.loads(line)
        signed = envelope["signatures"][0]
        payload, key_id = base64.b64decode(envelope["payload"], validate=True), signed["keyid"]
        signature = base64.b64decode(signed["sig"], validate=True)
        spelled = _line(payload, key_id, signature)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        raise BadRecord("not a signed envelope", code="not_an_envelope") from None
    if spelled != line:
        raise BadRecord("not the one spelling of its envelope", code="not_an_envelope")
    return payload, key_id, signature
