"""Changes of whole files: taken away, renamed, doubled, swapped for what cannot be read."""

from __future__ import annotations

import os
import shutil

from tests.crash.kinds import found, harmless
from tests.crash.scene import Scene, all_of, lines_of, remove, write_lines
from tests.crash.spoiled import flip


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
    flip(path, scene, start, start + 36)


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
