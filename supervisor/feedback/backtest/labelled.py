"""What people said of recorded decisions that another version judges otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from supervisor.errors import BadRecord
from supervisor.feedback.backtest.tally import Tally
from supervisor.feedback.standing import standing, word_on_decision
from supervisor.records.labels import KIND, Label, label_of
from supervisor.records.marks import Mark, trusted_keys, verified_after
from supervisor.records.read import records_in
from supervisor.records.verify import segment_paths


def add_labels(tally: Tally, places: Iterable[Path]) -> None:
    """Adds to each change of a signed record what people say of it: `right`, `wrong`, `should_have_been VERDICT` or
    `mixed`. Only labels that verify count; what does not is a problem of the tally."""
    for folder in places:
        wanted = [change for change in tally.changes if change.place.startswith(f"{folder}/")]
        if wanted and (folder / "keys").is_dir():
            said = _said(tally, folder)
            addresses = _addresses(folder, {change.place for change in wanted}) if said else {}
            words = {place: said[address] for place, address in addresses.items() if address in said}
            tally.changes = [replace(each, label=words.get(each.place, each.label)) for each in tally.changes]


def _said(tally: Tally, folder: Path) -> dict[str, str]:
    """What people say together of each labelled decision of a journal."""
    given: dict[str, list[tuple[str, Label]]] = defaultdict(list)
    try:
        keys = trusted_keys(folder)
        for path in segment_paths(folder):
            for record in verified_after(path, keys, Mark()):
                if record.kind == KIND:
                    label = label_of(record.kind, record.predicate)
                    given[label.record].append((record.address, label))
    except (BadRecord, KeyError, TypeError, ValueError) as error:  # any program with the key can write a line
        tally.problem(str(folder), f"labels are left out: {error}")
    return {address: word for address, found in given.items() if (word := _word(standing(found)))}


def _word(found: list[Label]) -> str:
    verdicts = {each.verdict for each in found}
    return f"{word_on_decision(found)} {verdicts.pop() if len(verdicts) == 1 else ''}".strip()


def _addresses(folder: Path, wanted: set[str]) -> dict[str, str]:
    """The addresses of the records at these places."""
    found = {}
    for path in {Path(place.rpartition(":")[0]) for place in wanted}:
        for record in records_in(path):
            if (place := f"{folder}/{record.place}") in wanted:
                found[place] = record.address
    return found
