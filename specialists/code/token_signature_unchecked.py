"""Accepts or issues a JSON Web Token without a signature (CWE-347)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.values import is_false, string_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_TOKENS = ("jwt.", "jose.jwt.", "jose.jws.", "jwt.api_jwt.", "authlib.jose.", "python_jwt.")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def token_signature_unchecked(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "token")
    seen = next(_unsigned(code), None)
    if seen is None:
        return ok()
    return nudge(
        _reason(seen.text),
        correction='Verify with one fixed algorithm: jwt.decode(token, key, algorithms=["HS256"]), and sign'
        ' with jwt.encode(payload, key, algorithm="HS256").',
        evidence=(seen.text,),
    )


def _reason(seen: str) -> str:
    return f"`{seen[:100]}` accepts a token without checking its signature: anybody can write one."


def _unsigned(code: Module) -> Iterator[Call]:
    for call in code.calls_of(("decode", "decode_complete", "encode", "process_jwt", "get_unverified_claims", "sign")):
        if call.is_new and call.name.startswith(_TOKENS) and _is_unsigned(call):
            yield call


def _is_unsigned(call: Call) -> bool:
    code = call.code
    if call.method == "process_jwt":
        return not any(True for _ in code.calls_of(["verify_jwt"]))
    if is_false(code, call.keywords.get("verify")) or _skips_signature(call):
        return call.method != "encode"
    told = [call.keywords[name] for name in ("algorithm", "algorithms") if name in call.keywords]
    told += list(call.positional[2:3])
    named = [node for value in told for node in (value.named_children if value.type == "list" else [value])]
    return any((string_of(code, node) or "").lower() == "none" or node.type == "none" for node in named)


def _skips_signature(call: Call) -> bool:
    code = call.code
    options = call.argument(3, "options")
    if options is None:
        return False
    value = code.values_by_name.get(code.text(options), [options])[0]
    pairs = [pair.named_children for pair in value.named_children if pair.type == "pair"]
    return any(code.text(pair[0]).strip("\"'") == "verify_signature" and is_false(code, pair[-1]) for pair in pairs)
