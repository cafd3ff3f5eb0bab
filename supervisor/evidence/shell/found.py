"""The paths that `find`, `ls` and similar programs list, if the text determines them: the items of `find -exec` and
`… | xargs`."""

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
    """Where a `find` starts, and whether its tests select only some of the files (`-name`, `-mtime`, …)."""
    roots, args = _split(command)
    return roots, _picks(_without_exceptions(args))


def found_by(command: Command) -> list[str]:
    """What a `find` finds: its roots if no test selects; below them, the `.git` or `.ssh` that it looks for by name.

    Empty if that is known only at run time.
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
    """The names that come through a pipe, if its first command determines them and the others pass on all of them."""
    in_words = {id(source) for each in upstream for _, source in each.sources}  # `$(…)`: output that is a word
    stages = [each for each in upstream if id(each) not in in_words and (not each.wraps or each.program == "find")]
    if not stages or not all(map(_passes_on, stages[1:])):
        return []
    first = stages[0]
    if first.program in ("find", "gfind") and not any(True for _ in actions_of(list(first.args))):
        return found_by(first)
    if first.program == "git" and first.args == ("ls-files",):
        return ["*"]
    return _listed(first) if first.program == "ls" else []


def _passes_on(command: Command) -> bool:
    """Whether a stage of a pipeline passes on all lines, or all but those with a word: `grep -v keep`."""
    return command.program in _PASS_ON or (
        command.program == "grep" and command.args[:1] in (("-v",), ("-vE",), ("-Ev",))
    )


def _listed(command: Command) -> list[str]:
    """`ls -d /home/*/` prints its operands, `ls` the entries of the working directory."""
    operands = command.operands()
    if not operands or operands == ["."]:
        return ["*"]
    if command.has_flag("-d"):
        return [word for word in operands if HOLE not in word]
    # A listing prints bare names. Whoever pipes the names of a folder far away means its entries.
    entries = (word if _PATTERN & set(word) else f"{word.rstrip('/')}/*" for word in operands if HOLE not in word)
    return [word for word in entries if word.startswith(("/", "~")) or word in operands]


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
    """An expression without the names that it excludes: all files but one count as all."""
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


_AGES = frozenset({"-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin"})


def selects_recent(args: Sequence[str]) -> bool:
    """Whether the tests of a `find` select the files that are younger than an age (`-mtime -7`, `! -mtime +7`,
    `-newer f`), not the older ones. With limits on both sides it selects a period."""
    signs = []
    for at, word in enumerate(args[:-1]):
        negated = at > 0 and args[at - 1] in ("!", "-not")
        if word in _AGES and args[at + 1][:1] in ("+", "-"):
            signs.append((args[at + 1][0] == "-") is not negated)
        elif word in ("-newer", "-newermt", "-newerct"):
            signs.append(not negated)
    return bool(signs) and all(signs)
