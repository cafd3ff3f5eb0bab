"""The votes that were lost lately, from the records: who could not judge, why, and how often."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from supervisor.cli.decisions import cure_of, named
from supervisor.cli.log.choice import Choice
from supervisor.cli.log.listing import shortened
from supervisor.cli.output import counted
from supervisor.decision.lost_votes import LostVotes, lost_votes_of
from supervisor.errors import BadRecord
from supervisor.policy import Policy, expanded
from supervisor.records.newest import Found, newest

_PERIOD = timedelta(days=1)
_MOST = 5_000  # decisions that are read
_SHOWN = 8  # reasons
_LONGEST = 200  # characters of a reason


@dataclass(slots=True)
class _Loss:
    """The decisions that lost votes for one reason."""

    lost: LostVotes
    decisions: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    specialists: dict[str, None] = field(default_factory=dict)


def lost_recently(policy: Policy) -> Iterator[tuple[str, str]]:
    """A line for each reason, the most frequent first, with its level for `doctor`: `note`, or `ok` if none was lost.
    Yields nothing if nothing was recorded: the check of the records reports what is wrong with them."""
    decided, losses = Counter[str](), dict[tuple[str, str], _Loss]()
    with contextlib.suppress(BadRecord):
        for record in _decided_lately(policy):
            _count(record, decided, losses)
    most = sorted(losses.values(), key=lambda loss: -loss.decisions)
    for loss in most[:_SHOWN]:
        yield "note", _told(loss, sum(decided[kind] for kind in loss.kinds))
    if len(most) > _SHOWN:
        yield "note", f"{len(most) - _SHOWN} more reasons; `supervisor log --since 1d` shows them"
    if decided and not most:
        yield "ok", f"none was lost in {counted(decided.total(), 'decision')} of the last day"


def _decided_lately(policy: Policy) -> list[Found]:
    if policy.records.path is None:
        return []
    unread: list[BadRecord] = []
    since = (datetime.now(UTC) - _PERIOD).isoformat()
    wants = Choice(since=since).wants(unread.append)

    def wanted(record: Found) -> bool:
        """Whether it is a decision. Only the kind and the opinions are kept: actions may be large."""
        is_wanted = wants(record)
        for part in record.predicate.keys() - {"action", "opinions"}:
            del record.predicate[part]
        if is_wanted:
            record.predicate["action"] = {"kind": record.predicate["action"].get("kind")}
        return is_wanted

    return newest(expanded(policy.records.path), _MOST, wanted, unread.append, since=since)


def _count(record: Found, decided: Counter[str], losses: dict[tuple[str, str], _Loss]) -> None:
    kind = str(record.predicate["action"].get("kind"))
    decided[kind] += 1
    for lost in lost_votes_of(record.predicate["opinions"]):
        loss = losses.setdefault((lost.reason, lost.cause), _Loss(lost))
        loss.decisions += 1
        loss.kinds[kind] += 1
        loss.specialists.update(dict.fromkeys(lost.specialists))


def _told(loss: _Loss, of: int) -> str:
    """`12 of 40 refund decisions of the last day without duplicate_refund: no such table: refunds; name yours in …`"""
    kinds = " and ".join(sorted(loss.kinds)) if len(loss.kinds) <= 2 else f"{len(loss.kinds)} kinds of"
    without = named(tuple(loss.specialists))
    cure = cure_of(loss.lost) or f"`supervisor log --specialist {next(iter(loss.specialists))}` shows them"
    decisions = f"{loss.decisions:,} of {of:,} {kinds} decisions of the last day"
    return f"{decisions} without {without}: {shortened(loss.lost.reason, _LONGEST)}; {cure}"
