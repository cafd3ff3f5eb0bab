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

from supervisor.evidence.reading.paths import within

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


# Files by the end of their path, as patterns of `re`: each is anchored at the start of a name and at the end.
_FILES: dict[Sort, str] = {
    Sort.BROWSER: r"""
        (?:Login\ Data|Login\ Data\ For\ Account|Cookies|Web\ Data)(?:-journal)?
        (?:logins\.json|key[34]\.db|cookies\.sqlite|signons\.sqlite)  Cookies\.binarycookies""",
    Sort.PASSWORDS: r"""
        etc/g?shadow-?  etc/master\.passwd  etc/security/opasswd  System32/config/(?:SAM|SECURITY|SYSTEM)
        [^/]+\.(?:kdbx?|keychain|keychain-db|keyring|agilekeychain|opvault)  \.htpasswd  kwalletd?/[^/]+\.kwl
        \.password-store/.+\.gpg  NetworkManager/system-connections/[^/]+  etc/ppp/(?:chap|pap)-secrets""",
    Sort.KEY: r"""
        \.ssh/(?:id_[\w.@-]*|identity|[\w.-]+\.(?:pem|key|ppk)|[\w.-]*_(?:rsa|ed25519|ecdsa))
        id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?  etc/ssh/ssh_host_\w+_key  etc/ssl/private/.+  pki/tls/private/.+
        etc/letsencrypt/(?:live|archive)/.+/privkey\d*\.pem  etc/kubernetes/pki/.+\.key  etc/wireguard/[^/]+\.conf
        \.gnupg/(?:private-keys-v1\.d(?:/.*)?|secring\.gpg)  sops/age/keys\.txt  \.config/solana/id\.json
        \.bitcoin/(?:.+/)?wallet\.dat  \.ethereum/keystore/.+  \.config/supervisor/(?:token|signing-key\.pem)""",
    Sort.ACCOUNT: r"""
        \.aws/(?:credentials|(?:sso|cli)/cache/[^/]+)  \.azure/(?:accessTokens\.json|msal_token_cache\.\w+)
        gcloud/(?:credentials\.db|access_tokens\.db|application_default_credentials\.json|legacy_credentials/.+)
        \.kube/config  etc/kubernetes/(?:admin|super-admin|kubelet|controller-manager|scheduler)\.conf
        run/secrets/kubernetes\.io/serviceaccount/token  etc/rancher/\w+/\w+\.yaml  \.docker/config\.json
        \.oci/config  \.databrickscfg  \.snowsql/config  \.kaggle/kaggle\.json  \.terraform\.d/credentials\.tfrc\.json
        \.vault-token  \.(?:config/)?doppler/\.?doppler\.yaml  \.config/op/config  \.fly/config\.yml
        rclone/rclone\.conf
        \.s3cfg  \.boto  [._]netrc  \.git-credentials  \.config/git/credentials  \.pgpass  \.my\.cnf  \.mylogin\.cnf
        \.pypirc  \.gem/credentials  \.cargo/credentials(?:\.toml)?  \.config/gh/hosts\.yml  \.config/hub
        \.config/glab-cli/config\.yml  \.(?:config/)?composer/auth\.json  \.m2/settings(?:-security)?\.xml
        huggingface/(?:token|stored_tokens)  \.huggingface/token  \.codex/auth\.json  \.claude/\.credentials\.json
        \.gemini/oauth_creds\.json  github-copilot/(?:hosts|apps)\.json  \.smbcredentials  \.jenkins/secrets/.+""",
    Sort.PROJECT: r"""
        \.env(?:\.(?!example|sample|template|dist|defaults?|schema|test|ci)[\w-]+)?  \.envrc
        [\w.-]+\.(?:p12|pfx|jks|keystore)
        (?:[\w-]*[._-])?(?:priv(?:ate)?|server|signing|service|tls|ssl)?[_-]?key\.(?:pem|json|p8)  privkey\w*\.pem
        [\w.-]+\.key  (?:service[_-]?account|client_secrets?|credentials?)[\w-]*\.json  secrets?\.(?:ya?ml|json|toml)
        config/credentials/\w+\.key  \.vault[_-]pass(?:word)?(?:\.txt)?""",
}
# `.npmrc` holds a token in a home, and settings in a project.
_IN_HOME = re.compile(r"(?:~|/root|/(?:home|Users)/[^/]+)/\.(?:npmrc|yarnrc\.yml|bunfig\.toml|Renviron|condarc)")
_DIRECTORIES = {
    **dict.fromkeys((".ssh", ".gnupg", "etc/ssl/private", "etc/letsencrypt/live"), Sort.KEY),
    **dict.fromkeys((".aws", ".azure", ".kube", ".config/gcloud", ".docker", ".config/gh"), Sort.ACCOUNT),
    **dict.fromkeys((".password-store", "Library/Keychains", ".local/share/keyrings"), Sort.PASSWORDS),
    **dict.fromkeys((".mozilla/firefox", ".config/google-chrome", ".config/chromium"), Sort.BROWSER),
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
    *("oauth", "opasswd", "passw", "pki", "rancher", "rclone", "secret", "service", "shadow", "smbcred", "snowsql"),
    *("solana", "sops", "ssl", "ssh_host", "system-connections", "system32", "terraform.d", "token", "vault", "wallet"),
    *("web data", "wireguard", "yarnrc", "condarc", "renviron", "bunfig", "ppp", "_key", "-key", "key3", "key4"),
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
def credential_at(path: str, whole: bool = False) -> Credential | None:
    """The credentials at a resolved path, None if there are none; `whole`: including everything below it."""
    spelt = path.replace("\\", "/").rstrip("*").replace("*", "x")  # a glob counts as a name that it matches
    if len(path) > _LONGEST:
        return None
    if not may_be_credential(path) or spelt.endswith(_PUBLIC) or _MADE_FOR_TESTS.search(_NOT_OURS.sub("/", spelt, 1)):
        return None
    for sort, pattern in _patterns().items():
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
def _patterns() -> dict[Sort, re.Pattern[str]]:
    """The patterns by sort. Each name is anchored at a slash, so nothing in a path is read twice."""
    joined = {sort: "|".join(re.split(r"(?<!\\)\s+", names.strip())) for sort, names in _FILES.items()}
    return {sort: re.compile(rf"(?:^|/)(?:{names})$") for sort, names in joined.items()}


_ENVIRONMENTS = re.compile(r"/proc/(?:\d+|self|thread-self|\*|\W+)/environ")


def is_environment(path: str) -> bool:
    """Whether a path is the environment of a process in Linux's /proc."""
    return _ENVIRONMENTS.fullmatch(path) is not None


_SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/Users/Shared", "/srv/http", "/var/www", "/usr/share")
_SERVED = re.compile(r"(?:^|/)(?:public|public_html|static|htdocs|wwwroot|webroot|www)(?:/|$)")


def is_shared(path: str) -> bool:
    """Whether others can read a resolved path: temporary directories, and directories that web servers serve."""
    return any(within(path, shared) for shared in _SHARED) or _SERVED.search(path) is not None
