"""The ids by which a session has looked things up: a record that a tool returned for an id exists, even if the record
does not repeat that id."""

from __future__ import annotations

import re2

from supervisor.action import Action, Context, Step, strings_in
from supervisor.evidence.business.operations import RESOURCES, act_in_name, resources
from supervisor.evidence.business.records import ids_in, is_distinctive
from supervisor.evidence.business.words import listed, plain_id, snake, words

MOST_STEPS = 40  # last steps in which an id is looked for
_IS_AN_ID = re2.compile(r"(?:^|_)(?:id|uuid|no|nr|num|number|ref|reference|key|name)$")
# Things that hold all that a session works on: a server may be set up with one, and then no call has to name it.
_CONTAINERS = listed("spreadsheet workbook base board workspace")
_PREFIXES = listed("mcp functions")  # which hosts write before the tools of every server
_URI = re2.compile(r"^[a-z][a-z0-9+.-]{1,20}://\S{1,200}/([^/\s?#]{4,80})$")
_LONGEST = 400  # characters of an answer that may say that there is nothing
_NOTHING = re2.compile(
    r"(?i)\b(?:not? (?:\w+ )?(?:found|exist\w*|available|results?|match\w*|records?|entr(?:y|ies)|such)|unknown|invalid"
    r"|error|404|0 (?:results?|hits?|rows?|records?)|does(?:n't| not) exist|nicht gefunden|kein\w*|introuvable|aucun\w*"
    r"|no (?:se )?encontrad[oa]|ningun[oa]|nessun\w*|non trovat[oa]|nenhum\w*|nie znaleziono|brak|niet gevonden|geen)\b"
)


def asked_for(step: Step) -> str:
    """The one id that a step looked up; "" if it changes something, or names none or several."""
    if not _looks_up(step):
        return ""
    named = [value for name, value in step.args.items() if _IS_AN_ID.search(snake(str(name)))]
    asked = [each for value in named for each in ids_in(value)]
    asked += resources(step.tool.partition("?")[0])[-1:]
    ids = {each for each in asked if is_distinctive(plain_id(each))}
    return ids.pop() if len(ids) == 1 else ""


def was_looked_up(context: Context, identifier: str) -> bool:
    """Whether an earlier step that changes nothing returned something for this id."""
    plain = plain_id(identifier)
    return any(
        any(plain_id(each) == plain for each in _ids(step)) and _looks_up(step) and has_answer(step)
        for step in context.history[-MOST_STEPS:]
    )


def is_preset(kind: str, action: Action, context: Context) -> bool:
    """Whether a thing of this kind holds everything, and the server has answered a call that named none: it was set up
    with one, and the agent knows it from there."""
    if not _CONTAINERS.intersection(kind.split("_")):
        return False
    named = frozenset(_own_words(action.tool))
    return any(
        not named.isdisjoint(_own_words(step.tool)[:1])
        and has_answer(step)
        and not any(_CONTAINERS.intersection(words(str(name))) for name in step.args)
        for step in context.history[-MOST_STEPS:]
    )


def end_of_address(identifier: str) -> str:
    """The id at the end of its long form: `4410` of `gid://shop/Order/4410`; "" if that is none."""
    found = _URI.match(identifier)
    return found[1] if found and is_distinctive(plain_id(found[1])) else ""


def has_answer(step: Step) -> bool:
    """Whether a step returned something other than a failure or the news that there is nothing."""
    if step.failed or not step.output:
        return False
    text = " ".join(text for _, text in strings_in(step.output)) if not isinstance(step.output, str) else step.output
    plain = text.strip()
    return plain not in ("null", "None", "[]", "{}", '""') and not (
        len(plain) <= _LONGEST and _NOTHING.search(plain.removeprefix("{").strip()[:80])
    )


def _looks_up(step: Step) -> bool:
    """Whether a step changes nothing, by its name. `shop.charge` with an id and nothing else shows that charge."""
    act, _, tokens = act_in_name(step.tool)
    return not act or (tokens[-1] in RESOURCES and len(tokens) == 1 and len(step.args) == 1)


def _own_words(tool: str) -> tuple[str, ...]:
    """The words of a tool's name, its server's or its topic's first, without the prefix that a host writes."""
    return tuple(word for word in words(tool) if word not in _PREFIXES)


def _ids(step: Step) -> list[str]:
    """The values in a step's arguments and in the route that it calls."""
    given = [each for value in list(step.args.values())[:50] for each in ids_in(value)]
    return [*given, *resources(step.tool)]
