"""A journal that was tampered with is reported or refused, line by line; it never stops who reads it.

The journals here are written by hand from the format alone, so that what writes them cannot hide what reads them.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import strategies as st

from supervisor.errors import BadRecord
from supervisor.records.envelope import Signer, key_id_of
from supervisor.records.read import Record, read_records
from supervisor.records.verify import Report, verify
from tests.fuzz.corpus import spoiled
from tests.fuzz.files import edited
from tests.fuzz.watch import fuzzed, watched
from tests.intake.json_strategies import ordinary

_KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
SIGNER = Signer(_KEY, key_id_of(_KEY.public_key()))
SEGMENT = "20260115T120000.000000-1-abcdef"
_NODE = {"before": None, "step": {"tool": "bash", "args": {}, "output": "a", "kind": "shell", "failed": False}}
_SCENE: dict[str, Any] = {"task": "t", "agent": None, "facts": {}}
_NEIGHBOUR = {"segment": SEGMENT, "records": 1, "size": 10, "digest": "0" * 64, "sealed": False}

Files = dict[str, bytes]
Predicates = list[tuple[str, Any]]
Seal = Callable[[bytes], bytes]


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _statement(kind: str, predicate: Any) -> bytes:
    told = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": kind, "digest": {"sha256": "0" * 64}}],
        "predicateType": f"urn:supervisor-guard:{kind}:v1",
        "predicate": predicate,
    }
    return orjson.dumps(told)


def predicates_about(contents: list[bytes]) -> Predicates:
    """The records of a small segment, which name these contents."""
    history, scene = map(_sha256, contents)
    return [
        ("segment", {"segment": SEGMENT, "started": "2026-01-15T12:00:00+00:00", "neighbours": []}),
        ("decision", {"id": "d1", "session": None, "history": history, "scene": scene, "opinions": []}),
        ("outcome", {"id": "o1", "history": history, "scene": scene}),
        ("end", {"segment": SEGMENT}),
    ]


def written(predicates: Predicates, contents: list[bytes], seal: Seal = SIGNER.sign) -> Files:
    """A sealed journal of one segment that holds these records, as files by their names."""
    stored = b"".join(b'{"sha256":"%s","content":%s}\n' % (_sha256(each).encode(), each) for each in contents)
    whole = b""
    for number, (kind, predicate) in enumerate(predicates):
        whole += stored if number == 1 else b""
        place = {"sequence": number, "prefix": _sha256(whole)}
        whole += seal(_statement(kind, {**place, **predicate} if isinstance(predicate, dict) else predicate)) + b"\n"
    end = {
        "segment": SEGMENT,
        "records": len(predicates),
        "size": len(whole),
        "digest": _sha256(whole),
        "sealed": bool(predicates) and predicates[-1][0] == "end",
    }
    return {
        f"{SEGMENT}.jsonl": whole,
        f"{SEGMENT}.checkpoint": SIGNER.sign(_statement("checkpoint", end)) + b"\n",
        "register": SIGNER.sign(_statement("register", {"count": 1, "segments": [SEGMENT]})) + b"\n",
        f"keys/{SIGNER.key_id}.pem": SIGNER.public_pem,
    }


CONTENTS = [orjson.dumps(_NODE), orjson.dumps(_SCENE)]
SOUND = written(predicates_about(CONTENTS), CONTENTS)


def read_all(files: Files) -> Report | None:
    """Verifies and reads a journal to its last history; None where verifying finds none to verify."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "keys").mkdir()
        for file, raw in files.items():
            (folder / file).write_bytes(raw)
        _or_bad_record(lambda: list(map(_follow, read_records(folder))))
        report: Report | None = _or_bad_record(lambda: verify(folder))
        assert report == _or_bad_record(lambda: verify(folder))
        return report


def _follow(record: Record) -> None:
    """Reads what a record names."""
    told = record.predicate
    if isinstance(told.get("scene"), str):
        _or_bad_record(lambda: record.content(told["scene"]))
    if isinstance(told.get("history"), str):
        _or_bad_record(lambda: record.history(told["history"]))


def _or_bad_record(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except BadRecord:
        return None


def test_the_journal_holds_until_it_is_spoiled() -> None:
    report = read_all(SOUND)
    assert report is not None
    assert (report.problems, report.records) == ([], 4)


@fuzzed(st.data())
def test_no_edit_of_the_files_is_overlooked(data: st.DataObject) -> None:
    whole = {**SOUND, f"{SEGMENT}.head": b"%012d %s\n" % (4, b"0" * 64)}
    name = data.draw(st.sampled_from(sorted(whole)))
    changed = {**whole, name: data.draw(edited(st.just(whole[name])))}
    with watched((name, changed[name])):
        report = read_all(changed)
    is_changed = changed[name].rstrip(b"\n") != whole[name].rstrip(b"\n")
    if name.endswith((".jsonl", ".checkpoint", "register")) and is_changed:
        assert report is None or report.problems


@fuzzed(st.permutations(range(6)), st.sets(st.integers(0, 5), max_size=2), st.sets(st.integers(0, 5), max_size=1))
def test_no_line_moved_dropped_or_doubled_is_overlooked(order: list[int], dropped: set[int], doubled: set[int]) -> None:
    lines = SOUND[f"{SEGMENT}.jsonl"].splitlines(keepends=True)
    changed = [lines[at] for at in order if at not in dropped for _ in range(1 + (at in doubled))]
    with watched(changed):
        report = read_all({**SOUND, f"{SEGMENT}.jsonl": b"".join(changed)})
    assert report is not None
    assert bool(report.problems) == (changed != lines)


def _forged(payload: bytes) -> bytes:
    """An envelope in its one spelling, under a signature that does not verify."""
    return Signer(Ed25519PrivateKey.from_private_bytes(b"f" * 32), SIGNER.key_id).sign(payload)


@st.composite
def strange(draw: st.DrawFn) -> tuple[Predicates, list[bytes]]:
    """Records and contents of nearly the right form, which name one another."""
    junk = st.binary(max_size=9).map(lambda raw: raw.replace(b"\n", b" "))
    contents = [draw(spoiled(st.just(each), ordinary).map(orjson.dumps) | junk) for each in (_NODE, _SCENE)]
    records = [[kind, {**told, "neighbours": [_NEIGHBOUR]}] for kind, told in predicates_about(contents)]
    told = draw(spoiled(st.just(records), ordinary | st.just(_NEIGHBOUR)))
    pairs = [each for each in told if isinstance(each, list) and len(each) == 2] if isinstance(told, list) else []
    return [(kind, predicate) for kind, predicate in pairs if isinstance(kind, str)], contents


@pytest.mark.parametrize("seal", [SIGNER.sign, SIGNER.mac, _forged], ids=["signed", "with a MAC", "forged"])
@fuzzed(told=strange())
def test_a_record_of_another_making_stops_nobody(seal: Seal, told: tuple[Predicates, list[bytes]]) -> None:
    with watched(told):
        read_all(written(*told, seal))
