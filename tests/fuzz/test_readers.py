"""Every reader of evidence gives its answer or says Unreadable, whatever an action holds, and always the same."""

from __future__ import annotations

import copy
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st

import supervisor.evidence
from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence.essence import essence
from supervisor.evidence.shell import syntax
from supervisor.tools import KINDS
from tests.fuzz import claims
from tests.fuzz.corpus import offered, proposals
from tests.fuzz.watch import fuzzed, watched

Reader = Callable[[Action, Context], Any]


class Target(NamedTuple):
    """What a reader is given, and what its answer claims."""

    kinds: tuple[str, ...]
    language: str
    claims: Callable[[Any, Action, Context], Any]


_FILES = ("file_write", "file_edit", "file_delete", "file_read")
_EVERY = tuple(KINDS)
TARGETS = {
    "access_rules.broken_rule": Target(("click", "form", "tool"), "prose", claims.broken_rule),
    "asked._words": Target(_EVERY, "prose", claims.names),
    "business.business": Target(_EVERY, "prose", claims.business),
    "business.deeds.deed": Target(_EVERY, "prose", claims.deed),
    "business.schema.schema": Target(("tool",), "prose", claims.schema),
    "business.sentences.rules": Target(("tool",), "prose", claims.stated_rules),
    "citations.cited_at_hand": Target(("report",), "prose", claims.cited),
    "claims.compared": Target(("report",), "prose", claims.compared),
    "edits.edits": Target(("file_write", "file_edit"), "prose", claims.edits),
    "effects.effects": Target(("shell", "python", "javascript", "sql", *_FILES), "shell", claims.effects),
    "effects.written.effects_when_run": Target(("file_write", "file_edit"), "shell", claims.effects),
    "essence.essence": Target(_EVERY, "prose", claims.names),
    "planted.links": Target(_EVERY, "prose", claims.links),
