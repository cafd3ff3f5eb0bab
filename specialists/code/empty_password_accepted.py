"""Lets an account be created or changed with an empty password (CWE-521)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.values import followed, string_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_SETS = {
    "set_password": (0, "raw_password", "password"),
    "create_user": (2, "password"),
    "create_superuser": (2, "password"),
}
_HASHES = {"make_password": (0, "password"), "generate_password_hash": (0, "password")}
_SETTING = _SETS | _HASHES


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def empty_password_accepted(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "loose")
    if is_trial(action):
        return ok()
    for call, value in _set(code):
        if _may_be_empty(code, value) and not _is_validated(code, call):
            return nudge(
                f"`{call.text[:80]}` sets an empty password if none was sent, and anybody can log in with that.",
                correction="Read the password without a default, data['password'], refuse an empty one, and check it"
                " with validate_password(password, user); set_unusable_password() makes an account without any.",
                evidence=(call.text,),
            )
    return ok()


def _set(code: Module) -> Iterator[tuple[Call, Value]]:
    for call in code.calls_of(_SETTING):
        place, *names = _SETTING[call.method]
        value = call.argument(int(place), *map(str, names))
        if value is not None and call.is_new:
            yield call, value


def _may_be_empty(code: Module, value: Value) -> bool:
    """`data.get("password", "")`, an empty text, or a parameter that is empty unless given."""
    found = followed(code, value)
    if found is None or found.type == "identifier":
        return False
    if string_of(code, found) == "":
        return True
    arguments = found.child_by_field_name("arguments") if found.type == "call" else None
    given = arguments.named_children if arguments is not None else []
    if not code.name_of(found).endswith(".get()") or len(given) != 2:
        return False
    return given[1].type == "string" and string_of(code, given[1]) == ""


def _is_validated(code: Module, call: Call) -> bool:
    """Whether the function refuses an empty one: `if not password`, or a check of its length."""
    value = next((value for each, value in _set(code) if each is call), None)
    name = code.text(value) if value is not None else ""
    scope = code.scope_of(call.node)
    text = code.text(scope) if scope is not None else ""
    return bool(name) and (f"if not {name}" in text or f"len({name})" in text)
