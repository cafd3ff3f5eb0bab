"""The register of a journal's segments: one signed line that each new segment replaces, and adds itself to.

There is one of it, so who takes segments away has to take it away as well, which shows, or would have to sign another.
It names the newest NEIGHBOURS segments; the header of each names those before it.
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
    """How many segments were ever begun here, the newest of them in order, and the key that signed this."""

    count: int
    segments: tuple[str, ...]
    key_id: str = ""

    def with_segment(self, name: str) -> Register:
        """With one more."""
        return Register(self.count + 1, (*self.segments, name)[-NEIGHBOURS:], self.key_id)


def register_path(folder: Path) -> Path:
    """Where the register stands."""
    return folder / _FILE


def read_register(folder: Path, keys: Mapping[str, Ed25519PublicKey]) -> Register | None:
    """The register, where one of `keys` verifies it; None where there is none. BadRecord for anything else that stands
    there, OSError where the system does not let it be read."""
    try:
        line = read_file(register_path(folder), MAX_NOTE, follow=False).rstrip(b"\n")
        kind, told = read_statement(open_envelope(line, dict(keys)))
        names, count = told["segments"], told["count"]
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
    replace_file(register_path(folder), signer.seal(statement("register", subject, members)) + b"\n", sync=sync)


@contextlib.contextmanager
def registering(folder: Path, patience: float) -> Iterator[bool]:
    """One writer after the other; whether this one had its turn within so many seconds. Who had none writes no
    register: it would drop what another registers meanwhile."""
    import fcntl

    turn = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        give_up = time.monotonic() + patience
        while not (has_turn := _had(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)) and time.monotonic() < give_up:
            time.sleep(0.002)
        yield has_turn
    finally:
        _had(turn, fcntl.LOCK_UN)  # a child that was forked meanwhile would hold it on
        os.close(turn)


def _had(turn: int, how: int) -> bool:
    """Whether no other holds the lock. Where the file system has no locks, everybody has it."""
    import fcntl

    try:
        fcntl.flock(turn, how)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
