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
        yield Inner(argv, start=0 if entries else start, remote=True)


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


def _ansible(command: Command) -> Iterator[Inner]:
    """`ansible hosts -m shell -a 'ls'`; the default module is `command`."""
    module = next(values_of(command.args, "-m", "--module-name"), "command").rpartition(".")[2]
    if module in ("shell", "command", "raw", "script"):
        yield from option_scripts("-a", "--args", remote=True)(command)


def _salt(command: Command) -> Iterator[Inner]:
    words = command.operands()
    if len(words) > 2 and words[1].startswith("cmd."):
        yield Inner(script=words[2], remote=True)


def _cloud_ssh(command: Command) -> Iterable[Inner]:
    return [*option_scripts("--command", remote=True)(command), *_after_dashes(command)]


REMOTES: dict[str, Unwrap] = {
    **dict.fromkeys(("ssh", "slogin", "dbclient"), ssh),
    "autossh": prefix("-M -p -l -i -o -L -R -D", operands=1, joined=True, remote=True),
    **dict.fromkeys(("docker", "podman", "nerdctl"), CONTAINERS),
    **dict.fromkeys(("docker-compose", "podman-compose"), COMPOSE),
    **dict.fromkeys(("kubectl", "oc", "k3s", "microk8s", "k", "kubectl.exe"), KUBERNETES),
    **dict.fromkeys(("lxc", "incus"), subcommands({"exec": Line(word_set("--env --cwd --user"), 1, remote=True)})),
    **dict.fromkeys(("crictl", "ctr"), subcommands({"exec": Line(operands=1, remote=True)}, "-n -r -a")),
    "machinectl": subcommands({"shell": Line(word_set("-E --setenv --uid"), 1, remote=True)}),
    "mosh": prefix("-p --ssh --port", operands=1, remote=True),
    "pdsh": prefix("-w -l -f -t -u -x -R", joined=True, remote=True),
    "vagrant": subcommands({"ssh": option_scripts("-c", "--command", remote=True)}),
    "gcloud": subcommands(dict.fromkeys(("compute ssh", "alpha compute ssh", "beta compute ssh"), _cloud_ssh)),
    "aws": subcommands({"ecs execute-command": option_scripts("--command", remote=True)}),
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
