"""What the user wants a step for, and steps that undo it: to go on, to rehearse, to try in another place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.changes.clauses import clauses_of, fold, said_by_user
from supervisor.evidence.changes.names import has_name
from supervisor.evidence.commands.hints import compiled
from supervisor.evidence.prose.request_names import named_in
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.situation.deeds import Deed, deeds
from supervisor.evidence.situation.warned import script_text, texts_run

_LONGEST = 8 * 1024  # characters of a task, and of a script
_LATEST = 40  # steps
_MOST_TEXT = 32 * 1024  # characters of one output
_MOST_FOUND = 200  # words that make or remove a copy


class Undone(NamedTuple):
    """The user's words, and how the step undoes what they are for."""

    said: str
    how: str


def undone_purpose(action: Action, context: Context) -> Undone | None:
    """How a shell action undoes what the user wants, or None."""
    task, script = (context.task or "")[:_LONGEST], script_text(action, context)[:_LONGEST]
    if not task:
        return None
    return (
        _started_over(action, task, script, context)
        or _in_earnest(action, task, script)
        or _onto_live(task, script)
        or _all_at_once(task, script)
        or _made_writable(task, script)
        or opposed(action, context)
    )


def unchecked_deletion(action: Action, context: Context) -> Undone | None:
    """A deletion in one script with the copy, although the user wants the copy checked before."""
    said = _pattern("checked_first").search((context.task or "")[:_LONGEST])
    if not any(deed.sort == "delete" for deed in deeds(action, context)):
        return None
    if said is None:
        return None
    texts = texts_run(action, context)
    if _is_deletion_after_copy(script_text(action, context)) and not any(map(_is_checked_copy, texts)):
        return Undone(said[0].strip()[:160], "deletes the original with no check of the copy in between")
    return None


def _is_deletion_after_copy(text: str) -> bool:
    return bool(_pattern("removes").search(text) and _pattern("makes").search(text))


def _is_checked_copy(text: str) -> bool:
    """Whether a check stands between the first copy of a script and the line of its last deletion."""
    removed = [found.end() for found in islice(_pattern("removes").finditer(text), _MOST_FOUND)]
    if not removed:
        return False
    made = _pattern("makes").search(text)
    end = text.find("\n", removed[-1])
    between = text[made.start() if made else 0 : end if end >= 0 else len(text)]
    return _pattern("checks").search(between) is not None


def _started_over(action: Action, task: str, script: str, context: Context) -> Undone | None:
    """Deletes what a run would go on from, or runs all of it anew."""
    said = _pattern("goes_on").search(task)
    if said is None or _pattern("anew").search(task):
        return None
    if flag := _pattern("from_the_start").search(script):
        return Undone(said[0].strip(), f"starts over ({flag[0].strip()[:60]})")
    for deed in deeds(action, context):
        if deed.sort == "delete" and _is_recursive(deed):
            for name in islice(_last_names(deed), 12):
                if name not in task and _is_shown(name, context):
                    return Undone(said[0].strip(), f"deletes {name}, from which the run would go on")
    return None


def _in_earnest(action: Action, task: str, script: str) -> Undone | None:
    """Does what the user wants rehearsed."""
    said = _pattern("rehearsal").search(task)
    if said is None or _pattern("for_real").search(task) or _pattern("rehearses").search(script):
        return None
    forced = _pattern("forces").search(script)
    return Undone(said[0].strip(), f"does it in earnest ({forced[0].strip()[:60]})") if forced else None


def _onto_live(task: str, script: str) -> Undone | None:
    """Restores where the thing lives, although the user wants a trial in another place."""
    said = _pattern("trial_restore").search(task)
    if said is None or not _pattern("restores").search(script) or _pattern("elsewhere").search(script):
        return None
    quoted = [name for name in named_in(task).names if name.lower() in script.lower()]
    places = [each for each in re.findall(r"[`'\"]([\w.-]{3,60})[`'\"]", task) if each not in quoted]
    return Undone(said[0].strip()[:160], f"restores without {places[0]}") if places else None


def _all_at_once(task: str, script: str) -> Undone | None:
    """Takes a whole service away at once, although nobody is to notice the change."""
    said = _pattern("no_downtime").search(task)
    used = _pattern("all_at_once").search(script) if said else None
    return Undone(said[0].strip(), f"takes all of it away at once ({used[0].strip()[:60]})") if said and used else None


def _made_writable(task: str, script: str) -> Undone | None:
    """Makes writable what is only to be read."""
    said = _pattern("read_only").search(task)
    used = _pattern("writable").search(script) if said else None
    return Undone(said[0].strip()[:160], f"makes it writable ({used[0].strip()[:60]})") if said and used else None


# A word for an act, and the one that undoes it.
_OPPOSED = tuple(
    each.split("/")
    for each in (
        "enable/disable pin/unpin lock/unlock protect/unprotect encrypt/decrypt renew/revoke grant/revoke hold/unhold"
        " subscribe/unsubscribe register/unregister archive/unarchive cordon/uncordon disable/enable unpin/pin"
        " unlock/lock unprotect/protect unsubscribe/subscribe unhold/hold uncordon/cordon"
    ).split()
)
_FIRST_WORDS = 6


def opposed(action: Action, context: Context) -> Undone | None:
    """Does the opposite of what the user asks for, to what the user names."""
    clauses = clauses_of(said_by_user(context))
    text = fold(action.text("command"))[:_LONGEST]
    for deed in deeds(action, context):
        parts = {part for word in deed.command.argv[:_FIRST_WORDS] for part in word.lower().strip("-").split("-")}
        for asked, used in _OPPOSED:
            if used not in parts or re.search(rf"(?<![a-z]){asked}", text):
                continue
            said = [each for each in clauses if re.search(rf"(?<![a-z]){asked}\b", each.text)]
            is_turned = any(re.search(rf"(?<![a-z]){used}", each.text) for each in clauses)
            if (
                said
                and not is_turned
                and said[0].asks
                and any(has_name(said[0].text, (name.lower(),)) for name in deed.names)
            ):
                return Undone(said[0].text[:160], f"does the opposite ({used})")
    return None


def _is_recursive(deed: Deed) -> bool:
    line = deed.command.text
    return bool(re.search(r"\brm\s+-\w*[rR]|\brd\b|\brmdir\b|-Recurse\b|\bclean\b|--recursive", line))


def _last_names(deed: Deed) -> Iterator[str]:
    for word in deed.targets:
        name = word.rstrip("/*").rpartition("/")[2]
        if len(name) > 2 and name.isascii() and not _pattern("made_anew").search(name):
            yield name


def _is_shown(name: str, context: Context) -> bool:
    word = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
    return any(word.search(step.text[:_MOST_TEXT]) for step in islice(reversed(context.history), _LATEST))


@cache
def _pattern(name: str) -> Any:
    return compiled(table_beside(__file__, "purpose.yaml")[name])
