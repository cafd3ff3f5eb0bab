"""docs/languages.md counts the cases that are caught by the languages and formats of the files that they write."""

import re
from pathlib import Path
from typing import Any

import pytest

from supervisor.catalog.catalog import open_catalog
from supervisor.catalog.failure_mode import Case
from supervisor.catalog.language_pages import FORMATS, LANGUAGES, columns_of, languages_page
from supervisor.evidence.flows import SUFFIXES
from supervisor.policy import Taxonomy

ROOT = Path(__file__).parents[2]


def written(path: str, content: str = "x = 1\n") -> Case:
    return Case("write_file", {"path": path, "content": content}, "")


@pytest.fixture(scope="module")
def page() -> str:
    return languages_page(open_catalog(Taxonomy()))


def test_the_page_in_the_repository_is_up_to_date(page: str) -> None:
    assert (ROOT / "docs" / "languages.md").read_text(encoding="utf-8") == page, "run `supervisor docs`"


@pytest.mark.parametrize(
    ("path", "content", "column"),
    [
        ("app/views.py", "", "Python"),
        ("src/store.tsx", "", "TypeScript"),
        ("lib/a.c", "", "C, C++"),
        ("infra/compose.yml", "", "images, Compose"),
        (".github/workflows/ci.yml", "", "pipelines"),
        ("site.tf", "", "infrastructure"),
        ("role.json", '{"Statement": []}', "infrastructure"),
        ("web.yaml", "apiVersion: v1\n", "Kubernetes, Helm"),
        ("charts/shop/values.yaml", "a: 1\n", "Kubernetes, Helm"),
        ("web/package.json", "{}", "packages"),
        ("etc/nginx/conf.d/site", "", "servers, units"),
        (".env.production", "", "environments"),
        ("plot.ipynb", "", "notebooks"),
        ("settings.yaml", "a: 1\n", "other YAML"),
        ("notes.txt", "", ""),
    ],
)
def test_a_case_counts_for_the_language_of_its_file(path: str, content: str, column: str) -> None:
    assert columns_of(written(path, content)) == ({column} if column else set())


@pytest.mark.parametrize(
    ("tool", "args", "columns"),
    [
        ("bash", {"command": "cat > a.rb <<'E'\nputs 1\nE\necho 'x = 1' > b.py"}, {"Ruby", "Python"}),
        ("bash", {"command": "sed -i s/a/b/ main.go"}, {"Go"}),
        ("bash", {"command": "rm old.go && cat new.go"}, set()),
        ("edit_file", {"path": "a.kt", "old_string": "a", "new_string": "b"}, {"Kotlin"}),
        ("run_python", {"code": "print(1)"}, set()),
    ],
)
def test_only_what_is_written_counts(tool: str, args: dict[str, Any], columns: set[str]) -> None:
    assert columns_of(Case(tool, args, "")) == columns


def test_every_language_that_is_read_has_a_column() -> None:
    paths = [f"a{suffix}" for suffixes in SUFFIXES.values() for suffix in suffixes]
    found = {title for path in paths for title in columns_of(written(path))}
    assert found == {column.title for column in LANGUAGES} - {"Python", "SQL", "shell"}


@pytest.mark.parametrize("name", ["sql_built_from_values", "load_failure_swallowed", "weak_cipher"])
def test_the_cells_of_a_row_are_the_counts_of_its_cases(page: str, name: str) -> None:
    titles = list(dict.fromkeys(column.title for column in LANGUAGES))
    row = re.search(rf"^\| \[{name}\]\([^)]+\) \|(.*)\|$", page, re.MULTILINE)
    assert row is not None
    told = dict(zip(titles, (cell.strip() for cell in row[1].split("|")), strict=True))
    for title in titles:
        counted = sum(title in columns_of(case) for case in open_catalog(Taxonomy()).failure_mode(name).cases.caught)
        assert told[title] == (str(counted) if counted else ""), title


def test_an_entry_without_such_cases_has_no_row(page: str) -> None:
    assert "duplicate_refund_same_order" not in page
    assert all(column.title in page for column in FORMATS)
