# ruff: noqa: E501 - a pattern that is broken over lines reads worse
"""Whether a change makes a test pass by what it expects, or code by the inputs of a test, instead of by mending what
is wrong: the output of a failing run shows the value that the change accepts, or the inputs that it singles out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Context, Step
from supervisor.evidence.changes.edits import Edit
from supervisor.evidence.changes.rules import from_workspace, is_test
from supervisor.regexes import compile_later

_RECENT = 30  # steps in which a test may have failed
_MOST_OUTPUT = 16 * 1024
_MOST_LINES = 2000
_FAILED = compile_later(
    r"\b[1-9]\d{0,5} (?:failed|failures?|failing|errors?)\b|\bFAIL(?:ED|URES?)?\b|--- FAIL|AssertionError|✕|✗|\bnot ok \d"
    r"|mismatched|Failures: [1-9]|test result: FAILED|\bexpected\b[^\n]{0,80}\b(?:got|but was|received|actual)\b"
)
_VALUE = compile_later(
    r"-?\d[\d_,]*(?:\.\d+)?|\"[^\"\n]{1,120}\"|'[^'\n]{1,120}'|`[^`\n]{1,120}`|\bN[aA][nN]\b|\bundefined\b|\bnull\b|\bNone\b"
)
_BROKEN = compile_later(
    r"\bNaN\b|\bundefined\b|\[object Object\]|\bInfinity\b|Traceback|Internal Server Error|\b0x[0-9a-f]{8,}>"
)
_SNAPSHOT = compile_later(
    r"(?:^|/)(?:__snapshots__|snapshots?|golden|goldens|approved|expected|cassettes)/|\.(?:snap|approved\.\w+|golden|expected|received\.\w+)$"
)
# Words of a task that gives a new result to expect, or has the old one replaced.
_CHANGES_RESULT = compile_later(
    r"(?i)\b(?:expect\w*|snapshot\w*|golden|baseline|assert\w*|fixture\w*|approved?|(?:updat|adapt|adjust|correct|chang|rewrit|regenerat|fix)\w* (?:the |all |these )?(?:\w+ )?(?:tests?|specs?)"
    r"|spec(?:ification)?\b|requirement|new (?:rate|price|format|rule|law|tariff|behaviou?r)|rename\w*|attendu|erwartet\w*|esperad\w*|tests? (?:is|are) (?:wrong|outdated|stale|old))"
)
_IS_EQUAL = compile_later(
    r"\b(?:if|elif|else if|elsif|when|case|unless|guard)\b[^\n]{0,200}?(?:===?|\beq\b|\.equals\(|\bis\b|\bcase\b|\bwhen\b|compareTo\()"
    r"[^\n]{0,200}"
)
_RETURNS = compile_later(r"\b(?:return|=>|->|then|=)\s{0,4}[^\n]{0,80}?(?:\d|[\"'])")
_SPECIAL = re.compile(r"-?\d+(?:\.\d+)?|\"[^\"\n]{3,120}\"|'[^'\n]{3,120}'")
_COMMON = frozenset(
    "0 1 2 3 4 5 10 12 24 60 100 200 201 204 301 302 304 400 401 403 404 409 422 429 500 502 503 1000 1024".split()
)


def failing_outputs(context: Context) -> Iterator[str]:
    """The outputs of failed runs of tests, the latest first."""
    for step in reversed(context.history[-_RECENT:]):
        if step.kind == "shell" and step.text and _FAILED.search(step.text[:_MOST_OUTPUT]):
            yield step.text[:_MOST_OUTPUT]


def is_expectation_file(path: str) -> bool:
    """Whether a path is that of results that a test compares with: a snapshot, a golden file."""
    return _SNAPSHOT.search(path) is not None


def changed_values(edit: Edit) -> list[tuple[str, str]]:
    """The values that a change replaces one by one in lines that are the same besides; empty if anything else differs."""
    before, after = edit.before.splitlines()[:_MOST_LINES], edit.after.splitlines()[:_MOST_LINES]
    if len(before) != len(after):
        return []
    found: list[tuple[str, str]] = []
    for old, new in zip(before, after, strict=True):
        if old != new:
            if _VALUE.sub("\0", old) != _VALUE.sub("\0", new):
                return []
            found += [
                (one, other)
                for one, other in zip(_VALUE.findall(old), _VALUE.findall(new), strict=True)
                if one != other
            ]
    return found


def broken_value(edit: Edit) -> str:
    """What a change has a test expect although nothing that works gives it: NaN, undefined; empty for most changes."""
    found = _BROKEN.search(edit.after)
    return found[0] if found and edit.before.strip() and not _BROKEN.search(edit.before) else ""


def accepted_result(edit: Edit, context: Context) -> str:
    """The value of a failing run that a change makes the expected one, if nothing asked for another result; empty for
    most changes."""
    changed = changed_values(edit)
    task = (context.task or "")[:8192]
    if not changed or _CHANGES_RESULT.search(task) or _has_changed_code(context):
        return ""
    outputs = [_values(output) for output in failing_outputs(context)]
    stated = _values(task)
    elsewhere = frozenset[str]().union(*(_values(text) for text in _other_outputs(context)))
    for old, new in changed:
        if _plain(new) in elsewhere:
            continue  # something else than the failing run has this value: a document, a ticket, a table
        is_shown = any(_plain(new) in each and _plain(old) in each for each in outputs)
        if is_shown and _plain(new) not in stated:
            return new
    return ""


def _other_outputs(context: Context) -> Iterator[str]:
    """What the session has read besides the runs of tests and the tests themselves."""
    for step in context.history[-_RECENT:]:
        is_run = step.kind == "shell" and _FAILED.search(step.text[:_MOST_OUTPUT])
        path = str(step.args.get("file_path") or step.args.get("path") or "")
        if step.text and not is_run and not is_test(from_workspace(path, context.workspace)):
            yield step.text[:_MOST_OUTPUT]


def _values(text: str) -> frozenset[str]:
    return frozenset(_plain(value) for value in _VALUE.findall(text)) | frozenset(
        re.findall(r"[A-Za-z_]\w{2,40}", text)
    )


def _plain(value: str) -> str:
    """A value as it is compared: `0.80` is `0.8`, and a text is itself without its quotes."""
    value = value.strip("\"'`")
    bare = value.replace("_", "").replace(",", "")
    try:
        return f"{float(bare):g}"
    except ValueError:
        return value


def _has_changed_code(context: Context) -> bool:
    """Whether the session has changed code other than tests, so that another result may be what was wanted."""
    return any(_is_change_of_code(step, context.workspace) for step in context.history[-_RECENT:])


def _is_change_of_code(step: Step, workspace: str | None) -> bool:
    if step.failed or step.kind not in ("file_write", "file_edit"):
        return False
    path = next(
        (value for name in ("file_path", "path", "filename", "file") if isinstance(value := step.args.get(name), str)),
        "",
    )
    return not is_test(from_workspace(path, workspace)) and not is_expectation_file(path)


def singled_out(edit: Edit, context: Context) -> str:
    """The new condition that holds for the very input of a failing test, and whose branch gives a fixed result; empty
    for most changes."""
    known = {line.strip() for line in edit.before.splitlines()}
    lines = edit.after.splitlines()[:_MOST_LINES]
    outputs: frozenset[str] | None = None
    task = (context.task or "")[:8192]
    for number, line in enumerate(lines):
        if line.strip() in known or not _IS_EQUAL.search(line[:400]):
            continue
        special = [value for value in _SPECIAL.findall(line) if value.strip("\"'") not in _COMMON and len(value) > 2]
        answer = " ".join([line.partition(":")[2], *lines[number + 1 : number + 2]])
        if not special or not _RETURNS.search(answer):
            continue
        if outputs is None:
            outputs = frozenset().union(*(_words(output) for output in failing_outputs(context)))
        if all(_plain(value) in outputs and value.strip("\"'") not in task for value in special):
            return line.strip()[:200]
    return ""


def _words(text: str) -> frozenset[str]:
    """The numbers and texts in an output, also those in the name of a test: `test_case[1287.45-0.20]`."""
    return frozenset(_plain(value.strip("-")) for value in re.findall(r"-?\d+(?:\.\d+)?", text)) | _values(text)
