"""Checks that failed and readings beyond a limit, and the act for which they were the condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from supervisor.action import Action, Context
from supervisor.evidence.changes.clauses import fold
from supervisor.evidence.situation.shown.least import below_least
from supervisor.evidence.situation.stated.conditions import acts_in
from supervisor.evidence.situation.warned import (
    Past,
    Warned,
    latest,
    pattern,
    pattern_in,
    said,
    script_text,
    table,
    word_list,
)

_SENTENCE = re.compile(r"(?<=[!?;\n。！？；])|(?<=\.)(?=\s)")  # noqa: RUF001 - Chinese marks
_LONGEST_SENTENCE = 500
_MOST_ACTS = 8
_CLAUSES = re.compile(r"[,;:]|\b(?:and|then|und|dann|et|puis|y|e|i|en|ve|и)\b")
_LIMIT = re.compile(r"\D{0,3}(\d{1,7}(?:[.,]\d{1,4})?)\s*(%|percent|prozent|ms|s\b|sec\w*|min\w*)?", re.IGNORECASE)
_READING = re.compile(r"(?<![\w.:-])(\d{1,9}(?:\.\d{1,9})?)\s*(%|ms\b|s\b)?")
_STAMP = re.compile(r"@?\[[\d.]+\]|\b\d{4}-\d\d-\d\d\S*|\b\d\d:\d\d(?::\d\d)?\b")
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)\s?%")
_FRACTION = re.compile(r"\b0\.\d{3,}|\bratio\b")  # a share that is not told in percents
_LABEL = re.compile(r"[\d.]+")
_REQUEST = re.compile(r"\b(?:gh|glab|tea) (?:pr|mr) merge\b\D{0,40}(\d+)?")
_LOADS = re.compile(r"\b(?:reload|restart|try-reload-or-restart)\b|-s reload\b|\bservice \S+ (?:reload|restart)")
_CONTRARY = re.compile(r"\b(?:fail|rollback|abort|revert|undo|cancel|pause)\b", re.IGNORECASE)
_REHEARSED = re.compile(
    r"--dry-run\b|--check\b|\b(?:git|rsync|make|restic|ansible\S{0,9})\b[^\n|;]{0,60}\s-n\s|--help\b"
)
_AUTOMATIC = re.compile(r"--auto\b|--auto-merge\b|--when-pipeline-succeeds\b")


def may_be_checked(text: str, context: Context) -> bool:
    """Whether a text loads or releases something after earlier steps."""
    if not context.history or not _words().search(text):
        return False
    return bool(_REQUEST.search(text) or _LOADS.search(text) or pattern("only_if").search(said(context)))


@cache
def _words() -> re.Pattern[str]:
    return re.compile(rf"\bgit push\b|(?<!git )\b(?:{'|'.join(word_list('loading').split())})\b")


def failed_check(action: Action, context: Context) -> Warned | None:
    """The check or reading that speaks against loading or releasing something."""
    text, task = script_text(action, context), said(context)
    if not may_be_checked(text, context) or _REHEARSED.search(text) or pattern("in_spite").search(task):
        return None
    acts = [*dict.fromkeys(found[0] for found in _words().finditer(text))][:_MOST_ACTS]
    if not acts or _AUTOMATIC.search(text):
        return None
    sentences = [each[:_LONGEST_SENTENCE] for each in _SENTENCE.split(task) if each]
    conditions = [each for each in sentences if pattern("only_if").search(each)]
    act = next((each for each in acts if "push" not in each), acts[0])
    for sentence in conditions:
        line = _beyond(sentence, context) or below_least(sentence, task, context)
        if act not in ("restart", "reload") and line and not _CONTRARY.search(text):
            return Warned("a reading beyond the limit of the user", act, line)
    past = _last_check(context)
    if past is None or _CONTRARY.search(text):
        return None
    line = _failure(past)
    if not line and conditions:
        line = next((line for line in past.lines if pattern("check_open").search(line)), "")
    if not line:
        return None
    checked = [each for each in conditions if pattern("good").search(each) and _speaks_of(each, text, past)]
    if any(_is_for(word, each) for each in checked for word in acts):
        return Warned("a check not passed that the user made the condition", act, line)
    if _is_of_act(past, text):
        return Warned("a failed check of the same thing", act, line)
    return None


def _is_for(act: str, sentence: str) -> bool:
    """Whether a condition may be on this act: one on a restart is not on a merge."""
    clauses = [each for each in _CLAUSES.split(sentence) if pattern("only_if").search(each)]
    asked = next((found for each in clauses if (found := acts_in(fold(each)))), acts_in(fold(sentence)))
    wanted = table("loading_sorts").get(act.rpartition(" ")[2], "")
    return not asked.isdisjoint(wanted.split()) if wanted and asked else "push" not in act


def _last_check(context: Context) -> Past | None:
    return next((past for past in latest(context) if past.output and pattern("checks").search(past.command)), None)


def _failure(past: Past) -> str:
    return next(
        (line for line in past.lines if pattern("check_failed").search(pattern("check_passed").sub("", line))),
        "",
    )


def _speaks_of(sentence: str, text: str, past: Past) -> bool:
    """Whether a condition of the request is on the check of this step, or on checks in general."""
    if re.search(
        r"(?i)\b(?:tests?|checks?|ci|pipeline|build|suite|healthy|green|grün|verde|vert)\b|测试|テスト|테스트", sentence
    ):
        return True
    words = set(re.findall(r"[a-z][a-z0-9_-]{3,30}", sentence.lower()))
    return any(word in words for word in re.findall(r"[a-z][a-z0-9_-]{3,30}", past.command.lower()[:400]))


def _is_of_act(past: Past, text: str) -> bool:
    """Whether the check was of what is loaded or merged now."""
    if found := _REQUEST.search(text):
        is_check = re.search(r"\b(?:(?:pr|mr) (?:checks|view|show|status)|ci (?:view|status)|run view)\b", past.command)
        return bool(is_check) and (not found[1] or found[1] in past.command)
    if not _LOADS.search(text):
        return False
    groups = (group.split() for group in word_list("tested").split(","))
    return any(_has_one(group, text) and any(name in past.command for name in group) for group in groups)


def _has_one(names: list[str], text: str) -> bool:
    return any(re.search(rf"\b{name}\b", text) for name in names)


def _beyond(sentence: str, context: Context) -> str:
    """The line of the latest readings that is beyond a limit that the sentence sets; empty if none is."""
    for name in table("metrics"):
        if not pattern_in("metrics", name).search(sentence):
            continue
        for found in pattern("below").finditer(sentence):
            limit = _LIMIT.match(sentence, found.end())
            if limit and (line := _violating(name, limit, context)):
                return line
    return ""


def _violating(name: str, limit: re.Match[str], context: Context) -> str:
    bound, unit = float(limit[1].replace(",", ".")), (limit[2] or "").lower()
    is_share = unit in ("%", "percent", "prozent")
    for line, value, given in _readings(name, context):
        if is_share:
            percents = _PERCENT.search(line)
            if percents is None and not (value <= 1 and _FRACTION.search(line)):
                continue
            value = float(percents[1]) if percents else value * 100
        elif given and unit and given != unit:
            continue
        if value > bound:
            return line
    return ""


def _readings(name: str, context: Context) -> Iterator[tuple[str, float, str]]:
    """The latest reading of each series: its line, its value, its unit."""
    seen = set[str]()
    for past in latest(context):
        for line in past.lines:
            if not (pattern_in("metrics", name).search(line)):
                continue
            key = _LABEL.sub("", _STAMP.sub("", line))
            plain = _STAMP.sub("", line)
            after = next(iter(pattern_in("metrics", name).finditer(plain)))
            reading = _READING.search(plain, plain.rfind("}") if "}" in plain else after.end())
            if key in seen or reading is None:
                continue
            seen.add(key)
            yield line, float(reading[1]), (reading[2] or "").lower()
