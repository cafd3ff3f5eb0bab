"""Changes by who knows the format: other spellings, other contents, other headers."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from supervisor.history import address_of
from supervisor.records.statement import content_line
from tests.crash.kinds import found
from tests.crash.scene import Scene, dumped, is_record, lines_of, payload_of, remove, write_lines


def _record(scene: Scene, path: Path) -> tuple[list[bytes], int]:
    lines = lines_of(path)
    return lines, scene.chance.choice([at for at, line in enumerate(lines) if is_record(line)])


@found
def a_signature_is_spelled_otherwise(scene: Scene) -> None:
    """The last character of a signature or a MAC in base64 has bits that decode to nothing."""
    path = scene.any
    lines, at = _record(scene, path)
    alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    padding = 2 if b'=="' in lines[at][-8:] else 1  # of 64 bytes, or of 32
    end = lines[at].rindex(b'="') - padding
    twin = alphabet[alphabet.index(lines[at][end]) ^ scene.chance.randrange(1, 4**padding)]
    lines[at] = lines[at][:end] + bytes([twin]) + lines[at][end + 1 :]
    write_lines(path, lines)


@found
def an_envelope_is_spelled_otherwise(scene: Scene) -> None:
    path = scene.any
    lines, at = _record(scene, path)
    told = json.loads(lines[at])
    spelled = [json.dumps(told).encode(), dumped(dict(reversed(told.items()))), dumped({**told, "more": 1})]
    lines[at] = scene.chance.choice(spelled) + b"\n"
    write_lines(path, lines)


@found
def a_second_signature_is_added(scene: Scene) -> None:
    path = scene.any
    lines, at = _record(scene, path)
    told = json.loads(lines[at])
    told["signatures"].append(told["signatures"][0])
    lines[at] = dumped(told) + b"\n"
    write_lines(path, lines)


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
    fresh = dumped({"scene": scene.chance.randrange(1000)})
    lines[at] = content_line(address_of(fresh), fresh)
    write_lines(path, lines)


@found
def content_is_appended(scene: Scene) -> None:
    with scene.any.open("ab") as file:
        file.write(content_line(address_of(b'"new"'), b'"new"'))


def _edit(scene: Scene, path: Path, at: int, edit: Callable[[dict[str, Any]], None]) -> None:
    """Changes what a record says, under the signature that it had."""
    lines = lines_of(path)
    envelope, told = json.loads(lines[at]), payload_of(lines[at])
    edit(told["predicate"])
    envelope["payload"] = base64.b64encode(dumped(told)).decode()
    lines[at] = dumped(envelope) + b"\n"
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
