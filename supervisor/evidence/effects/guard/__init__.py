"""What an action does to whatever supervises the agent, as far as its text alone tells: to the variables, the package
and the interfaces of this program, and to the questions that other agents would ask before they act.

Verbs of Act.GUARD: "disarm" (a variable of ours is set or unset, our package is uninstalled), "steer" (a variable of
our interpreters is exported), "approve" (a question is answered that was put to a person), "use" (code does that or
the like by means of our package), "operate" (our command line changes something), "unattended" (an agent is started
that asks nobody), "unguarded" (one that runs without its hooks). What is done to the places of a running guard is read
in `supervisor.evidence.guard`, which knows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

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
_LOOPED = re.compile(
    r"\blo0?\b|127\.0\.0\.1/8|--user (?:exit|isolate)"
)  # by which hooks reach a daemon, and its session
_GUARDS = frozenset({Act.GUARD})
_PACKAGE = "supervisor-guard"
_REMOVES = frozenset({"uninstall", "remove"})
_ROUTES = re.compile(r"/v1/(?:approvals|observe|reverted)\b|/hook/(?:claude|codex|cursor|gemini)\b")
_CLIENTS = frozenset({"curl", "wget", "http", "https", "xh", "httpie"})
_SENDS = ("-d", "--data", "--json", "-X", "--request", "-F", "--form", "--post", "--method", "POST", "--body", "-T")
_MANAGERS = ("pip", "uv", "poetry", "pdm", "conda", "mamba", "micromamba", "python")
_ROOT = ("/v1/approvals", "/v1/observe", "/v1/reverted", "/hook/")

PROGRAMS = {**agents.PROGRAMS, **clock.PROGRAMS}
parts_of_module = code.parts_of_module
parts_of_program = code.parts_of_program


_STASHES = re.compile(r"stash\b[^;&|\n]*\s-(?:u|a|-include-untracked|-all)")  # takes files that git does not track


def may_concern_guard(text: str) -> bool:
    """Whether a script may do something to what supervises, whatever its programs are called."""
    if (
        "supervisor" in text.lower()
        or "nstall-all" in text
        or _STASHES.search(text) is not None
        or "loginctl" in text
        or ("--clear" in text and "env" in text)
        or "process_iter" in text
        or _LOOPED.search(text) is not None
        or any(host in text for host in _HOSTS)
    ):
        return True
    return any(route in text for route in _ROOT) or variables.may_name_any(text)


def names_guard(action: Action, context: Context) -> bool:
    """Whether an argument names what belongs to the guard, as far as bounded work tells; what files hold does not
    count, but a patch names its files in its text."""
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


_POWERSHELL = re.compile(r"(?i)(?:^|[^a-z])(?:powershell|pwsh)")  # whose paths stand for what lies below them
_PACKAGE_NAME = "supervisor"
_UNPACKS = re.compile(r"(?i)extract|unpack|unzip|untar")  # over whatever stands below
_ENDS_PROCESS = re.compile(r"kill|terminate|signal|stop_?process", re.IGNORECASE)


def processes_named(action: Action) -> bool:
    """Whether a tool that no kind fits ends a process by its number."""
    return _ENDS_PROCESS.search(action.tool) is not None and "pid" in action.args


def parts_of_action(action: Action, context: Context) -> Iterator[Part]:
    """That an action may do something to the guard, which those who know its places have to look at."""
    if names_guard(action, context):
        yield Part(_GUARDS, tuple)


def parts_of_texts(read: Script) -> Iterator[Part]:
    """What a script does to our variables, wherever in it that stands, to our package and by our command line."""
    if any(map(may_concern_guard, read.texts)):
        yield Part(_GUARDS, partial(variables.effects_of, read))
    for command in read.commands:
        if command.remote:
            continue
        if own_program.words_of(command):
            yield Part(_GUARDS, partial(own_program.parts_of, command))
        if command.program in _CLIENTS and any(_ROUTES.search(word) for word in command.args):
            yield Part(_GUARDS, partial(_told, command))
        if command.program.startswith(_MANAGERS) and _removes_guard(command.args):
            yield Part(_GUARDS, partial(_uninstalled, command))
        if command.program in agents.WRAPPERS:
            yield Part(_GUARDS, partial(agents.parts_of_wrapper, command))


def _told(command: Command) -> Iterator[Effect]:
    """A request by which a person answers, or a hook tells what happened; a look at what waits is none."""
    if any(word.startswith(_SENDS) for word in command.args):
        yield Effect(Act.GUARD, command.text, Place.SYSTEM, "approve", text=command.text, command=command)


def _uninstalled(command: Command) -> Iterator[Effect]:
    told = f"runs `{command.text}`"
    yield Effect(Act.GUARD, told, Place.SYSTEM, "disarm", text=command.text, content="package", command=command)


def _removes_guard(args: Sequence[str]) -> bool:
    """Whether our package is taken out, or another put in its place from a file or an address."""
    words = {word.lower().replace("_", "-") for word in args}
    replaced = "install" in words and any(_PACKAGE in word and _is_elsewhere(word) for word in words)
    return replaced or (_PACKAGE in words and not words.isdisjoint(_REMOVES))


def _is_elsewhere(word: str) -> bool:
    return word.endswith((".whl", ".tar.gz", ".zip", ".git")) or "://" in word or word.startswith("git+")
