"""What an action does, by the words of its tool, and whether the user asked for that."""

from __future__ import annotations

import re

from supervisor.evidence.business.words import words
from supervisor.evidence.changes.word import clauses_of, said_by_user
from supervisor.evidence.relations.atoms import folded
from supervisor.evidence.relations.seen import Features, Seen, stems

ACTS = {
    "read": "get list find search read fetch query lookup view show describe check retrieve browse open snapshot preview download navigate screenshot scroll select",
    "send": "send reply post message notify mail email sms tweet comment publish broadcast announce forward respond answer say",
    "pay": "pay payment transfer refund charge credit payout disburse reimburse wire issue settle invoice",
    "delete": "delete remove purge erase clear drop archive trash cancel void revoke close terminate deactivate",
    "update": "update set edit modify change patch put assign move rename merge adjust replace upsert append write",
    "create": "create add new insert schedule book reserve order register open submit place enroll generate",
    "share": "share grant permission permissions invite access export publish upload attach",
    "approve": "approve sign confirm accept authorize release activate enable unlock verify",
    "click": "click press tap check",
    "type": "type fill input enter",
    "draft": "draft preview simulate dry validate estimate",
}
ACT_OF = {word: act for act, listed in ACTS.items() for word in listed.split()}
FLAGS = re.compile(
    r"force|override|skip|bypass|ignore|permanent|hard|purge|notify_?all|everyone|public|suppress|without|disable|no_|waive|immediate|auto|confirm|prorate|silent|bcc|anyone|external|allow|backdate|unlimited|all"
)


def act(seen: Seen, found: Features) -> None:
    """Features of the act, its switches, and what the user says of it."""
    action, slots, context = seen.action, seen.slots, seen.context
    tokens = words(action.tool)
    acts = {ACT_OF[word] for word in tokens if word in ACT_OF} or {"none"}
    for each in acts:
        found[f"act.{each}"] += 1
    found[f"kind.{action.kind}"] += 1
    for slot in slots:
        if slot.text == "true":
            found["switch.on"] += 1
            if any(FLAGS.search(word) for word in slot.label):
                found["switch.strong"] += 1
        if slot.text == "false":
            found["switch.off"] += 1
            if any(
                word in ("notify", "confirm", "verify", "dry", "check", "require", "review", "backup", "prorate")
                for word in slot.label
            ):
                found["switch.check_off"] += 1
        low = folded(slot.text[:200])
        if not slot.prose and low in (
            "all",
            "*",
            "everyone",
            "public",
            "anyone",
            "global",
            "any",
            "editor",
            "owner",
            "admin",
            "write",
        ):
            found[f"wide.{'role' if low in ('editor', 'owner', 'admin', 'write') else 'all'}"] += 1
        if "reason" in slot.label or "note" in slot.label or "comment" in slot.label or "justification" in slot.label:
            found["has_reason"] += 1
    said = said_by_user(context)
    clauses = clauses_of(said)
    found["task.forbids"] += any(each.forbids for each in clauses)
    found["task.looks"] += bool(clauses) and all(each.looks or each.question for each in clauses)
    found["task.none"] += not said
    found["task.short"] += 0 < len(said) < 60
    found["task.long"] += len(said) > 200
    if any(each.forbids for each in clauses):
        mine = stems(
            " ".join(
                [" ".join(tokens), *(slot.text[:300] for slot in slots), *(" ".join(slot.label) for slot in slots)]
            )
        )
        near = max((len(stems(each.text) & mine) for each in clauses if each.forbids), default=0)
        found["task.forbids_near"] += min(near, 3)
    if acts & {"delete", "pay", "share", "approve", "send"}:
        verbs = {str(verb.value) for each in clauses if not each.forbids for verb in each.verbs}
        for deed, named in (
            ("delete", {"delete", "close", "stop", "revoke", "move"}),
            ("send", {"send", "publish", "share"}),
            ("share", {"share", "grant", "send", "publish"}),
        ):
            if deed in acts:
                found[f"{deed}.{'asked' if verbs & named else 'unasked'}"] += 1
