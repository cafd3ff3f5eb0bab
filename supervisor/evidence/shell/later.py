"""Command lines that make commands run later on this machine: servers added to an agent's settings, and git settings
that contain commands."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.evidence.machine.command_files import as_script, commands_in
from supervisor.evidence.machine.command_formats import setting_that_runs
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import Inner, operand_index, values_of, word_set

_VALUED = word_set(
    "-s --scope -e --env -t --transport -H --header --timeout --description --include-tools --exclude-tools --url"
    " --name --bearer-token-env-var --client-id --client-secret --callback-port --agent --type --cwd"
)
AGENTS = ("claude", "codex", "gemini", "qwen", "amp", "copilot", "cursor-agent", "opencode", "droid", "auggie", "crush")
_GIT_VALUED = word_set("-f --file --blob --type --default --value --comment")
_READS = frozenset({"get", "list", "get-all", "get-regexp", "unset", "edit", "rename-section", "remove-section"})


def server_added(command: Command) -> Iterator[Inner]:
    """`claude mcp add name -- program words`, `claude mcp add-json name '{"command": …}'`, `q mcp add --command p`."""
    args = command.args
    at = next((at for at in range(len(args) - 1) if args[at] == "mcp" and args[at + 1] in ("add", "add-json")), None)
    if at is None:
        return
    rest = args[at + 2 :]
    if args[at + 1] == "add-json":
        for word in rest:
            for command_line in commands_in("/.mcp.json", word) if "{" in word else ():
                yield Inner(script=as_script(command_line), reads=False)
        return
    named = [*values_of(rest, "--command")]
    if named:
        words = (named[-1], *(each for value in values_of(rest, "--args") for each in value.split(",")))
    elif "--" in rest:
        words = rest[rest.index("--") + 1 :]
    else:
        words = _after_name(rest)
    if words and "://" not in words[0]:
        yield Inner(script=words[0], reads=False) if len(words) == 1 and " " in words[0] else Inner(words)


def _after_name(rest: tuple[str, ...]) -> tuple[str, ...]:
    """The words after the server's name; options may come before and after the name."""
    rest = rest[operand_index(rest, _VALUED) + 1 :]
    return rest[operand_index(rest, _VALUED) :]


def setting_made(rest: tuple[str, ...]) -> Iterator[Inner]:
    """`git config alias.x '!…'`, `git config --global core.pager '…'`, `git config set core.fsmonitor …`."""
    if any(word.startswith(("--get", "--unset", "--list")) for word in rest):
        return
    words = [word for word in Command(("config", *rest)).operands(_GIT_VALUED) if word not in ("set", "add")]
    if len(words) > 1 and words[0] not in _READS and (script := setting_that_runs(words[0], words[1])):
        yield Inner(script=script, reads=False)


def hooks_path(command: Command) -> Iterator[str]:
    """The directory that a git command line sets for hooks: `git config core.hooksPath .hooks`, `git -c …=.hooks`."""
    for word, following in zip(command.args, (*command.args[1:], ""), strict=False):
        if word.lower() == "core.hookspath" and following and not following.startswith("-"):
            yield following
        elif word.lower().startswith("core.hookspath="):
            yield word.partition("=")[2]
