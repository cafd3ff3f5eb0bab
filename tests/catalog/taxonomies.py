"""Taxonomy folders made in a test: whole and valid ones, to be broken in one place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from supervisor.policy import Taxonomy

JUDGE = '''\
"""Objects to a word."""

from supervisor.specialist import Action, Context, Opinion, {verdict}, ok, specialist


@specialist("shell")
def {id}(action: Action, context: Context) -> Opinion:
    if "{word}" in {seen}:
        return {objection}
    return ok()
'''
OBJECTIONS = {
    "flag": 'flag("It is there.")',
    "nudge": 'nudge("It is there.", correction="Leave it out.", sharper="Leave it out at last.")',
    "block": 'block("It is there.")',
}


def entry(
    id: str, /, *, verdict: str = "block", word: str = "forbidden", stage: str = "before", **changes: Any
) -> dict[str, Any]:
    """A complete entry about a shell command, or what came of one, that holds a word; `changes` replace its keys."""

    def case(told: str, **more: Any) -> dict[str, Any]:
        known = {"args": {"command": told}} if stage == "before" else {"args": {"command": "run"}, "output": told}
        return {"tool": "bash", **known, "because": "the word decides", **more}

    caught = [case(f"echo {word} {number}") for number in range(3)]
    caught[0] |= {"corrected": {"command": "echo"}} if verdict == "nudge" else {}
    if verdict == "nudge" and stage == "after":
        caught[0] |= {"corrected_output": ""}
    refused = {"tool": "sql", "args": {"query": "SELECT 1"}, "because": "not a shell action"}
    cases = {
        "caught": caught,
        "let_through": [case(f"echo {number}") for number in range(3)],
        "refused": [refused | ({"output": ""} if stage == "after" else {})],
    }
    whole: dict[str, Any] = {
        "id": id,
        "name": "A word that must not be said",
        "description": "Says a word.",
        "agents": ["coding"],
        "severity": "low",
        "verdict": verdict,
        "stage": stage,
        "method": "deterministic",
        "incident": {"summary": "An incident.", "date": "2026", "source": "https://example.com"},
        "references": [{"scheme": "CWE", "id": "CWE-22"}],
        "cases": cases,
    }
    return {key: value for key, value in (whole | changes).items() if value is not None}


def judge(id: str, *, verdict: str = "block", word: str = "forbidden", stage: str = "before") -> str:
    """The source of the specialist that `entry` describes."""
    seen = {"before": 'action.text("command")', "after": "context.outcome.text"}[stage]
    return JUDGE.format(id=id, verdict=verdict, word=word, seen=seen, objection=OBJECTIONS[verdict])


def add(
    folder: Path,
    id: str,
    /,
    *,
    family: str = "conduct",
    verdict: str = "block",
    word: str = "forbidden",
    stage: str = "before",
    **changes: Any,
) -> tuple[Path, Path]:
    """Writes a pair below `folder`; returns the entry's file and the specialist's."""
    files = folder / "taxonomy" / family / f"{id}.yaml", folder / "specialists" / family / f"{id}.py"
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
    written = entry(id, verdict=verdict, word=word, stage=stage, **changes)
    files[0].write_text(json.dumps(written, indent=1))  # JSON is YAML, and faster to write
    files[1].write_text(judge(id, verdict=verdict, word=word, stage=stage))
    return files


def alone(folder: Path, **changes: Any) -> Taxonomy:
    """The policy under which only the taxonomy in `folder` is in force."""
    return Taxonomy(folders=(str(folder),), shipped=False, **changes)
