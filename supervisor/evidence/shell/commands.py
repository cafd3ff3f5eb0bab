"""What a shell script executes, as plain values. `supervisor.evidence.shell` reads them from text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from supervisor.evidence.reading.paths import HOLE, resolve
from supervisor.evidence.reading.windows_paths import as_written

# Programs by which a command reaches another host; all others that are `remote` run it in a container.
_TO_HOSTS = frozenset(
    (
        "ansible autossh aws az bolt clush dbclient dsh gcloud knife machinectl mosh mussh parallel-ssh pdsh pssh salt"
        " salt-call slogin ssh vagrant wsl"
    ).split()
)
_TO_CONTAINERS = frozenset(
    "docker podman nerdctl docker-compose podman-compose kubectl oc k3s microk8s k lxc incus pct qm crictl ctr".split()
)


@dataclass(frozen=True, slots=True)
class Redirect:
    """One redirection to or from a file. `operator` is `>`, `>>`, `<`, `&>`, `>|` …; `target` the resolved word;
    `descriptor` the stream that is named before the operator, as the 2 of `2>`."""

    operator: str
    target: str
    descriptor: str = ""

    @property
    def writes(self) -> bool:
        """Whether it creates, truncates or extends a file; `2>&1` only joins two streams."""
        return ">" in self.operator and not (self.operator == ">&" and self.target.rstrip("-").isdigit())


@dataclass(slots=True, eq=False)
class Command:
    """One simple command that runs. It is not changed once read. (A frozen class takes twice the time to create.)

    `program`   its name without its directory; empty if the command is only a redirection
    `argv`      its words after quoting, variables and `~` are expanded; a HOLE stands for what only run time shows
    `cwd`       where it runs, after the script's `cd`s (`.` is where the script starts, if that is unknown)
    `upstream`  the commands whose output it reads on standard input
    `sources`   commands whose output its words contain: (index in argv, command)
    `stdin`     the text on its standard input, if the script itself contains it
    `wrappers`  what runs it, outermost first: ("sudo", "bash")
    `remote`    whether another machine or a container runs it
    `wraps`     whether its work is to run another command, which is then in the script too
    `environment`  the variables that are set for it alone: (name, value)
    `writers`   of a group, a wrapper or `exec` with redirections: the commands whose output goes there
    `outer_redirects`  the redirections of the group, wrapper or `exec` around it, through which its own output goes
    `mounts`    in a container made for it, or a changed root: the directories from outside, as (path there, path here)
    `file_text` the text of the files that it prints, applies or runs as code, if known
    """

    argv: tuple[str, ...]
    text: str = ""
    cwd: str = "."
    redirects: tuple[Redirect, ...] = ()
    upstream: tuple[Command, ...] = ()
    sources: tuple[tuple[int, Command], ...] = ()
    stdin: str | None = None
    wrappers: tuple[str, ...] = ()
    remote: bool = False
    wraps: bool = False
    environment: tuple[tuple[str, str], ...] = ()
    writers: tuple[Command, ...] = ()
    outer_redirects: tuple[Redirect, ...] = ()
    file_text: str | None = None
    mounts: tuple[tuple[str, str], ...] | None = None
    program: str = field(init=False)

    def __post_init__(self) -> None:
        self.program = self.argv[0].rpartition("/")[2] if self.argv else ""

    @property
    def redirects_output(self) -> bool:
        return any(each.writes and each.descriptor in ("", "1") for each in self.redirects)

    @property
    def is_contained(self) -> bool:
        """Whether it runs in a container: the innermost program that takes it elsewhere decides."""
        if not self.remote:
            return False
        ways = (each for each in reversed(self.wrappers) if each in _TO_HOSTS or each in _TO_CONTAINERS)
        return next(ways, "") not in _TO_HOSTS

    @property
    def args(self) -> tuple[str, ...]:
        return self.argv[1:]

    def flags(self, valued: str = "") -> Iterator[str]:
        """Its options before `--`, one by one: `-rf` gives `-r` and `-f`, `--depth=1` gives `--depth`.

        `valued` are the letters whose value may be in the same word: with "b", `-bname` gives `-b` alone.
        """
        for word in self.args:
            if word == "--":
                return
            if word.startswith("--"):
                yield word.partition("=")[0]
            elif word.startswith("-") and len(word) > 1:
                for letter in word[1:]:
                    yield f"-{letter}"
                    if letter in valued:
                        break

    def has_flag(self, *names: str, valued: str = "") -> bool:
        """Whether any of these options is given, alone or in a cluster (`-rf`)."""
        return not set(names).isdisjoint(self.flags(valued))

    def operands(self, valued: frozenset[str] = frozenset()) -> list[str]:
        """Its words that are not options; `valued` names the options that take the next word as their value."""
        found: list[str] = []
        words = iter(self.args)
        for word in words:
            if word == "--":
                return [*found, *words]
            if word.startswith("-") and len(word) > 1:
                if word in valued:
                    next(words, None)
            else:
                found.append(word)
        return found

    def path(self, word: str) -> str:
        """The path that a word names, resolved from where this command runs."""
        return resolve(word, self.cwd)

    def sources_of(self, index: int) -> list[Command]:
        """The commands whose output the word at `index` of argv contains."""
        return [command for place, command in self.sources if place == index]


@dataclass(frozen=True, slots=True)
class Script:
    """All commands that a shell action runs, in the order of the text; of broken text, those that can be read.

    `files` are the files whose whole text it writes; `unread` is a sentence on what else runs and cannot be read;
    `texts` are the script itself and those within it; `captured` are the commands whose output a `$(…)` takes.
    """

    commands: tuple[Command, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    unread: str = ""
    texts: tuple[str, ...] = ()
    captured: frozenset[Command] = frozenset()

    def named(self, *programs: str) -> Iterator[Command]:
        """The commands that run one of these programs."""
        return (command for command in self.commands if command.program in programs)


def shown(word: str) -> str:
    """A word for people: an ellipsis stands for what is known only at run time, and for the end of a long word."""
    readable = as_written(word).replace(HOLE, "…")
    return readable if len(readable) <= 80 else readable[:77] + "…"
