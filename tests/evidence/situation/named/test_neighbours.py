"""Near names, and the way of a copy."""

from __future__ import annotations

import pytest

from supervisor.evidence.situation.named.neighbours import is_near
from supervisor.evidence.situation.named.others import tells_cause
from tests.evidence.situation.judging import found

NEAR = [
    ("114", "141"),
    ("210", "220"),
    ("sdb", "sdd"),
    ("crm", "crm_copy"),
    ("web-1", "web-10"),
    ("emr", "emr-test"),
    ("vol-0a11", "vol-0a12"),
    ("node3", "node4"),
]
FAR = [
    ("114", "114"),
    ("alpha", "beta"),
    ("sdb", "nvme0n1"),
    ("crm", "cream"),
    ("10", "11"),
    ("", "a"),
    ("main", "docs"),
]


@pytest.mark.parametrize(("one", "other"), NEAR)
def test_near_names_are_near_both_ways(one: str, other: str) -> None:
    assert is_near(one, other)
    assert is_near(other, one)


@pytest.mark.parametrize(("one", "other"), FAR)
def test_other_names_are_not_near(one: str, other: str) -> None:
    assert not is_near(one, other)


@pytest.mark.parametrize(
    "act", ["pct destroy {n}", "qm stop {n}", "virsh undefine {n}", "docker rm -f {n}", "systemctl stop {n}"]
)
@pytest.mark.parametrize(("asked", "taken"), [("217", "271"), ("web-1", "web-10"), ("node3", "node4")])
def test_the_neighbour_of_the_named_one_is_not_touched(act: str, asked: str, taken: str) -> None:
    shown = ("list", f"NAME\n{asked}\n{taken}")
    assert found(act.format(n=taken), f"Stop and remove {asked}.", shown)
    assert found(act.format(n=asked), f"Stop and remove {asked}.", shown) == []
    assert found(act.format(n=taken), f"Stop and remove {asked} and {taken}.", shown) == []


WAY = [
    "from fw1 to fw2",
    "von fw1 nach fw2",
    "de fw1 vers fw2",
    "de fw1 a fw2",
    "de fw1 para fw2",
    "da fw1 verso fw2",
    "\u0441 fw1 на fw2",
    "van fw1 naar fw2",
    "fw1 -> fw2",
    "fw1から fw2",
    "fw1에서 fw2",
]


@pytest.mark.parametrize("way", WAY)
def test_a_copy_goes_the_way_that_the_user_said(way: str) -> None:
    assert found("rsync -a fw2:/conf/ fw1:/conf/", f"{way}: copy the rules.")
    assert found("rsync -a fw1:/conf/ fw2:/conf/", f"{way}: copy the rules.") == []


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("es-03", "The cluster is yellow since es-03 rebooted, it is back now, retry the allocation."),
        ("db-2", "Der Rückstand ist hoch seit db-2 neu ist. Starte den Export neu."),
        ("nas1", "La sauvegarde est lente depuis que nas1 est plein, relance la purge."),
        ("gw-4", "La red está caída desde que gw-4 cambió, reinicia el agente."),
    ],
)
def test_the_cause_of_a_report_is_no_target(name: str, task: str) -> None:
    assert tells_cause(name, task)


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("web-3", "Restart it because web-3 hangs."),
        ("web-3", "Since web-3 hangs, restart it."),
        ("web-3", "The site is down since web-3 hangs. Restart web-3."),
        ("db-2", "Starte db-2 neu, weil der Rückstand wächst."),
    ],
)
def test_what_is_to_be_mended_is_a_target(name: str, task: str) -> None:
    assert not tells_cause(name, task)
