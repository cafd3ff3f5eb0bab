"""`supervisor log show`: one decision in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import orjson

from supervisor.action import Step
from supervisor.cli.decisions import cure_of, lost_line
from supervisor.cli.log.listing import shortened
from supervisor.cli.log.story import Story
from supervisor.cli.output import COLOURS, console, counted, print_indented, styled, verdict
from supervisor.decision.decision import why_watched
from supervisor.decision.exemptions import SHORT
from supervisor.decision.lost_votes import lost_votes_of
from supervisor.evidence.machine.assets import FACT
from supervisor.verdict import Cause

_INDENT = 2  # columns
_STEPS = 5  # steps before the action that are shown
_LONGEST = 4_000  # characters of an argument or an output
_SHOWN = frozenset(
    "id time session action scene history answers versions policy asked opinions earlier decision elapsed_ms approval"
    " exemptions unjudged unheeded sequence prefix anchor".split()
)
_NO_FACTS = {"cwd", FACT, "policy_file"}  # shown elsewhere, or set by the engine in every decision
_MEANING = {
    "ok": "The action may run.",
    "flag": "The action may run; a person should look at it.",
    "nudge": "The action does not run; the agent gets a correction.",
    "block": "The action does not run; the agent gets the reason.",
}
_AFTER = {
    "ok": "The result may be used.",
    "flag": "The result may be used; a person should look at it.",
    "nudge": "The result is withheld; the agent gets a correction.",
    "block": "The result is withheld; the agent gets the reason.",
}


def print_story(story: Story, *, first: bool = True) -> None:
    """Prints a decision for people. Parts without content are left out."""
    if not first:
        console().print("")
    for title, lines in _parts(story):
        shown = list(lines)
        if shown:
            console().print(styled(title, "bold"))
            for line in shown:
                print_indented(line, _INDENT)


def _parts(story: Story) -> Iterator[tuple[str, Iterable[str]]]:
    predicate, kind = story.record.predicate, story.record.kind
    label = predicate["decision"]["verdict"]
    meaning = (_MEANING if kind == "decision" else _AFTER)[label]
    if label == "flag" and _is_exempted(predicate):
        meaning = "The action may run: an exemption lifts every objection."
    yield f"{label} · {predicate['time'][:19].replace('T', ' ')} UTC", (f"[{COLOURS[label]}]{meaning}[/]",)
    yield "Proposed" if kind == "decision" else "Ran", _action(predicate["action"])
    yield "By", _who(story)
    yield f"After {counted(len(story.history), 'step')}", map(_step, story.history[-_STEPS:])
    yield "Objections", _objections(predicate)
    yield "Told the agent", _told(predicate)
    yield "Could not judge", _lost(predicate)
    yield "Escalation", _escalation(predicate)
    yield "Approval", _approval(story)
    yield "Allowed by exemption", _exempted(predicate)
    yield "Labels", map(_label, story.labels)
    yield "Also recorded", _more(predicate)
    yield "What ran, and what came out", _came_out(story)
    yield "Doors", _doors(story.answers)
    yield "Record", _record(story)
    yield "Not readable", (styled(each, "red") for each in story.missing)


def _action(action: Mapping[str, Any]) -> Iterator[str]:
    kind = f"(kind {action.get('kind')})"
    yield f"{styled(str(action['tool']), 'bold')} {styled(kind, 'dim')}"
    for name, value in action["args"].items():
        yield f"{styled(f'{name}:', 'dim')} {styled(_whole(value), '')}"


def _whole(value: Any) -> str:
    text = value if isinstance(value, str) else orjson.dumps(value, default=str).decode()
    rest = len(text) - _LONGEST
    return text if rest <= 0 else f"{text[:_LONGEST]}… ({rest:,} more characters; --json has all)"


def _who(story: Story) -> Iterator[str]:
    session = story.record.predicate["session"]
    yield styled(f"agent {story.agent}" if story.agent else "an agent without a name", "")
    yield styled(f"session {session}" if session else "no session", "")
    if story.task:
        yield f"{styled('task:', 'dim')} {styled(_whole(story.task), '')}"
    if cwd := story.facts.get("cwd"):
        yield f"{styled('in', 'dim')} {styled(str(cwd), '')}"
    for name in sorted(story.facts.keys() - _NO_FACTS):
        yield styled(shortened(f"fact {name}: {_whole(story.facts[name])}", 200), "dim")


def _step(step: Step) -> str:
    values = " ".join(str(value) for value in step.args.values())
    ended = " failed" if step.failed else ""
    shown = styled(shortened(f"{step.tool}{ended} {values}"), "")
    return shown if step.output is None else f"{shown} {styled(shortened(f'→ {step.output}', 200), 'dim')}"


def _objections(predicate: Mapping[str, Any]) -> Iterator[str]:
    for each in predicate["opinions"]:
        if each.get("verdict") in ("flag", "nudge", "block"):
            decided = "" if each["specialist"] in predicate["decision"]["by"] else " (did not decide)"
            sure = "" if each.get("confidence", 1.0) == 1.0 else f" (confidence {each['confidence']})"
            yield f"{verdict(each['verdict'])} {styled(each['specialist'], 'bold')}{styled(decided + sure, 'dim')}"
            yield f"  {styled(str(each.get('reason', '')), '')}"
            if quoted := each.get("evidence"):
                yield "  " + styled(shortened(f"read from: {_listed(quoted)}"), "dim")
    if unheeded := predicate.get("unheeded"):
        yield styled(why_watched(unheeded), "")
    if problem := predicate.get("unjudged"):
        yield styled(f"some specialists could not be asked: {problem}", "yellow")


def _listed(values: Any) -> str:
    return " · ".join(map(str, values)) if isinstance(values, list) else str(values)


def _told(predicate: Mapping[str, Any]) -> Iterator[str]:
    if correction := predicate["decision"].get("correction"):
        yield styled(str(correction), "")


def _lost(predicate: Mapping[str, Any]) -> Iterator[str]:
    for lost in lost_votes_of(predicate["opinions"]):
        cause = "caused by the action itself" if lost.cause == Cause.INPUT else "the deployment's own"
        yield styled(lost_line(lost), "yellow") + styled(f" ({cause})" if not cure_of(lost) else "", "dim")
        if len(lost.specialists) > 4:
            yield "  " + styled(f"all: {', '.join(lost.specialists)}", "dim")


def _escalation(predicate: Mapping[str, Any]) -> Iterator[str]:
    earlier = predicate.get("earlier")
    for name, times in (earlier if isinstance(earlier, dict) else {}).items():
        if times:
            yield styled(f"nudges of this session by {name} over nearly the same action, before this: {times}", "")
    remembered = predicate.get("remembered")
    for name, weight in (remembered if isinstance(remembered, dict) else {}).items():
        yield styled(f"nudges of other sessions by {name} that were ignored, decayed: {weight}", "")


def _approval(story: Story) -> Iterator[str]:
    approval = story.record.predicate.get("approval")
    if not approval:
        return
    yield styled(f"{approval.get('state')}: question {str(approval.get('id'))[:12]}", "")
    yield styled(f"over {_listed(approval.get('over'))}", "dim")
    answer = story.answer or (approval if approval.get("by") else None)
    if answer is not None:
        note = f": {answer['note']}" if answer.get("note") else ""
        yield styled(f"{answer.get('answer', approval.get('state'))} by {answer.get('by')}{note}", "")
    elif approval.get("state") == "asked":
        yield styled(f"no answer is recorded; it closes at {approval.get('expires')}", "dim")


def _is_exempted(predicate: Mapping[str, Any]) -> bool:
    """Whether exemptions alone made a flag of the decision, so that nobody needs to look at it."""
    return not predicate["decision"].get("review", True) and bool(predicate.get("exemptions"))


def _exempted(predicate: Mapping[str, Any]) -> Iterator[str]:
    """The exemptions that the decision rests on, each once with the specialists whose objections it lifted."""
    lifted: dict[str, list[str]] = {}
    made: dict[str, Mapping[str, Any]] = {}
    for name, exemption in predicate.get("exemptions", {}).items():
        lifted.setdefault(exemption["id"], []).append(name)
        made[exemption["id"]] = exemption
    for id, each in made.items():
        until = f"until {each['expires'][:16].replace('T', ' ')} UTC" if each.get("expires") else "for ever"
        yield f"{styled(id[:SHORT], 'bold')}: {styled(str(each.get('reason')), '')}"
        yield "  " + styled(f"lifts the objection of {', '.join(lifted[id])}; {until}; made by {each.get('by')}", "")
        if each.get("origin") == "person":
            yield "  " + styled(f"`supervisor allow revoke {id[:SHORT]}` ends it", "dim")


def _label(label: Mapping[str, Any]) -> str:
    """A person's judgement: the word, the verdict that it should have been, the entry; then who, when and why."""
    said = (str(label.get("label")).replace("_", " "), label.get("verdict"), label.get("entry"))
    note = f": {label['note']}" if label.get("note") else ""
    who = f"{label.get('by')}, {str(label.get('time'))[:16].replace('T', ' ')} UTC{note}"
    return f"{styled(' '.join(str(each) for each in said if each), 'bold')} {styled(who, 'dim')}"


def _more(predicate: Mapping[str, Any]) -> Iterator[str]:
    for name, value in predicate.items():
        if name not in _SHOWN:
            yield f"{styled(f'{name}:', 'dim')} {styled(_whole(value), '')}"


def _came_out(story: Story) -> Iterator[str]:
    predicate, step = story.record.predicate, story.came_out
    is_stopped = predicate["decision"]["verdict"] in ("nudge", "block")
    if story.declined is not None:
        note = f": {story.declined['note']}" if story.declined.get("note") else "."
        yield styled(f"It did not run: {story.declined.get('by')} said no at the host's prompt{note}", "")
    elif step is not None:
        yield "It ran and failed:" if step.failed else "It ran:"
        yield styled("no output is recorded" if step.output is None else _whole(step.output), "")
    elif is_stopped and story.record.kind == "decision":
        yield "It did not run: it was stopped."
    elif story.went_on:
        yield "No later step of the session is this action: it did not run, or its outcome was not reported."
    else:
        yield styled("Not recorded: no later decision of the session is in this journal.", "dim")
    if story.outcome is not None:
        judged = story.outcome["decision"]["verdict"]
        yield f"Its outcome was judged: {verdict(judged)} {styled(', '.join(story.outcome['decision']['by']), '')}"
    if story.revert is not None:
        undone = "It was undone." if story.revert.get("reverted") else f"Undoing it failed: {story.revert.get('error')}"
        yield styled(undone, "yellow")


def _doors(answers: Mapping[str, Any]) -> Iterator[str]:
    for name, given in answers.items():
        for each in given:
            answer = each.get("answer", each.get("error"))
            yield styled(shortened(f"{name} asked {each.get('door')}: {_whole(each.get('request'))}"), "")
            yield "  " + styled(shortened(f"→ {_whole(answer)}"), "dim")


def _record(story: Story) -> Iterator[str]:
    record, predicate = story.record, story.record.predicate
    yield styled(f"id {predicate['id']}", "")
    yield styled(f"address {record.address}", "dim")
    yield styled(f"at {record.place}", "dim")
    yield styled(f"decided in {predicate.get('elapsed_ms')} ms; {counted(len(story.asked), 'specialist')} asked", "dim")
    yield styled(f"version {story.library or 'unknown'}, policy {str(predicate.get('policy'))[:16]}", "dim")
