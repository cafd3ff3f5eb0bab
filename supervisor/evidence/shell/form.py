"""The form of a shell script: its words after quoting, known options in one order, paths resolved.

Only a script of plain words (see `plain`) has another form than its text: an expansion, a here-document or a reserved
word can change what any other word means. A form never tells more alike than the script alone proves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell.plain import Plain, operators, plain_commands

# Quoting changes what a word with one of these means: patterns, homes, zsh's `=program`.
_QUOTING_MATTERS = frozenset("*?^~=")


class Options(NamedTuple):
    """What is known of a program. `flags` are options that take no value and whose order does not matter, by every
    spelling. `files`: all of its operands are paths, it touches nothing else, and its options come first (after the
    operands, GNU and BSD read them differently). `before`: the number of operands before the paths, such as the mode
    of chmod."""

    flags: dict[str, str]
    files: bool
    before: int = 0


def _of(spellings: str, *, files: bool, before: int = 0) -> Options:
    """`-r=-R=--recursive -v`: three spellings of one option, and another option."""
    groups = [group.split("=") for group in spellings.split()]
    return Options({name: group[0] for group in groups for name in group}, files, before)


# Options of coreutils (GNU and BSD) and git that take no value. Options that overrule each other (`-f` and `-i` of rm)
# are not in one list, since the last of them counts. No program here changes the directory for those after it.
_PROGRAMS: dict[tuple[str, ...], Options] = {
    ("rm",): _of("-r=-R=--recursive -f=--force -v=--verbose -d=--dir --one-file-system --preserve-root", files=True),
    ("rmdir",): _of("-p=--parents -v=--verbose --ignore-fail-on-non-empty", files=True),
    ("unlink",): _of("", files=True),
    ("mkdir",): _of("-p=--parents -v=--verbose", files=True),
    ("touch",): _of("-a -m -c=--no-create", files=True),
    ("cp",): _of("-r -R=--recursive -a=--archive -p -u=--update -f=--force -v=--verbose", files=True),
    ("mv",): _of("-f=--force -v=--verbose", files=True),
    ("cat",): _of("-n=--number -s=--squeeze-blank", files=True),
    ("ls",): _of("-l -a=--all -h=--human-readable -d=--directory -R=--recursive", files=True),
    ("shred",): _of("-f=--force -u -v=--verbose -z=--zero", files=True),
    ("chmod",): _of("-R=--recursive -v=--verbose -f=--silent=--quiet", files=True, before=1),
    ("chown",): _of("-R=--recursive -v=--verbose -f=--silent=--quiet", files=True, before=1),
    ("chgrp",): _of("-R=--recursive -v=--verbose -f=--silent=--quiet", files=True, before=1),
    ("git", "push"): _of(
        "-f=--force --force-with-lease --force-if-includes --all --mirror --tags --follow-tags --atomic "
        "-u=--set-upstream -n=--dry-run -d=--delete --prune --porcelain --no-verify",
        files=False,
    ),
    ("git", "reset"): _of("-q=--quiet --hard", files=False),
    ("git", "clean"): _of("-f=--force -d -x -n=--dry-run -q=--quiet", files=False),
    ("git", "branch"): _of("-D -q=--quiet -r=--remotes", files=False),
    ("git", "checkout"): _of("-f=--force -q=--quiet", files=False),
    ("git", "fetch"): _of("--all -p=--prune -t=--tags -f=--force", files=False),
    ("git", "stash", "drop"): _of("-q=--quiet", files=False),
}
_NOTHING = Options({}, files=False)


def form_of_script(script: str, cwd: str | None) -> list[Any]:
    """The form of a script that starts in `cwd`: values of JSON that are equal only for scripts that do the same."""
    found = _plain(script)
    if found is None:
        return ["text", script.strip(_BLANK)]
    marks = [";" if mark == "\n" else mark for mark in operators(script)]
    return ["plain", marks, [*_forms(found, cwd)]]


def files_of_script(script: str, cwd: str | None) -> list[str] | None:
    """The paths that a script touches, resolved; None unless the script alone proves that it touches nothing else."""
    found = _plain(script)
    if not found or cwd is None:
        return None
    paths: list[str] = []
    for command in found:
        known, words = _known(command.words)
        flags, operands = _divided(words, known)
        named = [*operands[known.before :], *(each.target for each in command.redirects if each.operator != ">&")]
        if not known.files or flags is None or command.environment or not all(map(_is_sure, named)):
            return None
        paths += (resolve(word, cwd) for word in named)
    return [path for path in paths if path != "/dev/null"]


def _is_sure(word: str) -> bool:
    """Whether a word names the path that it spells: no pattern, no other user's home, and no step up, which a link may
    turn elsewhere."""
    is_home = word == "~" or word.startswith("~/")
    return _PATTERNS.isdisjoint(word) and ".." not in word.split("/") and (is_home or not word.startswith("~"))


_PATTERNS = frozenset("*?[")
_BLANK = " \t\n"  # what the shell drops around a script; it keeps every other white space


def _plain(script: str) -> list[Plain] | None:
    """The commands of a plain script whose quoting means nothing; None for any other."""
    script = script.strip(_BLANK)
    found = plain_commands(script)
    if found is None or not ("'" in script or '"' in script):
        return found
    words = (word for command in found for word in (*command.words, *(value for _, value in command.environment)))
    return None if any(not _QUOTING_MATTERS.isdisjoint(word) for word in words) else found


def _forms(commands: Sequence[Plain], cwd: str | None) -> Iterator[list[Any]]:
    """The form of each command. Behind a program that is not known, paths may begin elsewhere (`cd`), and count as
    they are spelled."""
    for command in commands:
        known, words = _known(command.words)
        cwd = None if known is _NOTHING else cwd
        flags, operands = _divided(words, known)
        if flags is None:
            flags, operands = [], words
        elif known.files:
            operands[known.before :] = [_path(word, cwd) for word in operands[known.before :]]
        name = command.words[: len(command.words) - len(words)]
        redirects = [[each.operator, each.descriptor, _path(each.target, cwd)] for each in command.redirects]
        yield [name, sorted(flags), operands, redirects, [list(each) for each in command.environment]]


def _known(words: Sequence[str]) -> tuple[Options, list[str]]:
    """What is known of the program that a command runs, and the words after its name."""
    for length in range(min(len(words), 3), 0, -1):
        if known := _PROGRAMS.get(tuple(words[:length])):
            return known, [*words[length:]]
    return _NOTHING, [*words[1:]]


def _divided(words: Sequence[str], known: Options) -> tuple[list[str] | None, list[str]]:
    """The options in their first spelling, and the operands. Options are None where one of them is not known, ends the
    options (`--`) or comes too late: then every word keeps its place."""
    flags: list[str] = []
    operands: list[str] = []
    for word in words:
        given = _spelt_out(word)
        if any(each not in known.flags for each in given) or (given and operands and known.files):
            return None, [*words]
        flags += (known.flags[each] for each in given)
        operands += [] if given else [word]
    return flags, operands


def _spelt_out(word: str) -> list[str]:
    """`-rf` as `-r`, `-f`; none for an operand."""
    if word[:1] != "-" or word == "-":
        return []
    return [word] if word.startswith("--") else [f"-{letter}" for letter in word[1:]]


def _path(word: str, cwd: str | None) -> str:
    """A path, resolved; as it is spelled where that proves nothing: an unknown start, a step up, an end in `/`, where a
    link is followed."""
    if cwd is None or ".." in word.split("/") or word.endswith(("/", "/.")) or word == ".":
        return word
    return resolve(word, cwd)
