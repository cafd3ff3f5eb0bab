"""What PowerShell does to the guard. No parser reads its language; its cmdlets are named `Verb-Noun`.

A statement only reads if all its verbs do (`Get-`, `Test-`, `Select-` and the like). Any other statement that names an
asset of the guard acts on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence.effects.guard.assets import PRIVATE, Assets
from supervisor.evidence.effects.guard.own_program import ANSWERS, CHANGES
from supervisor.evidence.effects.guard.variables import OWN
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.guard.processes import fits_daemon
from supervisor.evidence.machine.assets import Sort
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import shown

_OURS = frozenset({*PRIVATE, Sort.HOOKS, Sort.CODE, Sort.INTERPRETER, Sort.ENVIRONMENT})
_TOOL = re.compile(r"(?i)(?:^|[^a-z])(?:powershell|pwsh)")
_CMDLET = re.compile(r"(?<![\w$./-])([A-Z][A-Za-z]+)-([A-Z][A-Za-z]+)\b")
_ALIASES = re.compile(
    r"(?:^|[|;{(]\s*)(del|erase|rd|ri|rm|rmdir|sc|ac|clc|mv|mi|move|ren|rni|sp|spps|kill|cp|copy|cpi|ni)\s"
)
_LOOKS = frozenset(
    "Get Test Select Where ForEach For Measure Compare Format Write Sort Group Join Split Resolve Convert ConvertTo"
    " ConvertFrom Show Find Search Read Out Import Start Wait Use Show Trace Debug".split()
)
_WRITES = frozenset({"Out-File"})
_ENDS = re.compile(r"\bStop-Process\b|\bspps\b|\bkill\b|\bSuspend-Process\b|\.(?:Kill|Suspend)\(|\.PriorityClass\s*=")
_MATCHED = re.compile(
    r"-(?:c|i)?(?:match|like|eq|contains)\s+(['\"])(.{2,200}?)\1|-(?:Process)?Name\s+['\"]?([\w*-]{2,64})"
)
_PLACE = re.compile(r"[~/$][^\s'\"(){}<>;,|]{1,1024}|\.{1,2}/[^\s'\"(){}<>;,|]{1,1024}")
_HOME = re.compile(r"^(?:\$HOME|\$env:HOME|\$\{HOME\}|\$env:USERPROFILE)(?=/|$)", re.IGNORECASE)
_INCLUDED = re.compile(r"-(?:Include|Filter)\s+([^\s|;]{1,256})")
_RUNS_OURS = re.compile(
    rf"(?:^|[\s&;|/])supervisor\s+(?:{'|'.join(sorted(ANSWERS | CHANGES))})\b(?!.*--(?:help|dry-run))"
)
_VARIABLE = re.compile(r"(\$\w+)\s*=\s*([^\n;]{1,1000})")
_STATIC = re.compile(
    r"\]::(?:Delete|Move|WriteAll\w*|Append\w*|Create\w*|Copy|Replace|Set\w+|Open\w*)\(|\.(?:Delete|MoveTo)\("
)
_SETS_OURS = re.compile(
    rf"\$env:({'|'.join(sorted(OWN))})\s*=|\b(?:Set|New|Remove)-Item\s+['\"]?env:({'|'.join(sorted(OWN))})", re.I
)
_LONGEST = 64 * 1024


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What a PowerShell script does to the guard; nothing if the action's tool is not PowerShell."""
    if not is_powershell(action):
        return
    script = _script(action)
    bound = dict(_VARIABLE.findall(script))
    for line in re.split(r"[\n;]", script):
        statement = re.sub(r"\$\w+", lambda found: bound.get(found[0], found[0]), line)
        if _RUNS_OURS.search(statement):
            yield Disarming(How.REMOVED, f"runs `{shown(line.strip())}`", shown(line.strip()))
        elif ours := _SETS_OURS.search(statement):
            yield Disarming(How.REMOVED, f"sets {ours[1] or ours[2]}", ours[1] or ours[2])
        elif _ends_daemon(statement, known):
            yield Disarming(How.STOPPED, f"runs `{shown(line.strip())}`", shown(line.strip()))
        elif _acts(statement) and (place := _named(statement, context.cwd or ".", known)):
            yield Disarming(How.CHANGED, f"runs `{shown(line.strip())}`", shown(place))


def is_powershell(action: Action) -> bool:
    """Whether an action's tool is PowerShell."""
    return action.kind == "shell" and _TOOL.search(action.tool) is not None


def plain_lines(action: Action) -> list[str]:
    """The statements that run a program with plain words, which the shell reader can read."""
    return [
        line.strip() for line in re.split(r"[\n;|]", _script(action)) if not _OF_ITS_OWN.search(line) and " " in line
    ]


_OF_ITS_OWN = re.compile(r"[${}()\[\]@`]|\b[A-Z][a-z]+-[A-Z]")


def _script(action: Action) -> str:
    command: str = action.text("command") or next((text for _, text in action.strings()), "")
    return command[:_LONGEST]


def _acts(statement: str) -> bool:
    """Whether a statement does more than read."""
    found = [each.groups() for each in _CMDLET.finditer(statement)]
    if _STATIC.search(statement):
        return True
    acts = any(verb not in _LOOKS or f"{verb}-{noun}" in _WRITES for verb, noun in found)
    return acts or _ALIASES.search(statement) is not None or re.search(r"(?<![-=2])>", statement) is not None


def _named(statement: str, cwd: str, known: Assets) -> str:
    """The word by which a statement names a place of the guard, or a folder above one if it recurses; "" if none."""
    walks = "-Recurse" in statement
    wanted = [each.strip("'\"") for found in _INCLUDED.findall(statement) for each in found.split(",")]
    places = _PLACE.findall(statement)
    copies = [each for each in _CMDLET.finditer(statement) if each[1] not in _LOOKS]
    if copies and all(each[0] == "Copy-Item" for each in copies):
        places = places[-1:]
    for word in places:
        path = resolve(_HOME.sub("~", str(word)), cwd)
        asset = known.at(path) or known.nearest(path)
        if asset is None and walks:
            below = [each for each in known.all_below(path) if each.sort in _OURS]
            asset = next((each for each in below if not wanted or _holds(each.sort, wanted)), None)
        if asset is not None and asset.sort in _OURS:
            return str(word)
    return ""


def _holds(sort: str, wanted: list[str]) -> bool:
    """Whether a tree of the guard may hold files that match these patterns."""
    endings = {Sort.RECORDS: ".jsonl", Sort.POLICY: ".yaml", Sort.KEY: ".pem", Sort.SOCKET: ".sock"}
    return any(each.endswith(endings.get(Sort(sort), "*")) or each in ("*", "*.*") for each in wanted)


def _ends_daemon(statement: str, known: Assets) -> bool:
    """Whether the daemon is among the processes that a statement ends."""
    patterns = [found[2] or found[3] for found in _MATCHED.finditer(statement)] if _ENDS.search(statement) else []
    return any(fits_daemon(text.strip("*"), known) for text in patterns)
