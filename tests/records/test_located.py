"""One record is found by its address, and verified where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from supervisor.errors import BadRecord
from supervisor.records.located import located
from supervisor.records.parts import parts_of
from tests.feedback.journals import Machine, at


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_record_is_found_with_its_contents(machine: Machine) -> None:
    records = [machine.decide(f"touch {number}", minute=number) for number in range(5)]
    machine.journal.close()
    records += [machine.decide(f"touch {number}", minute=number, agent="other") for number in range(5, 8)]
    for number, record in enumerate(records):
        found = located(machine.records, record, at(number))
        assert found is not None
        assert (found.problem, found.key_id) == ("", machine.signer.key_id)
        assert found.record.predicate["action"]["args"] == {"command": f"touch {number}"}
        assert parts_of(found.record).agent == ("builder" if number < 5 else "other")
    assert located(machine.records, "f" * 64, at(0)) is None


def test_what_was_changed_before_it_is_seen_and_what_was_behind_it_is_not(machine: Machine) -> None:
    records = [machine.decide(f"touch {number}", minute=number) for number in range(3)]
    (path,) = machine.records.glob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    place = [number for number, line in enumerate(lines) if line.startswith(b'{"payload"')][2]  # the second decision
    path.write_bytes(b"".join([*lines[:place], *lines[place + 1 :]]))
    found = [located(machine.records, record, at(number)) for number, record in enumerate(records)]
    assert found[0] is not None
    assert found[0].problem == ""
    assert found[1] is None
    assert found[2] is not None
    assert "something before it was changed" in found[2].problem


def test_a_record_of_another_key_does_not_verify(machine: Machine, tmp_path: Path) -> None:
    machine.decide()
    other = Machine(tmp_path / "other")
    record = other.decide()
    (path,) = other.records.glob("*.jsonl")
    (machine.records / path.name).write_bytes(path.read_bytes())
    found = located(machine.records, record, at(0))
    assert found is not None
    assert "unknown key" in found.problem


def test_without_a_journal_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadRecord):
        located(tmp_path / "none", "f" * 64, at(0))
