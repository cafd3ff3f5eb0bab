"""Jobs that load data: their scripts and settings, the checks in them, and failures that they hide."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.actions.sources import Language, is_trial, source_of
from supervisor.regexes import compile_later

NO_JOB = "the action contains no code or job that loads data"
_JOBS = Language("", (".sh", ".bash", ".yml", ".yaml", "makefile", "crontab", ".cron", "dockerfile", ".py"))
_PIPELINES = (".py", ".yml", ".yaml", ".sql", ".json", ".ipynb", ".r")
_RUNS = (
    r"(?:\bdbt\s+(?:run|build|test|seed|snapshot)\b|\bbq\s+load\b|\bpsql\b[^\n|]*(?:-f|copy)\b|\bspark-submit\b|\bsoda\s+scan\b"
    r"|\bgreat_expectations\b|\bsnowsql\b|\bpg_restore\b|\bmeltano\s+run\b|\bCOPY\b"
    r"|[\w./-]*(?:load|etl|elt|ingest|import|sync|pipeline|transform)[\w.-]*\.(?:py|sh)\b)"
)
_HUSHED = compile_later(rf"(?i){_RUNS}[^\n]*?(?:\|\|\s*(?:true|:|exit\s+0|echo\b)|;\s*(?:true|exit\s+0)\s*(?:$|[\"']))")
_LONGEST = 2_000  # characters of a line
_ENDS = ("||", "; true", ";true", "exit 0")
_CHECK = compile_later(
    r"(?i)\bexpect_\w+|^\s*-\s*(?:dbt_\w+\.)?(?:unique|not_null|accepted_values|relationships|unique_combination_of_columns"
    r"|expression_is_true|accepted_range)\b|\bassert\b.*(?:isna|isnull|notna|notnull|is_unique|duplicated|shape|\blen\(|between"
    r"|isin|columns|empty|null_count|\.all\(\)|\.any\(\))|\bvalidate\s*=|\bpa\.Check\b|\.validate\(|verify_integrity=true"
    r"|\bseverity:\s*error\b|\berror_if:|\braise\b.*(?:rows|missing|duplicate|null|schema|quality)"
)


def is_pipeline(path: str) -> bool:
    """Whether a file may be a part of a pipeline of data, by its suffix."""
    name = path.lower()
    is_test = "/tests/" in f"/{name}" or name.rpartition("/")[2].startswith("test_")
    return name.endswith(_PIPELINES) and not (is_test and name.endswith(".py"))


def jobs_in(action: Action, context: Context) -> list[str]:
    """The texts of scripts and settings of jobs that an action writes. Raises Unreadable as `script` does."""
    if action.kind == "shell":
        files = script(action, context).files
        return [text for path, text in files.items() if path.lower().endswith(_JOBS.suffixes)]
    if action.kind == "file_write" and action.text("path").lower().endswith(_JOBS.suffixes) and not is_trial(action):
        return [action.text("content")]
    source = source_of(action, context, _JOBS) if action.kind == "file_edit" else None
    return [source.new] if source is not None else []


def hushed_in(job: str) -> Iterator[str]:
    """The commands of a job that load data, and whose failure is made a success."""
    if not any(mark in job for mark in _ENDS):
        return
    for line in job.splitlines():
        text = line.strip()
        if any(mark in text for mark in _ENDS) and not text.startswith("#") and _HUSHED.search(text[:_LONGEST]):
            yield text[:160]


def checks_taken_out(before: str, after: str) -> list[str]:
    """The checks that a change takes out while what they check stays. A check that another one replaces is none."""
    old = [line.strip() for line in before.splitlines() if line.strip()]
    kept = {line.strip() for line in after.splitlines()}
    gone = [line for line in old if line not in kept and not line.startswith("#")]
    added = [line for line in kept if line and line not in old and not line.startswith("#")]
    checks = [line for line in gone if _CHECK.search(line)]
    others = [line for line in gone if not _CHECK.search(line) and line not in ("tests:", "data_tests:", "columns:")]
    replaced = sum(1 for line in added if _CHECK.search(line))
    return checks[replaced:] if len(others) <= max(2, len(checks)) and len(checks) > replaced else []
