"""Commands that run another command for each item that they find or are given: `xargs`, `parallel`, `find -exec`."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.evidence.paths import HOLE
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import Inner, operand_index, values_of, word_set
from supervisor.evidence.shell.words import ansi_c

_MOST_ITEMS = 8  # how many items are run one by one
_MOST_TOGETHER = 256  # how many are handed to one command


_XARGS_VALUED = word_set("-a -d -E -I -J -L -n -P -s -R -S --arg-file --delimiter --max-args --max-procs")


def xargs(command: Command) -> Iterator[Inner]:
    start = 1 + operand_index(command.args, _XARGS_VALUED)
    template = command.argv[start:] or ("echo",)
    options = Command(command.argv[:start])
    from_file = options.has_flag("-a", "--arg-file", valued="dEIJLnPsRS")
    text = HOLE if command.stdin is None or from_file else command.stdin
    mark = _replacement(options.args)
    items = _items(text, mark, options) or [HOLE]
    if mark is None:
        yield Inner((*template, *items[:_MOST_TOGETHER]), reads=False)
        return
    for item in items[:_MOST_ITEMS]:
        yield Inner(tuple(word.replace(mark, item) for word in template), reads=False)


def _items(text: str, mark: str | None, options: Command) -> list[str]:
    """What standard input is cut into: at NULs, at a delimiter, at line ends, at white space."""
    delimiter = next(values_of(options.args, "-d", "--delimiter"), None)
    if options.has_flag("-0", "--null", valued="aEIiLlnPsd"):
        return [item for item in text.rstrip("\n").split("\0") if item]
    if delimiter:
        return text.rstrip("\n").split(ansi_c(delimiter))
    return text.split() if mark is None else text.splitlines()


def _replacement(options: tuple[str, ...]) -> str | None:
    for index, word in enumerate(options):
        if word in ("-I", "-J") and index + 1 < len(options):
            return options[index + 1]
        if word.startswith("-I"):
            return word[2:]
        if word.startswith(("-i", "--replace")):
            return word.removeprefix("--replace").removeprefix("-i").removeprefix("=") or "{}"
    return None


def parallel(command: Command) -> Iterator[Inner]:
    start = 1 + operand_index(command.args, word_set("-j -P -n -N -a --jobs --results --joblog --arg-file --colsep"))
    words = command.argv[start:]
    if ":::" in words:
        cut = words.index(":::")
        template, items = words[:cut], [word for word in words[cut + 1 :] if word != ":::"]
    else:
        template, items = words, (command.stdin or HOLE).splitlines()
    for item in items[:_MOST_ITEMS]:
        line = " ".join(template)
        yield Inner(script=line.replace("{}", item) if "{}" in line else f"{line} {item}".strip(), reads=False)


_FIND_ACTIONS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_FIND_NO_TESTS = frozenset(
    {"-depth", "-mindepth", "-maxdepth", "-mount", "-xdev", "-print", "-print0", "-delete", "-type"}
)


def find_roots(command: Command) -> tuple[list[str], bool]:
    """Where a `find` starts, and whether its tests pick only some of what it meets (`-name`, `-mtime`, …)."""
    args = list(command.args)
    while args and (args[0] in ("-H", "-L", "-P", "-D") or args[0].startswith("-O")):
        del args[: 2 if args[0] == "-D" else 1]
    roots: list[str] = []
    while args and not args[0].startswith(("-", "(", "!")):
        roots.append(args.pop(0))
    tests = {word for word in args if word.startswith("-") and len(word) > 2}
    picks = "l" in args or bool(tests - _FIND_NO_TESTS - _FIND_ACTIONS - _words_of_actions(args))
    return roots or ["."], picks


def _words_of_actions(args: list[str]) -> set[str]:
    return {word for words in _actions_of(args) for word in words}


def _actions_of(args: list[str]) -> Iterator[list[str]]:
    words: list[str] | None = None
    for word in args:
        if word in _FIND_ACTIONS:
            words = []
        elif words is not None and word in (";", "+"):
            yield words
            words = None
        elif words is not None:
            words.append(word)
    if words:
        yield words


def find(command: Command) -> Iterator[Inner]:
    roots, picks = find_roots(command)
    for words in _actions_of(list(command.args)):
        for root in [HOLE] if picks else roots[:_MOST_ITEMS]:
            yield Inner(tuple(word.replace("{}", root) for word in words), reads=False)


def fd(command: Command) -> Iterator[Inner]:
    """`fd pattern -x rm {}`."""
    for option in ("-x", "--exec", "-X", "--exec-batch"):
        if option in command.args:
            words = command.args[command.args.index(option) + 1 :]
            yield Inner(tuple(word.replace("{}", HOLE) for word in words if word not in (";", "\\;")), reads=False)


def entr(command: Command) -> Iterator[Inner]:
    """`ls | entr make test`, `ls | entr -s 'make test'`."""
    start = 1 + operand_index(command.args, frozenset())
    words = tuple(word.replace("/_", HOLE) if word == "/_" else word for word in command.argv[start:])
    if words:
        joined = command.has_flag("-s")
        yield Inner(script=" ".join(words), reads=False) if joined else Inner(words, start=start, reads=False)
