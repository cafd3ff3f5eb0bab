"""What the text of a shell script does besides its commands: it fills the process table, or unsets the history."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from tree_sitter import Node

from supervisor.evidence.effects.effect import Act, Effect, Part
from supervisor.evidence.effects.services import of_script
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.reading.syntax_trees import walk
from supervisor.evidence.shell import Script
from supervisor.evidence.shell.code import code_of
from supervisor.evidence.shell.syntax import MAX_BYTES, Allowance, parse
from supervisor.evidence.shell.variables import changes_of

_REPEATS = re.compile(r"\(\s*\)\s*[{(]|\bfunction\b[^\n]{0,60}[{(]|\bdone\b")
_ONLY_SOMETIMES = frozenset({"if_statement", "case_statement", "command_substitution", "list"})
_ALWAYS = frozenset({"true", ":", "1", "[ 1 ]", "((1))", "(( 1 ))", "[[ 1 ]]"})
_PAUSES = frozenset({"sleep", "wait", "read", "break", "exit", "return", "usleep", "inotifywait", "nc"})
_HISTORY = {"HISTFILE": ("", "/dev/null", None), "HISTSIZE": ("0",), "HISTFILESIZE": ("0",), "SAVEHIST": ("0",)}
_FORKS = re.compile(
    r"\bfork\b[\s()]{0,8}(?:while|until)\b|\b(?:while|until|for|loop)\b[^;]{0,40}[\s({:](?:os\.|Process\.)?fork\b"
    r"|\bfork\b[^;]{0,20}(?:\|\||&&|;)?\s*redo"
)
_SCRIPTING = ("perl", "ruby", "php")


def may_hold_more(text: str) -> bool:
    """Whether a script may have effects that do not follow from the names of its programs."""
    return "HIST" in text or "fork" in text or "/etc/init.d/" in text or _may_repeat(text)


def _may_repeat(text: str) -> bool:
    return ("&" in text or "|" in text) and len(text) <= MAX_BYTES and _REPEATS.search(text) is not None


def parts_of_texts(read: Script) -> Iterator[Part]:
    """The effects of the text of a script and of the scripts within it."""
    for command in read.commands:
        if command.argv and command.argv[0].startswith("/etc/init.d/"):
            yield Part(frozenset({Act.SERVICE}), partial(of_script, command))
        elif command.program.startswith(_SCRIPTING) and "fork" in (code := code_of(command)):
            yield Part(frozenset({Act.PROCESS}), partial(_forked, code))
    for each in read.texts:
        if _may_repeat(each):
            yield Part(frozenset({Act.PROCESS}), partial(_multiplied, each))
        if "HIST" in each and len(each) <= MAX_BYTES:
            yield Part(frozenset({Act.HISTORY}), partial(_unrecorded, each))


def _forked(code: str) -> Iterator[Effect]:
    if _FORKS.search(code):
        yield _effect(Act.PROCESS, "multiply", "the process table", code)


def _unrecorded(text: str) -> Iterator[Effect]:
    for name, values in _HISTORY.items():
        if any(value in values for value in changes_of(text, name)):
            yield _effect(Act.HISTORY, "stop", name, text)


def _multiplied(text: str) -> Iterator[Effect]:
    """Functions that call themselves, and endless loops of background jobs. Raises Unreadable as `parse` does."""
    source = text.encode("utf-8", "replace")
    for node in walk(parse(source, Allowance())):
        bomb = node.type == "function_definition" and _calls_itself(node, source)
        if bomb or (node.type in ("while_statement", "c_style_for_statement") and _starts_endlessly(node, source)):
            yield _effect(Act.PROCESS, "multiply", "the process table", _text(node, source))


def _effect(act: Act, verb: str, target: str, text: str) -> Effect:
    return Effect(act, target, Place.SYSTEM, verb, text=text[:200])


def _calls_itself(function: Node, source: bytes) -> bool:
    """Whether a function calls itself twice, unconditionally, and without arguments that could end the recursion."""
    named, body = function.child_by_field_name("name"), function.child_by_field_name("body")
    if named is None or body is None:
        return False
    name = _text(named, source)
    calls = [node for node in walk(body) if node.type == "command" and _text(node, source) in (name, f'{name} "$@"')]
    return sum(not _is_conditional(call, body) for call in calls) > 1


def _is_conditional(node: Node, body: Node) -> bool:
    above = node.parent
    while above is not None and above != body:
        if above.type in _ONLY_SOMETIMES:
            return True
        above = above.parent
    return False


def _starts_endlessly(loop: Node, source: bytes) -> bool:
    """Whether a loop without a condition starts a background job each turn and never pauses."""
    condition, body = loop.child_by_field_name("condition"), loop.child_by_field_name("body")
    if body is None or (condition is not None and _text(condition, source).strip(" ;") not in _ALWAYS):
        return False
    names = {_text(node, source) for node in walk(body) if node.type == "command_name"}
    return _PAUSES.isdisjoint(names) and any(node.type == "&" for node in walk(body))


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")[:200]
