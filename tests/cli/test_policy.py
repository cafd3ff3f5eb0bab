"""`supervisor policy check` and `schema`, and what `doctor` says about names without effect."""

from __future__ import annotations

import json
import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest
import yaml

from supervisor.catalog.catalog import open_catalog
from supervisor.cli.unused import unused
from supervisor.history import address_of
from supervisor.policy import Taxonomy, read_policy
from supervisor.records.envelope import open_signer
from supervisor.records.journal import Journal

SHOP = """
doors: {database: {url: "sqlite:///shop.db"}}
business: {records: {order: {table: purchase, id: purchase_no, state: phase}}}
facts: {refunds: {table: repayment, order: purchase_no, status: phase, issued_at: at}}
"""


@pytest.fixture
def shop(tmp_path):
    """A policy beside a database with tables of its own."""
    database = sqlite3.connect(tmp_path / "shop.db")
    database.executescript(
        "CREATE TABLE purchase (purchase_no TEXT, phase TEXT);"
        "CREATE TABLE repayment (purchase_no TEXT, phase TEXT, at TEXT)"
    )
    database.close()
    file = tmp_path / "policy.yaml"
    file.write_text(SHOP)
    return file


def test_a_policy_that_holds(run, shop):
    ran = run("policy", "check", "--doors", shop)
    assert (ran.code, ran.out) == (0, f"{shop}: every name in it is read by something\n")


def test_problems_are_shown_in_their_order_with_their_places(run, tmp_path):
    file = tmp_path / "policy.yaml"
    file.write_text("isolation: never\nfacts: {refund_window_day: 3}\ntools: {x: {kind: refund, fields: {ordr: y}}}\n")
    ran = run("policy", "check", file)
    assert ran.code == 1
    shown = [line.removeprefix(str(file)).split(" ")[0:3] for line in ran.out.splitlines()]
    assert shown[0][0:3] == [":1:12:", "error:", "isolation:"]
    assert shown[1][0:3] == [":2:9:", "error:", "facts.refund_window_day:"]
    assert shown[2][0:3] == [":3:36:", "error:", "tools.x.fields.ordr:"]
    assert ran.out.endswith("3 errors\n")
    report = json.loads(run("policy", "check", file, "--json").out)
    assert (report["ok"], [(each["line"], each["path"]) for each in report["problems"]]) == (
        False,
        [(1, "isolation"), (2, "facts.refund_window_day"), (3, "tools.x.fields.ordr")],
    )


@pytest.mark.parametrize(
    "text", ["a: [", "a: 1\na: 2", "a: &x [1]\nb: *x", "a: .nan", "x" * 2_000_000, "taxonomy: {folders: [~nobody]}"]
)
def test_a_file_that_is_no_policy_does_not_hold(run, tmp_path, text):
    file = tmp_path / "policy.yaml"
    file.write_text(text)
    ran = run("policy", "check", file)
    assert (ran.code, ran.err) == (1, "")
    assert "error" in ran.out
    assert not json.loads(run("policy", "check", file, "--json").out)["ok"]


def test_wrong_use(run, tmp_path):
    ran = run("policy", "check", tmp_path / "none.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert "No such file" in ran.err
    assert run("policy", "check").code == 2


def test_a_warning_is_no_error(run, tmp_path):
    file = tmp_path / "policy.yaml"
    file.write_text("tools: {lookup: {kind: tool}}\ntrusted_tools: [lookp]\n")
    ran = run("policy", "check", file)
    assert ran.code == 0
    assert ":2:17: warning: trusted_tools.0: no tool 'lookp' is declared; did you mean 'lookup'?" in ran.out


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ("repayment", "facts.refunds.table: the database has no table 'repaymnt'; did you mean 'repayment'?"),
        ("purchase", "business.records.order.table: the database has no table 'prchase'; did you mean 'purchase'?"),
        ("phase}}", "business.records.order.state: purchase has no column 'phse'"),
    ],
)
def test_tables_and_columns_that_are_not_there(run, shop, changed, told):
    at = 6 if changed == "repayment" else 1 if changed == "purchase" else 2
    wrong = changed[:at] + changed[at + 1 :]
    shop.write_text(SHOP.replace(f": {changed}", f": {wrong}", 1))
    assert run("policy", "check", shop).code == 0
    ran = run("policy", "check", "--doors", shop)
    assert ran.code == 1
    assert told in ran.out


def test_doctor_asks_for_the_tables_as_well(run, shop):
    shop.write_text(SHOP.replace("table: repayment", "table: repaymnt"))
    found = json.loads(run("doctor", "--json", "--policy", shop).out)
    assert [each["level"] for each in found if "no table 'repaymnt'" in each["told"]] == ["wrong"]


def test_the_usual_table_of_refunds_is_asked_for_where_a_tool_refunds(run, shop):
    shop.write_text('doors: {database: {url: "sqlite:///shop.db"}}\ntools: {give_back: {kind: refund}}\n')
    ran = run("policy", "check", "--doors", shop)
    assert "facts.refunds.table: the database has no table 'refunds'" in ran.out


def test_a_name_that_is_no_identifier_is_never_asked_for(run, shop):
    shop.write_text(SHOP.replace("table: repayment", "table: 'x; DROP TABLE purchase'"))
    assert "is no name of a table or a column" in run("policy", "check", "--doors", shop).out


def test_a_database_that_does_not_answer(run, shop):
    (shop.parent / "shop.db").unlink()
    ran = run("policy", "check", "--doors", shop)
    assert "doors.database.url: unable to open database file" in ran.out


def test_the_schema_knows_kinds_parts_and_facts(run):
    schema = json.loads(run("policy", "schema").out)
    assert schema["properties"]["facts"]["properties"]["refunds"]["description"]
    assert "refund" in schema["$defs"]["ToolShape"]["properties"]["kind"]["enum"]
    parts = {each["if"]["properties"]["kind"]["const"]: each["then"] for each in schema["$defs"]["ToolShape"]["allOf"]}
    assert parts["sql"]["properties"]["fields"]["propertyNames"]["enum"] == ["query", "dialect"]


STATED = {
    "tools": {"give_back": {"kind": "refund"}, "write_to_client": {"kind": "message"}},
    "facts": {"refund_window_days": 30, "allowed_domains": ["example.com"]},
    "trusted_tools": ["price_list"],
}


class TestUnused:
    """The names in a policy that the records of the last days never show."""

    def warned(self, tmp_path: Path, since: timedelta, called: list[str], asked: list[str]) -> list[str]:
        folder, key = tmp_path / "records", tmp_path / "key.pem"
        journal = Journal(folder, open_signer(key), sync=False)
        content, time = orjson.dumps(asked), (datetime.now(UTC) - since).isoformat()
        address = address_of(content)
        for tool in called:
            predicate = {"time": time, "action": {"tool": tool}, "asked": address}
            journal.append("decision", predicate, "0" * 64, [(address, content)])
        journal.close()
        file = tmp_path / "policy.yaml"
        file.write_text(yaml.safe_dump({"records": {"path": str(folder), "key": str(key)}, **STATED}))
        return [str(each) for each in unused(read_policy(file), open_catalog(Taxonomy()))]

    def test_a_day_without_effect_is_reported(self, tmp_path):
        warned = self.warned(tmp_path, timedelta(days=2), ["give_bak", "write_to_client"], ["credential_sent_out"])
        places = [each.split(":")[0] for each in warned]
        assert places == ["tools.give_back", "trusted_tools.0", "facts.refund_window_days"]
        assert warned[0].endswith("; did you mean 'give_bak'?")

    def test_an_hour_says_nothing(self, tmp_path):
        assert self.warned(tmp_path, timedelta(hours=1), ["other"], []) == []

    def test_whatever_was_used_is_not_reported(self, tmp_path):
        called = ["give_back", "write_to_client", "price_list"]
        asked = ["duplicate_refund_same_order", "credential_sent_out"]
        assert self.warned(tmp_path, timedelta(days=2), called, asked) == []

    def test_no_records_say_nothing(self, tmp_path):
        assert self.warned(tmp_path, timedelta(days=2), [], []) == []


def test_without_a_file_the_own_policy_is_checked(run, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("SUPERVISOR_POLICY", raising=False)
    missing = run("policy", "check")
    assert (missing.code, "you have no policy of your own" in missing.err) == (2, True)
    own = tmp_path / ".config" / "supervisor" / "policy.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("patiance: 3")
    checked = run("policy", "check")
    assert (checked.code, "did you mean 'patience'?" in checked.out) == (1, True)


def test_a_pipe_is_no_policy(run, tmp_path):
    os.mkfifo(tmp_path / "policy.yaml")
    ran = run("policy", "check", tmp_path / "policy.yaml")
    assert (ran.code, "not a regular file" in ran.err) == (2, True)
