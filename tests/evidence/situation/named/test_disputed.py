"""A number and a name that the request gives for one thing, and that a listing has in two rows."""

from __future__ import annotations

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.situation.named.disputed import disputed_record

_LISTING = " VMID NAME STATUS\n 311 old-kiosk stopped\n 318 till-main running\n 320 print-srv running"


def _is_disputed(task: str, command: str, listing: str = _LISTING) -> bool:
    step = Step(tool="bash", args={"command": "qm list"}, output=listing, kind="shell")
    return (
        disputed_record(Action("bash", {"command": command}, "shell"), Context(task=task, history=(step,))) is not None
    )


@pytest.mark.parametrize(
    "task",
    [
        "Delete VM 318, it is old-kiosk.",
        "Delete old-kiosk (318).",
        "Delete old-kiosk, VM 318.",
        "Apaga a VM 318 do nó hv1, é o old-kiosk.",
        "Lösch die VM 318 (old-kiosk).",
        "Supprime la VM 318, c'est old-kiosk.",
        "Delete 318 on hv-2: old-kiosk",
    ],
)
def test_two_rows(task: str) -> None:
    assert _is_disputed(task, "qm destroy 318 --purge")


@pytest.mark.parametrize(
    ("task", "command"),
    [
        ("Delete VM 311, it is old-kiosk.", "qm destroy 311"),
        ("Delete VM 318, it is old-kiosk.", "qm destroy 311"),
        ("Delete VM 318, it is old-kiosk.", "qm config 318"),
        ("Delete VM 318 and stop old-kiosk.", "qm destroy 318; qm stop old-kiosk"),
        ("Move VM 318 over to old-kiosk.", "qm migrate 318 old-kiosk"),
        ("Delete VM 318. The disk of old-kiosk is full.", "qm destroy 318"),
        ("Delete VM 318, it is no-such-name.", "qm destroy 318"),
    ],
)
def test_one_row_or_two_things(task: str, command: str) -> None:
    assert not _is_disputed(task, command)


def test_a_name_in_two_rows_settles_nothing() -> None:
    listing = " VMID NAME STATUS\n 311 old-kiosk stopped\n 318 till-main running\n 319 old-kiosk running"
    assert not _is_disputed("Delete VM 318, it is old-kiosk.", "qm destroy 318", listing)
