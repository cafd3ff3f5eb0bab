"""Whether a request describes the thing that an action is on, as a listing shows it."""

from __future__ import annotations

from itertools import product

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.situation.named.meant import is_described

CLUSTER = """\
| Member | Host      | Role         | State     | TL | Lag in MB |
+--------+-----------+--------------+-----------+----+-----------+
| db-a1  | 10.1.0.11 | Leader       | running   |  7 |           |
| db-a2  | 10.1.0.12 | Sync Standby | streaming |  7 |         0 |
| db-a3  | 10.1.0.13 | Replica      | running   |  6 |      9321 |
"""
DISKS = """\
NAME  SIZE  TRAN MODEL
sda   931G  sata EVO_870
sdb   7.3T  sata ST8000
sdc   28.7G usb  Ultra_Fit
"""
SAID = {
    "db-a3": [
        "Reinit the lagging replica.",
        "Setz das nachhängende Replikat neu auf.",
        "Réinitialise le réplica en retard.",
        "Reinicia la réplica retrasada.",
        "Пересоздай отстающую реплику.",
    ],
    "sdc": [
        "Wipe the USB stick.",
        "Leere den USB-Stick.",
        "Efface la clé USB.",
        "Borra la memoria USB.",
        "USB를 지워 주세요.",
    ],
}
LISTINGS = {"db-a3": CLUSTER, "sdc": DISKS}
OTHERS = {"db-a3": ["db-a1", "db-a2"], "sdc": ["sda", "sdb"]}


def described(target: str, task: str, listing: str) -> bool:
    context = Context(task=task, history=[Step("bash", {"command": "list"}, listing, "shell")])
    return is_described(target, Action("bash", {"command": f"tool reset {target}"}, "shell"), context)


@pytest.mark.parametrize(("target", "task"), [pair for name in SAID for pair in product([name], SAID[name])])
def test_the_one_row_of_this_description_is_meant(target: str, task: str) -> None:
    assert described(target, task, LISTINGS[target])
    assert not any(described(other, task, LISTINGS[target]) for other in OTHERS[target])


def test_a_description_of_several_means_none_of_them() -> None:
    assert not any(described(name, "Reinit the replica.", CLUSTER) for name in ("db-a2", "db-a3"))


def test_without_a_listing_nothing_is_described() -> None:
    assert not is_described("db-a3", Action("bash", {"command": "x db-a3"}, "shell"), Context(task="the lagging one"))
