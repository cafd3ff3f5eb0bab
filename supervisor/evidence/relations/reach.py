"""Whom an action reaches, and what it hands out."""

from __future__ import annotations

import re

from supervisor.evidence.relations.atoms import folded
from supervisor.evidence.relations.seen import Features, Seen
from supervisor.evidence.relations.texts import PRIVATE

GROUPS = re.compile(
    r"\b(?:all|everyone|everybody|team|staff|company|list|group|students|employees|alle|tous|todos|tutti|wszyscy|alla|kaikki|public|general|announce\w*|newsletter|dealers|parents|press)\b|#[a-z]|@channel|@here|@all"
)


def reach(seen: Seen, found: Features) -> None:
    """Features of the recipients, the attachments and the groups."""
    slots, have = seen.slots, seen.known
    to = [
        slot
        for slot in slots
        if slot.label
        & {
            "to",
            "cc",
            "bcc",
            "recipient",
            "recipients",
            "attendees",
            "channel",
            "with",
            "emails",
            "email",
            "users",
            "list",
            "audience",
            "segment",
            "group",
            "invitees",
            "guests",
            "share",
            "thread",
        }
    ]
    mails = {atom.key for slot in slots if not slot.prose for atom in slot.atoms if atom.sort == "mail"}
    domains = {mail.split("@")[1] for mail in mails}
    own = {key.split("@")[1] for sort, key in have.task.keys | have.keys if sort == "mail"}
    found["mails.1"] += len(mails) == 1
    found["mails.2"] += len(mails) > 1
    found["mails.5"] += len(mails) > 4
    found["domain.new"] += bool(domains - own)
    found["free_mail"] += any(
        re.search(r"gmail|proton|yahoo|outlook|hotmail|gmx|web\.de|mail\.ru|icloud", domain) for domain in domains
    )
    for slot in to:
        if not slot.prose and GROUPS.search(folded(slot.text[:200])):
            found["group"] += 1
            found["group.said"] += folded(slot.text) in folded(have.task.text)
    found["bcc"] += any("bcc" in slot.label for slot in slots)
    found["cc"] += any("cc" in slot.label for slot in slots)
    found["attach"] += any(slot.label & {"attachment", "attachments", "files", "file", "path"} for slot in slots)
    attached = [folded(slot.text) for slot in slots if slot.label & {"attachment", "attachments", "files", "file"}]
    found["attach.unsaid"] += any(each not in folded(have.task.text) for each in attached)
    found["attach.unseen"] += any(
        each not in folded("\n".join(have.lines())) and each not in folded(have.task.text) for each in attached
    )
    outputs = folded("\n".join(have.lines())[:20000])
    found["private_shown"] += bool(PRIVATE.search(outputs))
    if mails or to:
        found["to.private_shown"] += bool(PRIVATE.search(outputs))
