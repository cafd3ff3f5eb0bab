"""Journals that version 0.1 began. They have no register of segments, and their heads hold a digest.

Their first lines are signed, so that nobody without the key makes a later journal look like one. Whoever removes the
register and every later segment leaves a journal of version 0.1; an earlier report (`verify --since`) tells the two
apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from supervisor.errors import BadRecord
from supervisor.records.envelope import open_envelope
from supervisor.records.keys import published_keys
from supervisor.records.lines import lines_of
from supervisor.records.statement import read_statement

UPGRADED = "upgraded"  # in place of the register's state, in the header of the first segment that has one


def is_header_of_0_1(header: Mapping[str, Any]) -> bool:
    """Whether a segment's header does not name a register."""
    return bool(header) and "register" not in header


def is_journal_of_0_1(folder: Path) -> bool:
    """Whether every segment that has a header was begun by version 0.1, and there is one. Raises OSError."""
    keys, _ = published_keys(folder)
    found = False
    for path in folder.glob("*.jsonl"):
        try:
            for _, line in islice(lines_of(path), 1):
                kind, header = read_statement(open_envelope(line.rstrip(b"\n"), keys))
                if kind != "segment" or not is_header_of_0_1(header):
                    return False
                found = True
        except BadRecord:
            return False
    return found
