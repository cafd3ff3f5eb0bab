"""Remembers across sessions what an agent was refused, and looks it up. Nothing of this runs without a memory.

An ordinary decision looks at the name of one file. A file is written only when an action is stopped, or when an action
of an agent that has been stopped concerns what it was refused.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Action, Context
from supervisor.catalog.catalog import Catalog
from supervisor.decision.settle import Settled
from supervisor.errors import DoorFailed
from supervisor.evidence.actions.deed import where
from supervisor.evidence.prose.pledges import pledge_in
from supervisor.evidence.session.claims import only_reads
from supervisor.logs import log_later
from supervisor.memory import (
    FACT,
    AgentMemory,
    RefusedAct,
    bounded,
    cut,
    digest,
    is_about_the_same,
    memory_to_json,
    piece_of,
    short_name,
    without_options,
)
from supervisor.policy import Policy
from supervisor.records.memories import Memories
from supervisor.verdict import Finding

_log = log_later(__name__)
_SHOWN = 200  # bytes
_MOST_SPECIALISTS = 16  # that are remembered to have stopped one act
_LOOK_AHEAD = 10  # steps of a session after a refusal in which it may be heeded
_NAMING = frozenset({"shell", "sql"})  # kinds whose texts have the names of what they act on
_INDIRECT = frozenset("$*?`~[")  # characters by which a command may mean a name that it does not have
_LONGEST_TEXT = 8 * 1024  # characters of an action that are searched for names; a longer one may have any
_MOST_TEXTS = 64
_PARTS = {"message": ("subject", "body"), "finish": ("summary",), "ask_user": ("question",), "report": ("text",)}
Deed = Callable[[], Awaitable[frozenset[str]]]


class Scene(NamedTuple):
    """One decided action, as a memory sees it. `now` is in seconds since the epoch."""

    action: Action
    context: Context
    agent: str
    now: float

    @property
    def session(self) -> str:
        """The session's name, "" for none."""
        return short_name(self.context.session or "")

    @property
    def place(self) -> str:
        """Where the action is done."""
        return where(self.action, self.context)


class Remembering:
    """The memory of one engine."""

    def __init__(self, policy: Policy, catalog: Catalog, memories: Memories) -> None:
        self._policy, self._memories = policy.memory, memories
        self._own = frozenset(entry.id for entry in catalog.entries.values() if FACT in entry.needs_facts)

    def scene(self, action: Action, context: Context, now: float) -> Scene | None:
        """The scene of a decision before an action runs; None if its agent has no name, so that nothing is
        remembered."""
        return Scene(action, context, context.agent, now) if context.agent and context.stage == "before" else None

    def concerns(self, action: Action, context: Context, agent: str, now: float) -> bool:
        """Whether what is remembered of an agent may concern an action, by bounded work. At a session's first action it
        may: then the whole of it is judged."""
        if not agent or context.ran is not None or not self._memories.knows(agent):
            return False
        try:
            acts = self._memories.of(agent, now).acts
        except DoorFailed:  # the specialists refuse with the reason, which the record then shows
            return True
        if not acts:
            return False
        scene = Scene(action, context, agent, now)
        return (not context.history and bool(context.session)) or any(_concerned(acts, scene))

    def recall(self, agent: str | None, now: float) -> dict[str, Any]:
        """What is remembered, as plain values. Raises DoorFailed if it cannot be read."""
        return memory_to_json(self._memories.of(agent or "", now))

    def weight(self, scene: Scene, deed: frozenset[str], specialist: str) -> float:
        """How often this specialist stopped near-equivalent acts of the agent in other sessions, unheeded and decayed;
        0 if that does not matter or cannot be read."""
        if not self._policy.escalate_after:
            return 0.0
        memory = self._known(scene)
        about = (bounded(deed), scene.place, scene.session, scene.now)
        return memory.weight(specialist, *about, self._policy.half_life_days) if memory else 0.0

    def unheeded(self, scene: Scene) -> float:
        """The weight of all stops of the agent in other sessions that it did not heed; 0 if that does not matter for
        this action or cannot be read."""
        if not self._policy.flag_after or only_reads(scene.action) or not self._memories.knows(scene.agent):
            return 0.0
        memory = self._known(scene)
        return memory.unheeded(scene.session, scene.now, self._policy.half_life_days) if memory else 0.0

    def _known(self, scene: Scene) -> AgentMemory | None:
        """What is remembered of the agent; None if it cannot be read."""
        try:
            return self._memories.of(scene.agent, scene.now)
        except DoorFailed as error:
            _log.warning("%s; nothing of it is counted", error)
            return None

    def is_told(self, scene: Scene, settled: Settled) -> bool:
        """Whether a decision may tell anything of the agent that is worth remembering."""
        return settled.verdict.stops or FACT in scene.context.facts or scene.action.kind in _PARTS

    async def note(self, scene: Scene, settled: Settled, id: str, deed: Deed) -> None:
        """Remembers what a decision tells of the agent. `deed` reads the action's features."""
        is_asked = settled.approval is not None and settled.approval.state == "asked"
        if settled.verdict.stops:
            if settled.by and not is_asked:
                await self._stopped(scene, settled, id, deed)
            return
        if not self._memories.knows(scene.agent):
            return
        try:
            memory = self._memories.of(scene.agent, scene.now)
        except DoorFailed as error:
            _log.warning("%s; it is left as it is", error)
            return
        if memory.acts:
            await self._allowed(scene, settled, memory, deed)

    async def _stopped(self, scene: Scene, settled: Settled, id: str, deed: Deed) -> None:
        features = bounded(await deed())
        if self._own.issuperset(settled.by):  # a memory that fed on itself would never fade
            self._change(scene, lambda memory: memory.tried(features, scene.place, scene.now))
            return
        act = _act_of(
            scene,
            settled,
            id,
            features,
            tuple(name for name in settled.by if name not in self._own)[:_MOST_SPECIALISTS],
        )
        self._change(scene, lambda memory: memory.stopped(act))

    async def _allowed(self, scene: Scene, settled: Settled, memory: AgentMemory, deed: Deed) -> None:
        action = scene.action
        if action.kind in _PARTS:
            text = "\n".join(action.text(part) for part in _PARTS[action.kind])
            pledge = pledge_in(text, scene.now)
            if pledge is not None and any(act.session == scene.session for act in memory.acts):
                self._change(scene, lambda known: known.pledged(scene.session, pledge))
        concerned = list(_concerned(memory.acts, scene))
        if not concerned:
            return
        features, place = bounded(await deed()), scene.place
        is_approved = bool(settled.exemptions) or (
            settled.approval is not None and settled.approval.state == "approved"
        )
        if is_approved:
            self._change(scene, lambda known: known.approved(features, place))
            return
        amount = amount_of(action)
        mine = without_options(features)
        if any(piece_of(act, action.kind, features, place, amount) for act in concerned):
            about = (action.kind, features, place, amount, scene.session, scene.now)
            self._change(scene, lambda known: known.done_in_part(*about))
        fresh = [act for act in concerned if act.session == scene.session and act.state in ("open", "repeated")]
        soon = [act for act in fresh if len(scene.context.history) - act.steps <= _LOOK_AHEAD]
        if any(is_about_the_same(act.kind, act.identity, action.kind, mine) for act in soon):
            self._change(scene, lambda known: known.heeded(action.kind, features, place, scene.session))

    def _change(self, scene: Scene, changed: Callable[[AgentMemory], AgentMemory]) -> None:
        self._memories.change(scene.agent, scene.now, changed)


def _act_of(scene: Scene, settled: Settled, id: str, features: frozenset[str], by: tuple[str, ...]) -> RefusedAct:
    opinions = dict(settled.opinions)
    reasons = [each.reason for name in by if (each := opinions.get(name)) is not None]
    corrections = [each.correction for name in by if isinstance(each := opinions.get(name), Finding)]
    return RefusedAct(
        scene.action.kind,
        features,
        by,
        (scene.now,),
        verdict=settled.verdict.label,
        session=scene.session,
        place=scene.place,
        task=digest(scene.context.task),
        steps=len(scene.context.history),
        shown=_shown(scene.action),
        reason=cut(" ".join(dict.fromkeys(reasons))),
        correction=cut(" ".join(filter(None, dict.fromkeys(corrections)))),
        amount=amount_of(scene.action),
        decision=id,
    )


def amount_of(action: Action) -> float | None:
    """The money that an action moves, if it is one that does."""
    return action.number("amount") if action.kind in ("payment", "refund") else None


def _shown(action: Action) -> str:
    """The action as one line for people; its secrets are masked already."""
    texts = [text for _, text in action.strings()][:8]
    return cut(f"{action.tool}: {' '.join(texts)}", _SHOWN)


def _concerned(acts: Iterable[RefusedAct], scene: Scene) -> Iterator[RefusedAct]:
    """The refused acts with which an action may have anything in common, by a look at its text."""
    of_kind = [act for act in acts if act.kind == scene.action.kind and act.place == scene.place]
    if not of_kind or scene.action.kind not in _NAMING:
        yield from of_kind
        return
    text = " ".join(islice((text for _, text in scene.action.strings()), _MOST_TEXTS))
    is_open = len(text) > _LONGEST_TEXT or not _INDIRECT.isdisjoint(text) or " ." in text
    folded = text[:_LONGEST_TEXT].casefold()
    yield from (act for act in of_kind if is_open or _is_named(act, folded))


def _is_named(act: RefusedAct, text: str) -> bool:
    """Whether a text has a name that the act has, or the act may have been spelled without its names."""
    shown = act.shown.casefold()
    names = [_name_in(feature) for feature in act.identity]
    return any(name in text or name not in shown for name in names)


def _name_in(feature: str) -> str:
    """The last name in a feature: the file of a path, the operand of a command. Hashed features may be anything."""
    words = feature.casefold().split()
    return words[-1].rstrip("/").rpartition("/")[2] if words and "#" not in feature else ""
