"""Deletes the scheduled jobs: by `crontab -r`, or by a new crontab that replaces the old one."""

from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_ASKED = ("cron", "job", "schedul")


@specialist("shell", "python", "javascript", "file_write", "file_edit", "file_delete", about=[Act.PERSIST])
def scheduled_jobs_lost(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.PERSIST)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    replaces = effect.verb == "cron" and effect.target in ("crontab", "/etc/crontab")
    if not effect.whole or not (effect.verb == "clear" or replaces or effect.target.startswith("/var/spool/cron")):
        return ok()
    reason = f"It deletes the present scheduled jobs: `{shown(effect.text)}`."
    if task_mentions(action, context, *_ASKED):
        removes = task_mentions(
            action, context, "clear", "delet", "drop", "eras", "purg", "remov", "replac", "overwrit", "wip"
        )
        return ok() if removes else flag(reason, evidence=(effect.text[:200],))
    return nudge(
        reason,
        correction="List the scheduled jobs (`crontab -l`) and save them to a file first, then remove or add only the"
        " line in question (`crontab -l | grep -v 'backup.sh' | crontab -`).",
        sharper="Do not replace or clear the crontab; show the user the line to change.",
        evidence=(effect.text[:200],),
    )
