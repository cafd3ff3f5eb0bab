"""Writes a credential into a file that others will read: source, configuration, documentation."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.patched import changes_of
from supervisor.evidence.flows.grammar import SUFFIXES
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
_TEST_FILE = Pattern(
    r"(^|/)(test(s|suites?|data)?|specs?|fixtures|__tests__)/|(^|/)test_[^/]*$|[._-](test|spec)\.\w+$"
    r"|[a-z0-9]Tests?\.(cc|cpp|cs|dart|go|groovy|h|java|jsx?|kt|php|py|rb|rs|scala|swift|tsx?|vb)$"
)
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
        kept, new = {found.token for found in secrets_in(old)}, _without_examples(path, new)
        ignored = _MADE_UP_IN_TESTS if _TEST_FILE.search(path) else frozenset()
        for found in secrets_in(new):
            is_real = found.type not in ignored and not _is_of_trial(found, new) and not _is_public(found, new)
            if is_real and found.token not in kept:
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


def _is_public(found: Secret, text: str) -> bool:
    """Whether a value is the public key of an assembly of .NET, by which programs name it (ECMA-335, II.6.2.1.3), is
    encrypted, as its name says, or belongs to a type of resource: `"AWS::SecretsManager::Secret": "c85175a4…"`."""
    before = text[max(0, found.position - 160) : found.position]
    if _PUBLIC_KEY.search(before):
        return True
    # A value in an issuer's format is what its format says, whatever its name is.
    if found.type == "assigned_secret" and _TYPE.search(before):
        return True
    return found.type in ("assigned_secret", "password") and _ENCRYPTED.search(before) is not None


def _without_examples(path: str, text: str) -> str:
    """A text without the addresses in its documentation that lead to no real host: the word for one, or a name that
    nobody can have (RFC 2606)."""
    if "@" not in text or not path.endswith(_CODE):
        return text
    parts = _DOCSTRING if path.endswith(".py") else _COMMENT
    return parts.sub(lambda found: _EXAMPLE.sub("://", found[0]), text)


_PUBLIC_KEY = re.compile(r"(?i)\bpublic_?key_?token\b[\"']?\s*[:=]\s*[\"'\\]*\Z")
_ENCRYPTED = re.compile(  # and not `unencrypted`, `NOT_ENCRYPTED`
    r"(?<!(?i:un|de|no))(?<!(?i:un|de|no)[_.-])(?<!(?i:not|non))(?<!(?i:not|non)[_.-])"
    r"(?:[eE]ncrypted|[oO]bscured|ENCRYPTED)\w{0,40}[\"']?\s*:?[:=]\s*[\"'`]?\Z"
)
_TYPE = re.compile(r"[\"'](?:AWS|Alexa|Custom)(?:::[A-Z][A-Za-z0-9]{0,60}){2}[\"']\s*:\s*[\"']\Z")
_EXAMPLE = re.compile(
    r"://[^\s:/@]{0,80}:[^\s/@]{1,80}@"
    r"(?:host(?:name)?|server|proxy|(?:[\w-]+\.)*example(?:\.(?:com|net|org))?|(?:[\w-]+\.)+(?:test|invalid|localhost))(?![\w.-])"
)
_DOCSTRING = re.compile(r"^[ \t]*[rRuU]?(\"\"\"|''').*?\1|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://[/!]|/?\*).*$", re.MULTILINE)
_CODE = (".py", *(suffix for suffixes in SUFFIXES.values() for suffix in suffixes))
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
