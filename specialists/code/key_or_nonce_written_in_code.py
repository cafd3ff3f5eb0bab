"""Encrypts with a constant key, nonce or salt in the code (CWE-329)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.names import words_of
from supervisor.evidence.python.values import followed
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_CIPHERS = ("Crypto.Cipher.", "Cryptodome.Cipher.", "Crypto.Ciphers.")
_MODES = ("CBC", "CFB", "CFB8", "CTR", "GCM", "OFB")
_KEYED = {"AES": 0, "AESGCM": 0, "ChaCha20Poly1305": 0, "AESCCM": 0, "Fernet": 0, "ChaCha20": 0}
_SALTED = {
    "pbkdf2_hmac": 2,
    "scrypt": 9,
    "PBKDF2HMAC": 2,
    "PBKDF2": 1,
    "Scrypt": 0,
    "hashpw": 1,
    "HKDF": 2,
    "bcrypt": 1,
}


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def key_or_nonce_written_in_code(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "key")
    for call, value, what in _given(code):
        if call.is_new and _is_written(code, value):
            return nudge(
                f"`{call.text[:80]}` uses a {what} that is in the code, so readers of the code can undo it.",
                correction="Create nonces and salts anew each time, os.urandom(16) (12 for GCM), and store them with"
                ' the result; read keys from outside the code: base64.b64decode(os.environ["DATA_KEY"]).',
                evidence=(call.text,),
            )
    return ok()


def _given(code: Module) -> Iterator[tuple[Call, Value, str]]:
    """Each key, nonce and salt that is passed to a cipher or a key derivation."""
    for call in code.calls_of(["new"]):
        if call.name.startswith(_CIPHERS):
            nonce = call.argument(2, "iv", "IV", "nonce") if "iv" not in call.keywords else call.keywords["iv"]
            yield from (
                (call, value, what) for value, what in ((call.argument(0, "key"), "key"), (nonce, "nonce")) if value
            )
    for call in code.calls_of(_MODES):
        if "modes." in call.name and call.positional:
            yield call, call.positional[0], "nonce"
    for call in code.calls_of(_KEYED):
        known = "cryptography" in call.name or "algorithms" in call.name
        yield from ((call, value, "key") for value in call.positional[:1] if known)
    for call in code.calls_of(_SALTED):
        value = call.argument(_SALTED[call.method], "salt", "info_salt")
        if value is not None and words_of(call.name) & {
            "hashlib",
            "kdf",
            "bcrypt",
            "protocol",
            "hkdf",
            "pbkdf",
            "scrypt",
        }:
            yield call, value, "salt"


def _is_written(code: Module, value: Value) -> bool:
    """Whether the value is a text in the code, also repeated (`b"\\0" * 16`), encoded or made into bytes."""
    for _ in range(6):
        found = followed(code, value)
        if found is None:
            return False
        if found.type == "string":
            return not any(child.type == "interpolation" for child in found.children)
        if found.type == "binary_operator":
            value = found.named_children[0]
        elif found.type == "call" and code.name_of(found).endswith(
            (".encode()", ".b64decode()", "bytes()", ".fromhex()")
        ):
            value = _inside(found)
        else:
            return False
        if value == found:
            return False
    return False


def _inside(call: Value) -> Value:
    arguments = call.child_by_field_name("arguments")
    function = call.child_by_field_name("function")
    receiver = function.child_by_field_name("object") if function is not None else None
    given = arguments.named_children if arguments is not None else []
    if receiver is not None and receiver.type in ("string", "identifier") and not given:
        return receiver
    return given[0] if given and given[0].type != "integer" else receiver if receiver is not None else call
