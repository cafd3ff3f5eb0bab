"""A taxonomy that does not hold stops the start, in one line that names the file and the cure."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from supervisor.catalog.failure_mode import FAMILIES

ROOT = Path(__file__).parents[2]
FLAG, NUDGE, BLOCK = "files/touches_flag", "files/touches_nudge", "system/touches_block"
ACTION = '{"tool": "bash", "args": {"command": "ls"}}'


# what is done to a whole one, the file that the line names, and the cure


def without_specialist(tiny):
    tiny.specialist(FLAG).unlink()
    return tiny.entry(FLAG), f"has no specialist; write {tiny.specialist(FLAG)}"


def without_entry(tiny):
    tiny.entry(FLAG).unlink()
    return tiny.specialist(FLAG), f"has no taxonomy entry; write {tiny.entry(FLAG)}, or remove this file"


def unknown_family(tiny):
    tiny.add("spells/cast_block")
    tiny.specialist("spells/cast_block").unlink()
    return tiny.entry("spells/cast_block"), "no family 'spells'; families are analysis, cloud, code"


def same_id_twice(tiny):
    tiny.add("files/touches_block")
    return tiny.entry(BLOCK), f"the id stands also in {tiny.entry('files/touches_block')}; rename one"


def other_id(tiny):
    tiny.add(FLAG, id="touched_flag")
    return tiny.entry(FLAG), "the id is 'touched_flag', but the file says 'touches_flag'"


def two_specialists(tiny):
    source = tiny.specialist(FLAG).read_text()
    more = '\n\n@specialist("shell")\ndef another(action, context):\n    return ok()\n'
    tiny.specialist(FLAG).write_text(source + more)
    return tiny.specialist(FLAG), "must define the one specialist touches_flag, but defines touches_flag, another"


def no_specialist_inside(tiny):
    tiny.specialist(FLAG).write_text("x = 1\n")
    return tiny.specialist(FLAG), "must define the one specialist touches_flag, but defines none"


def another_name_inside(tiny):
    source = tiny.specialist(FLAG).read_text()
    tiny.specialist(FLAG).write_text(source.replace("def touches_flag", "def touches_flags"))
    return tiny.specialist(FLAG), "must define the one specialist touches_flag, but defines touches_flags"


def unknown_kind(tiny):
    source = tiny.specialist(FLAG).read_text()
    tiny.specialist(FLAG).write_text(source.replace('@specialist("shell")', '@specialist("spell")'))
    return tiny.specialist(FLAG), "no kind 'spell'; kinds are tool, shell"


def raises_at_import(tiny):
    tiny.specialist(FLAG).write_text("raise RuntimeError('not\\ntoday')\n")
    return tiny.specialist(FLAG), "cannot be imported: RuntimeError: not"


def exits_at_import(tiny):
    tiny.specialist(FLAG).write_text("import sys\nsys.exit(0)\n")
    return tiny.specialist(FLAG), "cannot be imported: SystemExit"


def syntax_error(tiny):
    tiny.specialist(FLAG).write_text("def (:\n")
    return tiny.specialist(FLAG), "cannot be imported: SyntaxError"


def not_utf8(tiny):
    tiny.specialist(FLAG).write_bytes(b"x = '\xff'\n")
    return tiny.specialist(FLAG), "cannot be imported: SyntaxError"


def bomb(tiny):
    tiny.entry(FLAG).write_text("id: touches_flag\nname: &a [x, x]\ndescription: [*a, *a]\n")
    return tiny.entry(FLAG), ":3:15: not YAML: aliases are not allowed"


def too_large(tiny):
    tiny.add(FLAG, description="x" * 300_000)
    return tiny.entry(FLAG), "more than the 262,144 allowed"


def empty(tiny):
    tiny.entry(FLAG).write_text("")
    return tiny.entry(FLAG), "see taxonomy/schema.json"


def lacks_a_key(tiny):
    tiny.add(FLAG, severity=None)
    return tiny.entry(FLAG), "severity: "


def unknown_key(tiny):
    tiny.add(FLAG, remedy="none")
    return tiny.entry(FLAG), "remedy: "


def placeholder(tiny):
    tiny.add(FLAG, description="<What goes wrong.>")
    return tiny.entry(FLAG), "still holds the placeholder <What goes wrong.>; fill it in"


def unknown_scheme(tiny):
    tiny.add(FLAG, references=[{"scheme": "ISO", "id": "27001"}])
    return tiny.entry(FLAG), "unknown reference scheme 'ISO'; use one of ATLAS"


def unparsable_reference(tiny):
    tiny.add(FLAG, references=[{"scheme": "CWE", "id": "22"}])
    return tiny.entry(FLAG), "reference '22' is not a CWE id (CWE-"


def case(command: str, **more):
    return {"tool": "bash", "args": {"command": command}, "because": "of the test", **more}


def cases(**changed):
    usual = {
        "caught": [case(f"touch flag {number}") for number in range(3)],
        "let_through": [case(f"ls {number}") for number in range(3)],
        "refused": [{"tool": "sql", "args": {"query": "SELECT 1"}, "because": "no command"}],
    }
    return usual | changed


def too_few_cases(tiny):
    tiny.add(FLAG, cases=cases(let_through=[case("ls")]))
    return tiny.entry(FLAG), "cases.let_through has 1 of at least 3 cases; add some"


def case_that_is_no_action(tiny):
    tiny.add(FLAG, cases=cases(refused=[case("ls", kind="spell")]))
    return tiny.entry(FLAG), "cases.refused[0] (of the test): not an action: kind: no kind 'spell'"


def case_without_reason(tiny):
    tiny.add(FLAG, cases=cases(refused=[case("ls", because="<why>")]))
    return tiny.entry(FLAG), "still holds the placeholder <why>; fill it in"


def failing_case(tiny):
    tiny.add(FLAG, cases=cases(caught=[case(command) for command in ("touch flag", "touch me", "touch flag")]))
    return tiny.entry(FLAG), "cases.caught[1] (of the test): expected flag, got ok ''; see `supervisor coverage`"


def nudge_without_corrected(tiny):
    nudges = [case(f"touch nudge {number}") for number in range(3)]
    tiny.add(NUDGE, cases=cases(caught=nudges))
    return tiny.entry(NUDGE), "no caught case shows a `corrected` action; give one to at least one nudge"


def outcome_of_what_has_not_run(tiny):
    tiny.add(FLAG, cases=cases(refused=[case("ls", output="a.txt")]))
    return tiny.entry(FLAG), "cases.refused[0].output: only an entry of the stage `after` has it"


def failure_of_what_has_not_run(tiny):
    tiny.add(FLAG, cases=cases(refused=[case("ls", failed=True)]))
    return tiny.entry(FLAG), "cases.refused[0].failed: it has not run yet"


def no_outcome_of_what_has_run(tiny):
    tiny.add(FLAG, stage="after", cases=cases())
    return tiny.entry(FLAG), "cases.caught[0].output: say what the tool returned"


def no_outcome_of_the_corrected_action(tiny):
    told = [case("go", output=f"touch nudge {number}", corrected={"command": "ls"}) for number in range(3)]
    tiny.add(NUDGE, stage="after", cases=cases(caught=told))
    return tiny.entry(NUDGE), "cases.caught[0].corrected_output: say what the tool returned"


def nudge_whose_correction_is_nudged(tiny):
    nudges = [case(f"touch nudge {number}", corrected={"command": "touch nudge"}) for number in range(3)]
    tiny.add(NUDGE, cases=cases(caught=nudges))
    return tiny.entry(NUDGE), "cases.caught[0].corrected (of the test): expected ok, got nudge"


def nudge_without_correction(tiny):
    source = tiny.specialist(NUDGE).read_text()
    tiny.specialist(NUDGE).write_text(source.replace('correction="Leave it out."', 'correction=" "'))
    return tiny.entry(NUDGE), "a nudge without a correction; say what to do instead"


def finding_without_reason(tiny):
    source = tiny.specialist(BLOCK).read_text()
    tiny.specialist(BLOCK).write_text(source.replace("It is there.", ""))
    return tiny.entry(BLOCK), "a block without a reason; say what was seen"


BREAKAGES = [
    without_specialist, without_entry, unknown_family, same_id_twice, other_id, two_specialists, no_specialist_inside,
    another_name_inside, unknown_kind, raises_at_import, exits_at_import, syntax_error, not_utf8, bomb, too_large,
    empty, lacks_a_key, unknown_key, placeholder, unknown_scheme, unparsable_reference, too_few_cases,
    case_that_is_no_action, case_without_reason, failing_case, nudge_without_corrected,
    nudge_whose_correction_is_nudged, nudge_without_correction, finding_without_reason, outcome_of_what_has_not_run,
    failure_of_what_has_not_run, no_outcome_of_what_has_run, no_outcome_of_the_corrected_action,
]  # fmt: skip


@pytest.mark.parametrize("breaking", BREAKAGES, ids=lambda breaking: breaking.__name__)
def test_a_taxonomy_that_does_not_hold(run, tiny, breaking):
    file, told = breaking(tiny)
    ran = run("check", "--policy", tiny.policy, stdin=ACTION)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"supervisor: {file}:")
    assert told in ran.err
    assert ran.err.endswith(" [bad_taxonomy]\n")
    assert ran.err.count("\n") == 1
    covered = run("coverage", "--json", "--policy", tiny.policy)
    assert covered.code == 1
    assert file.stem in covered.out


def test_an_entry_that_cannot_be_read(run, tiny):
    tiny.entry(FLAG).unlink()
    tiny.entry(FLAG).mkdir()
    ran = run("check", "--policy", tiny.policy, stdin=ACTION)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"supervisor: {tiny.entry(FLAG)}: ")
    assert ran.err.count("\n") == 1


def test_the_same_id_in_two_folders(run, tiny, tmp_path, make_taxonomy):
    other = make_taxonomy(tmp_path / "other")
    folders = [str(tiny.folder), str(other.folder)]
    tiny.set_policy(taxonomy={"shipped": False, "folders": folders})
    ran = run("list", "--policy", tiny.policy)
    assert ran.code == 2
    assert f"{other.entry(FLAG)}: the id stands also in {tiny.entry(FLAG)}; rename one" in ran.err


def test_what_did_not_pass_is_tried_again(run, tiny):
    failing_case(tiny)
    assert run("list", "--policy", tiny.policy).code == 2
    assert run("list", "--policy", tiny.policy).code == 2
    tiny.add(FLAG)
    assert run("list", "--policy", tiny.policy).code == 0


def test_what_does_not_belong_to_it_is_no_business_of_the_taxonomy(run, tiny):
    for folder in (tiny.folder / "specialists", tiny.folder / "specialists" / "files"):
        (folder / "__init__.py").write_text("raise RuntimeError\n")
        (folder / "notes.txt").write_text("not a specialist")
    (tiny.folder / "taxonomy" / "manifest.json").write_text("{}")
    assert run("list", "--policy", tiny.policy).code == 0


def test_a_home_that_cannot_be_written_is_no_obstacle(run, tiny, monkeypatch, caplog):
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nonesuch")
    assert run("list", "--policy", tiny.policy).code == 0
    assert "specialists will be verified again at the next start" in caplog.text


def test_a_specialist_that_crashes_is_a_refusal_and_no_crash(run, tiny):
    source = tiny.specialist(FLAG).read_text()
    tiny.specialist(FLAG).write_text(source.replace("    if", "    assert action.text('command') != 'crash'\n    if"))
    ran = run("check", "--policy", tiny.policy, stdin='{"tool": "bash", "args": {"command": "crash"}}')
    assert ran.code == 0
    assert '"cause":"input"' in ran.out
    assert "crashed with AssertionError" in ran.out


@pytest.mark.thorough
@pytest.mark.parametrize("family", FAMILIES)
def test_every_entry_loads_without_the_c_library(family):
    files = sorted((ROOT / "taxonomy" / family).glob("*.yaml"))
    assert files
    for file in files:  # PyYAML's own parser is stricter than libyaml, and installations without libyaml use it
        assert yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)["id"] == file.stem
