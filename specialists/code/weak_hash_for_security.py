"""Protects a password, a token or a signature with a hash that can be reversed or forged (CWE-328)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.names import surroundings_of, words_in
from supervisor.evidence.python.repairs import Change, instead, renamed, shown
from supervisor.evidence.python.values import is_false, string_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_WEAK = frozenset({"md2", "md4", "md5", "sha", "sha1"})
_LIBRARIES = ("Crypto.Hash.", "Cryptodome.Hash.", "cryptography.hazmat.primitives.hashes.", "hashlib.", "hashes.")
_MODULES = frozenset({"md5.new", "md5.md5", "sha.new", "sha.sha"})
_SECRETS_NAMES = (
    "auth credential credentials csrf hmac hmacs nonce otp passphrase passwd password passwords pwd salt "
    "secret session sign signature signed token tokens"
)
_SECRETS = frozenset(_SECRETS_NAMES.split())
_PASSWORDS = frozenset({"passphrase", "passwd", "password", "passwords", "pwd"})
_SUMS_NAMES = (
    "cache checksum checksums chunk chunks color content dedup digest duplicate etag file files filename "
    "fingerprint fingerprints hash id identifier key keys path shard url uuid version"
)
_SUMS = frozenset(_SUMS_NAMES.split())


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def weak_hash_for_security(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "hash")
    found = _insecure(code)
    if not found:
        return ok()
    call, is_password = found[0][0], any(near & _PASSWORDS for _, near in found)
    repair = "" if is_password else shown(code, (_stronger(each) for each, _ in found), _insecure)
    return nudge(
        _reason(call.text),
        correction="For a password use hashlib.scrypt(password, salt=os.urandom(16), n=2**14, r=8, p=1)."
        if is_password
        else "Use SHA-256: hashlib.sha256(data), hashes.SHA256(), Crypto.Hash.SHA256. For a mere checksum say so:"
        f" hashlib.md5(data, usedforsecurity=False).{repair}",
        evidence=(call.text,),
    )


def _insecure(code: Module) -> list[tuple[Call, frozenset[str]]]:
    """The weak hashes that are used for security, with the words around them."""
    found = ((call, surroundings_of(code, call.node)) for call in _weak(code))
    return [(call, near) for call, near in found if _is_for_security(call, near)]


def _is_for_security(call: Call, near: frozenset[str]) -> bool:
    return bool(near & _SECRETS) or not call.name.startswith("hashlib") or _is_bare(call.code, near)


def _stronger(call: Call) -> Change | None:
    """The same call with SHA-256."""
    if call.name == "hashlib.new":
        named = call.argument(0, "name")
        return instead(named, '"sha256"') if named is not None else None
    owner, _, last = call.name.rpartition(".")
    if owner == "hashlib":
        return renamed(call, "hashlib.sha256")
    return renamed(call, f"{owner}.SHA256") if last in ("MD5", "SHA1") else None


def _reason(seen: str) -> str:
    return f"`{seen[:80]}` is a hash with known collisions, of which an attacker can try billions a second."


def _weak(code: Module) -> Iterator[Call]:
    for call in code.calls_of(("MD2", "MD4", "MD5", "SHA", "SHA1", "md4", "md5", "new", "sha", "sha1")):
        if call.is_new and _is_weak(call) and not is_false(code, call.keywords.get("usedforsecurity")):
            yield call


def _is_weak(call: Call) -> bool:
    name = call.name
    if name == "hashlib.new":
        named = call.argument(0, "name")
        told = string_of(call.code, named) if named is not None else None
        return told is not None and told.lower().replace("-", "") in _WEAK
    if name in _MODULES:
        return True
    last = name.removesuffix(".new").rpartition(".")[2].lower()
    return last in _WEAK and (name.startswith(_LIBRARIES) or f".{name}".endswith((".hashes.MD5", ".hashes.SHA1")))


def _is_bare(code: Module, near: frozenset[str]) -> bool:
    """Whether nothing around the hash identifies it as a checksum."""
    return not near & _SUMS and not words_in(code) & (_SUMS | {"test", "bytes"})
