"""What an action does to the guard, as far as its text alone shows: to the variables, the package and the interfaces of
this program, and to the approvals and hooks of other agents that it starts.

Verbs of Act.GUARD: "disarm" (a variable of ours is set or unset, our package is uninstalled), "steer" (a variable of
our interpreters is exported), "approve" (a pending approval is answered in a person's name), "use" (code does the same
through our package), "operate" (our command line changes something), "unattended" (an agent is started that never asks
for approval), "unguarded" (an agent is started without its hooks), "clock" (the system clock is changed).
`supervisor.evidence.guard` reads what an action does to the places of the running guard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import re2

from supervisor.action import Action, Context
from supervisor.evidence.actions.patched import may_hold_patch
from supervisor.evidence.effects.effect import Act, Effect, Part
from supervisor.evidence.effects.guard import agents, clock, code, own_program, variables
from supervisor.evidence.effects.guard.assets import may_name_asset
from supervisor.evidence.effects.guard.later_files import sort_of
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import Script
from supervisor.evidence.shell.commands import Command

_HOSTS = ("claude", "codex", "gemini", "cursor")
_GUARDS = frozenset({Act.GUARD})
_PACKAGE = "supervisor-guard"
_REMOVES = frozenset({"uninstall", "remove"})
_ROUTES = re.compile(r"/v1/(?:approvals|observe|reload|reverted)\b|/hook/(?:claude|codex|cursor|gemini)\b")
_CLIENTS = frozenset({"curl", "wget", "http", "https", "xh", "httpie"})
_SENDS = ("-d", "--data", "--json", "-X", "--request", "-F", "--form", "--post", "--method", "POST", "--body", "-T")
_MANAGERS = ("pip", "uv", "poetry", "pdm", "conda", "mamba", "micromamba", "python")
_ROOT = ("/v1/approvals", "/v1/observe", "/v1/reload", "/v1/reverted", "/hook/")

PROGRAMS = {**agents.PROGRAMS, **clock.PROGRAMS}
parts_of_module = code.parts_of_module
parts_of_program = code.parts_of_program


# A stash may remove untracked files; the network of loopback leads to the daemon, a user's session runs it.
_CONCERNS = re2.compile(
    r"(?i:supervisor)|nstall-all|loginctl|process_iter|\blo0?\b|127\.0\.0\.1/8|--user (?:exit|isolate)"
    rf"|stash\b[^;&|\n]*\s-(?:u|a|-include-untracked|-all)|{'|'.join(map(re2.escape, (*_HOSTS, *_ROOT)))}"
)


def may_concern_guard(text: str) -> bool:
    """Whether a script may act on the guard, by the words in its text."""
    return _CONCERNS.search(text) is not None or ("--clear" in text and "env" in text) or variables.may_name_any(text)


def names_guard(action: Action, context: Context) -> bool:
    """Whether an argument may name an asset of the guard, by a few searches. A written file's content counts only for
    patches and for files that are run or followed later."""
    path = action.text("path")
    only_path = action.kind.startswith("file_") and not may_hold_patch(action) and sort_of(path) is None
    texts = [path] if only_path else [text for _, text in action.strings()]
    nested = (value for value in action.args.values() if isinstance(value, Mapping))
    if any(str(key) in variables.OWN for value in (action.args, *nested) for key in value):
        return True
    if action.kind == "shell" and _POWERSHELL.search(action.tool):
        return True
    if action.kind == "tool" and (
        _PACKAGE_NAME in action.tool or processes_named(action) or _UNPACKS.search(action.tool) is not None
    ):
        return True
    return any(may_concern_guard(text) or may_name_asset(text, context.facts) for text in texts)


_POWERSHELL = re.compile(r"(?i)(?:^|[^a-z])(?:powershell|pwsh)")  # its cmdlets act on whole folders
_PACKAGE_NAME = "supervisor"
_UNPACKS = re.compile(r"(?i)extract|unpack|unzip|untar")  # may overwrite anything below the target
_ENDS_PROCESS = re.compile(r"kill|terminate|signal|stop_?process", re.IGNORECASE)


def processes_named(action: Action) -> bool:
    """Whether a tool of no known kind ends a process by its PID."""
    return _ENDS_PROCESS.search(action.tool) is not None and "pid" in action.args


def parts_of_action(action: Action, context: Context) -> Iterator[Part]:
    """A part without effects of its own, for `supervisor.evidence.guard`: the action may concern the guard."""
    if names_guard(action, context):
        yield Part(_GUARDS, tuple)


def parts_of_texts(read: Script) -> Iterator[Part]:
    """What a script does to our variables, to our package, and with our command line."""
    if any(map(may_concern_guard, read.texts)):
        yield Part(_GUARDS, partial(variables.effects_of, read))
    for command in read.commands:
        if command.remote:
            continue
        if own_program.words_of(command):
            yield Part(_GUARDS, partial(own_program.parts_of, command))
        if command.program in _CLIENTS and any(_ROUTES.search(word) for word in command.args):
            yield Part(_GUARDS, partial(_sent_to_daemon, command))
        if command.program.startswith(_MANAGERS) and _removes_guard(command.args):
            yield Part(_GUARDS, partial(_uninstalled, command))
        if command.program in agents.WRAPPERS:
            yield Part(_GUARDS, partial(agents.parts_of_wrapper, command))


def _sent_to_daemon(command: Command) -> Iterator[Effect]:
    """A request with a person's answer or a hook's event. A request that only reads is none."""
    if any(word.startswith(_SENDS) for word in command.args):
        yield Effect(Act.GUARD, command.text, Place.SYSTEM, "approve", text=command.text, command=command)


def _uninstalled(command: Command) -> Iterator[Effect]:
    description = f"runs `{command.text}`"
    yield Effect(Act.GUARD, description, Place.SYSTEM, "disarm", text=command.text, content="package", command=command)


def _removes_guard(args: Sequence[str]) -> bool:
    """Whether our package is uninstalled, or replaced by one from a file or a URL."""
    words = {word.lower().replace("_", "-") for word in args}
    replaced = "install" in words and any(_PACKAGE in word and _is_elsewhere(word) for word in words)
    return replaced or (_PACKAGE in words and not words.isdisjoint(_REMOVES))


def _is_elsewhere(word: str) -> bool:
    return word.endswith((".whl", ".tar.gz", ".zip", ".git")) or "://" in word or word.startswith("git+")
