"""Encrypts each block alone, so that equal blocks stay recognisable, or without authentication (CWE-327)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_UNPROVEN = frozenset({"CBC", "CFB", "CFB8", "CTR", "OFB"})
_PROOFS = ("cmac", "hmac", "poly1305", "sign", "verify")
_OPENING = ("decrypt", "decryptor")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def cipher_mode_shows_patterns(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "mode")
    modes = list(_modes(code))
    seen = next((call for call, mode in modes if mode == "ECB"), None)
    if seen is not None:
        return nudge(
            f"`{seen.text[:80]}` encrypts each block alone, so equal blocks stay recognisable.",
            correction="Use GCM with a new nonce for each message: AESGCM(key).encrypt(os.urandom(12), data, None), or"
            " AES.new(key, AES.MODE_GCM).",
            evidence=(seen.text,),
        )
    seen = next((call for call, mode in modes if mode in _UNPROVEN), None)
    if seen is None or _is_proven(code):
        return ok()
    return flag(
        f"`{seen.text[:80]}` encrypts without authentication, so a changed message is decrypted as well.",
        evidence=(seen.text,),
    )


def _modes(code: Module) -> Iterator[tuple[Call, str]]:
    """Each call that sets a mode, with its name."""
    for call in code.calls_of(("ECB", *_UNPROVEN)):
        if call.is_new and "modes." in call.name:
            yield call, call.method
    for call in code.calls_of(("new", "des", "triple_des")):
        mode = call.argument(1, "mode")
        name = code.name_of(mode).rpartition(".")[2] if mode is not None else ""
        if call.is_new and name.startswith("MODE_"):
            yield call, name.removeprefix("MODE_")


def _is_proven(code: Module) -> bool:
    """Whether the module also authenticates the message, or only decrypts the messages of others."""
    methods = {call.name.lower() for call in code.calls}
    if any(proof in name for name in methods for proof in _PROOFS):
        return True
    return any(True for _ in code.calls_of(_OPENING)) and not any(True for _ in code.calls_of(("encrypt", "encryptor")))
