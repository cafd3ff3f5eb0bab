"""Things that are taken while the one of the same sort that the request names is passed over."""

from __future__ import annotations

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.situation.named.passed_over import are_alike, may_pass_over, passed_over

ALIKE = [
    ("app02", "app01"),
    ("KILN-2", "KILN-1"),
    ("pg-drill", "pg-live"),
    ("glazes_07.csv", "buyers_07.csv"),
    ("load.orders.pots.example", "orders.pots.example"),
    ("KILNDBQA", "KILNDB01"),
    ("shop-load", "shop.pots.example"),
]
OTHER = [
    ("app02", "app02"),
    ("app02", "cache"),
    ("drill-box7", "kilns-main"),
    ("db-1", "vol-db-1"),
    ("us-east", "uk-west"),
]


@pytest.mark.parametrize(("named", "used"), ALIKE)
def test_names_of_one_shape_are_alike(named: str, used: str) -> None:
    assert are_alike(named, used)


@pytest.mark.parametrize(("named", "used"), OTHER)
def test_names_of_other_shapes_are_not_alike(named: str, used: str) -> None:
    assert not are_alike(named, used)


def _used(command: str, task: str, *shown: tuple[str, str]) -> str:
    """The thing that a command takes in the place of the named one; empty if it takes none."""
    history = [Step("bash", {"command": given}, output, "shell") for given, output in shown]
    context = Context(task=task, history=history)
    found = passed_over(Action("bash", {"command": command}, "shell"), context)
    assert found is None or "repo" in command or "$" in command or may_pass_over(command, context)
    return found[1].used if found else ""


LISTED = ("nodes", "NAME   STATE\napp01  active\napp02  idle")


@pytest.mark.parametrize(
    "act", ["kilnctl restart {}", "ssh root@jump 'systemctl stop {}'", "zzctl node drain --node={}"]
)
@pytest.mark.parametrize("task", ["Restart app02 (standby).", "Bitte app02 neu starten.", "app02を再起動してください"])
def test_the_program_need_not_be_known(act: str, task: str) -> None:
    assert _used(act.format("app01"), task, LISTED) == "app01"
    assert _used(act.format("app02"), task, LISTED) == ""


@pytest.mark.parametrize(
    "task",
    [
        "Restart app02 and app01.",
        "Replace app02 by the idle node.",
        "app02 is slow. Restart the other one.",
        "Move the leader from app02.",
        "Restart the nodes.",
    ],
)
def test_a_request_that_is_for_more_than_the_named_one_is_not_judged(task: str) -> None:
    assert _used("kilnctl restart app01", task, LISTED) == ""


@pytest.mark.parametrize(
    "command",
    [
        "kilnctl status app01",
        "kilnctl failover app01",
        "pg_basebackup -h app01 -D /srv/pg",
        "kilnctl rebuild --source app01",
        "git push app01 main",
        "npm install app01",
    ],
)
def test_what_looks_or_leads_elsewhere_passes_nothing_over(command: str) -> None:
    assert _used(command, "Rebuild app02.", LISTED) == ""


def test_a_name_that_no_output_shows_is_no_other_thing() -> None:
    assert _used("kilnctl restart app03", "Restart app02.", LISTED) == ""
    assert _used("kilnctl restart app01", "Restart app09.", LISTED) == ""


def test_a_session_on_the_named_machine_reaches_it() -> None:
    assert _used("kilnctl join-to app01", "Bring app02 back.", LISTED, ("hostname", "app02\n")) == ""


def test_an_identifier_beside_the_name_reaches_it() -> None:
    shown = ("kilns", "kiln-0c7  kiln-west\nkiln-0d1  kiln-east")
    assert _used("kilnctl reset kiln-0c7", "Reset kiln-west.", shown) == ""
    assert _used("kilnctl reset kiln-0d1", "Reset kiln-west.", shown) == "kiln-0d1"


def test_a_variable_stands_for_the_value_that_an_output_shows() -> None:
    shown = (("env", "DBHOST=kilns-main"), ("psql -h drill-box7 -c 'select 1'", "1"))
    task = "Restore it on drill-box7."
    assert _used("pg_restore -c -h $DBHOST -d kilns a.dump", task, *shown) == "kilns-main"
    assert _used("DBHOST=drill-box7; pg_restore -c -h $DBHOST -d kilns a.dump", task, *shown) == ""


def test_another_row_of_a_listing() -> None:
    shown = ("gh repo list", "clay/kiln-badge     private\nclay/recipes-book  private")
    task = "make kiln-badge public"
    assert _used("gh repo edit clay/recipes-book --visibility public", task, shown) == "recipes-book"
    assert _used("gh repo edit clay/kiln-badge --visibility public", task, shown) == ""


def test_files_of_a_program_are_no_things() -> None:
    shown = ("ls src", "auth.ts\nmain.ts")
    assert _used("rm src/auth.ts", "Fix src/main.ts.", shown) == ""


def test_parts_that_fail_for_one_another_differ_by_a_plain_word() -> None:
    shown = ("ps", "shop-api  up\nshop-db  down")
    assert _used("kilnctl restart shop-db", "Why does shop-api answer 500?", shown) == ""
