"""What a system or an account needs to run: directory trees, and files with its configuration.

The trees follow the Filesystem Hierarchy Standard 3.0; a tree of one product below them (`/etc/nginx`,
`/var/lib/mysql`) belongs to that product and is not vital.
"""

from __future__ import annotations

from supervisor.evidence.machine.places import kind_at

# On any drive, as `windows_paths` spells it.
_WINDOWS = frozenset(
    ("", "/windows", "/windows/system32", "/windows/syswow64", "/program files", "/program files (x86)", "/programdata")
)
_SECRET_TREES = (".aws", ".gnupg", ".kube", ".ssh")
_KEYS_OF_SSH = (".ssh/id_ed25519", ".ssh/id_rsa")
_GENERATED = frozenset(".aws/credentials .docker/config.json .kube/config .netrc .npmrc .pypirc".split())


def is_vital_tree(path: str) -> bool:
    """Whether a resolved path is a tree that everything on the machine needs."""
    return (path[2:3] == ":" and path[3:] in _WINDOWS) or kind_at(path) == "tree"


def is_program(path: str) -> bool:
    """Whether a resolved path lies among the system's own programs, libraries and kernels."""
    return kind_at(path) == "program"


def is_settings(path: str) -> bool:
    """Whether a resolved path is a configuration file of every system or an account that people write."""
    return kind_at(path) in ("system settings", "account settings") or below_home(path) in _KEYS_OF_SSH


def is_generated(path: str) -> bool:
    """Whether a resolved path is a configuration file that programs also write and often recreate."""
    return kind_at(path) == "generated" or below_home(path) in _GENERATED


def is_home(path: str) -> bool:
    """Whether a resolved path is a whole home directory."""
    if path[2:10] == ":/users/":
        return path.count("/") == 3
    return path in ("~", "/root") or (path.startswith(("/home/", "/Users/")) and path.count("/") == 2)


def is_private(path: str) -> bool:
    """Whether a resolved path is a directory with an account's keys, or lies in one."""
    return below_home(path).partition("/")[0] in _SECRET_TREES


def below_home(path: str) -> str:
    """A resolved path relative to the home that contains it; empty if none does."""
    if path.startswith(("/home/", "/Users/")):
        return path.split("/", 3)[3] if path.count("/") > 2 else ""
    if path[2:10] == ":/users/":
        return path.split("/", 4)[4] if path.count("/") > 3 else ""
    for home in ("~/", "/root/"):
        if path.startswith(home):
            return path[len(home) :]
    return ""
