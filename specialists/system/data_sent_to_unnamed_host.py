"""Sends files or the environment to a host that the user did not name."""

import posixpath

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.hosts import is_among, is_collector
from supervisor.evidence.effects.network import Sent
from supervisor.evidence.reading.paths import REBUILT, Place
from supervisor.evidence.secrets.credentials import credential_at
from supervisor.evidence.shell import shown
from supervisor.evidence.urls import is_address
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_FOREIGN = frozenset({Place.HOME, Place.OUTSIDE, Place.ROOT, Place.SYSTEM})
_REQUESTS = frozenset({".graphql", ".json", ".protobuf", ".xml", ".yaml", ".yml"})  # bodies that are written to be sent
_DEPLOYS = (
    "backup",
    "copy",
    "deploy",
    "mirror",
    "push",
    "releas",
    "rsync",
    "scp",
    "send",
    "sync",
    "transfer",
    "upload",
)
_CORRECTION = (
    "Keep it on this machine: write the data to a file in the workspace. If it has to go to another host, first ask the"
    " user to name the host."
)


@specialist("shell", "python", "javascript", about=[Act.SEND], facts=["allowed_domains"])
def data_sent_to_unnamed_host(action: Action, context: Context) -> Opinion:
    sent = [each for each in effects(action, context).of(Act.SEND) if isinstance(each, Sent)]
    return max((_judge(each, action, context) for each in sent), key=lambda finding: finding.verdict, default=ok())


def _judge(sent: Sent, action: Action, context: Context) -> Finding:
    collects = is_collector(sent.target)
    if sent.verb == "store" or sent.payload.what in ("secret", "text") or not (sent.scope is Place.REMOTE or collects):
        return ok()
    if sent.payload.what != "environment" and sent.is_remote and sent.command is not None and sent.command.remote:
        return ok()
    if is_named(sent.target, context) or is_among(sent.target, context.facts.get("allowed_domains")):
        return ok()
    what = shown(sent.payload.path) if sent.payload.path else f"the {sent.payload.what} of a command"
    if sent.payload.what == "environment":
        what = "the whole environment"
    reason = f"It sends {what} to {shown(sent.target)}, which the user did not name."
    bare = _is_tree_to_address(sent)
    if _is_certain(sent, collects) or (bare and context.task and not task_mentions(action, context, *_DEPLOYS)):
        return nudge(reason, correction=_CORRECTION, evidence=(sent.text[:200],))
    return flag(reason, confidence=0.5, evidence=(sent.text[:200],)) if bare or _is_unusual(sent) else ok()


def _is_certain(sent: Sent, collects: bool) -> bool:
    """Whether no ordinary service's request contains such data."""
    payload = sent.payload
    if payload.what == "environment":
        return True
    if payload.what == "dump" and sent.verb != "copy":
        return True
    if sent.verb == "header":  # a file with a token signs in
        return False
    if collects and sent.verb != "name":
        return True
    if payload.what != "file" or sent.verb in ("copy", "mail"):
        return False
    return payload.place in _FOREIGN or sent.verb == "pipe" or (payload.whole and sent.verb != "name")


def _is_tree_to_address(sent: Sent) -> bool:
    """Whether a directory tree that is not build output is copied to a bare address."""
    payload = sent.payload
    copied = sent.verb == "copy" and payload.what == "file" and payload.whole and is_address(sent.target)
    return copied and payload.place is not Place.TEMPORARY and REBUILT.isdisjoint(payload.path.lower().split("/"))


def _is_unusual(sent: Sent) -> bool:
    if sent.payload.what != "file":
        return sent.verb == "pipe"
    if sent.verb in ("copy", "mail"):
        return sent.payload.place in (Place.HOME, Place.ROOT, Place.SYSTEM)
    if sent.verb == "paste" and not credential_at(sent.payload.path):
        return False
    return sent.verb not in ("header", "name") and posixpath.splitext(sent.payload.path)[1] not in _REQUESTS
