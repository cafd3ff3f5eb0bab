"""Programs that read the contents of files, or change them in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from supervisor.evidence import commands
from supervisor.evidence.commands import Role
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading, never_quiet
from supervisor.evidence.shell import Command

_Words = Iterable[tuple[str, str]]  # a word that names a file, and the verb


_OPENS = ("<", "open", "slurp", "read")  # in Perl
# Parts of file names that suggest confidential contents. Other files in the workspace are read by the thousand.
_HINTS = ("cred", "id_", "key", "pass", "pem", "secret", "token")


def _is_ordinary(words: Sequence[str]) -> bool:
    """Whether no specialist needs to judge the reading of these files: plain names below the working directory."""
    return not any(_is_notable(word) for word in words)


def _is_notable(word: str) -> bool:
    if word.startswith(("/", "~", ".", "=")) or "/." in word or "=" in word:
        return True
    lower = word.lower()
    return any(hint in lower for hint in _HINTS)


def _reads_ordinary(words: Sequence[str]) -> bool:
    """As `_is_ordinary`, for a program that writes with some options: no argument may be such an option."""
    return _is_ordinary(words) and not any(word.startswith("-") and ("i" in word or "o" in word) for word in words)


def _shows_ordinary(words: Sequence[str]) -> bool:
    """As `_reads_ordinary`, for `sed`, whose script is not a file."""
    return _reads_ordinary(_behind_program(words))


def _behind_program(words: Sequence[str]) -> Sequence[str]:
    """The words without the first operand, which is the script or pattern unless an option may contain that."""
    if any(word.startswith("-") and ("e" in word or "f" in word) for word in words):
        return words
    first = next((number for number, word in enumerate(words) if not word.startswith("-")), len(words))
    return [*words[:first], *words[first + 1 :]]


def _names_no_output(words: Sequence[str]) -> bool:
    return not any(word.startswith("-") and "o" in word.lower() for word in words)


def _writing(words: Callable[[Command], _Words], is_quiet: Callable[[Sequence[str]], bool] = never_quiet) -> Reading:
    """A program that writes the files that its words name."""

    def read(command: Command, ground: Ground) -> Iterator[Effect]:
        return (ground.on_path(Act.WRITE, word, command, verb=verb) for word, verb in words(command))

    return Reading(frozenset({Act.WRITE}), read, is_quiet)


def _teed(command: Command) -> _Words:
    verb = "extend" if command.has_flag("-a", "--append") else "replace"
    return ((word, verb) for word in command.operands())


def _truncated(command: Command) -> _Words:
    return ((word, "truncate") for word in command.operands(frozenset({"-s", "--size", "-r"})))


def _dd(command: Command) -> _Words:
    return ((word[3:], "replace") for word in command.args if word.startswith("of="))


def _downloaded(command: Command) -> _Words:
    """`curl -o f`, `wget -O f`; `network` reads the address and the contents."""
    letter, option = ("o", "--output") if command.program == "curl" else ("O", "--output-document")
    for word, value in pairwise(command.args):
        if word == option or (word.startswith("-") and not word.startswith("--") and word.endswith(letter)):
            yield value, "replace"


def _edited(command: Command) -> _Words:
    """`ed f`, `ex f`, `vim -c … f`."""
    return ((word, "edit") for word in command.operands(frozenset({"-c", "-S", "-u", "-p", "--cmd"})))


def _in_place(command: Command, ground: Ground) -> Iterator[Effect]:
    """`sed -i`, `perl -pi` change every operand except the program text, which an option may contain instead. Without
    the option they only read."""
    options = [word for word in command.args if word.startswith("-") and word != "-"]
    clusters = [word[1:].partition("e")[0] for word in options if word[1] not in "-MIm"]
    if command.program == "perl" and not _reads_arguments(command, clusters):
        return
    changes = any("i" in cluster for cluster in clusters) or any(word.startswith("--in-place") for word in options)
    brings = ("-e", "-f", "-E") if command.program == "perl" else ("-e", "-f", "--expression", "--file")
    takes = frozenset(word for word in options if word in brings or (word[:2] != "--" and word[-1:] in "ef"))
    given = bool(takes) or any(word.startswith(("--expression=", "--file=", "-e", "-f")) for word in options)
    operands = [word for word in command.operands(takes) if word or not changes]  # BSD's `-i ''` keeps no copy
    for word in operands if given else operands[1:]:
        if not changes:
            yield ground.on_path(Act.READ, word, command)
            continue
        yield ground.on_path(Act.WRITE, word, command, verb="edit")
        if suffix := _suffix(options):
            yield ground.on_path(Act.WRITE, word + suffix, command, verb="replace")


def _reads_arguments(command: Command, clusters: Sequence[str]) -> bool:
    """Whether Perl reads the files that its operands name: line by line (`-n`, `-p`), or by its own code."""
    codes = [code for option, code in pairwise(command.args) if option.startswith("-") and option.endswith(("e", "E"))]
    loops = any(letter in cluster for cluster in clusters for letter in "npi")
    return loops or not codes or any(opening in code for code in codes for opening in _OPENS)


def _suffix(options: list[str]) -> str:
    """`-i.bak` and `--in-place=.bak` keep a copy of the old file beside it."""
    for word in options:
        before, found, after = word.partition("i")
        if found and after.startswith((".", "~")) and not word.startswith("--") and len(before) < 4:
            return after
        if word.startswith("--in-place="):
            return word.partition("=")[2]
    return ""


def _sorted(command: Command) -> _Words:
    """`sort -o f f` may write to its input, because it reads all input first."""
    line = commands.read(command.argv)
    return ((each.value, "replace") for each in line.of(Role.WRITES)) if line else ()


def _is_not_in_place(words: Sequence[str]) -> bool:
    return "inplace" not in words


def _awk(command: Command) -> _Words:
    """`gawk -i inplace '…' f` writes the operands after the program text."""
    if any(pair == ("-i", "inplace") for pair in pairwise(command.args)):
        operands = command.operands(frozenset({"-i", "-v", "-F", "-f", "--include", "--assign", "--file"}))
        files = operands if command.has_flag("-f", "--file", valued="ivF") else operands[1:]
        yield from ((word, "edit") for word in files if "=" not in word)


def _jq(command: Command, ground: Ground) -> Iterator[Effect]:
    """`--arg name text` and the words after `--args` are texts, not files."""
    words = list(command.args)
    for option, taken in (("--arg", 2), ("--argjson", 2), ("--indent", 1)):
        while option in words:
            at = words.index(option)
            del words[at : at + 1 + taken]
    texts = [words.index(option) for option in ("--args", "--jsonargs") if option in words]
    files = Command(("jq", *words[: min(texts, default=len(words))])).operands(frozenset({"-f", "--from-file"}))
    brought = command.has_flag("-f", "--from-file")
    inside = command.program == "yq" and command.has_flag("-i", "--inplace")
    act, verb = (Act.WRITE, "edit") if inside else (Act.READ, "")
    yield from (ground.on_path(act, word, command, verb=verb) for word in files[0 if brought else 1 :])


def _jq_is_quiet(words: Sequence[str]) -> bool:
    return "-i" not in words and "--inplace" not in words and _is_ordinary(words)


_BOTH = frozenset({Act.READ, Act.WRITE})
PROGRAMS = {
    **dict.fromkeys(("tee", "sponge"), _writing(_teed)),
    "truncate": _writing(_truncated),
    "dd": _writing(_dd),
    **dict.fromkeys(("curl", "wget"), _writing(_downloaded, _names_no_output)),
    **dict.fromkeys(("ed", "ex", "vim", "vi", "nvim"), _writing(_edited)),
    "sort": _writing(_sorted, _names_no_output),
    **dict.fromkeys(("sed", "gsed"), Reading(_BOTH, _in_place, _shows_ordinary)),
    "perl": Reading(_BOTH, _in_place, _reads_ordinary),
    **dict.fromkeys(("awk", "gawk", "mawk"), _writing(_awk, _is_not_in_place)),
    **dict.fromkeys(("jq", "yq"), Reading(_BOTH, _jq, _jq_is_quiet)),
}
