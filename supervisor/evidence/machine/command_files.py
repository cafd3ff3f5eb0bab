"""Files that hold commands which something runs by itself, later, on this machine: git when it commits, a shell when it
starts, an agent when it starts the servers in its settings, a package manager when it installs.

Which files those are and how each is read is data (`_FILES`). A text may be a part of its file: what an edit puts in.
Sources: githooks(5), git-config(1), crontab(5), systemd.exec(5), npm's "scripts", the settings of Claude Code, Codex,
Gemini CLI, Cursor and VS Code.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

import re2

from supervisor.regexes import compile_later

Later = str | list[str]  # the text of a script, or the words of a command

_MOST = 2_049  # commands of one file: one more than anybody reads, so that a file of more is unreadable
_Read = Callable[[str], Iterator[Later]]
_INTERPRETERS = {"python": ("python3", "-c"), "node": ("node", "-e"), "perl": ("perl", "-e"), "ruby": ("ruby", "-e")}


def _script(text: str) -> Iterator[Later]:
    """All of it, in the language that its first line names."""
    first = text.partition("\n")[0] if text.startswith("#!") else ""
    program = next((words for name, words in _INTERPRETERS.items() if name in first), None)
    yield [*program, text] if program else text


_STRING = r'"((?:[^"\\]|\\.)*)"'
_COMMAND_AND_ARGS = re2.compile(  # linear in texts whose quotes stay open
    rf'"(?:command|cmd|program|bash|powershell|run)"\s*:\s*{_STRING}(?:\s*,\s*"args"\s*:\s*\[([^\]]*)\])?'
)
_EACH_STRING = re2.compile(_STRING)
_COMMENT = re2.compile(r'(?s)("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/|,(\s*[}\]])')
_COMMANDS = ("command", "cmd", "program", "bash", "powershell", "run")
_HELPERS = ("apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper", "notify", "statusLine")


def _settings(text: str) -> Iterator[Later]:
    """Every object of JSON that has a command, with its arguments; of a part of such a file, every such member."""
    try:
        told = json.loads(_COMMENT.sub(lambda found: found[1] or found[2] or "", text))
    except (ValueError, RecursionError):
        for found in _COMMAND_AND_ARGS.finditer(text):
            words = [_unescaped(each) for each in _EACH_STRING.findall(found[2] or "")]
            yield [_unescaped(found[1]), *words] if words else _unescaped(found[1])
        return
    yield from _commands_of(told)


def _commands_of(told: object) -> Iterator[Later]:
    pending = [told]
    while pending:
        node = pending.pop()
        if isinstance(node, Mapping):
            args = node.get("args")
            words = [each for each in args if isinstance(each, str)] if isinstance(args, list) else []
            for name in _COMMANDS:
                yield from _with_words(node.get(name), words)
            for name in _HELPERS:
                yield from _with_words(node.get(name), [])
            pending += reversed(list(node.values()))
        elif isinstance(node, list):
            pending += reversed(node)


def _with_words(command: object, words: list[str]) -> Iterator[Later]:
    if isinstance(command, str) and command.strip():
        yield [command, *words] if words else command
    elif isinstance(command, list) and command and all(isinstance(each, str) for each in command):
        yield [*command, *words]


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def _toml(text: str) -> Iterator[Later]:
    try:
        yield from _commands_of(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError):
        yield from _settings(re.sub(r"^\s*([\w.-]+)\s*=", r'"\1":', text, flags=re.MULTILINE).replace("\n", ",\n"))


def _keys(*names: str) -> _Read:
    """The values of members of these names, wherever they stand in JSON."""
    member = re2.compile(rf'"(?:{"|".join(names)})"\s*:\s*(?:{_STRING}|\[([^\]]*)\])')

    def read(text: str) -> Iterator[Later]:
        for found in member.finditer(text):
            words = [_unescaped(each) for each in _EACH_STRING.findall(found[2] or "")]
            yield words or _unescaped(found[1] or "")

    return read


def _lines(pattern: str) -> _Read:
    """What stands behind a mark on its line."""
    line = re.compile(pattern, re.MULTILINE)
    return lambda text: (found[1].strip().strip("\"'") for found in line.finditer(text))


def _tasks(text: str) -> Iterator[Later]:
    """Tasks of an editor, where one runs when a folder is opened."""
    return _settings(text) if "folderOpen" in text else iter(())


def _property_list(text: str) -> Iterator[Later]:
    """`ProgramArguments` of launchd."""
    words = re.findall(r"<string>([^<]*)</string>", text.partition("ProgramArguments")[2].partition("</array>")[0])
    yield words


def _git_settings(text: str) -> Iterator[Later]:
    section = ""
    for line in text.replace("\\\n", " ").splitlines():
        if found := re.match(r'\s*\[\s*([\w.-]+)(?:\s+"([^"]*)")?\s*\]\s*(.*)', line):
            section = ".".join(filter(None, (found[1], found[2])))
            line = found[3]
        name, equals, value = line.partition("=")
        if equals and (told := setting_that_runs(f"{section}.{name.strip()}", _unquoted(value.strip()))):
            yield told


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value[:1] == '"' == value[-1:] and len(value) > 1 else value


_GIT_RUNS = compile_later(
    r"core\.(?:pager|editor|sshcommand|askpass|fsmonitor|alternaterefscommand|gitproxy)|sequence\.editor|pager\..+"
    r"|diff\.external|(?:diff|merge)\..+\.(?:command|textconv|driver)|(?:diff|merge)tool\..+\.cmd"
    r"|filter\..+\.(?:clean|smudge|process)|gpg\.(?:.+\.)?program|interactive\.difffilter|browser\..+\.cmd|man\..+\.cmd"
    r"|trailer\..+\.(?:command|cmd)|uploadpack\.packobjectshook|sendemail\..*cmd|remote\..+\.(?:uploadpack|receivepack)",
)
_GIT_RUNS_MARKED = compile_later(r"alias\..+|credential\.(?:.+\.)?helper|submodule\..+\.update")
_NO_COMMAND = frozenset({"", "true", "false", "yes", "no", "on", "off", "0", "1"})


def setting_that_runs(name: str, value: str) -> str:
    """The script that one of git's settings has it run; empty for all others."""
    name = name.lower()
    if _GIT_RUNS_MARKED.fullmatch(name):
        return value[1:].strip() if value.startswith("!") else ""
    return value if _GIT_RUNS.fullmatch(name) and value.lower() not in _NO_COMMAND else ""


_TIMES = r"(?:@\w+|(?:[-\d*,/A-Za-z]+[ \t]+){4}[-\d*,/A-Za-z]+)"
_LIFECYCLE = (
    *("preinstall", "install", "postinstall", "prepare", "prepublish", "prepublishOnly", "prepack", "postprepare"),
)
_RC = (
    r"bash_profile|bashrc|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|zlogout|kshrc"
    r"|xprofile|xinitrc"
)
# The end of a path, and how the file is read.
_FILES: tuple[tuple[str, _Read], ...] = (
    (r"/\.git/(?:modules/.+/)?hooks/[\w-]+|/\.(?:husky|githooks|lefthook)/(?:[\w-]+/)*[\w-]+(?:\.sh)?", _script),
    (rf"/\.envrc|(?:~|/root|/(?:home|Users)/[^/]+)/\.(?:{_RC})", _script),
    (r"/etc/(?:profile|bash\.bashrc|profile\.d/.+|zsh/.+|rc\.local|cron\.(?:hourly|daily|weekly|monthly)/.+)", _script),
    (r"/\.config/fish/(?:conf\.d/.+|config)\.fish", _script),
    (r"/etc/(?:crontab|cron\.d/.+)", _lines(rf"^{_TIMES}[ \t]+[\w-]+[ \t]+(.+)$")),
    (r"/var/spool/cron/.+|/(?:[\w.-]+\.)?crontab", _lines(rf"^{_TIMES}[ \t]+(.+)$")),
    (r"/systemd/(?:system|user)/.+\.(?:service|socket|timer|path)(?:\.d/.+)?", _lines(r"^Exec\w+=[-@:+!]*(.+)$")),
    (r"/autostart/[^/]+\.desktop", _lines(r"^Exec=(.+)$")),
    (r"/Launch(?:Agents|Daemons)/[^/]+\.plist", _property_list),
    (r"/package\.json", _keys(*_LIFECYCLE)),
    (r"/composer\.json", _keys("post-install-cmd", "pre-install-cmd", "post-update-cmd", "post-autoload-dump")),
    (r"/(?:lefthook|\.lefthook|\.pre-commit-config)\.ya?ml", _lines(r"^[ \t-]*(?:run|entry):[ \t]*([^|>\n].*)$")),
    (r"/(?:\.devcontainer/(?:.+/)?)?\.?devcontainer\.json", _keys("initializeCommand")),
    (r"/\.vscode/tasks\.json|\.code-workspace", _tasks),
    (
        r"/\.?mcp(?:_config|[-_]servers?|_settings)?\.json|/[\w.-]+_mcp_settings\.json|/claude_desktop_config\.json"
        r"|/\.claude\.json|/\.(?:claude|gemini|qwen|cursor|codex|factory|kiro|amazonq|github|windsurf|roo|zed)/(?:.+/)?"
        r"(?:settings|settings\.local|hooks|mcp|config|cli-config)\.json|/\.github/hooks/.+\.json|/opencode\.jsonc?",
        _settings,
    ),
    (r"/\.codex/config\.toml", _toml),
    (r"/\.git/(?:modules/.+/)?config(?:\.worktree)?|/\.gitconfig|/\.config/git/config|/etc/gitconfig", _git_settings),
    (r"/\.gitmodules", _git_settings),
)
_READERS = tuple((re2.compile(f".*(?:{ends})".encode()), read) for ends, read in _FILES)
_BETWEEN = compile_later(r"[\s\"'=:,]|/(?:\./|/)+")
# Where a path leads that steps back on its way is for those to say who resolve it.
_STEPS_BACK = r"(?:[^/.]\.*|/\.{3,})/\.\./"
# No deadline ends a glance, so it takes linear time.
_GLANCE = re2.compile("|".join([_STEPS_BACK, *(f"(?:{ends})" for ends, _ in _FILES)]).encode())
_FOLDERS = compile_later(r"/(?:\.[\w-]|etc\b|systemd|autostart|Launch|cron)")


def may_hold_commands(text: str) -> bool:
    """Whether a path, or any path in a text, may be such a file."""
    return _GLANCE.search(_encoded(f"/{_BETWEEN.sub('/', text)}")) is not None


def may_write_commands(script: str) -> bool:
    """Whether a command line may name such a file, or say where git looks for its hooks."""
    return "hooks" in script or may_hold_commands(script)


def _encoded(path: str) -> bytes:
    return path.encode(errors="replace")


def may_hold_command_files(folder: str) -> bool:
    """Whether a path that is relative to this folder may be such a file, although it does not look like one."""
    return _FOLDERS.search(f"/{folder}") is not None


def commands_in(path: str, text: str) -> list[Later]:
    """The commands that the text of a file at a resolved path holds, or that of a part of it; empty for most files."""
    spelt = _encoded(path if path.startswith(("/", "~")) else f"/{path}")
    read = next((read for ends, read in _READERS if ends.fullmatch(spelt)), None)
    if read is None or not text.strip() or path.endswith(".sample"):
        return []
    found = [_one(each) for each in islice(read(text), _MOST)]
    return [each for each in found if each and (isinstance(each, list) or each.strip())]


def _one(command: Later) -> Later:
    """A list is the words of one command, unless its first holds several: then it is commands."""
    several = isinstance(command, list) and command and len(command[0].split()) > 1
    return "\n".join(command) if several else command


def as_script(command: Later) -> str:
    """A command as the text of a script."""
    return shlex.join(command) if isinstance(command, list) else command
