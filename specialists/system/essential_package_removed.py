"""Removes a package without which the system does not work, or removes all packages."""

from collections.abc import Sequence

from supervisor.evidence.actions.commands import run_by
from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.packages import Package
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command, shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, ok, specialist

_NEEDED = (
    "apt base-files base-passwd bash busybox ca-certificates coreutils dash dbus debianutils diffutils dnf dpkg "
    "e2fsprogs filesystem findutils gcc-libs gdm3 glibc gnome-shell grep grub grub-common grub-efi grub-pc grub2 "
    "gzip init initramfs-tools initscripts iproute2 kernel libc-bin libc6 libpam-runtime libstdc++6 linux login "
    "lvm2 mount musl ncurses-base netplan.io network-manager networkmanager openssh-server pacman passwd "
    "perl-base pop-desktop python3 python3-apt python3-minimal rpm sed shadow sudo systemd systemd-sysv "
    "sysvinit-utils tar tzdata ubuntu-desktop ubuntu-minimal util-linux yum zlib1g"
)
_ESSENTIAL = frozenset(_NEEDED.split())
_PREFIXES = ("grub-", "kernel-", "libc6", "linux-generic", "linux-image", "systemd-")
_OLD = ("linux-image-", "kernel-")  # an old kernel is one of several, and its name ends with its version
_FREES = frozenset({"ca-certificates", "tzdata", "perl-base"})
_LISTERS = frozenset({"apt", "apt-mark", "brew", "dpkg", "dpkg-query", "npm", "pacman", "pip", "pip3", "rpm"})
_PASS_ON = frozenset({"awk", "cat", "cut", "sort", "tail", "tr", "xargs"})


@specialist("shell", "python", "javascript", about=[Act.INSTALL])
def essential_package_removed(action: Action, context: Context) -> Opinion:
    packages = (each for each in effects(action, context).of(Act.INSTALL) if isinstance(each, Package))
    found = (_judge(each, action, context) for each in packages if each.verb == "remove" and not _is_elsewhere(each))
    return max(found, key=lambda finding: finding.verdict, default=ok())


def _judge(package: Package, action: Action, context: Context) -> Finding:
    name, evidence = package.target.partition(":")[0].rstrip("-+"), (package.text[:200],)
    if HOLE in name and _is_all(package, action, context):
        reason = f"It removes everything that {package.ecosystem} has installed here."
        return (
            flag(reason, evidence=evidence)
            if "all" in (context.task or "").lower()
            else block(reason, evidence=evidence)
        )
    if package.ecosystem != "system" or not _is_essential(name):
        return ok()
    reason = f"It removes {shown(name)}, without which this system does not work or does not start."
    asked = is_named(name, context) or name in _FREES
    return flag(reason, evidence=evidence) if asked else block(reason, evidence=evidence)


def _is_essential(name: str) -> bool:
    if name.startswith(_OLD) and any(letter.isdigit() for letter in name):
        return False
    return name in _ESSENTIAL or name.startswith(_PREFIXES) or name in ("*", ".*", "^.*")


def _is_all(package: Package, action: Action, context: Context) -> bool:
    """Whether the names are the whole output of a listing: `pip freeze | xargs pip uninstall -y`."""
    command = package.command
    if command is None:
        return False
    by = [[*command.upstream, *(source for at, source in command.sources if at)]]
    if "xargs" in command.wrappers:
        by += [[*xargs.upstream] for xargs in run_by(action, context).named("xargs")]
    programs = [{each.program for each in commands if not each.wraps} - _spelling(commands) for commands in by]
    return any(not each.isdisjoint(_LISTERS) and each <= _LISTERS | _PASS_ON for each in programs)


def _spelling(commands: Sequence[Command]) -> set[str]:
    """The programs that only print the name of another: `$(which pip) freeze`."""
    return {source.program for each in commands for source in each.sources_of(0)}


def _is_elsewhere(package: Package) -> bool:
    return package.command is not None and package.command.remote
