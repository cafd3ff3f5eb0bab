"""Repeats an action that has just failed, more than once and in the same way, with nothing changed since."""

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from supervisor.specialist import Action, Cause, Context, Opinion, Step, nudge, ok, refuse, specialist

MOST_FAILURES = 2
LOOKED_AT = 20  # steps
_FAILURE = re.compile(
    r"^[^\w\n]*(error|exception|traceback|fatal|failed|failure|permission denied|access denied)\b"
    r"|command not found|no such file or directory|\b(exit|return|status) ?code:? ?[1-9]|^\w*(error|exception):",
    re.IGNORECASE | re.MULTILINE,
)
_ONLY_READS = re.compile(r"(get|list|read|search|find|view|show|describe|check|count|lookup|fetch)(_|$)")


@specialist("*")
def failed_action_repeated(action: Action, context: Context) -> Opinion:
    """Anything in between that may have changed something makes a new attempt honest."""
    most = context.facts.get("max_failed_repeats", MOST_FAILURES)
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        return refuse("max_failed_repeats is not a whole number above 0", Cause.INFRASTRUCTURE)
    if not context.history:
        return refuse("nothing happened before")
    failures: list[Step] = []
    for step in islice(reversed(context.history), LOOKED_AT):
        if _same(action, step):
            if not _failed(step) or (failures and step.output != failures[0].output):
                break
            failures.append(step)
        elif not _only_reads(step):
            break
    if len(failures) < most:
        return ok()
    return nudge(
        f"this very {action.tool} call failed {len(failures)} times in a row with the same result",
        correction="Do not run it again as it is. Read the error, find out what is wrong, and change that first "
        "or take another way; if neither is possible, tell the user what stands in the way.",
        sharper="The same call gives the same error. Change its arguments or what it needs, or report the failure.",
        evidence=(failures[0].text[:300],),
    )


def _same(action: Action, step: Step) -> bool:
    return step.tool == action.tool and (step.args == action.args or _spaced(step.args) == _spaced(action.args))


def _spaced(args: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments whose spacing inside one line makes no difference; longer texts keep their indentation."""
    return {
        name: " ".join(value.split()) if isinstance(value, str) and "\n" not in value.strip() else value
        for name, value in args.items()
    }


def _failed(step: Step) -> bool:
    output = step.output
    if step.failed:
        return True
    if isinstance(output, Mapping):
        codes = [output.get(name) for name in ("exit_code", "returncode", "exitCode", "code")]
        return bool(output.get("error") or output.get("is_error")) or any(
            isinstance(code, int) and not isinstance(code, bool) and code not in (0, 200) for code in codes
        )
    return isinstance(output, str) and bool(_FAILURE.search(output[:2000]) or _FAILURE.search(output[-500:]))


def _only_reads(step: Step) -> bool:
    return step.kind == "file_read" or (step.kind == "tool" and bool(_ONLY_READS.match(step.tool.lower())))
