"""Whether a change of a file switches a check off or lowers its threshold: linters, types, tests, builds, pipelines."""

from __future__ import annotations

import re

from supervisor.evidence.changes.edits import Edit
from supervisor.regexes import compile_later

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


def spaced(pattern: str) -> str:
    """A pattern whose blanks match a few blanks or none; `[ ]` is one blank."""
    return pattern.replace("[ ]", "\0").replace(" ", r"[ \t]{0,20}").replace("\0", "[ ]")


_SWITCHES = tuple(
    (compile_later(files), compile_later("|".join(map(spaced, lines)), re.MULTILINE)) for files, lines in _OFF
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


def _lowered(edit: Edit) -> str:
    for files, threshold in _THRESHOLDS:
        if files.search(edit.path):
            before, after = list(threshold.finditer(edit.before)), list(threshold.finditer(edit.after))
            for old, new in zip(before, after, strict=False):
                if float(new[1]) < float(old[1]):
                    return new[0].strip()
    before, after = list(_MOST_ALLOWED.finditer(edit.before)), list(_MOST_ALLOWED.finditer(edit.after))
    return next((new[0] for old, new in zip(before, after, strict=False) if float(new[1]) > float(old[1])), "")
