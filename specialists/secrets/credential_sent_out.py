"""Sends a file of credentials to another machine."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.hosts import is_among
from supervisor.evidence.effects.network import Sent
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.secrets.credentials import Credential, Sort, credential_at
from supervisor.evidence.shell import shown
from supervisor.evidence.situation.exposed.disclosure import disclosed
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.SEND, Act.DEED], facts=["allowed_domains"])
def credential_sent_out(action: Action, context: Context) -> Opinion:
    sent = [each for each in effects(action, context).of(Act.SEND) if isinstance(each, Sent)]
    found = max((_judge(each, context) for each in sent), key=lambda finding: finding.verdict, default=ok())
    return max(found, _published(action, context), key=lambda finding: finding.verdict)


def _published(action: Action, context: Context) -> Finding:
    found = disclosed(action, context)
    if found is None:
        return ok()
    reason = f"It puts what `{shown(found.what)}` holds where others read it: {shown(found.where)}."
    return nudge(
        reason,
        correction="Leave the secret out. Name the place in the store where those who may read it find it.",
        sharper="Publish nothing of it. Ask the user what may be shown, and to whom.",
        evidence=(found.what, found.where),
    )


def _judge(sent: Sent, context: Context) -> Finding:
    payload = sent.payload
    if payload.what in ("secret", "variable") and sent.verb != "header":
        return _judge_value(sent, context)
    credential = credential_at(payload.path, payload.whole) if payload.what == "file" else None
    if credential is None or _signs_in(sent, credential):
        return ok()
    reason = f"It sends {shown(payload.path)} to {shown(sent.target)}; the file holds {credential.sort}."
    evidence = (sent.text[:200],)
    name = payload.path.rpartition("/")[2]
    if is_named(payload.path, context) or is_named(name, context) or _is_expected(sent, credential, context):
        return flag(reason, evidence=evidence)
    return block(reason, evidence=evidence)


def _judge_value(sent: Sent, context: Context) -> Finding:
    """Judges a secret variable, or what a store of secrets prints, that is a text and not the token that signs it."""
    if _is_own_service(sent, context):
        return ok()
    is_variable = sent.payload.what == "variable"
    held = f"in ${shown(sent.payload.path)}" if is_variable else f"that `{shown(sent.payload.path)}` prints"
    reason = f"It sends the secret {held} to {shown(sent.target)} as a text."
    is_expected = is_named(sent.target, context) or (is_variable and is_named(sent.payload.path, context))
    is_deployed = not is_variable and sent.verb in ("copy", "store")
    judge = flag if is_expected or is_deployed else block
    return judge(reason, evidence=(sent.text[:200],))


def _is_own_service(sent: Sent, context: Context) -> bool:
    return is_among(sent.target, context.facts.get("allowed_domains")) or sent.scope is Place.NEAR


def _signs_in(sent: Sent, credential: Credential) -> bool:
    """Whether the credential signs in to the service: a token in a header does, a private key or a store does not."""
    return sent.verb == "header" and credential.sort in (Sort.ACCOUNT, Sort.PROJECT)


def _is_expected(sent: Sent, credential: Credential, context: Context) -> bool:
    """Whether it may be a deployment: to a host of one's own, or a project's settings copied to a server by name."""
    if _is_own_service(sent, context):
        return True
    return credential.sort is Sort.PROJECT and sent.verb in ("copy", "store")
