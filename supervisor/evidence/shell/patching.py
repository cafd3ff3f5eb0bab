"""How a command line applies a patch: `patch`, `git apply`, `git am`, Codex's `apply_patch`; and where its text is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from supervisor.evidence.patch import Change, FileOperation, read_patch, reversed_changes
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.git import GitCall, git_call
from supervisor.evidence.shell.inner import values_of, word_set

CODEX = frozenset({"apply_patch", "applypatch", "apply-patch"})
PATCHERS = CODEX | {"patch", "git", "gpatch"}
_VERBS = frozenset({"apply", "am"})
_MOST_DIGITS = 9  # of the number of leading path components to strip
_SHOWS = ("check", "stat", "numstat", "summary", "abort", "quit", "skip", "continue", "resolved", "show-current-patch")
_VALUED = word_set(
    "-p -d -i -o -r -B -D -F -g -V -Y -z --strip --directory --input --output --reject-file --prefix --ifdef --fuzz"
    " --get --version-control --basename-prefix --suffix --reject-format --read-only --quoting-style"
)


class Applied(NamedTuple):
    """How a patch is applied. It is the `text`; else it is in `files` (resolved paths), or on standard input if there
    are none. Its names are relative to `cwd`; `path` replaces the file that it names; `output` is where the result goes
    instead. `is_bare`: names count without their directories (POSIX `patch` without `-p`)."""

    cwd: str
    files: tuple[str, ...] = ()
    text: str | None = None
    strip: int | None = None
    is_reversed: bool = False
    path: str = ""
    output: str = ""
    is_bare: bool = False


def applied(command: Command) -> Applied | None:
    """What a command line applies; None if it applies nothing."""
    if command.program in CODEX:
        return Applied(command.cwd, text=command.args[0] if command.args else None)
    if command.program == "git":
        call = git_call(command) if not _VERBS.isdisjoint(command.args) else None
        return _by_git(call) if call is not None and call.verb in _VERBS else None
    return _by_patch(command)


def files_read(command: Command) -> tuple[str, ...]:
    """The files that contain the patch that a command applies, as resolved paths."""
    how = applied(command)
    if how is None or how.text is not None:
        return ()
    redirected = tuple(command.path(each.target) for each in command.redirects if each.operator == "<")
    return how.files or (redirected if command.stdin is None else ())


def patch_text(command: Command, text_of: Callable[[str], str | None]) -> str | None:
    """The text of the patch in those files; None if one of them is not known."""
    texts = [text_of(path) for path in files_read(command)]
    return None if not texts or None in texts else "\n".join(filter(None, texts))


def text_applied(command: Command, how: Applied) -> str | None:
    """The text of the patch; None if it is not known."""
    if how.text is not None:
        return how.text
    return command.file_text if files_read(command) else command.stdin


def changes_applied(command: Command) -> tuple[Change, ...]:
    """What a command's patch changes, under the names that it uses; empty if its text is not known.

    Raises Unreadable if the format of the patch is unknown.
    """
    how = applied(command)
    text = text_applied(command, how) if how is not None else None
    if how is None or not text or not text.strip() or text.strip() == HOLE:
        return ()
    changes = read_patch(text, strip=how.strip, path=how.path)
    if how.is_bare:
        changes = tuple(each for change in changes for each in _with_bare_name(change))
    return reversed_changes(changes) if how.is_reversed else changes


def _with_bare_name(change: Change) -> Iterator[Change]:
    """`patch` without `-p` may use the bare file name, in its working directory."""
    yield change
    name = change.path.rpartition("/")[2]
    if (
        change.operation in (FileOperation.ADD, FileOperation.EDIT, FileOperation.DELETE)
        and name
        and name != change.path
    ):
        yield replace(change, path=name)


def _by_git(call: GitCall) -> Applied | None:
    if call.has(*_SHOWS) and not call.has("apply"):
        return None
    command = call.command
    files = tuple(command.path(word) for word in call.words if word != "-")
    cwd = command.path(call.options["directory"]) if call.options.get("directory") else command.cwd
    return Applied(cwd, files, strip=_number(call.options.get("p")), is_reversed=call.has("reverse"))


def _by_patch(command: Command) -> Applied | None:
    if command.has_flag("--dry-run", "--check", "-C", "--help", "--version", "-v", valued="pdiorBDFgVYz"):
        return None
    operands = command.operands(_VALUED)
    directory = _last(values_of(command.args, "-d", "--directory"))
    cwd = command.path(directory) if directory else command.cwd
    inside = Command((), cwd=cwd)
    named = _last(values_of(command.args, "-i", "--input")) or "".join(operands[1:2])
    output = _last(values_of(command.args, "-o", "--output"))
    strip = _number(_last(values_of(command.args, "-p", "--strip")))
    return Applied(
        cwd,
        (inside.path(named),) if named and named != "-" else (),
        strip=strip,
        is_reversed=command.has_flag("-R", "--reverse", valued="pdiorBDFgVYz"),
        path=operands[0] if operands else "",
        output="" if output == "-" else output,
        is_bare=strip is None,
    )


def _last(values: Iterator[str]) -> str:
    return ([*values] or [""])[-1]


def _number(digits: str | None) -> int | None:
    return int(digits) if digits and digits.isdecimal() and len(digits) <= _MOST_DIGITS else None
