"""Forged notes: heads, checkpoints, the register."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from supervisor.records.checkpoint import Checkpoint, write_checkpoint
from supervisor.records.envelope import Signer
from supervisor.records.head import HEAD_BYTES
from supervisor.records.register import Register, write_register
from supervisor.records.seal import seal_of
from tests.crash.kinds import found
from tests.crash.scene import Scene, dumped, is_record, lines_of, payload_of, remove, trust_the_thief, write_lines


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
    anchor = payload_of(lines_of(scene.killed)[0])["predicate"]["anchor"]
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
    trust_the_thief(scene)
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
    trust_the_thief(scene)
    remove(scene.newest)
    names = tuple(path.stem for path in scene.segments)
    write_register(scene.folder, Register(len(names), names), scene.thief, sync=False)


@found
def the_register_is_that_of_another_folder(scene: Scene) -> None:
    (scene.folder / "register").write_bytes(scene.other["register"])


@found
def a_checkpoint_stands_for_the_register(scene: Scene) -> None:
    shutil.copy(scene.any.with_suffix(".checkpoint"), scene.folder / "register")


@found
def the_last_records_are_rewritten_with_made_up_macs(scene: Scene) -> None:
    """All since the last signed one, each at its right place in the chain."""
    _rewrite_unsigned(scene, scene.chance.choice([scene.newest, scene.killed]))


@found
def the_last_records_are_rewritten_and_their_seal_removed(scene: Scene) -> None:
    path = scene.chance.choice([scene.newest, scene.killed])
    _rewrite_unsigned(scene, path)
    head = path.with_suffix(".head")
    head.write_bytes(head.read_bytes()[:HEAD_BYTES])


@found
def the_last_records_are_rewritten_and_sealed_as_they_were_earlier(scene: Scene) -> None:
    """With a true seal, of when there was only the first of them."""
    head = scene.newest.with_suffix(".head")
    _rewrite_unsigned(scene, scene.newest)
    head.write_bytes(head.read_bytes()[:HEAD_BYTES] + scene.earlier[head.name][HEAD_BYTES:])


@found
def a_seal_is_that_of_another_segment(scene: Scene) -> None:
    one, other = scene.newest.with_suffix(".head"), scene.killed.with_suffix(".head")
    forged = seal_of(_checkpoint(scene.newest, 1), Signer(scene.thief.key, scene.owner.key_id))
    seal = other.read_bytes()[HEAD_BYTES:] or forged
    one.write_bytes(one.read_bytes()[:HEAD_BYTES] + seal)


def _rewrite_unsigned(scene: Scene, path: Path) -> None:
    """Changes the records behind the last signed one, or the last record if each is signed, and all that follows from
    it. Whoever has not got the signing key has no MAC for them either."""
    forger, lines = Signer(scene.thief.key, scene.owner.key_id), lines_of(path)
    records = [at for at, line in enumerate(lines) if is_record(line)]
    signed = [at for at in records if b'"keyid":"mac:' not in lines[at]]
    for at in [at for at in records if at > signed[-1]] or records[-1:]:
        told = payload_of(lines[at])
        told["predicate"]["id"] = "another"
        told["predicate"]["prefix"] = hashlib.sha256(b"".join(lines[:at])).hexdigest()
        lines[at] = forger.mac(dumped(told)) + b"\n"
    write_lines(path, lines)
