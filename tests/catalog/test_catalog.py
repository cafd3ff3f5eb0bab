"""A start: entries and specialists pair up, what is known to pass is not run again, anything else stops it."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from supervisor.action import Action, Context
from supervisor.catalog import catalog as catalog_module
from supervisor.catalog.catalog import Catalog, open_catalog, write_manifest
from supervisor.catalog.failure_mode import FAMILIES, schema
from supervisor.catalog.manifest import Manifest
from supervisor.errors import BadTaxonomy
from supervisor.policy import Taxonomy
from supervisor.verdict import Finding
from tests.catalog.taxonomies import add, alone, entry

ROOT = Path(__file__).parents[2]


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "verified.json"


def opened(policy: Taxonomy, memory: Path) -> Catalog:
    return open_catalog(policy, Manifest(cache=memory, key=memory.with_name("key")))


def test_entries_stand_in_catalogue_order(tmp_path: Path, memory: Path) -> None:
    for family, name in (("web", "aaa"), ("code", "zzz"), ("code", "bbb")):
        add(tmp_path, name, family=family)
    assert list(opened(alone(tmp_path), memory).entries) == ["bbb", "zzz", "aaa"]


def test_what_passed_is_not_run_again(tmp_path: Path, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(tmp_path, "one")
    first = opened(alone(tmp_path), memory)
    monkeypatch.setattr("supervisor.catalog.failure_mode.read_entry", lambda path: pytest.fail("read again"))
    monkeypatch.setattr(catalog_module, "load_specialist", lambda pair: pytest.fail("imported again"))
    assert opened(alone(tmp_path), memory).entries == first.entries


@pytest.mark.parametrize("which", [0, 1])
def test_a_changed_file_is_verified_again(tmp_path: Path, memory: Path, which: int) -> None:
    files = add(tmp_path, "one")
    before = opened(alone(tmp_path), memory).digests()
    files[which].write_text(files[which].read_text().replace("word", "term") + "\n")
    assert opened(alone(tmp_path), memory).digests() != before
    broken = files[1].read_text().replace("forbidden", "allowed")
    files[1].write_text(broken)
    with pytest.raises(BadTaxonomy, match=r"cases\.caught\[0\]"):
        opened(alone(tmp_path), memory)


def test_a_cache_that_is_not_one_is_ignored(tmp_path: Path, memory: Path, caplog: pytest.LogCaptureFixture) -> None:
    add(tmp_path, "one")
    memory.parent.mkdir()
    for content in ("", "[]", "mac\n[]", '{"format": 1}', '{"format": 1, "entries": [{}]}', "\0"):
        memory.write_text(content)
        assert list(opened(alone(tmp_path), memory).entries) == ["one"]
    assert "verified again" in caplog.text


def test_a_cache_that_cannot_be_written_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    add(tmp_path, "one")
    (tmp_path / "cache").write_text("in the way")
    assert list(opened(alone(tmp_path), tmp_path / "cache" / "verified.json").entries) == ["one"]
    assert "verified again at the next start" in caplog.text


def test_a_cache_that_somebody_else_wrote_does_not_count(
    tmp_path: Path, memory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Who can write files cannot have a specialist asked about other kinds of action than its own."""
    add(tmp_path, "one")
    opened(alone(tmp_path), memory)
    mac, told = memory.read_bytes().split(b"\n")
    forged = told.replace(b'"shell"', b'"finish"')
    assert forged != told
    for written in (mac + b"\n" + forged, hashlib.sha256(forged).hexdigest().encode() + b"\n" + forged, forged):
        memory.write_bytes(written)
        assert opened(alone(tmp_path), memory).entries["one"].kinds == ("shell",)
    assert "not written by this installation" in caplog.text
    assert memory.with_name("key").stat().st_mode & 0o777 == 0o600


def test_specialists_are_imported_when_their_kind_arrives(tmp_path: Path, memory: Path) -> None:
    _, judge = add(tmp_path, "one")
    opened(alone(tmp_path), memory)
    catalog = opened(alone(tmp_path), memory)
    judge.write_text("raise RuntimeError('imported')")
    assert catalog.for_kind("sql") == ()
    with pytest.raises(BadTaxonomy, match="imported"):
        catalog.specialists("shell")


def test_preview_is_off_unless_asked_for_and_disabled_is_off(tmp_path: Path, memory: Path) -> None:
    add(tmp_path, "new", maturity="preview")
    add(tmp_path, "old")
    assert list(opened(alone(tmp_path), memory).entries) == ["old"]
    assert list(opened(alone(tmp_path, preview=True), memory).entries) == ["new", "old"]
    assert list(opened(alone(tmp_path, disabled=("old",)), memory).entries) == []


def test_a_manifest_makes_a_cache_needless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(tmp_path, "one")
    manifest = tmp_path / "manifest.json"
    write_manifest(alone(tmp_path), manifest)
    assert [each["id"] for each in json.loads(manifest.read_text())["entries"]] == ["one"]
    monkeypatch.setattr(catalog_module, "examine", lambda *_: pytest.fail("run again"))
    assert list(open_catalog(alone(tmp_path), Manifest(manifest)).entries) == ["one"]


def test_an_installed_package_brings_its_own(tmp_path: Path, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(tmp_path / "site" / "acme_rules", "acme_rule")
    (tmp_path / "site" / "acme_rules" / "__init__.py").write_text("")
    info = tmp_path / "site" / "acme_rules-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-rules\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[supervisor.taxonomy]\nacme = acme_rules\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert list(opened(Taxonomy(shipped=False, plugins=("acme",)), memory).entries) == ["acme_rule"]
    with pytest.raises(BadTaxonomy, match="'other'"):
        opened(Taxonomy(shipped=False, plugins=("other",)), memory)


class TestWhatStopsTheStart:
    """Each with a line that names the file and the cure."""

    def stops(self, policy: Taxonomy, memory: Path, *told: object) -> None:
        with pytest.raises(BadTaxonomy) as stopped:
            opened(policy, memory)
        line = str(stopped.value)
        assert "\n" not in line
        assert not [part for part in told if str(part) not in line], line

    def test_a_missing_specialist(self, tmp_path: Path, memory: Path) -> None:
        file, judge = add(tmp_path, "one")
        judge.unlink()
        self.stops(alone(tmp_path), memory, file, "has no specialist; write", judge)

    def test_an_orphan(self, tmp_path: Path, memory: Path) -> None:
        file, judge = add(tmp_path, "one")
        file.unlink()
        self.stops(alone(tmp_path), memory, judge, "has no taxonomy entry; write", file, "or remove")

    def test_an_id_that_stands_twice(self, tmp_path: Path, memory: Path) -> None:
        first, _ = add(tmp_path, "one", family="code")
        second, _ = add(tmp_path, "one", family="web")
        self.stops(alone(tmp_path), memory, first, second, "rename one")

    def test_an_id_that_is_not_the_files(self, tmp_path: Path, memory: Path) -> None:
        file, _ = add(tmp_path, "one", id="two")
        self.stops(alone(tmp_path), memory, file, "'two'", "'one'")

    def test_a_case_that_does_not_pass(self, tmp_path: Path, memory: Path) -> None:
        file, judge = add(tmp_path, "one")
        judge.write_text(judge.read_text().replace('"forbidden" in', '"never" in'))
        self.stops(alone(tmp_path), memory, file, "cases.caught[0]", "expected block, got ok", "supervisor coverage")

    def test_a_nudge_without_a_correction(self, tmp_path: Path, memory: Path) -> None:
        file, judge = add(tmp_path, "one", verdict="nudge")
        judge.write_text(judge.read_text().replace("Leave it out.", ""))
        self.stops(alone(tmp_path), memory, file, "nudge without a correction")

    def test_a_nudge_that_shows_no_corrected_action(self, tmp_path: Path, memory: Path) -> None:
        cases = entry("one", verdict="nudge")["cases"]
        del cases["caught"][0]["corrected"]
        file, _ = add(tmp_path, "one", verdict="nudge", cases=cases)
        self.stops(alone(tmp_path), memory, file, "`corrected`")

    def test_a_corrected_action_that_is_still_caught(self, tmp_path: Path, memory: Path) -> None:
        cases = entry("one", verdict="nudge")["cases"]
        cases["caught"][0]["corrected"] = {"command": "echo forbidden"}
        file, _ = add(tmp_path, "one", verdict="nudge", cases=cases)
        self.stops(alone(tmp_path), memory, file, "caught[0].corrected")

    def test_too_few_cases(self, tmp_path: Path, memory: Path) -> None:
        cases = entry("one")["cases"]
        cases["let_through"].pop()
        file, _ = add(tmp_path, "one", cases=cases)
        self.stops(alone(tmp_path), memory, file, "cases.let_through has 2 of at least 3")

    @pytest.mark.parametrize("reference", ["CWE 22", "CWE CWE-", "ATTACK 1059", "OWASP-ASI ASI11", "GDPR 32", "ISO 1"])
    def test_a_reference_that_does_not_parse(self, tmp_path: Path, memory: Path, reference: str) -> None:
        scheme, id = reference.split()
        file, _ = add(tmp_path, "one", references=[{"scheme": scheme, "id": id}])
        told = "unknown reference scheme" if scheme == "ISO" else f"{id!r} is not a {scheme} id"
        self.stops(alone(tmp_path), memory, file, told)

    @pytest.mark.parametrize("key", ["name", "incident", "cases", "severity", "agents"])
    def test_a_missing_part(self, tmp_path: Path, memory: Path, key: str) -> None:
        file, _ = add(tmp_path, "one", **{key: None})
        self.stops(alone(tmp_path), memory, file, key, "schema.json")

    def test_a_family_that_does_not_exist(self, tmp_path: Path, memory: Path) -> None:
        file, judge = add(tmp_path, "one", family="misc")
        judge.unlink()
        self.stops(alone(tmp_path), memory, file, "no family 'misc'", ", ".join(FAMILIES))

    @pytest.mark.parametrize("name", ["taxonomy/loose.yaml", "taxonomy/web/x.yml", "specialists/a/b/c.py"])
    def test_a_file_that_would_not_count(self, tmp_path: Path, memory: Path, name: str) -> None:
        add(tmp_path, "one")
        stray = tmp_path / name
        stray.parent.mkdir(parents=True, exist_ok=True)
        stray.write_text("")
        self.stops(alone(tmp_path), memory, stray, "does not count; its place is <family>/<id>")

    def test_a_folder_that_is_none(self, tmp_path: Path, memory: Path) -> None:
        self.stops(alone(tmp_path / "nothing"), memory, tmp_path / "nothing", "is not a folder")


def test_a_specialist_cannot_pose_as_another(tmp_path: Path, memory: Path) -> None:
    _, judge = add(tmp_path, "one")
    judge.write_text(judge.read_text() + "\n\n@specialist('sql')\ndef two(action, context):\n    return ok()\n")
    with pytest.raises(BadTaxonomy, match="must define the one specialist one, but defines one, two"):
        opened(alone(tmp_path), memory)


class TestWhatShips:
    """The published taxonomy."""

    def test_every_family_and_every_method_is_there(self) -> None:
        entries = open_catalog(Taxonomy()).entries.values()
        assert {entry.family for entry in entries} == set(FAMILIES)
        assert {entry.method for entry in entries} == {"deterministic", "small-classifier", "narrow-llm", "hybrid"}
        assert len(entries) >= 20

    def test_the_schema_is_the_one_that_is_published(self) -> None:
        published = json.loads((ROOT / "taxonomy" / "schema.json").read_text())
        assert published == json.loads(json.dumps(schema())), "run `make schema`"

    def test_no_two_entries_share_a_case(self) -> None:
        catalog = open_catalog(Taxonomy())
        seen: dict[str, str] = {}
        for name in catalog.entries:
            cases = catalog.failure_mode(name).cases
            for case in (*cases.caught, *cases.let_through):
                told = json.dumps([case.tool, case.args, case.context, case.output], sort_keys=True, default=str)
                assert seen.setdefault(told, name) == name, f"{name} shares a case with {seen[told]}: {told}"

    def test_a_specialist_imports_its_contract_evidence_and_methods_and_nothing_else_of_ours(self) -> None:
        allowed = ("supervisor.specialist", "supervisor.evidence", "supervisor.methods")
        for file in (ROOT / "specialists").glob("*/*.py"):
            tree = ast.parse(file.read_text())
            named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
            named += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
            ours = [name for name in named if name.split(".")[0] in ("supervisor", "specialists")]
            assert [name for name in ours if not name.startswith(allowed)] == [], file

    @pytest.mark.thorough
    def test_judges_answer_the_same_under_any_hash_seed_and_let_go_whoever_follows_a_correction(self) -> None:
        """Opinions of all on every case, in two processes whose sets and dicts are ordered differently."""
        program = (ROOT / "tests" / "catalog" / "opinions.py").read_text()
        told = [
            subprocess.run(
                [sys.executable, "-c", program],
                env={"PYTHONHASHSEED": seed, "XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]},
                capture_output=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        ]
        assert told[0] == told[1]
        followed = [line for line in told[0].decode().splitlines() if line.split()[1].endswith(".corrected")]
        assert len(followed) > 200
        assert [line for line in followed if "<Verdict.NUDGE" in line or "<Verdict.BLOCK" in line] == []


def test_nobody_is_asked_about_every_shell_command_but_who_is_bounded() -> None:
    """Each that were would take the worker's round trip to commands that concern nobody."""
    catalog = open_catalog(Taxonomy())
    for each in (*catalog.for_kind("shell"), *catalog.for_kind("shell", "after")):
        assert each.about or each.marks or each.is_bounded or each.needs_past or each.uses_doors, each.id


def test_a_specialist_is_a_function_that_a_test_may_call() -> None:
    judge = open_catalog(Taxonomy()).specialist("recursive_delete_outside_workspace")
    opinion = judge(Action("bash", {"command": "rm -rf /"}, "shell"), Context())
    assert isinstance(opinion, Finding)
    assert opinion.verdict.label == "block"
