"""What `find`, `ls` and their kin name, as far as the text tells: the items of `find -exec` and of `… | xargs`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command

_ACTIONS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_NO_TESTS = frozenset({"-depth", "-mindepth", "-maxdepth", "-mount", "-xdev", "-print", "-print0", "-delete", "-type"})
_NO_TESTS |= {"-prune", "-regextype", "-follow", "-noleaf", "-ignore_readdir_race", "-readable", "-writable"}
_NAMES = frozenset({"-iname", "-name", "-path", "-ipath", "-wholename"})
_PASS_ON = frozenset({"cat", "sort", "tac", "tee", "tr", "uniq"})
_PATTERN = frozenset("*?[")


def find_roots(command: Command) -> tuple[list[str], bool]:
    """Where a `find` starts, and whether its tests pick only some of what it meets (`-name`, `-mtime`, …)."""
    roots, args = _split(command)
    return roots, _picks(_without_exceptions(args))


def found_by(command: Command) -> list[str]:
    """What a `find` finds: its roots where no test picks; below them, the `.git` or `.ssh` that it looks for by name.

    Nothing where only running tells.
    """
    roots, args = _split(command)
    args = _without_exceptions(args)
    if not _picks(args):
        return roots
    at = args.index("-name") if "-name" in args else len(args)
    name = args[at + 1] if at + 1 < len(args) else ""
    is_hidden = name.startswith(".") and HOLE not in name and _PATTERN.isdisjoint(name)
    if not is_hidden or "/" in roots or _picks(args[:at] + args[at + 2 :]):
        return []
    return [f"{root.rstrip('/')}/{name}" for root in roots]


def actions_of(args: list[str]) -> Iterator[list[str]]:
    """The commands that a `find` runs, each as its words."""
    words: list[str] | None = None
    for word in args:
        if word in _ACTIONS:
            words = []
        elif words is not None and word in (";", "+"):
            yield words
            words = None
        elif words is not None:
            words.append(word)
    if words:
        yield words


def piped(upstream: Sequence[Command]) -> list[str]:
    """The names that a pipe brings, where its first command tells and the others pass on every one of them."""
    in_words = {id(by) for each in upstream for _, by in each.sources}  # `$(…)`: its output is a word, no item
    stages = [each for each in upstream if id(each) not in in_words and (not each.wraps or each.program == "find")]
    if not stages or any(each.program not in _PASS_ON for each in stages[1:]):
        return []
    first = stages[0]
    if first.program in ("find", "gfind") and not any(True for _ in actions_of(list(first.args))):
        return found_by(first)
    return _listed(first) if first.program == "ls" else []


def _listed(command: Command) -> list[str]:
    """`ls -d /home/*/` prints what it is given, `ls` what stands in the working directory."""
    operands = command.operands()
    if not operands or operands == ["."]:
        return ["*"]
    return [word for word in operands if HOLE not in word and (command.has_flag("-d") or _PATTERN & set(word))]


def _split(command: Command) -> tuple[list[str], list[str]]:
    """Where a `find` starts, and its expression."""
    args = list(command.args)
    while args and (args[0] in ("-H", "-L", "-P", "-D") or args[0].startswith("-O")):
        del args[: 2 if args[0] == "-D" else 1]
    roots: list[str] = []
    while args and not args[0].startswith(("-", "(", "!")):
        roots.append(args.pop(0))
    return roots or ["."], args


def _without_exceptions(args: list[str]) -> list[str]:
    """An expression without what it leaves out by name: all but one is as good as all."""
    kept: list[str] = []
    words = iter(args)
    for word in words:
        if word in ("!", "-not"):
            test = next(words, "")
            if test in _NAMES:
                next(words, None)
            else:
                kept += [word, test]
        else:
            kept.append(word)
    return kept


def _picks(args: list[str]) -> bool:
    tests = {word for word in args if word.startswith("-") and len(word) > 2}
    return "l" in args or bool(tests - _NO_TESTS - _ACTIONS - {word for words in actions_of(args) for word in words})
