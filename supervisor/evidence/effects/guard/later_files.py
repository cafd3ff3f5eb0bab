"""Files that a program runs or an agent follows later: how their content is read, by their names."""

from __future__ import annotations

import re
from enum import StrEnum

from supervisor.evidence.machine.agents import HOOKED


class Later(StrEnum):
    """How a file's content is read."""

    SHELL = "shell"
    PYTHON = "python"
    JAVASCRIPT = "javascript"
    RECIPES = "recipes"  # a makefile's lines
    SCRIPTS = "scripts"  # named commands in JSON
    TIMES = "times"  # a crontab's lines
    SETTINGS = "settings"  # for programs that rotate, remove or confine what the file names
    WORDS = "words"  # instructions for agents
    DIRECTIVES = "directives"  # for any other program, in any format
    COMMANDS = "commands"  # where the format has them: an editor's tasks, a unit's ExecStart
    FOREIGN = "foreign"  # code in a language without a parser here


_NAMED = {
    Later.RECIPES: re.compile(r"(?:GNU)?[Mm]akefile|[\w.-]+\.mk|[Jj]ustfile"),
    Later.SCRIPTS: re.compile(r"package\.json|composer\.json|deno\.jsonc?"),
    Later.SHELL: re.compile(
        r"[\w.-]+\.(?:ba|z|k|da)?sh|\.(?:bash|zsh)rc|\.(?:bash_|z)?profile|\.bash_aliases|\.zshenv"
    ),
    Later.PYTHON: re.compile(r"[\w.-]+\.pyw?"),
    Later.JAVASCRIPT: re.compile(r"[\w.-]+\.[mc]?[jt]sx?"),
    Later.WORDS: re.compile(
        r"(?:CLAUDE|AGENTS|GEMINI|CRUSH|QWEN|MEMORY|SKILL)(?:\.(?:local|override))?\.md|[\w.-]+\.mdc"
        r"|\.(?:cursor|windsurf|cline|roo|goose)(?:rules|hints)|copilot-instructions\.md|[\w.-]+\.(?:instructions|agent)\.md"
    ),
}
_CONFINES = re.compile(
    r"(?:^|/)(?:logrotate|tmpfiles|apparmor|newsyslog|sysusers)(?:\.d|\.conf)?(?:/|$)"
    r"|(?:^|/)(?:[\w.-]*exclu(?:de|sion)s?[\w.-]*|\.(?:restic|borg|st|kopia)ignore|\.rsync-filter)$"
)
# Paths that shadow the program of that name, if their folder stands first in PATH.
STANDS_IN = re.compile(
    rf"(?:^(?:~|/root|/(?:.+/)?[\w.-]+)/\.?(?:local/)?bin|^/usr(?:/local)?/s?bin|^/opt/[\w./-]+/bin)"
    rf"/(?P<name>{'|'.join(map(re.escape, HOOKED))}|supervisor|perl|python3?)$"
)
_OF_AGENTS = re.compile(
    r"(?:^|/)\.(?:claude|codex|gemini|cursor|github|windsurf|clinerules|roo|kiro|qwen|agents?)/(?:.+/)?[^/]+\.(?:md|toml)$"
)
# Files that no program runs or follows.
_FOR_PEOPLE = re.compile(
    r"[^/]+\.(?:md|markdown|rst|txt|adoc|html?|csv|tsv|jsonl|log|diff|patch|tex|svg|ipynb|pem|key)", re.I
)
_DATA = re.compile(r"[^/]+\.(?:json[5c]?|plist|xml)", re.I)
_FOREIGN = re.compile(
    r"[^/]+\.(?:rs|go|rb|php|java|kts?|cs|swift|c|cc|cpp|h|lua|p[lm]|exs?|scala|dart|zig|hs|r|R|groovy|gradle)"
)
_SHEBANG = re.compile(r"#!\S*(?:/env\s+(?:-S\s+)?|/)(?P<name>\w+)")
_BY_SHEBANG = {
    **dict.fromkeys(("sh", "bash", "zsh", "dash", "ksh"), Later.SHELL),
    **dict.fromkeys(("python", "python3"), Later.PYTHON),
    **dict.fromkeys(("node", "bun", "deno"), Later.JAVASCRIPT),
}


def sort_of(path: str) -> Later | None:
    """How a file's content is read, by its path alone; None if nothing is known to run or follow it."""
    if _CONFINES.search(path):
        return Later.SETTINGS
    name = path.rpartition("/")[2]
    if STANDS_IN.search(path):
        return Later.SHELL
    if _OF_AGENTS.search(path) and not name.endswith(".toml"):
        return Later.WORDS
    return next((sort for sort, pattern in _NAMED.items() if pattern.fullmatch(name)), None)


def sort_with_text(path: str, text: str) -> Later | None:
    """How a file's content is read, by its path and its text, which names an asset of the guard; None for prose."""
    if sort := sort_of(path):
        return sort
    first = next((found for line in text[:256].splitlines()[:2] if (found := _SHEBANG.match(line))), None)
    if first is not None and first["name"] in _BY_SHEBANG:
        return _BY_SHEBANG[first["name"]]
    name = path.rpartition("/")[2]
    if _FOR_PEOPLE.fullmatch(name):
        return None
    if _DATA.fullmatch(name):
        return Later.COMMANDS
    return Later.FOREIGN if _FOREIGN.fullmatch(name) else Later.DIRECTIVES
