"""What a script does to a variable by name, wherever in the script that stands."""

from __future__ import annotations

from supervisor.evidence.shell.syntax import Allowance, parse
from supervisor.evidence.syntax_trees import walk

_CHANGES = ("variable_assignment", "unset_command")


def sets_or_unsets(text: str, variable: str) -> bool:
    """Whether a script gives a variable a value or takes it away; a text that merely mentions it does not.

    Raises Unreadable as `parse` does.
    """
    if variable not in text:
        return False
    source, name = text.encode("utf-8", "replace"), variable.encode()
    named = (
        node
        for node in walk(parse(source, Allowance()))
        if node.type == "variable_name" and source[node.start_byte : node.end_byte] == name
    )
    return any(node.parent is not None and node.parent.type in _CHANGES for node in named)
