"""Our entries in a host's settings file: put in, taken out, everything else left as it stands."""

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
_OR_REFUSE = '"$@" || { [ $? = 2 ] || echo "Supervisor: the hook has failed, so nothing runs" >&2; exit 2; }'


def command(host: Host, event: str, socket: Path, on_failure: OnFailure, policy: Path | None) -> str:
    """What the host runs at an event: in a POSIX shell, whichever the host's own is, without the variables that would
    make Perl load other code.

    Its last words are for the case that the client is missing or dies: exit code 2 is the only one that no host takes
    for a yes, and Codex does where nothing stands on stderr.
    """
    moment = host.events[event]
    mode: OnFailure = on_failure if moment == "before" else "observe"
    named = [str(policy)] if policy else []
    if perl := shutil.which("perl"):
        words = [perl, str(_FOLDER / "client.pl"), sys.executable]
    else:
        words = [sys.executable, "-I", "-S", str(_FOLDER / "client.py"), "ask"]
    script = f"unset {_PERLS}; {_OR_REFUSE if mode == 'closed' else _ALONE}"
    shell = ["/bin/sh", "-c", script, "supervisor"]
    line = shlex.join([*shell, *words, str(socket), host.name, mode, str(WITHIN), *named])
    return f"{line} || exit 2" if mode == "closed" else line


def installed(host: Host, text: str, place: Path, commands: dict[str, str]) -> str:
    """The settings file `text` with our entries, whatever entries of ours were there before. BadInput."""
    settings = _without_ours(_parsed(text, place))
    hooks = settings.setdefault("hooks", {})
    for event, line in commands.items():
        hooks.setdefault(event, []).append(host.entry(event, line))
    return _written({**host.frame, **settings}, text)


def removed(host: Host, text: str, place: Path) -> str:
    """The settings file without our entries; nothing where nothing else is in it. BadInput."""
    settings = _without_ours(_parsed(text, place))
    return "" if settings in ({}, dict(host.frame)) else _written(settings, text)


def our_commands(text: str, place: Path) -> dict[str, str]:
    """The commands of ours that a settings file holds, by event. BadInput."""
    hooks = _parsed(text, place).get("hooks", {})
    told = {event: [line for each in entries for line in _lines(each)] for event, entries in hooks.items()}
    return {event: line for event, lines in told.items() for line in lines if OURS.search(line)}


def read(file: Path) -> str:
    """The text of a settings file; empty where there is none. BadInput."""
    try:
        return read_file(file, _MOST).decode()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot be read: {error}", place=str(file)) from None


def write(file: Path, text: str) -> None:
    """Puts the whole text in place at once, with the rights that the file had; removes the file where there is none."""
    if not text:
        file.unlink(missing_ok=True)
        return
    file = file.resolve()  # a link to the settings stays one
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as fresh:
        fresh.write(text)
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    os.chmod(fresh.name, mode)
    os.replace(fresh.name, file)


def _parsed(text: str, place: Path) -> dict[str, Any]:
    """What the file holds, its shape checked as far as we touch it."""
    if not text.strip():
        return {}
    try:
        settings: dict[str, Any] = read_json(text, limit=_MOST, numbers={})
    except BadInput as error:
        raise BadInput(f"{error}; it has to be plain JSON", place=str(place)) from None
    hooks = settings.get("hooks", {}) if isinstance(settings, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(entries, list) for entries in hooks.values()):
        raise BadInput("its `hooks` are not lists by event", place=str(place))
    return settings


def _without_ours(settings: dict[str, Any]) -> dict[str, Any]:
    """A copy in which nothing of ours is left, nor anything that only held it."""
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
    """The commands of one entry, in a list of its own or directly."""
    inner = entry.get("hooks") if isinstance(entry, dict) else None
    for each in [entry, *(inner if isinstance(inner, list) else [])]:
        if isinstance(each, dict) and isinstance(each.get("command"), str):
            yield each["command"]


def _written(settings: dict[str, Any], before: str) -> str:
    """As JSON, indented as it was."""
    found = re.search(r"^([ \t]+)\S", before, re.MULTILINE)
    indent: str | int = found[1] if found else 2
    end = "\n" if before.endswith("\n") or not before else ""
    return json.dumps(settings, indent=indent, ensure_ascii=False) + end
