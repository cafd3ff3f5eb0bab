"""Whether a command is done to the whole that contains what the request names: the directory of a file, the domain of a
unit, the database of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from supervisor.evidence.reading.paths import REBUILT, within
from supervisor.evidence.shell import HOLE, Command
from supervisor.evidence.situation.deeds import Deed
from supervisor.evidence.situation.wider.filters import Beyond
from supervisor.evidence.situation.wider.request import Request, has_word
from supervisor.evidence.situation.wider.words import compiled, extent, extents, word_set

_MOST = 40  # names, and words of a command
_ONLY_PLACE = re.compile(
    r"(?i)([\w.-]+/[\w./-]*\w) only\b"
    r"|\b(?:only|nur|seulement|solo|apenas) (?:in|under|dans|en|em) ([\w.-]+/[\w./-]*\w)"
)
_PATH = re.compile(r"(?:[A-Za-z]:|\\|~|\.{0,2})(?:[/\\][\w.@+-]+){2,}|[\w.@-]+(?:/[\w.@+-]+)+")
_SHARED = re.compile(r"[A-Za-z]{1,4}=[^,\n]{1,60}(?:,[A-Za-z]{1,4}=[^,\n'\"]{1,60})+")
_MIRRORS = frozenset({"--delete", "--delete-after", "--delete-before", "--delete-during", "--delete-excluded", "/MIR"})
_HERE = frozenset({".", "./", "/", "*", "./*"})
_CHANGES_FINDS = re.compile(
    r"\b(?:xargs|-exec|-execdir|while read)\b.{0,80}\b(?:sed|perl|rm|mv|chmod|chown)\b|-delete\b", re.DOTALL
)
_GRAVE = frozenset({"delete", "stop", "revert"})
_FILES = frozenset("rm rmdir shred rd del chmod chown chgrp setfacl icacls chattr takeown cacls restorecon".split())


def containers(deed: Deed, request: Request) -> Iterator[Beyond]:
    """The wholes that a deed is done to although the request names a part of them."""
    yield from _outside(deed, request)
    if request.named.everything:
        return
    if deed.sort in _GRAVE or _restores(deed.command):
        yield from _above_path(deed.command, request)
        yield from _above_name(deed, request)
        yield from _of_parts(deed.command, request)


def spreads_above(command: Command, request: Request) -> Iterator[Beyond]:
    """Rights that are changed on all below a directory, where the request names one thing below it."""
    if request.named.everything or command.program not in word_set("spreading"):
        return
    if not word_set("recursive").isdisjoint(command.text.split()):
        yield from (each for each in _above_path(command, request) if not _is_own_directory(each))


def _is_own_directory(beyond: Beyond) -> bool:
    """Whether it is only the directory in which the named file lies."""
    above, _, name = beyond.named.rpartition("/")
    return "." in name[1:] and above.endswith(_plain(beyond.mark).lstrip("./"))


def above_workspace(command: Command, text: str, request: Request) -> Iterator[Beyond]:
    """A search from far above the place of the work, whose finds are changed, where the request says the repository."""
    if command.program not in ("grep", "rg", "find", "fd", "egrep") or not _CHANGES_FINDS.search(text):
        return
    home = command.path("~")
    roots = [word for word in command.operands() if word in word_set("far_above") or word == home]
    here = extent("here").search(request.text) if roots and not _stands_alone(roots[0], request.text) else None
    if here and command.cwd != roots[0].rstrip("/"):
        yield Beyond(roots[0], command.text, here.group())


def above_unit(command: Command, request: Request) -> Iterator[Beyond]:
    """A domain or a unit of a directory above the unit that the request names: `DC=firm` for `OU=Lab,DC=firm`."""
    if not any("=" in word and "," in word for word in command.args[:_MOST]):
        return
    own = {each.casefold() for each in _SHARED.findall(request.text)}
    known = [each for line in (request.text, *request.lines, *request.given) for each in _SHARED.findall(line[:400])]
    for word in islice(command.args, _MOST):
        if not _SHARED.fullmatch(word) or word.casefold() in own:
            continue
        for each in known:
            if (
                "," + word.casefold() in each.casefold()
                and request.names(_value(each))
                and not has_word(command.text, _value(each))
            ):
                yield Beyond(word, command.text, _value(each))
                return


def _value(unit: str) -> str:
    return unit.partition(",")[0].partition("=")[2]


def _restores(command: Command) -> bool:
    return any(word in ("restore", "checkout", "recover") for word in command.args[:3]) and command.program != "git"


def _outside(deed: Deed, request: Request) -> Iterator[Beyond]:
    """The directory above the one to which the user limited the work."""
    for place in (one or other for one, other in _ONLY_PLACE.findall(request.text)):
        above = [word for word in deed.targets if word in (".", "./", "/", "*")]
        if above and place not in deed.command.text and not deed.command.cwd.endswith(place.rstrip("/")):
            yield Beyond(above[0], deed.command.text, place)


def _above_path(command: Command, request: Request) -> Iterator[Beyond]:
    """A directory above a path that the request names, and the path itself is not in the command."""
    named = [_plain(path) for path in islice(_PATH.findall(request.text), _MOST)]
    deed_mirrors = not _MIRRORS.isdisjoint(command.args)
    for word in islice(command.args, _MOST):
        if HOLE in word or not _is_path(word, command):
            continue
        top = _top(word, command)
        is_root = top == "" and command.program not in _FILES and command.program != "find"
        if top.rpartition("/")[2] in REBUILT or is_root or (top and _is_named(top, named)):
            continue
        if deed_mirrors and (inner := _below_parent(word, named, command.text)):
            yield Beyond(word, command.text, inner)
            return
        for path in named:
            below = _plain(command.path(path)) if not path.startswith("/") else path
            if below != top and within(below, top or "/") and path.rpartition("/")[2] not in command.text:
                yield Beyond(word, command.text, path)
                return


def _top(word: str, command: Command) -> str:
    """The directory of a word; of an address in a store, the path with the bucket."""
    _, mark, place = word.partition("://")
    return _plain("/" + place.rstrip("*")) if mark else _plain(command.path(word.rstrip("*") or "."))


def _below_parent(word: str, named: list[str], text: str) -> str:
    """The named path of which a mirrored directory is the parent: `films/2024` for `nas:/pool/films/`."""
    place = word.rpartition(":")[2].rstrip("/")
    for path in named:
        parent, _, last = path.rpartition("/")
        if parent and not path.startswith(("/", ".")) and f"/{place}".endswith(f"/{parent}") and last not in text:
            return path
    return ""


def _is_path(word: str, command: Command) -> bool:
    """Whether a word is a directory: with a slash, or any operand of a program of files."""
    return not word.startswith("-") and ("/" in word or word in _HERE or command.program in _FILES)


def _is_named(top: str, named: list[str]) -> bool:
    return any(path == top or top.endswith("/" + path) for path in named)


def _plain(path: str) -> str:
    if path.startswith("\\\\"):
        path = "/unc/" + path[2:]
    if re.match(r"[A-Za-z]:[/\\]", path):
        path = "/" + path
    return (path.replace("\\", "/").lower() if "\\" in path or ":" in path else path).rstrip("/.")


def _above_name(deed: Deed, request: Request) -> Iterator[Beyond]:
    """The beginning of a name that the request has whole: `tank/media` for `tank/media@old`."""
    if deed.sort != "delete":
        return
    for word in islice(deed.targets, _MOST):
        if len(word) < 3 or HOLE in word or _stands_alone(word, request.text) or word[:1] == "/":
            continue
        for name in request.named.names:
            inner = name.removeprefix(word.rstrip("/"))
            if inner != name and inner[:1] in ("/", "@") and name not in deed.command.text:
                yield Beyond(word, deed.command.text, name)
                return


def _stands_alone(word: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w/]){re.escape(word.rstrip('/'))}(?![\w@:-]|/\w)", text))


def _of_parts(command: Command, request: Request) -> Iterator[Beyond]:
    """A database, a bucket, a machine, where the request names a table, a prefix, a disk."""
    for kind, words in extents("containers").items():
        if not compiled(words["act"]).search(command.text):
            continue
        whole = min(
            (
                at
                for word in command.args
                if not word.isalpha() and len(word) > 2 and (at := request.text.find(word)) >= 0
            ),
            default=0,
        )
        if owner := words.get("of"):
            yield from _of_owner(kind, owner, command, request)
        part = compiled(rf"\b(?:{words['parts']})\s+[`'\"]?([A-Za-z0-9][\w.@/-]*\w)")
        named = [match[1] for match in part.finditer(request.text) if match.start() < whole or not whole]
        missing = [name for name in named if not name.isalpha() and not has_word(command.text, name)]
        if missing:
            yield Beyond(f"the whole {kind}", command.text, missing[0])


def _of_owner(kind: str, parts: str, command: Command, request: Request) -> Iterator[Beyond]:
    """A dataset, where the request says "the snapshots of" it."""
    for word in islice(command.args, _MOST):
        if len(word) < 3 or HOLE in word or request.text.count(word) != 1:
            continue
        if found := compiled(rf"\b(?:{parts})\s[`'\"]?{re.escape(word)}(?![\w@/-])").search(request.text):
            yield Beyond(f"the whole {kind}", command.text, found[0])
            return
