"""What git runs: aliases, hooks given on its command line, and the commands of `bisect run`, `rebase --exec` …"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import Inner, operand_index, values_of, word_set
from supervisor.evidence.shell.later import setting_made

_VALUED = word_set("-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source")
_SCRIPT_OPTIONS = {
    "rebase": ("-x", "--exec"),
    "filter-branch": (
        *("--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--commit-filter"),
        *("--parent-filter", "--tag-name-filter", "--setup"),
    ),
    "difftool": ("-x", "--extcmd"),
    "fetch": ("--upload-pack",),
    "clone": ("-u", "--upload-pack"),
    "push": ("--receive-pack", "--exec"),
    "grep": ("-O", "--open-files-in-pager"),
}
# Settings whose value git passes to a shell.
_SETTINGS = word_set("core.pager core.editor core.sshcommand core.fsmonitor sequence.editor diff.external core.askpass")


def git(command: Command) -> Iterator[Inner]:
    """What a git command runs in turn."""
    args = command.args
    start = operand_index(args, _VALUED)
    verb, rest = args[start] if start < len(args) else "", args[start + 1 :]
    if "-c" in args[:start]:
        yield from _configured(args[:start], verb, rest)
    if verb in _SCRIPT_OPTIONS:
        yield from (Inner(script=value, reads=False) for value in values_of(rest, *_SCRIPT_OPTIONS[verb]))
    elif verb == "config":
        yield from setting_made(rest)
    elif verb in ("bisect", "submodule", "for-each-repo"):
        yield from _for_each(command, verb, rest)


def _for_each(command: Command, verb: str, rest: tuple[str, ...]) -> Iterator[Inner]:
    if verb == "bisect" and rest[:1] == ("run",) and len(rest) > 1:
        yield Inner(rest[1:], start=len(command.argv) - len(rest) + 1)
    elif verb == "submodule" and "foreach" in rest:
        words = rest[rest.index("foreach") + 1 :]
        words = words[operand_index(words, frozenset()) :]
        if words:
            yield Inner(script=" ".join(words), reads=False)
    elif verb == "for-each-repo":
        words = rest[operand_index(rest, word_set("--config")) :]
        if words:
            yield Inner(("git", *words), reads=False)


def _configured(options: tuple[str, ...], verb: str, rest: tuple[str, ...]) -> Iterator[Inner]:
    """`git -c alias.x='!rm -rf /' x`, `git -c core.pager='less' log`."""
    for setting in values_of(options, "-c"):
        name, _, value = setting.partition("=")
        if name == f"alias.{verb}":
            yield alias(value, rest)
        elif name.lower() in _SETTINGS and value not in ("", "true", "false"):
            yield Inner(script=value, reads=False)


def alias(value: str, rest: tuple[str, ...]) -> Inner:
    """What an alias runs: a shell script if it begins with `!`, else a git command."""
    if value.startswith("!"):
        return Inner(script=f'{value[1:]} "$@"', parameters=("sh", *rest), reads=False)
    return Inner(("git", *value.split(), *rest), reads=False)


def aliased(command: Command, aliases: Mapping[str, str]) -> Iterator[Inner]:
    """What a git alias runs that the script has configured."""
    start = operand_index(command.args, _VALUED)
    value = aliases.get(f"git {command.args[start]}") if start < len(command.args) else None
    if value:
        yield alias(value, command.args[start + 1 :])
