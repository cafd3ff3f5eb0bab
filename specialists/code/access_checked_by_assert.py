"""Guards an access by `assert`, which an optimised run leaves out (CWE-617)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import NO_PYTHON, module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Module, Value
from supervisor.evidence.python.names import words_of
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_GRANTS = (
    *(
        ".has_perm(",
        ".has_permission(",
        ".is_admin",
        ".is_authenticated",
        ".is_staff",
        ".is_superuser",
        "check_password(",
    ),
    *("compare_digest(", "verify_signature(", "verify_password(", "has_role(", ".is_owner", "is_authorized("),
)


@specialist("python", "file_write", "file_edit", "shell", about=[Act.CODE])
def access_checked_by_assert(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return refuse(NO_PYTHON)
    seen = None if is_trial(action) else next(_guards(code), None)
    if seen is None:
        return ok()
    text = code.text(seen)
    return nudge(
        f"`{text[:80]}` is the only check here, and python -O removes every assert.",
        correction=f"Raise instead: `if not ({text.removeprefix('assert').partition(',')[0].strip()[:60]}): raise"
        " PermissionDenied`.",
        evidence=(text[:200],),
    )


def _guards(code: Module) -> Iterator[Value]:
    for statement in code.nodes("assert_statement"):
        function = code.scope_of(statement)
        title = function.child_by_field_name("name") if function is not None else None
        is_test = title is None or bool(words_of(code.text(title)) & {"test", "tests"})
        if not is_test and code.is_new(statement) and any(grant in code.text(statement) for grant in _GRANTS):
            yield statement
