"""`supervisor explain --action`: the typed arguments of an action's commands, its effects, and the decision on it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.cli.decisions import decision_lines
from supervisor.cli.output import console, one_line, print_indented, print_json, print_table, styled, table
from supervisor.errors import BadInput, Unreadable
from supervisor.intake.documents import read_json
from supervisor.intake.parsing import MAX_REQUEST
from supervisor.policy import Policy, Records

if TYPE_CHECKING:
    from supervisor.action import Action
    from supervisor.decision.decision import Decision
    from supervisor.evidence.effects import Effect

_MOST_COMMANDS = 64  # whose arguments are shown
_LONGEST = 60  # characters of a target or a span in the table


def explain_action(file: Path, policy: Policy, *, as_json: bool) -> None:
    """Shows the effects of the action in a file (`-`: standard input), and the decision on it. Writes no record."""
    from dataclasses import replace

    from supervisor.engine.supervisor import Supervisor
    from supervisor.intake.parsing import action_from, context_from

    value = read_json(_read(file), limit=MAX_REQUEST)
    action, context = action_from(value, policy.tools), context_from(value.get("context"))
    supervisor = Supervisor(replace(policy, records=Records(path=None)))
    try:
        decision = supervisor.decide_from_thread(action, context)
    finally:
        supervisor.close()
    found, unread = _effects(action, context)
    taken, typed = _taken(value, action, policy), _typed_commands(action, context)
    if as_json:
        effects = [_to_json(effect) for effect in found]
        print_json({"taken": taken, "commands": typed, "effects": effects, "unread": unread, **decision.to_json()})
    else:
        fields = "".join(f", {part} = {field}" for part, field in taken["fields"].items())
        console().print(f"Taken for {styled(taken['kind'], 'bold')}{one_line(fields)}: {one_line(taken['why'])}.")
        _show_typed(typed)
        _show(found, unread, decision)


def _taken(value: Any, action: Action, policy: Policy) -> dict[str, Any]:
    """The kind that the call was classified as, and why."""
    from supervisor.intake.kinds import kind_of
    from supervisor.intake.roles import recognize

    if value.get("kind"):
        why = "the caller says so"
    elif action.tool in policy.tools:
        why = "the policy says so"
    elif kind_of(action.tool) != "tool":
        why = "the tool is known by its name"
    else:
        taken = recognize(action.tool, action.args)
        unknown = "none of its arguments runs, or names a file that it changes"
        worded = "the words of the tool's name and its arguments say so"
        why = taken.why if taken else unknown if action.kind == "tool" else worded
    return {"kind": action.kind, "fields": dict(action.fields), "why": why}


def _read(file: Path) -> bytes:
    if str(file) != "-":
        return file.read_bytes()
    if sys.stdin is None:
        raise BadInput("there is nothing to read: standard input is closed", code="no_input")
    return sys.stdin.buffer.read(MAX_REQUEST + 1)


def _effects(action: Any, context: Any) -> tuple[list[Effect], str]:
    """The effects, and why they cannot be read, or ""."""
    from supervisor.evidence.effects import effects

    try:
        return list(effects(action, context)), ""
    except Unreadable as unreadable:
        return [], str(unreadable)


def _typed_commands(action: Any, context: Any) -> list[dict[str, Any]]:
    """The arguments of each command as the model of command lines reads them, for the programs that it knows."""
    from supervisor.evidence.actions.scripts import script
    from supervisor.evidence.commands import read

    if action.kind != "shell":
        return []
    try:
        found = [(command, read(command.argv)) for command in script(action, context).commands[:_MOST_COMMANDS]]
    except Unreadable:
        return []
    return [
        {
            "program": command.program,
            "verb": line.verb,
            "rehearses": line.rehearses,
            "arguments": [
                {"role": each.role or "unknown", "option": each.option, "value": _readable(each.value)}
                for each in line.arguments
            ],
        }
        for command, line in found
        if line is not None
    ]


def _show_typed(commands: list[dict[str, Any]]) -> None:
    drawn = table("command", "option", "value", "role")
    for command in commands:
        title = f"{command['program']} {command['verb']}".strip() + (" (only shown or checked)" * command["rehearses"])
        for each in command["arguments"]:
            drawn.add_row(one_line(title), each["option"], one_line(each["value"][:_LONGEST]), each["role"])
    if drawn.row_count:
        print_table(drawn)


def _to_json(effect: Effect) -> dict[str, Any]:
    return {
        "act": effect.act,
        "verb": effect.verb,
        "target": _readable(effect.target),
        "scope": effect.scope.value,
        "whole": effect.whole,
        "reversible": effect.reversible,
        "span": effect.text,
    }


def _readable(target: str) -> str:
    from supervisor.evidence.reading.paths import HOLE

    return target.replace(HOLE, "…")


def _show(found: list[Effect], unread: str, decision: Decision) -> None:
    out = console()
    if unread:
        out.print(f"What it does cannot be read: {styled(unread, 'yellow')}.")
    elif not found:
        out.print("It has no known effects on files, processes, services, hosts, packages, databases or platforms.")
    else:
        drawn = table("effect", "target", "where", "can be undone", "read from")
        for effect in found:
            deed = f"{effect.act}: {effect.verb}" if effect.verb else effect.act
            target = _readable(effect.target)[:_LONGEST] + (" (all of it)" if effect.whole else "")
            undone = "yes" if effect.reversible else "no"
            drawn.add_row(deed, one_line(target), effect.scope.value, undone, one_line(effect.text[:_LONGEST]))
        print_table(drawn)
    for line in decision_lines(decision.to_json()):
        print_indented(line)
