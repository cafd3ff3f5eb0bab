"""Writes a password, token or key into a log (CWE-532)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.names import words_of
from supervisor.evidence.python.templates import template_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_LOGS = ("critical", "debug", "error", "exception", "info", "log", "warn", "warning")
_LOGGERS = ("log", "logger", "logging", "_logger", "_log", "LOG", "LOGGER")
_SECRETS = frozenset({"apikey", "passphrase", "passwd", "password", "pwd", "secret"})
_KEYS = (
    frozenset({"api", "key"}),
    frozenset({"private", "key"}),
    frozenset({"access", "token"}),
    frozenset({"secret", "key"}),
)
_ABOUT_NAMES = (
    "arn attempts changed count enabled exists expires expiry file field hash hashed has is length len masked "
    "max min name path prompt redacted required reset rotation strength type url valid"
)
_ABOUT = frozenset(_ABOUT_NAMES.split())


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def secret_written_to_log(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "leak")
    seen = None if is_trial(action) else next(_logged(code), None)
    if seen is None:
        return ok()
    call, value = seen
    return nudge(
        f"`{code.text(value)[:60]}` is written to the log, which more people and machines read than may have it.",
        correction="Leave the value out and log the event: logger.info('login of %s failed', username).",
        evidence=(call.text,),
    )


def _logged(code: Module) -> Iterator[tuple[Call, Value]]:
    """The logged values that are secrets by their names."""
    for call in code.calls_of(_LOGS):
        owner = call.name.rpartition(".")[0].rpartition(".")[2].removesuffix("()")
        if not call.is_new or (owner not in _LOGGERS and owner != "getLogger"):
            continue
        for argument in call.positional:
            inserted = [hole for _, hole in template_of(code, argument).holes()]
            yield from ((call, value) for value in inserted if _is_secret(code, value))


def _is_secret(code: Module, value: Value) -> bool:
    if value.type == "subscript":
        name = code.text(value.named_children[-1])
    elif value.type in ("attribute", "identifier"):
        name = code.name_of(value).rpartition(".")[2]
    else:
        return False
    words = words_of(name)
    return not words & _ABOUT and (bool(words & _SECRETS) or any(words >= key for key in _KEYS))
