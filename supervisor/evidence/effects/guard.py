"""What an action does to whatever supervises the agent: to the variables and the package of this program, and to the
questions that other agents would ask before they act.

Verbs of Act.GUARD: "disarm" (its variable is set or unset, its package is uninstalled), "approve" (a question is
answered that was put to a person), "unattended" (an agent is started that asks nobody).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial

from supervisor.evidence.effects.effect import Act, Effect, Ground, Part, Reading
from supervisor.evidence.paths import Place
from supervisor.evidence.shell import Script
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.variables import sets_or_unsets

VARIABLE = "SUPERVISOR_POLICY"
_GUARDS = frozenset({Act.GUARD})
_PACKAGE = "supervisor-guard"
_REMOVES = frozenset({"uninstall", "remove"})
_PROGRAM, _APPROVE = "supervisor", "approve"
_ROUTE = "/v1/approvals"
_CLIENTS = frozenset({"curl", "wget", "http", "https", "xh", "httpie"})
_SENDS = ("-d", "--data", "--json", "-X", "--request", "-F", "--form", "--post", "--method", "POST")
_MANAGERS = ("pip", "uv", "poetry", "pdm", "conda", "mamba", "micromamba", "python")


def may_concern_guard(text: str) -> bool:
    """Whether a script may do something to what supervises, whatever its programs are called."""
    if _ROUTE in text or (_APPROVE in text and _PROGRAM in text):
        return True
    return VARIABLE in text or _PACKAGE in text.lower().replace("_", "-")


def parts_of_texts(read: Script) -> Iterator[Part]:
    """What a script does to the variable that names the policy, wherever in it that stands, and to the package."""
    for text in read.texts:
        if VARIABLE in text:
            yield Part(_GUARDS, partial(_by_variable, text))
    for command in read.commands:
        if VARIABLE in command.text and not command.remote:
            yield Part(_GUARDS, partial(_overridden, command))
        if not command.remote and _approves(command):
            yield Part(_GUARDS, partial(_approved, command))
        if command.program.startswith(_MANAGERS) and not command.remote and _removes_guard(command.args):
            yield Part(_GUARDS, partial(_uninstalled, command))


def _by_variable(text: str) -> Iterator[Effect]:
    if sets_or_unsets(text, VARIABLE):
        yield Effect(Act.GUARD, f"sets or unsets {VARIABLE}", Place.SYSTEM, "disarm", text=text[:200])


def _overridden(command: Command) -> Iterator[Effect]:
    """`env SUPERVISOR_POLICY=… program`, `sudo SUPERVISOR_POLICY=…`, `env -u SUPERVISOR_POLICY`."""
    if command.program in ("env", "sudo", "doas") and any(_names(word) for word in command.args):
        yield _disarmed(command, f"sets {VARIABLE} for `{command.text}`")


def _uninstalled(command: Command) -> Iterator[Effect]:
    yield _disarmed(command, f"runs `{command.text}`")


def _approved(command: Command) -> Iterator[Effect]:
    yield Effect(Act.GUARD, command.text, Place.SYSTEM, "approve", text=command.text, command=command)


def _approves(command: Command) -> bool:
    """`supervisor approve`, `python -m supervisor approve`, `uvx … supervisor approve`, a request to the daemon."""
    if command.program in _CLIENTS:
        return any(_ROUTE in word for word in command.args) and any(word.startswith(_SENDS) for word in command.args)
    if command.program != _PROGRAM and not command.program.startswith((*_MANAGERS, *_RUNNERS)):
        return False
    words = (command.program, *command.args)
    asks_how = words[-1] in ("--help", "-h") and words[-2] == _APPROVE
    return not asks_how and any(_names_program(one) and two == _APPROVE for one, two in itertools.pairwise(words))


def _names_program(word: str) -> bool:
    return word.rpartition("/")[2] == _PROGRAM


def _removes_guard(args: Sequence[str]) -> bool:
    words = {word.lower().replace("_", "-") for word in args}
    return _PACKAGE in words and not words.isdisjoint(_REMOVES)


def _names(word: str) -> bool:
    return word.startswith(f"{VARIABLE}=") or word.endswith(VARIABLE)


def _disarmed(command: Command, what: str) -> Effect:
    return Effect(Act.GUARD, what, Place.SYSTEM, "disarm", text=command.text, command=command)


# Other agents

# The options with which an agent acts without asking, by program; a value behind `=` is the only one that does so.
_UNATTENDED = {
    "claude": "--dangerously-skip-permissions --permission-mode=bypassPermissions",
    "codex": "--dangerously-bypass-approvals-and-sandbox --yolo --full-auto --ask-for-approval=never -a=never"
    " --sandbox=danger-full-access -s=danger-full-access",
    "gemini": "--yolo -y --approval-mode=yolo",
    "qwen": "--yolo -y --approval-mode=yolo",
    "copilot": "--allow-all-tools --yolo",
    "cursor-agent": "--force -f",
    "amp": "--dangerously-allow-all",
    "aider": "--yes-always --yes",
    "crush": "--yolo -y",
    "droid": "--skip-permissions-unsafe",
    "goose": "",
    "opencode": "--dangerously-skip-permissions",
    "openhands": "--always-approve --yolo",
    "kiro-cli": "--trust-all-tools",
    "q": "--trust-all-tools",
}
_SETTINGS = {("GOOSE_MODE", "auto"), ("IS_SANDBOX", "1"), ("CLAUDE_CODE_BYPASS_PERMISSIONS", "1")}
_RUNNERS = ("npx", "bunx", "pnpx", "uvx", "pipx")
_PACKAGES = {"@anthropic-ai/claude-code": "claude", "@openai/codex": "codex", "@google/gemini-cli": "gemini"}


def _unattended(command: Command, ground: Ground) -> Iterator[Effect]:
    program, words = _agent_of(command)
    options = _UNATTENDED.get(program, "").split()
    found = next((option for option in options if _is_given(option, words)), "")
    if program in _UNATTENDED and (found or not _SETTINGS.isdisjoint(command.environment)):
        told = found or "a variable"
        yield Effect(Act.GUARD, program, Place.SYSTEM, "unattended", text=command.text, content=told, command=command)


def _agent_of(command: Command) -> tuple[str, tuple[str, ...]]:
    """The agent that a command starts: by its name, or by a runner of packages."""
    if command.program not in _RUNNERS:
        return command.program, command.args
    for place, word in enumerate(command.args):
        name, _, version = word.rpartition("@")
        name = name if name and "/" not in version else word
        if name in _PACKAGES or word in _UNATTENDED:
            return _PACKAGES.get(name, word), command.args[place + 1 :]
    return "", ()


def _is_given(option: str, words: Sequence[str]) -> bool:
    name, equals, value = option.partition("=")
    if not equals:
        return name in words
    pairs = zip(words, (*words[1:], ""), strict=True) if words else ()
    return option in words or any(word == name and following == value for word, following in pairs)


def _asks(words: Sequence[str]) -> bool:
    return not any(word.startswith("-") for word in words)


PROGRAMS = {
    **dict.fromkeys((*_UNATTENDED, *_RUNNERS), Reading(_GUARDS, _unattended, _asks)),
    "goose": Reading(_GUARDS, _unattended),
}
