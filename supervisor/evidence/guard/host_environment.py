"""What an action does to the guard through its environment: the clock of its records, the network to its daemon, the
standard input of its hooks, the namespace and the host in which an agent runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.guard.agents import CONTAINERS, ELSEWHERE, agent_of
from supervisor.evidence.effects.guard.assets import Assets
from supervisor.evidence.effects.guard.own_program import PROGRAM
from supervisor.evidence.effects.guard.variables import OWN
from supervisor.evidence.guard.calls import modules_of
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.guard.places import is_secret
from supervisor.evidence.guard.processes import origins
from supervisor.evidence.guard.unmodelled import mounted
from supervisor.evidence.machine.agents import AGENTS, HOOKED
from supervisor.evidence.machine.assets import OURS, Sort
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import HOLE, SHELLS, Command, shown

_LOOPBACK = re.compile(r"127\.\d[\d./]*|localhost|::1(?:/128)?")
_HERE = re.compile(r"(?:[\w.-]+@)?(?:localhost|127\.\d[\d.]*|::1|\[::1\]|0\.0\.0\.0)$")
_FIREWALLS = frozenset({"iptables", "ip6tables", "nft", "ufw", "firewall-cmd", "pfctl"})
_DROPS = frozenset({"DROP", "REJECT", "drop", "reject", "deny", "block"})
_TRACERS = frozenset({"strace", "ltrace", "gdb", "bpftrace", "dtruss", "ktrace", "perf"})
_SHOWS = re.compile(r"(?:^|[=,])(?:read|recv\w*|send\w*|write\w*|network|all)\b")
_SETS = frozenset({"setenv", "set-environment", "set-env", "setx"})
_SIGNERS = frozenset("ssh-keygen ssh-add gpg age minisign signify cosign step jwt jose pkcs11-tool".split())
_CHANGERS = frozenset("sed gsed perl patch tee cp mv ln truncate ed ex".split())
_IN_PLACE = re.compile(r"-[a-zA-Z]*i.*|--in-place.*")
_HOSTS_CODE = re.compile(
    r"(?:^|/)(?:@anthropic-ai/claude-code|@openai/codex|@google/gemini-cli)/(?:.+/)?[\w.-]+\.[cm]?js$"
)
_EVENTS = re.compile(r"PostToolUse|AfterTool|afterShellExecution|afterMCPExecution|afterFileEdit|UserPromptSubmit")
_MODELS = re.compile(
    r"https?://(?:api\.anthropic\.com/v1/messages|api\.openai\.com/v1/(?:chat|responses)|openrouter\.ai/api"
    r"|generativelanguage\.googleapis\.com|api\.(?:mistral|groq|deepseek)\.(?:ai|com)|[^/\s]+:11434/api)"
)


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What an action does to the guard's environment. Raises Unreadable as `script` does."""
    for effect in effects(action, context).of(Act.GUARD):
        if effect.verb == "clock":
            yield Disarming(How.CLOCK, f"runs `{shown(effect.target)}`", shown(effect.target))
    for command in run_by(action, context).commands if action.kind in RUNNERS else ():
        if how := _how(command, known):
            yield Disarming(how, f"runs `{shown(command.text)}`", shown(command.text))
    yield from _loads_for_all(action, context)


_USERS_MODULES = re.compile(r"getusersitepackages|USER_SITE\b|getuserbase")
_STARTS_WITH = re.compile(r"(?:user|site)customize\.py|\.pth\b")


def _loads_for_all(action: Action, context: Context) -> Iterator[Disarming]:
    """Code that writes a module that every Python of this user loads at its start, the guard's too."""
    for code, _ in modules_of(action, context) if action.kind in RUNNERS else ():
        source = code.source.decode("utf-8", "replace")
        found = _STARTS_WITH.search(source) if _USERS_MODULES.search(source) else None
        if found and any(call.method in ("open", "write_text", "write", "copy", "copyfile") for call in code.calls):
            yield Disarming(How.STEERED, f"writes {found[0]} among the modules of this user", found[0])


def _how(command: Command, known: Assets) -> How | None:
    program = command.program
    if program in AGENTS or agent_of(command)[0] in HOOKED:
        return How.UNGUARDED if _runs_elsewhere(command) else None
    if program in CONTAINERS:
        return How.UNGUARDED if _mounts_home(command, known) else None
    if program == "ssh":
        return How.UNGUARDED if _starts_over_ssh(command) else None
    if command.remote:
        return None
    if program in _FIREWALLS and _drops_packets(command, known):
        return How.CHANGED
    if program in _TRACERS and _traces_ours(command):
        return How.READ
    if program in _CHANGERS and _changes_host(command):
        return How.CHANGED
    if _uses_key(command, known):
        return How.READ
    if _forges_event(command):
        return How.ANSWERED
    if program not in SHELLS and _SETS.intersection(command.args) and OWN.intersection(_names(command)):
        return How.REMOVED
    if program in SHELLS and any(_MODELS.search(word) for each in origins(command) for word in each.args):
        return How.UNGUARDED
    return None


def _changes_host(command: Command) -> bool:
    """Whether a command edits the installed code of a host that starts our hooks."""
    if command.program in ("sed", "gsed", "perl") and not any(map(_IN_PLACE.fullmatch, command.args)):
        return False
    last = command.operands()[-1:] if command.program in ("cp", "mv", "ln") else command.operands()
    return any(_HOSTS_CODE.search(word) for word in last)


def _uses_key(command: Command, known: Assets) -> bool:
    """Whether a command uses or archives the guard's key without an effect that shows it. Hashes and fingerprints are
    fine."""
    words = command.args
    if command.program == "openssl":
        signs = words[:1] not in (("dgst",), ("sha256",)) or any(word in ("-sign", "-hmac") for word in words)
        return signs and any("/" in word and is_secret(command.path(word), known) for word in words)
    if command.program in _SIGNERS:
        return "-l" not in words and any("/" in word and is_secret(command.path(word), known) for word in words)
    if command.program not in ("tar", "bsdtar", "gtar", "zip", "7z", "rsync", "scp"):
        return False
    folders = [value for option, value in pairwise(words) if option in ("-C", "--directory")]
    cwd = command.path(folders[0]) if folders else command.cwd
    left_out = [word for word in words if word.startswith("--exclude") or word == "-x"]
    return not left_out and any(is_secret(resolve(word, cwd), known) for word in command.operands() if word != "-")


def _names(command: Command) -> Iterator[str]:
    return (word.partition("=")[0] for word in command.args)


def _runs_elsewhere(command: Command) -> bool:
    """`chroot /mnt claude`, `nsenter -t 1 -m codex`: an agent without its settings and the guard's socket."""
    return not command.remote and any(name in ELSEWHERE for name in command.wrappers)


def _starts_agent(words: Iterator[str] | tuple[str, ...]) -> bool:
    started = "|".join(map(re.escape, HOOKED))
    starts = re.compile(
        rf"(?:^|[\s;&|(/\"'])(?:{started})(?!\s+(?:--?(?:help|version|[hvV])\b|update|upgrade|doctor))(?:\s|$)"
    )
    return any(starts.search(word) for word in words)


def _starts_over_ssh(command: Command) -> bool:
    """`ssh root@localhost claude -p …`: an agent of another user, or in an environment without the guard's."""
    hosts = [number for number, word in enumerate(command.args) if _HERE.match(word)]
    return bool(hosts) and _starts_agent((" ".join(command.args[hosts[0] + 1 :]),))


def _mounts_home(command: Command, known: Assets) -> bool:
    """Whether a container mounts a folder above the guard's places or a host's settings, and runs an agent."""
    lends = any(known.below(command.path(each.partition(":")[0])) for each in mounted(command) if "/" in each)
    return lends and _starts_agent(command.args[1:])


def _drops_packets(command: Command, known: Assets) -> bool:
    """Whether a firewall rule drops packets to the daemon's port, or to the loopback interface."""
    words = command.args
    if _DROPS.isdisjoint(words):
        return False
    ports = {asset.place for asset in known.of(Sort.PORT)}
    if not ports.isdisjoint(words):
        return True
    pairs = set(pairwise(words))
    narrowed = any(word in ("--dport", "--dports", "dport", "port") for word in words) and bool(ports)
    on_loopback = any(value in ("lo", "lo0") for option, value in pairs if option in ("-o", "-i", "oif", "iif", "on"))
    on_loopback = on_loopback or any(_LOOPBACK.fullmatch(word) for word in words)
    outwards = not {"INPUT", "OUTPUT", "input", "output", "out", "in"}.isdisjoint(words)
    return on_loopback and outwards and not narrowed


def _traces_ours(command: Command) -> bool:
    """Whether a command traces what our program reads and sends, which includes the token."""
    ours = next((n for n, word in enumerate(command.args) if word.rpartition("/")[2] == PROGRAM), None)
    if ours is None:
        return False
    before = command.args[:ours]
    return "-c" not in before and (any(_SHOWS.search(word) for word in before) or "-s" in before)


def _forges_event(command: Command) -> bool:
    """Whether a command sends our hook a forged event: that an action was done, or its result."""
    if not any(OURS.search(word) for word in command.argv):
        return False
    inputs = [command.stdin or "", *(" ".join(each.args) for each in origins(command))]
    return any(_EVENTS.search(each) for each in inputs) or any(HOLE in each for each in inputs)
