"""An exemption as a person asks for it: from a record, or by its parts. Whatever would fit too much is refused here."""

from __future__ import annotations

import heapq
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.cli.deployment import Deployment
from supervisor.decision.exemptions import EXECUTES, Exemption
from supervisor.errors import BadInput, BadRecord

if TYPE_CHECKING:
    from supervisor.records.read import Record

USUAL = "30d"
_SHORTEST = 6  # digits of a record's id
_LONGEST = 1_000  # characters of a reason, and of the text of an action
_MOST = 4_096  # characters of any other part
_STOPS = ("nudge", "block")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_SPAN = re.compile(r"(\d{1,5})([mhdw])")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the options of `supervisor allow` say."""

    record: str = ""
    specialists: Sequence[str] = ()
    command: str = ""
    path: str = ""
    tool: str = ""
    project: str = ""
    agent: str = ""
    environment: str = ""
    expires: str = USUAL
    reason: str = ""
    by: str = ""

    def trial(self) -> Asked:
        """The same for a trial, which needs no reason."""
        return replace(self, reason="a trial")


def draft_of(asked: Asked, deployment: Deployment, now: datetime) -> Exemption:
    """The exemption that was asked for. Raises BadInput with the option at fault, BadRecord."""
    for name in ("command", "path", "tool", "project", "agent", "environment", "by"):
        if len(getattr(asked, name)) > _MOST:
            raise BadInput(f"more than {_MOST:,} characters", place=f"--{name}", code="too_long")
    values: dict[str, Any] = {"form": "", "shown": "", "tool": asked.tool}
    values |= {"agent": asked.agent, "environment": asked.environment}
    values["project"] = _directory(asked.project) if asked.project else ""
    specialists = tuple(dict.fromkeys(asked.specialists))
    if asked.record:
        specialists = _from_record(asked, deployment, values)
    elif not specialists:
        raise BadInput("name the specialist whose objection is wrong, or a record", place="--specialist", code="usage")
    _check_specialists(specialists, deployment)
    if asked.command:
        _from_command(asked.command, deployment, values)
    _check_parts(asked, values, deployment)
    path = _pattern(asked.path, values["project"]) if asked.path else ""
    expires, home = expiry(asked.expires, now), str(Path.home())
    reason, by = _masked([asked.reason.strip()[:_LONGEST], asked.by], deployment)
    return Exemption("", specialists, reason, by, now, expires, path=path, home=home, **values)


def _from_record(asked: Asked, deployment: Deployment, values: dict[str, Any]) -> tuple[str, ...]:
    """Fills in the action of a record, unless other parts say what to fit. Returns the specialists that stopped it."""
    from supervisor.engine.replay import seen_in
    from supervisor.evidence.actions.form import cwd_of, form_of

    record = named_record(deployment.records, asked.record)
    stopped_by = objecting(record)
    verdict = record.predicate["decision"]["verdict"]
    if not stopped_by:
        why = "no specialist's finding stopped it" if verdict in _STOPS else "it ran"
        raise BadInput(f"there is nothing to allow: {why} (verdict {verdict})", place=asked.record, code="not_stopped")
    if others := [name for name in asked.specialists if name not in stopped_by]:
        by = ", ".join(stopped_by)
        raise BadInput(f"{others[0]} did not stop this action; {by} did", place="--specialist", code="usage")
    if not (asked.command or asked.path or asked.tool):
        action, context = seen_in(record)
        values["form"] = form_of(action, context)
        values["shown"] = shown_action(record.predicate["action"])
        if action.kind in EXECUTES:
            values["project"] = values["project"] or cwd_of(action, context) or ""
    return tuple(asked.specialists) or stopped_by


def _from_command(command: str, deployment: Deployment, values: dict[str, Any]) -> None:
    """Fills in a shell command, as it would be typed in the project, or else in the working directory."""
    from supervisor.engine.exemptions import form_of_command
    from supervisor.records.masking import masker_of

    values["project"] = values["project"] or os.getcwd()
    masker = masker_of(deployment.signer())
    values["form"] = form_of_command(command, values["project"], masker)
    values["shown"] = masker.mask_output(command)[:_LONGEST]


def _check_parts(asked: Asked, values: dict[str, Any], deployment: Deployment) -> None:
    if not asked.reason.strip():
        raise BadInput("say why this is fine, for whoever reads it next", place="--reason", code="usage")
    if values["form"] or asked.path:
        return
    if not asked.tool:
        cure = "give --record, --command, --path or --tool; to silence a specialist, lower its authority in the policy"
        raise BadInput(f"this would fit every action; {cure}", code="too_broad")
    from supervisor.intake.parsing import shaped

    if (kind := shaped(asked.tool, {}, None, deployment.policy.tools).kind) in EXECUTES:
        message = f"{asked.tool} runs any {kind} command or code; give --command or --path too"
        raise BadInput(message, place="--tool", code="too_broad")


def _check_specialists(names: Sequence[str], deployment: Deployment) -> None:
    """Raises BadInput for a specialist that does not exist, or that allows no exemption."""
    from supervisor.catalog.catalog import in_force
    from supervisor.engine.terms import unexemptible

    entries = in_force(deployment.policy).entries
    for name in names:
        if name == "*":
            message = "an exemption names each specialist; none silences all of them, also those that have not objected"
            raise BadInput(message, place="--specialist", code="too_broad")
        if name not in entries:
            raise BadInput(f"no specialist {name!r}; `supervisor list` shows them all", place="--specialist")
        if why := unexemptible(entries[name], deployment.policy):
            raise BadInput(f"nobody may exempt an action from it: {why}", place=name, code="never_exempt")


def _directory(path: str) -> str:
    """An absolute directory without steps up."""
    return os.path.normpath(os.path.join(os.getcwd(), os.path.expanduser(path)))


def _pattern(path: str, project: str) -> str:
    """An absolute path or pattern, relative to the project or else to the working directory. Raises BadInput."""
    if ".." in path.split("/"):
        raise BadInput("a path with `..` does not say where it leads", place="--path", code="usage")
    whole = _directory(os.path.join(project or ".", os.path.expanduser(path)))
    if not whole.strip("/*?"):
        raise BadInput("this would fit every path", place="--path", code="too_broad")
    return whole


def expiry(text: str, now: datetime) -> datetime | None:
    """The moment at which an exemption ends: `2h`, `30d`, a date or a time (UTC unless it has a zone); None for
    `never`. Raises BadInput."""
    if text == "never":
        return None
    if span := _SPAN.fullmatch(text):
        return now + timedelta(**{_UNITS[span[2]]: int(span[1])})
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        form = "a span such as 2h, 30d or 8w, a date such as 2027-01-31, or never"
        raise BadInput(f"{text!r} is not {form}", place="--expires", code="usage") from None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    if when <= now:
        raise BadInput(f"{text} is over", place="--expires", code="usage")
    return when


def _masked(texts: list[str], deployment: Deployment) -> list[str]:
    from supervisor.records.masking import masker_of

    return masker_of(deployment.signer()).mask_output(texts)


# Records


def decisions_in(folder: Path) -> Iterator[Record]:
    """The decisions of a journal, in the order of its segments, without lines that cannot be read: `verify` reports
    those."""
    from supervisor.records.read import read_records

    for record in read_records(folder, lambda _: None):
        if record.kind in ("decision", "outcome") and _is_whole(record.predicate):
            yield record


def _is_whole(predicate: dict[str, Any]) -> bool:
    try:
        texts = (predicate["id"], predicate["time"], predicate["decision"]["verdict"], predicate["action"]["tool"])
        is_action = isinstance(predicate["action"]["args"], dict) and isinstance(predicate["opinions"], list)
        return is_action and all(isinstance(text, str) for text in texts)
    except (KeyError, TypeError):
        return False


def named_record(folder: Path, id: str) -> Record:
    """The decision whose id or record's address begins so. Raises BadInput if none or several do."""
    begin = id.lower()
    if len(begin) < _SHORTEST or not begin.isalnum():
        raise BadInput(f"an id has at least {_SHORTEST} digits", place=id, code="no_record")
    found = [
        each
        for each in decisions_in(folder)
        if each.predicate["id"].startswith(begin) or each.address.startswith(begin)
    ]
    if len(found) != 1:
        why = (
            "several records begin so; give more of it" if found else "no record begins so; see `supervisor log --json`"
        )
        raise BadInput(why, place=id, code="no_record")
    return found[0]


def objecting(record: Record) -> tuple[str, ...]:
    """The specialists whose findings would stop a recorded action, in the order of the catalogue."""
    if record.predicate["decision"]["verdict"] not in _STOPS:
        return ()
    lifted = record.predicate.get("exemptions", {})
    votes = [each for each in record.predicate["opinions"] if isinstance(each, dict) and "cause" not in each]
    names = [str(each.get("specialist")) for each in votes if each.get("verdict") in _STOPS]
    return tuple(name for name in names if name not in lifted)


@dataclass(frozen=True, slots=True)
class Tried:
    """A recorded action that an exemption fits. `still` names the specialists that would stop it all the same."""

    record: Record
    lifted: tuple[str, ...]
    still: tuple[str, ...]


def tried_on(draft: Exemption, folder: Path, last: int) -> tuple[list[Tried], int]:
    """The last decisions that a draft would have changed, and how many decisions were looked at."""
    from supervisor.engine.replay import seen_in

    newest = heapq.nlargest(last, decisions_in(folder), key=lambda each: each.predicate["time"])
    found = []
    for record in reversed(newest):
        stopped_by = objecting(record)
        lifted = tuple(name for name in stopped_by if name in draft.specialists)
        try:
            if lifted and draft.fits(*seen_in(record)):
                found.append(Tried(record, lifted, tuple(name for name in stopped_by if name not in lifted)))
        except (BadRecord, KeyError, TypeError, ValueError):
            continue  # any program can write a line; `verify` reports it
    return found, len(newest)


def shown_action(action: dict[str, Any]) -> str:
    """A recorded action as people read it."""
    values = [value if isinstance(value, str) else f"{name}={value!r}" for name, value in action["args"].items()]
    return f"{action['tool']}: {' · '.join(islice(values, 20))}"[:_LONGEST]
