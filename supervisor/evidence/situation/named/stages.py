"""Whether a command acts on another stage of a system than the one that the user named: production for staging.

The stage stands in a word of the command, in the label of a value that an earlier output showed (`PROD=https://…`), in
a variable that is set for the command, or in the directory where it runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Action, Context, strings_in
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.commands.acts import sort_of_words, sorts
from supervisor.evidence.prose.stage_words import dangers_in, stages_in
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.acting import is_acting

_MOST_LINE = 4096  # characters of a command
_MOST_COMMANDS = 64
_LATEST = 60  # steps
_MOST_TEXT = 32 * 1024  # characters of one output
_MOST_SETTINGS = 200
_SETTING = re.compile(r"(?m)^\s*(?:export\s+)?[\"']?([A-Za-z][\w.-]*)[\"']?\s*[:=]\s*[\"']?([^\s\"',;]{4,200})")
_ASSIGNED = re.compile(r"(?:^|\s)(?:export\s+)?[A-Z][A-Z0-9_]*=(?:\"[^\"]*\"|'[^']*'|\$\([^)]*\)|\S+)")
_COPIES = frozenset({"cp", "rsync", "scp"})
# Programs that act on what the directory describes.
_OF_DIRECTORY = frozenset(
    "terraform tofu terragrunt pulumi cdk ansible-playbook docker docker-compose helmfile make vercel serverless sls"
    " wrangler firebase fly flyctl cap".split()
)
_FILE = re.compile(r"\w\.(?:ya?ml|json|tfvars|env|ini|toml|properties|conf|hcl|cfg)$")
_MOST_FILES = 24  # of a command, or like names in an output
_LONGEST_TASK = 8 * 1024  # characters
_QUIET = frozenset({"commit", "install", "send"})


class OtherStage(NamedTuple):
    """The word with which the user named a stage, and what shows that the command acts on another."""

    named: str
    used: str


def other_stage(action: Action, context: Context) -> tuple[Command, OtherStage] | None:
    """The first command on another stage than the one that the user named."""
    dangers = dangers_in(context.task or "")
    if not dangers and not context.history:
        return None
    whole = action.text("command")
    commands = script(action, context).commands[:_MOST_COMMANDS]
    if (filed := _other_file(commands, context)) is not None:
        return filed
    if dangers and (found := _without_stage(commands, context)) is not None:
        return found
    for number, command in enumerate(commands if dangers else ()):
        text = (whole if command.wrappers else command.text)[:_MOST_LINE]
        used: Mapping[str, str] = {}
        if is_acting(command) and sort_of_words(command.program, command.args) not in _QUIET:
            used = {
                **stages_in(text),
                **_labelled(text, context),
                **_of_directory(command),
                **_tagged(command, context),
            }
        elif _is_choice(command) and any(map(is_acting, commands[number + 1 :])):
            used = stages_in(command.text)
        elif command.environment:
            used = stages_in(" ".join(_ASSIGNED.findall(text)))
        for danger, (stage, word) in dangers.items():
            if _PROMOTES.search(command.text[:500]) and re.search(
                rf"(?<![\w-]){re.escape(word.split()[-1])}(?![\w-])", text
            ):
                continue  # it goes from the one to the other
            is_branch = command.program == "git" and danger == "primary"
            is_read = _is_source(command, used.get(danger, "")) or _is_dumped_into(
                stage, command, commands, context.task or ""
            )
            if danger in used and stage not in used and not (is_branch or is_read):
                return command, OtherStage(word, used[danger])
    return None


def file_of_other_stage(path: str, context: Context) -> OtherStage | None:
    """The stage of a file, if the user named another one and a slip takes this: `k8s/prod/web.yaml` for staging."""
    dangers = dangers_in(context.task or "")
    used = stages_in(" ".join(path.split("/")[-4:])) if dangers else {}
    for danger, (stage, word) in dangers.items():
        if danger not in used or stage in used or danger == "primary":
            continue
        if _has_like(path, used[danger], word, context):
            return OtherStage(word, path.rpartition("/")[0].rpartition("/")[2] + "/" + path.rpartition("/")[2])
    return None


def _has_like(path: str, used: str, named: str, context: Context) -> bool:
    """Whether an earlier step shows or names the like of a file for the stage that is named."""
    like = "/".join(path.split("/")[-2:]).replace(used, named.split()[-1].lower())
    folder = like.rpartition("/")[0]
    seen = (
        text
        for step in islice(reversed(context.history), _LATEST)
        for text in (step.text[:_MOST_TEXT], *(value for value in step.args.values() if isinstance(value, str)))
    )
    return any(like in text or (folder and f"/{folder}/" in text) for text in seen)


_PROMOTES = re.compile(r"\b(?:swap|promote|promotion|copy|sync|compare|diff)\b")


def _other_file(commands: Sequence[Command], context: Context) -> tuple[Command, OtherStage] | None:
    """A file of another stage than the request names, if an output lists its like for the named one."""
    asked = stages_in((context.task or "")[:_LONGEST_TASK])
    if not asked:
        return None
    for command in commands:
        files = [word.rpartition("=")[2] for word in command.args if _FILE.search(word)]
        for path in islice(files, _MOST_FILES) if is_acting(command) else ():
            name = path.rpartition("/")[2]
            for stage, word in stages_in(name).items():
                if stage not in asked and (like := _listed_for(name, word, asked, context)):
                    return command, OtherStage(like, name)
    return None


def _listed_for(name: str, word: str, asked: Mapping[str, str], context: Context) -> str:
    """The name in an output that differs from a file's only in the word for a stage, and has a stage that is asked."""
    before, _, after = name.partition(word)
    like = re.compile(rf"(?<![\w.-]){re.escape(before)}([a-z]{{2,12}}){re.escape(after)}(?![\w-])")
    for step in islice(reversed(context.history), _LATEST):
        for found in islice(like.finditer(step.text[:_MOST_TEXT]), _MOST_FILES):
            if not stages_in(found[1]).keys().isdisjoint(asked) and found[1] != word:
                return found[0]
    return ""


def _labelled(line: str, context: Context) -> dict[str, str]:
    """The stages of values in a command line that an earlier output labelled: `PROD=https://…`."""
    found: dict[str, str] = {}
    for step in islice(reversed(context.history), _LATEST):
        for label, value in islice(_SETTING.findall(step.text[:_MOST_TEXT]), _MOST_SETTINGS):
            if value in line and re.search(rf"(?<![\w.-]){re.escape(value)}(?![\w-]|\.\w)", line):
                for stage in stages_in(label.replace("_", " ")):
                    found.setdefault(stage, f"{label}={value}")
    return found


_PARTS_OF_NAME = re.compile(r"[A-Za-z0-9]+|[^A-Za-z0-9]+")
_LISTED = re.compile(r"(?<![\w.-])/?[A-Za-z][\w./-]{3,120}\w")
_MOST_NAMES = 400


def _without_stage(commands: Sequence[Command], context: Context) -> tuple[Command, OtherStage] | None:
    """A thing whose name has no word for a stage, if an output lists its twin with the word for the stage that the
    request names: `tracking` and `tracking-stg`."""
    asked = stages_in((context.task or "")[:_LONGEST_TASK])
    twins: dict[str, str] = {}
    for step in islice(reversed(context.history), _LATEST):
        for name in islice(_LISTED.findall(step.text[:_MOST_TEXT]), _MOST_NAMES):
            bare, stages = _parted(name)
            if bare != name and len(stages) == 1 and not stages.keys().isdisjoint(asked):
                twins.setdefault(bare, name)
    for command in commands if twins else ():
        if not (is_acting(command) or _has_verb(command)) or not stages_in(command.text[:_MOST_LINE]).keys().isdisjoint(
            asked
        ):
            continue
        for word in command.args[:_MOST_FILES]:
            if (twin := twins.get(word)) is not None:
                return command, OtherStage(twin, word)
    return None


def _has_verb(command: Command) -> bool:
    """Whether an operand begins with a word for an act: `aws logs put-retention-policy`."""
    return any(word.partition("-")[0] in sorts("words") for word in command.operands()[:3] if "-" in word)


def _parted(name: str) -> tuple[str, dict[str, str]]:
    """A name without its words for stages and the marks before them, and these stages."""
    parts = _PARTS_OF_NAME.findall(name)
    found: dict[str, str] = {}
    kept: list[str] = []
    for part in parts:
        if part.isalnum() and (stages := stages_in(part)):
            found |= stages
            if kept and not kept[-1].isalnum():
                kept.pop()
        else:
            kept.append(part)
    return "".join(kept), found


# A tag or a field that says on which stage a thing is: `"env", "value": "prod"`, `environment=production`.
_TAG = re.compile(
    r"(?i)[\"']?\b(?:env(?:ironment)?|stage|tier)\b[\"']?\s{0,2}[:=,]\s{0,2}(?:[\"']?value[\"']?\s{0,2}[:=]\s{0,2})?[\"']?([a-z]{2,16})\b"
)


def _tagged(command: Command, context: Context) -> dict[str, str]:
    """The stages with which an earlier step showed what the command is on: it asked for each name of the command."""
    names = [word for word in command.operands() if _IS_NAME.fullmatch(word)][2:]
    found: dict[str, str] = {}
    for step in islice(reversed(context.history), _LATEST) if names else ():
        given = " ".join(text for _, text in strings_in(step.args))[:_MOST_TEXT]
        if all(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", given) for name in names):
            for value in islice(_TAG.findall(step.text[:_MOST_TEXT]), _MOST_SETTINGS):
                for stage in stages_in(value):
                    found.setdefault(stage, f"{names[0]}, which an output tags {value}")
    return found


_IS_NAME = re.compile(r"(?![a-z]{2}-[a-z]+-\d$)[A-Za-z][\w.-]{2,60}")


def _of_directory(command: Command) -> dict[str, str]:
    """The stage of the directory, for programs that act on what it describes."""
    if command.program not in _OF_DIRECTORY:
        return {}
    parts = command.cwd.split("/")[-3:]
    return {stage: command.cwd for stage, word in stages_in(" ".join(parts)).items() if word.lower() != "live"}


def _is_source(command: Command, word: str) -> bool:
    """Whether production is only what is read: the first of two operands of a copy."""
    operands = command.operands()
    places = [number for number, each in enumerate(operands) if word in each]
    return command.program in _COPIES and places == [0] and len(operands) > 1


_DUMPS = frozenset({"pg_dump", "mysqldump", "mariadb-dump", "mongodump", "mongoexport", "redis-dump"})


def _is_dumped_into(stage: str, command: Command, commands: Sequence[Command], task: str) -> bool:
    """Whether a command only reads a database that the request names, and the next one of its pipeline puts that where
    the request says."""
    if command.program not in _DUMPS or not any(_MARKED.search(word) and word in task for word in command.args):
        return False
    return any(
        any(source.text == command.text for source in each.upstream) and stage in stages_in(each.text[:_MOST_LINE])
        for each in commands
    )


_MARKED = re.compile(r"^\w[\w.-]*[_\d-][\w.-]*\w$")


def _is_choice(command: Command) -> bool:
    """Whether a command chooses what those after it act on: a context, an account, a workspace."""
    return any(pattern.search(command.text[:500]) for pattern in _choices())


@cache
def _choices() -> tuple[re.Pattern[str], ...]:
    ways: Any = table_beside(__file__, "ambient.yaml")
    return tuple(re.compile(each["sets"], re.MULTILINE) for each in ways if not each["sets"].startswith("^ssh"))
