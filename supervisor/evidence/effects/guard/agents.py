"""Agents that an action starts without approval prompts, or without their hooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.machine.agents import AGENTS, HOMES, HOOKED, Agent
from supervisor.evidence.reading.paths import Place, resolve
from supervisor.evidence.shell.commands import Command

# Variables that move any agent's settings, and those with which an agent runs without its hooks.
_MOVES = frozenset({*HOMES, "HOME", "USERPROFILE"})
_STRIPS = {"CLAUDE_CODE_SIMPLE": ("1", "true")}
_UNATTENDED = {("GOOSE_MODE", "auto"), ("IS_SANDBOX", "1"), ("CLAUDE_CODE_BYPASS_PERMISSIONS", "1")}
RUNNERS = ("npx", "bunx", "pnpx", "uvx", "pipx")
_STARTERS = (*RUNNERS, "node", "nodejs", "bun", "deno", "npm", "pnpm", "yarn")  # these may start one of the packages
_PACKAGES = {"@anthropic-ai/claude-code": "claude", "@openai/codex": "codex", "@google/gemini-cli": "gemini"}
_ONLY_PRINTS = frozenset({"--help", "-h", "--version", "-v", "-V", "help", "doctor", "update", "upgrade"})
_UNHOOKS = re.compile(
    r"disable_?all_?hooks\W{1,6}true|hooks\b[\"']?\]?\s*[=:]\s*(?:false|\{\s*\}|\[\s*\])", re.IGNORECASE
)
_MAKES_CHANGES = frozenset({"hooks", "hook", "features", "feature", "config"})
_OTHER_USER = frozenset({"-u", "--user", "-l", "--login"})
_GUARDS = frozenset({Act.GUARD})


def _started(command: Command, ground: Ground) -> Iterator[Effect]:
    program, words = agent_of(command)
    agent = AGENTS.get(program)
    if agent is None or (words and words[0] in _ONLY_PRINTS):
        return
    if option := _unattended_option(agent, command, words):
        yield _effect(command, program, "unattended", option)
    if agent.hooks and not command.remote and _SWITCHES_OFF.search(" ".join(words[:4])):
        yield Effect(Act.GUARD, f"runs `{command.text}`", Place.SYSTEM, "disarm", text=command.text, command=command)
    if agent.hooks and not command.remote and (option := _unhooked_option(agent, command, words)):
        yield _effect(command, program, "unguarded", option)


# `gemini hooks disable NAME`, `codex features disable hooks`, `claude config set disableAllHooks true`
_SWITCHES_OFF = re.compile(
    r"^hooks? (?:disable|remove|delete|uninstall|off)\b|^features? disable \w*hooks\b"
    r"|^config \w+ (?:-\S+ )?disable_?all_?hooks",
    re.IGNORECASE,
)


def _effect(command: Command, program: str, verb: str, option: str) -> Effect:
    return Effect(Act.GUARD, program, Place.SYSTEM, verb, text=command.text, content=option, command=command)


def _unattended_option(agent: Agent, command: Command, words: Sequence[str]) -> str:
    found = next((option for option in agent.unattended.split() if is_given(option, words)), "")
    return found or ("a variable" if not _UNATTENDED.isdisjoint(command.environment) else "")


def _unhooked_option(agent: Agent, command: Command, words: Sequence[str]) -> str:
    """The option or variable with which this agent runs without its hooks; "" if none."""
    for option in agent.unhooked.split():
        if is_given(option, words):
            return option
    for option, value in pairwise((*words, "")):
        name, equals, attached = option.partition("=")
        if name in agent.inline and unhooks(attached if equals else value):
            return option if equals else f"{option} {value}"
    for name, value in command.environment:
        if name in _STRIPS and value in _STRIPS[name]:
            return f"{name}={value}"
        if (name in ("HOME", "USERPROFILE") or name == agent.home) and not _is_usual(name, value, agent):
            return f"{name}={value}"
    return ""


def _as_written(value: str) -> str:
    """JSON with its escapes resolved, so that none hides a key; other texts unchanged."""
    try:
        return json.dumps(json.loads(value), ensure_ascii=False)
    except (ValueError, RecursionError):
        return value


def _is_usual(name: str, value: str, agent: Agent) -> bool:
    """Whether a variable gets its usual value: `HOME=~`, `CLAUDE_CONFIG_DIR=~/.claude`."""
    return resolve(value) in ("~", "/root") if name != agent.home else resolve(value) == f"~/{agent.folder}"


def parts_of_wrapper(command: Command) -> Iterator[Effect]:
    """`env -i claude`, `env -u HOME codex`, `sudo -u ann claude`: a wrapper that takes an agent's settings away."""
    names = [word.rpartition("/")[2] for word in command.args]
    started = next((number for number, name in enumerate(names) if name in HOOKED), None)
    if started is None or command.remote:
        return
    before = command.args[:started]
    if command.program == "env":
        taken = any(word in ("-i", "-", "--ignore-environment") for word in before)
        taken = taken or any(name in ("-u", "--unset") and value in _MOVES for name, value in pairwise((*before, "")))
        if taken or any(word.removeprefix("--unset=").removeprefix("-u") in _MOVES for word in before):
            yield _effect(command, names[started], "unguarded", " ".join(("env", *before)))
    elif not _OTHER_USER.isdisjoint(before) or (command.program in ("su", "runuser") and before):
        yield _effect(command, names[started], "unguarded", " ".join((command.program, *before)))


WRAPPERS = frozenset({"env", "sudo", "doas", "su", "runuser"})


def settings_named(command: Command) -> Iterator[str]:
    """The settings files that a command passes to an agent, as resolved paths."""
    program, words = agent_of(command)
    agent = AGENTS.get(program)
    for option, value in pairwise((*words, "")) if agent is not None else ():
        name, equals, attached = option.partition("=")
        given = attached if equals else value
        if agent is not None and name in agent.inline and given and not given.startswith("{") and "=" not in given:
            yield command.path(given)


def unhooks(text: str) -> bool:
    """Whether settings switch an agent's hooks off."""
    return _UNHOOKS.search(_as_written(text)) is not None


def agent_of(command: Command) -> tuple[str, tuple[str, ...]]:
    """The program that a command starts and its arguments; for a package runner, the agent's ("" if it starts none)."""
    if command.program not in _STARTERS:
        return command.program, command.args
    for place, word in enumerate(command.args):
        name, _, version = word.rpartition("@")
        name = name if name and "/" not in version else word
        packed = next((agent for package, agent in _PACKAGES.items() if f"/{package}/" in word), "")
        if name in _PACKAGES or packed or (word in AGENTS and command.program in RUNNERS):
            return packed or _PACKAGES.get(name, word), command.args[place + 1 :]
    return "", ()


def is_given(option: str, words: Sequence[str]) -> bool:
    """Whether words contain an option; for `NAME=VALUE`, with that value."""
    name, equals, value = option.partition("=")
    if not equals:
        return name in words
    pairs = zip(words, (*words[1:], ""), strict=True) if words else ()
    return option in words or any(word == name and following == value for word, following in pairs)


def _starts_plainly(words: Sequence[str]) -> bool:
    return not any(word.startswith("-") for word in words) and _MAKES_CHANGES.isdisjoint(words[:1])


def _names_no_package(words: Sequence[str]) -> bool:
    return not any(package in word for word in words for package in _PACKAGES)


def _nothing(command: Command, ground: Ground) -> Iterator[Effect]:
    """No effects: `supervisor.evidence.guard.host_environment` reads where the agent runs."""
    return iter(())


def _names_none(words: Sequence[str]) -> bool:
    """Whether the words name no agent with hooks."""
    return not any(name in word for word in words for name in HOOKED)


# Programs that run an agent in another place, or as another user.
ELSEWHERE = ("su", "runuser", "chroot", "nsenter", "unshare", "machinectl", "proot", "fakechroot")
CONTAINERS = ("docker", "podman", "nerdctl")

PROGRAMS = {
    **dict.fromkeys((*ELSEWHERE, *CONTAINERS, "ssh"), Reading(_GUARDS, _nothing, _names_none)),
    **dict.fromkeys(_STARTERS, Reading(_GUARDS, _started, _names_no_package)),
    **dict.fromkeys((*AGENTS, *RUNNERS), Reading(_GUARDS, _started, _starts_plainly)),
    "goose": Reading(_GUARDS, _started),
}
