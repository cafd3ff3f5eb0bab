"""Shells that take input from another machine: reverse shells and bind shells.

In a shell script they are recognized by how its commands are joined: a shell whose input and output are a connection.
In other languages they are recognized by a socket and a shell that is tied to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import re2

from supervisor.evidence import python
from supervisor.evidence.effects.contents import MOST_STAGES
from supervisor.evidence.effects.effect import Act, Effect, Ground, Part
from supervisor.evidence.effects.hosts import host_in, place_of_host
from supervisor.evidence.effects.network import device_of
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import SHELLS, Command, Script
from supervisor.evidence.shell.code import code_of

EXPOSES = frozenset({Act.EXPOSE})
_CLIENTS = frozenset({"nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "socat", "telnet", "openssl", "pwncat"})
_NETCATS = _CLIENTS - {"socat", "openssl", "telnet"}
_EXECUTES = ("-e", "-c", "--exec", "--sh-exec")
_WINDOWS = frozenset({"cmd", "cmd.exe", "powershell", "powershell.exe", "pwsh"})
_SPOKEN = frozenset({"expect", "irb", "lua", "perl", "php", "python", "python2", "python3", "ruby"})


def parts_of_script(script: Script, ground: Ground) -> Iterator[Part]:
    """The shells that a script ties to the network."""
    device = next((found for found in map(_device_opened, script.commands) if found), None)
    outer = ""  # the text of a wrapper whose redirections apply to the inner command: `exec bash -i >& /dev/tcp/…`
    for command in script.commands:
        if command.wraps and device and _device_opened(command):
            outer = command.text
        if device and _is_on_device(command, command.text == outer):
            yield _part(command, device)
        elif command.program in _CLIENTS or (command.upstream and command.program in SHELLS):
            yield Part(EXPOSES, partial(_tied, command))
        elif command.program.startswith((*_CODED, "python")) and (
            found := shell_in_code(command.program, code_of(command))
        ):
            yield _part(command, found)
        elif device and command.argv and command.argv[0].startswith(HOLE):
            yield _part(command, device)  # it runs the lines that it reads


def acts_of(program: str) -> frozenset[Act]:
    """The acts that a plain script with this program may have. A script with a shell is never plain."""
    return EXPOSES if program in _CLIENTS or program.startswith(_CODED) else frozenset()


def shell(host: str, text: str, command: Command | None = None) -> Effect:
    """A shell that takes input from a host."""
    return Effect(Act.EXPOSE, host, place_of_host(host), "shell", text=text, command=command)


def _part(command: Command, host: str) -> Part:
    return Part(EXPOSES, lambda: (shell(host, command.text, command),))


# bash's own connections


def _device_opened(command: Command) -> str | None:
    if command.program == "ztcp":  # zsh's own
        return host_in(next(iter(command.operands()), HOLE))
    return next((found for each in command.redirects if (found := device_of(each.target))), None)


def _is_on_device(command: Command, inherits: bool) -> bool:
    """Whether a shell reads its commands from the connection of a redirection, not from a script of its own."""
    if command.program not in SHELLS or command.wraps or not _is_bare(command):
        return False
    return inherits or any(
        device_of(each.target) or "&" in each.operator or each.operator == "<>" for each in command.redirects
    )


def _is_bare(command: Command) -> bool:
    """Whether a shell has no script of its own."""
    return not command.operands(frozenset({"-o", "--rcfile"})) and not command.has_flag("-c")


# Programs that join a connection with a program


def _tied(command: Command) -> Iterator[Effect]:
    program = command.program
    if program in SHELLS:
        clients = [each for each in command.upstream[-MOST_STAGES:] if _connects(each)]
        if clients and _is_bare(command):
            yield shell(_host_of(clients[0]), f"{clients[0].text} | {command.text}", command)
    elif program == "socat":
        if _joins(command):
            yield shell(_host_of(command), command.text, command)
    elif _connects(command) and (
        (program in _NETCATS and _runs_shell(command)) or any(map(_is_typed_into, command.upstream[-MOST_STAGES:]))
    ):
        yield shell(_host_of(command), command.text, command)


def _connects(command: Command) -> bool:
    if command.program == "openssl":
        return command.args[:1] == ("s_client",)
    if command.program in _NETCATS:
        return not command.has_flag("-z", "-h", "--help") and bool(command.args)
    return command.program in ("socat", "telnet")


def _runs_shell(command: Command) -> bool:
    """`nc -e /bin/sh`, `ncat --sh-exec bash`, `nc -lvpe /bin/sh`."""
    for index, word in enumerate(command.args):
        name, equals, value = word.partition("=")
        if word in _EXECUTES or (word[:1] == "-" and word[1:2] != "-" and word[-1:] in "ec" and len(word) > 1):
            value = command.args[index + 1] if index + 1 < len(command.args) else ""
        elif name not in _EXECUTES or not equals:
            continue
        if is_shell(value.partition(" ")[0]):
            return True
    return False


def is_shell(word: str) -> bool:
    """Whether a word names a shell, with or without its directory."""
    name = word.strip("'\"").rpartition("/")[2]
    return name in SHELLS or name.lower() in _WINDOWS


def _is_typed_into(command: Command) -> bool:
    """Whether a shell or an interpreter has no program of its own, so that it runs its standard input."""
    reads = bool(command.upstream) or any(each.operator.startswith("<") for each in command.redirects)
    if command.program in SHELLS:
        return _is_bare(command) and (reads or command.has_flag("-i"))
    return command.program in _SPOKEN and not command.operands() and not command.has_flag("-c", "-e", "-m") and reads


_TO_PROGRAMS = ("EXEC", "SYSTEM", "SHELL")
_TO_NETWORK = ("TCP", "UDP", "OPENSSL", "SSL", "SCTP", "SOCKS", "PROXY", "VSOCK")


def _joins(command: Command) -> bool:
    """Whether socat joins a connection and a shell."""
    kinds = {word.partition(":")[0].upper(): word.partition(":")[2] for word in command.operands() if ":" in word}
    runs = [rest.partition(",")[0].partition(" ")[0] for kind, rest in kinds.items() if kind in _TO_PROGRAMS]
    return any(map(is_shell, runs)) and any(kind.startswith(_TO_NETWORK) for kind in kinds)


def _host_of(command: Command) -> str:
    """The host that a connection leads to; every address if the program only listens."""
    if command.program == "socat":
        words = [word.partition(":")[2].partition(":")[0] for word in command.operands() if word[:3].upper() in _ENDS]
        found = next((word for word in words if not word.partition(",")[0].isdigit()), None)
        return host_in(found) if found else "any address"
    if command.program == "openssl":
        target = next((b for a, b in zip(command.args, command.args[1:], strict=False) if a == "-connect"), "")
        return host_in(target.partition(":")[0])
    if command.has_flag("-l", "--listen"):
        return "any address"
    valued = frozenset({"-e", "-c", "-p", "-s", "-w", "-i", "--exec", "--sh-exec"})
    return host_in(next(iter(command.operands(valued)), HOLE))


_ENDS = frozenset({"TCP", "UDP", "SSL", "OPE"})

# Code of other languages

_SHELL_NAME = r"(?:/bin/|\b)(?:ba|z|da|k|c)?sh\b|cmd(?:\.exe)?\b|powershell"
# A name in quotes or after its folder: in Go and in Java every command is called `cmd`.
_QUOTED_SHELL = (
    r"(?:/bin/|[\"'`])(?:ba|z|da|k|c)?sh\b|[\"'`/\\]cmd(?:\.exe)?\b|\bcmd\.exe\b|powershell|[\"'`](?:/usr)?/bin/?[\"'`]"
    r"|\bSHELL\b|(?i:comspec)"
)
_PHP_RUNS = (  # no method of a database
    r"(?:^|[^>:\w$]|[^-]>|[^:]:)(?:exec|system|passthru|popen|proc_open|shell_exec)\s*\("
)
# Anything but a literal that stands alone, names no variable and no shell.
_GIVEN = (
    r"\s*(?:[^'\"\s]|\"[^\"]*[$\\]|'[^']*\\|(?:'[^']*'|\"[^\"]*\")\s*[^\s,)]"
    r"|['\"][^'\"]*(?:\b(?:ba|z|da|k|c)?sh\b|\bcmd\b))"
)
_MADE = r"(?:[^\"`\s]|\"[^\"]*\"\s*\+|`[^`]*`\s*\+)"  # a name of a program in Go that is no literal
_GO_GIVEN = rf"exec\.Command(?:\(\s*|Context\([^,]+,\s*){_MADE}"
_BACKTICK = r"(?m:^[ \t]*(?:[^ \t*/#`\n]|/[^*/\n])?[^\n`*/#]*`)"  # of a command, in no line of a comment
# Patterns that must all match in a program that ties a shell to a socket.
_CODE = {
    "perl": (
        r"(?i)socket",
        r"\b(?:exec|system|open|qx)\b",
        _SHELL_NAME + "|fdopen",
        r"STD(?:IN|OUT)|fdopen|<\$?\w+>|->recv",
    ),
    "python": (r"\bsocket\b", r"\bdup2\b", _SHELL_NAME),
    "ruby": (
        r"TCPSocket|Socket\.tcp",
        rf"(?:^|[^.\w]|\b(?:IO|Kernel|Open3|PTY|Process|self)&?\.)(?:exec|popen\d?\w*|spawn|system)\b|%x|capture[23]|{_BACKTICK}",
    ),
    "php": (
        r"fsockopen|stream_socket_client|socket_connect",
        rf"{_PHP_RUNS}|{_BACKTICK}",
        rf"{_PHP_RUNS}{_GIVEN}|{_QUOTED_SHELL}|<&\s*\d|{_BACKTICK}",
    ),
    "node": (r"\bnet\b", r"child_process", _SHELL_NAME, r"\.pipe\(|\.stdin|exec(?:Sync)?\("),
    "lua": (r"socket", r"os\.execute|io\.popen", r"receive|/bin/"),
    "awk": (r"/inet\d?/(?:tcp|udp)/", r"getline", r"\|&"),
    "java": (r"new\s+Socket\s*\(", r"\.exec\s*\(|ProcessBuilder", _SHELL_NAME),
    "c": (r"\bsocket\s*\(", r"\bdup2\s*\(", r"\bexec(?:ve|l|lp|v|vp|le)\s*\(", _SHELL_NAME),
    "go": (
        r"net\.Dial(?:Timeout)?\(",
        r"exec\.Command(?:Context)?\(",
        rf"{_QUOTED_SHELL}|{_GO_GIVEN}",
        r"\.Std(?:in|out)\s*[,=]|\.Output\(|CombinedOutput",
    ),
    "powershell": (r"(?i)sockets\.tcp(?:client|listener)", r"(?i)\biex\b|invoke-expression|\bcmd\b|powershell"),
}
_COMMENTS = {"go": ("//",), "php": ("//", "#"), "ruby": ("#",)}
_NOT_COMMENTS = ("*/", "?>", "#{")  # the end of a comment, or a value in a string
_DEFINED = re2.compile(r"\bdef\s+[\w.]+[?!=]?")
_PATTERNS = {language: tuple(map(re2.compile, patterns)) for language, patterns in _CODE.items()}
_ALIASES = {"gawk": "awk", "mawk": "awk", "nodejs": "node", "bun": "node", "pwsh": "powershell", "jshell": "java"}
_CODED = tuple({"awk", "bun", "deno", "gawk", "lua", "mawk", "node", "perl", "php", "powershell", "pwsh", "ruby"})
_ADDRESS = re2.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\b")
LANGUAGES = {
    ".pl": "perl",
    ".pm": "perl",
    ".rb": "ruby",
    ".php": "php",
    ".js": "node",
    ".mjs": "node",
    ".cjs": "node",
    ".ts": "node",
    ".lua": "lua",
    ".awk": "awk",
    ".java": "java",
    ".jsp": "java",
    ".groovy": "java",
    ".c": "c",
    ".cc": "c",
    ".cpp": "c",
    ".go": "go",
    ".ps1": "powershell",
    ".psm1": "powershell",
}


def shell_in_code(program: str, code: str) -> str | None:
    """The host to which code ties a shell, a HOLE if the code does not name it; None if the code ties no shell."""
    language = _ALIASES.get(program) or next((name for name in _PATTERNS if program.startswith(name)), program)
    patterns = _PATTERNS.get(language)
    if not patterns or not all(pattern.search(code) for pattern in patterns):
        return None
    if language in _COMMENTS and not _is_in_code(language, code, patterns):
        return None
    if language == "python" and not any(call.name.endswith("dup2") for call in python.read(code).calls):
        return None  # it is only mentioned
    found = _ADDRESS.search(code)
    return found[0] if found and place_of_host(found[0]).name != "UNKNOWN" else HOLE


def _is_in_code(language: str, code: str, patterns: tuple[Any, ...]) -> bool:
    """Whether the patterns match without the lines that are comments and the names that the program defines."""
    kept = "\n".join(_uncommented(code, _COMMENTS[language]))
    if language == "ruby":
        kept = _DEFINED.sub("def", kept)
    return all(pattern.search(kept) for pattern in patterns)


def _uncommented(code: str, comment: tuple[str, ...]) -> Iterator[str]:
    """The lines that are no comments. A line with a leading `*` is one only in a block that a line opened."""
    is_open = False
    for line in map(str.strip, code.splitlines()):
        is_open = (line.startswith("/*") or (is_open and line.startswith("*"))) and "*/" not in line
        is_comment = (line.startswith(comment) and not line.startswith("#[")) or (is_open and line.startswith("*"))
        if not is_comment or any(map(line.__contains__, _NOT_COMMENTS)):
            yield line
