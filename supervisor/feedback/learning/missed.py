"""What people say was missed: alike actions together, each sort with the rule that could be derived from it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from supervisor.feedback.learning.acts import Act
from supervisor.feedback.learning.rules import Rule, derived
from supervisor.feedback.likeness import features_of
from supervisor.memory import near
from supervisor.records.labels import Label
from supervisor.verdict import Verdict

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Missed:
    """Actions of one sort that should have been stopped or flagged, oldest first. `entry` is the failure mode that
    people name, `verdict` the strictest verdict that they ask for. `also` are further recorded actions that the rule
    fits."""

    acts: tuple[Act, ...]
    entry: str
    verdict: str
    rule: Rule | None
    also: tuple[Act, ...]

    def command(self) -> list[str]:
        """The command line that drafts a failure mode."""
        records = (word for act in self.acts for word in ("--from-record", act.id[:12]))
        return ["supervisor", "new", "FAMILY/ID", *records]


def missed(labels: Iterable[Label], acts: Mapping[str, Act], newest: Sequence[Act]) -> list[Missed]:
    """The sorts of missed actions, those with most actions first. `acts` are the labelled ones by address. `newest` are
    those on which rules are tried; what is one of the missed but for its digits is no other action."""
    named: dict[str, list[tuple[Act, str]]] = defaultdict(list)
    for label in labels:
        act = acts.get(label.record)
        if label.word != "should_have_been" or act is None:
            continue
        if Verdict.named(label.verdict) > Verdict.named(act.verdict):
            named[label.entry].append((act, label.verdict))
    sorts = [(entry, sort) for entry, found in named.items() for sort in _sorts(found)]
    known = {_plain(act) for found in named.values() for act, _ in found}
    others = [act for act in newest if _plain(act) not in known]
    told = [_missed(entry, sort, others) for entry, sort in sorts]
    return sorted(told, key=lambda each: (-len(each.acts), each.acts[0].time))


def _sorts(found: Iterable[tuple[Act, str]]) -> list[list[tuple[Act, str]]]:
    """Actions by likeness. Each, oldest first, joins the first sort whose oldest action is near-equivalent, or the same
    but for its digits."""
    grown: list[tuple[Act, frozenset[str], list[tuple[Act, str]]]] = []
    for act, verdict in sorted(found, key=lambda each: (each[0].time, each[0].record)):
        features, plain = features_of(_recorded(act), act.context.facts), _plain(act)
        alike = (sort for first, known, sort in grown if plain == _plain(first) or near(features, known))
        mine = next(alike, None)
        if mine is None:
            grown.append((act, features, [(act, verdict)]))
        else:
            mine.append((act, verdict))
    return [sort for *_, sort in grown]


def _missed(entry: str, sort: list[tuple[Act, str]], others: Sequence[Act]) -> Missed:
    acts = tuple({act.record: act for act, _ in sort}.values())  # two people may have labelled one
    rule = derived([(act.action, act.context) for act in acts], [(act.action, act.context) for act in others])
    also = tuple(act for act in others if rule is not None and rule.fits(act.action, act.context))
    return Missed(acts, entry, max((verdict for _, verdict in sort), key=Verdict.named), rule, also)


def _recorded(act: Act) -> dict[str, object]:
    action = act.action
    return {"tool": action.tool, "args": action.args, "kind": action.kind, "fields": action.fields}


def _plain(act: Act) -> str:
    return _DIGITS.sub("0", act.summary)
