"""Limits that the user states in words, and the deeds that break them.

A limit is a sort of act and the things it is about: "do not push", "leave /srv/ledger alone". A limit under a condition
("until the tests pass") is not judged, since only people know whether the condition holds.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context, strings_in
from supervisor.evidence.changes.clauses import clauses_of
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import is_asked
from supervisor.evidence.situation.deeds import Deed, deeds, is_aside, is_reload, is_report
from supervisor.evidence.situation.stated.hours import is_over
from supervisor.evidence.situation.stated.words import numbers, phrase, prohibitions, stems

_LONGEST = 8 * 1024  # characters of a request, or of a document
_NEAR = 12  # characters after a clause in which a condition still belongs to it
_LATEST = 40  # steps of the history that are searched for documents
_COVERS = {
    "restart": frozenset({"restart", "stop"}),
    "deploy": frozenset({"deploy"}),
    "freeze": frozenset({"deploy"}),
    "grave": frozenset({"delete", "stop", "restart", "revert", "push", "merge", "deploy", "unlock", "send"}),
    "spare": frozenset({"delete", "stop", "restart"}),
}
_CHANGES = frozenset(
    {"delete", "stop", "restart", "revert", "push", "merge", "deploy", "install", "edit", "unlock", "send", "commit"}
)
_OF_DOCUMENTS = frozenset({"push", "deploy"})
_NARROW = ("delete", "restart", "stop", "push", "deploy", "install", "send", "merge", "commit")
_WHOLE = frozenset({"push", "deploy", "install", "send"})  # the thing does not narrow these: "do not send the mail"
_NAME = re.compile(
    r"[`'\"«“]([^`'\"»”\n]{2,80})[`'\"»”]"
    r"|((?<![\w./-])[\w.-]*[/._-][\w./*-]*\w/?|(?<![\w./-])\w[\w.-]*/|\b[A-Za-z]+\d[\w.-]*)",
    re.ASCII,
)
_LEAVES_OUT = re.compile(
    r"(?i)(?:!|-not|--?exclude[\w-]*|--(?:ignore|keep|skip)[\w-]*|-v\w*|-[cil]?not(?:like|match|in)|-c?ne|<>|!="
    r"|not (?:in|like)\b|\bgrep -\w*v\w*)[^|;]{0,30}$"
)
_COUNT = re.compile(r"(?<![\d.])\d{1,3}(?![\d%]|\.\d)|[^\W\d_]{3,10}")
_LONGEST_COUNT = 120  # characters
_KEEPS = re.compile(r"--(?:keep|retain)[a-z-]*[= ](\d{1,3})\b|\bhead -n ?-(\d{1,3})\b|-skip(?:last)? (\d{1,3})\b")
_FROM_LINE = re.compile(r"\btail (?:-n ?|--lines=)\+(\d{1,3})\b")
_ENVIRONMENTS = re.compile(r"(?i)\b(?:prod|production|live|main|master|staging)\b")
_SPARED = {"spared": "change", "left_out": "delete", "not_there": "grave", "stays": "spare"}
_RECURSIVE = re.compile(r"(?i)\s-\w*r\w*\b|--recursive|\bfind\b|--delete|-recurse|/s\b")
_WORD = re.compile(r"[^\W\d_]{4,}")
_CLAUSE = re.compile(r"[.;!?\n\u3002\uff01\uff1f\uff1b]")


class Limit(NamedTuple):
    """What must not be done, to which names (none: to anything), and the sentence that says so.

    `words` are the nouns of a limit that names nothing; `meanwhile` says that it holds while something goes on.
    """

    sort: str
    names: tuple[str, ...]
    words: tuple[str, ...]
    said: str
    meanwhile: bool = False


def broken_limit(action: Action, context: Context) -> tuple[Deed, Limit] | None:
    """The first deed of an action that breaks a limit, and the limit."""
    limits = [limit for limit in limits_of(context) if not (limit.meanwhile and is_over(limit.said, context))]
    if not limits:
        return None
    text = str(action.get("command")).lower()
    broken = (
        (deed, limit)
        for deed in deeds(action, context)
        for limit in limits
        if _breaks(deed, limit, text) and (limit.names or not is_report(deed, context))
    )
    return next(broken, None)


def limits_of(context: Context) -> tuple[Limit, ...]:
    """The limits in the user's messages and in the documents for agents that the session has read."""
    task = (context.task or "")[:_LONGEST]
    earlier = (text[:_LONGEST] for _, text in islice(strings_in(context.facts.get("earlier_requests")), 20))
    wants_deploy = is_asked({Verb.DEPLOY}, context)
    found = [limit for limit in limits_in(task) if not ((limit.sort == "freeze" and wants_deploy) or _is_of_job(limit))]
    found += (limit for text in earlier for limit in limits_in(text) if not _asks(limit.sort, task))
    for step in context.history[-_LATEST:]:
        if step.text and any(phrase("documents").search(text[:500]) for _, text in strings_in(step.args)):
            found += _limits_of_document(step.text[:_LONGEST])
    return tuple(found)


def _is_of_job(limit: Limit) -> bool:
    """Whether a limit is said of a job that the same sentence wants set up: "a timer for a check, read only"."""
    return limit.sort == "any" and any(each.asks and Verb.SCHEDULE in each.verbs for each in clauses_of(limit.said))


@functools.lru_cache(maxsize=128)
def limits_in(text: str) -> tuple[Limit, ...]:
    """The limits that a text states. Cached, because all actions of a session come with the same text."""
    spared = (each for name, sort in _SPARED.items() for each in _spared(text, name, sort))
    return (*_read_only(text), *_prohibited(text), *spared, *_kept(text))


@functools.lru_cache(maxsize=128)
def _limits_of_document(text: str) -> tuple[Limit, ...]:
    """The limits of a document that bind whoever works on a project: a freeze, and not to push or to deploy. A document
    is long, and its other limits are about something else, so they are not looked for."""
    return (*_read_only(text, ("freeze",)), *_prohibited(text, _OF_DOCUMENTS))


def _kept(text: str) -> Iterator[Limit]:
    """How many of a thing are kept. All numbers of the sentence count: "7 daily, 4 weekly"."""
    if found := phrase("kept_count").search(text):
        sentence = text[found.start() : found.end() + _LONGEST_COUNT]
        spoken = (word.lower() for word in _COUNT.findall(_CLAUSE.split(sentence)[0]))
        counts = (word if word.isdigit() else str(numbers().get(word, "")) for word in spoken)
        yield Limit("kept", tuple(each for each in counts if each), (), _sentence(text, found.start(), found.end()))


def _spared(text: str, name: str, sort: str) -> Iterator[Limit]:
    for match in phrase(name).finditer(text):
        said = next((each for each in match.groups() if each), "")
        found = [one or other for one, other in _NAME.findall(said)]
        if name == "not_there":
            found += _ENVIRONMENTS.findall(said)
        names = tuple(each for each in found if text.count(each) == 1)
        sentence = _sentence(text, match.start(), match.end())
        if names and not phrase("kept_count").search(sentence):  # so many of what lies there are kept, see `_kept`
            yield Limit(sort, names, (), sentence)


def _read_only(text: str, names: Sequence[str] = ("read_only", "freeze")) -> Iterator[Limit]:
    for name in names:
        for match in phrase(name).finditer(text):
            sentence = _sentence(text, match.start(), match.end())
            if name == "read_only" and any(stems(sort).search(match[0]) for sort in _NARROW):
                continue  # "without installing anything" is about installing
            if not phrase("other_things").search(text[match.start() : match.end() + 8]):
                if name == "freeze" and not _is_for_deploys(sentence):
                    continue
                if name == "read_only" and phrase("rights").search(sentence):
                    continue  # the right that somebody gets is to be one to read
                yield Limit("any" if name == "read_only" else "freeze", (), (), sentence)


def _is_for_deploys(sentence: str) -> bool:
    """Whether a sentence with "freeze" orders one, rather than tell of a screen or a package that is frozen."""
    return bool(phrase("ordered_freeze").search(sentence))


def _prohibited(text: str, sorts: Container[str] | None = None) -> Iterator[Limit]:
    for sort, pattern in prohibitions(text, sorts):
        for match in pattern.finditer(text):
            sentence = _sentence(text, match.start(), match.end())
            rest = next((each for each in match.groups() if each), "")
            rest, *meanwhile = phrase("meanwhile").split(rest, maxsplit=1)
            if phrase("conditions").search(f"{rest} {text[match.end() : match.end() + _NEAR]}") or phrase(
                "other_things"
            ).search(sentence):
                continue
            before = "" if text[match.start() : match.end()].isascii() else _clause_before(text, match.start())
            names = tuple(one or other for one, other in _NAME.findall(f"{before} {rest}"))
            open_ended = not rest.strip() or bool(phrase("anything").search(rest)) or sort in _WHOLE or bool(before)
            nouns = () if names or (open_ended and not _asks(sort, text, match.span())) else (*_WORD.findall(rest), "")
            yield Limit(sort, names, nouns, sentence, bool(meanwhile))


def _asks(sort: str, text: str, besides: tuple[int, int] = (0, 0)) -> bool:
    """Whether a text requests this sort of act outside of a span."""
    if sort in ("any", "freeze"):
        return False
    return bool(stems(sort).search(f"{text[: besides[0]]}\n{text[besides[1] :]}"))


def _sentence(text: str, start: int, end: int) -> str:
    earliest = max(0, start - 200)
    before = max((each.end() for each in _CLAUSE.finditer(text, earliest, start + 1)), default=earliest)
    after = _CLAUSE.search(text, end)
    return text[min(before, start) : min(after.start() if after else len(text), end + 200)].strip()


def _clause_before(text: str, start: int) -> str:
    return re.split(r"[.;!?\n\u3002\uff01\uff1f\uff1b,\uff0c\u3001]", text[max(0, start - 60) : start])[-1] or " "


def _is_done_to(name: str, line: str) -> bool:
    """Whether a line has a name as a word or a path, other than to leave it out."""
    for found in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", line):
        if not _LEAVES_OUT.search(line[max(0, found.start() - 40) : found.start()]):
            return True
    return False


def _is_below(name: str, deed: Deed, text: str) -> bool:
    """Whether a deed takes in everything below a folder that has this path below it, and does not name the path."""
    last = name.rstrip("/").rpartition("/")[2]
    if "/" not in name.strip("/") or last in text or not _RECURSIVE.search(deed.command.text):
        return False
    path = deed.command.path(name)
    folders = [deed.command.path(word).rstrip("/*") for word in deed.targets if not word.startswith("-")]
    return any("/" in folder and path.startswith(f"{folder}/") for folder in folders)


def _keeps_others(text: str, counts: tuple[str, ...]) -> bool:
    """Whether the numbers that a command keeps are none of those that the user gave."""
    options = [each for found in _KEEPS.findall(text) for each in found if each]
    after = [str(int(each) - 1) for each in _FROM_LINE.findall(text)]
    kept = [*options, *after]
    return bool(kept) and not set(kept) <= set(counts)


def _breaks(deed: Deed, limit: Limit, text: str) -> bool:
    if limit.sort == "kept":
        return deed.sort == "delete" and _keeps_others(text, limit.names)
    covered = _CHANGES if limit.sort in ("any", "change") else _COVERS.get(limit.sort, frozenset({limit.sort}))
    if is_reload(deed) and "reload" not in limit.said.lower():
        return False
    if deed.sort not in covered or (limit.sort in ("any", "change") and is_aside(deed)):
        return False
    line = deed.command.text.lower() + " " + " ".join(deed.command.path(word) for word in deed.targets).lower()
    if limit.names:
        names = [name.lower().rstrip("/").strip("*") for name in limit.names]
        taken = [name for name in names if not _is_left_out(name, line)]
        there = " ".join(_HOSTS.findall(text)).lower() if deed.command.remote else ""
        return any(_is_done_to(name, line) or _is_done_to(name, there) or _is_below(name, deed, text) for name in taken)
    if any(off in limit.said.lower() for off in _SWITCHED_OFF.findall(line)):
        return False  # "no install scripts", `--ignore-scripts`
    if limit.words:
        return any(word and word.lower()[:5] in text for word in limit.words)
    return limit.sort != "change"


# On which host a script runs something.
_HOSTS = re.compile(
    r"(?i)(?:\bssh (?:-\S+ )*|\binvoke-command (?:-computername )?|-computername |\bpsexec \\\\)([\w.@,-]+)"
)
_SWITCHED_OFF = re.compile(r"--(?:ignore|no|skip|without|disable|exclude)-([a-z][\w-]{2,40})")


def _is_left_out(name: str, line: str) -> bool:
    """Whether an option of a command leaves a name out: `-e .env`, `--exclude=.env`."""
    return bool(re.search(rf"(?:\s-e|--exclude|--keep|--skip|--not|!)[ =]['\"]?{re.escape(name)}", line))
