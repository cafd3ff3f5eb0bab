"""The two files of a new failure mode, to be filled in."""

from __future__ import annotations

import keyword
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from supervisor.action import Stage
from supervisor.catalog.discovery import find_pairs
from supervisor.catalog.failure_mode import FAMILIES
from supervisor.errors import BadInput
from supervisor.intake.kinds import KINDS
from supervisor.policy import Taxonomy

_ENTRY = """\
id: {id}
name: {name}
description: >-
  <One sentence. What goes wrong, as a fault and not as a remedy.>
agents: [coding]  # browsing, coding, ops, research, sales, support
severity: high  # low, medium, high, critical
verdict: block  # flag, nudge or block
method: deterministic  # deterministic, small-classifier, narrow-llm, hybrid
stage: {stage}  # before: the action is proposed; after: it has run, and a case contains its `output`
incident:
  summary: >-
    <What happened, to whom. It has to be real.>
  date: "<When. A year, a month or a day.>"
  source: <Where it is written.>
references: [{{scheme: OWASP-ASI, id: ASI02}}]
cases:
  caught:  # at least 3, in spellings as different as agents find
{caught}
  let_through:  # at least 3 near misses: what mentions it but does not do it, the same act on safe ground
    - {{tool: example, kind: {kind}, {given}"<1. an honest action that looks alike>"{end}, because: "<why>"}}
    - {{tool: example, kind: {kind}, {given}"<2. another>"{end}, because: "<why>"}}
    - {{tool: example, kind: {kind}, {given}"<3. and another>"{end}, because: "<why>"}}
  refused:  # at least 1 outside the specialist's domain
    - {{tool: example, kind: {other}, {given}"<an action of another kind>"{end}, because: "<why>"}}
"""

_ONE_LINE = 1_000_000_000  # columns

_SPECIALIST = '''\
"""<One sentence. What goes wrong, as in the taxonomy.>"""

{imports}from supervisor.specialist import Action, Context, Opinion, block, ok, specialist


@specialist("{kind}")
def {id}(action: Action, context: Context) -> Opinion:
{body}'''

_BODY = """\
    value = {value}
    if "<what gives it away>" in value:
        return block(f"{{value!r}} <is what it is>.", evidence=(value,))
    return ok()
"""

_CAUGHT = ("<1. an action that must be stopped>", "<2. the same, spelled otherwise>", "<3. and once more>")
_CASE = '{{tool: example, kind: {kind}, {given}"{text}"{end}, because: "<why>"}}'

# The input of the specialist: the arguments of a proposed action, or the output of one that ran.
_SEEN: dict[Stage, dict[str, str]] = {
    "before": {"given": "args: {PART: ", "end": "}", "value": 'action.text("PART")'},
    "after": {"given": 'args: {PART: "<what was done>"}, output: ', "end": "", "value": "context.outcome.text"},
}


@dataclass(frozen=True, slots=True)
class Scaffold:
    """The files that were written, and the command that tests them."""

    taxonomy: Path
    specialist: Path
    command: str


@dataclass(frozen=True, slots=True)
class Example:
    """A real case, as an entry has it, and the argument of it that the specialist looks at."""

    case: Mapping[str, Any]
    part: str

    def to_yaml(self) -> str:
        """The case on one line."""
        return yaml.safe_dump(
            dict(self.case), default_flow_style=True, width=_ONE_LINE, allow_unicode=True, sort_keys=False
        ).strip()


@dataclass(frozen=True, slots=True)
class Draft:
    """The question of a specialist in Python: the imports that it needs, and the body of the function."""

    imports: str
    body: str


def scaffold(
    folder: Path,
    name: str,
    kind: str,
    stage: Stage = "before",
    examples: Sequence[Example] = (),
    draft: Draft | None = None,
) -> Scaffold:
    """Writes `taxonomy/<family>/<id>.yaml` and `specialists/<family>/<id>.py` below `folder`. The `examples` are the
    first cases that the specialist has to catch, and `draft` is its question.

    Raises BadInput for an invalid name, a name of the shipped taxonomy, an unknown kind, or files that already exist.
    """
    family, _, id = name.partition("/")
    if family not in FAMILIES:
        raise BadInput(f"no family {family!r}; families are {', '.join(FAMILIES)}", place=name)
    if not re.fullmatch(r"[a-z][a-z0-9_]{2,63}", id):
        raise BadInput(f"{id!r} is not a snake_case name of 3 to 64 letters", place=name)
    if keyword.iskeyword(id):
        raise BadInput(f"{id!r} is a keyword of Python and cannot name a function", place=name)
    if kind not in KINDS:
        raise BadInput(f"no kind {kind!r}; kinds are {', '.join(KINDS)}", place="--kind")
    entry, judge = folder / "taxonomy" / family / f"{id}.yaml", folder / "specialists" / family / f"{id}.py"
    for file in (entry, judge):
        if file.exists():
            raise BadInput("already exists", place=str(file))
    shipped = next((pair.family for pair in find_pairs(Taxonomy())[0] if pair.id == id), None)
    if shipped:
        raise BadInput(f"{shipped}/{id} ships with supervisor; choose another name", place=name)
    part = examples[0].part if examples else "value"
    seen = {key: text.replace("PART", part) for key, text in _SEEN[stage].items()}
    filled = {"id": id, "kind": kind, "other": "sql" if kind != "sql" else "shell", "stage": stage, **seen}
    caught = [each.to_yaml() for each in examples]
    caught += [_CASE.format(text=text, **filled) for text in _CAUGHT[len(caught) :]]
    filled["caught"] = "\n".join(f"    - {case}" for case in caught)
    question = draft or Draft("", _BODY.format(**filled))
    filled |= {"imports": question.imports, "body": question.body}
    _write(entry, _ENTRY.format(name=id.replace("_", " ").capitalize(), **filled))
    _write(judge, _SPECIALIST.format(**filled))
    where = "" if _shipped(folder) else f" --folder {shlex.quote(str(folder))}"
    return Scaffold(entry, judge, f"supervisor coverage {id}{where}")


def _shipped(folder: Path) -> bool:
    """Whether the folder is this project's own checkout, whose taxonomy is always in force."""
    return folder.resolve() == Path(__file__).parents[2]


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
