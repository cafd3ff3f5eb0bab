"""The kind of a call that runs no code, from the words of its tool's name and from its arguments, and which argument
holds each part.

`outlook.messages.send`, `sendMail` and `mcp__crm__email-send` send a message as `send_email` does. A name counts if all
its words from the verb on are known for the kind, so that `send_email_verification_code` and `create_message_template`
are left alone, and if the arguments hold what such a call needs and nothing else: the specialists of a tool that is not
known judge every argument, those of the kind only its parts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Mapping
from typing import Any

from supervisor.intake.arguments import arguments_of
from supervisor.intake.call_names import BESIDE, FURTHER, NOT_DONE, WORDINGS, Wording
from supervisor.intake.kinds import KINDS, KNOWN_TOOLS, parts_of, snake
from supervisor.pointers import MARK, pointer

_MOST_NAMES = 64  # arguments of a call whose names are compared in other spellings
_SEPARATORS = re.compile(r"[./:]|__")
_PLURALS = {f"{word}s": word for wording in WORDINGS.values() for word in wording.things if not word.endswith("s")}


def kind_from_words(tool: str, args: Mapping[str, Any]) -> str:
    """The kind that the words of a tool's name and its arguments say; "" if they say none."""
    return next((kind for kind in (*_kinds_worded(tool), *_kinds_behind(tool)) if _has_parts(kind, args)), "")


@functools.lru_cache(maxsize=4096)
def _kinds_behind(tool: str) -> tuple[str, ...]:
    """The kind of a well-known tool behind the name of a server: `office-attempt-completion`."""
    words = snake(tool).split("_")
    if not NOT_DONE.isdisjoint(words):
        return ()
    names = ("_".join(words[at:]) for at in range(1, len(words) - 1))
    return tuple(KNOWN_TOOLS[name] for name in names if KNOWN_TOOLS.get(name) in WORDINGS)


@functools.lru_cache(maxsize=4096)
def _kinds_worded(tool: str) -> tuple[str, ...]:
    *spaces, own = [[""], *(snake(part).split("_") for part in _SEPARATORS.split(tool) if part)]
    words = [_PLURALS.get(word, word) for word in own]
    around = [_PLURALS.get(word, word) for space in spaces for word in space]
    if not NOT_DONE.isdisjoint((*words, *around)):  # `GET /v1/refunds`
        return ()
    return tuple(kind for kind, wording in WORDINGS.items() if _is_worded(words, around, wording))


def _is_worded(words: list[str], around: list[str], wording: Wording) -> bool:
    """Whether a name's own words name an act of this kind. What stands before its words may name the thing."""
    known = wording.verbs | wording.things | wording.alone | wording.fillers
    start = next((at for at, word in enumerate(words) if word in wording.verbs | wording.things | wording.alone), None)
    if start is None or not known.issuperset(words[start:]):
        return False
    said = words[start:]
    verbs = [word for word in said if word in wording.verbs]
    if not verbs:
        return said[0] in wording.alone and wording.fillers.issuperset(said[1:])
    rest = [word for at, word in enumerate(said) if at != said.index(verbs[0])]
    has_thing = not wording.things.isdisjoint(rest) or (
        not wording.things.isdisjoint(around[-2:]) and wording.fillers.issuperset(rest)
    )
    return has_thing or verbs[0] in wording.alone


def _has_parts(kind: str, args: Mapping[str, Any]) -> bool:
    fields = fields_of(kind, args)
    is_placed = not fields.keys().isdisjoint(("element", "url"))
    if kind == "form" and not is_placed and not isinstance(args.get(fields.get("value", "")), (Mapping, list)):
        return False  # what is typed without a place may go to a terminal
    needed = all(any(part in fields for part in group) for group in WORDINGS[kind].parts)
    return needed and _has_only(args, fields.values())


def _has_only(args: Mapping[str, Any], fields: Collection[str]) -> bool:
    """Whether every argument is one of these fields, or is inside one, or is an object around some."""
    given, _ = arguments_of(args, None)
    places = [each if each.startswith(MARK) else f"{MARK}{pointer(each)}" for each in fields]
    return len(given) < _MOST_NAMES and all(
        any(f"{MARK}{each.at}/".startswith(f"{place}/") or place.startswith(f"{MARK}{each.at}/") for place in places)
        for each in given
        if each.name not in BESIDE
    )


def fields_of(kind: str, args: Mapping[str, Any]) -> dict[str, str]:
    """The argument of each part of a kind: by its usual names, by these in another spelling, by further names, or
    inside an object (`{"refund": {"amount": 5}}`)."""
    found = dict(parts_of(kind, args))
    if kind not in FURTHER:
        return found
    found = {part: name for part, name in found.items() if not _is_object(args[name]) or part == "value"}
    if len(found) == len(KINDS[kind]):
        return found
    taken = set(found.values())
    plain = [name for name in list(args)[:_MOST_NAMES] if not _is_object(args[name]) or kind == "form"]
    spelt = {snake(name): name for name in plain if name not in taken}
    found |= _among(kind, spelt, found)
    if any(isinstance(value, (Mapping, str)) and str(value)[:1] == "{" for value in args.values()):
        inner, _ = arguments_of(args, None)
        deep = [each for each in reversed(inner) if each.at.count("/") > 1 and not _is_object(each.value)]
        below = {each.name: f"{MARK}{each.at}" for each in deep}
        found |= _among(kind, below, found)
    return found


def _is_object(value: object) -> bool:
    return isinstance(value, Mapping)


def _among(kind: str, names: Mapping[str, str], found: Collection[str]) -> dict[str, str]:
    """The parts that are not found yet, each with the place of the most usual of these names."""
    more: dict[str, str] = {}
    for part, usual in KINDS[kind].items():
        if part not in found:
            wanted = (*usual, *FURTHER[kind].get(part, ()))
            place = next((names[name] for name in wanted if name in names), None)
            if place is not None and place not in more.values():
                more[part] = place
    return more
