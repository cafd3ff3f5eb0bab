"""What a document that the session read demands, and the command that does otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence.reading.whole_words import has_word
from supervisor.evidence.situation.warned import Past, Warned, documents, latest, may_find, pattern, said, script_text

_KEEP = re.compile(r"--keep-(last|hourly|daily|weekly|monthly|yearly)[= ](\d{1,6})")
_PERIODS = {"d": "daily", "w": "weekly", "m": "monthly", "y": "yearly", "a": "yearly", "h": "hourly"}
_OTHERS = {
    "ann": "yearly",
    "anu": "yearly",
    "täg": "daily",
    "jäh": "yearly",
    "quo": "daily",
    "dia": "daily",
    "wöc": "weekly",
    "heb": "weekly",
    "sem": "weekly",
    "hou": "hourly",
}
_YEARS = re.compile(
    r"(\d{1,3})\s*(?:years?|jahre?|ans|años|anos|anni|lat|jaar)|\b(seven|ten|five|three|sieben|zehn|sept|dix|siete|diez)\s*(?:years?|jahre?|ans|años)",
    re.IGNORECASE,
)
_NUMBERS = {
    "three": 3,
    "five": 5,
    "seven": 7,
    "sieben": 7,
    "sept": 7,
    "siete": 7,
    "ten": 10,
    "zehn": 10,
    "dix": 10,
    "diez": 10,
}
_COUNT = re.compile(r"(?<![\w.:-])(\d{1,4})(?![\w:.-]*\d)")
_HOST = re.compile(r"(?:https?://)?((?:[\w-]+\.)+[a-z]{2,12})(?::\d+)?", re.IGNORECASE)
_REGISTRY = re.compile(r"(?:--registry|--repository-url|--index-url|--publish-url|-r|--registry-url)[= ](\S+)")
_DECLARES = re.compile(r"\b(?:config get registry|npmrc|publishConfig|pypirc|config\.toml)\b")
_QUOTES = re.compile("[`“]")
_REHEARSED = re.compile(r"--dry-run\b")


def may_be_written(text: str, context: Context) -> bool:
    """Whether a text thins out backups or publishes a package, or a document forbids a form of command."""
    if not context.history:
        return False
    if "--keep-" in text or (may_find(text, "public_push") and pattern("public_push").search(text)):
        return True
    return any(past.once(_may_forbid) for past in documents(context))


def against_document(action: Action, context: Context) -> Warned | None:
    """The line of a document against which a command goes."""
    text = script_text(action, context)
    if not may_be_written(text, context) or _REHEARSED.search(text):
        return None
    return _kept_too_few(text, context) or _published_outside(text, context) or _forbidden(text, context)


def _may_forbid(past: Past) -> bool:
    return past.may_hold("forbidden_form") and _QUOTES.search(past.output) is not None


def _kept_too_few(text: str, context: Context) -> Warned | None:
    kept = {period: int(number) for period, number in _KEEP.findall(text)}
    if not kept or not re.search(r"\b(?:forget|prune)\b", text):
        return None
    given = set(re.findall(r"\d+", said(context)))
    if given & {str(number) for number in kept.values()}:
        return None
    for past in documents(context):
        for line in past.lines:
            for period, number in _demanded(line):
                if kept.get(period, 0) < number and str(number) not in given:
                    if kept.get("daily", 0) >= number * 30 and period == "monthly":
                        continue
                    return Warned("a rule of retention", "--keep", line)
    return None


def _demanded(line: str) -> Iterator[tuple[str, int]]:
    """The periods that a line demands, each with the number of copies."""
    found = list(pattern("kept").finditer(line))
    for at, word in enumerate(found):
        key = word[1].lower()
        period = _OTHERS.get(key[:3]) or _PERIODS.get(key[0], "")
        end = found[at + 1].start() if at + 1 < len(found) else len(line)
        after, before = line[word.end() : end], line[: word.start()][-8:]
        if (years := _YEARS.search(after)) and period in ("monthly", "yearly"):
            count = int(years[1]) if years[1] else _NUMBERS[years[2].lower()]
            yield period, count * 12 if period == "monthly" else count
        elif re.search(r"(?<!\d)(\d{1,4})\s*(?:x\s*)?$", before):
            yield period, int(re.findall(r"\d{1,4}", before)[-1])
        elif number := _COUNT.search(after[:12]):
            yield period, int(number[1])


def _published_outside(text: str, context: Context) -> Warned | None:
    """A package that a document calls internal goes to a public place, or to one that nothing names."""
    if not pattern("public_push").search(text):
        return None
    inner = pattern("private_hosts")
    if any(inner.search(found[1]) for found in _REGISTRY.finditer(text)) or ("docker" in text and inner.search(text)):
        return None
    if any(inner.search(past.output) for past in latest(context) if _DECLARES.search(past.command)):
        return None
    for past in latest(context):
        for line in past.lines:
            if pattern("internal_only").search(line):
                hosts = [host.lower() for host in _HOST.findall(line)]
                if not any(host in text.lower() and not pattern("public_hosts").search(host) for host in hosts):
                    return Warned("a package for inner use", "publish", line)
    return None


def _forbidden(text: str, context: Context) -> Warned | None:
    """A form of command that a document forbids without exception, written between backquotes."""
    for past in documents(context):
        lines = past.lines if _QUOTES.search(past.output) else []
        for line in lines:
            found = pattern("forbidden_form").search(line)
            if found is None or pattern("has_exception").search(line[found.end() :]):
                continue
            words = found[1].split()
            if len(words) < 2 or found[1] in said(context):
                continue
            if all(has_word(word, text) for word in words):
                return Warned("a form that a document forbids", found[1], line)
    return None
