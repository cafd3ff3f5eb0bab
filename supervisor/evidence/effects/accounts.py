"""What programs do to accounts and to the right to become another user."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from supervisor.evidence.effects.command_lines import effect_of, is_contained, merged, quiet_without, shows_only, table
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.effects.key_files import sets_user_id
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import word_set
from supervisor.evidence.shell.printed import output_of

# A member of one of these groups is root or can become root.
POWERFUL_GROUPS = word_set(
    "root sudo wheel admin adm docker lxd libvirt disk shadow kmem sudoers Administrators administrators"
)
_CAPABLE = re.compile(
    r"(?:all|cap_(?:setuid|setgid|sys_\w+|dac_\w+|chown|fowner|setfcap|setpcap|bpf))[\w,]*[+=]", re.IGNORECASE
)
_USER_VALUED = word_set(
    "-g -G -d -s -u -c -b -e -f -k -K -p -l -L -Z --gid --groups --home --home-dir --shell --uid --comment"
    " --password --login --base-dir --skel --expiredate --inactive --ingroup --gecos"
)


def _modified(command: Command, _: Ground) -> Iterator[Effect]:
    """`usermod`, `useradd`: groups, the id 0, a password, a lock."""
    if is_contained(command) or shows_only(command):
        return
    user = next(iter(reversed(command.operands(_USER_VALUED))), "")
    given = tuple(_values(command))
    for group in ",".join(value for name, value in given if name in ("-G", "--groups", "-g", "--gid")).split(","):
        if group in POWERFUL_GROUPS:
            yield effect_of(Act.PRIVILEGE, "group", f"{user} in {group}", command)
    root = any(re.fullmatch(r"-[a-z]*u0", word) for word in command.args)
    if root or any(name in ("-u", "--uid") and value == "0" for name, value in given):
        yield effect_of(Act.PRIVILEGE, "root", user, command)
    if command.program == "usermod" and command.has_flag("-p", "--password", "-L", "--lock", "-U", "--unlock", "-l"):
        yield effect_of(Act.PRIVILEGE, "credential", user, command)


def _values(command: Command) -> Iterator[tuple[str, str]]:
    """Options with their values, including `-aG docker` and `--groups=docker`."""
    for word, following in zip(command.args, (*command.args[1:], ""), strict=False):
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            yield name, value if equals else following
        elif word.startswith("-") and len(word) > 1:
            yield f"-{word[-1]}", following


def _joined_group(command: Command, _: Ground) -> Iterator[Effect]:
    """`adduser ann sudo`, `gpasswd -a ann docker`: other ways to do what `usermod` does."""
    operands = command.operands(frozenset({"--gid", "--uid", "--home", "--shell", "--gecos", "-M", "-t"}))
    adds = command.program != "gpasswd" or command.has_flag("-a", "--add", "-M", "--members")
    if adds and len(operands) > 1 and not is_contained(command):
        for group in operands:
            if group in POWERFUL_GROUPS:
                yield effect_of(Act.PRIVILEGE, "group", f"{operands[0]} in {group}", command)


def _installed(command: Command, ground: Ground) -> Iterator[Effect]:
    """`install -m 4755 helper /usr/local/bin`: the file runs with the rights of its owner."""
    modes = [value for name, value in _values(command) if name in ("-m", "--mode")]
    if any(sets_user_id(mode) for mode in modes) and not is_contained(command):
        yield from (ground.on_path(Act.PRIVILEGE, word, command, verb="setuid") for word in command.args[-1:])


def _made_capable(command: Command, ground: Ground) -> Iterator[Effect]:
    operands = command.operands()
    if operands and _CAPABLE.search(operands[0]) and not is_contained(command):
        yield from (ground.on_path(Act.PRIVILEGE, word, command, verb="capability") for word in operands[1:])


def _password(command: Command, _: Ground) -> Iterator[Effect]:
    if is_contained(command) or shows_only(command) or command.has_flag("-S", "--status", "-a"):
        return
    users = command.operands(frozenset({"-n", "-x", "-w", "-i", "-R", "-r"}))
    yield effect_of(Act.PRIVILEGE, "credential", users[0] if users else "the current account", command)


def _passwords(command: Command, _: Ground) -> Iterator[Effect]:
    """`echo ann:secret | chpasswd`."""
    if is_contained(command) or shows_only(command):
        return
    piped = command.stdin or "".join(output_of(each) or HOLE for each in command.upstream)
    for user in [line.partition(":")[0] for line in piped.splitlines()[:8]] or [HOLE]:
        yield effect_of(Act.PRIVILEGE, "credential", user, command)


def _keys_copied(command: Command, _: Ground) -> Iterator[Effect]:
    if not command.has_flag("-n", "-h", "--help"):
        for host in command.operands(frozenset({"-i", "-p", "-o", "-F", "-t"}))[:1]:
            yield effect_of(Act.PRIVILEGE, "key", host, command)


def _reading(read: Callable[[Command, Ground], Iterable[Effect]], *marks: str) -> Reading:
    """A reading that is quiet unless one of `marks` is an argument; never quiet without `marks`."""
    return (
        Reading(frozenset({Act.PRIVILEGE}), read, quiet_without(*marks))
        if marks
        else Reading(frozenset({Act.PRIVILEGE}), read)
    )


PROGRAMS = merged(
    dict.fromkeys(("usermod", "useradd"), _reading(_modified)),
    dict.fromkeys(("adduser", "addgroup", "gpasswd"), _reading(_joined_group)),
    {"install": _reading(_installed)},
    {"setcap": _reading(_made_capable), "passwd": _reading(_password), "chpasswd": _reading(_passwords)},
    {"ssh-copy-id": _reading(_keys_copied)},
    table(
        Act.PRIVILEGE,
        account="""
            userdel|deluser|delgroup|groupdel !sudo !docker
            dscl -delete|delete /Users/*
            sysadminctl -deleteUser
            net|net.exe user|localgroup /delete|/DELETE
        """,
        credential="""
            vipw|vigr
            dscl -passwd|passwd
            sysadminctl -resetPasswordFor
            chage -E|--expiredate
        """,
        group="""
            dseditgroup -o edit -a admin|wheel
        """,
        grant="""
            visudo !-c !--check
        """,
    ),
)
