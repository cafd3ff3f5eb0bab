"""Adds and removes our entries in a host's settings file. All other entries stay."""

from __future__ import annotations

import copy
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from supervisor.adapters.hooks.host import WITHIN, Host, OnFailure
from supervisor.errors import BadInput
from supervisor.evidence.machine.assets import OURS
from supervisor.intake.documents import read_json
from supervisor.intake.files import read_file

_FOLDER = Path(__file__).parent
_MOST = 4 * 1024 * 1024  # bytes of a settings file
_PERLS = "PERL5LIB PERLLIB PERL5OPT PERL5DB PERLIO PERLIO_DEBUG PERL_UNICODE"  # perlrun(1); Python has -I for that
_ALONE = 'exec "$@"'
_GONE = "Supervisor is not installed any more, {}. Install it again, or remove its hooks from $0"
_LEFT_BEHIND: dict[OnFailure, str] = {  # by what happens where the package was removed, and its hooks were not
    "closed": f'echo "{_GONE.format("so nothing runs")}" >&2; exit 2',
    "open": (
        """echo '{"systemMessage": "Supervisor is not installed any more, and this runs unjudged."}'; """
        f'echo "{_GONE.format("and this runs unjudged, as its policy said")}" >&2; exit 0'
    ),
    "observe": f'echo "{_GONE.format("and did not receive this event")}" >&2; exit 1',
}
_OR_REFUSE = '"$@" || { [ $? = 2 ] || echo "Supervisor: the hook has failed, so nothing runs" >&2; exit 2; }'


def command(
    host: Host,
    event: str,
    socket: Path,
    on_failure: OnFailure,
    policy: Path | None,
    file: Path = Path("the settings of this agent"),
) -> str:
    """The command that the host runs at an event: in a POSIX shell, whatever the host's own shell is, without the
    variables that make Perl load other code.

    If the client is missing, it says so, and names the settings `file` that the command stands in ($0 of the shell).
    Its end handles a client that dies: exit code 2 is the only one that no host reads as consent, and Codex needs a
    text on stderr with it.
    """
    moment = host.events[event]
    mode: OnFailure = on_failure if moment == "before" else "observe"
    named = [str(policy)] if policy else []
    if perl := shutil.which("perl"):
        client, words = "$2", [perl, str(_FOLDER / "client.pl"), sys.executable]
    else:
        client, words = "$4", [sys.executable, "-I", "-S", str(_FOLDER / "client.py"), "ask"]
    is_there = f'[ -r "{client}" ] || {{ {_LEFT_BEHIND[mode]}; }}'
    script = f"unset {_PERLS}; {is_there}; {_OR_REFUSE if mode == 'closed' else _ALONE}"
    shell = ["/bin/sh", "-c", script, str(file)]
    line = shlex.join([*shell, *words, str(socket), host.name, mode, str(WITHIN), *named])
    return f"{line} || exit 2" if mode == "closed" else line


def installed(host: Host, text: str, place: Path, commands: dict[str, str]) -> str:
    """The settings file `text` with our entries instead of earlier ones. Raises BadInput if it is malformed."""
    settings = _without_ours(_parsed(text, place))
    hooks = settings.setdefault("hooks", {})
    for event, line in commands.items():
        hooks.setdefault(event, []).append(host.entry(event, line))
    return _written({**host.frame, **settings}, text)


def removed(host: Host, text: str, place: Path) -> str:
    """The settings file without our entries; "" if it has no others. Raises BadInput if it is malformed."""
    settings = _without_ours(_parsed(text, place))
    return "" if settings in ({}, dict(host.frame)) else _written(settings, text)


def our_commands(text: str, place: Path) -> dict[str, str]:
    """Our commands in a settings file, by event. Raises BadInput if it is malformed."""
    hooks = _parsed(text, place).get("hooks", {})
    lines_of = {event: [line for each in entries for line in _lines(each)] for event, entries in hooks.items()}
    return {event: line for event, lines in lines_of.items() for line in lines if OURS.search(line)}


def read(file: Path) -> str:
    """The text of a settings file; "" if there is none. Raises BadInput if it cannot be read."""
    try:
        return read_file(file, _MOST).decode()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot be read: {error}", place=str(file)) from None


def write(file: Path, text: str) -> None:
    """Replaces the file atomically and keeps its mode; removes the file if the text is empty."""
    if not text:
        file.unlink(missing_ok=True)
        return
    file = file.resolve()  # a symbolic link to the settings stays one
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as fresh:
        fresh.write(text)
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    os.chmod(fresh.name, mode)
    os.replace(fresh.name, file)


def _parsed(text: str, place: Path) -> dict[str, Any]:
    """The file's settings. Only the parts that we change are checked."""
    if not text.strip():
        return {}
    try:
        settings: dict[str, Any] = read_json(text, limit=_MOST, numbers={})
    except BadInput as error:
        raise BadInput(f"{error}; it must be plain JSON", place=str(place)) from None
    hooks = settings.get("hooks", {}) if isinstance(settings, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(entries, list) for entries in hooks.values()):
        raise BadInput("its `hooks` are not lists by event", place=str(place))
    return settings


def _without_ours(settings: dict[str, Any]) -> dict[str, Any]:
    """A copy without our entries, and without the lists that had only those."""
    kept = copy.deepcopy(settings)
    hooks = kept.get("hooks", {})
    for event in list(hooks):
        before = hooks[event]
        hooks[event] = [each for each in before if not any(OURS.search(line) for line in _lines(each))]
        if before and not hooks[event]:
            del hooks[event]
    if settings.get("hooks") and not hooks:
        del kept["hooks"]
    return kept


def _lines(entry: Any) -> Iterator[str]:
    """The commands of one entry: in its list `hooks`, or directly."""
    inner = entry.get("hooks") if isinstance(entry, dict) else None
    for each in [entry, *(inner if isinstance(inner, list) else [])]:
        if isinstance(each, dict) and isinstance(each.get("command"), str):
            yield each["command"]


def _written(settings: dict[str, Any], before: str) -> str:
    """The settings as JSON, with the indentation of the text before."""
    found = re.search(r"^([ \t]+)\S", before, re.MULTILINE)
    indent: str | int = found[1] if found else 2
    end = "\n" if before.endswith("\n") or not before else ""
    return json.dumps(settings, indent=indent, ensure_ascii=False) + end
