"""A journal to tamper with: three sealed segments, one whose writer was killed with more than a block of records in it,
and a newest one with a few, whose writer was killed as well. Either each record is signed, or seals sign them together:
then the killed writers had written some records since their last seal."""

from __future__ import annotations

import json
import os
import random
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from supervisor.history import address_of
from supervisor.records.checkpoint import Checkpoint
from supervisor.records.envelope import Signer, open_signer, read_envelope
from supervisor.records.journal import Journal
from supervisor.records.verify import verify

BASES = 8  # journals that are made; each seed takes one, and tampers with it in its own way
FILES = dict[str, bytes]


@dataclass
class Scene:
    """A copy of a journal, in `folder`, with what an attacker may have: a key of his own, another deployment's records,
    and a copy of this folder as it was earlier."""

    home: Path
    folder: Path
    chance: random.Random
    thief: Signer
    owner: Signer
    other: FILES
    earlier: FILES
    reported: list[Checkpoint]

    @property
    def segments(self) -> list[Path]:
        """Oldest first."""
        return sorted(self.folder.glob("*.jsonl"))

    @property
    def newest(self) -> Path:
        """A few records, of a writer that was killed."""
        return self.segments[-1]

    @property
    def killed(self) -> Path:
        """More than a block of records, of a writer that was killed."""
        return self.segments[-2]

    @property
    def sealed(self) -> Path:
        """One of those that were sealed."""
        return self.chance.choice(self.segments[:3])

    @property
    def any(self) -> Path:
        """One of all."""
        return self.chance.choice(self.segments)

    @property
    def trusted(self) -> Path:
        """The owner's public key, kept elsewhere."""
        return self.home / "trusted.pem"


@dataclass
class Base:
    """A journal as files by their names, and what there is besides."""

    files: FILES
    earlier: FILES
    other: FILES
    owner: Signer
    thief: Signer
    reported: list[Checkpoint]


def lines_of(path: Path) -> list[bytes]:
    """With their newlines."""
    return path.read_bytes().splitlines(keepends=True)


def write_lines(path: Path, lines: list[bytes]) -> None:
    """In place of all that there is."""
    path.write_bytes(b"".join(lines))


def all_of(path: Path) -> list[Path]:
    """A segment with what stands beside it."""
    return [each for each in (path, *map(path.with_suffix, (".checkpoint", ".head"))) if os.path.lexists(each)]


def remove(path: Path) -> None:
    """Takes a segment away, with all that stands beside it."""
    for each in all_of(path):
        each.unlink()


def is_record(line: bytes) -> bool:
    """Whether a line is a record, not content."""
    return not line.startswith(b'{"sha256"')


def put(folder: Path, files: FILES) -> None:
    """Writes files by their names."""
    for name, raw in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)


def taken(folder: Path) -> FILES:
    """All files of a folder by their names."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@cache
def base(number: int, *, seals: bool) -> Base:
    """One of the journals, the same whenever this process asks for it."""
    chance = random.Random(number)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        owner, thief = open_signer(home / "key.pem"), open_signer(home / "thief.pem")
        folder = home / "records"
        for _ in range(3):
            _write(folder, owner, chance.randrange(4, 7), seals=seals, seal=True)
        _write(folder, owner, chance.randrange(65, 80), seals=seals, seal=False)
        newest = _opened(folder, owner, seals=seals)
        _append(newest, 0)
        newest._renew_seal()
        earlier, reported = taken(folder), []
        for count in range(1, chance.randrange(3, 6)):
            _append(newest, count)
            if count == 2:
                newest._renew_seal()
        _abandon(newest)
        reported = verify(folder, signer=owner).checkpoints
        _write(home / "other", owner, 5, seals=seals, seal=True)
        return Base(taken(folder), earlier, taken(home / "other"), owner, thief, reported)


def scene(home: Path, seed: int, *, seals: bool) -> Scene:
    """A fresh copy for one seed, in an empty `home`."""
    made = base(seed % BASES, seals=seals)
    put(home / "records", made.files)
    (home / "trusted.pem").write_bytes(made.owner.public_pem)
    chance = random.Random(seed)
    parts = (chance, made.thief, made.owner, made.other, made.earlier, made.reported)
    return Scene(home, home / "records", *parts)


def _opened(folder: Path, signer: Signer, *, seals: bool) -> Journal:
    """A journal whose seals are renewed by the tests alone, so that the same seed has the same ones."""
    journal = Journal(folder, signer, seals=seals)
    journal._sealer_of = lambda: None  # type: ignore[method-assign]
    return journal


def _write(folder: Path, signer: Signer, count: int, *, seals: bool, seal: bool) -> None:
    journal = _opened(folder, signer, seals=seals)
    for number in range(count):
        _append(journal, number)
        if number == count - 3:
            journal._renew_seal()
    if seal:
        journal.close()
    else:
        _abandon(journal)


def _append(journal: Journal, number: int) -> None:
    content = orjson.dumps({"scene": number // 2, "text": os.urandom(20).hex()})
    predicate = {"id": f"d{number}", "scene": address_of(content), "time": datetime.now(UTC).isoformat()}
    journal.append("decision", predicate, "0" * 64, [(address_of(content), content)])


def _abandon(journal: Journal) -> None:
    """Leaves the journal as the death of its process would."""
    assert journal._segment is not None
    journal._segment.close()
    journal._segment = None


def trust_the_thief(scene: Scene) -> None:
    """Puts the thief's public key among those of the journal."""
    (scene.folder / "keys" / f"{scene.thief.key_id}.pem").write_bytes(scene.thief.public_pem)


def payload_of(line: bytes) -> dict[str, Any]:
    """What a record's line says."""
    told: dict[str, Any] = json.loads(read_envelope(line.rstrip(b"\n"))[0])
    return told


def dumped(told: Any) -> bytes:
    """As compact JSON."""
    return json.dumps(told, separators=(",", ":")).encode()
