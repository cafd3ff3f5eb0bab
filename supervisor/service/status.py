"""The state of the daemon, for its owner: its process, its policies, and the problems of either."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import orjson

from supervisor.adapters.hooks import Reply
from supervisor.catalog.catalog import open_catalog
from supervisor.errors import SupervisorError
from supervisor.policy import Policy
from supervisor.service.engines import Engines, Lease, Ruling
from supervisor.version import VERSION


@dataclass(slots=True)
class Process:
    """The daemon's process. `upgrade` is why the version that is installed now could not take over."""

    socket: str
    port: int | None = None
    since: datetime = field(default_factory=lambda: datetime.now(UTC))
    upgrade: str = ""


def status_of(engines: Engines, lease: Lease, process: Process) -> dict[str, Any]:
    """The state, with every policy in use. `policy` is the digest of the one that holds for whoever asks, and `files`
    are its files."""
    unusable = engines.unusable
    return {
        "status": "stale" if engines.problems or process.upgrade else "ok",
        "pid": os.getpid(),
        "version": VERSION,
        "socket": process.socket,
        "port": process.port,
        "since": process.since.isoformat(timespec="seconds"),
        "upgrade": process.upgrade,
        "policy": lease.policy,
        "files": [file for file in lease.ruling.files if file],
        "unusable": [{"user": user, "project": project, "problem": why} for (user, project), why in unusable.items()],
        "policies": [policy_state(each) | {"failure_modes": failure_modes(each)} for each in engines],
    }


def policy_state(ruling: Ruling) -> dict[str, Any]:
    """The files of a policy, its digest, and what is wrong with it."""
    return {
        "user": ruling.files.user,
        "project": ruling.files.project,
        "digest": ruling.active.policy,
        "loaded": ruling.opened.isoformat(timespec="seconds"),
        "problem": ruling.problem,
        "ignored": list(ruling.active.ignored),
    }


def failure_modes(ruling: Ruling) -> dict[str, Any]:
    """How many failure modes are in force of how many, and why the others are not."""
    catalog, policy = ruling.active.supervisor.catalog, ruling.active.supervisor.policy
    disabled = catalog.known & set(policy.taxonomy.disabled)
    counts = {"in_force": len(catalog.entries), "known": len(catalog.known), "disabled": len(disabled)}
    selected = _selected(policy)
    if selected is None:
        return counts
    preview, without_model = catalog.known - selected - disabled, selected - catalog.entries.keys()
    return counts | {"preview": len(preview), "without_model": len(without_model)}


def _selected(policy: Policy) -> frozenset[str] | None:
    """What the policy selects, judges without a model included; None if the taxonomy cannot be read any more, which
    `problem` reports."""
    try:
        return frozenset(open_catalog(policy.taxonomy).entries)
    except SupervisorError:
        return None


def with_problem(reply: Reply, ruling: Ruling) -> Reply:
    """A refusal with a sentence for the person, if the policy's last edit has no effect. It is added once."""
    if ruling.is_told or not reply.refused:
        return reply
    ruling.is_told = True
    file = ruling.files.project or ruling.files.user or "the policy"
    told = f"For your user: the last edit of {file} has no effect yet; `supervisor status` says why."
    if not reply.echo:
        return replace(reply, text=f"{reply.text}Supervisor: {told}\n")
    denial = orjson.loads(reply.text)
    return replace(reply, text=orjson.dumps(denial | {"user_message": f"{denial['user_message']} {told}"}).decode())
