"""Signs sessions or tokens with a key in the code (CWE-321)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Module, Value
from supervisor.evidence.python.values import string_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_SETTINGS = frozenset({"JWT_SECRET", "JWT_SECRET_KEY", "SECRET_KEY", "SESSION_SECRET", "cookie_secret", "secret_key"})
_SIGNERS = ("JSONWebSignatureSerializer", "Signer", "TimedSerializer", "TimestampSigner", "URLSafeSerializer")
_SIGNING = (*_SIGNERS, "URLSafeTimedSerializer", "TimedJSONWebSignatureSerializer")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def signing_key_written_in_code(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "signing")
    if is_trial(action):
        return ok()
    for value, where in _keys(code):
        text = string_of(code, value)
        if text:
            return nudge(
                f"The key of `{where}` is in the code, so every reader of the code can sign as the server.",
                correction='Read it from outside: os.environ["SECRET_KEY"], without a default, created with'
                " secrets.token_hex(32).",
                evidence=(where,),
            )
    return ok()


def _keys(code: Module) -> Iterator[tuple[Value, str]]:
    """Each signing key, and the place of its use."""
    for call in code.calls_of(("encode", "decode")):
        key = call.argument(1, "key")
        if call.name.startswith(("jwt.", "jose.jwt.", "authlib.jose.")) and key is not None and call.is_new:
            yield key, call.name
    for call in code.calls_of(_SIGNING):
        if call.name.startswith(("itsdangerous", *_SIGNING)) and call.positional and call.is_new:
            yield call.positional[0], call.name
    named = any(name.encode() in code.source for name in _SETTINGS)
    for target, value in code.assignments if named else ():
        name = _setting(code, target, value)
        statement = value.parent or value
        if name in _SETTINGS and ("." in target or "[" in code.text(statement)) and code.is_new(statement):
            yield value, code.text(statement)[: code.text(statement).find("=")].strip()


def _setting(code: Module, target: str, value: Value) -> str:
    """`app.secret_key`, and `app.config["SECRET_KEY"]`."""
    left = value.parent.child_by_field_name("left") if value.parent is not None else None
    if left is not None and left.type == "subscript" and "config" in code.text(left):
        return code.text(left.named_children[-1]).strip("\"'")
    return target.rpartition(".")[2]
