"""What configuration files make other programs do to the guard: rotate its records, leave them out of a backup, replace
a host's settings, stop its unit, run a command that does any of that.

The formats are not parsed. A line that names a place of the guard acts on it if the file's only purpose is to act on
what it names, or if a directive stands near. A command counts under any key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from supervisor.evidence.effects import PROGRAMS
from supervisor.evidence.effects.guard.assets import PRIVATE, Assets
from supervisor.evidence.effects.guard.later_files import Later
from supervisor.evidence.effects.guard.variables import OWN
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.machine.assets import OURS, Asset, Sort
from supervisor.evidence.machine.command_files import as_script, commands_in
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import shown

_SORTS = frozenset({*PRIVATE, Sort.CODE, Sort.LIBRARY, Sort.INTERPRETER, Sort.ENVIRONMENT, Sort.HOOKS})
_MOST_LINES = 256  # lines that name an asset
_LONGEST = 2_000  # characters of a line
_NEAR = 3  # lines between a directive and what it acts on, without an empty line between them
_HOME_SPELT = re.compile(r"\$\{[^}\s]{1,64}\}(?=/)|\$\w{1,32}(?=/)|\{\{[^}]{1,64}\}\}(?=/)|\{\w{0,32}\}(?=/)|%h(?=/)")
_PLACE = re.compile(r"[~/][^\s'\"`{},;()<>|=:]{2,1024}")
# Nix and home-manager write paths relative to the home.
_OF_HOME = re.compile(r"(?:home\.file|xdg\.configFile)\.\"([^\"]{2,256})\"")
# Words with which a program deletes, empties, moves, hides, replaces or locks what it names.
_DIRECTIVE = re.compile(
    r"\b(?:absent|delete\w*|remove\w*|purge\w*|unlink\w*|truncate\w*|rotate|shred|wipe|erase|prune|clean_?up|force"
    r"|overwrite|exclude\w*|deny|lineinfile|blockinfile|ini_file|Inaccessible(?:Paths|Directories)|ReadOnly(?:Paths|Directories)|NoExecPaths"
    r"|TemporaryFileSystem|BindPaths|BindReadOnlyPaths|RootDirectory|write\w*|rename\w*|rmtree|rmdir\w*|fwrite|chmod"
    r"|chown|set_permissions|\w*Remove\w*|\w*Delete\w*|\w*Truncate\w*|Unlink|rm_rf?|rm_r)\b|\bfs::\w*(?:write|remove|rename)",
)
_COMPOSED = re.compile(r"^\s*-\s+[\"']?[^\s:]+:/[^\s:]+(?::rw)?[\"']?\s*$")  # a writable volume
_PUT_THERE = re.compile(r"(?:^|[{,])\s*(?:-\s+)?[\"']?(?:dest|destination)[\"']?\s*[:=]")  # the target of a copy
_BOUND = re.compile(r"\btype\s*:\s*[\"']?bind\b")
_LOOKS = re.compile(r"\b(?:state\s*[:=]\s*(?:file|directory|present)|stat|slurp|assert|verify|include|read_?only)\b")
_UNIT = r"supervisor(?:-guard|-daemon)?\.(?:service|socket)"
_STOPS_UNIT = re.compile(rf"^\s*(?:Conflicts|PropagatesStopTo)\s*=.*\b{_UNIT}", re.MULTILINE)
_NAMES_UNIT = re.compile(
    r"\b(?:name|service|unit|title)[\"']?\s*[:=]>?\s*[\"']?supervisor(?:-guard|-daemon)?(?:\.service|\.socket)?[\"']?\s*(?:[,}]|$)"
    r"|\b(?:service|systemd_unit)\s*\{?\s*['\"]supervisor(?:-guard|-daemon)?(?:\.service|\.socket)?['\"]"
    r"|\buser\.(?:services|sockets)\.\"?supervisor\b"
)
_STATE_OFF = re.compile(
    r"\bstate[\"']?\s*[:=]\s*[\"']?(?:stopped|absent)|\benabled?[\"']?\s*[:=]\s*[\"']?(?:false|no)\b"
    r"|\bmasked[\"']?\s*[:=]\s*[\"']?(?:true|yes)|\bensure[\"']?\s*=>\s*[\"']?(?:stopped|absent)|:(?:stop|disable|mask)\b"
)
_KEY = re.compile(
    r"^\s*(?:[-+]\s+)?(?:(?:run|command|cmd|shell|script|entrypoint|exec|execute|raw|win_shell|args|program|hook\w*"
    r"|(?:pre|post|on|before|after)\w*)\s*[:=]\s*|Exec\w+\s*=\s*[-@:+!]*|RUN\s+(?:--\S+\s+)*|CMD\s+|ENTRYPOINT\s+"
    r"|[-*+>$#!]\s+)[\"']?(?=\S)",
    re.IGNORECASE,
)
_RUNS = re.compile(r"[\w./~$\"{}!-]+\s")  # a program's name, not a key
_QUOTES = (".nix", ".tf", ".toml", ".hcl", ".cfg")  # formats with quoted commands
_TASKS = re.compile(
    r"(?:^|/)(?:tasks|launch|hooks|settings|devcontainer|mcp|nodemon|lefthook|turbo|project)(?:\.local)?\.json$"
    r"|\.code-workspace$"
)
_BANNED = re.compile(r"\s*,?\s*(?:is|are|must|may|should)\b[^.]{0,20}\b(?:not|never|forbidden|off[- ]limits)\b")
_INLINE = re.compile(r"`([^`\n]{4,1000})`")
_QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.){4,1000})\"|'((?:[^'\\\n]|\\.){4,1000})'")
_BEHIND_COLON = re.compile(r":\s+([a-z~/.][^\n]{3,1000})$")
_FORBIDS = re.compile(r"\b(?:never|not|don't|do not|nobody|only a person|must ask|human|forbid\w*)\b", re.IGNORECASE)
_US = r"(?:supervisor\b(?![-.\w])|the guard\b|pretooluse|approval (?:hook|prompt)s?\b)"
_EVADES = re.compile(
    r"\b(?:bypass|circumvent|evad|sidestep|work(?:ing)? around|get(?:ting)? around|go(?:ing)? around|switch off|silenc"
    rf"|turn off|disabl|avoid|skip|trick|kill|stop)\w*\s(?:[^.\n]{{0,60}}\s)?{_US}"
    r"|\b(?:bypass|circumvent|evad|switch off|turn off|disabl)\w*\s(?:the|all|its|claude's|codex's|agent) hooks\b"
    rf"|{_US}\s+(?:blocks|denies|refuses|holds|stops|complains|asks)\b[^.\n]{{0,80}}"
    r"\b(?:script|cron|crontab|base64|subprocess|another (?:shell|tool)|encode|split it)\b"
    rf"|\b(?:set|export|unset)\b[^.\n]{{0,20}}\b(?:{'|'.join(sorted(OWN))})\b",
    re.IGNORECASE,
)
_ANSWERS = re.compile(r"\bsupervisor\s+(?:allow(?!\s+(?:list|show)\b)|approve|stop|install\s[^\n`]{0,60}--undo)\b")
_PERMITS = re.compile(r"^permission_?mode\s*:\s*[\"']?bypassPermissions|^yolo\s*:\s*true", re.IGNORECASE | re.MULTILINE)


def may_concern(text: str, known: Assets) -> bool:
    """Whether a text may name an asset of the guard, by a few searches for fixed words."""
    return any(word in text for word in _WORDS) or any(mark in text for mark in known.marks)


_WORDS = ("upervisor", "SUPERVISOR_", "bypassPermissions", "AllHooks", "--dangerously", "--yolo", "hooks")


def acts_on(sort: Later, text: str, known: Assets) -> Iterator[Disarming]:
    """What a program does to the guard's places if it follows this text."""
    if found := _STOPS_UNIT.search(text):
        yield Disarming(
            How.STOPPED, f"keeps the guard's unit from running: `{shown(found[0].strip())}`", found[0].strip()
        )
    lines = _plain(text).splitlines()
    for number in (number for number, line in enumerate(lines) if _NAMES_UNIT.search(line)):
        near = "\n".join(_stanza(lines, number))
        if _STATE_OFF.search(near) and re.search(r"\buser\b", near):
            yield Disarming(How.STOPPED, f"keeps the guard's unit from running: `{shown(lines[number].strip())}`")
    for number, line in enumerate(lines):
        for word, asset in _named(line, known):
            if _is_acted_on(sort, asset, lines, number):
                how = How.UNSEEN if asset.sort == Sort.HOOKS else How.CHANGED
                yield Disarming(how, f"acts on {shown(word)}", shown(word))
                return


def _plain(text: str) -> str:
    """The text with every variable for the home replaced by `~`."""
    return _HOME_SPELT.sub("~", text)


def _named(line: str, known: Assets) -> Iterator[tuple[str, Asset]]:
    if len(line) > _LONGEST or ("/" not in line):
        return
    words = [*_PLACE.findall(line), *(f"~/{word}" for word in _OF_HOME.findall(line) if "xdg" not in line)]
    words += [f"~/.config/{word}" for word in _OF_HOME.findall(line) if "xdg" in line]
    for word in words:
        path = resolve(word.rstrip("/."), "/")
        asset = known.at(path) or (known.nearest(path) if path.count("/") > 1 else None)
        if asset is not None and asset.sort in _SORTS:
            yield word, asset


def _is_acted_on(sort: Later, asset: Asset, lines: list[str], number: int) -> bool:
    """Whether a directive applies to what a line names. In a SETTINGS file every line is a directive."""
    if sort is Later.SETTINGS:
        return asset.sort != Sort.HOOKS and not lines[number].lstrip().startswith("#")
    if asset.sort in (Sort.LIBRARY, Sort.INTERPRETER) and sort is not Later.FOREIGN:
        return False  # units start these and images copy them
    near = "\n".join(_stanza(lines, number))
    if OURS.search(near) or _LOOKS.search(near) or lines[number].lstrip().startswith(("#", "//", "--")):
        return False
    return _DIRECTIVE.search(near) is not None or any(
        pattern.search(text)
        for pattern, text in ((_COMPOSED, lines[number]), (_PUT_THERE, lines[number]), (_BOUND, near))
    )


def _stanza(lines: list[str], number: int) -> Iterator[str]:
    """A line and the lines near it, up to the next empty line."""
    yield lines[number]
    for step in (-1, 1):
        for at in range(number + step, number + step * (_NEAR + 1), step):
            if not 0 <= at < len(lines) or not lines[at].strip():
                break
            yield lines[at]


def commands_of(sort: Later, path: str, text: str, known: Assets) -> Iterator[str]:
    """The commands that a file's format declares, and those in lines that name an asset of the guard."""
    yield from (_plain(as_script(each)) for each in commands_in(path, text))
    lines = [line for line in text.splitlines() if len(line) <= _LONGEST and may_concern(line, known)]
    for line in islice(lines, _MOST_LINES):
        yield from dict.fromkeys(_commands_in_line(sort, path, line))


def _commands_in_line(sort: Later, path: str, line: str) -> Iterator[str]:
    yield from (found[1] for found in _INLINE.finditer(line) if not _is_forbidden(line, found))
    if sort is Later.WORDS:
        if not _FORBIDS.search(line):
            yield from _BEHIND_COLON.findall(line)
    elif (sort is Later.DIRECTIVES and not path.endswith((".yml", ".yaml"))) or (
        sort is Later.COMMANDS and _TASKS.search(path)
    ):
        yield from (" ".join(filter(None, found)) for found in _QUOTED.findall(line))
    elif sort is Later.FOREIGN or path.endswith(_QUOTES):
        yield from (" ".join(filter(None, found)) for found in _QUOTED.findall(line))
        return
    command, keys = _KEY.subn("", line, count=1)
    command = command.strip().rstrip("\"'\\").strip()
    programs = [word.rpartition("/")[2] for word in command.split()[:2] if word != "sudo"]
    runs = _RUNS.match(command) and (keys or PROGRAMS.get(programs[0] if programs else ""))
    if runs and not (sort is Later.WORDS and _FORBIDS.search(line)):
        yield command


def _is_forbidden(line: str, found: re.Match[str]) -> bool:
    """Whether a sentence names a command only to forbid it."""
    before = re.split(r"[.;]\s", line[: found.start()])[-1]
    return _FORBIDS.search(before) is not None or _BANNED.match(line[found.end() :]) is not None


def words_for_agents(text: str, file: str) -> Iterator[Disarming]:
    """Instructions for agents in a text: to evade the guard, to answer for a person, or to skip approval."""
    for sentence in re.split(r"[.\n]", text):
        found = _EVADES.search(sentence)
        if found is not None and not _FORBIDS.search(sentence[: found.end()]):
            yield Disarming(How.UNGUARDED, f"tells agents to `{shown(sentence.strip())}`", shown(found[0]))
        answer = _ANSWERS.search(sentence)
        if answer is not None and not _FORBIDS.search(sentence):
            yield Disarming(How.ANSWERED, f"has an agent run `{shown(sentence.strip())}`", shown(sentence.strip()))
    if found := _PERMITS.search(text):
        yield Disarming(How.PERMITTED, f"has an agent act without approval: `{shown(found[0])}`", shown(found[0]), file)
