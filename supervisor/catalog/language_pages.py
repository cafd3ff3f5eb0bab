"""docs/languages.md: in which languages and formats of files each failure mode has cases that it catches."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from supervisor.catalog.cases import proposal_of
from supervisor.catalog.catalog import Catalog
from supervisor.catalog.failure_mode import Case, FailureMode
from supervisor.errors import Unreadable
from supervisor.evidence.changes.writes import writes
from supervisor.evidence.flows import SUFFIXES

_HEAD = """\
<!-- Made by `supervisor docs` from the cases of the taxonomy; change those, not this page. -->

# Languages and formats

A file that an agent writes is judged by its language or format. A number says how many cases of a failure mode write
such a file and are caught; a failure mode whose cases do not pass does not load. An empty cell has no such case, so
nothing is promised there: the failure mode may recognise the fault in that language all the same, or not at all. Code
that is run and not written into a file does not count here.
"""


class Column(NamedTuple):
    """One language, or a group of formats. `path` finds it by the path of a file, and `text` by what is in it."""

    title: str
    path: re.Pattern[str]
    text: re.Pattern[str] | None = None


def _ends(*suffixes: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(map(re.escape, suffixes))})$", re.IGNORECASE)


def _named(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|/)(?:{pattern})$", re.IGNORECASE)


_YAML = r"[\w.-]+\.ya?ml"

LANGUAGES = (
    Column("Python", _ends(".py", ".pyi")),
    Column("JavaScript", _ends(*SUFFIXES["javascript"])),
    Column("TypeScript", _ends(*SUFFIXES["typescript"])),
    Column("Go", _ends(*SUFFIXES["go"])),
    Column("Java", _ends(*SUFFIXES["java"])),
    Column("Kotlin", _ends(*SUFFIXES["kotlin"])),
    Column("PHP", _ends(*SUFFIXES["php"])),
    Column("Ruby", _ends(*SUFFIXES["ruby"])),
    Column("C#", _ends(*SUFFIXES["c_sharp"])),
    Column("Rust", _ends(*SUFFIXES["rust"])),
    Column("C, C++", _ends(*SUFFIXES["cpp"])),
    Column("SQL", _ends(".sql")),
    Column("shell", _ends(".sh", ".bash", ".zsh", ".bashrc", ".zshrc", ".profile", "pre-commit", "pre-push")),
)
# The first that fits is the group of a file.
FORMATS = (
    Column("images, Compose", _named(r"(?:docker|container)file[\w.-]*|[\w.-]*compose[\w.-]*\.ya?ml|\.dockerignore")),
    Column(
        "pipelines",
        _named(
            r"(?:.*/)?\.(?:github|gitlab|circleci|buildkite)/.+|\.?[\w-]*gitlab-ci[\w.-]*|jenkinsfile[\w.-]*"
            r"|[\w-]*pipelines?\.ya?ml|\.travis\.yml|codeowners|\.pre-commit-config\.yaml|makefile"
        ),
    ),
    Column("infrastructure", _ends(".tf", ".tfvars", ".hcl", ".bicep")),
    Column(
        "infrastructure", _named(rf"{_YAML}|[\w.-]+\.json"), re.compile(r"AWS::|\"Statement\"|^\s*Statement:", re.M)
    ),
    Column("Kubernetes, Helm", _named(_YAML), re.compile(r"^\s*apiVersion:", re.MULTILINE)),
    Column("Kubernetes, Helm", _named(r"(?:.*/)?(?:k8s|kubernetes|charts?|helm)/.*\.ya?ml|values[\w.-]*\.ya?ml")),
    Column(
        "packages",
        _named(
            r"package(?:-lock)?\.json|requirements[\w./-]*\.(?:txt|in)|pyproject\.toml|setup\.cfg|cargo\.toml|go\.mod"
            r"|pom\.xml|gemfile(?:\.lock)?|[\w.-]+\.csproj|\.npmrc|\.?pip\.(?:conf|ini)|\.condarc|composer\.json"
        ),
    ),
    Column("alerts", _named(r"(?:.*/)?[\w.-]*(?:alert|prometheus|rules)[\w./-]*\.ya?ml")),
    Column(
        "servers, units",
        _named(
            r"(?:.*/)?[\w@.-]+\.(?:conf|cnf|ini|cfg|service|socket|timer|properties|plist|desktop)|sshd_config"
            r"|(?:.*/)?(?:nginx|sudoers\.d|cron\.d|crontabs?|logrotate\.d)/.+|sudoers|crontab|[\w.-]+\.sudoers|hosts"
        ),
    ),
    Column("environments", _named(r"\.env[\w.-]*|[\w-]+\.env")),
    Column("notebooks", _ends(".ipynb")),
    Column(
        "pages, templates", _ends(".html", ".htm", ".ejs", ".erb", ".j2", ".jinja", ".vue", ".twig", ".hbs", ".cshtml")
    ),
    Column("other YAML", _ends(".yaml", ".yml")),
    Column("other JSON, TOML, XML", _ends(".json", ".jsonc", ".toml", ".xml", ".config", ".snap")),
)

_Row = tuple[str, FailureMode, Counter[str]]  # the family, the failure mode, the number of cases by column


def languages_page(catalog: Catalog) -> str:
    """The page."""
    rows = [
        (entry.family, mode, Counter(_columns_of(mode)))
        for name, entry in catalog.entries.items()
        for mode in (catalog.failure_mode(name),)
    ]
    lines = [_HEAD, *_summary(rows)]
    for title, columns in (("Languages", LANGUAGES), ("Formats", FORMATS)):
        lines += [f"## {title}\n", *_table(rows, list(dict.fromkeys(column.title for column in columns)))]
    return "\n".join(lines)


def columns_of(case: Case) -> set[str]:
    """The titles of the languages and groups of formats of the files that a case writes."""
    action, context = proposal_of(case)
    try:
        paths = {write.path for write in writes(action, context) if write.how != "delete"}
    except Unreadable:  # a script that is too large, as the cases of its own failure mode are
        return set()
    text = "\n".join(value for value in case.args.values() if isinstance(value, str))
    found = (_column(path, text) for path in paths)
    return {column for column in found if column}


def _column(path: str, text: str) -> str:
    fits = (each for each in (*LANGUAGES, *FORMATS) if each.path.search(path))
    return next((each.title for each in fits if each.text is None or each.text.search(text)), "")


def _columns_of(mode: FailureMode) -> Iterator[str]:
    for case in mode.cases.caught:
        yield from columns_of(case)


def _summary(rows: Sequence[_Row]) -> Iterator[str]:
    yield "| | failure modes | cases |\n|---|---|---|"
    for title in dict.fromkeys(column.title for column in (*LANGUAGES, *FORMATS)):
        counts = [count[title] for _, _, count in rows if count[title]]
        if counts:
            yield f"| {title} | {len(counts)} | {sum(counts)} |"
    yield ""


def _table(rows: Iterable[_Row], titles: Sequence[str]) -> Iterator[str]:
    yield f"| | {' | '.join(titles)} |\n|---|{'---|' * len(titles)}"
    family = ""
    for each, mode, counts in rows:
        if not any(counts[title] for title in titles):
            continue
        if each != family:
            family = each
            yield f"| **{family}** |{' |' * len(titles)}"
        cells = " | ".join(_cell(counts, title) for title in titles)
        yield f"| [{mode.id}](failure-modes/{family}/{mode.id}.md) | {cells} |"
    yield ""


def _cell(counts: Mapping[str, int], title: str) -> str:
    return str(counts[title] or "")
