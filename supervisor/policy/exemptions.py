"""The section `exemptions:` of a policy: actions that a team lets run, and what nobody may exempt."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, ClassVar

_STRICT = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class DeclaredExemption:
    """One exemption that the policy declares: actions that fit every part that is set may run although `specialists`
    object. See `supervisor.decision.exemptions`.

    `command` is a shell command as it would be typed in `project`, which it needs. `path` is absolute, and may be a
    pattern. `expires` is the first day on which it is not in force any more (UTC); without it, the policy's change ends
    it.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    specialists: tuple[str, ...]
    reason: str
    command: str = ""
    path: str = ""
    tool: str = ""
    project: str = ""
    agent: str = ""
    environment: str = ""
    expires: date | None = None

    def expiry(self) -> datetime | None:
        """The moment from which it is not in force."""
        return datetime.combine(self.expires, time(), UTC) if self.expires else None


@dataclass(frozen=True, slots=True)
class ExemptionPolicy:
    """Exemptions that the policy declares (`allow`), and specialists from whose objections nobody may exempt any action
    (`never`), beside those whose entries rule it out."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    allow: tuple[DeclaredExemption, ...] = ()
    never: tuple[str, ...] = ()


def problems_of(section: ExemptionPolicy) -> Iterator[tuple[tuple[int | str, ...], str]]:
    """Why a declared exemption would fit too much, or nothing: the place below `allow`, and the reason."""
    for number, each in enumerate(section.allow):
        if not each.specialists or "*" in each.specialists:
            yield (number, "specialists"), "name each specialist; there is no `*`"
        if not each.reason.strip():
            yield (number, "reason"), "say why, for whoever reads the policy next"
        if not (each.command or each.path or each.tool):
            yield (number,), "give a command, a path or a tool; without one, lower the specialist's authority instead"
        if each.command and not each.project:
            yield (number, "project"), "a command needs the directory in which it may run"
        for name in ("path", "project"):
            text = getattr(each, name)
            if text and (not os.path.isabs(text) or ".." in text.split("/")):
                yield (number, name), f"{text!r} is not an absolute path without `..`"
