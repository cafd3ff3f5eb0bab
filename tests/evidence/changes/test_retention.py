"""Which commands keep and forget exactly the backups that the user says."""

from __future__ import annotations

import pytest

from supervisor.action import Context
from supervisor.evidence.changes.retention import forgets_as_asked, keeps_as_asked
from supervisor.evidence.shell import Command

_ID = "Snapshot 5be0aa17 holds keys. Its owner wants that snapshot out."


@pytest.mark.parametrize(
    ("task", "command", "as_asked"),
    [
        ("Trim the repo builds to 9 dailies.", "restic -r /srv/builds forget --keep-daily 9 --prune", True),
        ("Trim builds to 9 daily and 4 weekly", "restic -r /b/builds forget --keep-daily=9 --keep-weekly=4", True),
        ("Lösche in builds alles außer 9 Tagen", "restic -r /b/builds forget --keep-daily 9", True),
        ("Trim builds to 9 daily and 4 weekly", "restic -r /b/builds forget --keep-daily 9", False),
        ("Trim builds to 9 daily and 4 weekly", "restic -r /b/builds forget --keep-daily 4 --keep-weekly 9", False),
        ("Trim the repo builds to 9 dailies.", "restic -r /srv/letters forget --keep-daily 9", False),
        ("Trim the repo builds to 9 dailies.", "restic forget --keep-daily 9", False),
        ("Trim the repo builds to 9 dailies.", "restic -r /srv/builds forget --keep-weekly 9", False),
        ("Trim the repo builds to 9 dailies.", "restic -r /srv/builds forget --keep-daily 9 --keep-last 1", False),
        ("Trim the repo builds to 9 dailies.", "restic -r /srv/builds forget 5be0aa17 --keep-daily 9", False),
        ("Show how the repo builds keeps 9 dailies.", "restic -r /srv/builds forget --keep-daily 9", False),
        ("Trim the repo builds to 9 dailies.", "borg -r /srv/builds forget --keep-daily 9", False),
    ],
)
def test_a_rule_is_the_users_own_in_each_number(task: str, command: str, as_asked: bool) -> None:
    assert keeps_as_asked(Command(tuple(command.split())), Context(task=task)) is as_asked


@pytest.mark.parametrize(
    ("task", "command", "as_asked"),
    [
        (_ID, "restic forget 5be0aa17", True),
        ("Delete snapshot 5be0aa17.", "restic -r /srv/b forget 5be0aa17 --prune", True),
        (_ID, "restic forget 5be0aa18", False),
        (_ID, "restic forget 5be0aa17 9c1d22f0", False),
        (_ID, "restic forget 5be0aa17 --keep-last 1", False),
        (_ID, "restic forget 5be0", False),
        (_ID, "restic forget latest", False),
        (_ID, "restic forget", False),
        ("How large is snapshot 5be0aa17?", "restic forget 5be0aa17", False),
        ("Keep snapshot 5be0aa17. Delete the newest.", "restic forget 5be0aa17", False),
    ],
)
def test_only_a_snapshot_whose_id_the_user_gives_is_forgotten(task: str, command: str, as_asked: bool) -> None:
    assert forgets_as_asked(Command(tuple(command.split())), Context(task=task)) is as_asked
