"""Changes of bytes, as a bad disk or a careless program makes them."""

from __future__ import annotations

from pathlib import Path

from tests.crash.kinds import found
from tests.crash.scene import Scene, is_record, lines_of


def flip(path: Path, scene: Scene, start: int = 0, end: int | None = None) -> None:
    """Flips one bit of a file, within these bytes."""
    raw = bytearray(path.read_bytes())
    at = scene.chance.randrange(start, end if end is not None else len(raw))
    raw[at] ^= 1 << scene.chance.randrange(8)
    path.write_bytes(raw)


def _span(path: Path, scene: Scene, part: bytes, length: int, *, record: bool = True) -> tuple[int, int]:
    """Where, in one line of a segment, so many bytes after a mark stand."""
    raw, lines = path.read_bytes(), [line for line in lines_of(path) if is_record(line) is record]
    start = raw.index(scene.chance.choice(lines))
    start = raw.index(part, start) + len(part)
    return start, start + length


@found
def a_bit_flips_in_a_payload(scene: Scene) -> None:
    path = scene.any
    flip(path, scene, *_span(path, scene, b'{"payload":"', 300))


@found
def a_bit_flips_in_a_signature(scene: Scene) -> None:
    path = scene.any
    flip(path, scene, *_span(path, scene, b'"sig":"', 88))


@found
def a_bit_flips_in_a_key_id(scene: Scene) -> None:
    path = scene.any
    flip(path, scene, *_span(path, scene, b'"keyid":"', 16))


@found
def a_bit_flips_in_content(scene: Scene) -> None:
    path = scene.any
    flip(path, scene, *_span(path, scene, b'{"sha256":"', 110, record=False))


@found
def a_bit_flips_in_a_newline(scene: Scene) -> None:
    path = scene.any
    raw = path.read_bytes()
    at = scene.chance.choice([at for at, each in enumerate(raw) if each == 10])
    flip(path, scene, at, at + 1)


@found
def a_bit_flips_anywhere_in_a_segment(scene: Scene) -> None:
    flip(scene.any, scene)


@found
def a_bit_flips_in_a_checkpoint(scene: Scene) -> None:
    flip(scene.any.with_suffix(".checkpoint"), scene)


@found
def a_bit_flips_in_the_register(scene: Scene) -> None:
    flip(scene.folder / "register", scene)


@found
def a_bit_flips_in_a_head(scene: Scene) -> None:
    flip(scene.chance.choice([scene.newest, scene.killed]).with_suffix(".head"), scene)


@found
def a_nul_byte_is_added(scene: Scene) -> None:
    path = scene.any
    raw = path.read_bytes()
    at = scene.chance.randrange(len(raw) + 1)
    path.write_bytes(raw[:at] + b"\0" * scene.chance.randrange(1, 5000) + raw[at:])


@found
def newlines_become_crlf(scene: Scene) -> None:
    path = scene.any
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


@found
def garbage_is_appended(scene: Scene) -> None:
    with scene.any.open("ab") as file:
        file.write(scene.chance.randbytes(scene.chance.randrange(1, 300)))


@found
def a_run_of_bytes_becomes_garbage(scene: Scene) -> None:
    path = scene.any
    raw = bytearray(path.read_bytes())
    at, length = scene.chance.randrange(len(raw) - 40), scene.chance.randrange(8, 40)
    raw[at : at + length] = scene.chance.randbytes(length)
    path.write_bytes(raw)
