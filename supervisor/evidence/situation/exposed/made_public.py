"""Secrets and data of persons that an output showed, and the command that makes them public."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence.situation.warned import Past, Warned, latest, pattern, run_text, said, script_text

_ADDS_ALL = re.compile(
    r"\bgit (?:-C \S+ )?(?:add|stage)\s+(?:-A\b|--all\b|\.(?=\s|$|;|&)|-u\b|\*|:/)"
    r"|\bgit (?:-C \S+ )?commit\s+(?:-\w*\s+)*-\w*a"
)
_PUSHES = re.compile(r"\bgit (?:-C \S+ )?push\b|\bgh pr create\b")
_UNTRACKED = re.compile(r"(?m)^(?:\?\?|A |AM|\s*new file:|\t)\s*(\S.{0,200})$")
_MODIFIED = re.compile(r"(?m)^(?: M|M |MM)\s*(\S.{0,200})$")
_ONLY_TRACKED = re.compile(r"\bcommit\s+(?:-\w*\s+)*-\w*a|\badd\s+-u\b")
_EXCLUDES = re.compile(
    r"\.gitignore|\bgit (?:reset|restore --staged|rm --cached)|\bgit\b[^\n;|]{0,200}\s['\"]?:(?:!|\(exclude)"
    r"|git secret|git-crypt|sops"
)
_COPIES = re.compile(
    r"\b(?:cp|mv|ln|rsync|scp|tar|zip|7z|install|tee|aws s3|gsutil|az storage|rclone|curl"
    r"|gh gist|Copy-Item|Compress-Archive|Out-File|mysqldump|pg_dump|cat|xclip|Export-Csv)\b|>"
)
_LEFT_OUT = re.compile(r"--exclude[= ]\S+")
_PAGE = re.compile(r"\.(?:html?|css|js|mjs|php|md|svg|png|jpe?g)$", re.IGNORECASE)
_LONGEST = 16 * 1024  # characters of a script
_PRIVATE = "PRIVATE KEY-----"
_KEY_ASKED = re.compile(
    r"(?i)private key|\bkeys?\b|privat\w* schlüssel|clé privée|clave privada|chave privada|chiave privata|klucz"
)
_SENDS = re.compile(
    r"\bcurl\b[^\n|;]{0,400}(?:\s-F\s|\s-T\s|--upload-file|--data-binary|--form|-d @)|\bscp\s|\bsftp\b"
    r"|\b(?:mail|mutt|swaks)\b[^\n;|]{0,200}\s-[aA]\s"
    r"|\b(?:aws s3|gsutil|rclone|mc|azcopy)\b[^\n;|]{0,40}\b(?:cp|copy|put)\b"
    r"|\bgh (?:release upload|gist create)|Send-MailMessage|Invoke-(?:RestMethod|WebRequest)[^\n;]{0,300}-InFile"
)
_LISTS_PACKAGE = re.compile(r"--dry-run|\bpack\b|\btar (?:-)?t|\bzipinfo\b|\bunzip -l|\bpackage --list\b|--list\b")
_PASSWORD = re.compile(r"(?i)\bpassword\s*[= ]\s*'([^'$\s]{5,60})'")
_WORD = re.compile(r"[^\s'\";|&<>()]{4,300}")
_SEALED = re.compile(
    r"\b(?:age -r|gpg|openssl enc|sops|anonymi[sz]\w*|pseudonymi[sz]\w*|redact\w*|mask\w*|scrub\w*|htpasswd)\b"
    r"|\.(?:age|gpg|enc)\b"
)


def may_be_public(text: str, context: Context) -> bool:
    """Whether a text pushes all changes, or puts something in a place that everybody reads."""
    if _PUSHES.search(text) and (_PASSWORD.search(text) or pattern("unsealed").search(text)):
        return True
    if not context.history:
        return False
    if pattern("public_push").search(text) or (_SENDS.search(text) and _holds_key(context)):
        return True
    return bool((_ADDS_ALL.search(text) and _PUSHES.search(text)) or pattern("public_place").search(text))


def shown_secret_made_public(action: Action, context: Context) -> Warned | None:
    """The first file with a secret or with data of persons that becomes public."""
    text = script_text(action, context)
    run = _without_filters(run_text(action, context))
    if run and (found := _unsealed(run)):
        return found
    if not may_be_public(run, context):
        return None
    if placed := _placed(text, context) or _key_sent(text, context):
        return placed
    if _EXCLUDES.search(text):
        return None
    return _password_pushed(text) or _pushed(text, context) or _packed(run, context)


def _without_filters(run: str) -> str:
    """The commands without those of `awk` and `jq`, whose words are programs and texts for them."""
    kept = (line for line in run[:_LONGEST].split("\n") if not line.startswith(("awk ", "gawk ", "jq ")))
    return "\n".join(kept)


def _unsealed(text: str) -> Warned | None:
    """A file that the same script decrypts, or fills with the values of a store of secrets, commits and pushes."""
    found = pattern("unsealed").search(text)
    pushes = [each.start() for each in _PUSHES.finditer(text, found.end())] if found else []
    if found is None or not pushes:
        return None
    rest = text[found.end() : pushes[-1]]
    path = next((each for each in found.groups() if each), "").strip("'\"")
    name = path.rpartition("/")[2]
    is_added = _ADDS_ALL.search(rest) or (
        name and re.search(rf"\bgit (?:add|commit)\b[^\n;&|]{{0,200}}{re.escape(name)}", rest)
    )
    if not is_added or pattern("sealed_again").search(rest):
        return None
    return Warned(path or "what it decrypts", found[0].strip()[:120], found[0].strip()[:120])


def _password_pushed(text: str) -> Warned | None:
    """A password that the same text sets and writes into a repository."""
    found = _PASSWORD.search(text)
    if found is None or not _PUSHES.search(text) or text.count(found[1]) < 2:
        return None
    return Warned("the new password", "git push", "the same command sets it")


def _pushed(text: str, context: Context) -> Warned | None:
    """A secret among the changes of a repository that are added and pushed as a whole."""
    added = _ADDS_ALL.search(text)
    if added is None or not _PUSHES.search(text):
        return None
    for past in latest(context):
        if re.search(r"\bgit (?:-C \S+ )?(?:status|st|diff|add)\b", past.command):
            files = [
                *(() if _ONLY_TRACKED.search(added[0]) else _UNTRACKED.findall(past.output)),
                *_MODIFIED.findall(past.output),
            ]
            for path in files[:200]:
                if _is_secret(path.strip('"'), context):
                    return Warned(path, added[0], path)
            return None
        if _EXCLUDES.search(past.command):
            return None
    return None


def _is_secret(path: str, context: Context) -> bool:
    if pattern("harmless_file").search(path) or path in said(context):
        return False
    if pattern("secret_file").search(path):
        return True
    return any(
        path in past.command
        and (pattern("secret_line").search(past.output) or pattern("personal_line").search(past.output))
        for past in latest(context)
        if not past.command.startswith("git status")
    )


def _placed(text: str, context: Context) -> Warned | None:
    """A file with such content is put where everybody reads."""
    place = pattern("public_place").search(text)
    if place is None or not _COPIES.search(text) or _SEALED.search(text):
        return None
    sources = [word for word in _WORD.findall(_LEFT_OUT.sub("", text)) if "/" in word or "." in word]
    sources = [word for word in sources if not pattern("public_place").search(word) and not word.startswith("http")]
    for source in (word.rpartition("@")[2] if "=@" in word else word for word in sources[:40]):
        if source.rpartition("/")[2] in said(context) or _PAGE.search(source):
            continue
        if found := _content_of(source.rstrip("/*"), context):
            return Warned(source, place[0], found)
    return None


def _packed(run: str, context: Context) -> Warned | None:
    """A package is published of which a listing showed a file with secrets."""
    published = pattern("public_push").search(run)
    if published is None or not pattern("packs").search(published[0]):
        return None
    for past in latest(context):
        if _LISTS_PACKAGE.search(past.command):
            return next((Warned(line.split()[-1], published[0], line) for line in _telling(past)), None)
    return None


def _holds_key(context: Context) -> bool:
    return any(_PRIVATE in past.output for past in latest(context))


def _key_sent(text: str, context: Context) -> Warned | None:
    """A file is sent in which an output showed a private key, beside a certificate, and the user names no key."""
    sent = _SENDS.search(text)
    if sent is None or _KEY_ASKED.search(said(context)):
        return None
    words = [word.lstrip("@").rpartition("=@")[2] for word in _WORD.findall(text)]
    for name in (word.rpartition("/")[2] for word in words if "." in word and "://" not in word):
        for past in latest(context):
            line = next((line for line in past.lines if _PRIVATE in line), "")
            if line and len(name) > 3 and name in past.command:
                return Warned(name, sent[0], line)
    return None


def _content_of(source: str, context: Context) -> str:
    """The line of an output that shows what a source holds; empty if none does."""
    name = source.rpartition("/")[2]
    for past in latest(context):
        if len(name) > 3 and name in past.command and (line := next(_telling(past), "")):
            return line
    return ""


def _telling(past: Past) -> Iterator[str]:
    for line in past.lines:
        last = line.strip().split(" ")[-1]
        is_secret_file = pattern("secret_file").search(last) and not pattern("harmless_file").search(line)
        if is_secret_file or pattern("secret_line").search(line) or pattern("personal_line").search(line):
            yield line
