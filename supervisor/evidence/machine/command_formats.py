"""The formats of commands in files that run automatically: scripts, lines, JSON, TOML, YAML, git settings.

A text may be a part of its file: the new text of an edit.
"""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import re2

from supervisor.regexes import compile_later

Later = str | list[str]  # the text of a script, or the words of a command
Read = Callable[[str], Iterator[Later]]

_INTERPRETERS = {"python": ("python3", "-c"), "node": ("node", "-e"), "perl": ("perl", "-e"), "ruby": ("ruby", "-e")}


def script(text: str) -> Iterator[Later]:
    """The whole text, in the language that its first line names."""
    first = text.partition("\n")[0] if text.startswith("#!") else ""
    program = next((words for name, words in _INTERPRETERS.items() if name in first), None)
    yield [*program, text] if program else text


_STRING = r'"((?:[^"\\]|\\.)*)"'
_MEMBER = re2.compile(  # linear in texts with unclosed quotes
    rf'"(?:command|cmd|program|bash|powershell|run)"\s*:\s*{_STRING}|"args"\s*:\s*\[([^\]]*)\]'
)
_EACH_STRING = re2.compile(_STRING)
_COMMENT = re2.compile(r'(?s)("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/|,(\s*[}\]])')
_COMMANDS = ("command", "cmd", "program", "bash", "powershell", "run")
_HELPERS = ("apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper", "notify", "statusLine")


def settings(text: str) -> Iterator[Later]:
    """The command of every JSON object that has one, with its arguments; in a part of a file, every such member."""
    try:
        document = json.loads(_COMMENT.sub(lambda found: found[1] or found[2] or "", text))
    except (ValueError, RecursionError):
        yield from _members(_plainly_spelt(text))
        return
    yield from _commands_of(document)


def _members(text: str) -> Iterator[Later]:
    """Each command in a part of JSON, with the arguments after it, else with those before it."""
    command, before = "", list[str]()
    for found in _MEMBER.finditer(text):
        if found[1] is None:
            words = [_unescaped(each) for each in _EACH_STRING.findall(found[2] or "")]
            if command:
                yield [command, *words]
            command, before = "", words
        else:
            if command:
                yield command
            command = _unescaped(found[1])
            if before:
                yield [command, *before]
                before = []
    if command:
        yield command


_SPELT_OUT = re.compile(r"\\u00([2-7][0-9A-Fa-f])")


def _plainly_spelt(text: str) -> str:
    """JSON with escaped letters decoded: `\\u0063ommand` is also the name of a member."""
    return _SPELT_OUT.sub(lambda found: letter if (letter := chr(int(found[1], 16))).isalnum() else found[0], text)


def _commands_of(document: object) -> Iterator[Later]:
    pending = [document]
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


def toml(text: str) -> Iterator[Later]:
    try:
        yield from _commands_of(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError):
        yield from settings(re.sub(r"^\s*([\w.-]+)\s*=", r'"\1":', text, flags=re.MULTILINE).replace("\n", ",\n"))


def keys(*names: str) -> Read:
    """The values of members with these names, anywhere in JSON."""
    member = re2.compile(rf'"(?:{"|".join(names)})"\s*:\s*(?:{_STRING}|\[([^\]]*)\])')

    def read(text: str) -> Iterator[Later]:
        for found in member.finditer(_plainly_spelt(text)):
            words = [_unescaped(each) for each in _EACH_STRING.findall(found[2] or "")]
            yield words or _unescaped(found[1] or "")

    return read


def lines(pattern: str) -> Read:
    """The text after a mark on its line; a backslash continues the line."""
    line = re.compile(pattern, re.MULTILINE)
    return lambda text: (_bare(found[1]) for found in line.finditer(text.replace("\\\n", " ")))


def _bare(value: str) -> str:
    """A value without the quotes around it."""
    value = value.strip()
    whole = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" and value[0] not in value[1:-1]
    return value[1:-1] if whole else value


_RUNS_BLOCK = re.compile(r"([ \t-]*)(?:run|entry):[ \t]*([|>]?)[-+0-9]*[ \t]*(.*)")


def recipes(text: str) -> Iterator[Later]:
    """`run:` and `entry:` of YAML: the text after them, or in the block below."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        found = _RUNS_BLOCK.fullmatch(line)
        if found is None:
            continue
        first = _bare(found[3]) if not found[2] else ""
        rest = itertools.takewhile(partial(_is_below, len(found[1])), lines[number + 1 :] if not first else ())
        yield first or (" " if found[2] == ">" else "\n").join(each.strip() for each in rest)


def _is_below(column: int, line: str) -> bool:
    return not line.strip() or len(line) - len(line.lstrip()) > column


def tasks(text: str) -> Iterator[Later]:
    """Tasks of an editor, if one runs when a folder is opened."""
    return settings(text) if "folderOpen" in _plainly_spelt(text) else iter(())


def property_list(text: str) -> Iterator[Later]:
    """`ProgramArguments` of launchd."""
    words = re.findall(r"<string>([^<]*)</string>", text.partition("ProgramArguments")[2].partition("</array>")[0])
    yield words


def git_settings(text: str) -> Iterator[Later]:
    section = ""
    for line in text.replace("\\\n", " ").splitlines():
        if found := re.match(r'\s*\[\s*([\w.-]+)(?:\s+"([^"]*)")?\s*\]\s*(.*)', line):
            section = ".".join(filter(None, (found[1], found[2])))
            line = found[3]
        name, equals, value = line.partition("=")
        if equals and (script_text := setting_that_runs(f"{section}.{name.strip()}", _unquoted(value.strip()))):
            yield script_text


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
    """The script that git runs because of a setting; empty for other settings."""
    name = name.lower()
    if _GIT_RUNS_MARKED.fullmatch(name):
        return value[1:].strip() if value.startswith("!") else ""
    return value if _GIT_RUNS.fullmatch(name) and value.lower() not in _NO_COMMAND else ""
