"""Reads redirections, here-documents and here-strings, and what the grammar nests inside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.shell.commands import Command, Redirect
from supervisor.evidence.shell.expansion import Expansion
from supervisor.evidence.shell.printed import printed
from supervisor.evidence.shell.state import Flow, Opened, Shell, Text


class Attached(NamedTuple):
    """What a redirected statement attaches to its last command."""

    redirects: tuple[Redirect, ...] = ()
    stdin: Flow | None = None
    words: tuple[Text, ...] = ()
    fed: tuple[Command, ...] = ()  # those in `>(…)`, which read what is written


NOTHING = Attached()
_STANDARD = 2  # the last of the standard descriptors


def attachments(nodes: Sequence[Node], shell: Shell, expansion: Expansion) -> tuple[Attached, list[Node], Node | None]:
    """The redirections among nodes; the pipeline stages and the statement that follow `<<EOF` on its line."""
    redirects: list[Redirect] = []
    words: list[Text] = []
    piped: list[Node] = []
    stdin: Flow | None = None
    following: Node | None = None
    number: Node | None = None
    fed: tuple[Command, ...] = ()
    for node in nodes:
        kind = node.type
        if kind == "file_redirect":
            operator = next((child.type for child in node.children if not child.is_named), "")
            descriptor = node.child_by_field_name("descriptor")
            if number is not None and number.end_byte == node.start_byte:
                descriptor = number
                words.pop()
            named = node.children_by_field_name("destination")
            number = named[-1] if named[1:] and shell.text(named[-1]).isdigit() else None  # as the 0 of `> f 0>&1`
            target, *more = expansion.all_words(named, shell) or [Text("")]
            words += more  # the grammar takes words after a target for further targets
            streams = bool(named) and named[0].type == "process_substitution"
            name = shell.text(descriptor) if descriptor else ""
            opened = shell.descriptors.get(target.value) if "&" in operator else None
            if opened is not None:
                operator, target = operator.replace("&", ""), Text(opened.target)
            elif operator == "<&" and target.value.startswith("/"):
                operator = "<"
            flow = opened.flow if opened else Flow(target.sources, printed(target.sources) if streams else None)
            if not streams and (opened is None or opened.target):
                redirects.append(Redirect(operator, target.value, name))
            if name.isdecimal() and int(name[:4]) > _STANDARD:
                shell.descriptors = {**shell.descriptors, name: Opened("" if streams else target.value, flow)}
            elif operator == "<":
                stdin = flow
            elif operator == "<&" or name == "0":
                stdin = Flow()
            elif streams:
                fed += target.sources
        elif kind == "herestring_redirect" and node.named_child_count:
            given = expansion.value(node.named_children[-1], shell)
            stdin = Flow(given.sources, given.value)
        elif kind == "heredoc_redirect":
            heredoc = expansion.heredoc(node, shell)
            stdin = Flow(heredoc.sources, heredoc.value)
            inner, stages, following = attachments(node.children, shell, expansion)
            redirects += inner.redirects
            fed += inner.fed
            words += inner.words
            words += expansion.all_words(node.children_by_field_name("argument"), shell)
            pipelines = [child for child in node.named_children if child.type == "pipeline"]
            piped = pipelines[0].named_children if pipelines else stages
            following = node.child_by_field_name("right") or following
    return Attached(tuple(redirects), stdin, tuple(words), fed), piped, following


def contents_of(node: Node, shell: Shell, expansion: Expansion) -> list[Command]:
    """`$(<file)` is `$(cat file)` (Bash Reference Manual, section 3.5.4); empty for any other substitution."""
    parts = node.named_children
    if node.type != "command_substitution" or [each.type for each in parts] != ["file_redirect"]:
        return []
    files = attachments(parts, shell, expansion)[0].redirects
    text, where = shell.text(node), shell.cwd
    return [Command(("cat", each.target), text, where, wrappers=shell.wrappers, remote=shell.remote) for each in files]
