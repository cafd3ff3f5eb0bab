"""Taxonomy folders made in a test: whole and valid ones, to be broken in one place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from supervisor.policy import Taxonomy

JUDGE = '''\
"""Objects to a word."""

from supervisor.specialist import Action, Context, Opinion, {verdict}, ok, specialist


@specialist("shell")
def {id}(action: Action, context: Context) -> Opinion:
    if "{word}" in action.text("command"):
        return {objection}
    return ok()
'''
OBJECTIONS = {
    "flag": 'flag("It is there.")',
    "nudge": 'nudge("It is there.", correction="Leave it out.", sharper="Leave it out at last.")',
    "block": 'block("It is there.")',
}


def entry(id: str, /, *, verdict: str = "block", word: str = "forbidden", **changes: Any) -> dict[str, Any]:
    """A complete entry about a shell command that holds a word; `changes` replace its keys."""

    def case(command: str, **more: Any) -> dict[str, Any]:
        return {"tool": "bash", "args": {"command": command}, "because": "the word decides", **more}

    caught = [case(f"echo {word} {number}") for number in range(3)]
    caught[0] |= {"corrected": {"command": "echo"}} if verdict == "nudge" else {}
    cases = {
        "caught": caught,
        "let_through": [case(f"echo {number}") for number in range(3)],
        "refused": [{"tool": "sql", "args": {"query": "SELECT 1"}, "because": "not a shell action"}],
    }
    whole: dict[str, Any] = {
        "id": id,
        "name": "A word that must not be said",
        "description": "Says a word.",
        "agents": ["coding"],
        "severity": "low",
        "verdict": verdict,
        "method": "deterministic",
        "incident": {"summary": "An incident.", "date": "2026", "source": "https://example.com"},
        "references": [{"scheme": "CWE", "id": "CWE-22"}],
        "cases": cases,
    }
    return {key: value for key, value in (whole | changes).items() if value is not None}


def judge(
    id: str, *, verdict: str = "block", word: str = "forbidden", kind: str = "shell", part: str = "command"
) -> str:
    """The source of the specialist that `entry` describes."""
    return JUDGE.format(id=id, verdict=verdict, word=word, kind=kind, part=part, objection=OBJECTIONS[verdict])


def add(
    folder: Path,
    id: str,
    /,
    *,
    family: str = "conduct",
    verdict: str = "block",
    word: str = "forbidden",
    **changes: Any,
) -> tuple[Path, Path]:
    """Writes a pair below `folder`; returns the entry's file and the specialist's."""
    files = folder / "taxonomy" / family / f"{id}.yaml", folder / "specialists" / family / f"{id}.py"
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
    files[0].write_text(yaml.safe_dump(entry(id, verdict=verdict, word=word, **changes)))
    files[1].write_text(judge(id, verdict=verdict, word=word))
    return files


def alone(folder: Path, **changes: Any) -> Taxonomy:
    """The policy under which only the taxonomy in `folder` is in force."""
    return Taxonomy(folders=(str(folder),), shipped=False, **changes)
