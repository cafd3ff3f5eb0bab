"""Where credentials live: the files in which programs keep keys, passwords and tokens.

The places are those in each product's documentation. A public key, an example and a test fixture do not count.
"""

from __future__ import annotations

import functools
import re
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import re2

from supervisor.evidence.machine.places import credential_patterns
from supervisor.evidence.reading.paths import within
from supervisor.evidence.reading.windows_paths import is_drive_path

_LONGEST = 4096  # characters; PATH_MAX of Linux


class Sort(StrEnum):
    """What the credentials in a file open."""

    KEY = "a private key"
    ACCOUNT = "the credentials of an account"
    PASSWORDS = "stored passwords"
    BROWSER = "what a browser keeps of its user's logins"
    PROJECT = "a project's own secrets"


class Credential(NamedTuple):
    """A file with credentials, or a directory of such files."""

    path: str
    sort: Sort


# `.npmrc` holds a token in a home, and settings in a project.
_IN_HOME = re.compile(r"(?:~|/root|/(?:home|Users)/[^/]+)/\.(?:npmrc|yarnrc\.yml|bunfig\.toml|Renviron|condarc)")
_DIRECTORIES = {
    **dict.fromkeys((".ssh", ".gnupg", "etc/ssl/private", "etc/letsencrypt/live"), Sort.KEY),
    **dict.fromkeys((".aws", ".azure", ".kube", ".config/gcloud", ".docker", ".config/gh"), Sort.ACCOUNT),
    **dict.fromkeys((".password-store", "Library/Keychains", ".local/share/keyrings"), Sort.PASSWORDS),
    **dict.fromkeys((".mozilla/firefox", ".config/google-chrome", ".config/chromium"), Sort.BROWSER),
    **dict.fromkeys(("google/chrome/user data", "microsoft/edge/user data", "mozilla/firefox/profiles"), Sort.BROWSER),
    **dict.fromkeys(("microsoft/credentials", "microsoft/protect", "microsoft/vault"), Sort.PASSWORDS),
    **dict.fromkeys(("Application Support/Google/Chrome", "Application Support/Firefox"), Sort.BROWSER),
}
_PUBLIC = (".pub", ".pub.pem", ".example", ".sample", ".template", ".crt", ".cer")
# One file of each sort of place, by which a pattern of names is recognised: `~/.aws/cred*`, `/etc/shad?w`.
_SAMPLES = (
    ".ssh/id_rsa .ssh/id_ed25519 .ssh/id_ecdsa .ssh/id_dsa .aws/credentials .netrc .git-credentials .kube/config"
    " .docker/config.json .pgpass .pypirc .env .npmrc .vault-token .my.cnf .config/gh/hosts.yml .gnupg/secring.gpg"
    " .config/gcloud/application_default_credentials.json .azure/msal_token_cache.json etc/shadow etc/gshadow"
    " .password-store/mail.gpg .claude/.credentials.json .codex/auth.json .cargo/credentials.toml etc/ssl/private/a.key"
).split()
_PATTERN = frozenset("*?[")
# Homes and places of the system, which hold no fixtures at their top, whatever the user is called.
_NOT_OURS = re.compile(r"(?:~[^/]*|/root|/(?:home|Users)/[^/]+)/|/(?:etc|run|root|var/lib)/.*")
_MADE_FOR_TESTS = re.compile(
    r"(?:^|/)(?:tests?|testdata|testing|fixtures?|specs?|examples?|mocks?|node_modules|site-packages)/"
)
# Parts of the paths above in lower case, one in each path: most other paths are ruled out by these.
_HINTS = (
    *(".ssh", ".aws", ".azure", ".boto", ".bitcoin", ".cnf", ".docker", ".env", ".ethereum", ".fly", ".gem", ".gnupg"),
    *(".jks", ".kdb", ".key", ".m2/", ".oci", ".opvault", ".p12", ".pem", ".pfx", ".pgpass", ".pypirc", ".s3cfg"),
    *("auth.json", "browser", "chrom", "composer", "config/g", "config/hub", "config/op", "cookies", "credential"),
    *("cred", "databricks", "doppler", "firefox", "gcloud", "git-cred", "htpasswd", "huggingface", "id_", "identity"),
    *("keyring", "keychain", "keystore", "kaggle", "kube", "kwallet", "letsencrypt", "login", "netrc", "npmrc"),
    *(
        "oauth",
        "opasswd",
        "openvpn",
        "passw",
        "pki",
        "rancher",
        "rclone",
        "secret",
        "service",
        "shadow",
        "smbcred",
        "snowsql",
    ),
    *("solana", "sops", "ssl", "ssh_host", "system-connections", "system32", "terraform.d", "token", "vault", "wallet"),
    *("web data", "wireguard", "yarnrc", "condarc", "renviron", "bunfig", "ppp", "_key", "-key", "key3", "key4"),
    *("ntds", "repair/sam", "microsoft/protect", "user data"),
    *("signons", "privkey", "key.", "hosts.yml", "github-copilot", "environ"),
)


def may_be_credential(path: str) -> bool:
    """Whether a path is worth `credential_at`, in bounded time, without false negatives."""
    return len(path) > _LONGEST or _hinted().search(path) is not None


@functools.cache
def _hinted() -> Any:
    """The hints, and patterns of names at hidden places and in /etc, as one pattern of linear time."""
    return re2.compile(rf"(?i){'|'.join(map(re.escape, _HINTS))}|(?:^|/)(?:\.|etc/)\S*[*?\[]")


@functools.lru_cache(maxsize=1024)
def credential_at(path: str, whole: bool = False, ours: bool = True) -> Credential | None:
    """The credentials at a resolved path, None if there are none; `whole`: including everything below it. Fixtures of
    tests hold none; `ours`: whether the path is in the workspace, since elsewhere a directory's name proves nothing."""
    spelt = path.replace("\\", "/").rstrip("*").replace("*", "x")  # a glob counts as a name that it matches
    if len(path) > _LONGEST:
        return None
    if not may_be_credential(path) or spelt.endswith(_PUBLIC):
        return None
    if ours and _MADE_FOR_TESTS.search(_NOT_OURS.sub("/", spelt, 1)):
        return None
    ignores_case = is_drive_path(spelt) or spelt.startswith("~/appdata/")
    for sort, pattern in _patterns(ignores_case).items():
        if pattern.search(spelt):
            return Credential(path, sort)
    if _IN_HOME.fullmatch(spelt):
        return Credential(path, Sort.ACCOUNT)
    sort_below = (_below(spelt) if whole else None) or _sort_of_matches(path)
    return Credential(path, sort_below) if sort_below else None


def _sort_of_matches(path: str) -> Sort | None:
    """The sort of the first known file that a pattern of names matches."""
    for sample in _SAMPLES if _PATTERN & set(path) else ():
        last = path.split("/")[-sample.count("/") - 1 :]
        if len("".join(last)) > 1 and not _is_wide(last) and fnmatchcase(sample, "/".join(last)):
            found = credential_at(f"~/{sample}")
            return found.sort if found else None
    return None


def _is_wide(names: list[str]) -> bool:
    """Whether a pattern names no place: `*`, `src/*.py`."""
    return "".join(names).strip("*?.[]!") == "" or not any(name.startswith((".", "etc")) for name in names)


def _below(path: str) -> Sort | None:
    """The sort of a directory that contains only credentials."""
    for name, sort in _DIRECTORIES.items():
        if path == name or path.endswith(f"/{name}"):
            return sort
    return None


@functools.cache
def _patterns(ignores_case: bool = False) -> dict[Sort, re.Pattern[str]]:
    """The patterns by sort. Each name is anchored at a slash, so nothing in a path is read twice."""
    joined = {sort: "|".join(re.split(r"(?<!\\)\s+", names.strip())) for sort, names in credential_patterns().items()}
    flags = re.IGNORECASE if ignores_case else 0
    return {Sort[sort.upper()]: re.compile(rf"(?:^|/)(?:{names})$", flags) for sort, names in joined.items()}


_ENVIRONMENTS = re.compile(r"/proc/(?:\d+|self|thread-self|\*|\W+)/environ")


def is_environment(path: str) -> bool:
    """Whether a path is the environment of a process in Linux's /proc."""
    return _ENVIRONMENTS.fullmatch(path) is not None


_SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/Users/Shared", "/srv/http", "/var/www", "/usr/share")
_SERVED = re.compile(r"(?:^|/)(?:public|public_html|static|htdocs|wwwroot|webroot|www)(?:/|$)")


def is_shared(path: str) -> bool:
    """Whether others can read a resolved path: temporary directories, and directories that web servers serve."""
    return any(within(path, shared) for shared in _SHARED) or _SERVED.search(path) is not None
