"""What an agent was refused in earlier sessions, and what became of it: the model, without files and clocks.

A memory is bounded in every direction, because the agent decides what is put into it: the number of acts, their
features, their texts. All functions are pure; times are seconds since the epoch.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

FACT = "agent_memory"  # the name of the fact that is true where there is a memory of the agent
NEARNESS = 0.6
OPTION = "option:"  # begins a feature that says how an act is done, not on what
MOST_ACTS = 48
MOST_TIMES = 16  # stops of one act that are counted
MOST_PIECES = 12
_MOST_FEATURES = 48
_LONGEST_FEATURE = 64  # bytes; a longer or unprintable one is known by its hash
_LONGEST = 300  # bytes of a text
_LONGEST_NAME = 200  # bytes of a session's or a directory's name
_DAY = 24 * 3600.0

State = Literal["open", "repeated", "heeded", "approved"]


@dataclass(frozen=True, slots=True)
class Pledge:
    """What the agent promised after a refusal: not to do it again (`never`), or another way (`instead`).

    `words` are those that name the other way, `dropped` those that name what it is to replace.
    """

    text: str
    at: float
    sort: Literal["never", "instead"] = "never"
    words: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """An action that ran and did a part of a refused act: the features that it covers, or the amount that it moved."""

    session: str
    at: float
    features: frozenset[str] = frozenset()
    amount: float | None = None


@dataclass(frozen=True, slots=True)
class RefusedAct:
    """An act that was stopped in one session, as often as `times` says.

    - `features`: what identifies it (see `evidence.actions.deed`), bounded.
    - `by`: the specialists that decided. `decision`: the id of the latest decision.
    - `place`: the directory in which the agent worked, "" where none matters. `task`: a digest of the task.
    - `steps`: the steps that the session had run by then. `amount`: the money that it would have moved.
    - `state`: `repeated` if it was proposed again, `heeded` if the agent then did it without the objection, `approved`
      if a person allowed it since, else `open`.
    """

    kind: str
    features: frozenset[str]
    by: tuple[str, ...]
    times: tuple[float, ...]
    verdict: str = "nudge"
    session: str = ""
    place: str = ""
    task: str = ""
    steps: int = 0
    shown: str = ""
    reason: str = ""
    correction: str = ""
    amount: float | None = None
    decision: str = ""
    state: State = "open"
    pledge: Pledge | None = None
    pieces: tuple[Piece, ...] = ()

    @property
    def at(self) -> float:
        """When it was last stopped."""
        return self.times[-1]

    @property
    def identity(self) -> frozenset[str]:
        """The features without the options."""
        return without_options(self.features)

    @property
    def options(self) -> frozenset[str]:
        """The features that are options."""
        return self.features - self.identity

    def is_near(self, features: frozenset[str], place: str) -> bool:
        """Whether an act with these bounded features in this place is near-equivalent."""
        return self.place == place and near(self.identity, without_options(features))

    def is_same(self, features: frozenset[str], place: str) -> bool:
        """Whether it is the same act: near-equivalent, and with every option that was refused."""
        return self.options <= features and self.is_near(features, place)


@dataclass(frozen=True, slots=True)
class AgentMemory:
    """The refused acts of one agent, oldest first."""

    acts: tuple[RefusedAct, ...] = ()

    def kept(self, now: float, days: float) -> AgentMemory:
        """The newest MOST_ACTS that were stopped within `days`."""
        fresh = [act for act in self.acts if now - act.at <= days * _DAY]
        return AgentMemory(tuple(sorted(fresh, key=lambda act: act.at)[-MOST_ACTS:]))

    def stopped(self, act: RefusedAct) -> AgentMemory:
        """With one more stop. A near-equivalent act of the same session that the same specialists stopped is repeated,
        and so is each of another session that is not settled."""
        before, others = None, []
        for each in self.acts:
            if not (each.is_near(act.features, act.place) and set(each.by) & set(act.by)):
                others.append(each)
            elif each.session == act.session and before is None and each.state != "approved":
                before = each
            else:
                others.append(replace(each, state="repeated") if each.state == "open" else each)
        if before is not None:
            times = (*before.times, *act.times)[-MOST_TIMES:]
            act = replace(act, times=times, state="repeated", pledge=before.pledge, pieces=before.pieces)
        return AgentMemory((*others, act))

    def tried(self, features: frozenset[str], place: str, now: float) -> AgentMemory:
        """With one more stop of every near-equivalent act: it was proposed again, and only its past stopped it."""
        return self._changed(
            lambda act: act.is_near(features, place) and act.state != "approved",
            lambda act: replace(act, times=(*act.times, now)[-MOST_TIMES:], state="repeated"),
        )

    def approved(self, features: frozenset[str], place: str) -> AgentMemory:
        """With near-equivalent acts as approved by a person."""
        return self._changed(lambda act: act.is_near(features, place), lambda act: replace(act, state="approved"))

    def heeded(self, kind: str, features: frozenset[str], place: str, session: str) -> AgentMemory:
        """With the acts of this session as heeded that an action which may run now does without the objection."""
        return self._changed(
            lambda act: (
                act.session == session
                and act.state in ("open", "repeated")
                and act.place == place
                and is_about_the_same(act.kind, act.identity, kind, without_options(features))
            ),
            lambda act: replace(act, state="heeded"),
        )

    def pledged(self, session: str, pledge: Pledge) -> AgentMemory:
        """With a promise about the act that this session was refused last."""
        last = next((act for act in reversed(self.acts) if act.session == session and act.state != "approved"), None)
        return self._changed(lambda act: act is last, lambda act: replace(act, pledge=pledge))

    def done_in_part(
        self, kind: str, features: frozenset[str], place: str, amount: float | None, session: str, now: float
    ) -> AgentMemory:
        """With an action that may run as a piece of every act of which it is one."""

        def with_piece(act: RefusedAct) -> RefusedAct:
            piece = piece_of(act, kind, features, place, amount)
            if piece is None:
                return act
            mine = replace(piece, session=session, at=now)
            known = [each for each in act.pieces if (each.session, each.features) != (session, mine.features)]
            kept = act.pieces if mine.amount is not None else known
            return replace(act, pieces=(*kept, mine)[-MOST_PIECES:])

        return AgentMemory(tuple(map(with_piece, self.acts)))

    def weight(
        self, specialist: str, features: frozenset[str], place: str, session: str, now: float, half_life_days: float
    ) -> float:
        """How often a specialist stopped near-equivalent acts in other sessions without being heeded. A stop counts
        half after each half-life."""
        counted = (act for act in self._unheeded(session) if specialist in act.by and act.is_near(features, place))
        return _weight_of(counted, now, half_life_days)

    def unheeded(self, session: str, now: float, half_life_days: float) -> float:
        """The same of every specialist and every act."""
        return _weight_of(self._unheeded(session), now, half_life_days)

    def _unheeded(self, session: str) -> Iterator[RefusedAct]:
        """The acts of other sessions that are neither heeded nor approved."""
        others = (act for act in self.acts if not session or act.session != session)
        return (act for act in others if act.state in ("open", "repeated"))

    def _changed(
        self, chosen: Callable[[RefusedAct], bool], changed: Callable[[RefusedAct], RefusedAct]
    ) -> AgentMemory:
        return AgentMemory(tuple([changed(act) if chosen(act) else act for act in self.acts]))


def _weight_of(acts: Iterable[RefusedAct], now: float, half_life_days: float) -> float:
    return round(math.fsum(decayed(act.times, now, half_life_days) for act in acts), 6)


def decayed(times: Iterable[float], now: float, half_life_days: float) -> float:
    """The sum of stops, each halved once for every half-life of its age. A time to come counts as now."""
    return math.fsum(0.5 ** (max(0.0, now - at) / (half_life_days * _DAY)) for at in times)


def piece_of(act: RefusedAct, kind: str, features: frozenset[str], place: str, amount: float | None) -> Piece | None:
    """The piece of a refused act that an action does, None if it does none: some of the operands of its one program,
    or a lesser amount to the same payee for the same cause."""
    if act.kind != kind or act.place != place or act.state == "approved":
        return None
    mine = without_options(features)
    if act.amount is not None:
        is_less = amount is not None and 0 < amount < act.amount
        is_same = _but_amounts(mine) == _but_amounts(act.identity)
        return Piece("", 0.0, amount=amount) if is_less and is_same else None
    is_part = bool(mine) and mine < act.identity and len(act.identity) > 1
    return Piece("", 0.0, features=mine) if is_part else None


def is_whole(act: RefusedAct, pieces: Iterable[Piece]) -> bool:
    """Whether pieces together come to the refused act."""
    parts = list(pieces)
    if act.amount is not None:
        return math.fsum(each.amount or 0.0 for each in parts) >= act.amount
    return act.identity <= frozenset().union(*(each.features for each in parts))


def _but_amounts(features: frozenset[str]) -> frozenset[str]:
    return frozenset(each for each in features if not each.startswith((".amount", ".sum", ".total", ".value")))


def near(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two actions are near-equivalent: the Jaccard index is at least NEARNESS, both for the words of their
    prose (features that begin with `word:`) and for all other features. So a long text does not outweigh an address."""
    if one == other:
        return True
    prose, others = _prose(one), _prose(other)
    return _alike(one - prose, other - others) and _alike(prose, others)


def is_about_the_same(kind: str, features: frozenset[str], other_kind: str, others: frozenset[str]) -> bool:
    """Whether two actions are of one kind and share a feature that says more than the kind."""
    shared = {each for each in features & others if not each.startswith("kind:")}
    return kind == other_kind and (bool(shared) or near(features, others))


def without_options(features: frozenset[str]) -> frozenset[str]:
    """The features that say what an act is done to."""
    return frozenset(each for each in features if not each.startswith(OPTION))


def _prose(features: frozenset[str]) -> frozenset[str]:
    return frozenset(feature for feature in features if feature.startswith("word:"))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= NEARNESS * len(one | other)


def bounded(features: Iterable[str]) -> frozenset[str]:
    """Features for keeping: a long one becomes its hash, and of many those with the least hashes are kept, which
    estimates the Jaccard index without bias (Broder, "On the resemblance and containment of documents", 1997)."""
    short = {_short(each) for each in features}
    return frozenset(sorted(short, key=_hash)[:_MOST_FEATURES] if len(short) > _MOST_FEATURES else short)


def _short(feature: str) -> str:
    if feature.isprintable() and len(feature.encode()) <= _LONGEST_FEATURE:
        return feature
    sort = next((each for each in (OPTION, "word:", "kind:") if feature.startswith(each)), "")
    return f"{sort}#{_hash(feature)[:24]}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def cut(text: str, most: int = _LONGEST) -> str:
    """A text for keeping: one line of at most `most` bytes that any terminal can show."""
    line = "".join(letter if letter.isprintable() else " " for letter in " ".join(text[:most].split()))
    return line.encode(errors="replace")[:most].decode(errors="ignore")


def short_name(name: str) -> str:
    """A session's or a directory's name for keeping: a long or unprintable one becomes its hash."""
    is_short = name.isprintable() and len(name.encode()) <= _LONGEST_NAME
    return name if is_short else f"#{digest(name)}"


def digest(text: str | None) -> str:
    """A text by which to tell whether another is the same; "" for none."""
    return _hash(text)[:24] if text else ""


def memory_to_json(memory: AgentMemory) -> dict[str, Any]:
    """A memory as plain values."""
    return {"acts": [_plain(asdict(act)) for act in memory.acts]}


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """An act as plain values. A piece names features by their numbers, since all of them are the act's."""
    features = sorted(values["features"])
    numbers = {feature: number for number, feature in enumerate(features)}
    pieces = [
        {**each, "features": sorted(numbers[feature] for feature in each["features"] if feature in numbers)}
        for each in values["pieces"]
    ]
    return {**values, "features": features, "pieces": pieces}


def memory_of(values: Mapping[str, Any]) -> AgentMemory:
    """The memory in plain values. Raises KeyError, TypeError or ValueError for anything else."""
    return AgentMemory(tuple([_act_of(each) for each in values["acts"]]))


def _act_of(values: Mapping[str, Any]) -> RefusedAct:
    named = [str(each) for each in values["features"]]
    pieces = tuple(
        Piece(**{**each, "features": frozenset(named[int(number)] for number in each["features"])})
        for each in values["pieces"]
    )
    given = values["pledge"]
    pledge = given and Pledge(**{**given, "words": tuple(given["words"]), "dropped": tuple(given["dropped"])})
    if values["state"] not in get_args(State) or not values["times"]:
        raise ValueError("no refused act")
    lists = {"by": tuple(map(str, values["by"])), "times": tuple(map(float, values["times"]))}
    return RefusedAct(**{**values, **lists, "features": frozenset(named), "pieces": pieces, "pledge": pledge})
