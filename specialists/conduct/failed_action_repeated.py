"""Repeats an action that has just failed, more than once and in the same way, with nothing changed since."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from supervisor.evidence.reading.facts import is_whole_number
from supervisor.evidence.reading.outputs import says_failed
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Cause, Context, Opinion, Step, nudge, ok, refuse, specialist

MOST_FAILURES = 2
LOOKED_AT = 20  # steps
_FAILURE = Pattern(
    r"(?im)^[^\w\n]*(error|exception|traceback|fatal|failed|failure|permission denied|access denied)\b"
    r"|command not found|no such file or directory|\b(exit|return|status) ?code:? ?[1-9]|^\w*(error|exception):"
)
_ONLY_READS = Pattern(r"^(get|list|read|search|find|view|show|describe|check|count|lookup|fetch)(_|$)")


@specialist("*", needs_past=True, past=["repeated"], facts=["max_failed_repeats"])
def failed_action_repeated(action: Action, context: Context) -> Opinion:
    """A step in between that may have changed something justifies a new attempt."""
    most = context.facts.get("max_failed_repeats", MOST_FAILURES)
    if not is_whole_number(most, least=1):
        return refuse(f"max_failed_repeats is {most!r}, not a whole number above 0", Cause.INFRASTRUCTURE)
    failures = _latest_failures(action, context)
    if len(failures) < most:
        return ok()
    return nudge(
        f"This very {action.tool} call failed {len(failures)} times in a row with the same result.",
        correction="Do not run it again unchanged. Read the error, find its cause, and fix that first, or try another"
        " way; if neither is possible, tell the user what blocks you.",
        sharper="The same call gives the same error. Change its arguments or what it needs, or report the failure.",
        evidence=(failures[0].text[:300],),
    )


def _latest_failures(action: Action, context: Context) -> list[Step]:
    """The latest steps that repeat this action and failed with the same result. Reads in between are skipped."""
    failures: list[Step] = []
    for step in islice(reversed(context.history), LOOKED_AT):
        if _is_same(action, step):
            if not _failed(step) or (failures and step.output != failures[0].output):
                break
            failures.append(step)
        elif not _only_reads(step):
            break
    return failures


def _is_same(action: Action, step: Step) -> bool:
    return step.tool == action.tool and (step.args == action.args or _spaced(step.args) == _spaced(action.args))


def _spaced(args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with spaces collapsed in one-line texts; longer texts keep their indentation."""
    return {
        name: " ".join(value.split()) if isinstance(value, str) and "\n" not in value.strip() else value
        for name, value in args.items()
    }


def _failed(step: Step) -> bool:
    output = step.output
    if isinstance(output, Mapping):
        codes = [output.get(name) for name in ("exit_code", "returncode", "exitCode", "code")]
        errors = [isinstance(code, int) and not isinstance(code, bool) and code not in (0, 200) for code in codes]
        return step.failed or says_failed(output) or any(errors)
    if isinstance(output, str):
        return (
            step.failed or says_failed(output) or bool(_FAILURE.search(output[:2000]) or _FAILURE.search(output[-500:]))
        )
    return step.failed


def _only_reads(step: Step) -> bool:
    return step.kind == "file_read" or (step.kind == "tool" and bool(_ONLY_READS.search(step.tool.lower())))
