"""What a system or an account needs to run: directory trees, and files with its configuration.

The trees follow the Filesystem Hierarchy Standard 3.0; a tree of one product below them (`/etc/nginx`,
`/var/lib/mysql`) belongs to that product and is not vital.
"""

from __future__ import annotations

from supervisor.evidence.reading.paths import within

_TOP = "/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /run /sbin /srv /sys /usr /var /Users"
_MAC = "/Applications /Library /System /private /private/etc /private/var"
_BELOW = (
    "/etc/pam.d /etc/ssh /etc/ssl /etc/sudoers.d /etc/systemd /usr/bin /usr/include /usr/lib /usr/lib64 /usr/libexec"
    " /usr/sbin /usr/share /var/lib /var/log /var/spool"
)
TREES = frozenset(f"{_TOP} {_MAC} {_BELOW}".split())
_PROGRAMS = ("/bin", "/boot", "/lib", "/lib64", "/sbin", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/sbin")

_SYSTEM_NAMES = (
    "crontab environment fstab group gshadow hosts inittab ld.so.conf login.defs nsswitch.conf pam.conf passwd profile"
    " shadow ssh/ssh_config ssh/sshd_config sudoers sysctl.conf"
)
_SYSTEM_FILES = frozenset(f"/etc/{name}" for name in _SYSTEM_NAMES.split())
_ACCOUNT_NAMES = (
    ".bash_profile .bashrc .config/fish/config.fish .gitconfig .inputrc .profile .ssh/config .ssh/id_ed25519"
    " .ssh/id_rsa .tmux.conf .vimrc .zprofile .zshenv .zshrc"
)
_ACCOUNT_FILES = frozenset(_ACCOUNT_NAMES.split())
_GENERATED_NAMES = (
    ".aws/config .aws/credentials .docker/config.json .kube/config .netrc .npmrc .pypirc .ssh/authorized_keys"
    " .ssh/known_hosts"
)
_GENERATED_FILES = frozenset(_GENERATED_NAMES.split())
_SECRET_TREES = (".aws", ".gnupg", ".kube", ".ssh")


def is_vital_tree(path: str) -> bool:
    """Whether a resolved path is a tree that everything on the machine needs."""
    return path in TREES


def is_program(path: str) -> bool:
    """Whether a resolved path lies among the system's own programs, libraries and kernels."""
    return any(within(path, tree) and path != tree for tree in _PROGRAMS)


def is_settings(path: str) -> bool:
    """Whether a resolved path is a configuration file of every system or an account that people write."""
    return path in _SYSTEM_FILES or below_home(path) in _ACCOUNT_FILES


def is_generated(path: str) -> bool:
    """Whether a resolved path is a configuration file that programs also write and often recreate."""
    return path == "/etc/resolv.conf" or below_home(path) in _GENERATED_FILES


def is_home(path: str) -> bool:
    """Whether a resolved path is a whole home directory."""
    return path in ("~", "/root") or (path.startswith(("/home/", "/Users/")) and path.count("/") == 2)


def is_private(path: str) -> bool:
    """Whether a resolved path is a directory with an account's keys, or lies in one."""
    return below_home(path).partition("/")[0] in _SECRET_TREES


def below_home(path: str) -> str:
    """A resolved path relative to the home that contains it; empty if none does."""
    if path.startswith(("/home/", "/Users/")):
        return path.split("/", 3)[3] if path.count("/") > 2 else ""
    for home in ("~/", "/root/"):
        if path.startswith(home):
            return path[len(home) :]
    return ""
