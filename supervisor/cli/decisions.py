"""A decision as people read it, in the output of `check`, `explain --action` and `log`."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any

from supervisor.cli.output import counted, styled, verdict
from supervisor.decision.decision import why_watched
from supervisor.decision.lost_votes import LostVotes, lost_votes_of
from supervisor.verdict import Cause

SHORT = 8  # digits of a decision's id in lists; `log show` takes any beginning
_MOST_NAMES = 3  # specialists that are named before the others are counted
_NAME_TABLES = "name yours in the policy's "
_ANY_FACT = "facts (docs/facts.md)"
_CURES = tuple(
    (re.compile(pattern, re.IGNORECASE), cure)
    for pattern, cure in (
        (r"no database is configured", "name your database in the policy (doors.database.url)"),
        (r"no model is configured", "name a model in the policy (doors.model.url)"),
        (r"no such (?:table|column)|(?:relation|column) \S+ does not exist", _NAME_TABLES),
        (r"do not describe a table", "correct these facts in the policy"),
        (r"unable to open database|connection refused|could not connect", "check doors.database.url in the policy"),
        (r"no answer within", "raise its time limit in the policy (doors)"),
    )
)


def cure_of(lost: LostVotes) -> str:
    """What the deployment can change so that these specialists can judge, or ""."""
    if lost.cause != Cause.INFRASTRUCTURE:
        return ""
    cure = next((cure for pattern, cure in _CURES if pattern.search(lost.reason)), "")
    return cure + _where_tables_are_named(lost.specialists) if cure is _NAME_TABLES else cure


@functools.cache
def _where_tables_are_named(specialists: tuple[str, ...]) -> str:
    """The keys of the policy that name the tables of these specialists, with their pages."""
    from supervisor.catalog.fact_pages import naming_tables

    places = {"business": "business.records (docs/policy.md#a-business-and-its-names)"}
    facts = naming_tables(specialists)
    return " or ".join(places.get(name, f"facts.{name} (docs/facts.md#{name})") for name in facts) or _ANY_FACT


def named(specialists: Sequence[str]) -> str:
    """The names of specialists; of many, the first, and how many more there are."""
    if len(specialists) <= _MOST_NAMES + 1:
        return ", ".join(specialists)
    return f"{', '.join(specialists[:_MOST_NAMES])} and {len(specialists) - _MOST_NAMES} more"


def lost_line(lost: LostVotes) -> str:
    """Who could not judge, why, and what to do about it: one line."""
    votes = counted(len(lost.specialists), "vote")
    cure = f"; {cure}" if (cure := cure_of(lost)) else ""
    return f"{votes} lost: {lost.reason} ({named(lost.specialists)}){cure}"


def decision_lines(decided: dict[str, Any]) -> Iterable[str]:
    """The lines about a decision, as markup, from the JSON that `supervisor check` prints."""
    took = f" in {decided['elapsed_ms']:.0f} ms" if "elapsed_ms" in decided else ""
    yield f"{verdict(decided['verdict'])}{styled(took, 'dim')}"
    for each in decided["findings"]:
        yield f"  {verdict(each['verdict'])} {styled(each['specialist'], 'bold')}: {styled(each['reason'], '')}"
    if correction := decided.get("correction"):
        yield f"  {styled('instead:', 'dim')} {styled(correction, '')}"
    if unheeded := decided.get("unheeded"):
        yield f"  {styled(why_watched(unheeded), '')}"
    for problem in ("unjudged", "record_error"):
        if decided.get(problem):
            what = "not judged" if problem == "unjudged" else "not recorded"
            yield f"  {styled(f'{what}: {decided[problem]}', 'yellow')}"
    for lost in lost_votes_of(decided["refusals"]):
        yield f"  {styled(lost_line(lost), 'yellow')}"
    if approval := decided.get("approval"):
        yield f"  {styled('approval:', 'dim')} {styled(approval['state'], 'bold')}, {styled(approval['id'][:12], '')}"
    if decided.get("record"):
        yield styled(f"  `supervisor log show {decided['record'][:SHORT]}` shows its record", "dim")
