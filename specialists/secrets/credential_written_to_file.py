"""Writes a credential into a file that others will read: source, configuration, documentation."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.patched import changes_of
from supervisor.evidence.secrets import Secret, secrets_in
from supervisor.evidence.secrets.passwords import is_of_developers, passwords_in
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
    "Read the value from an environment variable or a secret store, and put that name into the file instead."
    " Put the value itself into a file that version control ignores, such as .env."
)
_NEW = ("new_string", "new_str", "new_text", "new", "newText", "newString")
_MADE_UP_IN_TESTS = frozenset(
    ("assigned_secret", "authorization", "bundler_credentials", "jwt", "password", "url_password", "vendor_key")
)


@specialist("file_write", "file_edit")
def credential_written_to_file(action: Action, context: Context) -> Opinion:
    """Files that are secret stores (`.env`, `~/.aws`, key files) may hold credentials. Tests use made-up passwords."""
    for path, new, old in _written(action, context):
        if _SECRET_STORE.search(path):
            continue
        kept = {found.token for found in secrets_in(old)}
        ignored = _MADE_UP_IN_TESTS if _TEST_FILE.search(path) else frozenset()
        for found in secrets_in(new):
            if found.type not in ignored and found.token not in kept and not _is_of_trial(found, new):
                return _corrected(found, path or "the file")
        if not ignored and (place := _password(new, old)):
            return _corrected_password(path, place)
    return ok()


def _is_of_trial(found: Secret, text: str) -> bool:
    """Whether a password in a URL opens a service beside the program alone, to a user of the developers:
    `postgres://dev:…@db:5432/app`."""
    if found.type != "url_password":
        return False
    around = _IN_URL.search(text[max(0, found.position - 100) : found.position + len(found.token) + 100])
    return around is not None and is_of_developers(around["user"], around["host"])


_IN_URL = re.compile(r"://(?P<user>[\w-]{1,40}):[^\s@]{1,80}@(?P<host>[\w.-]{1,100})")


def _password(new: str, old: str) -> str:
    """The place of an unmasked password that the old text does not contain; empty if none."""
    kept = {found.text for found in passwords_in(old)}
    return next((found.place for found in passwords_in(new) if found.text not in kept), "")


def _corrected_password(path: str, place: str) -> Opinion:
    """The correction names the place of the password, not its value."""
    return nudge(
        f"It writes a password in clear into {path or 'the file'}, in {place}.",
        correction=_CORRECTION,
        sharper=f"Replace the value in {place} by a reference such as ${{NAME}}.",
    )


def _written(action: Action, context: Context) -> Iterator[tuple[str, str, str]]:
    """Yields each file with its new text and the text that it replaces, as far as the action contains them."""
    if changes := changes_of(action, context):
        yield from ((each.path[:4096], each.after, each.before) for each in changes)
        return
    path, old = action.text("path")[:4096], action.text("old")
    yield path, action.text("content"), old
    yield path, action.text("new"), old
    edits = action.get("edits")
    for edit in edits if isinstance(edits, list) else ():
        if isinstance(edit, dict):
            yield from ((path, str(edit[name]), old) for name in _NEW if name in edit)


def _corrected(found: Secret, path: str) -> Opinion:
    return nudge(
        f"It writes a credential ({found.type}) in clear into {path}.",
        correction=_CORRECTION,
        sharper=f"Replace {found.token} by a reference such as ${{NAME}} or os.environ['NAME']; change nothing else.",
        evidence=(found.token,),
    )
