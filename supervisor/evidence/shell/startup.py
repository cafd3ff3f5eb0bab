"""What a shell's start-up file, a cron job or a unit runs each time, read from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.errors import Unreadable
from supervisor.evidence.reading.paths import HOLE, resolve
from supervisor.evidence.shell import Command, read_script
from supervisor.evidence.shell.inner import word_set
from supervisor.evidence.shell.variables import changes_of

_LONGEST = 16 * 1024  # characters of a text that are read
# The usual content of start-up files: settings, and the hooks of version managers and prompts.
_SETTINGS = word_set(
    ". [ [[ alias autoload bind bindkey case cd command compinit complete declare direnv echo eval export fnm"
    " ls hash history if mise nvm printf pyenv rbenv read return set setopt shopt source starship stty tput"
    " tty test true type typeset ulimit umask unalias unset unsetopt zoxide zstyle builtin local brew conda"
    " dircolors lesspipe uname id which whoami hostname date cat grep fzf kubectl rustup npm yarn go asdf"
    " thefuck mkdir atuin zmodload dirname sdk keychain gpgconf ssh-agent tmux neofetch fastfetch fortune jenv"
    " nodenv goenv opam helm gh glab poetry pip uv basename expr seq"
)
# The usual content of a hook that checks the work: checkers, programs that start them, and tasks named after them.
_CHECKERS = word_set(
    "ansible-lint bandit biome black clang-format commitlint ctest dprint eslint flake8 gitleaks gofmt golangci-lint"
    " hadolint isort jest ktlint lint-imports lint-staged markdownlint mypy nox phpcs phpstan phpunit playwright"
    " pre-commit prettier pylint pyright pytest rspec rubocop ruff shellcheck shfmt sqlfluff standard stylelint"
    " swiftlint tflint tox tsc unittest vitest vulture yamllint"
)
_STARTERS = word_set("bunx npx python python3")
_TASKS = word_set("bun bundle cargo composer deno dotnet go gradle gradlew just make mix mvn npm pnpm rake yarn")
_TASK_NAMES = ("check", "clippy", "fmt", "format", "lint", "spec", "test", "typecheck", "vet", "verify")
_PLAIN = word_set("[ cd echo exit false printf set test true")
_FETCHES = re.compile(
    r"\b(?:curl|wget|fetch|lwp-request|nc|ncat|netcat|socat|telnet)\b|/dev/(?:tcp|udp)/|\bbase64\s+-{1,2}[dD]"
    r"|\bxxd\s+-r|\bpython[\d.]*\s+-c|\bperl\s+-e|\bopenssl\s+enc|https?://"
)
_HIDDEN = re.compile(r"(?:/tmp|/var/tmp|/dev/shm)/|/\.[\w.-]+/?\.?[\w-]+\.(?:sh|py)\b|>\s*/dev/null\s+2>&1\s*&")
# Names of programs that people trust.
_TRUSTED_NAMES = word_set("sudo su ssh scp passwd login gpg git doas pkexec kubectl aws ls cd rm curl ps top")
_TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/")
_WRITABLE = ("/tmp", "/var/tmp", "/dev/shm", ".", "")


def runs_programs(content: str) -> bool:
    """Whether a start-up file contains lines that run programs, besides settings."""
    return any(command.program not in _SETTINGS for command in _commands(content)) or fetches_or_hides(content)


def only_checks(content: str) -> bool:
    """Whether a hook runs linters, formatters and tests, and nothing else."""
    found = [command for command in _commands(content) if command.program not in _PLAIN and not command.wraps]
    return bool(found) and all(_checks(command) for command in found) and not fetches_or_hides(content)


def _checks(command: Command) -> bool:
    if command.program in _CHECKERS:
        return True
    module = command.args[1:2] if command.args[:1] == ("-m",) else command.args[:1]
    if command.program in _STARTERS:
        return bool(module) and module[0] in _CHECKERS
    return command.program in _TASKS and any(word.startswith(_TASK_NAMES) for word in command.operands())


def fetches_or_hides(content: str) -> bool:
    """Whether what runs each time is downloaded, is encoded, or is in a hidden place."""
    return bool(_FETCHES.search(content[:_LONGEST]) or _HIDDEN.search(content[:_LONGEST]))


def hijacks(content: str) -> str:
    """What a start-up file puts before or into every program, as the rest of a sentence; empty for most."""
    text = content[:_LONGEST]
    if any(_values_of(text, name) for name in ("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES")):
        return "a library into every program"
    if any(value.split(":")[0] in _WRITABLE or value.startswith(_TEMPORARY) for value in _values_of(text, "PATH")):
        return "a directory that anyone can write first in the search path of every program"
    if any(_changes_meaning(word) for command in _commands(text) for word in _aliases(command)):
        return "another program under a trusted name before each one"
    return ""


def _values_of(text: str, variable: str) -> list[str]:
    try:
        return [value for value in changes_of(text, variable) if value is not None]
    except Unreadable:
        return []


def _commands(content: str) -> Iterator[Command]:
    try:
        read = read_script(content[:_LONGEST], None)
    except Unreadable:
        return
    yield from (command for command in read.commands if command.program and command.program != HOLE)


def _aliases(command: Command) -> tuple[str, ...]:
    return command.args if command.program == "alias" else ()


def _changes_meaning(alias: str) -> bool:
    """Whether an alias replaces a trusted program: `sudo=/tmp/s` does, `ls='ls --color'` and `sudo='sudo '` do not."""
    name, _, value = alias.partition("=")
    first = value.split()[0] if value.split() else name
    elsewhere = resolve(first).startswith(("/tmp/", "/var/tmp/", "/dev/shm/", "~/.")) or fetches_or_hides(value)
    return name in _TRUSTED_NAMES and first != name and elsewhere
