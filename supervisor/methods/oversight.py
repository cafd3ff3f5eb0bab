"""How a change to a resource is judged: whether the user asked for it, its environment, and whether it was inspected.

A reversible change is flagged, any other nudged. Production raises the verdict. A trial environment lowers it unless
something is destroyed, since others may share it. A change that the user asked for, or that this session rehearsed
before, goes to a person instead of back to the agent; so does one that it listed, if no request is known. The agent may
remove what it created itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from supervisor.action import Action, Context, Step, strings_in
from supervisor.evidence.actions.commands import past_commands, run_by
from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.changes.clauses import clauses_of, fold, said_by_user
from supervisor.evidence.changes.names import has_name
from supervisor.evidence.changes.settled import is_settled
from supervisor.evidence.changes.shown import aliases, was_shown, with_lists
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import (
    Word,
    is_asked,
    is_for_trial,
    is_listed_by_user,
    is_ordered_in_cited,
    is_ruled_out,
    word_on,
)
from supervisor.evidence.effects import Act, effects, is_known
from supervisor.evidence.effects.platforms import Environment, Resource, Sort, is_looked_at, is_made, is_tried
from supervisor.evidence.history.past_scripts import latest_steps
from supervisor.evidence.prose.stage_words import stages_in
from supervisor.evidence.prose.thing_words import words_for
from supervisor.evidence.shell import Command, shown
from supervisor.evidence.situation.named.meant import is_described
from supervisor.evidence.situation.wider.outlived import are_outlived
from supervisor.methods.named_by_command import OWN_NAME, identifiers, is_own_name, makes_anew, own_verbs
from supervisor.specialist import block, flag, nudge, ok
from supervisor.verdict import Finding, Verdict

DESTROYS = frozenset({"delete", "purge", "reset", "overwrite"})
HALTS = frozenset({"stop", "silence", "detach", "revoke", "cancel"})
_REHEARSED = re.compile(r"(?i)\bdry[ -_]?run\b|\bwould (?:be )?(?:delete|remove)|\bno changes (?:were )?made\b")
_MOST_LISTED = 16  # targets with commas between them
_LATEST = 40  # steps in which a listing or a rehearsal still counts
# The sorts of request that ask for each verb.
_DEEDS: dict[str, frozenset[Verb]] = {
    **dict.fromkeys(DESTROYS, frozenset({Verb.DELETE, Verb.STOP, Verb.RESET, Verb.FORMAT, Verb.CLOSE, Verb.REVOKE})),
    "overwrite": frozenset({Verb.RESET, Verb.WRITE, Verb.SEND, Verb.DELETE, Verb.MOVE, Verb.ROTATE}),
    "reset": frozenset({Verb.RESET, Verb.WRITE, Verb.DELETE, Verb.ROTATE, Verb.RESTART}),
    **dict.fromkeys(HALTS, frozenset({Verb.DELETE, Verb.STOP, Verb.REVOKE, Verb.CLOSE, Verb.RESTART, Verb.ROTATE})),
    "expose": frozenset({Verb.SHARE, Verb.PUBLISH}),
    "grant": frozenset({Verb.GRANT, Verb.SHARE}),
    "weaken": frozenset({Verb.STOP, Verb.DELETE, Verb.WRITE}),
    "apply": frozenset({Verb.DEPLOY, Verb.INSTALL, Verb.DELETE}),
    "tamper": frozenset({Verb.MOVE, Verb.DELETE, Verb.SHARE, Verb.WRITE}),
}
# The requests that ask for what a word of the command does, besides those for its verb.
_ASKED_AS = {
    "switchover": Verb.SWITCH,
    "failover": Verb.SWITCH,
    "promote": Verb.SWITCH,
    "remove-vmsnapshot": Verb.MERGE,  # merges the checkpoint into its disk
    "remove-vmcheckpoint": Verb.MERGE,
}
_ENDS = frozenset({Verb.CLOSE, Verb.DELETE, Verb.FORMAT, Verb.RESET, Verb.REVOKE, Verb.RESTART, Verb.STOP})
# The rows of words with which people name things of a sort, besides those of the command line.
_SPOKEN: dict[Sort, tuple[str, ...]] = {
    Sort.DATABASE: ("database", "datastore"),
    Sort.INFRASTRUCTURE: ("infrastructure",),
    Sort.QUEUE: ("queue",),
    Sort.BACKUP: ("backup",),
    Sort.MONITORING: ("alert",),
    Sort.SECRET: ("secret",),
}
# Nouns of command lines, by the row of words with which people name the thing, or by its name in full.
_SPOKEN_NOUNS = {
    **dict.fromkeys(("pv", "pvc", "persistentvolume", "persistentvolumeclaim", "volume", "disk"), "volume"),
    **dict.fromkeys(("node", "no", "drain", "cordon"), "node"),
    "image": "backup",  # clouds keep snapshots as images
}
_IN_FULL = {
    "ns": "namespace",
    "po": "pod",
    "deploy": "deployment",
    "sts": "statefulset",
    "ds": "daemonset",
    "rs": "replicaset",
    "cm": "configmap",
    "svc": "service",
    "cj": "cronjob",
    "ing": "ingress",
}
_TAMPERS = ("state", "taint", "import")


class Advice(NamedTuple):
    """The texts of a specialist: the fault, which follows "It", and what to do instead."""

    fault: str
    correction: str
    sharper: str = ""


def changes(
    action: Action, context: Context, *sorts: Sort, verbs: Iterable[str] = DESTROYS | HALTS
) -> Iterator[Resource]:
    """The resources that an action changes in one of these ways, of the given sorts or, if none is given, of any."""
    for effect in effects(action, context).of(Act.RESOURCE):
        if isinstance(effect, Resource) and effect.verb in verbs and (not sorts or effect.sort in sorts):
            yield effect


def judged(found: Iterable[Resource], advice: Advice, action: Action, context: Context) -> Finding:
    """The strictest finding on these changes."""
    findings = (_judge(each, advice, action, context) for each in found)
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Resource, advice: Advice, action: Action, context: Context) -> Finding:
    verdict = _weighed(effect)
    if verdict >= Verdict.FLAG and _is_own(effect, action, context):
        return ok()
    said, seen = _said_of(effect, action, context), _was_looked_at(effect, context)
    stages = stages_in(context.task or "").keys() - _NO_STAGES
    if said >= Word.KIND and effect.environment is Environment.PRODUCTION and stages and "production" not in stages:
        said = Word.SILENT  # the user names another stage
    if said >= Word.KIND:
        settled = verdict is not Verdict.BLOCK and _is_settled(effect, said, seen, action, context)
        verdict = Verdict.OK if settled or verdict is Verdict.FLAG else min(verdict, Verdict.FLAG)
    elif said is Word.SILENT and _is_for_trial(effect, context) and not _leaves_open(effect, action, context):
        verdict = Verdict.OK
    elif verdict is Verdict.NUDGE and said is not Word.CONTRARY:
        may_be_asked = seen and not context.task
        verdict = Verdict.FLAG if may_be_asked or _was_rehearsed(effect, context) else verdict
    return _worded(verdict, effect, advice)


_NO_STAGES = frozenset({"beta", "primary", "replica", "stable"})  # words for them say as often something else


def _is_settled(effect: Resource, said: Word, seen: bool, action: Action, context: Context) -> bool:
    """Whether nobody needs to be told of a change that the user asked for: on this very target, which the session has
    seen; on the one thing of its kind that it has seen; or on what the user calls a trial."""
    if said is Word.NAMED and (seen or is_settled(said, effect.target, context, action.text("command"))):
        return True
    if said is Word.NAMED and (effect.verb in _COMES_BACK or _is_twice_named(effect, context)):
        return True
    if said is Word.NAMED and is_own_name(effect.target) and not (effect.whole or effect.forced):
        return True
    if not effect.whole and is_known(effect.target) and was_shown(effect.target, context):
        return True
    return _is_for_trial(effect, context)


_COMES_BACK = frozenset({"stop", "silence", "cancel"})


def _is_twice_named(effect: Resource, context: Context) -> bool:
    """Whether the user names the target and what it belongs to, or the value that it gets: "renew key2 of the account
    stlogs", "keep 7 days of build-logs"."""
    words = effect.command.args if effect.command is not None else ()
    nouns = {*effect.noun.lower().split(), *effect.product.lower().split()}
    parts = {part for word in words if not word.startswith("-") for part in (word, *word.split("/"))}
    names = {part for part in parts if OWN_NAME.fullmatch(part) and part not in nouns}
    values = {word for word in words if word.isdigit()}
    said = fold(said_by_user(context))
    return sum(has_name(said, (fold(name),)) for name in sorted(names | values)[:16]) > 1


def _is_for_trial(effect: Resource, context: Context) -> bool:
    """Whether the user asks for such a change on something that serves trials, and nothing speaks of production."""
    asked = _DEEDS.get(effect.verb, frozenset()) & (_ENDS | {Verb.WRITE} if effect.verb == "overwrite" else _ENDS)
    return effect.environment is not Environment.PRODUCTION and bool(asked) and is_for_trial(asked, context)


_SINGLE = re.compile(r"(?<![\w.-])(?:\d{2,8}|[a-z]+[-_]?\d[\w-]*)(?![\w.-])")


def _leaves_open(effect: Resource, action: Action, context: Context) -> bool:
    """Whether only running an action shows its targets, and it has none of the names and numbers of the request."""
    if is_known(effect.target) and effect.target not in (effect.noun, effect.product):
        return False
    singles, text = _SINGLE.findall(fold(said_by_user(context))), fold(action.text("command"))
    return bool(singles) and not any(has_name(text, (each,)) for each in singles)


def _weighed(effect: Resource) -> Verdict:
    """The verdict on a change by itself, without the session."""
    production = effect.environment is Environment.PRODUCTION
    final = effect.forced and effect.whole and not effect.reversible
    if final and (production or effect.sort is Sort.BACKUP):
        return Verdict.BLOCK
    if production:
        return Verdict.NUDGE
    if effect.environment is Environment.LOCAL:
        return Verdict.OK
    grave = not effect.reversible and (effect.listed or effect.forced or effect.whole)
    if effect.environment is Environment.TRIAL and not (grave and effect.verb in DESTROYS):
        return Verdict.FLAG if grave else Verdict.OK
    return Verdict.NUDGE if grave else Verdict.FLAG


def _worded(verdict: Verdict, effect: Resource, advice: Advice) -> Finding:
    reason = f"It {advice.fault}: `{shown(effect.text)}`."
    evidence = (effect.text[:200],)
    if verdict is Verdict.BLOCK:
        return block(f"{reason} Nothing is asked before, and nothing of it is left.", evidence=evidence)
    if verdict is Verdict.NUDGE:
        return nudge(reason, correction=advice.correction, sharper=advice.sharper, evidence=evidence)
    return flag(reason, confidence=0.6, evidence=evidence) if verdict is Verdict.FLAG else ok()


def _said_of(effect: Resource, action: Action, context: Context) -> Word:
    """What the user says of such a change to the target, to its kind or to the product."""
    words = (*effect.noun.lower().split(), *effect.product.lower().split(), effect.sort.value)
    rows = ("backup",) if "shadow" in effect.text.lower() else _SPOKEN.get(effect.sort, ())
    nouns = [word.removesuffix("s") for word in (*words, *_subcommand(effect))]
    rows = (*rows, *dict.fromkeys(_SPOKEN_NOUNS[noun] for noun in nouns if noun in _SPOKEN_NOUNS))
    in_full = (_IN_FULL.get(word, word) for word in words)
    kinds = [*(word.removesuffix("s") for word in in_full if len(word) > 2), *words_for(*rows)]
    deeds = _DEEDS.get(effect.verb, frozenset()) | _asked_as(effect)
    if effect.verb in DESTROYS | HALTS and not makes_anew(action.text("command"), _past(context)):
        deeds -= {Verb.ROTATE}
    unnamed = effect.target in (effect.noun, effect.product) or "$" in effect.target or not is_known(effect.target)
    text, spoken = action.text("command"), own_verbs(effect)
    said = min(
        word_on(
            deeds,
            target,
            context,
            whole=effect.whole,
            kinds=kinds,
            text=with_lists(text, context) if unnamed else text,
            spoken=spoken,
        )
        for target in ([""] if unnamed else effect.target.split(",")[:_MOST_LISTED])
    )
    if effect.verb in ("delete", "purge") and is_ruled_out(Verb.DELETE, context):
        return Word.CONTRARY
    if said < Word.NAMED and not effect.whole and not unnamed:
        others = [*aliases(effect.target, context), *_operands(effect)]
        if any(word_on(deeds, name, context, spoken=spoken) is Word.NAMED for name in others):
            return Word.NAMED
    if said is Word.SILENT and not effect.whole and not unnamed and is_asked(deeds, context):
        parts = (effect.target, *identifiers(effect))
        said = Word.NAMED if any(is_described(each, action, context) for each in parts) else said
    if said is Word.SILENT and is_listed_by_user(deeds, _text_of(effect), context):
        return Word.NAMED
    if said is Word.KIND and not unnamed and _has_twin_named(effect, action, context):
        return Word.SILENT
    if said is Word.SILENT and not (effect.whole or unnamed) and _is_kind_asked(kinds, deeds, context):
        said = Word.NAMED if are_outlived(_all_targets(effect), context) else said
    if said <= Word.KIND and said is not Word.CONTRARY and _is_planned(effect, deeds, context):
        return Word.NAMED
    if said is Word.SILENT and unnamed and is_asked(deeds, context) and _is_chosen(effect, action, context):
        return Word.KIND
    if (
        said is Word.SILENT
        and effect.verb == "tamper"
        and task_mentions(action, context, *_TAMPERS, *words_for("lock"))
    ):
        return Word.KIND
    return said


def _has_twin_named(effect: Resource, action: Action, context: Context) -> bool:
    """Whether the request has a part of a name that an output showed, which is the target's but for its numbers: "the
    volume of customer c-17", and the command deletes `data-c-16`."""
    target, text = fold(effect.target), fold(action.text("command"))
    form = _NUMBER.sub("0", target)
    shown_names = {
        word.rpartition("/")[2]
        for step in context.history[-_LATEST:]
        if not step.failed
        for word in fold(step.text[:_MOST_RECORD]).split()
    }
    twins = [word for word in shown_names if word != target and _NUMBER.sub("0", word) == form != word]
    said = [name for name in _PART.findall(fold(said_by_user(context))) if name not in text]
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", twin) for name in said for twin in twins)


_NUMBER = re.compile(r"\d+")
_PART = re.compile(r"(?<![\w.-])[a-z]+[-_]?\d[\w-]*(?!\w)(?![.-]\w)")


def _is_kind_asked(kinds: Iterable[str], deeds: frozenset[Verb], context: Context) -> bool:
    """Whether a clause asks for the change on things of the target's kind."""
    asking = [each.text for each in clauses_of(said_by_user(context)) if each.asks and each.verbs & deeds]
    return any(re.search(rf"(?<!\w){re.escape(fold(kind))}", text) for text in asking for kind in kinds)


def _all_targets(effect: Resource) -> list[str]:
    words = effect.command.operands() if effect.command is not None else []
    return words[words.index(effect.target) :] if effect.target in words else []


_CHOOSES = {("workspace", "select"), ("workspace", "new"), ("stack", "select"), ("stack", "init")}


def _is_chosen(effect: Resource, action: Action, context: Context) -> bool:
    """Whether the workspace that the session chose last, in which the command acts, is the one that the user names:
    `workspace select pr-388`, "the environment of PR 388"."""
    command = effect.command
    if command is None:
        return False
    now = [*_before(command, run_by(action, context).commands)]
    for each in (*reversed(now), *_past(context)):
        words = each.operands()
        if each.program == command.program and tuple(words[:2]) in _CHOOSES and words[2:]:
            parts = [re.escape(part) for part in re.findall(r"[^\W_]+", fold(words[-1]))]
            spoken = r"[-_/#\s]{0,3}".join(parts)
            return bool(parts) and re.search(rf"(?<![\w-]){spoken}(?![\w-])", fold(said_by_user(context))) is not None
    return False


def _subcommand(effect: Resource) -> Sequence[str]:
    """The words of a command that say what it does, for a noun that they imply: `drain` is done to nodes."""
    return effect.command.operands()[:1] if effect.command is not None else ()


def _text_of(effect: Resource) -> str:
    """The text of a command and of those that feed it."""
    command = effect.command
    return effect.text if command is None else "\n".join(each.text for each in (command, *command.upstream))


def _asked_as(effect: Resource) -> frozenset[Verb]:
    words = effect.command.argv[:6] if effect.command is not None else ()
    if "failover" in effect.text.lower():
        return frozenset({Verb.SWITCH})
    return frozenset(_ASKED_AS[word.lower()] for word in words if word.lower() in _ASKED_AS)


# Who has a written plan followed: "step 2", "go on with the runbook".
_STEPS = r"(?:steps?|schritte?|etapes?|pasos?|passos?|passi|krok\w*|stap|шаг\w*)"
_FOLLOWS = (
    r"(?:follow|continue|go on|go ahead|carry on|run|execute|work through|do|weiter|folge\w*|fuhr\w*|sui[st]|continu\w*"
    r"|sigue|segu[ei]\w*|wykonaj|kontynuuj|volg|ga door|выполни|продолж\w*)"
)
_PLANS = re.compile(
    rf"\b{_STEPS} (?:no\.? ?)?\d{{1,3}}\b|\b{_FOLLOWS}\b[^.;\n]{{0,40}}\b(?:{_STEPS}|runbook|plan|playbook|procedure)\b"
    r"|手順\s?\d|步骤\s?\d|\d\s?단계"
)
_RECORD = re.compile(r"\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b")
_MOST_RECORD = 8 * 1024
_OWN_PLACE = re.compile(r"\w/\w|[a-z]-?\d")  # a path, or a name with a figure


def _is_planned(effect: Resource, deeds: frozenset[Verb], context: Context) -> bool:
    """Whether what the user refers to asks for the change: a plan that the session read has this very command, or the
    record whose number the user gives asks for the change on this target by name."""
    task = context.task or ""
    records = _RECORD.findall(task)[:4]
    follows = bool(_PLANS.search(fold(task)))
    if effect.command is None or not (records or follows):
        return False
    named = [word for word in effect.command.operands()[1:6] if _OWN_PLACE.search(word)]
    if any(is_ordered_in_cited(deeds, name, context) for name in named):
        return True
    line = " ".join(effect.command.text.split())
    for step in context.history[-_LATEST:]:
        given, read = " ".join(text for _, text in strings_in(step.args))[:_MOST_RECORD], step.text[:_MOST_RECORD]
        if step.failed or not read:
            continue
        if follows and len(line) > _SHORT and line in " ".join(read.split()):
            return True
        is_record = any(each in given for each in records) and is_known(effect.target)
        if is_record and word_on(deeds, effect.target, replace(context, task=read, facts={}, history=())) is Word.NAMED:
            return True
    return False


_SHORT = 16  # characters of a command that is found in any text


def _operands(effect: Resource) -> Sequence[str]:
    """The further names of a command whose first name is the place of the thing, as a zone is of a record."""
    command = effect.command
    if command is not None and effect.sort is Sort.MONITORING:  # of its matchers the first is the kind of alert
        return [word for word in command.operands()[1:6] if _MATCHER.fullmatch(word)]
    return command.operands()[1:6] if command is not None and effect.sort in (Sort.DNS, Sort.QUEUE) else ()


_MATCHER = re.compile(r"[a-z_]{2,40}=~?[\"']?\w[\w-]{2,80}(?:\.\*)?[\"']?")


def _is_own(effect: Resource, action: Action, context: Context) -> bool:
    """Whether this session created the resource."""
    if effect.verb not in DESTROYS | HALTS or not is_known(effect.target):
        return False
    now = _before(effect.command, run_by(action, context).commands)
    return any(_is_about(effect, each) and is_made(each) for each in (*_past(context), *now))


def _before(command: Command | None, commands: Sequence[Command]) -> Iterator[Command]:
    """The commands of a script that run before one of them. A trap runs at the end."""
    at_end = command is not None and "trap" in command.wrappers
    for each in commands:
        if each is not command:
            yield each
        elif not at_end:
            return


def _was_looked_at(effect: Resource, context: Context) -> bool:
    """Whether this session listed the resource or rehearsed the change before."""
    return any(_is_about(effect, each) and is_looked_at(each) for each in _past(context)) or _was_rehearsed(
        effect, context
    )


def _was_rehearsed(effect: Resource, context: Context) -> bool:
    """Whether this session rehearsed the change. Some tools rehearse unless told not to: then their output says so."""
    return any(
        _is_about(effect, each) and (is_tried(each) or _REHEARSED.search(step.text[:4096]))
        for step, each in _past_steps(context)
    )


def _is_about(effect: Resource, command: Command) -> bool:
    """Whether a command of the same tool names the same target or, without a target, the same kind of resource."""
    if effect.command is None or not _is_same_tool(command.program, effect.command.program):
        return False
    if effect.target in (effect.noun, effect.product):
        return not effect.noun or effect.noun.split()[0] in command.argv or _has_common_operand(effect, command)
    return effect.target in command.argv


def _has_common_operand(effect: Resource, command: Command) -> bool:
    """Whether it, or what feeds it, has an operand of the other command: `Get-VMSnapshot APP | Remove-VMSnapshot`."""
    done = (effect.command, *effect.command.upstream) if effect.command is not None else ()
    words = {word for each in done for word in each.operands()}
    return not words.isdisjoint(word for word in command.operands() if len(word) > 2)


def _is_same_tool(one: str, other: str) -> bool:
    """Whether two programs are one, or cmdlets for one noun: `Get-VMSnapshot`, `Remove-VMSnapshot`."""
    noun = one.partition("-")[2]
    return one == other or (bool(noun) and one[:1].isupper() and noun == other.partition("-")[2])


def _past(context: Context) -> Iterator[Command]:
    """The commands that earlier steps ran without failing."""
    return (command for _, command in _past_steps(context))


def _past_steps(context: Context) -> Iterator[tuple[Step, Command]]:
    for past in reversed([*latest_steps(context, _LATEST)]):
        if not past.step.failed:
            yield from ((past.step, command) for command in past.once(past_commands))
