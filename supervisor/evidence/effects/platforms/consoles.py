"""Calls typed as a command: no shell runs `db.dropDatabase()`, but an open database console does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from supervisor.evidence.effects.effect import Act, Effect, Part
from supervisor.evidence.effects.platforms.data import programs
from supervisor.evidence.effects.platforms.grammar import NOT_OURS
from supervisor.evidence.effects.platforms.line import environment_of
from supervisor.evidence.effects.platforms.resource import Resource, Sort
from supervisor.evidence.effects.platforms.words import singular, sort_of, word_of
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import Command, Script
from supervisor.evidence.shell.inner import word_set

_RESOURCES = frozenset({Act.RESOURCE})
_VERBS = frozenset({"cancel", "delete", "purge", "reset"})
_STORES = word_set("dropdatabase drop_database flushall flush_all flushdb flush_db")  # methods of any object
_ALL_AT_ONCE = _STORES | {"drop", "truncate"}
_ONE_OF_MANY = word_set(
    "attribute blob comment cookie document entry event field file header item key label line list many member message"
    " name object one option param pod point record row score session tag task template text token"
    " url value word"
)
_LONGEST = 600  # characters of a typed call
_TYPED = re.compile(
    r"([A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{0,40}(?:\([^()]{0,80}\))?){0,6})\.([A-Za-z_]\w{2,40})\((.{0,200})\);?"
)
_NAME = re.compile(r"[A-Za-z_][\w-]*")


def parts_of_script(read: Script) -> Iterator[Part]:
    """The destructive effects of a call that is typed in place of a script."""
    text = read.texts[0].strip() if read.texts and len(read.texts[0]) <= _LONGEST else ""
    found = _TYPED.fullmatch(text) if text.endswith((")", ");")) else None
    if found and (word_of(found[2]).does in _VERBS or found[2].lower() in _ALL_AT_ONCE):
        yield Part(_RESOURCES, partial(_typed, found))


def _typed(call: re.Match[str]) -> Iterator[Effect]:
    """A method's name contains a verb and nouns; without nouns, the object that it is called on supplies them."""
    owners, method, given = _NAME.findall(call[1]), call[2], call[3].strip("'\"")
    root, word = owners[0], word_of(method)
    nouns = word.nouns or tuple(noun for owner in owners for noun in word_of(owner).nouns)
    if root == "db" or method.lower() in _STORES:
        is_whole = given == "{}" or method.lower() in _ALL_AT_ONCE
        sort = Sort.DATABASE if is_whole else None
    else:
        listed, is_whole = programs().get(root), False
        sort = (
            (sort_of(nouns) or (listed and listed.sort) or None)
            if _ONE_OF_MANY.isdisjoint(map(singular, nouns))
            else None
        )
    if sort is not None and sort not in NOT_OURS:
        yield Resource(
            Act.RESOURCE,
            given or root,
            Place.REMOTE,
            word.does,
            is_whole,
            text=call[0][:200],
            product=root,
            sort=sort,
            environment=environment_of(Command((root, given))),
        )
