"""Containers with access to the host, and escapes from a container. The target of the PRIVILEGE effect is the part of
the host that is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from supervisor.evidence.effects.command_lines import effect_of, is_contained, quiet_without, shows_only
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.machine.vital import is_vital_tree
from supervisor.evidence.reading.paths import Place, resolve, within
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import operand_index, word_set

_BARE = word_set(
    "--detach --init --interactive --no-healthcheck --oom-kill-disable --privileged --publish-all --quiet"
    " --read-only --rm --sig-proxy --tty"
)
_BARE_LETTERS = frozenset("ditPq")
_GLOBAL = word_set("-H --host -c --context -l --log-level --config --connection --url --tlscacert --tlscert --tlskey")
# Capabilities with which a container's root can become the host's.
_STRONG = frozenset(["ALL", "SYS_ADMIN", "SYS_MODULE", "SYS_RAWIO", "SYS_BOOT", "DAC_READ_SEARCH", "BPF"])
_NAMESPACES = {"--pid": "the host's processes", "--ipc": "the host's shared memory", "--userns": "the host's users"}
_HOST_TREES = (
    "/boot",
    "/dev",
    "/etc",
    "/proc",
    "/root",
    "/sys",
    "/usr",
    "/var/lib/docker",
    "/var/lib/kubelet",
    "/var/log",
    "/var/run",
    "/run",
)
_HARMLESS = ("/etc/localtime", "/etc/timezone", "/etc/ssl", "/etc/ca-certificates", "/dev/shm", "/dev/null", "/dev/dri")
_HARMLESS_MOUNTS = (
    *_HARMLESS,
    "/dev/fuse",
    "/dev/kvm",
    "/dev/net",
    "/dev/bus/usb",
    "/dev/snd",
    "/dev/video0",
    "/usr/local",
)
_SOCKETS = ("docker.sock", "containerd.sock", "crio.sock", "podman.sock")
_HOST_ROOTS = ("/host", "/hostfs", "/rootfs", "/host-root", "/hostroot", "/proc/1/root", "/mnt/host", "/mnt/root")


def _run(command: Command, ground: Ground) -> Iterator[Effect]:
    """`docker run`, `docker create`, `docker exec`, and the same commands of podman and nerdctl."""
    args = list(command.args[operand_index(command.args, _GLOBAL) :])
    if args[:1] == ["container"]:
        del args[0]
    if args[:1] not in (["run"], ["create"], ["exec"]) or command.remote or shows_only(command):
        return
    for name, value in _options(args[1:]):
        yield from (
            effect_of(Act.PRIVILEGE, verb, target, command)
            for verb, target in _given(name, value)
            if not _is_projects(target, ground)
        )


def _is_projects(path: str, ground: Ground) -> bool:
    """Whether a mounted path is in the workspace. A workspace that is a vital tree still counts as the host."""
    return path.startswith("/") and ground.scope_of(path) is Place.WORKSPACE and not is_vital_tree(path)


def _options(args: list[str]) -> Iterator[tuple[str, str]]:
    """The options before the image, with their values."""
    words = iter(args)
    for word in words:
        name, equals, value = word.partition("=")
        if not word.startswith("-") or word == "--":
            return
        short = not word.startswith("--")
        if equals or word in _BARE or (short and _BARE_LETTERS.issuperset(word[1:])):
            yield name, value or "true"
        elif short and len(word) > 2:  # `-itv /:/host`, `-v/:/host`
            letters = word[1:].lstrip("".join(_BARE_LETTERS))
            yield f"-{letters[:1]}", letters[1:] or next(words, "")
        else:
            yield name, next(words, "")


def _given(name: str, value: str) -> Iterator[tuple[str, str]]:
    """The verb and the target for the part of the host that an option gives to the container."""
    if name == "--privileged" and value == "true":
        yield "host", "every device and capability"
    elif name in _NAMESPACES and value == "host":
        yield "host", _NAMESPACES[name]
    elif name == "--cap-add" and value.upper().removeprefix("CAP_") in _STRONG:
        yield "host", f"the capability {value}"
    elif name == "--security-opt" and value.endswith(("unconfined", "label=disable", "label:disable")):
        yield "loosened", value
    elif name in ("-v", "--volume", "--mount", "--device"):
        yield from _shared(name, value)


def _shared(name: str, value: str) -> Iterator[tuple[str, str]]:
    fields = dict(part.partition("=")[::2] for part in value.split(",")) if name == "--mount" else {}
    source, _, rest = value.partition(":")
    source = fields.get("source", fields.get("src", "")) if name == "--mount" else source
    path = resolve(source) if source.startswith("/") else ""
    read_only = rest.endswith(":ro") or "readonly" in fields or "ro" in fields
    if path.endswith(_SOCKETS):
        yield "socket", path
    elif path == "/":
        yield "root", path
    elif name == "--device":
        if path.startswith(("/dev/sd", "/dev/nvme", "/dev/vd", "/dev/mem", "/dev/mapper", "/dev/dm-", "/dev/kmem")):
            yield "host", path
    elif any(within(path, tree) for tree in _HOST_TREES) and not any(within(path, each) for each in _HARMLESS_MOUNTS):
        yield "loosened" if read_only else "host", path


def _entered(command: Command, _: Ground) -> Iterator[Effect]:
    """`nsenter -t 1 -m`: a shell in the host's own namespaces."""
    words = " ".join(command.args)
    if any(
        mark in f"{words} " for mark in ("-t 1 ", "-t1 ", "--target 1 ", "--target=1 ", "=/proc/1/")
    ) and not shows_only(command):
        yield effect_of(Act.PRIVILEGE, "escape", "the namespaces of process 1", command)


def _changed_root(command: Command, _: Ground) -> Iterator[Effect]:
    for word in command.operands(frozenset({"-u", "-g"}))[:1]:
        path = command.path(word)
        if any(within(path, root) for root in _HOST_ROOTS):
            yield effect_of(Act.PRIVILEGE, "escape", path, command)


def _pod(command: Command, _: Ground) -> Iterator[Effect]:
    """`kubectl run --overrides='{… "hostPID": true …}'`, `kubectl debug node/n --profile=sysadmin`."""
    text = "".join(command.args).replace(" ", "").replace("\n", "")
    if command.args[:1] == ("run",) and not is_contained(command):
        for mark in ('"hostPID":true', '"privileged":true', '"hostPath":{"path":"/"'):
            if mark in text:
                yield effect_of(Act.PRIVILEGE, "host", mark.replace('"', ""), command)


def _reading(read: Callable[[Command, Ground], Iterable[Effect]], *marks: str) -> Reading:
    """A reading that is quiet unless one of `marks` is an argument; never quiet without `marks`."""
    return (
        Reading(frozenset({Act.PRIVILEGE}), read, quiet_without(*marks))
        if marks
        else Reading(frozenset({Act.PRIVILEGE}), read)
    )


PROGRAMS = {
    **dict.fromkeys(("docker", "podman", "nerdctl"), _reading(_run, "run", "create", "exec", "container")),
    "nsenter": _reading(_entered),
    "chroot": _reading(_changed_root),
    "kubectl": _reading(_pod, "run"),
}
