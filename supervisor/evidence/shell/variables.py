"""How a script changes a variable, anywhere in its text."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.evidence.reading.syntax_trees import walk
from supervisor.evidence.shell.syntax import Allowance, parse


def sets_or_unsets(text: str, variable: str) -> bool:
    """Whether a script sets or unsets a variable; text that only mentions it does not count.

    Raises Unreadable as `parse` does.
    """
    return any(True for _ in changes_of(text, variable))


def changes_of(text: str, variable: str) -> Iterator[str | None]:
    """The values, as written, to which a script sets a variable; None for each `unset`.

    Raises Unreadable as `parse` does.
    """
    if variable not in text:
        return
    source, name = text.encode("utf-8", "replace"), variable.encode()
    for node in walk(parse(source, Allowance())):
        if node.type != "variable_name" or source[node.start_byte : node.end_byte] != name or node.parent is None:
            continue
        if node.parent.type == "unset_command":
            yield None
        elif node.parent.type == "variable_assignment":
            value = source[node.end_byte : node.parent.end_byte].decode("utf-8", "replace")
            yield value.lstrip("+").removeprefix("=").strip("\"'")
