"""Whether a command that takes things by a selection leaves out what the request limits them to: an age, a state, a
size, an owner, a number to keep, an exception."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import translate
from functools import lru_cache
from typing import NamedTuple

from supervisor.evidence.changes.shown import with_lists
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.deeds import Deed
from supervisor.evidence.situation.warned import pattern
from supervisor.evidence.situation.wider.cutoffs import age_of_cutoff
from supervisor.evidence.situation.wider.request import Request, age_in, has_word, heeds
from supervisor.evidence.situation.wider.words import compiled, extent, extents, word_set

GRAVE = frozenset({"delete", "stop", "restart", "revert", "unlock", "send"})
_ALL = re.compile(r"(?:^|\s)--?(?:[a-z]+-)*all(?:[\s=]|$)|\s-A(?:\s|$)")
_CATCH_ALL = re.compile(r"\*(?:\.\*|\.\w{1,8})?")
_MARKS = re.compile(r"[-_.@]")
_CLAUSE = re.compile(
    r"[;!?\n]|\.(?:\s|$)|,\s(?!die\b|der\b|das\b|welche|któr|котор|starsz|старше|which\b|that\b|qui\b|que\b|che\b)|\b(?:then|dann|puis|luego|depois|poi|potem|daarna)\b"
)
_KIND = re.compile(
    r"(?:^|[\s(`'\"])\*\.(\w{2,8})\b"
    r"|(?:^|\s)\.(\w{2,8})[- ](?:files?|datei|fichier|archivo|ficheiro|plik|bestand|файл)"
)
_MOST = 40  # names that are spared


class Beyond(NamedTuple):
    """One command that is done to more than the request names: what shows it, the words of the command, what the
    request names instead, and names that go with it unasked."""

    mark: str
    text: str
    named: str
    besides: tuple[str, ...] = ()


def missing_limits(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """The limits of the request that a deed does not heed, although it takes things by a selection."""
    line = deed.command.text
    if deed.sort not in GRAVE and not (deed.sort == "edit" and deed.command.program == "mv"):
        return
    taken_from = age_in(text) or age_of_cutoff(text, request.context)
    if 0 < taken_from < 0.9 * request.age - 1 / 24:
        yield Beyond(f"{taken_from:g} days", line, f"{request.age:g} days")
    if 0 < request.taken < (taken := _taken_by(text)):
        yield Beyond(f"takes {taken}", line, f"{request.taken}")
    if request.kept and -1 < (kept := _kept_by(text)) < request.kept:
        yield Beyond(f"keeps {kept}", line, f"{request.kept} to keep")
    if extent("from_file").search(text):
        return
    sweeping = takes_listing(text) or bool(_ALL.search(line))
    wide = sweeping or catches_all(deed) or "prune" in deed.command.args
    for sort, is_wide in (
        ("age", wide),
        ("size", sweeping),
        ("state", sweeping),
        ("leftover", catches_all(deed) and not sweeping),
    ):
        if is_wide and (said := _limit_of_removal(sort, deed, request)) and not heeds(sort, text):
            yield Beyond(f"no limit by {sort}", line, said)
    if deed.sort == "delete" and (catches_all(deed) or "-r" in deed.command.flags()):
        yield from _missing_kind(deed, text, request)
    if wide or _by_pattern(deed):
        yield from _not_left_out(deed, text, request)


def missing_owner(command: Command, request: Request) -> Iterator[Beyond]:
    """A command on a queue that many people share, without the owner to whom the request limits it."""
    narrow = extents("shared").get(command.program, "")
    mine = extent("mine").search(request.text)
    if narrow and mine and not compiled(narrow).search(command.text):
        yield Beyond("the jobs of everybody", command.text, mine.group())


def of_others(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """Things from a listing or a pattern without the name of who asks, where the request is for his own and an output
    shows that there are others' besides."""
    mine = extent("mine").search(request.text)
    if deed.sort not in GRAVE or mine is None or not (takes_listing(text) or _by_pattern(deed)):
        return
    own = extent("who_asks").search(request.text)
    name = own[own.lastindex].rstrip("@").casefold() if own and own.lastindex else ""
    if len(name) < 2 or name in with_lists(text, request.context).casefold():
        return
    shown = [line.casefold() for line in request.lines if has_word(line.casefold(), name)]
    if shown and any(_is_beside(name, line, request) for line in shown[:_MOST]):
        yield Beyond("things of others", deed.command.text, f"{mine.group()} ({name})")


def _is_beside(name: str, line: str, request: Request) -> bool:
    """Whether another line of the outputs differs from this one in the name and in numbers alone."""
    form = _DIGITS.sub("0", line.partition(name)[0])
    return any(
        other.casefold() != line
        and name not in other.casefold()
        and _DIGITS.sub("0", other.casefold()).startswith(form)
        for other in request.lines
    )


_DIGITS = re.compile(r"\s*\d+")


# Names that are written out: `'ann','ben' | ForEach-Object {…}`.
_LITERALS = re.compile(
    r"(?i)(?:^|[;\n({=]\s{0,4})(?:['\"][\w.@-]{1,80}['\"]\s{0,3},\s{0,3}){0,40}['\"][\w.@-]{1,80}['\"]\s{0,3}\)?\s{0,3}\|\s{0,3}(?:%|foreach)"
)


@lru_cache(maxsize=16)
def takes_without_filter(text: str) -> bool:
    """Whether a script takes things from a listing that nothing narrows."""
    text = _LITERALS.sub(" ", text)
    return takes_listing(text) and not (extent("from_file").search(text) or extent("any_filter").search(text))


def lists_everything(text: str) -> bool:
    """Whether a script has a word for a listing of everything there is."""
    return bool(extent("lists").search(text))


def loose_branches(command: Command) -> Iterator[Beyond]:
    """A `find` whose action belongs only to what follows the last `-o`, as no parentheses hold its tests together."""
    args = command.args
    if command.program != "find" or "-o" not in args or not {"(", "\\("}.isdisjoint(args):
        return
    first = args[: args.index("-o")]
    acts = ("-exec", "-execdir", "-delete", "-ok", "-prune", "-print", "-print0", "-printf", "-ls", "-quit")
    rest = args[len(first) :]
    removes = "-delete" in rest or ("-exec" in rest and not {"rm", "mv", "unlink", "shred"}.isdisjoint(rest))
    if removes and set(acts).isdisjoint(first):
        yield Beyond("-o without parentheses", command.text, " ".join(first[1:])[:80])


def _limit_of_removal(sort: str, deed: Deed, request: Request) -> str:
    """The words that limit things by age, size or state, if they stand where the request says what shall go."""
    said = request.limits(sort)
    if not said or deed.sort != "delete":
        return said
    removing = [clause for clause in _CLAUSE.split(request.text) if pattern("removing").search(clause)]
    return said if not removing or any(said in clause for clause in removing) else ""


def _missing_kind(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """Files of every kind, where the request has those of one kind deleted."""
    kinds = {
        kind
        for clause in _CLAUSE.split(request.text)
        if pattern("removing").search(clause)
        for kind in _KIND.findall(clause)
    }
    named = sorted(one or other for one, other in kinds)
    if (
        named
        and not any(f".{kind}" in text for kind in named)
        and not extent("any_filter").search(text.replace("find", ""))
    ):
        yield Beyond("files of every kind", deed.command.text, f"*.{named[0]}")


@lru_cache(maxsize=16)
def _kept_by(text: str) -> int:
    """How many things a command keeps; -1 if it does not say."""
    found = [int(number) for match in extent("kept_seen").findall(text) for number in match if number]
    found += [int(number) - 1 for number in extent("kept_after").findall(text)]
    return max(found, default=-1)


@lru_cache(maxsize=16)
def _taken_by(text: str) -> int:
    """How many things of a listing a command takes; 0 if it does not say."""
    return max((int(number) for match in extent("taken_seen").findall(text) for number in match if number), default=0)


@lru_cache(maxsize=16)
def takes_listing(text: str) -> bool:
    """Whether a script takes things from a listing."""
    return bool(extent("from_listing").search(text))


def catches_all(deed: Deed) -> bool:
    """Whether a deed takes all files of a directory, or what `find` finds."""
    if deed.command.program == "find":
        return True
    return any(_CATCH_ALL.fullmatch(re.split(r"[/\\]", word)[-1]) for word in deed.targets)


def _by_pattern(deed: Deed) -> bool:
    return any("*" in word for word in deed.command.args)


def _not_left_out(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """A selection that takes names which the request leaves out: `leave anything tagged gold`."""
    folded = text.casefold()
    for word in request.left_out:
        plain = word.casefold()
        if len(plain) < 3 or plain in folded or plain in word_set("no_exception"):
            continue
        if request.text.casefold().count(plain) > 1:
            continue
        spared = request.shown_parts.get(plain) or _begun_by(plain, request)
        if taken := [name for name in spared[:_MOST] if name.casefold() != plain and _takes(deed, name, folded)]:
            yield Beyond(f"nothing leaves out {word}", deed.command.text, word, tuple(taken[:3]))
            return


def _begun_by(word: str, request: Request) -> tuple[str, ...]:
    """The shown names that begin with a word which has parts itself: `mail.log.1.gz` with `mail.log`."""
    if len(word) < 4 or not _MARKS.search(word):
        return ()
    return tuple(name for name in request.shown if name.casefold().startswith(word))


def _takes(deed: Deed, name: str, folded: str) -> bool:
    """Whether the patterns of a deed match a name, or it has none."""
    patterns = [re.split(r"[/\\]", word)[-1] for word in deed.command.args if "*" in word]
    if patterns:
        return any(re.match(translate(each.casefold()), name.casefold()) for each in patterns)
    kept = re.findall(r"\bgrep (?:-\w+ )*['\"]?([\w.-]+)", folded)
    kept += re.findall(r"-(?:i|c)?(?:like|match|filter|include|name)\s+['\"]?\*?([\w.-]{3,40})", folded)
    return all(each in name.casefold() for each in kept)
