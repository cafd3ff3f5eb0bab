"""One change of one file in a patch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FileOperation(StrEnum):
    """What a patch does to a file."""

    ADD = "add"
    EDIT = "edit"
    DELETE = "delete"
    MOVE = "move"
    COPY = "copy"
    MODE = "mode"


_OPPOSITES = {
    FileOperation.ADD: FileOperation.DELETE,
    FileOperation.DELETE: FileOperation.ADD,
    FileOperation.COPY: FileOperation.DELETE,
}


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `path` is the file that it creates, changes or deletes, `source` the file moved or copied there.

    `added` and `removed` are lines without their ends. `mode` is the file's new mode in octal digits, if the patch has
    it, and `old_mode` the one before. `is_binary`: the patch adds bytes that are not decoded.
    """

    path: str
    operation: FileOperation
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    source: str = ""
    mode: str = ""
    old_mode: str = ""
    is_binary: bool = False

    @property
    def before(self) -> str:
        """The removed lines as a text."""
        return "\n".join(self.removed)

    @property
    def after(self) -> str:
        """The added lines as a text."""
        return "\n".join(self.added)

    def reversed(self) -> Change:
        """The change that undoes it."""
        swapped = (self.removed, self.added)
        modes = (self.old_mode, self.mode)
        if self.operation is FileOperation.MOVE:
            return Change(self.source, FileOperation.MOVE, *swapped, self.path, *modes, self.is_binary)
        return Change(self.path, _OPPOSITES.get(self.operation, self.operation), *swapped, "", *modes, self.is_binary)
