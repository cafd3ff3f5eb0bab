"""What runs on other machines and in containers: `ssh`, `docker exec`, `kubectl exec` and similar programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import (
    Inner,
    Line,
    Unwrap,
    command_after,
    operand_index,
    option_scripts,
    prefix,
    subcommands,
    values_of,
    word_set,
)
from supervisor.evidence.shell.mounts import of_container

_SSH = Line(
    word_set("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B"), operands=1, joined=True, remote=True
)


def ssh(command: Command) -> Iterator[Inner]:
    """`ssh host command`, a script on standard input for the remote shell, and what a ProxyCommand runs here."""
    for option in values_of(command.args, "-o"):
        name, value, *_ = (*re.split("[= ]", option, maxsplit=1), "")
        if name.lower() in ("proxycommand", "localcommand") and value:
            yield Inner(script=value, reads=False)
    given = list(command_after(command, _SSH))
    yield from given
    if not given and command.stdin is not None:
        yield Inner(script=command.stdin, reads=False, remote=True)


_CONTAINER_OPTIONS = (
    "-a -c -e -h -l -m -p -u -v -w --add-host --annotation --attach --blkio-weight --cap-add --cap-drop "
    "--cgroup-parent "
    "--cgroupns --cidfile --cpu-period --cpu-quota --cpu-shares --cpus --cpuset-cpus --cpuset-mems --detach-keys "
    "--device --dns --dns-option --dns-search --domainname --entrypoint --env --env-file --expose --gpus --group-add "
    "--health-cmd --health-interval --health-retries --health-timeout --hostname --init-path --ip --ip6 --ipc "
    "--isolation --label --label-file --link --log-driver --log-opt --mac-address --memory --memory-reservation "
    "--memory-swap --mount --name --net --network --network-alias --oom-score-adj --pid --pids-limit --platform "
    "--publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt "
    "--sysctl --tmpfs --ulimit --user --userns --uts --volume --volume-driver --volumes-from --workdir --index"
)
_CONTAINER = word_set(_CONTAINER_OPTIONS)
_EXEC = Line(_CONTAINER, operands=1, remote=True)


def _run(command: Command) -> Iterator[Inner]:
    """`docker run image command`; an entry point comes before the command's words."""
    entries = [value for value in values_of(command.args, "--entrypoint") if value]
    verb = next(at for at, word in enumerate(command.args) if word in ("run", "create"))
    words = command.args[verb + 1 :]
    start = len(command.argv) - len(words) + operand_index(words, _CONTAINER) + 1
    argv = (*entries[:1], *command.argv[start:])
    if argv:
        shared = of_container(command, command.argv[1 : start - 1])
        yield Inner(argv, start=0 if entries else start, remote=True, mounts=None if _is_composed(command) else shared)


def _is_composed(command: Command) -> bool:
    """Whether a file that is not read defines the container: `docker compose run web ls`."""
    return "compose" in command.program or "compose" in command.args[:1]


CONTAINERS = subcommands(
    {
        **dict.fromkeys(("exec", "container exec", "compose exec"), _EXEC),
        **dict.fromkeys(("run", "container run", "compose run", "create", "container create"), _run),
    },
    "-H -c -l -f -p --context --host --log-level --config --connection --url --project-name --file --profile "
    "--project-directory --env-file --namespace -n",
)
COMPOSE = subcommands({"exec": _EXEC, "run": _run}, "-f -p --file --project-name --profile --env-file")
_KUBE_VALUED = (
    "-n -c -f -s --namespace --container --context --kubeconfig --cluster --user --as --server --token --image "
    "--overrides --pod-running-timeout --request-timeout -l --labels --restart --env --shell"
)
_KUBE_NAMES = word_set(_KUBE_VALUED)


def _after_dashes(command: Command) -> Iterator[Inner]:
    """The command after `--`."""
    if "--" in command.argv:
        start = command.argv.index("--") + 1
        if start < len(command.argv):
            yield Inner(command.argv[start:], start=start, remote=True)


def _kube_exec(command: Command) -> Iterator[Inner]:
    """`kubectl exec pod -- command`, and the old form without the dashes."""
    if "--" in command.argv:
        yield from _after_dashes(command)
        return
    verb = next(at for at, word in enumerate(command.argv) if word in ("exec", "rsh"))
    yield from command_after(command, Line(_KUBE_NAMES, operands=1, remote=True), verb + 1)


KUBERNETES = subcommands(
    {"exec": _kube_exec, "rsh": _kube_exec, "run": _after_dashes, "debug": _after_dashes}, _KUBE_VALUED
)


def _as_remote(unwrap: Unwrap) -> Unwrap:
    """The commands of a wrapper, marked as remote."""
    return lambda command: [replace(inner, remote=True, cwd=HOLE) for inner in unwrap(command)]


_REHEARSES = frozenset({"-C", "--check", "--list-hosts"})
# Ansible's modules as commands: by the module's name and its `state`. `{}` is what the module names.
_MODULES = {
    ("reboot", ""): "reboot",
    **{(module, "stopped"): "systemctl stop {}" for module in ("service", "systemd", "systemd_service")},
    ("file", "absent"): "rm -rf {}",
    **{(module, "absent"): "apt-get remove -y {}" for module in ("apt", "dnf", "package", "yum")},
    ("user", "absent"): "userdel {}",
    ("cron", "absent"): "crontab -r",
}
_NAMES = ("name", "path", "dest", "pkg", "service")


def _ansible(command: Command) -> Iterator[Inner]:
    """`ansible hosts -m shell -a 'ls'`; the default module is `command`. `-m reboot` and others are read as the command
    that has the same effect."""
    if not _REHEARSES.isdisjoint(command.args):
        return
    module = next(values_of(command.args, "-m", "--module-name"), "command").rpartition(".")[2]
    if module in ("shell", "command", "raw", "script"):
        yield from option_scripts("-a", "--args", remote=True)(command)
        return
    text = next(values_of(command.args, "-a", "--args"), "")
    given = {name: value for name, _, value in (word.partition("=") for word in text.split())}
    named = next((given[name] for name in _NAMES if name in given), "")
    line = _MODULES.get((module, given.get("state", "")))
    if line:
        yield Inner(tuple(word.replace("{}", named) for word in line.split()), remote=True)
    if module == "file" and named:
        yield from _modes_of_file(given, named)


def _modes_of_file(given: dict[str, str], path: str) -> Iterator[Inner]:
    """The modes and owners that `ansible -m file -a 'path=/x mode=0777'` sets, as the commands that set them."""
    tree = ("-R",) if given.get("recurse") in ("yes", "true", "True") else ()
    for name, program in (("mode", "chmod"), ("owner", "chown"), ("group", "chgrp")):
        if name in given:
            yield Inner((program, *tree, given[name], path), remote=True)


_SALT = {"system.reboot": "reboot", "system.shutdown": "shutdown", "system.poweroff": "poweroff", "system.halt": "halt"}
_SALT |= {"service.stop": "systemctl stop", "file.remove": "rm -rf", "pkg.purge": "apt-get purge"}


def _salt(command: Command) -> Iterator[Inner]:
    """`salt '*' cmd.run 'ls'`, `salt '*' system.reboot`; `salt-call` names no hosts."""
    words = command.operands()
    at = 0 if command.program == "salt-call" else 1
    function, arguments = "".join(words[at : at + 1]), words[at + 1 :]
    if function.startswith("cmd.") and arguments:
        yield Inner(script=arguments[0], remote=True)
    elif function in _SALT:
        yield Inner((*_SALT[function].split(), *arguments), remote=True)


def _on_hosts(command: Command) -> Iterator[Inner]:
    """`aws ssm send-command --parameters 'commands=["ls"]'`, `--parameters commands=ls`."""
    for value in values_of(command.args, "--parameters"):
        text = value.partition("commands")[2].lstrip("\"'").lstrip("=: ")
        yield Inner(script=text.strip("[]{}").strip("\"'"), reads=False, remote=True)


def _cloud_ssh(command: Command) -> Iterable[Inner]:
    return [*option_scripts("--command", remote=True)(command), *_after_dashes(command)]


REMOTES: dict[str, Unwrap] = {
    **dict.fromkeys(("ssh", "slogin", "dbclient"), ssh),
    "autossh": prefix("-M -p -l -i -o -L -R -D", operands=1, joined=True, remote=True),
    **dict.fromkeys(("docker", "podman", "nerdctl"), CONTAINERS),
    **dict.fromkeys(("docker-compose", "podman-compose"), COMPOSE),
    **dict.fromkeys(("kubectl", "oc", "k3s", "microk8s", "k", "kubectl.exe"), KUBERNETES),
    **dict.fromkeys(("lxc", "incus"), subcommands({"exec": Line(word_set("--env --cwd --user"), 1, remote=True)})),
    "pct": subcommands({"exec": Line(word_set("--keep-env"), 1, remote=True)}),
    "qm": subcommands({"guest exec": Line(word_set("--timeout --synchronous --pass-stdin"), 1, remote=True)}),
    **dict.fromkeys(("crictl", "ctr"), subcommands({"exec": Line(operands=1, remote=True)}, "-n -r -a")),
    "machinectl": subcommands({"shell": Line(word_set("-E --setenv --uid"), 1, remote=True)}),
    "mosh": prefix("-p --ssh --port", operands=1, remote=True),
    "pdsh": prefix("-w -g -l -f -t -u -x -R", joined=True, remote=True),
    **dict.fromkeys(
        ("pssh", "parallel-ssh"),
        prefix("-h -H -l -p -o -e -t -O -x -g --hosts --host --user", joined=True, remote=True),
    ),
    "clush": prefix("-w -g -x -X -f -l -o -t -u", joined=True, remote=True),
    "dsh": prefix("-m -g -f -r -o -n", joined=True, remote=True),
    "mussh": option_scripts("-c", remote=True),
    "knife": subcommands({"ssh": Line(word_set("-x -i -a -C -P -G"), 1, joined=True, remote=True)}),
    "bolt": subcommands({"command run": Line(word_set("-t --targets -u --user"), joined=True, remote=True)}),
    "vagrant": subcommands({"ssh": option_scripts("-c", "--command", remote=True)}),
    "gcloud": subcommands(dict.fromkeys(("compute ssh", "alpha compute ssh", "beta compute ssh"), _cloud_ssh)),
    "aws": subcommands(
        {"ecs execute-command": option_scripts("--command", remote=True), "ssm send-command": _on_hosts}
    ),
    "az": subcommands({"vm run-command invoke": option_scripts("--scripts", remote=True)}),
    "heroku": subcommands({"run": Line(word_set("-a -r -s --app --remote --size"), joined=True, remote=True)}),
    **dict.fromkeys(
        ("fly", "flyctl"), subcommands({"ssh console": option_scripts("-C", "--command", remote=True)}, "-a --app")
    ),
    "ansible": _ansible,
    **dict.fromkeys(("salt", "salt-call"), _salt),
    "wsl": _as_remote(prefix("-d -u --distribution --user --cd -e --exec")),
    "adb": subcommands({"shell": Line(word_set("-e"), joined=True, remote=True)}, "-s -t -H -P"),
}
