"""Exemptions: a person's "not this one", which lets an action run although named specialists object to it.

An exemption is bound to the specialists that it names and to actions that fit all of its parts. It turns the nudge or
block of such a specialist into a flag. It never concerns another specialist, a refusal (what could not be read cannot
be compared), or a specialist whose entry or policy rules exemptions out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from supervisor.action import Action, Context

SHORT = 12  # digits of an exemption's id in output for people
Origin = Literal["person", "policy", "learned"]
# Kinds that run code: their tool alone says nothing about what runs.
EXECUTES = frozenset({"shell", "python", "javascript", "sql"})


@dataclass(frozen=True, slots=True)
class Exemption:
    """One exemption. An empty part fits every action; `form`, `path` and `tool` are not all empty.

    - `specialists`: those whose objections it lifts.
    - `form`: the action itself, up to its spelling (see `evidence.actions.form`); `shown` is how people read it.
    - `path`: a resolved path, which includes what lies below it, or a pattern of one (`*` within a name, `**` across
      names). Everything that the action touches must fit. `home` is what `~` in an action stands for.
    - `tool`: the tool's name. Alone it fits no action that runs code.
    - `project`: a directory; the action runs in it or below. `agent`: the agent's name. `environment`: the fact of that
      name, as the host states it.
    - `expires`: None for never. `by`, `reason`: who made it, and why.
    - `id`: the address of its record; with the origin `policy` the digest of its values; with the origin `learned` the
      digest of what was learned, which alone says what it fits (see `decision.learned`).
    """

    id: str
    specialists: tuple[str, ...]
    reason: str
    by: str
    given: datetime | None
    expires: datetime | None
    form: str = ""
    shown: str = ""
    path: str = ""
    tool: str = ""
    project: str = ""
    agent: str = ""
    environment: str = ""
    home: str = ""
    origin: Origin = "person"

    def is_in_force(self, now: datetime) -> bool:
        """Whether it has not expired."""
        return self.expires is None or now < self.expires

    def fits(self, action: Action, context: Context, real: Callable[[str], str] = os.path.realpath) -> bool:
        """Whether an action fits all of its parts. `real` resolves the links in a path."""
        from supervisor.evidence.actions.form import cwd_of, files_of, form_of  # with the reader of shell scripts

        if not (self.form or self.path or (self.tool and action.kind not in EXECUTES)):
            return False
        if (self.tool and self.tool != action.tool) or (self.agent and self.agent != context.agent):
            return False
        if self.environment and self.environment != context.facts.get("environment"):
            return False
        if self.project and not _is_below(cwd_of(action, context) or "", self.project):
            return False
        if self.path and not self._has_all(files_of(action, context), real):
            return False
        return not self.form or self.form == form_of(action, context)

    def _has_all(self, touched: list[str] | None, real: Callable[[str], str]) -> bool:
        """Whether all paths fit the pattern, as they are spelled and where links lead."""
        if not touched:
            return False
        paths = [self.home + path[1:] if path[:2] == "~/" and self.home else path for path in touched]
        if not all(map(_matcher(self.path), paths)):
            return False
        fixed = _fixed_part(self.path)
        base, fits = real(fixed), _matcher(self.path)
        led = [real(path) for path in paths]
        return all(_is_below(path, base) and fits(_joined(fixed, path[len(base.rstrip("/")) :])) for path in led)

    def to_json(self) -> dict[str, Any]:
        """The exemption as recorded and printed; empty parts are left out."""
        values = {name: value for name, value in asdict(self).items() if value}
        times = {name: value.isoformat() for name in ("given", "expires") if (value := getattr(self, name))}
        return {**values, "specialists": list(self.specialists), "expires": None, **times}


def exemption_of(values: Mapping[str, Any]) -> Exemption:
    """The exemption in recorded values. Raises KeyError, TypeError or ValueError for anything else."""
    texts = {name: values.get(name, "") for name in _TEXTS}
    if not all(isinstance(text, str) for text in texts.values()) or values.get("origin") not in get_args(Origin):
        raise ValueError("no exemption")
    specialists = values["specialists"]
    if not (specialists and isinstance(specialists, list)) or not all(isinstance(name, str) for name in specialists):
        raise ValueError("an exemption without specialists")
    given, expires = (datetime.fromisoformat(values[name]) if values.get(name) else None for name in _TIMES)
    if any(time is not None and time.tzinfo is None for time in (given, expires)):
        raise ValueError("a time without its zone")
    return Exemption(specialists=tuple(specialists), given=given, expires=expires, origin=values["origin"], **texts)


_TEXTS = ("id", "reason", "by", "form", "shown", "path", "tool", "project", "agent", "environment", "home")
_TIMES = ("given", "expires")


def how_to_allow(record: str | None) -> str:
    """What a person does who finds that an action was stopped wrongly; "" without a record. Never part of what its
    agent reads."""
    return f"To allow this: supervisor allow --record {record[:SHORT]} --reason '<why>'" if record else ""


def fitting(
    exemptions: Iterable[Exemption], stopping: Iterable[str], action: Action, context: Context, now: datetime
) -> dict[str, Exemption]:
    """By specialist that stops an action, the first exemption that lifts its objection."""
    left, found = set(stopping), {}
    for each in exemptions:
        concerned = left.intersection(each.specialists)
        if concerned and each.is_in_force(now) and each.fits(action, context):
            left -= concerned
            found.update(dict.fromkeys(concerned, each))
    return dict(sorted(found.items()))


def _is_below(path: str, folder: str) -> bool:
    """Whether an absolute path without steps up is a folder or lies below it."""
    return ".." not in path.split("/") and (path == folder or path.startswith(folder.rstrip("/") + "/"))


def _joined(folder: str, rest: str) -> str:
    return folder.rstrip("/") + rest or "/"


def _fixed_part(pattern: str) -> str:
    """The folder above the first pattern in a path; the path itself if it has none."""
    fixed = pattern.partition("*")[0].partition("?")[0]
    return pattern if fixed == pattern else fixed.rpartition("/")[0] or "/"


def _matcher(pattern: str) -> Callable[[str], bool]:
    """Whether a path fits a pattern. Linear in the path, whatever the pattern."""
    if _fixed_part(pattern) == pattern:
        return lambda path: _is_below(path, pattern)
    import re2

    parts = re2.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
    compiled = re2.compile(rf"(?s){parts}(?:/.*)?")
    return lambda path: compiled.fullmatch(path) is not None
