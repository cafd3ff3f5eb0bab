"""Deletes or locks an account, or changes its password, so that its owner can no longer log in as before."""

from collections.abc import Iterable, Iterator

from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.changes.settled import is_settled
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import is_asked, word_on
from supervisor.evidence.effects import Act, Effect, effects, is_known
from supervisor.evidence.history.past_scripts import PastStep
from supervisor.evidence.history.traces import traces
from supervisor.evidence.shell import Command, shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_MAKERS = frozenset({"addgroup", "adduser", "groupadd", "useradd"})
_VERBS = frozenset({Verb.REVOKE, Verb.STOP})
_ASKED = (
    "account",
    "lock",
    "passw",
    "userdel",
    "conta",
    "cuenta",
    "konto",
    "konten",
    "compte",
    "계정",
    "アカウント",
    "账户",
)


@specialist("shell", "python", "javascript", "file_write", "file_edit", "file_delete", about=[Act.PRIVILEGE])
def account_changed(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.PRIVILEGE)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    if effect.verb not in ("account", "credential") or _is_made_here(effect.target, action, context):
        return ok()
    done = "deletes or rewrites accounts" if effect.verb == "account" else "changes how one logs in"
    reason = f"It {done} ({shown(effect.target)}): `{shown(effect.text)}`."
    own_name = effect.target.partition(",")[0].rpartition("=")[2]  # of `cn=old-printer,ou=hall,dc=example`
    if not effect.whole and is_known(own_name) and _is_asked_on(own_name, effect.verb, context):
        return ok()
    if effect.reversible and is_asked(_VERBS, context):
        return ok()
    if task_mentions(action, context, *_ASKED) or any(is_named(name, context) for name in (effect.target, own_name)):
        if effect.whole and not effect.reversible:  # found by a search, so the task names none of them
            return nudge(
                reason,
                correction="First list the accounts that the search finds, and show the list to the user; then delete"
                " each by its own identity.",
                sharper="Only list the accounts.",
                evidence=(effect.text[:200],),
            )
        return ok() if effect.reversible else flag(reason, evidence=(effect.text[:200],))
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


_DELETES = frozenset({Verb.DELETE})
_ENDS = frozenset({Verb.DELETE, Verb.STOP, Verb.REVOKE, Verb.CLOSE, Verb.RESET, Verb.ROTATE})


def _is_asked_on(name: str, verb: str, context: Context) -> bool:
    """Whether the user asks for such a change to this very account, which the session has looked up. Who wants it
    locked has not asked for its deletion."""
    deeds = _DELETES if verb == "account" else _ENDS
    return is_settled(word_on(deeds, name, context), name, context)
