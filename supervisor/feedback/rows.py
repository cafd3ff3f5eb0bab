"""The rows of one verified record. They depend on nothing but the record and its scene."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import orjson

from supervisor.feedback.likeness import features_of, group_of
from supervisor.feedback.times import latency_class, stored_time, week_of
from supervisor.history import address_of
from supervisor.records.declined import KIND as DECLINED
from supervisor.records.labels import KIND as LABEL
from supervisor.records.labels import VERDICTS, label_of
from supervisor.records.marks import Verified
from supervisor.verdict import Cause

Row = dict[str, Any]
_STAGES = {"decision": "before", "outcome": "after"}
_SUMMARY = 200  # characters of an action
_REASON = 1_000  # characters
_LONGEST_NAME = 128  # characters of a session
_STOPS = ("nudge", "block")
_RISKIEST = 4_000


@dataclass(slots=True)
class Rows:
    """Rows of records of one segment by the name of their table, and what has to be derived again because of them."""

    segment: str
    of: dict[str, list[Row]] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)  # the earliest time of a new row of each
    labelled: set[str] = field(default_factory=set)  # decisions with a new label
    decided: set[str] = field(default_factory=set)  # new decisions

    def add(self, table: str, row: Row) -> None:
        """Adds one row."""
        self.of.setdefault(table, []).append(row)

    def take(self, record: Verified) -> None:
        """Adds the rows of one record; none for a kind that the index does not have. Raises KeyError, TypeError or
        ValueError if the record has another form than its kind: any program with the key can write one."""
        told = record.predicate
        if record.kind in _STAGES:
            self._take_decision(record, told)
        elif record.kind == LABEL:
            self._take_label(record)
        elif record.kind == "approval":
            result = {"about": told["record"], "result": str(told["answer"]), "by": str(told["by"])}
            self._take_outcome(record, _session(told["binding"]["session"]), told["binding"]["action"], result)
        elif record.kind == DECLINED:
            result = {"about": told["record"], "result": "denied", "by": str(told["by"])}
            self._take_outcome(record, _session(told["session"]), "", result)
        elif record.kind == "revert":
            result = {"about": told["outcome"], "result": "undone" if told["reverted"] else "stands", "by": ""}
            self._take_outcome(record, _session(told["session"]), "", result)

    def _take_decision(self, record: Verified, told: Mapping[str, Any]) -> None:
        found = decision_row(record) | {"segment": self.segment}
        objections = list(_objections(told, found["record"], found["week"], found["elapsed_ms"]))
        losses = list(_losses(told, found["record"], found["week"]))
        self.add("decisions", found)
        for row in objections:
            self.add("findings", row)
        for row in losses:
            self.add("refusals", row)
        if record.kind == "outcome":
            result = {"about": None, "result": found["verdict"], "by": ", ".join(told["decision"]["by"])}
            self._take_outcome(record, found["session"], found["action"], result)
        self.decided.add(found["record"])
        if (session := found["session"]) is not None:
            self.sessions[session] = min(found["time"], self.sessions.get(session, found["time"]))

    def _take_outcome(self, record: Verified, session: str | None, action: str, result: Row) -> None:
        time = stored_time(datetime.fromisoformat(record.predicate["time"]))
        row = {"record": record.address, "kind": record.kind, "time": time, "session": session, "action": action}
        self.add("outcomes", row | result)

    def _take_label(self, record: Verified) -> None:
        label = label_of(record.kind, record.predicate)
        row = {"record": record.address, "decision": label.record, "time": stored_time(label.time)}
        parts = {name: getattr(label, name) for name in ("word", "verdict", "entry", "by", "via", "note")}
        self.add("labels", row | parts)
        self.labelled.add(label.record)


def decision_row(record: Verified) -> Row:
    """The row of a decision or an outcome."""
    told, scene = record.predicate, _scene(record)
    action, decision, facts = told["action"], told["decision"], scene.get("facts") or {}
    time, entries = stored_time(datetime.fromisoformat(told["time"])), [str(each) for each in decision["by"]]
    features, verdict = features_of(action, facts), VERDICTS[VERDICTS.index(decision["verdict"])]
    confidence = _confidence(told["opinions"], entries)
    is_reviewable = int(bool(decision["review"]) or verdict in _STOPS)
    return {
        "record": record.address,
        "id": str(told["id"]),
        "stage": _STAGES[record.kind],
        "time": time,
        "week": week_of(time),
        "session": _session(told["session"]),
        "agent": _text(scene.get("agent")),
        "project": _text(facts.get("cwd")),
        "kind": str(action["kind"]),
        "tool": str(action["tool"]),
        "verdict": verdict,
        "entries": orjson.dumps(entries).decode(),
        "confidence": confidence,
        "rank": _RISKIEST - 1000 * VERDICTS.index(verdict) - round(999 * confidence),
        "action": address_of(orjson.dumps(action)),
        "fingerprint": group_of(features, entries),
        "features": orjson.dumps(sorted(features)).decode(),
        "summary": summary_of(action),
        "elapsed_ms": float(told["elapsed_ms"]),
        "is_reviewable": is_reviewable,
        "is_waiting": is_reviewable,
        "heeded": "unknown",
        "label": "",
    }


def summary_of(action: Mapping[str, Any]) -> str:
    """The beginning of a recorded action on one line. Its secrets are masked, as in the record."""
    values = " ".join(str(value)[: _SUMMARY * 4] for value in action["args"].values())
    line = " ".join(f"{action['tool']} {values}".replace("\0", "").split())
    return line if len(line) <= _SUMMARY else f"{line[: _SUMMARY - 1]}…"


def _objections(told: Mapping[str, Any], record: str, week: str, elapsed_ms: float) -> Iterator[Row]:
    deciding = set(told["decision"]["by"])
    for each in told["opinions"]:
        if each.get("verdict", "ok") != "ok":
            name, verdict = str(each["specialist"]), VERDICTS[VERDICTS.index(each["verdict"])]
            yield {
                "record": record,
                "specialist": name,
                "week": week,
                "verdict": verdict,
                "confidence": float(each["confidence"]),
                "reason": _plain(str(each.get("reason", "")))[:_REASON],
                "is_deciding": int(name in deciding),
                "is_stopping": int(name in deciding and told["decision"]["verdict"] in _STOPS),
                "heeded": "unknown",
                "label": "",
                "latency": latency_class(elapsed_ms),
            }


def _losses(told: Mapping[str, Any], record: str, week: str) -> Iterator[Row]:
    for each in told["opinions"]:
        if each.get("cause", Cause.DOMAIN) != Cause.DOMAIN:
            texts = {name: str(each.get(name, ""))[:16] for name in ("cause", "ended")}
            reason = _plain(str(each["reason"]))[:_REASON]
            yield {"record": record, "specialist": str(each["specialist"]), "week": week, "reason": reason, **texts}


def _confidence(opinions: list[Any], entries: list[str]) -> float:
    """That of the surest objection that decided; 1 if none did."""
    found = [float(each["confidence"]) for each in opinions if each["specialist"] in entries and "confidence" in each]
    return min(max(found, default=1.0), 1.0)


def _scene(record: Verified) -> Mapping[str, Any]:
    scene = orjson.loads(record.scenes.get(record.predicate["scene"], b"{}"))
    return scene if isinstance(scene, dict) else {}


def _session(value: Any) -> str | None:
    """The name of a session, as long as every database can index it: PostgreSQL takes 2,704 bytes."""
    name = _text(value)
    if name is None or len(name) <= _LONGEST_NAME:
        return name
    return f"{name[:_LONGEST_NAME]}…{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()}"


def _text(value: Any) -> str | None:
    return _plain(value) if isinstance(value, str) else None


def _plain(text: str) -> str:
    """Text without NUL, which PostgreSQL does not take."""
    return text.replace("\0", "")
