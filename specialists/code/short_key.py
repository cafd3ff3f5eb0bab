"""Makes a key that is too short to resist today's machines (CWE-326)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.repairs import Change, instead, shown
from supervisor.evidence.python.values import number_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

LEAST_BITS = 2048  # of RSA, DSA and Diffie-Hellman, by NIST SP 800-57
_SIZES = {"rsa": (1, "key_size", "bits"), "dsa": (0, "key_size", "bits"), "dh": (1, "key_size")}
_CURVES = frozenset({"SECP160R1", "SECP192R1", "SECT163K1", "SECT163R2", "SECP112R1", "SECP128R1", "BrainpoolP160R1"})


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def short_key(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "short")
    found = list(_short(code))
    if not found:
        return ok()
    seen, repair = found[0], shown(code, map(_longer, found), _short)
    return nudge(
        f"`{seen.text[:100]}` makes a key that can be computed from its public half.",
        correction="Use rsa.generate_private_key(public_exponent=65537, key_size=3072), or a key on a curve:"
        f" ec.generate_private_key(ec.SECP256R1()), ed25519.Ed25519PrivateKey.generate().{repair}",
        evidence=(seen.text,),
    )


def _longer(call: Call) -> Change | None:
    """The same call with a sufficient key length."""
    values = [*call.positional, *call.keywords.values()]
    short = next((value for value in values if value.type == "integer" and _is_short(call.code, value)), None)
    return instead(short, "3072") if short is not None else None


def _is_short(code: Module, value: Value) -> bool:
    bits = number_of(code, value)
    return bits is not None and 256 <= bits < LEAST_BITS


def _short(code: Module) -> Iterator[Call]:
    for call in code.calls_of(("generate_private_key", "generate", "generate_parameters", "newkeys", "gen_key")):
        bits = _bits(call) if call.is_new else None
        if bits is not None and bits < LEAST_BITS:
            yield call
    for call in code.calls_of(["generate_private_key"]):
        curve = call.argument(0, "curve")
        if curve is not None and call.is_new and code.name_of(curve).removesuffix("()").rpartition(".")[2] in _CURVES:
            yield call


def _bits(call: Call) -> int | None:
    """The length that a call requests; None if the kind of key or the length is unknown."""
    kind = call.name.lower().split(".")
    if "newkeys" in kind:
        return number_of(call.code, call.positional[0]) if call.positional else None
    for name, (place, *names) in _SIZES.items():
        if any(part.startswith(name) for part in kind):
            return _number(call, call.argument(_place(call, int(place)), *map(str, names)))
    return None


def _place(call: Call, place: int) -> int:
    """PyCryptodome's and paramiko's `RSA.generate(bits)` take the length first."""
    return 0 if call.method == "generate" else place


def _number(call: Call, value: Value | None) -> int | None:
    return number_of(call.code, value) if value is not None else None
