"""An attempt that a protection refused, and the same attempt again with force."""

from __future__ import annotations

import re

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.warned import Past, Warned, latest, pattern, said, script_text

# A lock of another machine, and who knows that this one is no more.
_OF_ANOTHER = re.compile(r"(?i)\b(?:another (?:system|host|node|process)|by|on|at) ?\w*")
_GONE = re.compile(
    r"(?i)\b(?:dead|gone|broken|scrapped|destroyed|died|burnt|no longer exists|powered off"
    r"|kaputt|tot|defekt|mort|morte|muert[oa]"
    r"|mort[oa]|morreu|avariad[oa]|estragad[oa]|rotto|guasto|zepsut\w*|kapot|сломал\w*|умер\w*)\b"
)


def may_be_refused(text: str, context: Context) -> bool:
    """Whether a text forces something after an output that tells of a protection."""
    if not context.history or not pattern("forcing").search(text):
        return False
    return any(past.may_hold("refused") for past in latest(context))


def forced_past_protection(action: Action, context: Context) -> Warned | None:
    """The protection that an earlier attempt of the same command met, and that this one forces its way past."""
    text = script_text(action, context)
    if not may_be_refused(text, context) or pattern("wants_force").search(said(context)):
        return None
    is_gone = bool(_GONE.search(said(context)))
    for command in script(action, context).commands:
        if not (forced := _forced(command)):
            continue
        for past in latest(context):
            line = next((line for line in past.lines if pattern("refused").search(line)), "")
            if (
                line
                and not (is_gone and _OF_ANOTHER.search(line))
                and _is_same(command, past)
                and not forced <= frozenset(past.command.split())
            ):
                return Warned("that a protection forbids this", command.text[:200], line)
    return None


def _forced(command: Command) -> frozenset[str]:
    return frozenset(word for word in command.args if pattern("forcing").fullmatch(f" {word}"))


def _is_same(command: Command, past: Past) -> bool:
    """Whether an earlier command has the same program and the same first words."""
    operands = command.operands()
    verb = next(
        (
            word
            for word in operands
            if re.search(rf"(?<![\w-]){re.escape(command.program)}\b.*\s{re.escape(word)}(?:\s|$)", past.command)
        ),
        "",
    )
    names = [word.rpartition("/")[2] for word in operands if word != verb]
    shown = f"{past.command}\n{past.output}"
    return bool(verb) and (not names or any(name in shown for name in names if name))
