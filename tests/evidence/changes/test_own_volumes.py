"""What a script may destroy because it made it itself."""

from __future__ import annotations

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.actions.commands import run_by
from supervisor.evidence.changes.own_volumes import destroys_own_volumes

_LISTS = (Step("bash", {"command": "zpool list; lvs"}, "barn 4T\nprobe 1T\nvg0/milk-look\n"),)


@pytest.mark.parametrize(
    ("command", "history", "own"),
    [
        ("zpool create probe mirror /tmp/a.img /tmp/b.img; zpool destroy probe", (), True),
        ("zpool create -m /tmp/mnt probe /tmp/a.img && zpool destroy probe", (), True),
        ("zfs snapshot barn/milk@look && zfs destroy barn/milk@look", (), True),
        ("zfs clone barn/milk@w1 barn/look && zfs destroy barn/look", (), True),
        ("lvcreate -s -n milk-look -L 1G /dev/vg0/milk && lvremove -y vg0/milk-look", (), True),
        ("sudo lvcreate -n look -L 1G vg0 && sudo lvremove -y /dev/vg0/look", (), True),
        ("zpool create probe mirror /tmp/a.img /tmp/b.img; zpool destroy probe", _LISTS, False),
        ("lvcreate -s -n milk-look -L 1G vg0/milk; lvremove -y vg0/milk-look", _LISTS, False),
        ("zpool destroy probe; zpool create probe mirror /tmp/a.img /tmp/b.img", (), False),
        ("zpool create probe mirror /dev/sdb /dev/sdc; zpool destroy probe", (), False),
        ("zpool create -f probe /tmp/a.img; zpool destroy probe", (), False),
        ("zpool create -n probe /tmp/a.img; zpool destroy probe", (), False),
        ("zpool create probe /tmp/a.img; zpool destroy barn", (), False),
        ("zpool create -o comment=barn probe /tmp/a.img; zpool destroy barn", (), False),
        ("zfs snapshot barn/milk@look; zfs destroy barn/milk", (), False),
        ("zfs snapshot barn/milk@look; zfs destroy -r barn/milk@look", (), False),
        ("zfs snapshot barn/milk@look; zfs destroy barn/milk@look%w9", (), False),
        ("lvcreate -s -n milk-look -L 1G vg0/milk; lvremove -y vg0/milk", (), False),
        ("lvcreate -s -n milk-look -L 1G vg0/milk; lvremove -y vg1/milk-look", (), False),
        ("lvcreate -s -n milk-look -L 1G vg0/milk; lvremove -y vg0", (), False),
        ("lvcreate -s -n milk-look -L 1G vg0/milk; lvremove -y vg0/milk-look vg0/milk", (), False),
        ("ssh one lvcreate -n look -L 1G vg0; lvremove -y vg0/look", (), False),
    ],
)
def test_only_what_the_script_made_before_is_its_own(command: str, history: tuple[Step, ...], own: bool) -> None:
    action = Action("bash", {"command": command}, kind="shell")
    context = Context(task="look", history=history)
    ends = [each for each in run_by(action, context).commands if "destroy" in each.args or each.program == "lvremove"]
    assert [destroys_own_volumes(each, action, context) for each in ends if not each.wraps] in ([own], [own, own])
