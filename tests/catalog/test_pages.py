"""The published taxonomy says what the entries say, whatever stands in them."""

from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from supervisor.catalog.catalog import open_catalog
from supervisor.catalog.pages import Published, differing, mapping, page, pages, taxonomy_json, write
from supervisor.cli.app import build
from supervisor.policy import Taxonomy


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return dict(pages(open_catalog(Taxonomy())))


@pytest.fixture(scope="module")
def published() -> Published:
    catalog = open_catalog(Taxonomy())
    name = "recursive_delete_outside_workspace"
    return Published(catalog.failure_mode(name), catalog.entries[name])


def test_every_failure_mode_has_a_page_that_the_index_names(made: dict[str, str]) -> None:
    told = orjson.loads(taxonomy_json(open_catalog(Taxonomy())))["failure_modes"]
    assert [mode["id"] for mode in told] == list(open_catalog(Taxonomy()).entries)
    for mode in told:
        name = f"{mode['family']}/{mode['id']}.md"
        assert f"]({name})" in made["index.md"]
        assert all(case["because"].split()[0] in made[name] for case in mode["cases"]["caught"])


def test_the_mapping_leads_from_every_reference_to_its_failure_modes(
    made: dict[str, str], published: Published
) -> None:
    told = orjson.loads(made["mapping.json"])
    for reference in published.mode.references:
        assert published.mode.id in told[reference.scheme][reference.id]
        assert reference.id in made["references.md"]
    assert list(mapping([published])) == sorted(reference.scheme for reference in published.mode.references)


def test_what_stands_in_a_case_stays_in_its_cell(published: Published) -> None:
    hostile = replace(published.mode.cases.caught[0], args={"command": "a | `b` ``c``\n| d"}, because="x | <img> y")
    cases = replace(published.mode.cases, caught=(hostile,) * 3)
    told = page(replace(published, mode=replace(published.mode, cases=cases)))
    assert "| ``` bash: a \\| `b` ``c`` ⏎ \\| d ``` | block | x \\| &lt;img> y |" in told


def test_what_differs_is_found_and_written_anew(tmp_path: Path, made: dict[str, str]) -> None:
    assert len(differing(tmp_path, made)) == len(made)
    write(tmp_path, made)
    assert differing(tmp_path, made) == []
    (tmp_path / "index.md").write_text("something else")
    (tmp_path / "files" / "gone.md").write_text("no longer made")
    assert differing(tmp_path, made) == ["files/gone.md", "index.md"]
    write(tmp_path, made)
    assert differing(tmp_path, made) == []


def test_the_verb_writes_and_checks(tmp_path: Path) -> None:
    run = CliRunner().invoke
    assert run(build(), ["docs", "--out", str(tmp_path), "--check"]).exit_code == 1
    assert run(build(), ["docs", "--out", str(tmp_path)]).exit_code == 0
    assert run(build(), ["docs", "--out", str(tmp_path), "--check"]).exit_code == 0


def test_the_verb_tells_the_taxonomy_as_json(tmp_path: Path) -> None:
    """On standard output and in a file: the same bytes, and no page."""
    file = tmp_path / "taxonomy.json"
    printed, written = (CliRunner().invoke(build(), ["docs", "--json", *more]) for more in ([], ["--out", str(file)]))
    assert (printed.exit_code, written.exit_code, written.stdout) == (0, 0, "")
    assert printed.stdout_bytes == file.read_bytes() == taxonomy_json(open_catalog(Taxonomy()))
    assert list(tmp_path.iterdir()) == [file]


def test_the_taxonomy_as_json_is_no_page(run, tmp_path: Path, made: dict[str, str]) -> None:
    """It is made when it is asked for: a copy among the pages would be out of date, and is named."""
    assert "taxonomy.json" not in made
    write(tmp_path, made)
    (tmp_path / "taxonomy.json").write_bytes(b"{}\n")
    assert differing(tmp_path, made) == ["taxonomy.json"]
    ran = run("docs", "--json", "--check")
    assert (ran.code, ran.out, ran.err) == (
        2,
        "",
        "supervisor: --check and --json exclude each other: --json writes no pages [usage]\n",
    )


def test_a_place_that_cannot_be_written_is_named(run, tmp_path: Path) -> None:
    ran = run("docs", "--json", "--out", tmp_path / "nowhere" / "taxonomy.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"supervisor: {tmp_path}/nowhere/taxonomy.json: No such file or directory [os_error]\n"
