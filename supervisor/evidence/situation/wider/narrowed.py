"""Whether a command that takes things by a selection has lost what narrows it: the direction of an age, a condition
that the request spells out, the filter of an earlier look, the one number within a range."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from supervisor.action import strings_in
from supervisor.evidence.changes.clauses import verbs_at
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.deeds import Deed
from supervisor.evidence.situation.wider.filters import GRAVE, Beyond, takes_listing
from supervisor.evidence.situation.wider.request import Request, has_word
from supervisor.evidence.situation.wider.words import extent

_LATEST = 40  # steps
_MOST = 24  # conditions, files, words
_LONGEST = 8 * 1024  # characters of a command
_CONDITION = re.compile(r"(?<![\w./:?&=-])([A-Za-z][\w.-]{1,40})\s?[=:]\s?([A-Za-z][\w.-]{1,40})(?![\w/=(])")
_FILE = re.compile(r"(?<![\w./-])[\w./-]{0,120}\w\.(?:json|jsonl|csv|tsv|txt|lst|list|ya?ml)\b")
_QUOTED = re.compile(r"[\"']([\w.@-]{4,40})\\?[\"']|/(\w{4,40})/")
_SPANS = re.compile(
    r"\bseq\s+(\d{1,9})\s+(\d{1,9})\b|\{(\d{1,9})\.\.(\d{1,9})\}|\brange\((\d{1,9}),\s?(\d{1,9})\)|\b(\d{1,9})\.\.(\d{1,9})\b"
)
_REQUESTS = frozenset({"curl", "wget", "http", "https", "xh", "Invoke-RestMethod", "Invoke-WebRequest"})
_WIDEST = 1_000_000


def turned_comparison(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """The younger things taken, where the request has those go that are older than an age."""
    said = request.limits("age") if deed.sort in GRAVE and not request.named.everything else ""
    if not said or not extent("older_said").search(said) or extent("older_seen").search(text):
        return
    if found := extent("younger_seen").search(text):
        yield Beyond(found[0].strip(), deed.command.text, said)


def without_condition(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """A selection without the condition that the request spells out: `tier=scratch`."""
    if deed.sort not in GRAVE or not takes_listing(text) or extent("from_file").search(text):
        return
    folded = text.casefold()
    for key, value in islice(_CONDITION.findall(request.text), _MOST):
        is_shown = any(key.casefold() in line.casefold() for line in (*request.lines, *request.given))
        value = value.rstrip(".")
        if verbs_at(value.lower(), [(0, value.lower())]):
            continue  # "game day: kill one"
        if is_shown and key.casefold() not in folded and value.casefold() not in folded:
            yield Beyond("no such condition", deed.command.text, f"{key}={value}")
            return


def without_own_filter(command: Command, text: str, request: Request) -> Iterator[Beyond]:
    """All entries of a file, after an earlier look took those that have a word of the request."""
    if request.named.everything or not takes_listing(text):
        return
    files = frozenset(_FILE.findall(text[:_LONGEST]))
    for step in islice(reversed(request.context.history), _LATEST if files else 0):
        for _, given in islice(strings_in(step.args), 6):
            if files.isdisjoint(_FILE.findall(given[:_LONGEST])):
                continue
            words = (one or other for one, other in islice(_QUOTED.findall(given[:_LONGEST]), _MOST))
            for word in words:
                if (
                    request.names(word)
                    and word not in text
                    and request.text.count(word) == 1
                    and not _spares(word, request)
                ):
                    yield Beyond("no such filter", command.text, word)
                    return


def _spares(word: str, request: Request) -> bool:
    """Whether the request leaves out what has a word."""
    return word in request.left_out


def range_of_one(command: Command, text: str, request: Request) -> Iterator[Beyond]:
    """A range of numbers around the only number that the request names."""
    if request.named.everything or "$" not in text:
        return
    for match in islice(_SPANS.finditer(text[:_LONGEST]), _MOST):
        first, last = (int(each) for each in match.groups() if each)
        if not 1 < last - first < _WIDEST or has_word(request.text, str(first)) or has_word(request.text, str(last)):
            continue
        inside = [number for number in request.named.numbers if first <= number <= last]
        if len(inside) == 1 and inside[0] > 99 and len(str(inside[0])) == len(str(last)):
            yield Beyond(match[0], command.text, str(inside[0]))
            return


def other_file(command: Command, text: str, request: Request) -> Iterator[Beyond]:
    """Another file of the same kind that an output showed, in place of the one that the request names."""
    named = [_last(each) for each in dict.fromkeys(_FILE.findall(request.text))]
    if request.named.everything or len(named) != 1 or named[0] in text or "." not in named[0]:
        return
    kind = named[0].rpartition(".")[2]
    sends = command.program in _REQUESTS
    if kind in ("yml", "yaml") or not (sends or (kind != "json" and takes_listing(text))):
        return
    for word in dict.fromkeys(islice(_FILE.findall(text[:_LONGEST]), _MOST)):
        used = _last(word)
        is_shown = used in request.shown and named[0] in request.shown
        if used.endswith(f".{kind}") and is_shown and not _is_made(used, text, request):
            yield Beyond(used, command.text, named[0])
            return


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _is_made(name: str, text: str, request: Request) -> bool:
    """Whether this script or an earlier one writes a file with this name."""
    makes = re.compile(
        rf"(?:>|\b(?:tee|cp|mv|ln|-o|--output|--out|to_csv\(|open\()\b)[^\n;|]{{0,200}}{re.escape(name)}"
    )
    return any(makes.search(each[:_LONGEST]) for each in (text, *islice(request.given, _LATEST)))
