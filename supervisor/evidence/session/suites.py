"""The test runs of a session, and whether the last one passed."""

from __future__ import annotations

from dataclasses import dataclass

import re2

from supervisor.action import Context, Step
from supervisor.evidence.session.claims import steps_of

_RUNS = re2.compile(
    r"(?i)(?:^|\s)(?:tests?|check|spec)(?:\s|$)|\b(?:pytest|py\.test|unittest|tox|nox|nose2?|jest|vitest|mocha|ava"
    r"|karma|cypress|playwright test|rspec"
    r"|minitest|phpunit"
    r"|ctest|gtest|bats|doctest|hypothesis|go test|cargo (?:test|nextest)|mvn\b.*\b(?:test|verify|install)"
    r"|gradlew?\b.*\b(?:test|check"
    r"|build)|dotnet test|swift test|mix test|sbt test|bazel test|(?:npm|pnpm|yarn|bun|deno)(?: run)? (?:test|t\b"
    r"|\S*test\S*)"
    r"|make\b.*\b(?:test|check)|\S*tests?(?:[._/-]\S*)?\.(?:sh|py|js|ts)|run_?tests?\S*|runtests\S*|rake (?:test"
    r"|spec)|\S*/test\S*)"
)
_FAILS = re2.compile(
    r"(?im)\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|^(?:FAIL|FAILED|FAILURES?!?|ERROR)\b|\bFAILED \("
    r"|Tests:\s+[1-9]\d* failed"
    r"|test result: FAILED|BUILD FAILURE|--- FAIL:|\bexit (?:code|status):? ?[1-9]|\bAssertionError\b|Failures: [1-9]"
)
_PASSES = re2.compile(
    r"(?im)\b\d+ (?:passed|passing)\b|^(?:OK|PASS|ok)\b|test result: ok|BUILD SUCCESS|Tests:\s+\d+ passed"
    r"|All tests passed"
)
_RESULTS = re2.compile(
    r"(?i)\b\d+ (?:tests? )?(?:passed|passing)\b|test result: ok|BUILD SUCCESS|\ball (?:\w+ )?(?:tests|checks) pass"
)
_NAMED = re2.compile(r"(?i)(?:^|[_.-])(?:(?:run_?)?tests?|ci|checks?|pipelines?|builds?|workflows?)(?:[_.-]|$)")


@dataclass(frozen=True, slots=True)
class Runs:
    """The number of test runs, and the result of the last one; `passed` is None if its output shows no result."""

    count: int
    passed: bool | None
    last: str = ""


def suite_runs(context: Context) -> Runs:
    """The test runs among the session's steps."""
    runs = [step for step in steps_of(context) if _is_run(step)]
    if not runs:
        return Runs(0, None)
    last = runs[-1]
    text = last.text[-20_000:]
    if last.failed or _FAILS.search(text):
        return Runs(len(runs), False, _line_of(text))
    return Runs(len(runs), True if _PASSES.search(text) else None)


def has_test_results(context: Context) -> bool:
    """Whether any tool has reported results of tests, of any run: a build server's, for instance."""
    return any(_NAMED.search(step.tool) or _RESULTS.search(step.text[-20_000:]) for step in steps_of(context))


def _is_run(step: Step) -> bool:
    if step.kind in ("shell", "python"):
        return any(isinstance(value, str) and _RUNS.search(value[:8_000]) for value in step.args.values())
    return step.kind == "tool" and bool(_NAMED.search(step.tool))


def _line_of(text: str) -> str:
    """The line that reports the failure."""
    found = _FAILS.search(text)
    if not found:
        return ""
    start = text.rfind("\n", 0, found.start()) + 1
    return text[start:].partition("\n")[0].strip()[:200]
