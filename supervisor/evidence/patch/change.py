"""One change of one file, as a patch tells it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Deed(StrEnum):
    """What a patch does to a file."""

    ADD = "add"
    EDIT = "edit"
    DELETE = "delete"
    MOVE = "move"
    COPY = "copy"
    MODE = "mode"


_OPPOSITES = {Deed.ADD: Deed.DELETE, Deed.DELETE: Deed.ADD, Deed.COPY: Deed.DELETE}


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `path` is the file that it makes, changes or takes away, `source` what is moved or copied there.

    `added` and `removed` are the lines, without their ends, that come and go; `mode` is the file's mode afterwards, in
    octal digits, where the patch tells it, and `old_mode` that before; `is_binary`: it brings bytes that are not shown.
    """

    path: str
    deed: Deed
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    source: str = ""
    mode: str = ""
    old_mode: str = ""
    is_binary: bool = False

    @property
    def before(self) -> str:
        """The lines that go, as a text."""
        return "\n".join(self.removed)

    @property
    def after(self) -> str:
        """The lines that come, as a text."""
        return "\n".join(self.added)

    def reversed(self) -> Change:
        """The change that undoes it."""
        swapped = (self.removed, self.added)
        modes = (self.old_mode, self.mode)
        if self.deed is Deed.MOVE:
            return Change(self.source, Deed.MOVE, *swapped, self.path, *modes, self.is_binary)
        return Change(self.path, _OPPOSITES.get(self.deed, self.deed), *swapped, "", *modes, self.is_binary)
