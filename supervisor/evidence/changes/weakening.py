"""Whether a change of a file weakens what checks the work: tests, assertions, linters, types, builds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from supervisor.evidence.changes.edits import Edit
from supervisor.evidence.changes.rules import is_test
from supervisor.evidence.testing import weaker_assertion
from supervisor.regexes import compile_later

_ASSERTS = compile_later(
    r"^[ \t]*(?:assert\b|self\.assert\w+\(|self\.fail\(|with (?:pytest\.raises|self\.assertRaises)|"
    r"pytest\.(?:raises|fail)\(|expect\(|expect\.|should\.|assert[.(_!]|Assert\.|ASSERT_|EXPECT_|"
    r"t\.(?:Error|Fatal|Fail)|require\.|XCTAssert|\w+\.should)",
    re.MULTILINE,
)
_VACUOUS = compile_later(
    r"^[ \t]*(?:assert (?:True|1)\b(?! *[=!<>])|self\.assertTrue\(True\)|expect\(true\)\.to(?:Be|Equal)\(true\)|"
    r"expect\((\d|true|1)\)\.to(?:Be|Equal)\(\1\)|assert!\(true\)|assert\.ok\(true\)|assertTrue\(true\))",
    re.MULTILINE,
)
_SKIPS = compile_later(
    r"@pytest\.mark\.(?:skip|xfail)\b|@unittest\.(?:skip|expectedFailure)\b|\bpytest\.(?:skip|xfail)\(|self\.skipTest\(|"
    r"\b(?:it|test|describe|context)\.(?:skip|todo)\(|\bx(?:it|describe|test)\(|\bt\.Skip(?:f|Now)?\(|#\[ignore\b|"
    r"@(?:Disabled|Ignore)\b|\b(?:it|test|describe|context)\.only\(|\bf(?:it|describe)\("
)
_CONDITIONAL_SKIPS = compile_later(r"skip[_-]?(?:if|unless)|skipIf|skipUnless|importorskip|runIf", re.IGNORECASE)
_TESTS = compile_later(
    r"^[ \t]*(?:async )?def (test\w*)|^[ \t]*(?:it|test)\([ \t]{0,20}[\"'`]([^\"'`\n]{1,120})|^func (Test\w+)"
    r"|#\[test\]\s{0,20}(?:async )?fn (\w+)",
    re.MULTILINE,
)
_ALTERNATIVES = compile_later(
    r"\bin\s{0,4}[\[({]|\bor\b|\|\||\b(?:any_?of|one_?of|isin)\b|\.or\(|(?:toContain|anything|any)\(", re.IGNORECASE
)
_LITERAL = compile_later(r"-?\d+(?:\.\d+)?|\"[^\"\n]*\"|'[^'\n]*'|\b(?:True|False|None|true|false|null)\b")


ASKS_LESS = "asks less of a result than before"
LEFT_EARLY = "leaves a test before it checks anything"
_MANY = 3  # assertions that go together


def weakened_test(edit: Edit) -> str:
    """How a change weakens the tests of a file, as words that follow "it"; empty for most changes."""
    if not is_test(edit.path):
        return ""
    return next(_taken_from(edit.before, edit.after), "")


def _taken_from(before: str, after: str) -> Iterator[str]:
    if _count(_VACUOUS, after) > _count(_VACUOUS, before):
        yield "asserts what is always true"
    if _skips(after) > _skips(before):
        yield "leaves tests out of the run"
    if weaker_assertion(before, after):
        yield ASKS_LESS
    if _accepts_more(before, after):
        yield "accepts results that were errors"
    if _count(_LEFT_EARLY, after) > _count(_LEFT_EARLY, before):
        yield LEFT_EARLY
    if _commented_out(before, after):
        yield "comments assertions out"
    before_names, kept = _names(before), _names(after)
    if not before_names and _count(_ASSERTS, before) >= _MANY and not _count(_ASSERTS, after):
        yield "removes every assertion"
    gone = [name for name in before_names if name not in kept]
    if gone and len(kept) < len(before_names):
        yield f"removes the test {gone[0]}"
    if not gone and before.strip() and _count(_ASSERTS, after) < _count(_ASSERTS, before):
        yield "removes assertions"


def _accepts_more(before: str, after: str) -> bool:
    """Whether an assertion of one result becomes one of several: `== 404` and `in (200, 404)`."""
    old, new = before.splitlines(), after.splitlines()
    for one, other in zip(old, new, strict=False) if len(old) == len(new) else ():
        is_wider = _ALTERNATIVES.search(other) and not _ALTERNATIVES.search(one)
        wanted, accepted = ({*_LITERAL.findall(line)} for line in (one, other))
        if _ASSERTS.match(one) and is_wider and wanted and wanted < accepted:
            return True
    return False


def rewritten_expectation(edit: Edit) -> str:
    """The line of a test in which only a literal changed, so that the expectation fits the result; empty for most."""
    before, after = edit.before.splitlines(), edit.after.splitlines()
    if not is_test(edit.path) or len(before) != len(after):
        return ""
    for old, new in zip(before, after, strict=True):
        if old != new and _ASSERTS.match(old) and _LITERAL.sub("", old) == _LITERAL.sub("", new):
            return new.strip()
    return ""


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _skips(text: str) -> int:
    return sum(1 for line in text.splitlines() if _SKIPS.search(line) and not _CONDITIONAL_SKIPS.search(line))


def _names(text: str) -> list[str]:
    return [next(filter(None, found.groups())) for found in _TESTS.finditer(text)]


def _commented_out(before: str, after: str) -> bool:
    lines = {line.strip() for line in before.splitlines() if _ASSERTS.match(line)}
    comments = (_COMMENT.search(line) for line in after.splitlines())
    return any(comment is not None and comment[1].strip() in lines for comment in comments)


_COMMENT = compile_later(r"(?:^|\s|;)(?:#|//|--)\s{0,8}(\S[^\n]*)$")
_LEFT_EARLY = compile_later(
    r"\bdef test\w*\([^)\n]{0,200}\)[^:\n]{0,40}:\s{1,40}(?:return|pass)\b[ \t]*\n[ \t]+\S"
    r"|\b(?:it|test)\([ \t]{0,20}[\"'`][^\"'`\n]{1,120}[\"'`][^{\n]{0,80}\{\s{1,40}return;?[ \t]*\n\s{0,40}[^\s}]"
    r"|\bfunc Test\w+\([^)\n]{0,80}\)\s{0,4}\{\s{1,40}return[ \t]*\n\s{0,40}[^\s}]"
)
# Programs that check a work.
_CHECKS = (
    r"\b(?:audit|bandit|check|checkov|clippy|ctest|eslint|flake8|gitleaks|golangci-lint|gradlew?|jest|lint|mocha|mvnw?|mypy"
    r"|phpstan|phpunit|pylint|pytest|rspec|rubocop|ruff|semgrep|snyk|sonar-scanner|test|trivy|tsc|verify|vet|vitest)\b"
    r"[^\n]{0,200}"
)
_NOT_FATAL = r"(?:\|\| (?:true|:|exit[ ]0|echo\b[^\n]{0,100})|; (?:true|exit[ ]0)) "
_TEST_FILE = r"[\w*./-]*(?:[Tt]ests?\b|[Tt]est[._]|_spec\b|\.spec\.|test_)[\w*./-]*"
# Texts that switch a check off, by the files in which they do. A blank matches a few blanks or none.
_OFF: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\.(?:[jt]sx?|mjs|cjs|vue|svelte)$", (r"/\* eslint-disable \*/", r"^ // @ts-nocheck")),
    (
        r"\.pyi?$",
        (
            r"^ # (?:flake8: noqa|ruff: noqa|type: ignore) $",
            r"^ # (?:mypy: ignore-errors|pylint: (?:skip-file|disable=all)|pyright: basic)",
        ),
    ),
    (r"(?:^|/)conftest\.py$", (rf"^ collect_ignore\w* (?:\+= |= |\.(?:append|extend)\( )\[? [\"']{_TEST_FILE}",)),
    (
        r"(?:pyproject\.toml|setup\.cfg|mypy\.ini|\.flake8|tox\.ini|pytest\.ini|ruff\.toml|\.coveragerc|pyrightconfig\.json)$",
        (
            r"^ ignore_errors = [Tt]rue",
            r"^ ignore_outcome = [Tt]rue",
            r"^ strict = [Ff]alse",
            r"^ (?:extend-)?select = \[ \]",
            r"^ ignore = \[ [\"']ALL[\"']",
            r"^ [\"']?typeCheckingMode[\"']? [:=] [\"']off",
            rf"--(?:ignore|ignore-glob|deselect)(?:=|[ ]){_TEST_FILE}",
        ),
    ),
    (r"tsconfig[\w.-]*\.json$", (r"\"(?:strict|noImplicitAny|strictNullChecks)\" : false",)),
    (
        r"(?:\.eslintrc[\w.]*|eslint\.config\.\w+|biome\.json)$",
        (r"\brules\"? : \{ \}", r"ignorePatterns\"? : \[ [\"']\*\*?[\"']"),
    ),
    (
        r"(?:jest|vitest|vite|mocha|karma|cypress|playwright)[\w.]*\.(?:[cm]?[jt]s|json)$|\.mocharc[\w.]*$|package\.json$",
        (
            rf"\b(?:testPathIgnorePatterns|exclude|testIgnore|ignore|spec)\"? :"
            rf" [^\n]{{0,200}}[\"']{_TEST_FILE}\.[cm]?[jt]sx?[\"']",
            r"\bpassWithNoTests\"? : true",
        ),
    ),
    (
        r"pom\.xml$",
        (
            r"<testFailureIgnore> true",
            r"<(?:skipTests|skipITs|maven\.test\.skip|maven\.test\.failure\.ignore)> true",
            r"<(?:haltOnFailure|failOnViolation|failsOnError|failOnError|failIfNoTests)> false",
            rf"<exclude> {_TEST_FILE}",
        ),
    ),
    (
        r"\.gradle(?:\.kts)?$",
        (
            r"\b(?:is)?[iI]gnoreFailures = true",
            r"\b(?:tasks\.)?test(?:\.configure)? \{ (?:\w+ \n )?(?:is)?[eE]nabled = false",
            r"\btest\.(?:is)?[eE]nabled = false",
            r"\b(?:failOnViolation|abortOnError|isAbortOnError) = false",
            rf"\bexclude(?:TestsMatching)? \(? [\"']{_TEST_FILE}",
        ),
    ),
    (
        r"(?:^|/)phpunit[\w.-]*\.xml(?:\.dist)?$",
        (rf"<exclude> {_TEST_FILE}", r"\b(?:failOnRisky|failOnWarning|failOnEmptyTestSuite)=\"false"),
    ),
    (r"\.(?:cs|vb|fs)proj$|Directory\.Build\.props$", (r"<TreatWarningsAsErrors> false", r"<IsTestProject> false")),
    (
        r"(?:^|/)(?:\.github/workflows/[^/]+|\.gitlab-ci[\w.-]*\.yml|\.gitlab/.+\.yml|\.circleci/config\.yml|azure-pipelines[\w.-]*\.yml"
        r"|bitbucket-pipelines\.yml|\.drone\.yml|\.woodpecker(?:\.yml|/.+)|\.buildkite/.+|buildspec[\w.-]*\.ya?ml|[Jj]enkinsfile[\w.-]*)$",
        (
            r"continue-?[oO]n-?[eE]rror: (?:true|\$\{\{ true \}\})",
            r"allow_failure: true",
            r"soft_fail: true",
            r"^ failure: ignore",
            r"^ if: (?:false|\$\{\{ false \}\})",
            r"catchError\( [^)\n]{0,80}buildResult: ['\"]SUCCESS",
            rf"{_CHECKS}{_NOT_FATAL}$",
            rf"{_CHECKS}{_NOT_FATAL}['\"]",
            rf"{_CHECKS}(?:--passWithNoTests|--exit-zero|--no-error|-DskipTests|-Dmaven\.test\.(?:skip"
            rf"|failure\.ignore)=true|-x test\b)",
            rf"{_CHECKS}returnStatus: true",
        ),
    ),
    (
        r"(?:package\.json|[Mm]akefile|justfile|Taskfile\.yml|\.pre-commit-config\.yaml|composer\.json|Rakefile)$",
        (
            rf"{_CHECKS}\|\| (?:true|exit[ ]0)\b",
            r"\"test\" : \"(?:true|exit[ ]0|echo[^\"\n]{0,200})\"",
            r"\"test[\w:-]*\" : \"[^\"\n]{0,200}--passWithNoTests",
            rf"^\t-[^\n]{{0,60}}?{_CHECKS}",
        ),
    ),
)


def _spaced(pattern: str) -> str:
    return pattern.replace("[ ]", "\0").replace(" ", r"[ \t]{0,20}").replace("\0", "[ ]")


_SWITCHES = tuple(
    (compile_later(files), compile_later("|".join(map(_spaced, lines)), re.MULTILINE)) for files, lines in _OFF
)
_NUMBER = r"\D{0,12}?(\d{1,3}(?:\.\d+)?)"
# Where a check has a least value, by the files: what is below it fails.
_THRESHOLDS = (
    (
        compile_later(r""),
        compile_later(
            r"(?:fail[_-]under[\w-]{0,10}|cov-fail-under|(?:branches|functions|lines|statements)\"?[ \t]{0,20}:"
            r"|minimum_coverage"
            rf"|coverageThreshold){_NUMBER}"
        ),
    ),
    (
        compile_later(r"pom\.xml$|\.gradle(?:\.kts)?$|\.(?:cs|fs)proj$|[Mm]akefile$|\.ya?ml$|composer\.json$"),
        compile_later(
            r"(?:<minimum>|\bminimum(?:Value)?\s{0,4}[=:]|<Threshold>|/p:Threshold=|--coverage-threshold=|--min="
            rf"|\bCOVERAGE_(?:MIN|THRESHOLD)\w{{0,10}}\s{{0,4}}[:?]?=){_NUMBER}",
            re.MULTILINE,
        ),
    ),
    (compile_later(r"codecov\.ya?ml$"), compile_later(rf"\btarget\s{{0,4}}:{_NUMBER}")),
)
# Where it has a greatest value: what is above it fails.
_MOST_ALLOWED = compile_later(
    rf"(?:--max-warnings|<maxAllowedViolations>|maxWarnings\s{{0,4}}=|max-complexity\s{{0,4}}=){_NUMBER}"
)


def check_switched_off(edit: Edit) -> str:
    """The text with which a change switches a check off or lowers its threshold; empty for most changes."""
    for files, lines in _SWITCHES:
        if files.search(edit.path):
            found = next((each[0] for each in lines.finditer(edit.after) if each[0].strip() not in edit.before), "")
            if found:
                return found.strip()
    return _lowered(edit)


_HINTS = compile_later(
    r"ignore|noqa|pylint|pyright|mypy|nocheck|eslint|fail|cov|branches|functions|lines|statements|minimum|warnings"
    r"|\.{3}|…|unchanged|omitted|same as before|goes here|remain|rest of|existing|as before",
    re.IGNORECASE,
)


def may_weaken(text: str) -> bool:
    """Whether inserting a text may weaken the checks in a source file that is not a test: every text that switches a
    check off or replaces code has one of these words."""
    return _HINTS.search(text) is not None


def _lowered(edit: Edit) -> str:
    for files, threshold in _THRESHOLDS:
        if files.search(edit.path):
            before, after = list(threshold.finditer(edit.before)), list(threshold.finditer(edit.after))
            for old, new in zip(before, after, strict=False):
                if float(new[1]) < float(old[1]):
                    return new[0].strip()
    before, after = list(_MOST_ALLOWED.finditer(edit.before)), list(_MOST_ALLOWED.finditer(edit.after))
    return next((new[0] for old, new in zip(before, after, strict=False) if float(new[1]) > float(old[1])), "")


_ELIDED = compile_later(
    _spaced(
        r"^ (?:#|//|/\*|<!--|--|;) (?:\.{3}|…|\[\.{3}\])? (?:"
        r"(?:the[ ])?(?:rest|remainder)[ ]of[ ](?:the[ ]|your[ ])?\w(?:\w|[ ]){0,60}"
        r"|(?:existing|previous|other|remaining|unchanged|original)[ ]"
        r"(?:code|methods?|functions?|implementation|content|imports?|tests?|logic|lines?)\b[^\n]{0,60}"
        r"|same[ ]as[ ]before|(?:code|content|lines)[ ](?:omitted|unchanged)"
        r"|(?:keep|unchanged)[^\n]{0,20}existing[^\n]{0,40})"
        r" (?:\.{3}|…)? (?:\*/|-->)? $"
    ),
    re.IGNORECASE | re.MULTILINE,
)
_MARKED = compile_later(
    r"\.{3}|…|unchanged|omitted|same as before|goes here|remains|rest of|existing|as before", re.IGNORECASE
)


def elision(edit: Edit) -> str:
    """The comment in the new text that replaces removed code ("… rest of the code"); empty for most changes."""
    if len(edit.after) >= len(edit.before):
        return ""
    for found in _ELIDED.finditer(edit.after):
        line = found[0].strip()
        if line not in edit.before and _MARKED.search(line):
            return line
    return ""


def lost_share(edit: Edit) -> float:
    """The share of the old lines that the new text lacks, from 0 to 1; blank lines do not count."""
    before = Counter(line.strip() for line in edit.before.splitlines() if line.strip())
    after = Counter(line.strip() for line in edit.after.splitlines() if line.strip())
    total = sum(before.values())
    return sum((before - after).values()) / total if total else 0.0
