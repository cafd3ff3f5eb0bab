"""Makes a password, token or key with a generator whose next values can be computed (CWE-338)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.names import surroundings_of
from supervisor.evidence.python.repairs import Change, renamed, shown
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_DRAWS = ("choice", "choices", "getrandbits", "randbytes", "randint", "random", "randrange", "sample", "uniform")
_CLOCKS = frozenset({"uuid.uuid1", "time.time"})
_BY_SECRETS = {"choice": "secrets.choice", "getrandbits": "secrets.randbits", "randbytes": "secrets.token_bytes"}
_SECRETS_NAMES = (
    "apikey auth authcode captcha cookie credential csrf invite nonce otp passcode passphrase passwd password "
    "passwords pin pwd salt secret session sessionid token tokens verification"
)
_SECRETS = frozenset(_SECRETS_NAMES.split())
_OTHER_TOKENS_NAMES = (
    "batch dataset embedding ids mask model prompt sentence tokenize tokenizer tokens train vocab vocabulary"
)
_OTHER_TOKENS = frozenset(_OTHER_TOKENS_NAMES.split())


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def guessable_token(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "random")
    found = list(_guessable(code))
    if not found:
        return ok()
    return nudge(
        f"`{found[0].text[:80]}` makes a secret from numbers that can be computed from a few earlier ones.",
        correction="Use the secrets module: secrets.token_urlsafe(32) for a token, secrets.choice(alphabet) for each"
        f" character of a password, secrets.randbelow(10**6) for a code.{shown(code, map(_drawn, found), _guessable)}",
        evidence=(found[0].text,),
    )


def _guessable(code: Module) -> Iterator[Call]:
    for call in code.calls_of((*_DRAWS, "uuid1")):
        if not call.is_new or not (call.name.startswith(("random.", "numpy.random.")) or call.name in _CLOCKS):
            continue
        near = surroundings_of(code, call.node)
        if near & _SECRETS and not (near & _OTHER_TOKENS or "SystemRandom" in call.name):
            yield call


def _drawn(call: Call) -> Change | None:
    """The same call with the operating system's random source."""
    if call.name == "uuid.uuid1":
        return renamed(call, "uuid.uuid4", most=0)
    known = call.name.startswith("random.") and call.name.count(".") == 1
    return renamed(call, _BY_SECRETS.get(call.method, f"secrets.SystemRandom().{call.method}")) if known else None
