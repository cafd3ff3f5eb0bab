"""Which decisions `supervisor log` shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from supervisor.cli.output import COLOURS
from supervisor.errors import BadInput, BadRecord, NoRecords
from supervisor.records.newest import Found, Report, Scenes
from supervisor.suggestions import choices, did_you_mean
from supervisor.verdict import Cause

_KINDS = ("decision", "outcome")


@dataclass(frozen=True, slots=True)
class Choice:
    """The conditions, all of which a decision meets. `since` and `until` are times in UTC (ISO 8601)."""

    since: str = ""
    until: str = ""
    session: str = ""
    agent: str = ""
    verdict: str = ""
    specialist: str = ""
    scenes: Scenes = field(default_factory=Scenes)

    def __post_init__(self) -> None:
        if self.verdict and self.verdict not in COLOURS:
            raise BadInput(f"no verdict {self.verdict!r}{choices(self.verdict, COLOURS)}", place="--verdict")
        if self.since and self.until and self.since >= self.until:
            raise BadInput("it is not before --until, so nothing can match", place="--since")

    def wants(self, report: Report) -> Callable[[Found], bool]:
        """Whether a record is a decision that meets the conditions. `report` is called with records of decisions that
        have another form: any program can write a line, signed or not."""

        def wanted(record: Found) -> bool:
            if record.kind not in _KINDS:
                return False
            if not is_decision(record.predicate):
                report(BadRecord("the record has no decision", place=record.place, code="not_a_decision"))
                return False
            return self._meets(record)

        return wanted

    def _meets(self, record: Found) -> bool:
        predicate = record.predicate
        return (
            (not self.until or record.time < self.until)
            and (not self.since or record.time >= self.since)
            and (not self.verdict or predicate["decision"]["verdict"] == self.verdict)
            and _is_of_session(predicate["session"] or "", self.session)
            and (not self.specialist or self.specialist in _concerned(predicate))
            and (not self.agent or self.scenes.agent(record) == self.agent)
        )


def _is_of_session(session: str, wanted: str) -> bool:
    """Whether a session's name begins so, with or without the host's name before it (`claude:`)."""
    return session.startswith(wanted) or session.partition(":")[2].startswith(wanted or session)


def _concerned(predicate: dict[str, Any]) -> set[str]:
    """The specialists that objected, or should have judged and could not."""
    concerned = (each["specialist"] for each in predicate["opinions"] if not _is_indifferent(each))
    return {*predicate["decision"]["by"], *concerned}


def _is_indifferent(opinion: dict[str, Any]) -> bool:
    return bool(opinion.get("verdict", "ok") == "ok" and opinion.get("cause", Cause.DOMAIN) == Cause.DOMAIN)


def is_decision(predicate: dict[str, Any]) -> bool:
    """Whether a record has the parts that are shown."""
    try:
        texts = (predicate["id"], predicate["time"], predicate["session"] or "", predicate["action"]["tool"])
        return (
            predicate["decision"]["verdict"] in COLOURS
            and isinstance(predicate["action"]["args"], dict)
            and all(isinstance(each["specialist"], str) for each in predicate["opinions"])
            and all(isinstance(each, str) for each in (*texts, *predicate["decision"]["by"]))
            and isinstance(predicate.get("approval", {}), dict)
            and isinstance(lifted := predicate.get("exemptions", {}), dict)
            and all(_is_exemption(each) for each in lifted.values())
            and predicate["time"] != ""
        )
    except (KeyError, TypeError):
        return False


def _is_exemption(value: Any) -> bool:
    """Whether the parts of an exemption that are shown are texts: its expiry may be missing."""
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        return False
    return all(isinstance(value.get(name) or "", str) for name in ("expires", "reason", "by"))


def known_specialist(name: str, policy: Path | None) -> None:
    """Raises BadInput if no specialist has this name. Only asked if no record names it either."""
    from supervisor.catalog.catalog import open_catalog
    from supervisor.policy import Policy, read_policy

    known = open_catalog((read_policy(policy) if policy else Policy()).taxonomy).known
    if name not in known:
        suggested = did_you_mean(name, known) or "; `supervisor list` shows them all"
        raise BadInput(f"no specialist {name!r}{suggested}", place="--specialist", code="unknown_entry")


def records_folder(path: Path | None, policy: Path | None) -> Path:
    """The folder that is named, else that of the policy. Raises NoRecords if the policy's has no records yet."""
    if path is not None:
        return path
    from supervisor.policy import Policy, expanded, read_policy

    named = (read_policy(policy) if policy else Policy()).records.path
    if named is None:
        raise BadRecord("the policy keeps no records (records.path); name a folder", code="no_journal")
    folder = expanded(named)
    if not folder.exists():
        raise NoRecords("no records there yet: nothing has been decided under this policy", place=str(folder))
    return folder
