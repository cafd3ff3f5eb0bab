"""Commands whose work is to run other commands: what `sudo`, `env`, `bash -c`, `ssh` … run in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from supervisor.evidence.paths import HOLE
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.items import Inner, Unwrap, find, operand_index, parallel, word_set, xargs

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash"})


def inner_of(command: Command) -> Iterable[Inner]:
    """What a command runs in turn; nothing for the most."""
    unwrap = _WRAPPERS.get(command.program)
    return unwrap(command) if unwrap else ()


def runs_others(program: str) -> bool:
    """Whether a program's work is to run other commands, or to say what later words mean."""
    return program in _WRAPPERS or program in _RENAMES


def _prefix(valued: str = "", operands: int = 0, assignments: bool = False, remote: bool = False) -> Unwrap:
    """A wrapper whose options, then `operands` words of its own, are followed by the command it runs."""
    names = word_set(valued)

    def unwrap(command: Command) -> Iterator[Inner]:
        start = 1 + operand_index(command.args, names, assignments) + operands
        if start < len(command.argv):
            yield Inner(command.argv[start:], start=start, remote=remote)

    return unwrap


def _command_builtin(command: Command) -> Iterator[Inner]:
    start = 1 + operand_index(command.args, frozenset())
    if not command.has_flag("-v", "-V") and start < len(command.argv):
        yield Inner(command.argv[start:], start=start)


_SUDO_VALUED = "-u -g -h -p -C -T -U -D -R -r -t --user --group --host --prompt --chdir --chroot --role --type"
_ENV_VALUED = word_set("-u --unset -C --chdir -P")


def _env(command: Command) -> Iterator[Inner]:
    args = command.args
    for index, word in enumerate(args):
        if word in ("-S", "--split-string") and index + 1 < len(args):
            yield Inner(script=" ".join(args[index + 1 :]))
            return
        if word.startswith(("-S", "--split-string=")) and len(word) > 2:
            yield Inner(script=" ".join([word.removeprefix("--split-string=").removeprefix("-S"), *args[index + 1 :]]))
            return
    start = 1 + operand_index(args, _ENV_VALUED, assignments=True)
    if start < len(command.argv):
        moved = any(word.startswith(("-C", "--chdir")) for word in args[: start - 1])
        yield Inner(command.argv[start:], start=start, cwd=HOLE if moved else None)


def _shell(command: Command) -> Iterator[Inner]:
    """`bash -c script`, `bash -lc script`, `bash <<< script`; a script file is not in the text."""
    index = 1
    while index < len(command.argv) and command.argv[index][:1] in ("-", "+") and command.argv[index] != "--":
        word = command.argv[index]
        if word in ("-o", "+o", "-O", "+O", "--rcfile", "--init-file"):
            index += 1
        elif not word.startswith("--") and "c" in word:
            break
        index += 1
    else:
        reads_stdin = index >= len(command.argv) or command.has_flag("-s") or command.argv[index] == "/dev/stdin"
        if reads_stdin and command.stdin is not None:
            yield Inner(script=command.stdin, reads=False)
        return
    rest = [index for index in range(index + 1, len(command.argv)) if not command.argv[index].startswith("-")]
    if rest:
        yield Inner(script=command.argv[rest[0]], parameters=command.argv[rest[0] + 1 :])


def _joined(valued: str = "", operands: int = 0, remote: bool = False) -> Unwrap:
    """A wrapper that hands its words, joined, to a shell."""
    names = word_set(valued)

    def unwrap(command: Command) -> Iterator[Inner]:
        words = command.args[operand_index(command.args, names) + operands :]
        if words:
            yield Inner(script=" ".join(words), remote=remote)

    return unwrap


def _option_script(*names: str) -> Unwrap:
    """A wrapper that takes a script as the value of an option: `su -c 'rm -rf /'`."""

    def unwrap(command: Command) -> Iterator[Inner]:
        for index, word in enumerate(command.argv[:-1]):
            if word in names:
                yield Inner(script=command.argv[index + 1])

    return unwrap


def _trap(command: Command) -> Iterator[Inner]:
    operands = command.operands()
    if len(operands) > 1:
        yield Inner(script=operands[0])


_RENAMES = frozenset({".", "alias", "enable", "source", "unalias"})
_WRAPPERS: dict[str, Unwrap] = {
    **dict.fromkeys(SHELLS, _shell),
    **dict.fromkeys(("nohup", "setsid", "builtin", "chronic", "unbuffer", "busybox", "toybox"), _prefix()),
    **dict.fromkeys(("sudo", "doas"), _prefix(_SUDO_VALUED, assignments=True)),
    "command": _command_builtin,
    "exec": _prefix("-a"),
    "env": _env,
    "nice": _prefix("-n --adjustment"),
    "ionice": _prefix("-c -n -p"),
    "time": _prefix("-f -o --format --output"),
    "timeout": _prefix("-s -k --signal --kill-after", operands=1),
    "stdbuf": _prefix("-i -o -e"),
    "strace": _prefix("-e -o -p -s"),
    "chroot": _prefix(operands=1),
    "flock": _prefix("-w -E", operands=1),
    "eval": _joined(),
    "watch": _joined("-n --interval"),
    "ssh": _joined("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", operands=1, remote=True),
    **dict.fromkeys(("su", "runuser", "script"), _option_script("-c", "--command")),
    "trap": _trap,
    "xargs": xargs,
    "parallel": parallel,
    "find": find,
}
