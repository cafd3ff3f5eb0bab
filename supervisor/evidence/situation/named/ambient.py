"""Whether a command acts on a present choice other than the one that the user named: a context, an account, a host.

`kubectl delete` without `--context` acts on the current context. An earlier output showed it: production, or another
than the one in the request. A command that chooses for itself, or follows one that changes the choice, is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Action, Context, Step, strings_in
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.commands.acts import sort_of_words
from supervisor.evidence.commands.near_names import telling_words
from supervisor.evidence.prose.stage_words import dangers_in, stages_in
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.reading.whole_words import has_word
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.named.neighbours import is_near

_LONGEST = 8 * 1024  # characters of a task
_LATEST = 40  # steps
_MOST_VALUE = 2_000  # characters of an output that shows a choice
_MOST_TEXT = 24 * 1024  # characters of one output
_MOST_COMMANDS = 64
_QUIET = frozenset({"", "commit", "install"})
_THING = r"[\"'`“”«»„]?(?<![\w./@-])(\w[\w./:@-]{0,80}\w)"


class OtherChoice(NamedTuple):
    """What the user named, and the present choice that an output showed."""

    named: str
    present: str


class _Way(NamedTuple):
    shows: re.Pattern[str]
    programs: frozenset[str]
    chosen: tuple[str, ...]
    sets: re.Pattern[str]
    named: tuple[re.Pattern[str], ...]


def other_choice(action: Action, context: Context) -> tuple[Command, OtherChoice] | None:
    """The first command on a present choice other than the one that the user named."""
    task = (context.task or "")[:_LONGEST]
    if not task or not context.history:
        return None
    commands = script(action, context).commands[:_MOST_COMMANDS]
    for number, command in enumerate(commands):
        if command.remote or sort_of_words(command.program, command.args) in _QUIET:
            continue
        for way in _ways():
            if command.program not in way.programs or _chooses(command, way):
                continue
            before = "\n".join(each.text for each in commands[:number])
            present = "" if way.sets.search(before) else _present(way, context)
            if present and (found := _differs(present, way, task, command, context)):
                return command, found
    return None


@cache
def _ways() -> tuple[_Way, ...]:
    given: list[Mapping[str, Any]] = table_beside(__file__, "ambient.yaml")
    return tuple(
        _Way(
            re.compile(each["shows"], re.MULTILINE),
            frozenset(each["programs"].split()),
            tuple(each["chosen"].split()),
            re.compile(each["sets"], re.MULTILINE),
            _beside(each["nouns"]) if "nouns" in each else (),
        )
        for each in given
    )


def _beside(nouns: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of a name behind or before one of these nouns."""
    return re.compile(rf"(?i)\b(?:{nouns})\s+{_THING}"), re.compile(rf"(?i){_THING}[\"'`”»]?[\s-](?:{nouns})\b")


def _chooses(command: Command, way: _Way) -> bool:
    if command.environment and any(f"{name}=" in way.chosen for name, _ in command.environment):
        return True
    return any(word in way.chosen or word.startswith(_joined(way)) for word in command.args)


def _joined(way: _Way) -> tuple[str, ...]:
    return tuple(f"{each}=" for each in way.chosen if each.startswith("--"))


def _present(way: _Way, context: Context) -> str:
    """The latest shown choice; empty if a later step changed it."""
    for step in islice(reversed(context.history), _LATEST):
        command = "\n".join(text[:500] for _, text in islice(strings_in(step.args), 4))
        if way.sets.search(command):
            return ""
        if way.shows.search(command) and step.text.strip():
            return _marked(step)
    return ""


def _marked(step: Step) -> str:
    """The output, or the marked line of a list."""
    text = step.text[:_MOST_VALUE].strip()
    marked = re.search(r"(?m)^\s*(?:\*|->|→)\s*(\S.*)$", text)
    return marked[1] if marked else text if text.count("\n") < 8 else ""


def _differs(present: str, way: _Way, task: str, command: Command, context: Context) -> OtherChoice | None:
    shown, text = stages_in(present), command.text.lower()
    for danger, (stage, word) in dangers_in(context.task or "").items():
        if danger in shown and stage not in shown and stage not in stages_in(command.text):
            return OtherChoice(word, present)
    tokens = [token for token in re.findall(r"[\w.@/-]{3,80}", present[:300]) if _is_telling(token)]
    if any(_stands_in(token, task) for token in tokens):
        return None
    beside = {each for pattern in way.named for each in pattern.findall(task)}
    for name in telling_words(task):
        if name.lower() in present.lower() or name.lower() in text:
            continue
        is_choice = name in beside and (_was_shown(name, context) or any(_shape(name) == _shape(t) for t in tokens))
        if is_choice or any(is_near(name, token) for token in tokens):
            return OtherChoice(name, present)
    return None


def _is_telling(word: str) -> bool:
    return any(letter.isdigit() or letter in "-_" for letter in word)


def _stands_in(word: str, text: str) -> bool:
    return has_word(word.lower(), text.lower())


def _shape(name: str) -> str:
    """A name with letters and digits alike: `eu-west-1` and `us-east-2` have one shape."""
    return re.sub(r"[a-z]+", "a", re.sub(r"\d", "0", name.lower()))


def _was_shown(name: str, context: Context) -> bool:
    return any(_stands_in(name, step.text[:_MOST_TEXT]) for step in islice(reversed(context.history), _LATEST))
