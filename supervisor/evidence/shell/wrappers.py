"""Commands whose work is to run other commands: what `sudo`, `env`, `bash -c`, `ssh` … run in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.embedded import EMBEDDED
from supervisor.evidence.shell.foreign import FOREIGN, MAY_BE_UNREAD
from supervisor.evidence.shell.git_runs import git
from supervisor.evidence.shell.inner import (
    Inner,
    Line,
    Unwrap,
    both,
    command_after,
    operand_index,
    option_scripts,
    prefix,
    subcommands,
    takes_next,
    word_set,
)
from supervisor.evidence.shell.items import entr, fd, find, parallel, xargs
from supervisor.evidence.shell.later import AGENTS, server_added
from supervisor.evidence.shell.prompts import in_environment
from supervisor.evidence.shell.recipes import RECIPES, run_by_path
from supervisor.evidence.shell.remotes import REMOTES
from supervisor.evidence.shell.shells import (
    SHELLS,
    flock,
    on_stdin,
    screen,
    script,
    shell,
    source,
    su,
    tmux,
    trap,
)

# These run commands besides their own work.
RUNS_OTHERS_TOO = frozenset(
    {*EMBEDDED, "find", "git", "tmux", "screen", "trap", "make", "npm", "yarn", "pnpm", "bun", "just"}
)


def inner_of(command: Command) -> Iterable[Inner]:
    """What a command runs in turn; empty for most commands."""
    program = command.program
    unwrap = _WRAPPERS.get(program)
    if unwrap is None and program[-1:].isdigit():  # `python3.12` is Python as well
        unwrap = _WRAPPERS.get(program.rstrip("0123456789."))
    if unwrap:
        return unwrap(command)
    return run_by_path(command) if command.argv and "/" in command.argv[0] else ()


def runs_others(words: Sequence[str]) -> bool:
    """Whether a command may run more than its words show, or change what later commands mean."""
    program = words[0]
    if program in _RENAMES or program in MAY_BE_UNREAD or program[:1].isupper() or "/" in program:
        return True
    if program not in RUNS_OTHERS_TOO:
        return program in _WRAPPERS
    return any(word.startswith("alias.") for word in words) or any(True for _ in inner_of(Command(tuple(words))))


def _command_builtin(command: Command) -> Iterator[Inner]:
    if not command.args[:1] or command.args[0] not in ("-v", "-V", "-pv", "-pV"):
        yield from command_after(command, Line())


_CHROOT = prefix("--userspec --groups -u", 1)


def _chroot(command: Command) -> Iterator[Inner]:
    """`chroot /mnt rm -r /etc`: the root is the directory before the command."""
    for inner in _CHROOT(command):
        root = command.path(command.argv[inner.start - 1])
        yield replace(inner, cwd="/", mounts=(("/", root),))


_SUDO = Line(
    word_set(
        "-u -g -h -p -C -T -U -D -R -r -t --user --group --host --prompt --chdir --chroot --role --type --close-from "
        "--command-timeout --other-user"
    ),
    assignments=True,
    chdir=("-D", "--chdir"),
)


def _sudo(command: Command) -> Iterator[Inner]:
    """`sudo -u me ls`; `sudo -s 'ls -l'` passes one word to a shell."""
    if command.has_flag("-l", "--list", "-v", "--validate", "-e", "--edit", valued="ughpCTUDRrt"):
        start = operand_index(command.args, _SUDO.valued)
        if not {"-l", "--list", "-v", "--validate", "-e", "--edit"}.isdisjoint(command.args[:start]):
            return
    for inner in command_after(command, _SUDO):
        alone = len(inner.argv) == 1 and " " in inner.argv[0]
        yield replace(inner, script=inner.argv[0], argv=()) if alone else inner


_ENV = Line(word_set("-u --unset -C --chdir -P"), assignments=True, chdir=("-C", "--chdir"))


def _env(command: Command) -> Iterator[Inner]:
    args, index = command.args, 0
    while index < len(args) and args[index].startswith("-"):
        word = args[index]
        name, _, value = word.partition("=")
        if name == "--split-string" or (
            not word.startswith("--") and "S" in word and "u" not in word.partition("S")[0]
        ):
            first = value if name == "--split-string" else word.partition("S")[2]
            yield Inner(script=" ".join([first, *args[index + 1 :]]).strip())
            return
        index += 2 if takes_next(word, _ENV.valued) else 1
    yield from command_after(command, _ENV)


_WATCH = both(prefix("-n -q --interval --equexit", joined=True))


def _runs(*names: str, valued: str = "", operands: int = 0) -> Unwrap:
    """`poetry run pytest`: a subcommand that runs the words after it."""
    return subcommands(dict.fromkeys(names, Line(word_set(valued), operands)), valued)


def _scripts_of_operands(command: Command) -> Iterator[Inner]:
    """Programs whose operands are scripts: `hyperfine 'make a' 'make b'`."""
    valued = word_set(
        "-w -m -M -r -s -p -c -P -D -n -N -i -S --warmup --min-runs --max-runs --runs --export-json --names"
    )
    for word in command.operands(valued):
        yield Inner(script=word, reads=False)


# Programs whose options and operands precede the command: their options with a value, their number of operands.
_PREFIXES: dict[str, tuple[str, int]] = {
    **dict.fromkeys(("nohup", "setsid", "builtin", "chronic", "unbuffer", "busybox", "toybox", "catchsegv"), ("", 0)),
    **dict.fromkeys(("noglob", "nocorrect", "fakeroot", "eatmydata", "linux32", "linux64", "i386"), ("", 0)),
    **dict.fromkeys(("retry", "rlwrap", "dbus-launch", "dbus-run-session", "ltrace"), ("", 0)),
    "pkexec": ("--user", 0),
    "run0": ("-u -g -D --user --group --chdir --nice --unit --property --description --slice --setenv --background", 0),
    "exec": ("-a", 0),
    "nice": ("-n --adjustment", 0),
    "ionice": ("-c -n -p --class --classdata", 0),
    "chrt": ("-T -P -D", 1),
    "taskset": ("", 1),
    "numactl": ("-m -N -C -i -p --membind --cpunodebind --physcpubind --interleave --preferred", 0),
    "time": ("-f -o --format --output", 0),
    **dict.fromkeys(("timeout", "gtimeout"), ("-s -k --signal --kill-after", 1)),
    **dict.fromkeys(("stdbuf", "gstdbuf"), ("-i -o -e --input --output --error", 0)),
    "strace": ("-a -b -e -E -I -o -O -p -P -s -S -u -U -X", 0),
    "valgrind": ("", 0),
    "arch": ("", 0),
    "setarch": ("", 1),
    "prlimit": ("-p -o", 0),
    "softlimit": ("-a -c -d -f -l -m -o -p -r -s -t", 0),
    "caffeinate": ("-t -w", 0),
    "proot": ("-r -b -w -q -k -R -S -0", 0),
    **dict.fromkeys(("gosu", "su-exec", "setuidgid", "envdir"), ("", 1)),
    "chpst": ("-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -r -t", 0),
    "setpriv": ("", 0),
    "nsenter": ("-t -S -G --target --setuid --setgid", 0),
    "unshare": ("-S -G -R -w --setuid --setgid --root --wd --propagation --setgroups", 0),
    "firejail": ("", 0),
    "systemd-run": (
        "-p -u -t -E -H -M --unit --property --description --slice --setenv --uid --gid --nice --on-active",
        0,
    ),
    "systemd-inhibit": ("", 0),
    "systemd-nspawn": ("-D -M -i -u -E -b --directory --machine --image --bind --user --setenv", 0),
    "cgexec": ("-g", 0),
    "xvfb-run": ("-e -f -n -p -s -w --server-args --server-num --error-file", 0),
    "daemonize": ("-a -c -e -o -p -l -u -E", 0),
    "sshpass": ("-p -f -d -P", 0),
    "openvt": ("-c", 0),
    "xterm": ("-T -n -fn -geometry -title", 0),
    "watchexec": ("-w -e -i -f --watch --exts --ignore --filter -s --signal -d --debounce", 0),
    "torsocks": ("", 0),
    **dict.fromkeys(("proxychains", "proxychains4"), ("-f", 0)),
}
_BWRAP_PAIRS = word_set(
    "--bind --dev-bind --ro-bind --bind-try --ro-bind-try --dev-bind-try --symlink --setenv --chmod"
)
_BWRAP_ONE = word_set("--proc --dev --tmpfs --dir --chdir --unsetenv --uid --gid --hostname --lock-file --remount-ro")


def _bwrap(command: Command) -> Iterator[Inner]:
    index = 1
    while index < len(command.argv) and command.argv[index].startswith("-"):
        word = command.argv[index]
        index += 3 if word in _BWRAP_PAIRS else 2 if word in _BWRAP_ONE else 1
    if index < len(command.argv):
        yield Inner(command.argv[index:], start=index)


def _coproc(command: Command) -> Iterator[Inner]:
    """`coproc ls`, `coproc NAME { ls; }`."""
    start = command.argv.index("{") + 1 if "{" in command.argv else 1
    if start < len(command.argv):
        yield Inner(command.argv[start:], start=start)


def _after_word(*words: str) -> Unwrap:
    """A program that runs the words after one of these: `gdb --args program`, `perf record -- program`."""

    def unwrap(command: Command) -> Iterator[Inner]:
        start = next((at for at, word in enumerate(command.argv[1:], 2) if word in words), None)
        if start and start < len(command.argv):
            yield Inner(command.argv[start:], start=start)

    return unwrap


def _started(command: Command) -> Iterator[Inner]:
    """`start-stop-daemon --start --exec program -- arguments`."""
    programs = [
        command.argv[at + 1] for at, word in enumerate(command.argv[:-1]) if word in ("--exec", "-x", "--startas", "-a")
    ]
    rest = command.argv[command.argv.index("--") + 1 :] if "--" in command.argv else ()
    if programs:
        yield Inner((programs[-1], *rest))


_RENAMES = frozenset({".", "alias", "enable", "source", "unalias"})
_WRAPPERS: dict[str, Unwrap] = {
    **{name: prefix(valued, operands) for name, (valued, operands) in _PREFIXES.items()},
    **dict.fromkeys(SHELLS, both(in_environment, shell)),
    **dict.fromkeys(("nu", "elvish", "xonsh", "rc", "oil", "osh"), option_scripts("-c", "--commands")),
    **dict.fromkeys(("source", "."), source),
    **dict.fromkeys(("sudo", "doas"), _sudo),
    **dict.fromkeys(("su", "runuser"), su),
    **dict.fromkeys(("at", "batch"), on_stdin),
    **dict.fromkeys(("chroot", "arch-chroot"), _chroot),
    "command": _command_builtin,
    "coproc": _coproc,
    "env": _env,
    "eval": prefix(joined=True),
    "watch": _WATCH,
    "flock": flock,
    "script": script,
    "trap": trap,
    "tmux": tmux,
    "screen": screen,
    "xargs": xargs,
    "parallel": parallel,
    "find": find,
    "fd": fd,
    "fdfind": fd,
    "entr": entr,
    "git": git,
    "bwrap": _bwrap,
    "start-stop-daemon": _started,
    **dict.fromkeys(
        ("gdb", "lldb", "perf", "gnome-terminal", "konsole", "alacritty", "kitty"),
        _after_word("--", "--args", "-e", "stat"),
    ),
    "capsh": lambda command: [replace(each, argv=("bash", *each.argv)) for each in _after_word("--")(command)],
    **dict.fromkeys(("hyperfine", "concurrently"), _scripts_of_operands),
    "nodemon": option_scripts("-x", "--exec"),
    "nix-shell": option_scripts("--run", "--command"),
    "nix": _after_word("-c", "--command"),
    "guix": _after_word("--"),
    "cargo": subcommands({"watch": option_scripts("-s", "--shell")}),
    **dict.fromkeys(("bundle", "mise", "asdf", "rbenv", "pyenv"), _runs("exec", "x")),
    "aws-vault": _runs("exec", operands=1),
    "dotenv": both(prefix("-f -e --file"), _runs("run", valued="-f --file")),
    "direnv": _runs("exec", operands=1),
    **dict.fromkeys(AGENTS, server_added),
    **dict.fromkeys(("q", "kiro-cli"), server_added),
    **dict.fromkeys(
        ("poetry", "pipenv", "hatch", "rye", "pdm", "uv", "op", "doppler"),
        _runs(
            "run", valued="-C --directory --with --python -p --package --extra --group --env-file --project -m --module"
        ),
    ),
    **dict.fromkeys(("conda", "mamba", "micromamba"), _runs("run", valued="-n -p --name --prefix --cwd")),
    **RECIPES,
    **REMOTES,
    **EMBEDDED,
    **FOREIGN,
}
