"""The effects of a shell's builtins on it: its directory, variables, parameters and aliases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from supervisor.evidence.reading.paths import HOLE, resolve
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.printed import printf
from supervisor.evidence.shell.state import Flow, Shell, Text
from supervisor.evidence.shell.words import BREAK

_READ_VALUED = frozenset({"-a", "-d", "-i", "-n", "-N", "-p", "-t", "-u", "-O", "-s", "-c", "-C"})


def _cd(command: Command, shell: Shell) -> None:
    operands = command.operands()
    target = operands[0] if operands else "~"
    before = shell.cwd
    if target == "-":
        shell.cwd = shell.value_of("OLDPWD").value
    else:
        shell.cwd = HOLE if target.startswith("+") else resolve(target, shell.cwd)
    shell.variables["OLDPWD"] = Text(before)


def _pushd(command: Command, shell: Shell) -> None:
    shell.left = (*shell.left[-64:], shell.cwd)
    _cd(command, shell)


def _popd(command: Command, shell: Shell) -> None:
    shell.cwd, shell.left = (shell.left[-1], shell.left[:-1]) if shell.left else (HOLE, ())


def _read(command: Command, shell: Shell) -> None:
    """`read a b`: takes a line of standard input if that is known; else the variables are HOLEs."""
    into_array = command.has_flag("-a", valued="dinNptu")
    names = command.operands(_READ_VALUED - {"-a"}) or ["REPLY"]
    origins = _read_from(command)
    if command.stdin is None:
        shell.variables |= dict.fromkeys(names, Text(HOLE, origins))
        return
    line, _, rest = command.stdin.partition("\n")
    if shell.stdin.text is not None:
        shell.stdin = Flow(shell.stdin.upstream, rest)
    if into_array:
        shell.variables[names[0]] = array(_fields(line, command))._replace(sources=origins)
        return
    words = line.split(None, len(names) - 1)
    shell.variables |= {name: Text(word.rstrip(), origins) for name, word in zip(names, words, strict=False)}
    shell.variables |= dict.fromkeys(names[len(words) :], Text(""))


def _read_from(command: Command) -> tuple[Command, ...]:
    """The commands whose output a builtin reads: `read x < file` reads what `cat file` prints."""
    files = [each.target for each in command.redirects if each.operator == "<"]
    return command.upstream + tuple(Command(("cat", each), f"cat {each}", command.cwd) for each in files)


def _fields(line: str, command: Command) -> list[str]:
    """A line split as `read` splits it, at the characters of its IFS."""
    marks = dict(command.environment).get("IFS", "")[:16].strip()
    return line.translate(dict.fromkeys(map(ord, marks), " ")).split()


def _mapfile(command: Command, shell: Shell) -> None:
    names = command.operands(_READ_VALUED - {"-t"})[:1] or ["MAPFILE"]
    lines = Text(HOLE) if command.stdin is None else array(command.stdin.splitlines())
    shell.variables[names[0]] = lines._replace(sources=_read_from(command))


def _unset(command: Command, shell: Shell) -> None:
    shell.variables |= dict.fromkeys(command.operands(), Text(HOLE))
    _withdraw(command.operands(), shell)


def _export(command: Command, shell: Shell) -> None:
    """`export NAME=value`, `export NAME`, `export -n NAME`, `declare -x NAME=value`."""
    given = dict(word.partition("=")[::2] for word in command.operands())
    if command.program != "export" and not command.has_flag("-x"):
        return
    _withdraw(list(given), shell)
    if not command.has_flag("-n"):
        shell.exported += tuple((name, shell.value_of(name).value) for name in given)


def _withdraw(names: list[str], shell: Shell) -> None:
    shell.exported = tuple(each for each in shell.exported if each[0] not in names)


def _set(command: Command, shell: Shell) -> None:
    """`set -- a b` sets the positional parameters."""
    words = command.args
    if "--" in words:
        set_parameters(shell, words[words.index("--") + 1 :], command.sources)
    elif words and not words[0].startswith(("-", "+")):
        set_parameters(shell, words, command.sources)


def _shift(command: Command, shell: Shell) -> None:
    count = int(command.args[0]) if command.args and command.args[0].isdecimal() and len(command.args[0]) < 5 else 1
    words = [word for word in shell.value_of("@").value.split(BREAK) if word]
    if words != [HOLE]:
        set_parameters(shell, tuple(words[count:]))


def _printf(command: Command, shell: Shell) -> None:
    if command.args[:1] == ("-v",) and len(command.args) > 2:
        made = printf(command.args[2], command.args[3:])
        origins = tuple(by for _, by in command.sources)
        shell.variables[command.args[1]] = Text(HOLE if made is None else made, origins)


def _alias(command: Command, shell: Shell) -> None:
    for word in command.args:
        name, equals, text = word.partition("=")
        if equals and HOLE not in name:
            shell.aliases[name] = text


def _unalias(command: Command, shell: Shell) -> None:
    for name in shell.aliases.copy() if command.has_flag("-a") else command.operands():
        shell.aliases.pop(name, None)


def _git(command: Command, shell: Shell) -> None:
    """`git config alias.x '!ls'` sets what `git x` runs from then on."""
    if command.args[:1] == ("config",):
        for name, value in pairwise(command.args):
            if name.startswith("alias."):
                shell.aliases[f"git {name[6:]}"] = value


def _getopts(command: Command, shell: Shell) -> None:
    shell.variables |= dict.fromkeys([*command.args[1:2], "OPTARG"], Text(HOLE))


def array(words: list[str]) -> Text:
    """An array's value: its words, each after a BREAK."""
    return Text("".join(BREAK + word for word in words) or BREAK)


def set_parameters(shell: Shell, words: tuple[str, ...], sources: Sequence[tuple[int, Command]] = ()) -> None:
    """Sets a shell's positional parameters: `$1` and the following ones, `$@`, `$*` and `$#`.

    `sources` are the commands whose output the words contain. A parameter that is not known contains all of it.
    """
    origins = tuple(by for _, by in sources)
    shell.variables |= {
        str(index): Text(word, origins if HOLE in word else ()) for index, word in enumerate(words[:64], 1)
    }
    together = array(list(words))._replace(sources=origins)
    shell.variables |= {"@": together, "*": Text(" ".join(words), origins), "#": Text(str(len(words)))}


BUILTINS: dict[str, Callable[[Command, Shell], None]] = {
    **dict.fromkeys(("cd", "chdir"), _cd),
    "pushd": _pushd,
    "popd": _popd,
    "read": _read,
    **dict.fromkeys(("mapfile", "readarray"), _mapfile),
    "unset": _unset,
    **dict.fromkeys(("export", "declare", "typeset"), _export),
    "set": _set,
    "shift": _shift,
    "printf": _printf,
    "alias": _alias,
    "unalias": _unalias,
    "getopts": _getopts,
    "git": _git,
}
