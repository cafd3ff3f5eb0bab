"""The register of a journal's segments: one signed line. Each new segment replaces it with one that includes itself.

It names the newest NEIGHBOURS segments; the header of each segment names those before it. So segments cannot be removed
unnoticed: the register would still name them, be missing, or need another signature.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from supervisor.errors import BadRecord
from supervisor.history import address_of
from supervisor.intake.files import NOT_REGULAR, read_file, replace_file
from supervisor.records.envelope import Signer, open_envelope, read_envelope
from supervisor.records.statement import members_of, read_statement, statement

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

NEIGHBOURS = 16
MAX_NOTE = 64 * 1024  # bytes of a register, a checkpoint or a head
_FILE = "register"


@dataclass(frozen=True, slots=True)
class Register:
    """The number of segments ever begun here, the newest of them in order, and the id of the key that signed this."""

    count: int
    segments: tuple[str, ...]
    key_id: str = ""

    def with_segment(self, name: str) -> Register:
        """The register with one more segment."""
        return Register(self.count + 1, (*self.segments, name)[-NEIGHBOURS:], self.key_id)


def register_path(folder: Path) -> Path:
    """The path of the register."""
    return folder / _FILE


def read_register(folder: Path, keys: Mapping[str, Ed25519PublicKey]) -> Register | None:
    """The register, verified with one of `keys`; None if there is none. Raises BadRecord for any other file in its
    place, OSError if the system does not allow reading it."""
    try:
        line = read_file(register_path(folder), MAX_NOTE, follow=False).rstrip(b"\n")
        kind, predicate = read_statement(open_envelope(line, dict(keys)))
        names, count = predicate["segments"], predicate["count"]
        if kind != "register" or type(count) is not int or any(type(name) is not str for name in names):
            raise BadRecord("not a register of segments", place=_FILE, code="bad_register")
        return Register(count, tuple(names), read_envelope(line)[1])
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno not in NOT_REGULAR:
            raise
        raise BadRecord(f"cannot be read: {error.strerror}", place=_FILE, code="bad_register") from None
    except BadRecord as error:
        raise BadRecord(str(error), place=_FILE, code=error.code) from None
    except (KeyError, TypeError):
        raise BadRecord("not a register of segments", place=_FILE, code="bad_register") from None


def write_register(folder: Path, register: Register, signer: Signer, *, sync: bool) -> None:
    """Replaces the register. Raises OSError."""
    members = members_of({"count": register.count, "segments": register.segments})
    subject = address_of("\n".join(register.segments).encode())
    replace_file(register_path(folder), signer.sign(statement("register", subject, members)) + b"\n", sync=sync)


@contextlib.contextmanager
def registering(folder: Path, patience: float) -> Iterator[bool]:
    """Holds the lock on the register; yields whether this writer got it within `patience` seconds. A writer without the
    lock must not write the register: it would drop what another one registers meanwhile."""
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        give_up = time.monotonic() + patience
        while not (has_lock := _try_lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)) and time.monotonic() < give_up:
            time.sleep(0.002)
        yield has_lock
    finally:
        _try_lock(descriptor, fcntl.LOCK_UN)  # a child that was forked meanwhile would otherwise keep the lock
        os.close(descriptor)


def _try_lock(descriptor: int, how: int) -> bool:
    """Whether the lock operation succeeded. On a file system without locks, it always does."""
    import fcntl

    try:
        fcntl.flock(descriptor, how)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
