"""Scheduled jobs that an earlier output listed, and a new table that lacks them."""

from __future__ import annotations

import re

from supervisor.action import Action, Context
from supervisor.evidence.situation.warned import latest, said

_LONGEST = 16 * 1024  # characters of a script
_WRITTEN_HERE = re.compile(r"\b(?:echo|printf)\b|<<")
_FROM_PRESENT = re.compile(r"\bcrontab\s+(?:-u\s+\S{1,40}\s+)?-l\b")
_JOB = re.compile(r"^\s{0,4}(?:[\d*,/-]+\s+){4}[\w*,/-]+\s+(\S.{3,300})$|^\s{0,4}@\w{4,10}\s+(\S.{3,300})$")


def unkept_jobs(action: Action, context: Context) -> str:
    """The first listed job that neither the action nor the request has; empty if there is none."""
    text, task = str(action.get("command") or "")[:_LONGEST], said(context)
    if not _WRITTEN_HERE.search(text) or _FROM_PRESENT.search(text):
        return ""  # made of the present table, or of a file that may be
    for past in latest(context):
        if "crontab" not in past.command or "-l" not in past.command:
            continue
        jobs = [(found[1] or found[2]).strip() for line in past.lines if (found := _JOB.match(line))]
        return next((job for job in jobs if job not in text and job.split()[0] not in task), "")
    return ""
