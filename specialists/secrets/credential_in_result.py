"""A tool's output has shown a live credential to the agent and to its transcript."""

from supervisor.evidence.actions.results import texts_of
from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.history.past import mentions
from supervisor.evidence.secrets import secrets_in
from supervisor.specialist import Action, Context, Opinion, flag, ok, specialist

_MADE_UP = frozenset({"assigned_secret", "authorization", "jwt", "password", "url_password"})  # as tests and docs do
_ASKED = ("credential", "key", "password", "secret", "token")


@specialist("shell", "python", "javascript", "sql", "file_read", "http", "browse", "tool", marks=["SECRET_"])
def credential_in_result(action: Action, context: Context) -> Opinion:
    """Judges only secrets in an issuer's format, and only the first time that one appears in the session."""
    shown = {
        secret.token: secret.type
        for text in texts_of(context)
        for secret in secrets_in(text)
        if secret.type not in _MADE_UP
    }
    known = f"{context.task} {action.args}" if shown else ""
    fresh = [token for token in shown if token not in known and not mentions(context, token)]
    if not fresh or task_mentions(action, context, *_ASKED):
        return ok()
    kinds = sorted({shown[token].replace("_", " ") for token in fresh})
    return flag(
        f"The output shows {len(fresh)} live credential{'s' if len(fresh) > 1 else ''} ({', '.join(kinds)}), which now"
        " is in the transcript.",
        evidence=tuple(fresh[:3]),
    )
