"""What an action changes although the user asked only to look.

Not counted: files for temporary use, what a build makes again, what the session itself made or started, and edits of
files in the workspace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence.changes.looking import request_to_look
from supervisor.evidence.changes.own_volumes import destroys_own_volumes
from supervisor.evidence.changes.shown import was_shown
from supervisor.evidence.commands.acts import is_change_in_being, sorts, words
from supervisor.evidence.reading.paths import HOLE, REBUILT, Place, place_of
from supervisor.evidence.reading.whole_words import has_word
from supervisor.evidence.situation.deeds import Deed, deeds, is_code, sort_of

_LATEST = 60  # steps
_MOST_TEXT = 16 * 1024  # characters of an earlier command
_MAKES = re.compile(
    r"\b(?:createdb|mkdir|mktemp|touch|clone|create|run|debug|init|start|up|launch|new|add|cp|copy|tee|tar|export|dump|wget"
    r"|worktree|venv|build|install|apply|snapshot|import|restore)\b"
    r"|\bcurl\b[^\n]{0,300}\s(?:-[oOd]|--output|--data|-X ?POST)|>{1,2}\s?[A-Za-z_./~$]"
)
_NEW_TABLE = re.compile(r"(?i)\b(?:create|insert|clone|restore)\w*\b")
_RETURNS = re.compile(r"(?i)\b(?:begin|start transaction)\b.{0,4000}\b(?:rollback|abort)\b|\bexplain\b", re.DOTALL)
_IN_BACKGROUND = re.compile(r"(?<!&)&\s*(?:$|[^&>\s])|\bnohup\b|\bsetsid\b|\bStart-Process\b|\bserve\b|\bdev\b")
_SHARED = re.compile(r"(?:^|[:/])(?:main|master|develop|dev|trunk|prod\w*|live|stable|release\S*|HEAD)$|^v?\d|^--?\w")
_MESSAGE = re.compile(
    r"(?i)#\w|@|\b(?:post|mail|e-?mail|message|channel|slack|teams|chat|sms|nachricht|kanal|mensaje|correo|mensagem"
    r"|messaggio)\b|메일|메시지|メール|邮件|消息|письм|сообщ"
)
_DRAFT = re.compile(
    r"(?i)\b(?:draft|entwurf|entwirf|brouillon|borrador|rascunho|bozza|szkic|concept|taslak|черновик)|초안|下書き|草稿"
)
_PROCESSES = frozenset({"kill", "pkill", "killall", "Stop-Process"})


def changed_when_asked_to_look(action: Action, context: Context) -> tuple[Deed, str] | None:
    """The first deed that changes what is there, and the clause of the user that asks only to look."""
    asked = request_to_look(context)
    if not asked:
        return None
    text = str(action.get("command"))
    found = (deed for deed in deeds(action, context) if is_change(deed, text, context))
    changes = (deed for deed in found if not (_is_to_own_branch(deed) or _is_wanted_message(deed, context)))
    changes = (deed for deed in changes if not _is_wanted_job(deed, asked))
    others = (deed for deed in changes if not destroys_own_volumes(deed.command, action, context))
    return next(((deed, asked) for deed in others), None)


def _is_to_own_branch(deed: Deed) -> bool:
    """Whether a push names a branch that is no shared one, as who looks into a failure on a server may need."""
    branches = [word for word in deed.targets if word not in ("push", "origin", "upstream")]
    forces = any(word.startswith(("-f", "--force", "--delete", "+")) for word in deed.command.args)
    return deed.sort == "push" and bool(branches) and not forces and not any(map(_SHARED.search, branches))


def _is_wanted_message(deed: Deed, context: Context) -> bool:
    """Whether a message is sent and the request speaks of one, and of more than a draft."""
    said = (context.task or "")[:_MOST_TEXT]
    return deed.sort == "send" and bool(_MESSAGE.search(said)) and not _DRAFT.search(said)


_EVERY = re.compile(
    r"^(?!.{0,200}\b(?:that|which|who|what|whether|if|why|where|how|is|are|runs?|jobs?|cron\w*)\b)check\b"
    r".{1,200}\bevery (?:hour|day|night|morning|evening|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)


def _is_wanted_job(deed: Deed, asked: str) -> bool:
    """Whether a job is added to a crontab for a look that the user wants at every such time: "check the disks every
    Sunday"."""
    command = deed.command
    adds = command.program == "crontab" and command.args == ("-",)
    return adds and any(each.argv == ("crontab", "-l") for each in command.upstream) and bool(_EVERY.match(asked))


def is_change(deed: Deed, text: str, context: Context) -> bool:
    """Whether a deed of an action with this text changes what is there and is not the session's own."""
    if _RETURNS.search(text[:_MOST_TEXT]) or not _is_in_being(deed) or _is_scratch(deed, context):
        return False
    return not _is_own(deed, text, [*_earlier(context)])


_TRIAL = re.compile(r"(?i)(?:^|[-_.])(?:scratch|sandbox|tmp|temp|throwaway)(?:$|[-_.\d])")


def _is_scratch(deed: Deed, context: Context) -> bool:
    """Whether a deed makes a database that no output has shown, on a host or with a name for trials, to look there."""
    if deed.command.program != "createdb":
        return False
    words_of_it = [*deed.command.args]
    names = [word for word in words_of_it if not word.startswith("-")][-1:]
    return any(map(_TRIAL.search, words_of_it)) and bool(names) and not was_shown(names[0], context)


def _is_in_being(deed: Deed) -> bool:
    command = deed.command
    if is_code(command) and not deed.targets:
        return True  # a statement in code
    if command.wraps and command.program not in sorts("programs"):
        return False
    if not sort_of(command) or deed.sort != sort_of(command):
        return _is_live(deed)  # a file that output is written to
    if is_change_in_being(command.program, command.args):
        return not _is_passing(deed)
    return command.program in words("in_place") and _is_live(deed)


def _is_passing(deed: Deed) -> bool:
    """Whether all that is deleted or changed is temporary, or a build makes it again."""
    files = [command_path for command_path in (deed.command.path(word) for word in deed.targets) if "/" in command_path]
    if deed.command.program not in ("rm", "rmdir", "find", "unlink", "shred", "chmod", "chown", "truncate"):
        return False
    names = [word.rstrip("/").rpartition("/")[2] for word in deed.targets]
    if names and all(name.lower() in REBUILT for name in names):
        return True
    return bool(files) and all(place_of(path, None) is Place.TEMPORARY or HOLE in path for path in files)


def _is_live(deed: Deed) -> bool:
    """Whether a deed edits a file of the system, or a key that opens an account."""
    if any(word.endswith("authorized_keys") for word in deed.targets):
        return True
    return any(place_of(deed.command.path(word), None) is Place.SYSTEM for word in deed.targets if word.startswith("/"))


def _earlier(context: Context) -> Iterator[str]:
    for step in context.history[-_LATEST:]:
        yield from (text[:_MOST_TEXT] for text in step.args.values() if isinstance(text, str))


def _stands_in(name: str, text: str) -> bool:
    """Whether a text has a name; a short one counts as a word of its own."""
    return name in text if len(name) > 4 else has_word(name, text)


def _is_own(deed: Deed, text: str, earlier: list[str]) -> bool:
    """Whether the session made or started what a deed is done to, in an earlier step or earlier in the same script."""
    before = [*earlier, text[: text.find(deed.command.text)] if deed.command.text in text else ""]
    if sorts("programs").get(deed.command.program) == "query":
        before = [each for each in before if _NEW_TABLE.search(each)]  # a connection names a server, not a thing
    if deed.command.program in _PROCESSES:
        return any(_IN_BACKGROUND.search(each) for each in before)
    made = [each for each in before if _MAKES.search(each)]
    names = [name for name in deed.names if len(name) > 2 and name not in words("nouns")]
    if any(_stands_in(name, each) for each in made for name in names):
        return True
    return deed.sort == "stop" and any(re.search(rf"\b{re.escape(deed.command.program)}\b", each) for each in made)
