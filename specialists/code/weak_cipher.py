"""Encrypts with a cipher that is broken, or whose blocks are too short (CWE-327)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_WEAK_NAMES = "ARC2 ARC4 Blowfish CAST CAST5 DES DES3 IDEA RC2 RC4 SEED TripleDES XOR pyDes triple_des des"
_WEAK = frozenset(_WEAK_NAMES.split())
_LIBRARIES = ("Crypto.Cipher.", "Cryptodome.Cipher.", "pyDes.", "Crypto.Ciphers.")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def weak_cipher(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "cipher")
    seen = next(_weak(code), None)
    if seen is None:
        return ok()
    return nudge(
        f"`{seen.text[:80]}` is a cipher that can be broken with today's machines.",
        correction="Use AES in an authenticated mode: AESGCM(AESGCM.generate_key(bit_length=256)) of"
        " cryptography.hazmat.primitives.ciphers.aead, or AES.new(key, AES.MODE_GCM).",
        evidence=(seen.text,),
    )


def _weak(code: Module) -> Iterator[Call]:
    for call in code.calls_of((*_WEAK, "new")):
        head = call.name.removesuffix(".new")
        last = head.rpartition(".")[2]
        known = head.startswith(_LIBRARIES) or ".algorithms." in f".{head}" or "decrepit" in head
        if call.is_new and last in _WEAK and known:
            yield call
