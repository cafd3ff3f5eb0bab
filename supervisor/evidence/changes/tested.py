"""The test files that an action writes or changes, each with what the session knows of it before."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.changes.configured import written_texts
from supervisor.evidence.changes.rules import from_workspace, is_test

_MOST_FILES = 20
_MOST_TEXT = 256 * 1024  # characters of one file


class TestFile(NamedTuple):
    """`path` is relative to the workspace. `before` is empty for a new file."""

    path: str
    before: str
    after: str


@reader
def tests_written(action: Action, context: Context) -> tuple[TestFile, ...]:
    """The test files of an action, in order. Raises Unreadable if a script cannot be read."""
    if action.kind == "file_write" and not _is_of_tests(action.text("path"), context):
        return ()
    found = (
        TestFile(from_workspace(each.path, context.workspace), each.before or "", each.after)
        for each in islice(written_texts(action, context), _MOST_FILES)
    )
    return tuple(each for each in found if _is_of_tests(each.path, context) and len(each.after) <= _MOST_TEXT)


def _is_of_tests(path: str, context: Context) -> bool:
    local = from_workspace(path, context.workspace)
    return is_test(local) or local.rpartition("/")[2].partition(".")[0].lower() in _PREPARING


# Files that prepare tests, by their names without the ending.
_PREPARING = frozenset(
    {
        "conftest",
        "jest_setup",
        "rails_helper",
        "setuptests",
        "spec_helper",
        "test_helper",
        "vitest_setup",
        "globalsetup",
    }
)
