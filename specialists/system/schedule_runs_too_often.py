"""Sets a schedule that runs far more often than its comment or the request says, as every minute of an hour."""

from itertools import islice

from supervisor.evidence.changes.configured import written_texts
from supervisor.evidence.configuration.schedules import too_often
from supervisor.evidence.effects import Act
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, nudge, ok, specialist

_MOST_FILES = 20
_MOST_TEXT = 256 * 1024


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def schedule_runs_too_often(action: Action, context: Context) -> Opinion:
    for file in islice(written_texts(action, context), _MOST_FILES):
        if len(file.after) > _MOST_TEXT:
            continue
        found = too_often(file.path, file.after, context.task or "")
        if found is not None and found.text not in " ".join((file.before or "").split()):
            return _judged(found.text, found.times)
    return ok()


def _judged(text: str, times: int) -> Finding:
    return nudge(
        f"“{shown(text)}” runs {times} times on a day.",
        correction="Give the minute too: `0 9 * * *` runs at nine once; the first field is the minute (in Spring and"
        " Quartz"
        " the second), and what is left out of `crontab(hour=9)` or of Ansible's `cron` is every minute.",
        sharper="Write out each field of the schedule, and check with `systemd-analyze calendar` or a cron parser"
        " when it"
        " runs next.",
        evidence=(shown(text),),
    )
