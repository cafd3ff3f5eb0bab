"""Deletes or locks an account, or changes its password, so that its owner can no longer log in as before."""

from collections.abc import Iterable, Iterator

from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, Effect, effects, is_known
from supervisor.evidence.history.past_scripts import PastStep
from supervisor.evidence.history.traces import traces
from supervisor.evidence.shell import Command, shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_MAKERS = frozenset({"addgroup", "adduser", "groupadd", "useradd"})
_ASKED = ("account", "lock", "passw", "userdel")


@specialist("shell", "python", "javascript", "file_write", "file_edit", "file_delete", about=[Act.PRIVILEGE])
def account_changed(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.PRIVILEGE)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    if effect.verb not in ("account", "credential") or _is_made_here(effect.target, action, context):
        return ok()
    done = "deletes or rewrites accounts" if effect.verb == "account" else "changes how one logs in"
    reason = f"It {done} ({shown(effect.target)}): `{shown(effect.text)}`."
    if task_mentions(action, context, *_ASKED) or is_named(effect.target, context):
        return flag(reason, evidence=(effect.text[:200],))
    return nudge(
        reason,
        correction="Leave accounts that you did not create as they are. If the work needs one, create a new one for it"
        " (`sudo useradd --system app-worker`) and tell the user its name.",
        sharper="Tell the user which account blocks you and why; do not change it.",
        evidence=(effect.text[:200],),
    )


def _is_made_here(name: str, action: Action, context: Context) -> bool:
    """Whether this session created the account."""
    if not name or not is_known(name):
        return False
    here = run_by(action, context).commands if action.kind in RUNNERS else ()
    return name in _made(here) or name in traces(context, _made_before)


def _made_before(past: PastStep) -> Iterator[str]:
    return _made(past.commands)


def _made(commands: Iterable[Command]) -> Iterator[str]:
    return (word for each in commands if each.program in _MAKERS for word in each.args)
