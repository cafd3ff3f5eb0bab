"""Files in a checkout with instructions for its contributors, both people and agents."""

from __future__ import annotations

import re2

from supervisor.action import Step, strings_in

_GUIDE = re2.compile(
    r"(?i)(?:^|[\s/\\'\"])"
    r"(?:(?:agents|claude|gemini|contributing|skill)\.(?:md|rst|txt)|copilot-instructions\.md|\.cursorrules)\b"
)


def is_guide(step: Step) -> bool:
    """Whether a step read such a file, not a web page of the same name."""
    asked = (text for _, text in strings_in(step.args) if "://" not in text)
    return any(map(_GUIDE.search, asked))
