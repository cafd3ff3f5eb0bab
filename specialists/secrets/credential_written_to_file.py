"""Writes a credential into a file that others will read: source, configuration, documentation."""

from collections.abc import Iterator

from supervisor.evidence.secrets import Secret, secrets_in
from supervisor.evidence.secrets.passwords import passwords_in
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

# Files whose purpose is to hold credentials, outside version control by convention.
_SECRET_STORE = Pattern(
    r"(^|/)(\.env(\.(?!example|sample|template|dist)[\w.-]+)?|\.netrc|\.pgpass|\.my\.cnf|\.pypirc|id_[a-z0-9]+"
    r"|[\w.-]+\.(pem|key|p12|pfx|jks|age|kdbx)|\.vault-token|[\w.-]+\.local(\.[a-z]+)?)$"
    r"|(^|/)(\.aws|\.ssh|\.gnupg|\.docker|\.kube|secrets?)/"
)
_TEST_FILE = Pattern(r"(^|/)(tests?|specs?|fixtures|testdata|__tests__)/|(^|/)test_[^/]*$|[._-](test|spec)\.\w+$")
_CORRECTION = (
    "Read the value from an environment variable or a secret store, and name that in the file instead."
    " Put the value itself into a file that version control ignores, such as .env."
)
_MADE_UP_IN_TESTS = frozenset(
    ("assigned_secret", "authorization", "bundler_credentials", "jwt", "password", "url_password", "vendor_key")
)


@specialist("file_write", "file_edit")
def credential_written_to_file(action: Action, context: Context) -> Opinion:
    """Secret stores (`.env`, `~/.aws`, key files) are where credentials belong. Tests make passwords up."""
    path = action.text("path")[:4096]
    if _SECRET_STORE.search(path):
        return ok()
    kept = {found.token for text in (action.text("old"), _lines(action, "-")) for found in secrets_in(text)}
    ignored = _MADE_UP_IN_TESTS if _TEST_FILE.search(path) else frozenset()
    for text in _written(action):
        for found in secrets_in(text):
            if found.type not in ignored and found.token not in kept:
                return _corrected(found, path or "the file")
    return ok() if ignored else _password(action, path)


def _password(action: Action, path: str) -> Opinion:
    """The same of passwords that no mask covers. What is told of one is its place."""
    kept = {found.text for text in (action.text("old"), _lines(action, "-")) for found in passwords_in(text)}
    for text in _written(action):
        for found in passwords_in(text):
            if found.text not in kept:
                return nudge(
                    f"It writes a password in clear into {path or 'the file'}, in {found.place}.",
                    correction=_CORRECTION,
                    sharper=f"Put a reference such as ${{NAME}} in the place of the value in {found.place}.",
                )
    return ok()


def _written(action: Action) -> Iterator[str]:
    """The text that will stand in the file and did not stand there before, as far as the action tells."""
    yield action.text("content")
    yield action.text("new")
    yield _lines(action, "+")
    edits = action.get("edits")
    for edit in edits if isinstance(edits, list) else ():
        if isinstance(edit, dict):
            yield from (str(edit[name]) for name in ("new_string", "new_str", "new_text", "new") if name in edit)


def _lines(action: Action, sign: str) -> str:
    """The lines that a patch adds (`+`) or takes away (`-`), where it holds secrets at all."""
    patch = action.text("patch")
    if not secrets_in(patch) and not passwords_in(patch):
        return ""
    return "\n".join(line for line in patch.splitlines() if line.startswith(sign))


def _corrected(found: Secret, path: str) -> Opinion:
    return nudge(
        f"It writes a credential ({found.type}) in clear into {path}.",
        correction=_CORRECTION,
        sharper=f"Replace {found.token} by a reference such as ${{NAME}} or os.environ['NAME']; change nothing else.",
        evidence=(found.token,),
    )
