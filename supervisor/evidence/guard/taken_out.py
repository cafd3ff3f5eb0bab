"""The guard removed from what starts an agent or its tools: its middleware from code, `supervisor mcp` from a list of
servers, `supervisor verify` from a pipeline.

The old text names the guard and the new one does not. A task that asks for the removal permits it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import run_by
from supervisor.evidence.effects.guard.assets import Assets
from supervisor.evidence.effects.guard.code import REPLACED
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.history.file_texts import text_of_file
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import shown

# Runs of our program, imports and uses of our package, and the names of our adapters.
_GUARD = re.compile(
    r"(?<![\w./-])supervisor[\"',\s]{1,8}(?:mcp|verify|serve|hook|check|replay|doctor|coverage)\b"
    r"|[\"'](?:command|cmd|program)[\"']\s*:\s*[\"'](?:[^\"'\n]*/)?supervisor[\"']"
    r"|\bfrom\s+supervisor(?:\.\w+)*\s+import\b|^\s*[-+]?\s*import\s+supervisor\b|\bsupervisor_(?:middleware|guard|hook|mcp|wrap\w*|tools?)\b"
    r"|(?<![\w./-])supervisor\.(?:guard|Guard|Supervisor|check|wrap\w*|adapters|Session|session|middleware)\b"
    r"|@(?:supervisor\.)?guard(?:ed)?\b(?!/)",
    re.MULTILINE,
)
_FOR_PEOPLE = re.compile(r"\.(?:md|markdown|rst|txt|adoc|html?|lock|csv|po)$", re.IGNORECASE)
# A task that asks for the removal; "add a line to the guarded bot" does not.
_TASK_ASKS = re.compile(
    r"\b(?:remov|drop|delet|uninstall|unwrap|without|replac|migrat|get rid|take out|strip|rip out"
    r"|move|refactor|rewrit|renam"
    r"|entfern|quita|elimin|supprim|poista|fjern)\w*[^.]{0,60}(?:supervisor|guard|middleware)",
    re.IGNORECASE,
)
_FILE = re.compile(r"^\*\*\* (?:Update|Delete) File: (.+)$|^\+\+\+ (?:b/)?(.+)$", re.MULTILINE)
_LINES = {"-": re.compile(r"^-(?!--)(.*)$", re.MULTILINE), "+": re.compile(r"^\+(?!\+\+)(.*)$", re.MULTILINE)}
_IN_PLACE = re.compile(r"-[a-zA-Z]*i.*|--in-place.*")
_SCRIPT = re.compile(r"s([/|#,@!])(?P<old>.*?supervisor.*?)\1(?P<new>.*?)\1|/[^/]*supervisor[^/]*/d")
_TESTS = re.compile(r"(?:^|/)(?:tests?|__tests__|spec|fixtures?)/|(?:^|/)(?:test_|conftest)|[._](?:test|spec)\.\w+$")
# Settings with which the guard lets an action run that it cannot judge.
_FAILS_OPEN = re.compile(
    r"^\s*(?:-\s+|export\s+|ENV\s+)?[\"']?SUPERVISOR_ON_FAILURE[\"']?\s*[:=]\s*[\"']?(?:ok|flag)\b|(?<![\w.])on_failure\s*=\s*[\"'](?:ok|flag)[\"']",
    re.MULTILINE,
)
_LONGEST = 256 * 1024


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """The files from which an action removes the guard. Raises Unreadable as `script` does."""
    if _TASK_ASKS.search((context.task or "")[:_LONGEST]):
        return
    for path, before, after in _changes(action, context):
        if _FOR_PEOPLE.search(path) or _TESTS.search(path):
            continue
        if _lost(before, after):
            yield Disarming(How.REMOVED, f"takes the guard out of {shown(path)}", path)
        elif (found := _fails_open(after)) and not _fails_open(before):
            yield Disarming(How.REMOVED, f"has the guard allow what it cannot judge, in {shown(path)}", found[0])
        elif "supervisor" in after and path.endswith(".py") and (found := REPLACED.search(after)):
            yield Disarming(How.REMOVED, f"puts something else in the guard's place in {shown(path)}", found[0].strip())


def _fails_open(text: str) -> re.Match[str] | None:
    return _FAILS_OPEN.search(text) if "on_failure" in text or "SUPERVISOR_ON_FAILURE" in text else None


def _lost(before: str, after: str) -> bool:
    """Whether the new text names the guard less often."""
    if "supervisor" not in before and "@guard" not in before:
        return False
    return len(_GUARD.findall(before[:_LONGEST])) > len(_GUARD.findall(after[:_LONGEST]))


def _changes(action: Action, context: Context) -> Iterator[tuple[str, str, str]]:
    """Files, each with its old text and its new text, whole or the changed part."""
    if action.kind == "file_edit":
        path = action.text("path")
        patches = [
            text for _, text in action.strings() if text.startswith("*** Begin Patch") or "\n@@ " in text[:2_000]
        ]
        for text in patches:
            named = _FILE.search(text)
            taken, put = ("\n".join(_LINES[mark].findall(text)) for mark in "-+")
            yield (named[1] or named[2]) if named else path, taken, put
        if not patches and action.text("old"):
            yield path, action.text("old"), action.text("new")
    elif action.kind == "file_write":
        path = action.text("path")
        before = text_of_file(context, resolve(path, context.cwd or "."))
        yield path, before or "", action.text("content")
    elif action.kind == "shell":
        for command in run_by(action, context).named("sed", "gsed", "perl"):
            if not command.remote and any(map(_IN_PLACE.fullmatch, command.args)):
                for word in command.args:
                    for found in _SCRIPT.finditer(word):
                        yield (
                            command.operands()[-1:][0] if command.operands() else "",
                            _plain(found["old"] or found[0]),
                            found["new"] or "",
                        )


def _plain(pattern: str) -> str:
    """A text that a sed pattern matches; a bare `supervisor` becomes `supervisor mcp`."""
    text = re.sub(r"\\(.)", r"\1", pattern.removeprefix("/").removesuffix("/d"))
    return text if _GUARD.search(text) else text.replace("supervisor", "supervisor mcp", 1)
