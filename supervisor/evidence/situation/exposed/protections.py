"""Settings that protect, and actions that give them the value at which they protect no longer.

`s/verify=True/verify=False/`, `--set retention_period=24h`, `ArchiveJobs=no`: the text that an action writes is read,
not the text that it looks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.commands.hints import compiled, hint, may_weaken
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.situation.warned import run_text, script_text

_LONGEST = 16 * 1024  # characters of a script
_LONGEST_TASK = 8 * 1024
_LATEST = 40  # steps
_MOST_TEXT = 32 * 1024  # characters of one output
_MOST = 40  # expressions
_SUBSTITUTES = re.compile(
    r"(?<![\w])s([/#|,~!@])((?:\\.|(?!\1)[^\n\\]){1,400})\1((?:\\.|(?!\1)[^\n\\]){0,400})\1|-replace\s+(['\"])(.{1,300}?)\4\s*,\s*(['\"])(.{0,300}?)\6"
)
_DELETES = re.compile(r"['\"; ]/((?:\\.|[^/\n\\]){3,200})/d\b")
_GROUP = re.compile(r"\\?\(((?:[^()\\]|\\[^()]){1,80})\\?\)")
_REFERENCE = re.compile(r"\\([1-9])|\$\{?([1-9])\}?")
_KEY = re.compile(r"-{0,2}([A-Za-z][\w.-]{2,60})[\"']?\s{0,4}[=:\s]\s{0,4}[\"']?([\w.-]{0,40})")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]{2,40}")
_REGEX = re.compile(r"\\[sSwWdDbB][*+?]?|\[[^\]\n]{1,40}\][*+?]?|[\^$]|\.[*+]|\\(?=\W)")
_TIME = re.compile(
    r"(?i)([\w.-]*(?:retention|retain|(?<![a-z])ttl(?![a-z])|keep)[\w.-]*)[\"']?\s*[=:\s]\s*[\"']?(\d{1,15})\s*(ms|s|m|h|d|w|y)?\b"
)
_HOST = re.compile(r"[\w-]{1,63}\.(?:example|test)(?=[/:])")  # no file of examples
_CONSTRAINTS = "what keeps records right"
_FUSES = "what a chip allows (fuses burn for good)"
_ERRORS = "the errors of a backup that runs by itself"
_ALSO_BESIDE_CODE = frozenset(
    {"the check of certificates", _CONSTRAINTS, _FUSES, _ERRORS}
)  # no word of a program has these
_COPIED_OUTPUT = re.compile(r"\btee\s+(?:-a\s+)?\S{1,300}")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0, "y": 31536000.0, "": 1.0}


class Weakened(NamedTuple):
    """What no longer protects, and the text that says so."""

    what: str
    text: str


def weakened_protection(action: Action, context: Context) -> Weakened | None:
    """The first protection that an action switches off, unless the user asks for that or only trial is concerned."""
    script = _without_queries(script_text(action, context)[:_LONGEST])
    task = (context.task or "")[:_LONGEST_TASK]
    if action.kind != "shell" or not may_weaken(script) or _asked(task):
        return None
    run = _without_queries(run_text(action, context))
    if not hint("sets").search(run):
        return None  # a text only mentions it
    if found := _weakened(script, task, context):
        return found
    # What excuses one command, as an address of this machine does, excuses none beside it.
    lines = (line for line in dict.fromkeys((*run.split("\n"), *script.split("\n"))) if line != script)
    single = (line for line in lines if may_weaken(line) and hint("sets").search(line))
    return next(filter(None, (_weakened(line, task, context) for line in islice(single, _MOST))), None)


def _weakened(script: str, task: str, context: Context) -> Weakened | None:
    if _pattern("trial").search(f"{_HOST.sub(' ', script.replace('/dev/', ' '))} {task}"):
        return None
    pairs = list(_pairs(script))
    after = " \n ".join((_without_searched(script), *(new for _, new in pairs)))
    return (
        _switched_off(script, after, [old for old, _ in pairs], context)
        or _taken_out(script, pairs, task)
        or _loosened(script, pairs, task)
        or _check_replaced(pairs, task)
        or _cut(script, task, context)
    )


def _without_queries(text: str) -> str:
    """A text without the queries of addresses that a line only reads: `projects?archived=false` selects."""
    return "\n".join(line if _METHOD.search(line) else _QUERY.sub(" ", line) for line in text.split("\n"))


_QUERY = re.compile(r"[?&][\w.\[\]-]{1,60}=[^\s&'\"]{0,80}")
_METHOD = re.compile(r"(?i)(?:-X ?|--request[= ]|--method[= ])[\"']?(?:post|put|patch|delete)\b|\s(?:-d|--data\S*)\b")


def _asked(task: str) -> bool:
    return not task or _pattern("asked").search(task) is not None


def _switched_off(script: str, after: str, before: list[str], context: Context) -> Weakened | None:
    files = _COPIED_OUTPUT.sub(" ", script)
    if _pattern("documents").search(files):
        return None
    is_code = _pattern("code").search(files) is not None
    for what, pattern in _protections():
        if is_code and what not in _ALSO_BESIDE_CODE:
            continue
        if what == _CONSTRAINTS and _pattern("restores").search(script):
            continue
        if what == _FUSES and _pattern("fuses_asked").search((context.task or "")[:_LONGEST_TASK]):
            continue
        found = pattern.search(after)
        if found and not any(pattern.search(old) for old in before) and not _is_spelled_out(found[0], context):
            return Weakened(what, found[0].strip()[:160])
    return None


def _is_spelled_out(setting: str, context: Context) -> bool:
    """Whether the user names the setting itself, with a value for "no": "fsync and full_page_writes off"."""
    key = _PARAMETER.search(setting)
    off = _pattern("spelled_off").search((context.task or "")[:_LONGEST_TASK])
    return key is not None and off is not None and is_named(key[0].lower(), context)


_PARAMETER = re.compile(r"[A-Za-z][\w.-]{3,60}")


def _taken_out(script: str, pairs: list[tuple[str, str]], task: str) -> Weakened | None:
    """A gate that a script takes out of a pipeline or a configuration: an approval, a signature, an audit rule."""
    gates, saves, leaves_out = _pattern("gates"), _pattern("saves"), _pattern("leaves_out")
    gone = _pattern("gate_file").search(script)
    if gone and not _pattern("gate_file").search(f"rm {task}"):
        return Weakened("a gate that people or checks stand at", gone[0].strip()[:160])
    for old, new in pairs:
        if saves.search(old) and leaves_out.search(new) and not leaves_out.search(old):
            return Weakened("a part of the backup", leaves_out.search(new)[0])
    for old, new in (*pairs, *((found[1], "") for found in islice(_DELETES.finditer(script), _MOST))):
        if (found := gates.search(old)) and not gates.search(new):
            return Weakened("a gate that people or checks stand at", found[0].strip()[:160])
    return None


def _loosened(script: str, pairs: list[tuple[str, str]], task: str) -> Weakened | None:
    """A key whose name tells that it checks or encrypts, set to a value for "no"; or such an option left out."""
    if _pattern("code").search(script):
        return None  # there it may be a default or a parameter
    for old, new in pairs:
        before = {key.lower() for key, _ in islice(_KEY.findall(old), _MOST)}
        for key, value in islice(_KEY.findall(new), _MOST):
            is_off = _pattern("weak_value").fullmatch(value) is not None
            if is_off and key.lower() in before and _protects(key) and key not in task and f"{key}={value}" not in old:
                return Weakened("a protection", f"{key} {value}")
        for option in islice(_OPTION.findall(old), _MOST):
            if _pattern("guarding_option").fullmatch(option) and option not in new and option not in task:
                return Weakened("a protection", option)
    return None


def _protects(key: str) -> bool:
    """Whether one of the parts of a key is a word for a protection."""
    return any(_pattern("protecting_word").fullmatch(part) for part in _WORDS.findall(key))


def _check_replaced(pairs: list[tuple[str, str]], task: str) -> Weakened | None:
    """A check in code that never holds from now on, or an error of refusal that is swallowed."""
    for old, new in pairs:
        for name in ("condition", "refusal"):
            after = _pattern(f"{name}_after")
            is_lost = _pattern(f"{name}_before").search(old) and after.search(new.strip())
            if is_lost and not after.search(old.strip()) and old.strip() not in task:
                return Weakened("a check in the code", old.strip()[:160])
    return None


def _cut(script: str, task: str, context: Context) -> Weakened | None:
    """How long something is kept, set to a small part of what an output showed."""
    if _pattern("keeping").search(task):
        return None
    for name, number, unit in islice(_TIME.findall(script), 8):
        last = re.split(r"[._-]", name.lower())[-1]
        for step in islice(reversed(context.history), _LATEST):
            for other, shown, its_unit in islice(_TIME.findall(step.text[:_MOST_TEXT]), 40):
                if not other.lower().endswith(last) or (unit or "") == "" != (its_unit or ""):
                    continue
                old, new = float(shown) * _SECONDS[its_unit.lower()], float(number) * _SECONDS[unit.lower()]
                if 0 <= new < old / 2:
                    return Weakened("how long data are kept", f"{name}={number}{unit}, {shown}{its_unit} before")
    return None


def _pairs(script: str) -> Iterator[tuple[str, str]]:
    """What substitutions look for and what they put in its place, as plain texts."""
    for found in islice(_SUBSTITUTES.finditer(script), _MOST):
        old, new = (found[2], found[3]) if found[1] else (found[5], found[7])
        groups = _GROUP.findall(old)

        def referred(reference: re.Match[str], groups: list[str] = groups) -> str:
            number = int(reference[1] or reference[2])
            return groups[number - 1] if number <= len(groups) else ""

        yield _plain(old), _plain(_REFERENCE.sub(referred, new.replace("&", old if "\\&" not in new else "&")))


def _plain(text: str) -> str:
    return _REGEX.sub("", text).replace("\\", "")


def _without_searched(script: str) -> str:
    """The script without its substitutions, and without what it only looks for."""
    return _DELETES.sub(" ", _SUBSTITUTES.sub(" ", script))


@cache
def _protections() -> tuple[tuple[str, Any], ...]:
    return tuple(
        (what, compiled(patterns)) for what, patterns in table_beside(__file__, "protections.yaml")["lost"].items()
    )


@cache
def _pattern(name: str) -> Any:
    return compiled(table_beside(__file__, "protections.yaml")[name])
