"""Records of others: of another folder, of another key, of an earlier time."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

from supervisor.history import address_of
from supervisor.records.checkpoint import Checkpoint, write_checkpoint
from supervisor.records.envelope import Signer, read_envelope
from supervisor.records.head import HEAD_BYTES
from supervisor.records.journal import Journal
from supervisor.records.register import Register, write_register
from supervisor.records.seal import seal_of
from supervisor.records.statement import members_of, statement
from tests.crash.kinds import found, found_with_earlier, found_with_key
from tests.crash.scene import Scene, dumped, is_record, lines_of, payload_of, put, trust_the_thief, write_lines


@found
def a_record_of_another_folder_is_appended(scene: Scene) -> None:
    """Signed by the same key."""
    lines = next(raw for name, raw in scene.other.items() if name.endswith(".jsonl")).splitlines(keepends=True)
    with scene.any.open("ab") as file:
        file.write(scene.chance.choice([line for line in lines if is_record(line)]))


@found
def a_segment_of_another_folder_is_added(scene: Scene) -> None:
    """Signed by the same key, whole, with its checkpoint."""
    put(scene.folder, {name: raw for name, raw in scene.other.items() if name not in ("register", "keys")})


@found
def a_segment_of_a_thief_is_added(scene: Scene) -> None:
    _their_own(scene, scene.home / "theirs")
    for path in (scene.home / "theirs").glob("*.*"):
        shutil.copy(path, scene.folder)
    trust_the_thief(scene)


def _their_own(scene: Scene, folder: Path) -> None:
    journal = Journal(folder, scene.thief)
    for number in range(3):
        journal.append("decision", {"id": f"t{number}"}, "0" * 64)
    journal.close()


@found
def the_last_record_is_signed_again_with_another_key(scene: Scene) -> None:
    """Nothing after it commits to it, and its own place in the chain is right."""
    trust_the_thief(scene)
    lines = lines_of(scene.newest)
    payload, _, _ = read_envelope(lines[-1].rstrip(b"\n"))
    lines[-1] = scene.thief.sign(payload.replace(b'"id":"d', b'"id":"e')) + b"\n"
    write_lines(scene.newest, lines)


@found
def a_record_is_appended_with_another_key(scene: Scene) -> None:
    """At its right place in the chain, under a key that is put there."""
    trust_the_thief(scene)
    raw = scene.newest.read_bytes()
    records = sum(map(is_record, raw.splitlines()))
    place = members_of({"sequence": records, "prefix": hashlib.sha256(raw).hexdigest(), "id": "t"})
    with scene.newest.open("ab") as file:
        file.write(scene.thief.sign(statement("decision", "0" * 64, place)) + b"\n")


@found
def an_approval_is_used_twice(scene: Scene) -> None:
    """By the owner's own writer: the records themselves hold."""
    journal = Journal(scene.folder, scene.owner)
    about = {"binding": {"action": "0" * 64}, "over": ["a"]}
    given = {"answer": "approved", "expires": "2099-01-01T00:00:00+00:00", "approval": "x", **about}
    answer = address_of(journal.append("approval", given, "0" * 64))
    used = {"state": "approved", "answer": answer, **about}
    for number in range(2):
        told = {"id": f"u{number}", "time": "2026-01-01T00:00:00+00:00", "approval": used}
        journal.append("decision", told, "0" * 64)
    journal.close()


@found
def the_public_key_is_the_thiefs_under_the_owners_name(scene: Scene) -> None:
    (scene.folder / "keys" / f"{scene.owner.key_id}.pem").write_bytes(scene.thief.public_pem)


@found
def a_segment_is_signed_again_with_another_key(scene: Scene) -> None:
    """All of it, with its checkpoint, under a key that is put there."""
    trust_the_thief(scene)
    _sign_again(scene.folder, scene.any, scene.thief)


def _sign_again(folder: Path, path: Path, signer: Signer) -> None:
    digest, records, anchored = hashlib.sha256(), 0, b""
    for line in lines_of(path):
        fresh = line
        if is_record(line):
            told = payload_of(line)
            told["predicate"]["prefix"] = digest.hexdigest()
            fresh = signer.sign(dumped(told)) + b"\n"
            records += 1
        digest.update(fresh)
        anchored += fresh
    path.write_bytes(anchored)
    is_sealed = not path.with_suffix(".head").exists()
    done = Checkpoint(path.stem, records, len(anchored), digest.hexdigest(), sealed=is_sealed)
    write_checkpoint(folder, done, signer)
    if not is_sealed and len(raw := path.with_suffix(".head").read_bytes()) > HEAD_BYTES:
        path.with_suffix(".head").write_bytes(raw[:HEAD_BYTES] + seal_of(done, signer))


def _sign_all_again(scene: Scene, signer: Signer) -> None:
    """The whole journal, from the first segment on, each header naming what the segments before it became."""
    for path in scene.segments:
        lines = lines_of(path)
        told = payload_of(lines[0])
        for each in told["predicate"]["neighbours"]:
            there = payload_of((scene.folder / f"{each['segment']}.checkpoint").read_bytes())["predicate"]
            each.update({part: there[part] for part in each})
        lines[0] = signer.sign(dumped(told)) + b"\n"
        write_lines(path, lines)
        _sign_again(scene.folder, path, signer)
    names = tuple(path.stem for path in scene.segments)
    write_register(scene.folder, Register(len(names), names), signer, sync=False)


@found_with_key
def everything_is_signed_again_with_another_key(scene: Scene) -> None:
    _sign_all_again(scene, scene.thief)
    shutil.rmtree(scene.folder / "keys")
    (scene.folder / "keys").mkdir()
    trust_the_thief(scene)


@found_with_key
def the_folder_is_replaced_by_a_thiefs(scene: Scene) -> None:
    shutil.rmtree(scene.folder)
    _their_own(scene, scene.folder)


@found_with_earlier
def everything_is_signed_again_with_the_stolen_key(scene: Scene) -> None:
    path = scene.killed
    lines = lines_of(path)
    told = payload_of(lines[-1])
    told["predicate"]["id"] = "another"
    at = next(at for at, line in enumerate(lines) if is_record(line) and at)
    first = payload_of(lines[at])
    first["predicate"]["id"] = "rewritten"
    lines[at] = scene.owner.sign(dumped(first)) + b"\n"
    write_lines(path, lines)
    _sign_all_again(scene, scene.owner)


@found_with_earlier
def the_folder_is_replaced_by_another_of_the_same_key(scene: Scene) -> None:
    shutil.rmtree(scene.folder)
    put(scene.folder, scene.other)


@found_with_earlier
def the_folder_is_set_back_to_an_earlier_copy(scene: Scene) -> None:
    """Of a moment before the report: each file is as its writer left it then."""
    scene.folder.rename(scene.home / "taken away")
    os.mkdir(scene.folder)
    put(scene.folder, scene.earlier)
