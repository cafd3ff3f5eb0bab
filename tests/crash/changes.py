"""Changes that need no key and no knowledge: of lines, of bytes, of files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from supervisor.records.lines import MAX_LINE
from tests.crash.scene import Scene, is_record, lines_of, write_lines

FOUND: dict[str, Callable[[Scene], None]] = {}
HARMLESS: dict[str, Callable[[Scene], None]] = {}


def found(change: Callable[[Scene], None]) -> Callable[[Scene], None]:
    """Puts a change among those that `verify` finds alone."""
    FOUND[change.__name__.replace("_", " ")] = change
    return change


def harmless(change: Callable[[Scene], None]) -> Callable[[Scene], None]:
    """Puts a change among those that are no problem."""
    HARMLESS[change.__name__.replace("_", " ")] = change
    return change


# Lines


@found
def a_line_is_dropped(scene: Scene) -> None:
    path = scene.any
    lines = lines_of(path)
    del lines[scene.chance.randrange(len(lines))]
    write_lines(path, lines)


@found
def two_neighbouring_lines_are_swapped(scene: Scene) -> None:
    path = scene.any
    lines = lines_of(path)
    at = scene.chance.randrange(len(lines) - 1)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    write_lines(path, lines)


@found
def two_distant_lines_are_swapped(scene: Scene) -> None:
    path = scene.killed
    lines = lines_of(path)
    one, other = scene.chance.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    write_lines(path, lines)


@found
def a_line_is_doubled(scene: Scene) -> None:
    path = scene.any
    lines = lines_of(path)
    at = scene.chance.randrange(len(lines))
    lines.insert(at, lines[at])
    write_lines(path, lines)


@found
def the_beginning_is_cut_off(scene: Scene) -> None:
    path = scene.any
    lines = lines_of(path)
    write_lines(path, lines[scene.chance.randrange(1, len(lines)) :])


@found
def the_end_of_a_sealed_segment_is_cut_off(scene: Scene) -> None:
    path = scene.sealed
    lines = lines_of(path)
    write_lines(path, lines[: scene.chance.randrange(len(lines))])


@found
def the_end_of_an_open_segment_is_cut_off_after_its_checkpoint(scene: Scene) -> None:
    path = scene.newest
    lines = lines_of(path)
    write_lines(path, lines[: scene.chance.randrange(1, len(lines))])


@found
def the_end_of_an_open_segment_is_cut_off_before_its_checkpoint(scene: Scene) -> None:
    lines = lines_of(scene.killed)
    write_lines(scene.killed, lines[: scene.chance.randrange(1, 60)])


@found
def the_end_is_cut_off_within_a_line(scene: Scene) -> None:
    path = scene.any
    raw = path.read_bytes()
    os.truncate(path, len(raw) - scene.chance.randrange(1, 400))


@found
def a_line_moves_to_another_segment(scene: Scene) -> None:
    one, other = scene.chance.sample(scene.segments, 2)
    lines, others = lines_of(one), lines_of(other)
    others.insert(scene.chance.randrange(len(others) + 1), lines.pop(scene.chance.randrange(len(lines))))
    write_lines(one, lines)
    write_lines(other, others)


@found
def lines_of_two_segments_are_exchanged(scene: Scene) -> None:
    one, other = scene.chance.sample(scene.segments, 2)
    lines, others = lines_of(one), lines_of(other)
    at, there = scene.chance.randrange(len(lines)), scene.chance.randrange(len(others))
    lines[at], others[there] = others[there], lines[at]
    write_lines(one, lines)
    write_lines(other, others)


@found
def a_copy_of_an_old_record_is_appended(scene: Scene) -> None:
    line = scene.chance.choice([line for line in lines_of(scene.any) if is_record(line)])
    with scene.any.open("ab") as file:
        file.write(line)


@found
def a_blank_line_is_added(scene: Scene) -> None:
    path = scene.any
    lines = lines_of(path)
    lines.insert(scene.chance.randrange(len(lines) + 1), b"\n")
    write_lines(path, lines)


# Bytes


def _flip(path: Path, scene: Scene, start: int = 0, end: int | None = None) -> None:
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
    _flip(path, scene, *_span(path, scene, b'{"payload":"', 300))


@found
def a_bit_flips_in_a_signature(scene: Scene) -> None:
    path = scene.any
    _flip(path, scene, *_span(path, scene, b'"sig":"', 88))


@found
def a_bit_flips_in_a_key_id(scene: Scene) -> None:
    path = scene.any
    _flip(path, scene, *_span(path, scene, b'"keyid":"', 16))


@found
def a_bit_flips_in_content(scene: Scene) -> None:
    path = scene.any
    _flip(path, scene, *_span(path, scene, b'{"sha256":"', 110, record=False))


@found
def a_bit_flips_in_a_newline(scene: Scene) -> None:
    path = scene.any
    raw = path.read_bytes()
    at = scene.chance.choice([at for at, each in enumerate(raw) if each == 10])
    _flip(path, scene, at, at + 1)


@found
def a_bit_flips_anywhere_in_a_segment(scene: Scene) -> None:
    _flip(scene.any, scene)


@found
def a_bit_flips_in_a_checkpoint(scene: Scene) -> None:
    _flip(scene.any.with_suffix(".checkpoint"), scene)


@found
def a_bit_flips_in_the_register(scene: Scene) -> None:
    _flip(scene.folder / "register", scene)


@found
def a_bit_flips_in_a_head(scene: Scene) -> None:
    _flip(scene.chance.choice([scene.newest, scene.killed]).with_suffix(".head"), scene)


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


# Files


def all_of(path: Path) -> list[Path]:
    """A segment with what stands beside it."""
    return [each for each in (path, *map(path.with_suffix, (".checkpoint", ".head"))) if os.path.lexists(each)]


def remove(path: Path) -> None:
    """Takes a segment away, with all that stands beside it."""
    for each in all_of(path):
        each.unlink()


@found
def the_oldest_segment_is_removed(scene: Scene) -> None:
    remove(scene.segments[0])


@found
def a_segment_in_the_middle_is_removed(scene: Scene) -> None:
    remove(scene.chance.choice(scene.segments[1:-1]))


@found
def the_newest_segment_is_removed(scene: Scene) -> None:
    remove(scene.newest)


@found
def the_newest_segments_are_removed(scene: Scene) -> None:
    for path in scene.segments[-scene.chance.randrange(2, 5) :]:
        remove(path)


@found
def the_newest_segment_is_removed_with_the_register(scene: Scene) -> None:
    remove(scene.newest)
    (scene.folder / "register").unlink()


@found
def all_segments_are_removed(scene: Scene) -> None:
    for path in scene.segments:
        remove(path)


@found
def a_segment_is_removed_alone(scene: Scene) -> None:
    scene.any.unlink()


@found
def a_segment_is_emptied(scene: Scene) -> None:
    scene.any.write_bytes(b"")


@found
def the_newest_segment_is_cut_to_its_header_and_stripped(scene: Scene) -> None:
    """As if its writer had been killed as it began."""
    path = scene.newest
    write_lines(path, lines_of(path)[:1])
    path.with_suffix(".checkpoint").unlink()
    path.with_suffix(".head").unlink()


@found
def a_segment_is_renamed(scene: Scene) -> None:
    path = scene.any
    for each in all_of(path):
        each.rename(scene.folder / f"20990101T000000.000000-1-abcdef{each.suffix}")


@found
def a_segment_is_doubled_under_another_name(scene: Scene) -> None:
    path = scene.any
    for each in all_of(path):
        shutil.copy(each, scene.folder / f"20990101T000000.000000-1-abcdef{each.suffix}")


@found
def two_segments_change_names(scene: Scene) -> None:
    one, other = scene.chance.sample(scene.segments, 2)
    aside = scene.home / "aside"
    one.rename(aside)
    other.rename(one)
    aside.rename(other)


@found
def a_checkpoint_is_removed(scene: Scene) -> None:
    scene.any.with_suffix(".checkpoint").unlink()


@found
def a_checkpoint_is_that_of_another_segment(scene: Scene) -> None:
    one, other = scene.chance.sample(scene.segments, 2)
    shutil.copy(one.with_suffix(".checkpoint"), other.with_suffix(".checkpoint"))


@found
def a_head_is_removed(scene: Scene) -> None:
    scene.chance.choice([scene.newest, scene.killed]).with_suffix(".head").unlink()


@found
def a_head_is_emptied(scene: Scene) -> None:
    scene.chance.choice([scene.newest, scene.killed]).with_suffix(".head").write_bytes(b"")


@found
def the_register_is_removed(scene: Scene) -> None:
    (scene.folder / "register").unlink()


@found
def the_keys_are_removed(scene: Scene) -> None:
    shutil.rmtree(scene.folder / "keys")


@found
def a_key_is_changed_by_a_bit(scene: Scene) -> None:
    """Within what the key says: in the words around it, nothing is read."""
    (path,) = (scene.folder / "keys").iterdir()
    start = path.read_bytes().index(b"\n") + 20
    _flip(path, scene, start, start + 36)


@found
def a_segment_becomes_a_link(scene: Scene) -> None:
    """To what it was: what is read now may be another thing tomorrow."""
    path = scene.any
    path.rename(scene.home / "elsewhere")
    path.symlink_to(scene.home / "elsewhere")


@found
def a_file_becomes_a_pipe(scene: Scene) -> None:
    path = scene.chance.choice([*all_of(scene.any), scene.folder / "register", *(scene.folder / "keys").iterdir()])
    path.unlink()
    os.mkfifo(path)


@found
def a_file_becomes_a_folder(scene: Scene) -> None:
    path = scene.chance.choice([*all_of(scene.any), scene.folder / "register", *(scene.folder / "keys").iterdir()])
    path.unlink()
    path.mkdir()


@found
def a_segment_becomes_larger_than_memory(scene: Scene) -> None:
    """A hole, which takes no room on the disk: reading ends where no line can be as long."""
    os.truncate(scene.any, 10 * 1024**3)


@found
def a_file_beside_becomes_larger_than_memory(scene: Scene) -> None:
    os.truncate(scene.chance.choice([*all_of(scene.newest)[1:], scene.folder / "register"]), 10 * 1024**3)


@found
def bogus_checkpoints_hide_three_dropped_segments(scene: Scene) -> None:
    for path in scene.chance.sample(scene.segments, 3):
        remove(path)
    for number in range(20):
        (scene.folder / f"2099{number:04}T000000.000000-1-abcdef.checkpoint").write_bytes(scene.chance.randbytes(300))


@found
def replayed_checkpoints_hide_dropped_segments(scene: Scene) -> None:
    """True ones, under newer names."""
    raw = scene.any.with_suffix(".checkpoint").read_bytes()
    remove(scene.newest)
    for number in range(20):
        (scene.folder / f"2099{number:04}T000000.000000-1-abcdef.checkpoint").write_bytes(raw)


@found
def bogus_segments_fill_up_the_count(scene: Scene) -> None:
    """As many as are dropped."""
    path = scene.any
    remove(path)
    path.with_name("20990101T000000.000000-1-abcdef.jsonl").write_bytes(scene.newest.read_bytes())


@found
def junk_lies_among_the_keys(scene: Scene) -> None:
    (scene.folder / "keys" / "0123456789abcdef.pem").write_bytes(scene.chance.randbytes(200))


@found
def a_file_of_a_name_that_is_no_text_is_added(scene: Scene) -> None:
    name = os.fsencode(scene.folder) + b"/\xff\xfe\x1b[31m" + scene.chance.choice([b".jsonl", b".checkpoint", b".head"])
    with open(name, "wb") as file:
        file.write(scene.chance.randbytes(100))


@harmless
def nothing_is_changed(scene: Scene) -> None:
    assert scene.folder.is_dir()


@harmless
def other_files_are_added(scene: Scene) -> None:
    (scene.folder / "README.txt").write_bytes(scene.chance.randbytes(100))
    (scene.folder / f"{scene.newest.stem}.checkpoint.1.abcdef01.tmp").write_bytes(b"half of a checkpoi")
    (scene.folder / "aside.jsonl.bak").mkdir()


@harmless
def a_writer_was_killed_as_it_began(scene: Scene) -> None:
    begun = scene.folder / "20990101T000000.000000-1-abcdef.head"
    begun.write_bytes(b"")
    if scene.chance.random() < 0.5:
        begun.with_suffix(".jsonl").write_bytes(b"")


@harmless
def times_and_modes_are_changed(scene: Scene) -> None:
    for path in scene.folder.glob("*.*"):
        os.utime(path, (scene.chance.randrange(2**31), scene.chance.randrange(2**31)))
        path.chmod(0o640)


@harmless
def the_folder_is_moved(scene: Scene) -> None:
    scene.folder.rename(scene.home / "moved")
    scene.folder = scene.home / "moved"


assert MAX_LINE < 10 * 1024**3
