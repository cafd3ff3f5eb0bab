"""Files that something runs or follows later, by their names: how what they hold is read."""

from __future__ import annotations

import re
from enum import StrEnum


class Later(StrEnum):
    """How what a file holds is read."""

    SHELL = "shell"
    PYTHON = "python"
    JAVASCRIPT = "javascript"
    RECIPES = "recipes"  # a makefile's lines
    SCRIPTS = "scripts"  # commands by their names, in JSON
    TIMES = "times"  # a crontab's lines
    SETTINGS = "settings"  # of programs that rotate, remove or confine what they name
    WORDS = "words"  # that agents are told to follow


_NAMED = {
    Later.RECIPES: re.compile(r"(?:GNU)?[Mm]akefile|[\w.-]+\.mk|[Jj]ustfile"),
    Later.SCRIPTS: re.compile(r"package\.json|composer\.json|deno\.jsonc?"),
    Later.SHELL: re.compile(
        r"[\w.-]+\.(?:ba|z|k|da)?sh|\.(?:bash|zsh)rc|\.(?:bash_|z)?profile|\.bash_aliases|\.zshenv"
    ),
    Later.PYTHON: re.compile(r"[\w.-]+\.pyw?"),
    Later.JAVASCRIPT: re.compile(r"[\w.-]+\.[mc]?[jt]sx?"),
    Later.WORDS: re.compile(
        r"(?:CLAUDE|AGENTS|GEMINI|CRUSH|QWEN)(?:\.local)?\.md|\.cursorrules|\.windsurfrules|[\w.-]+\.mdc"
    ),
}
_CONFINES = re.compile(r"(?:^|/)(?:logrotate\.d|tmpfiles\.d|apparmor\.d|logrotate\.conf|newsyslog\.d)(?:/|$)")


def sort_of(path: str) -> Later | None:
    """How what a file holds is read; None where nobody runs or follows it."""
    if _CONFINES.search(path):
        return Later.SETTINGS
    name = path.rpartition("/")[2]
    return next((sort for sort, pattern in _NAMED.items() if pattern.fullmatch(name)), None)
