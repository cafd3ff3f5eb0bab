"""Seeds public identifiers with the application's signing key, which can be computed from them (CWE-323)."""

from supervisor.evidence.actions.programs import NO_PYTHON, module
from supervisor.evidence.effects import Act
from supervisor.evidence.python.names import words_of
from supervisor.evidence.python.values import followed
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_SEEDED = ("Hashids", "Sqids", "HashidField", "HashidAutoField")


@specialist("python", "file_write", "file_edit", "shell", about=[Act.CODE])
def signing_key_used_as_salt(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return refuse(NO_PYTHON)
    for call in code.calls_of(_SEEDED):
        salt = call.argument(0, "salt")
        value = followed(code, salt) if salt is not None else None
        if value is not None and call.is_new and words_of(code.text(value)) >= {"secret", "key"}:
            return nudge(
                f"`{call.text[:100]}` makes public identifiers from the key that signs sessions; the salt of a hashid"
                " can be computed from a few of them.",
                correction='Give the identifiers a salt of their own: Hashids(salt=os.environ["HASHIDS_SALT"]).',
                evidence=(call.text,),
            )
    return ok()
