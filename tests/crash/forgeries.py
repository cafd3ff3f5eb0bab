"""Changes by somebody who knows the format: other spellings, forged notes, another key, copies of what was earlier."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from supervisor.history import address_of
from supervisor.records.checkpoint import Checkpoint, write_checkpoint
from supervisor.records.envelope import Signer, read_envelope
from supervisor.records.journal import Journal
from supervisor.records.register import Register, write_register
from supervisor.records.statement import content_line, members_of, statement
from tests.crash.changes import remove
from tests.crash.scene import Scene, is_record, lines_of, put, write_lines

FOUND: dict[str, Callable[[Scene], None]] = {}
TRUSTED: dict[str, Callable[[Scene], None]] = {}
EARLIER: dict[str, Callable[[Scene], None]] = {}


def _among(kinds: dict[str, Callable[[Scene], None]]) -> Callable[[Callable[[Scene], None]], Callable[[Scene], None]]:
    def put_there(change: Callable[[Scene], None]) -> Callable[[Scene], None]:
        kinds[change.__name__.replace("_", " ")] = change
        return change

    return put_there


found, found_with_key, found_with_earlier = _among(FOUND), _among(TRUSTED), _among(EARLIER)


def _record(scene: Scene, path: Path) -> tuple[list[bytes], int]:
    lines = lines_of(path)
    return lines, scene.chance.choice([at for at, line in enumerate(lines) if is_record(line)])


def _trust_the_thief(scene: Scene) -> None:
    (scene.folder / "keys" / f"{scene.thief.key_id}.pem").write_bytes(scene.thief.public_pem)


def _payload(line: bytes) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(read_envelope(line.rstrip(b"\n"))[0])
    return told


def _dumped(told: Any) -> bytes:
    return json.dumps(told, separators=(",", ":")).encode()


# Other spellings


@found
def a_signature_is_spelled_otherwise(scene: Scene) -> None:
    """The last character of a signature in base64 has bits that decode to nothing."""
    path = scene.any
    lines, at = _record(scene, path)
    alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    end = lines[at].rindex(b"==") - 1
    twin = alphabet[alphabet.index(lines[at][end]) ^ scene.chance.randrange(1, 16)]
    lines[at] = lines[at][:end] + bytes([twin]) + lines[at][end + 1 :]
    write_lines(path, lines)


@found
def an_envelope_is_spelled_otherwise(scene: Scene) -> None:
    path = scene.any
    lines, at = _record(scene, path)
    told = json.loads(lines[at])
    spelled = [json.dumps(told).encode(), _dumped(dict(reversed(told.items()))), _dumped({**told, "more": 1})]
    lines[at] = scene.chance.choice(spelled) + b"\n"
    write_lines(path, lines)


@found
def a_second_signature_is_added(scene: Scene) -> None:
    path = scene.any
    lines, at = _record(scene, path)
    told = json.loads(lines[at])
    told["signatures"].append(told["signatures"][0])
    lines[at] = _dumped(told) + b"\n"
    write_lines(path, lines)


# Contents and headers


@found
def content_is_replaced_by_some_of_the_same_length(scene: Scene) -> None:
    path = scene.any
    lines = lines_of(path)
    at = scene.chance.choice([at for at, line in enumerate(lines) if not is_record(line)])
    lines[at] = lines[at][:-12] + b"0123456789}\n"
    write_lines(path, lines)


@found
def content_is_replaced_with_its_address(scene: Scene) -> None:
    path = scene.any
    lines = lines_of(path)
    at = scene.chance.choice([at for at, line in enumerate(lines) if not is_record(line)])
    fresh = _dumped({"scene": scene.chance.randrange(1000)})
    lines[at] = content_line(address_of(fresh), fresh)
    write_lines(path, lines)


@found
def content_is_appended(scene: Scene) -> None:
    with scene.any.open("ab") as file:
        file.write(content_line(address_of(b'"new"'), b'"new"'))


def _edit(scene: Scene, path: Path, at: int, edit: Callable[[dict[str, Any]], None]) -> None:
    """Changes what a record says, under the signature that it had."""
    lines = lines_of(path)
    envelope, told = json.loads(lines[at]), _payload(lines[at])
    edit(told["predicate"])
    envelope["payload"] = base64.b64encode(_dumped(told)).decode()
    lines[at] = _dumped(envelope) + b"\n"
    write_lines(path, lines)


@found
def a_header_is_edited(scene: Scene) -> None:
    _edit(scene, scene.any, 0, lambda header: header.update(started="2001-01-01T00:00:00+00:00"))


@found
def a_neighbour_is_taken_out_of_a_header(scene: Scene) -> None:
    path = scene.chance.choice(scene.segments[1:])
    remove(scene.segments[0])
    _edit(scene, path, 0, lambda header: header["neighbours"].pop(0))


@found
def a_verdict_is_edited(scene: Scene) -> None:
    path = scene.any
    _, at = _record(scene, path)
    _edit(scene, path, at, lambda told: told.update(decision={"verdict": "ok"}))


# Notes: heads, checkpoints, the register


def _cut(scene: Scene, path: Path, least: int = 1) -> int:
    """Cuts records off an open segment; how many are left."""
    lines = lines_of(path)
    ends = [at + 1 for at, line in enumerate(lines) if is_record(line)][least - 1 : -1]
    kept = scene.chance.choice(ends)
    write_lines(path, lines[:kept])
    return sum(map(is_record, lines[:kept]))


@found
def an_open_segment_is_cut_and_its_head_says_so(scene: Scene) -> None:
    left = _cut(scene, scene.newest)
    head = scene.newest.with_suffix(".head")
    head.write_bytes(b"%012d %s" % (left, head.read_bytes()[13:]))


@found
def an_open_segment_is_cut_and_its_head_made_up(scene: Scene) -> None:
    left = _cut(scene, scene.newest)
    scene.newest.with_suffix(".head").write_bytes(b"%012d %s\n" % (left, scene.chance.randbytes(32).hex().encode()))


@found
def an_open_segment_is_cut_and_its_head_worked_out_of_the_last(scene: Scene) -> None:
    """From a token the later ones can be worked out, not the earlier ones: none of them fits."""
    left = _cut(scene, scene.newest)
    head = scene.newest.with_suffix(".head")
    token = bytes.fromhex(head.read_bytes()[13:77].decode())
    for _ in range(scene.chance.randrange(1, 64)):
        token = hashlib.sha256(token).digest()
    head.write_bytes(b"%012d %s\n" % (left, token.hex().encode()))


@found
def an_open_segment_is_cut_and_the_anchor_shown_as_its_head(scene: Scene) -> None:
    left = _cut(scene, scene.killed)
    anchor = _payload(lines_of(scene.killed)[0])["predicate"]["anchor"]
    scene.killed.with_suffix(".head").write_bytes(b"%012d %s\n" % (left, anchor.encode()))


@found
def an_open_segment_is_cut_and_its_head_removed(scene: Scene) -> None:
    _cut(scene, scene.newest)
    scene.newest.with_suffix(".head").unlink()


@found
def an_open_segment_is_cut_and_its_head_emptied(scene: Scene) -> None:
    """As a power cut would leave it."""
    _cut(scene, scene.newest)
    scene.newest.with_suffix(".head").write_bytes(b"")


@found
def an_open_segment_is_cut_and_shows_another_ones_head(scene: Scene) -> None:
    _cut(scene, scene.killed)
    shutil.copy(scene.newest.with_suffix(".head"), scene.killed.with_suffix(".head"))


@found
def a_checkpoint_is_forged_under_the_owners_name(scene: Scene) -> None:
    forger = Signer(scene.thief.key, scene.owner.key_id)
    left = _cut(scene, scene.killed)
    write_checkpoint(scene.folder, _checkpoint(scene.killed, left), forger)


@found
def a_checkpoint_is_forged_with_a_key_that_is_put_there(scene: Scene) -> None:
    _trust_the_thief(scene)
    left = _cut(scene, scene.killed)
    write_checkpoint(scene.folder, _checkpoint(scene.killed, left), scene.thief)
    scene.killed.with_suffix(".head").unlink()


def _checkpoint(path: Path, records: int) -> Checkpoint:
    raw = path.read_bytes()
    return Checkpoint(path.stem, records, len(raw), hashlib.sha256(raw).hexdigest(), sealed=False)


@found
def the_register_is_forged_under_the_owners_name(scene: Scene) -> None:
    remove(scene.newest)
    names = tuple(path.stem for path in scene.segments)
    forger = Signer(scene.thief.key, scene.owner.key_id)
    write_register(scene.folder, Register(len(names), names), forger, sync=False)


@found
def the_register_is_forged_with_a_key_that_is_put_there(scene: Scene) -> None:
    _trust_the_thief(scene)
    remove(scene.newest)
    names = tuple(path.stem for path in scene.segments)
    write_register(scene.folder, Register(len(names), names), scene.thief, sync=False)


@found
def the_register_is_that_of_another_folder(scene: Scene) -> None:
    (scene.folder / "register").write_bytes(scene.other["register"])


@found
def a_checkpoint_stands_for_the_register(scene: Scene) -> None:
    shutil.copy(scene.any.with_suffix(".checkpoint"), scene.folder / "register")


# Records of others


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
    _trust_the_thief(scene)


def _their_own(scene: Scene, folder: Path) -> None:
    journal = Journal(folder, scene.thief)
    for number in range(3):
        journal.append("decision", {"id": f"t{number}"}, "0" * 64)
    journal.close()


@found
def the_last_record_is_signed_again_with_another_key(scene: Scene) -> None:
    """Nothing after it commits to it, and its own place in the chain is right."""
    _trust_the_thief(scene)
    lines = lines_of(scene.newest)
    payload, _, _ = read_envelope(lines[-1].rstrip(b"\n"))
    lines[-1] = scene.thief.seal(payload.replace(b'"id":"d', b'"id":"e')) + b"\n"
    write_lines(scene.newest, lines)


@found
def a_record_is_appended_with_another_key(scene: Scene) -> None:
    """At its right place in the chain, under a key that is put there."""
    _trust_the_thief(scene)
    raw = scene.newest.read_bytes()
    records = sum(map(is_record, raw.splitlines()))
    place = members_of({"sequence": records, "prefix": hashlib.sha256(raw).hexdigest(), "id": "t"})
    with scene.newest.open("ab") as file:
        file.write(scene.thief.seal(statement("decision", "0" * 64, place)) + b"\n")


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
    _trust_the_thief(scene)
    _sign_again(scene.folder, scene.any, scene.thief)


def _sign_again(folder: Path, path: Path, signer: Signer) -> None:
    digest, records, anchored = hashlib.sha256(), 0, b""
    for line in lines_of(path):
        fresh = line
        if is_record(line):
            told = _payload(line)
            told["predicate"]["prefix"] = digest.hexdigest()
            fresh = signer.seal(_dumped(told)) + b"\n"
            records += 1
        digest.update(fresh)
        anchored += fresh
    path.write_bytes(anchored)
    is_sealed = not path.with_suffix(".head").exists()
    done = Checkpoint(path.stem, records, len(anchored), digest.hexdigest(), sealed=is_sealed)
    write_checkpoint(folder, done, signer)


def _sign_all_again(scene: Scene, signer: Signer) -> None:
    """The whole journal, from the first segment on, each header naming what the segments before it became."""
    for path in scene.segments:
        lines = lines_of(path)
        told = _payload(lines[0])
        for each in told["predicate"]["neighbours"]:
            there = _payload((scene.folder / f"{each['segment']}.checkpoint").read_bytes())["predicate"]
            each.update({part: there[part] for part in each})
        lines[0] = signer.seal(_dumped(told)) + b"\n"
        write_lines(path, lines)
        _sign_again(scene.folder, path, signer)
    names = tuple(path.stem for path in scene.segments)
    write_register(scene.folder, Register(len(names), names), signer, sync=False)


@found_with_key
def everything_is_signed_again_with_another_key(scene: Scene) -> None:
    _sign_all_again(scene, scene.thief)
    shutil.rmtree(scene.folder / "keys")
    (scene.folder / "keys").mkdir()
    _trust_the_thief(scene)


@found_with_key
def the_folder_is_replaced_by_a_thiefs(scene: Scene) -> None:
    shutil.rmtree(scene.folder)
    _their_own(scene, scene.folder)


@found_with_earlier
def everything_is_signed_again_with_the_stolen_key(scene: Scene) -> None:
    path = scene.killed
    lines = lines_of(path)
    told = _payload(lines[-1])
    told["predicate"]["id"] = "another"
    at = next(at for at, line in enumerate(lines) if is_record(line) and at)
    first = _payload(lines[at])
    first["predicate"]["id"] = "rewritten"
    lines[at] = scene.owner.seal(_dumped(first)) + b"\n"
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
