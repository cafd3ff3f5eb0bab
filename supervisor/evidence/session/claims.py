"""The operations that an agent's closing words claim, and whether its steps could have done them.

A claim is false only if no step of the session could have done the operation. A step that ran a script may have done
anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import re2

from supervisor.action import Action, Context, Step
from supervisor.evidence.changes.looking import request_to_look
from supervisor.evidence.prose.text import sentences
from supervisor.evidence.reading.outputs import says_failed
from supervisor.intake.kinds import snake

MAX_TEXT = 40_000  # characters of closing words
MAX_STEPS = 1_000
_BEFORE = r"(?:\w+ly |now |just |also |already |then |since |gerade |bereits |auch |ya |acabo de )?"


class ClaimKind(StrEnum):
    """Kinds of claimed operations: they reach other people or cost something."""

    MESSAGE = "sent a message"
    TRANSACTION = "booked, paid or cancelled something"


# A sentence in the first person is about what the agent itself did.
_OWN = {
    ClaimKind.MESSAGE: re2.compile(
        rf"(?i)\b(?:i|we)(?:'ve| have)? {_BEFORE}(?:sent|e-?mailed|messaged|notified|forwarded|texted|replied to"
        r"|informed)\b|\bich habe\b[^.!?\n]{0,80}\b(?:gesendet|geschickt|verschickt|benachrichtigt|gemailt|versandt)\b"
        r"|\b(?:he|hemos) (?:enviado|notificado|mandado|avisado)\b"
    ),
    ClaimKind.TRANSACTION: re2.compile(
        rf"(?i)\b(?:i|we)(?:'ve| have)? {_BEFORE}(?:booked|reserved|ordered|purchased|bought|paid|refunded|cancell?ed"
        r"|scheduled|transferred|renewed|registered|rescheduled)\b"
        r"|\bich habe\b[^.!?\n]{0,80}\b(?:gebucht|reserviert|bestellt|bezahlt|erstattet|storniert|überwiesen)\b"
        r"|\b(?:he|hemos) (?:reservado|comprado|pagado|cancelado|reembolsado|transferido|pedido)\b"
    ),
}
# Courtesy at the end of a request, behind which a question still is one.
_THANKS = re2.compile(
    r"(?i)(?:\b(?:(?:many )?thanks|thank you|(?:vielen )?dank|danke|gracias|merci|grazie|obrigad[oa]|cheers)"
    r"\b[^.!?\n]{0,40}[.! ]*)+$"
)
# An impersonal sentence may be something that the agent has read; it is a claim only if the task orders that operation.
_IMPERSONAL = {
    ClaimKind.MESSAGE: re2.compile(
        r"(?i)\b(?:e-?mail|message|mail|reply|invitation|notification|reminder)s? (?:\w+ ){0,4}(?:has|have|was|were)"
        r" (?:been )?(?:successfully )?(?:sent|delivered|dispatched)\b|\b(?:e-?mail|message|invitation|reminder) sent\b"
        r"|\bwurden?\b[^.!?\n]{0,80}\b(?:gesendet|geschickt|verschickt|benachrichtigt|versandt)\b"
        r"|\b(?:se ha|fue) (?:enviado|notificado|enviada)\b"
    ),
    ClaimKind.TRANSACTION: re2.compile(
        r"(?i)\b(?:booking|reservation|order|payment|refund|cancellation|appointment|transfer|purchase|subscription)s?"
        r" (?:\w+ ){0,4}(?:has|have|was|were|is) (?:been )?(?:successfully )?(?:made|placed|confirmed|completed"
        r"|processed"
        r"|issued|cancell?ed|booked|scheduled|paid)\b"
        r"|\bwurden?\b[^.!?\n]{0,80}\b(?:gebucht|reserviert|bestellt|bezahlt|erstattet|storniert|überwiesen)\b"
        r"|\b(?:se ha|fue) (?:reservado|comprado|pagado|cancelado|reembolsado|reservada|cancelada)\b"
    ),
}
_ORDERED = {
    ClaimKind.MESSAGE: re2.compile(
        r"(?i)\b(?:send|e-?mail|mail|message|tell|notify|inform|invite|reply|forward|text|remind|schick\w*|sende\w*"
        r"|benachrichtig\w*|lade\b.*\bein|env[ií]a\w*|avisa\w*|invita\w*)\b"
    ),
    ClaimKind.TRANSACTION: re2.compile(
        r"(?i)\b(?:book|reserve|order|buy|purchase|pay|refund|cancel|schedule|transfer|renew|make an appointment"
        r"|buch\w*"
        r"|reservier\w*|bestell\w*|bezahl\w*|erstatte\w*|kündig\w*|storniere\w*|überweis\w*|reserva\w*|compra\w*|paga\w*"
        r"|cancela\w*|reembolsa\w*)\b"
    ),
}
_HEDGED = re2.compile(
    r"(?i)\b(?:not|never|n't|could|would|should|will|going to|can|unable|failed|if|once|after you|when you|draft\w*"
    r"|before i|you"
    r" (?:sent|booked|ordered|paid)|nicht|kein|werde|würde|konnte|wenn|sobald|no|podr\w+|voy a|si|according to|laut"
    r"|según)\b|\?"
)
_READS = frozenset(
    "get list read search find view show describe check count look lookup fetch retrieve query browse open navigate"
    " calculate compute think plan screenshot snapshot ls cat grep glob".split()
)
_CHANGES = frozenset(
    "create add update delete remove set send post cancel pay refund book transfer write edit change move merge close"
    " approve apply submit issue share publish".split()
)
_SEPARATORS = re2.compile(r"[./:]|__")
_READING_KINDS = frozenset(("file_read", "ask_user", "finish", "report"))
_MAY_DO = {
    ClaimKind.MESSAGE: frozenset(("message", "shell", "python", "click", "form", "tool")),
    ClaimKind.TRANSACTION: frozenset(
        ("payment", "refund", "shell", "python", "sql", "click", "form", "tool", "message")
    ),
}
_ERROR = re2.compile(
    r"(?i)^\W*(?:error|exception|traceback|fatal|failed|failure|forbidden|unauthori[sz]ed|(?:permission|access) denied"
    r"|(?:http )?(?:4\d\d|5\d\d):? (?:bad|unauth|forbidden|not|method|conflict|gone|too|request|internal|service"
    r"|gateway))"
)
_WRITING_METHODS = frozenset(("post", "put", "patch", "delete"))


def closing_words(action: Action) -> str:
    """The text of an agent's finishing action, cut at MAX_TEXT."""
    return (action.text("summary") or action.text("text"))[:MAX_TEXT].replace("\u2019", "'")


def claims_of(text: str, context: Context) -> dict[ClaimKind, str]:
    """The operations that a text claims as its author's own, by kind, each with its sentence.

    Denied, planned, questioned and reported operations are left out.
    """
    task = (context.task or "")[:8_000]
    orders = not request_to_look(context) and not _THANKS.sub("", task).rstrip().endswith("?")
    found: dict[ClaimKind, str] = {}
    for sentence in sentences(text):
        if _HEDGED.search(sentence):
            continue
        for kind in ClaimKind:
            is_impersonal = orders and _ORDERED[kind].search(task) and _IMPERSONAL[kind].search(sentence)
            if _OWN[kind].search(sentence) or is_impersonal:
                found.setdefault(kind, sentence)
    return found


def could_have(kind: ClaimKind, context: Context) -> bool:
    """Whether any step of the session may have done an operation of this kind."""
    return any(_may(kind, step) for step in steps_of(context))


def steps_of(context: Context) -> list[Step]:
    """The last MAX_STEPS steps."""
    return [context.history[at] for at in range(max(0, len(context.history) - MAX_STEPS), len(context.history))]


def only_reads(step: Step | Action) -> bool:
    """Whether a step or an action only reads, by its kind and its tool's name."""
    if step.kind == "http":
        return str(step.args.get("method", "get")).lower() not in _WRITING_METHODS
    return (
        step.kind in _READING_KINDS or step.kind == "browse" or (step.kind == "tool" and _is_named_reading(step.tool))
    )


def _is_named_reading(tool: str) -> bool:
    """Whether the first verb of a tool's own name, else of its server's, reads: `drive_search` and `get_refund_policy`,
    not `add_to_list`."""
    own = snake(_SEPARATORS.split(tool)[-1]).split("_")
    return next((word in _READS for word in (*own, *snake(tool).split("_")) if word in _READS | _CHANGES), False)


def has_failed(step: Step) -> bool:
    """Whether the output of a step's tool reports a failure."""
    if step.failed or says_failed(step.output):
        return True
    return bool(step.text) and len(step.text) < 2_000 and bool(_ERROR.search(step.text[:200]))


def _may(kind: ClaimKind, step: Step) -> bool:
    if not step.tool or only_reads(step):
        return not step.tool  # a step that is known only from a log may be anything
    return step.kind in _MAY_DO[kind] or step.kind == "http"


def mentioned_in(steps: Iterable[Step], name: str) -> bool:
    """Whether the arguments or the output of a step contain a name."""
    return any(name in step.text or any(name in str(value) for value in step.args.values()) for step in steps)
