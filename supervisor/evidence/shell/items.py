"""Commands that run another command for each item that they find or are given: `xargs`, `parallel`, `find -exec`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import chain

from supervisor.evidence.reading.escapes import ansi_c
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.found import actions_of, found_by, piped
from supervisor.evidence.shell.inner import Inner, operand_index, values_of, word_set

_BARE = frozenset(" \t\n;|&<>()$`'\"\\")  # characters that end a word unless quoted
_MOST_ITEMS = 24  # items that run one by one; the rest is passed to one command
_MOST_TOGETHER = 256  # items that are passed to one command


_XARGS_VALUED = word_set("-a -d -E -I -J -L -n -P -s -R -S --arg-file --delimiter --max-args --max-procs")


def xargs(command: Command) -> Iterator[Inner]:
    start = 1 + operand_index(command.args, _XARGS_VALUED)
    template = command.argv[start:] or ("echo",)
    options = Command(command.argv[:start])
    from_file = options.has_flag("-a", "--arg-file", valued="dEIJLnPsRS")
    text = HOLE if command.stdin is None or from_file else command.stdin
    mark = _replacement(options.args)
    listed = piped(command.upstream) if command.stdin is None and not from_file else None
    known = _items(text, mark, options) if listed is None else listed
    items = known or [HOLE]
    if mark is None:
        yield Inner((*template, *items[:_MOST_TOGETHER]), reads=False)
        return
    for item in items[:_MOST_ITEMS]:
        name = item if listed is None else item.rpartition("/")[2] or item
        words = (item if word == mark else word.replace(mark, name) for word in template)
        yield Inner(tuple(words), reads=False)
    if rest := items[_MOST_ITEMS:]:
        yield Inner(_with_all(template, mark, rest), reads=False)


def _with_all(template: Sequence[str], mark: str, items: Sequence[str]) -> tuple[str, ...]:
    """One command for several items, instead of one for each, so that none of them is skipped."""
    words = (items[:_MOST_TOGETHER] if word == mark else [word.replace(mark, " ".join(items))] for word in template)
    return tuple(chain.from_iterable(words))


def _items(text: str, mark: str | None, options: Command) -> list[str]:
    """The items on standard input, split at NULs, at a delimiter, at line ends or at white space."""
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


_GIVES_ITEMS = frozenset({"fd", "fdfind", "find", "gxargs", "parallel", "xargs"})
_MOST_WRITERS = 8  # commands in front of xargs that are followed


def item_sources(command: Command, argv: Sequence[str]) -> tuple[tuple[int, Command], ...]:
    """The commands that print the items in the words of what xargs or find runs."""
    if command.program not in _GIVES_ITEMS:
        return ()
    writers = command.upstream[-_MOST_WRITERS:] or (command,)
    return tuple((at, by) for at, word in enumerate(argv) if HOLE in word for by in writers)


def parallel(command: Command) -> Iterator[Inner]:
    start = 1 + operand_index(command.args, word_set("-j -P -n -N -a --jobs --results --joblog --arg-file --colsep"))
    words = command.argv[start:]
    if ":::" in words:
        cut = words.index(":::")
        template, items = words[:cut], [word for word in words[cut + 1 :] if word != ":::"]
    else:
        template, items = words, (command.stdin or HOLE).splitlines()
    if rest := items[_MOST_ITEMS:]:
        yield Inner(_with_all(template if "{}" in " ".join(template) else (*template, "{}"), "{}", rest), reads=False)
    for item in items[:_MOST_ITEMS]:
        if any(" " in word for word in template[1:]):  # a shell would split these, so no script is made
            yield Inner(tuple(word.replace("{}", item) for word in template), reads=False)
            continue
        line = " ".join(template)
        given = shlex.quote(item) if line and not _BARE.isdisjoint(item) else item  # as parallel itself quotes it
        yield Inner(script=line.replace("{}", given) if "{}" in line else f"{line} {given}".strip(), reads=False)


def find(command: Command) -> Iterator[Inner]:
    for words in actions_of(list(command.args)):
        for root in found_by(command)[:_MOST_ITEMS] or [HOLE]:
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
