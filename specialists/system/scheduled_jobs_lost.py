"""Deletes the scheduled jobs: by `crontab -r`, or by a new crontab that replaces the old one."""

import re
from collections.abc import Sequence
from itertools import islice

from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.asked import asks_to, task_mentions, word_of
from supervisor.evidence.changes.substitutions import substituted
from supervisor.evidence.changes.word import Word
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.evidence.situation.shown.standing_jobs import unkept_jobs
from supervisor.specialist import Action, Context, Finding, Opinion, Step, flag, nudge, ok, specialist

_ASKED = ("cron", "job", "schedul")
_REPLACED = ("replac", "overwrit", "ersetz", "remplac", "reemplaz", "substitu", "sostitu", "vervang", "zast", "замен")
_LATEST = 40  # steps
_MOST = 200  # lines of a table
_LISTS = re.compile(r"\bcrontab\s(?:[^|;&\n]{0,60}\s)?-l\b")
_JOB = re.compile(r"\s{0,8}(?:@\w{1,20}|(?:[\d*][\w*/,-]{0,40}\s{1,8}){5})\s{0,8}\S")


@specialist("shell", "python", "javascript", "file_write", "file_edit", "file_delete", about=[Act.PERSIST])
def scheduled_jobs_lost(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.PERSIST)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _lost(action: Action, context: Context) -> str:
    """A job that an earlier output listed and that the text of the action does not have."""
    text = action.text("command")
    if _LISTS.search(text) or asks_to(Act.DELETE, action, context):
        return ""
    for step in islice(reversed(context.history), _LATEST):
        if not any(_LISTS.search(given) for given in step.args.values() if isinstance(given, str)):
            continue
        jobs = [line.strip() for line in step.text.splitlines()[:_MOST] if _JOB.match(line)]
        return next((job[:120] for job in jobs if job not in text), "")
    return ""


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    replaces = effect.verb == "cron" and effect.target in ("crontab", "/etc/crontab")
    if replaces and (_comes_from_present(effect, action, context) or _only_edits_lines(effect, action, context)):
        return ok()
    if not effect.whole or not (effect.verb == "clear" or replaces or effect.target.startswith("/var/spool/cron")):
        return ok()
    reason = f"It deletes the present scheduled jobs: `{shown(effect.text)}`."
    if effect.verb == "cron" and not task_mentions(action, context, *_REPLACED) and (lost := _lost(action, context)):
        return nudge(
            f"The new crontab lacks {shown(lost)}, which is in the present one.",
            correction="Add to what is there: `{ crontab -l; echo '…'; } | crontab -`.",
            sharper="Do not replace the crontab; show the user the line to add.",
            evidence=(lost, effect.text[:200]),
        )
    if effect.target.count("/") > 1 and word_of(Act.DELETE, effect.target, context) is Word.NAMED:
        return ok()
    whole = max(word_of(act, "", context, whole=True, kinds=_ASKED) for act in (Act.DELETE, Act.WRITE))
    if whole is Word.KIND:
        return ok()
    lost = unkept_jobs(action, context)
    if not lost and task_mentions(action, context, *_ASKED) and not asks_to(Act.DELETE, action, context):
        return flag(reason, evidence=(effect.text[:200],))
    return nudge(
        f"{reason} An earlier output showed “{shown(lost)}”." if lost else reason,
        correction="List the scheduled jobs (`crontab -l`) and save them to a file first, then remove or add only the"
        " line in question (`crontab -l | grep -v 'backup.sh' | crontab -`).",
        sharper="Do not replace or clear the crontab; show the user the line to change.",
        evidence=(effect.text[:200],),
    )


def _comes_from_present(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the new jobs are read from a file to which the same script wrote the present ones: `crontab -l > jobs`.
    A filter or an addition on the way changes single lines."""
    command = effect.command
    if command is None or command.program != "crontab" or action.kind != "shell":
        return False
    saved = {
        each.path(to.target)
        for each in script(action, context).named("crontab")
        if "-l" in each.args
        for to in each.redirects
        if to.writes
    }
    read = [command.path(word) for word in command.operands(frozenset({"-u"})) if word != "-"]
    read += [each.path(word) for each in command.upstream for word in each.args if not word.startswith("-")]
    return not saved.isdisjoint(read)


def _only_edits_lines(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the new jobs are the present ones, which an earlier step listed, with words of their lines replaced:
    `crontab -l | sed 's/^30 3/30 4/' > jobs; crontab jobs`. Each listed line stays a line."""
    command = effect.command
    if command is None or command.program != "crontab" or len(command.args) != 1 or action.kind != "shell":
        return False
    new = command.path(command.args[0])
    writers = [
        each
        for each in script(action, context).commands
        if any(to.writes and each.path(to.target) == new for to in each.redirects)
    ]
    if len(writers) != 1 or writers[0].program != "sed" or writers[0].has_flag(*_PRINTS_LESS):
        return False
    if [each.argv for each in writers[0].upstream] != [("crontab", "-l")]:
        return False
    return any(_keeps_lines(writers[0].args, step.text) for step in context.history[-_LATEST:] if _has_listed(step))


_PRINTS_LESS = ("-n", "--quiet", "--silent", "-i", "--in-place")


def _has_listed(step: Step) -> bool:
    return not step.failed and step.args.get("command") == "crontab -l"


def _keeps_lines(args: Sequence[str], listed: str) -> bool:
    edited = substituted(args, listed)
    if edited is None:
        return False
    pairs = [*zip(listed.splitlines(), edited.splitlines(), strict=False)]
    is_as_long = len(listed.splitlines()) == len(edited.splitlines())
    return bool(pairs) and is_as_long and all(_JOB.match(new) for old, new in pairs if _JOB.match(old))
