"""A decision as it is recorded: everything that is needed to run it again, by content address where it repeats."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from supervisor.action import Action, Context, Stage
from supervisor.decision.decision import Decision, finding_to_json, refusal_to_json
from supervisor.decision.settle import Settled
from supervisor.history import History, address_of, all_told
from supervisor.records.journal import Content
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

JSON_ALONE = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS
Answers = Mapping[str, list[dict[str, Any]]]


def content(value: Any) -> Content:
    """A value by its content address: the SHA-256 of its JSON. Keys keep their order; a specialist may read them so.

    Raises TypeError for what is not JSON, dates and dataclasses included: they would read back as something else.
    """
    encoded = orjson.dumps(value, option=JSON_ALONE)
    return address_of(encoded), encoded


def answers_contents(answers: Answers) -> list[Content]:
    """What the doors said, first all of it, then the pages that it names by their addresses: several specialists, and
    later actions, are told of the same one. Page by page, since nobody else runs while JSON is written."""
    pages: dict[int, Content] = {}

    def told(entry: dict[str, Any]) -> dict[str, Any]:
        if entry["door"] != "fetch" or "answer" not in entry:
            return entry
        page = entry["answer"]
        stored = pages.get(id(page)) or pages.setdefault(id(page), content(page))
        return {"door": "fetch", "request": entry["request"], "page": stored[0]}

    return [content({name: [told(each) for each in given] for name, given in answers.items()}), *pages.values()]


def answers_of(address: str | None, stored: Callable[[str], Any]) -> Answers:
    """What the doors said, as recorded under an address. `stored` gives what stands under one."""
    answers: Answers = stored(address) if address else {}
    pages = (entry for given in answers.values() for entry in given if "page" in entry)
    for entry in pages:
        entry["answer"] = stored(entry.pop("page"))
    return answers


def scene_of(context: Context) -> dict[str, Any]:
    """What is known besides the history. It repeats from action to action, so it is stored once."""
    return {"task": context.task, "agent": context.agent, "facts": context.facts}


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a record says whatever the verdict: the action, what was known, and who judges under which policy.

    `size` is that of everything that a specialist could look at, in bytes.
    """

    told: dict[str, Any]
    stage: Stage
    subject: str
    size: int
    contents: tuple[Content, ...]
    history: History

    @property
    def policy(self) -> str:
        """The address of the policy."""
        address: str = self.told["policy"]
        return address


def prepared_of(
    action: Action, context: Context, time: str, scene: Content, versions: Content, policy: Content
) -> Prepared:
    """The part of a record that can be made while the specialists judge. Raises TypeError for what is not JSON."""
    history = all_told(context)
    subject, encoded = content(action_to_json(action))
    told = {
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
    return Prepared(told, context.stage, subject, size, (scene, versions, policy), history)


def predicate_of(
    prepared: Prepared, settled: Settled, asked: str, answers: str | None, *, id: str, elapsed_ms: float
) -> dict[str, Any]:
    """What a decision's record says. `asked` and `answers` are the addresses of who was asked and of what the doors
    said."""
    return {
        "id": id,
        **prepared.told,
        "answers": answers,
        "asked": asked,
        "opinions": [opinion_to_json(name, opinion) for name, opinion in settled.opinions],
        "earlier": dict(settled.earlier),
        "decision": verdict_to_json(settled),
        "elapsed_ms": round(elapsed_ms, 3),
        **({"approval": settled.approval.to_json()} if settled.approval else {}),
        **({"unjudged": settled.unjudged} if settled.unjudged else {}),
    }


def action_to_json(action: Action) -> dict[str, Any]:
    """The action with its kind and parts, as they were worked out."""
    return {"tool": action.tool, "args": action.args, "kind": action.kind, "fields": dict(action.fields)}


def verdict_to_json(settled: Settled) -> dict[str, Any]:
    """What the agent was told."""
    told = {"verdict": settled.verdict.label, "by": list(settled.by), "review": settled.review}
    if settled.correction:
        told["correction"] = settled.correction
    if settled.reverts:
        told["reverts"] = True
    return told


def opinion_to_json(name: str, opinion: Opinion) -> dict[str, Any]:
    """An opinion as recorded; a plain ok is only a name and a confidence."""
    if isinstance(opinion, Refusal):
        return refusal_to_json(name, opinion)
    if not opinion.verdict and not opinion.reason and not opinion.evidence:
        return {"specialist": name, "verdict": "ok", "confidence": opinion.confidence}
    return finding_to_json(name, opinion)


def reverted_of(decision: Decision, time: str) -> dict[str, Any]:
    """What the record of an undoing says: of which decision, and whether it was done or why not."""
    told = {"id": decision.id, "time": time, "session": decision.session, "outcome": decision.record}
    return told | {"reverted": not decision.reverted, "error": decision.reverted or None}


@functools.lru_cache(maxsize=256)
def names_content(names: tuple[str, ...]) -> Content:
    """Who was asked, by its address; the same for most actions of a kind."""
    return content(names)


def opinion_of(told: Mapping[str, Any]) -> Opinion:
    """A recorded opinion."""
    if "cause" in told:
        return Refusal(told["reason"], Cause(told["cause"]), told.get("ended", ""))
    texts = (told.get("reason", ""), told.get("correction", ""), told.get("sharper", ""))
    return Finding(Verdict.named(told["verdict"]), told["confidence"], *texts, tuple(told.get("evidence", ())))
