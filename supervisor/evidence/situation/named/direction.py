"""Whether a copy goes the other way than the user said: from the target onto the source."""

from __future__ import annotations

import re
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.commands.acts import may_act
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.deeds import Deed, deeds

_LONGEST = 4 * 1024  # characters of a task
_ARTICLE = r"(?:the |la |le |les |el |o |a |die |das |den |der |il |lo )?"
_WAY = re.compile(
    rf"([\w./@-]*\w/?)\s+(?:to|onto|into|nach|auf|vers|hacia|para|a|à|al|alla|verso|naar|na|на)\s+{_ARTICLE}([\w./@-]*\w/?)"
    rf"|([\w./@-]*\w)\s*(?:->|→|から|에서|到)\s*([\w./@-]*\w)",
    re.ASCII,
)
# "from the shelf to the new host rack7": words before a name that has a digit or a mark.
_FROM = re.compile(
    rf"(?i)\b(?:from|von|vom|de|du|desde|da|dal|z|van|från|fra|из|\u0441)\s+{_ARTICLE}([\w./@-]*\w)"
    rf"\s+(?:to|onto|into|nach|auf|vers|hacia|para|a|à|al|naar|op|na|do|till|til|на)"
    rf"\s+(?:[\w-]{{1,20}}\s+){{1,4}}?((?=[\w./@-]*[\d./@_-])[\w./@-]*\w)(?=[\s,.;]|$)",
    re.ASCII,
)
_ALIAS = re.compile(r"([\w-]{3,40})\s*(?:=|is|est|ist|es|é)\s+([\w.-]{3,60})")
_COPIES = frozenset({"scp", "rsync", "cp"})
# Copies between stores, by their first words. The operands that follow are the source and the target.
_BETWEEN = re.compile(
    r"(?:aws s3 (?:sync|cp|mv)|gsutil (?:-m )?(?:rsync|cp|mv)|gcloud storage (?:rsync|cp|mv)|rclone (?:sync|copy|move)"
    r"|azcopy (?:sync|copy)|mc (?:mirror|cp)|s3cmd sync|s5cmd (?:sync|cp)|robocopy|xcopy|skopeo (?:copy|sync))\s"
)
_OUT = re.compile(r"dump|send|export|backup", re.IGNORECASE)
_IN = re.compile(r"restore|recv|receive|import|^psql$|^mysql$|^mongorestore$", re.IGNORECASE)


class WrongWay(NamedTuple):
    """The source and the target that the user named."""

    source: str
    target: str


def copied_wrong_way(action: Action, context: Context) -> tuple[Deed, WrongWay] | None:
    """The last deed of a copy from what the user named as the target onto the named source."""
    task = (context.task or "")[:_LONGEST]
    ways = [(one or three, two or four) for one, two, three, four in _WAY.findall(task)] + _FROM.findall(task)
    if not ways or not may_act(str(action.get("command"))):
        return None
    found = list(deeds(action, context))
    commands = {id(each): each for deed in found for each in (deed.command, *deed.command.upstream)}.values()
    sources, targets = _sides([*commands])
    for source, target in ways:
        if len(source) > 1 and len(target) > 1 and source.lower() != target.lower():
            near, far = _spellings(source, task), _spellings(target, task)
            is_part = source.lower() in target.lower() or target.lower() in source.lower()
            is_right = _names(sources, near, is_part) or _names(targets, far, is_part)
            if _names(sources, far, is_part) and _names(targets, near, is_part) and not is_right:
                return found[-1], WrongWay(source, target)
    return None


def _sides(commands: list[Command]) -> tuple[list[str], list[str]]:
    """The words that copies read from, and those that they write to."""
    sources: list[str] = []
    targets: list[str] = []
    for command in commands:
        operands = command.operands()
        if command.program in _COPIES and len(operands) > 1:
            sources += operands[:-1]
            targets.append(operands[-1])
        elif between := _BETWEEN.match(" ".join(command.argv) + " "):
            places = [word for word in operands if word not in between[0].split()]
            sources += places[:1]
            targets += places[1:2]
        elif _OUT.search(" ".join(command.argv[:2])):
            sources += command.args
        elif _IN.search(" ".join(command.argv[:2])) or _IN.search(command.program):
            targets += command.args
    return sources, targets


def _spellings(name: str, task: str) -> frozenset[str]:
    """A name, and what the task says it is called: `Recette = erp-rec`."""
    aliases = (value.rstrip(".") for label, value in _ALIAS.findall(task) if label.lower() == name.lower())
    return frozenset({name.lower().rstrip("/"), *(value.lower() for value in aliases)})


def _names(words: list[str], spellings: frozenset[str], is_whole: bool) -> bool:
    """Whether words have a name; `is_whole` if one name is a part of the other, as in `photos` and `photos-new`."""
    beside = r"[\w-]" if is_whole else "[A-Za-z0-9]"
    patterns = [re.compile(rf"(?<!{beside}){re.escape(each)}(?!{beside})") for each in spellings]
    return any(pattern.search(word.lower()) for word in words for pattern in patterns)
