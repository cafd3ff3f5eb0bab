"""Scripts that are passed to a shell: `bash -c`, standard input, `source`, `eval`, `su -c`, `trap`, `at`, `watch`."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import (
    Inner,
    Line,
    command_after,
    operand_index,
    option_scripts,
    values_of,
    word_set,
)
from supervisor.evidence.shell.printed import printed

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash", "csh", "tcsh", "mksh", "yash", "posh"})
_VALUED = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file", "-eo", "-euo", "-exo", "-euxo", "-xeo", "-lo"})
_STDIN = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-"})


def shell(command: Command) -> Iterator[Inner]:
    """`bash -c script`, `bash -lc script`, `bash <<< script`, `bash <(echo script)`."""
    index, argv = 1, command.argv
    while index < len(argv) and argv[index][:1] in ("-", "+") and argv[index] not in ("--", "-"):
        word = argv[index]
        if word[:1] == "-" and "n" in word and word.isascii() and word[1:].isalpha():
            return  # the shell reads the script and does not run it
        if word in ("--rcfile", "--init-file"):
            yield from _from_file(command, index + 1)
        if word in _VALUED:
            index += 1
        elif word.startswith("--command"):
            yield from option_scripts("--command")(command)
            return
        elif not word.startswith("--") and "c" in word:
            yield from _inline(command, index + 1)
            return
        elif not word.startswith("--") and "s" in word:
            yield from _from_stdin(command, argv[index + 1 :])
            return
        index += 1
    if index < len(argv) and argv[index] == "--":
        index += 1
    if index >= len(argv) or argv[index] in _STDIN:
        yield from _from_stdin(command, argv[index + 1 :])
    else:
        yield from _from_file(command, index)


def _inline(command: Command, start: int) -> Iterator[Inner]:
    """The script after `-c`, and its parameters."""
    rest = [index for index in range(start, len(command.argv)) if not command.argv[index].startswith("-")]
    if rest:
        yield Inner(script=command.argv[rest[0]], parameters=command.argv[rest[0] + 1 :])


def _from_stdin(command: Command, parameters: tuple[str, ...]) -> Iterator[Inner]:
    """The script on standard input."""
    if command.stdin is not None:
        words = parameters[1:] if parameters[:1] == ("--",) else parameters
        yield Inner(script=command.stdin, reads=False, parameters=("sh", *words))
    else:
        read = [each.target for each in command.redirects if each.operator == "<"]
        yield from (Inner(file=name, reads=False) for name in read[-1:])


def _from_file(command: Command, index: int) -> Iterator[Inner]:
    """The script in a file, or the text of a substitution (`bash <(echo script)`)."""
    if index >= len(command.argv):
        return
    parameters = command.argv[index:]
    script = printed(command.sources_of(index))
    if script:
        yield Inner(script=script, parameters=parameters)
    else:
        yield Inner(file=parameters[0], parameters=parameters)


def source(command: Command) -> Iterator[Inner]:
    """`source <(echo script)`, `. /dev/stdin`."""
    if command.argv[1:2] and command.argv[1] in _STDIN:
        yield from _from_stdin(command, command.argv[2:])
    else:
        yield from _from_file(command, 1)


_SU_VALUED = word_set("-c -g -G -s -T -w -u --command --group --supp-group --shell --user --session-command")


def su(command: Command) -> Iterator[Inner]:
    """`su -c script`, `su -lc script`, `su root -- -c script`, `runuser -u me -- program`."""
    scripts = list(option_scripts("-c", "-lc", "--command", "--session-command")(command))
    if not scripts and any(values_of(command.args, "-u", "--user")):
        yield from command_after(command, Line(_SU_VALUED))
    yield from scripts
    if not scripts and command.stdin is not None:
        yield Inner(script=command.stdin, reads=False)


def trap(command: Command) -> Iterator[Inner]:
    operands = command.operands()
    if len(operands) > 1:
        yield Inner(script=operands[0])


def on_stdin(command: Command) -> Iterator[Inner]:
    """`at now`, `batch`: the script on standard input runs later."""
    if command.stdin is not None and not command.has_flag("-f", "-l", "-r", "-d", "-c", valued="fqt"):
        yield Inner(script=command.stdin, reads=False)


def _one_or_many(command: Command, line: Line, at: int) -> Iterator[Inner]:
    """A wrapper that passes one word to a shell, and runs several words directly: `tmux new 'make test'`."""
    for inner in command_after(command, line, at):
        alone = len(inner.argv) == 1
        yield Inner(script=inner.argv[0], remote=line.remote, reads=False) if alone else inner


def flock(command: Command) -> Iterator[Inner]:
    valued = word_set("-w -E --timeout --conflict-exit-code")
    start = 2 + operand_index(command.args, valued)
    if command.argv[start : start + 1] in (("-c",), ("--command",)):
        yield from option_scripts("-c", "--command")(command)
    elif start < len(command.argv):
        yield Inner(command.argv[start:], start=start)


def script(command: Command) -> Iterator[Inner]:
    """`script -qc 'ls' log`; BSD's `script -q log ls`."""
    scripts = [*option_scripts("-c", "-qc", "-qec", "-eqc", "-ec", "-fc", "-qfc", "--command")(command)]
    yield from scripts or command_after(command, Line(word_set("-E -I -O -B -T -m -o -t -F"), operands=1))


_TMUX_VALUED = word_set("-c -e -F -n -s -t -x -y -L -S -f -l -p")
_TMUX_RUNS = word_set(
    "new new-session neww new-window splitw split-window respawnp respawn-pane respawnw respawn-window run run-shell "
    "display-popup popup if if-shell pipe-pane pipep"
)
_KEYS = word_set("Enter C-m KPEnter C-j")


def tmux(command: Command) -> Iterator[Inner]:
    """What a new window or session runs, and what is typed into a window."""
    at = 1 + operand_index(command.args, word_set("-L -S -f -c -T"))
    verb = command.argv[at] if at < len(command.argv) else ""
    if verb in _TMUX_RUNS:
        yield from _one_or_many(command, Line(_TMUX_VALUED), at + 1)
    elif verb in ("send", "send-keys"):
        start = at + 1 + operand_index(command.argv[at + 1 :], word_set("-t -N -c"))
        typed = " ".join("\n" if word in _KEYS else word for word in command.argv[start:])
        if typed.strip():
            yield Inner(script=typed, reads=False)


def screen(command: Command) -> Iterator[Inner]:
    words = command.argv
    if "stuff" in words:
        typed = words[words.index("stuff") + 1 :]
        yield from (Inner(script=each.replace("\\n", "\n").replace("^M", "\n"), reads=False) for each in typed[:1])
    elif not {"-r", "-x", "-ls", "-X"} & set(words):
        yield from command_after(command, Line(word_set("-S -c -e -h -p -s -t -T")))
