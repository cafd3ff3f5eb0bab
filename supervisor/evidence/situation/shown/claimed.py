# ruff: noqa: E501 - patterns of words in many languages
"""What the user takes to be free, and a later count that shows otherwise: "pve3 is evacuated", and seven VMs run."""

from __future__ import annotations

import re
from itertools import islice

from supervisor.action import Action, Context, strings_in
from supervisor.evidence.situation.deeds import deeds
from supervisor.evidence.situation.warned import Warned, said

_LATEST = 40  # steps
_LOSES = frozenset({"delete", "stop", "restart"})
# Who says that nothing is on it any more.
_CLAIMS = re.compile(
    r"(?i)\b(?:it'?s|is|are|was|were|been|already|ist|sind|est|sont|est[áa]|est[ãa]o|[èe])\b (?:\w+ )?(?:evacuated|drained|empty|emptied|unused|idle|not used|no longer used|free|ger[äa]umt|leer|unbenutzt|vide|inutilis\w+|vac[íi][oa]|vazi[oa]|vuot[oa])\b"
    r"|\b(?:VMs?|containers?|users?|jobs?|sessions?|guests?|machines)\b(?: \w+){0,3} (?:are|were|is) (?:already |all )?(?:migrated|moved|gone|off|stopped|away)"
)
_COUNTS = re.compile(
    r"(?i)\b(?:running|sessions?|active|connections?|established|users?|logged|online|open)\b[^;\n]{0,80}\b(?:wc -l|count|measure|length)\b"
    r"|\b(?:grep -\w*c\w*|count)\b[^;|\n]{0,40}\b(?:running|active|connected|established|online|open)\b"
)
_FIRST = re.compile(r"^\s*(\d{1,6})\s*$", re.MULTILINE)


def busy_though_claimed(action: Action, context: Context) -> Warned | None:
    """The count that shows something running on what the user takes to be free."""
    claim = _CLAIMS.search(said(context))
    if claim is None or not context.history:
        return None
    done = next((deed for deed in deeds(action, context) if deed.sort in _LOSES), None)
    for step in islice(reversed(context.history), _LATEST) if done else ():
        given = " ".join(text for _, text in strings_in(step.args))[:2000]
        if not step.failed and _COUNTS.search(given):
            first = _FIRST.search(step.text[:2000])
            if first is None or int(first[1]) == 0 or done is None:
                return None
            return Warned(
                f"{first[1]} at work, though “{claim[0].strip()}”",
                done.command.text[:200],
                f"{given[:120]}: {first[1]}",
            )
    return None
