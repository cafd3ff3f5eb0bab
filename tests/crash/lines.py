"""Changes of lines, which need no key and no knowledge."""

from __future__ import annotations

import os

from tests.crash.kinds import found
from tests.crash.scene import Scene, is_record, lines_of, write_lines


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
