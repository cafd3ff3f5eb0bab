"""Which recorded actions are alike: their fingerprints, and the key of a group of near-duplicates."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import orjson

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence.actions.fingerprint import fingerprint

_LARGEST = 8 * 1024  # bytes of an action that is parsed: a larger one could take long, and nothing kills a parser here
_MOST = 256  # features that are stored
_DIGITS = re.compile(r"\d+")


def features_of(action: Mapping[str, Any], facts: Mapping[str, Any]) -> frozenset[str]:
    """The fingerprint of a recorded action. Its session's history is not read, so it is the same wherever it is read.
    A large action is known by its digest alone."""
    encoded = orjson.dumps(action, option=orjson.OPT_SORT_KEYS)
    if len(encoded) <= _LARGEST:
        try:
            found = fingerprint(Action(**action), Context(facts=facts))
        except (Unreadable, RecursionError):
            found = frozenset()
        if 0 < len(found) <= _MOST:
            return found
    return frozenset({f"kind:{action.get('kind')}", f"sha256:{hashlib.sha256(encoded).hexdigest()}"})


def group_of(features: frozenset[str], entries: list[str]) -> str:
    """The key of the group of near-duplicates: the same specialists decide, and the features differ in numbers at
    most."""
    plain = sorted({each if each.startswith("sha256:") else _DIGITS.sub("0", each) for each in features})
    return hashlib.sha256(orjson.dumps([sorted(entries), plain])).hexdigest()
