"""`supervisor new` leads to a failure mode that works by filling in two files and following what it printed."""

from __future__ import annotations

import json
import re
import shlex

import pytest
import yaml

FILLED = {
    "<One sentence. What goes wrong, as a fault and not as a remedy.>": "Buys a gift card.",
    "<One sentence. What goes wrong, as in the taxonomy.>": "Buys a gift card.",
    "<What happened, to whom. It has to be real.>": "None: this entry is a test's, and needs none.",
    "<When. A year, a month or a day.>": "2026",
    "<Where it is written.>": "tests/catalog/test_scaffold.py",
    "<1. an action that must be stopped>": "buy a gift card, now: 50 [EUR]",
    "<2. the same, spelled otherwise>": "buy two gift cards",
    "<3. and once more>": "a gift card, please",
    "<1. an honest action that looks alike>": "wrap the gift",
    "<2. another>": "print a business card",
    "<3. and another>": "pay by card",
    "<an action of another kind>": "SELECT 1",
    "<why>": "money leaves, for good: nobody gets it back",
    "<what gives it away>": "gift card",
    "<is what it is>": "is a gift card",
    "<what was done>": "a purchase",
}


def fill(file) -> None:
    text = file.read_text()
    for placeholder, words in FILLED.items():
        text = text.replace(placeholder, words)
    assert not re.search(r"<[^>]+>", text.replace("# ", "")), "a placeholder that this test does not know"
    file.write_text(text)


@pytest.fixture
def scaffolded(run, tmp_path):
    """A new failure mode below a folder, and what was printed about it."""
    ran = run("new", "money/gift_card_bought", "--kind", "payment", "--folder", tmp_path / "own")
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def test_following_the_printed_steps_ends_in_a_specialist_that_blocks(run, tmp_path, scaffolded):
    entry, judge = (tmp_path / "own" / part for part in ("taxonomy", "specialists"))
    entry, judge = entry / "money" / "gift_card_bought.yaml", judge / "money" / "gift_card_bought.py"
    assert f"Wrote {entry} and {judge}." in scaffolded
    (command,) = re.findall(r"Run supervisor (coverage .*) until it is green", scaffolded)

    fill(entry)
    fill(judge)
    covered = run(*shlex.split(command))
    assert covered.code == 0, covered.out + covered.err

    policy = tmp_path / "supervisor.yaml"
    policy.write_text(yaml.safe_dump({"taxonomy": {"folders": [str(tmp_path / "own")]}, "records": {"path": None}}))
    action = {"tool": "shop", "kind": "payment", "args": {"value": "a gift card for the boss"}}
    ran = run("check", "--policy", policy, stdin=json.dumps(action))
    assert ran.code == 1, ran.err
    told = json.loads(ran.out)
    assert told["by"] == ["gift_card_bought"]
    assert told["findings"][0]["reason"] == "'a gift card for the boss' is a gift card."


def test_untouched_it_does_not_pass(run, tmp_path, scaffolded):
    ran = run("coverage", "gift_card_bought", "--folder", tmp_path / "own")
    assert ran.code == 1
    assert "still holds the placeholder <One sentence." in ran.out


def test_half_filled_it_does_not_pass(run, tmp_path, scaffolded):
    entry = tmp_path / "own" / "taxonomy" / "money" / "gift_card_bought.yaml"
    fill(entry)
    assert run("coverage", "gift_card_bought", "--folder", tmp_path / "own").code == 1


def test_it_writes_over_nothing(run, tmp_path, scaffolded):
    ran = run("new", "money/gift_card_bought", "--folder", tmp_path / "own")
    assert (ran.code, ran.out) == (2, "")
    assert "already exists" in ran.err


def test_a_name_that_ships_is_taken(run, tmp_path):
    ran = run("new", "files/duplicate_refund_same_order", "--folder", tmp_path)
    assert (ran.code, list(tmp_path.iterdir())) == (2, [])
    assert "money/duplicate_refund_same_order ships with supervisor; choose another name" in ran.err


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("gift_card_bought", "no family"),
        ("gifts/gift_card_bought", "no family 'gifts'; families are analysis, cloud, code"),
        ("money/GiftCard", "'GiftCard' is not a snake_case name"),
        ("money/../../etc", "is not a snake_case name"),
        ("money/a/b", "is not a snake_case name"),
        ("money/", "is not a snake_case name"),
        ("money/class", "is a keyword of Python"),
    ],
)
def test_a_name_that_cannot_be_one(run, tmp_path, name, told):
    ran = run("new", name, "--folder", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_kind(run, tmp_path):
    ran = run("new", "money/gift_card_bought", "--kind", "gift", "--folder", tmp_path)
    assert ran.code == 2
    assert "no kind 'gift'; kinds are tool" in ran.err


@pytest.mark.parametrize("kind", ["tool", "shell", "sql", "message"])
def test_every_kind_gets_a_case_that_is_not_of_it(run, tmp_path, kind):
    run("new", "money/gift_card_bought", "--kind", kind, "--folder", tmp_path)
    entry = tmp_path / "taxonomy" / "money" / "gift_card_bought.yaml"
    fill(entry)
    fill(tmp_path / "specialists" / "money" / "gift_card_bought.py")
    ran = run("coverage", "gift_card_bought", "--folder", tmp_path)
    assert ran.code == 0, ran.out


def test_one_that_is_seen_afterwards(run, tmp_path):
    run("new", "money/gift_card_bought", "--kind", "payment", "--after", "--folder", tmp_path)
    entry = tmp_path / "taxonomy" / "money" / "gift_card_bought.yaml"
    fill(entry)
    fill(tmp_path / "specialists" / "money" / "gift_card_bought.py")
    assert yaml.safe_load(entry.read_text())["stage"] == "after"
    ran = run("coverage", "gift_card_bought", "--folder", tmp_path)
    assert ran.code == 0, ran.out
    policy = tmp_path / "supervisor.yaml"
    policy.write_text(yaml.safe_dump({"taxonomy": {"folders": [str(tmp_path)]}, "records": {"path": None}}))
    action = {"tool": "shop", "kind": "payment", "args": {"value": "a gift card"}}
    assert json.loads(run("check", "--policy", policy, stdin=json.dumps(action)).out)["by"] == []
    ran = run("check", "--policy", policy, stdin=json.dumps(action | {"outcome": {"output": "one gift card"}}))
    assert (ran.code, json.loads(ran.out)["by"], json.loads(ran.out)["stage"]) == (1, ["gift_card_bought"], "after")
    ran = run("check", "--policy", policy, stdin=json.dumps(action | {"outcome": "one gift card"}))
    assert (ran.code, "outcome: an outcome is an object" in ran.err) == (2, True)


def test_a_folder_with_a_space_in_its_name(run, tmp_path):
    ran = run("new", "money/gift_card_bought", "--folder", tmp_path / "our own")
    (command,) = re.findall(r"Run supervisor (coverage .*) until it is green", ran.out)
    assert shlex.split(command)[-1] == str(tmp_path / "our own")
