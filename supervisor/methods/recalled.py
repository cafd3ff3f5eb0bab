"""What an agent was refused in other sessions, beside the action that it proposes now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from supervisor.action import Action, Context, Step
from supervisor.evidence.actions.deed import bounded_deed, where
from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.reading.slices import run_in_thread
from supervisor.intake.json_values import is_small
from supervisor.memory import Piece, RefusedAct, digest, is_whole, memory_of, piece_of, short_name, without_options

__all__ = ["Recalled", "RefusedAct", "day_of", "is_asked_anew", "is_remedied", "is_whole", "names_of", "recalled"]

_LOOKED_AT = 40  # last steps of the session that may have removed the cause
_LONGEST = 400  # characters of a step's text
_WORD = re.compile(r"[a-z0-9][\w-]{2,40}")
_ASKED = 0.5  # the share of an act's names that a request for it contains


@dataclass(frozen=True, slots=True)
class Recalled:
    """The acts that are remembered, oldest first, with the features, place and session of the action, and the time in
    seconds since the epoch."""

    acts: tuple[RefusedAct, ...]
    kind: str
    features: frozenset[str]
    place: str
    amount: float | None
    session: str
    now: float

    def is_same(self, act: RefusedAct) -> bool:
        """Whether the action is the refused act, with all of its options."""
        return act.kind == self.kind and act.is_same(self.features, self.place)

    def pieces_with(self, act: RefusedAct) -> tuple[Piece, ...]:
        """The pieces of an act that ran, and the action as the last one; empty if the action is no piece of it."""
        mine = piece_of(act, self.kind, self.features, self.place, self.amount)
        return () if mine is None else (*act.pieces, replace(mine, session=self.session, at=self.now))

    def names(self) -> set[str]:
        """What the action is done to; see `names_of`."""
        return set(_names_in(without_options(self.features)))

    def standing(self) -> Iterator[RefusedAct]:
        """The acts that no person has allowed since."""
        return (act for act in self.acts if act.state != "approved")

    def elsewhere(self) -> Iterator[RefusedAct]:
        """The standing acts of other sessions. Nothing is another session if the action belongs to none."""
        return (act for act in self.standing() if self.session and act.session != self.session)


async def recalled(action: Action, context: Context) -> Recalled:
    """What the memory door answers, beside the action. Raises DoorFailed without a memory, and Unreadable for an action
    that cannot be read."""
    acts = memory_of(await context.recall()).acts
    session = short_name(context.session or "")
    read = (action, context)
    features = bounded_deed(*read) if is_small(action.args) else await run_in_thread(bounded_deed, *read)
    amount = action.number("amount") if action.kind in ("payment", "refund") else None
    return Recalled(acts, action.kind, features, where(*read), amount, session, context.now.timestamp())


def is_asked_anew(act: RefusedAct, context: Context) -> bool:
    """Whether the user's words of this session, which are not those of the refusal, ask for the act by its names."""
    if not context.task or digest(context.task) == act.task:
        return False
    names = set(names_of(act))
    asked = [name for name in names if is_named(name, context)]
    return bool(names) and len(asked) >= _ASKED * len(names)


def is_remedied(act: RefusedAct, context: Context) -> bool:
    """Whether a step of this session did what the correction asked for, or changed a file that the act is about. Then
    the cause may be gone, and whoever refused the act judges it anew."""
    names = {name.casefold() for name in names_of(act)}
    advised = set(_WORD.findall(act.correction.casefold())) - names
    past = list(context.history)[-_LOOKED_AT:]
    return any(not step.failed and (_head(step) & advised or _is_edit_of(step, names)) for step in past)


def names_of(act: RefusedAct) -> Iterator[str]:
    """What an act is done to: the last name of each feature."""
    return _names_in(act.identity)


def _names_in(features: frozenset[str]) -> Iterator[str]:
    for feature in sorted(features):
        words = feature.split()
        if words and not feature.startswith(("kind:", "word:", "#")):
            yield words[-1].rpartition("=")[2].rstrip("/").rpartition("/")[2] or words[-1]


def day_of(at: float) -> str:
    """A date for people."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")


def _head(step: Step) -> set[str]:
    """The words that say what a step did: of a command its program and first operands, else the tool's name."""
    command = step.args.get("command") or step.args.get("cmd")
    text = command if isinstance(command, str) else step.tool.replace("_", " ")
    return {word for part in re.split(r"[;&|\n]+", text[:_LONGEST].casefold()) for word in _WORD.findall(part)[:3]}


def _is_edit_of(step: Step, names: set[str]) -> bool:
    path = step.args.get("path") or step.args.get("file_path")
    is_edit = step.kind in ("file_write", "file_edit", "file_delete")
    return is_edit and isinstance(path, str) and path.casefold().rpartition("/")[2] in names
