"""Puts a file of credentials into version control, whose history keeps it."""

from collections.abc import Iterator

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.history.past_scripts import PastStep
from supervisor.evidence.history.traces import traces
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.secrets import secrets_in
from supervisor.evidence.secrets.credentials import credential_at
from supervisor.evidence.shell import shown
from supervisor.evidence.situation.exposed.disclosure import filled_from_store, saved_login, swept
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_MADE_UP = frozenset({"assigned_secret", "authorization", "jwt", "password", "url_password"})  # as tests do
_PATH_NAMES = ("path", "file_path", "filename", "file")


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def credential_committed(action: Action, context: Context) -> Opinion:
    staged = [each for each in effects(action, context).of(Act.REPOSITORY) if each.verb == "stage"]
    findings = [_judge(each, action, context) for each in staged]
    return max((*findings, _of_all(action, context)), key=lambda finding: finding.verdict)


def _of_all(action: Action, context: Context) -> Finding:
    path = swept(action, context)
    if not path or is_named(path, context):
        return ok()
    return nudge(
        f"It puts everything under version control, also {shown(path)}, which an earlier output showed.",
        correction=f"Add the files that belong to the change by name, and {shown(path)} to .gitignore.",
        sharper=f"Do not commit {shown(path)}.",
        evidence=(shown(path),),
    )


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    path = effect.target
    name = path.rpartition("/")[2]
    if credential_at(path):
        reason = f"It puts {shown(path)} under version control, a file that holds credentials."
    elif name in saved_login(action, context):
        reason = f"It puts {shown(path)} under version control, which holds the state of a login."
    elif name in filled_from_store(action, context):
        reason = f"It puts {shown(path)} under version control, into which it writes a secret out of its store."
    elif path in traces(context, _seen_with_secrets):
        reason = f"It puts {shown(path)} under version control, in which this session has seen a credential."
    else:
        return ok()
    if is_named(path, context) or is_named(name, context):
        return flag(reason, evidence=(shown(path),))
    return nudge(
        reason,
        correction=f"Leave {shown(name)} out of the commit and add it to .gitignore; commit an example without values"
        " (.env.example). Replace a credential that is already committed by a new one.",
        sharper=f"Do not add {shown(path)}: `git rm --cached` it if it is staged, and add it to .gitignore.",
        evidence=(shown(path),),
    )


def _seen_with_secrets(past: PastStep) -> Iterator[str]:
    """The files that a step read or wrote and that contained an issuer's credential."""
    step = past.step
    path = next((step.args[name] for name in _PATH_NAMES if isinstance(step.args.get(name), str)), None)
    if path is None or step.kind not in ("file_read", "file_write", "file_edit"):
        return
    texts = [step.text, *(value for value in step.args.values() if isinstance(value, str))]
    if any(secret.type not in _MADE_UP for text in texts for secret in secrets_in(text)):
        yield resolve(path, past.cwd or ".")
