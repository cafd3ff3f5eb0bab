"""A decision as it is recorded: everything that a replay needs. Values that repeat are stored by content address."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from supervisor.action import Action, Context, Stage
from supervisor.decision.decision import Decision, finding_to_json, refusal_to_json
from supervisor.decision.settle import Settled
from supervisor.history import Content, History, address_of, whole_history
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

JSON_ALONE = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS
_STORED = ("fetch", "recall")  # doors whose answers are stored by address: specialists and actions share them
Answers = Mapping[str, list[dict[str, Any]]]


def content(value: Any) -> Content:
    """The content address (the SHA-256 of the JSON) and the JSON of a value. Keys keep their order, since a specialist
    may depend on it.

    Raises TypeError for a value that is not JSON. Dates and dataclasses are not: they would read back as another type.
    """
    encoded = orjson.dumps(value, option=JSON_ALONE)
    return address_of(encoded), encoded


def answers_contents(answers: Answers) -> list[Content]:
    """The doors' answers: first all of them as one content, then each page or memory that they name by its address,
    since several specialists and later actions get the same one. Each is encoded on its own, because no other thread
    runs while JSON is written."""
    pages: dict[int, Content] = {}

    def stored_entry(entry: dict[str, Any]) -> dict[str, Any]:
        if entry["door"] not in _STORED or "answer" not in entry:
            return entry
        page = entry["answer"]
        stored = pages.get(id(page)) or pages.setdefault(id(page), content(page))
        return {"door": entry["door"], "request": entry["request"], "page": stored[0]}

    return [content({name: [stored_entry(each) for each in given] for name, given in answers.items()}), *pages.values()]


def answers_of(address: str | None, stored: Callable[[str], Any]) -> Answers:
    """The doors' answers as recorded under an address. `stored` returns the value of an address."""
    answers: Answers = stored(address) if address else {}
    pages = (entry for given in answers.values() for entry in given if "page" in entry)
    for entry in pages:
        entry["answer"] = stored(entry.pop("page"))
    return answers


def scene_of(context: Context) -> dict[str, Any]:
    """The context besides the history. It repeats from action to action, so it is stored once."""
    return {"task": context.task, "agent": context.agent, "facts": context.facts}


@dataclass(frozen=True, slots=True)
class Prepared:
    """The part of a record that does not depend on the verdict: action, context, versions of the specialists, policy.

    `size` is the size of everything that a specialist can read, in bytes.
    """

    common: dict[str, Any]
    stage: Stage
    subject: str
    size: int
    contents: tuple[Content, ...]
    history: History

    @property
    def policy(self) -> str:
        """The address of the policy."""
        address: str = self.common["policy"]
        return address


def prepared_of(
    action: Action, context: Context, time: str, scene: Content, versions: Content, policy: Content
) -> Prepared:
    """The part of a record that is encoded while the specialists judge. Raises TypeError for values that are not
    JSON."""
    history = whole_history(context)
    subject, encoded = content(action_to_json(action))
    common = {
        "time": time,
        "session": context.session,
        "action": orjson.Fragment(encoded),
        "scene": scene[0],
        "history": history.address(),
        "answers": None,
        "versions": versions[0],
        "policy": policy[0],
    }
    size = len(encoded) + len(scene[1]) + history.size
    return Prepared(common, context.stage, subject, size, (scene, versions, policy), history)


def predicate_of(
    prepared: Prepared, settled: Settled, asked: str, answers: str | None, *, id: str, elapsed_ms: float
) -> dict[str, Any]:
    """The predicate of a decision's record. `asked` and `answers` are the addresses of the specialists that were asked
    and of the doors' answers."""
    lifted = settled.exemptions
    return {
        "id": id,
        **prepared.common,
        "answers": answers,
        "asked": asked,
        "opinions": [opinion_to_json(name, opinion) for name, opinion in settled.opinions],
        "earlier": dict(settled.earlier),
        **({"remembered": dict(settled.remembered)} if settled.remembered else {}),
        **({"unheeded": settled.unheeded} if settled.unheeded else {}),
        "decision": verdict_to_json(settled),
        "elapsed_ms": round(elapsed_ms, 3),
        **({"approval": settled.approval.to_json()} if settled.approval else {}),
        **({"exemptions": {name: each.to_json() for name, each in lifted.items()}} if lifted else {}),
        **({"unjudged": settled.unjudged} if settled.unjudged else {}),
    }


def action_to_json(action: Action) -> dict[str, Any]:
    """The action with its resolved kind and fields."""
    return {"tool": action.tool, "args": action.args, "kind": action.kind, "fields": dict(action.fields)}


def verdict_to_json(settled: Settled) -> dict[str, Any]:
    """The verdict that the agent received."""
    values = {"verdict": settled.verdict.label, "by": list(settled.by), "review": settled.review}
    if settled.correction:
        values["correction"] = settled.correction
    if settled.reverts:
        values["reverts"] = True
    return values


def opinion_to_json(name: str, opinion: Opinion) -> dict[str, Any]:
    """An opinion as recorded; a plain ok is only a name and a confidence."""
    if isinstance(opinion, Refusal):
        return refusal_to_json(name, opinion)
    if not opinion.verdict and not opinion.reason and not opinion.evidence:
        return {"specialist": name, "verdict": "ok", "confidence": opinion.confidence}
    return finding_to_json(name, opinion)


def reverted_of(decision: Decision, time: str) -> dict[str, Any]:
    """The predicate of a revert's record: the decision, and whether the revert succeeded or why it failed."""
    values = {"id": decision.id, "time": time, "session": decision.session, "outcome": decision.record}
    return values | {"reverted": not decision.reverted, "error": decision.reverted or None}


@functools.lru_cache(maxsize=256)
def names_content(names: tuple[str, ...]) -> Content:
    """The names of the specialists that were asked, as content. Most actions of a kind have the same names."""
    return content(names)


def opinion_of(values: Mapping[str, Any]) -> Opinion:
    """A recorded opinion."""
    if "cause" in values:
        return Refusal(values["reason"], Cause(values["cause"]), values.get("ended", ""))
    texts = (values.get("reason", ""), values.get("correction", ""), values.get("sharper", ""))
    return Finding(Verdict.named(values["verdict"]), values["confidence"], *texts, tuple(values.get("evidence", ())))
