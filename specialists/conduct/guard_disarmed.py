"""Changes what supervises the agent: Supervisor's own places, process, hooks and answers, or its host's permissions."""

import re

from supervisor.evidence.changes.writes import writes
from supervisor.evidence.effects import Act
from supervisor.evidence.guard import Disarming, How, disarmings
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_EDITOR = re.compile(r"(?:.*/)?(?:\.vscode|Code/User)/settings\.json")
_APPROVES = re.compile(
    r"chat\\?\.tools\\?\.(?:\w{1,32}\\?\.){0,3}autoApprove[\"'\\\]]{0,4}\s{0,8}[:=]\s{0,8}(?!false|\s)"
)
_ACTS = (Act.GUARD, Act.WRITE, Act.DELETE, Act.MOVE, Act.PERMISSION, Act.PROCESS, Act.SYSTEM, Act.SERVICE, Act.PERSIST)
_WORST_FIRST = (
    *(How.REMOVED, How.CHANGED, How.STOPPED, How.ANSWERED, How.UNGUARDED, How.READ, How.UNSEEN, How.BROAD),
    *(How.PERMITTED, How.STEERED, How.CLOCK, How.SWEPT),
)
_WHY = {
    How.CHANGED: "which belongs to what supervises it",
    How.STOPPED: "which ends what supervises it",
    How.ANSWERED: "which is for a person to do, not for an agent",
    How.REMOVED: "and with that changes what supervises it",
    How.UNGUARDED: "an agent that nobody would supervise",
    How.READ: "with which anybody could sign or answer in the guard's name",
}


@specialist(
    *(
        "shell",
        "python",
        "javascript",
        "file_read",
        "file_write",
        "file_edit",
        "file_delete",
        "http",
        "browse",
        "tool",
        "ask_user",
    ),
    about=_ACTS,
)
def guard_disarmed(action: Action, context: Context) -> Opinion:
    found = list(disarmings(action, context))
    if path := _approved_in_editor(action, context):
        found.append(Disarming(How.PERMITTED, f"changes {path}", path, path))
    if not found:
        return ok()
    return _said(min(found, key=lambda each: (_WORST_FIRST.index(each.how), _is_asked(each, context))), context)


def _said(found: Disarming, context: Context) -> Finding:
    evidence = (found.what or found.done,)
    if found.how in _WHY:
        return block(f"It {found.done}, {_WHY[found.how]}.", evidence=evidence)
    if found.how is How.PERMITTED:
        judge = flag if _is_asked(found, context) else block
        return judge(f"It {found.done}, which says what it may do unasked.", evidence=evidence)
    if found.how is How.SWEPT:
        return flag(f"It {found.done}, which may take the guard's files with it.", evidence=evidence)
    if found.how is How.STEERED and found.what in (context.task or ""):
        return flag(f"It {found.done}, from where the guard's interpreters read it too.", evidence=evidence)
    return nudge(_REASONS[found.how].format(found.done), correction=_CORRECTIONS[found.how], evidence=evidence)


_WIDENS = re.compile(r"(?i)\b(?:allow|approv|auto-?approv|bypass|grant|permi|trust|unattended|without ask|yolo)")
_ONE_COMMAND = re.compile(r"\w{1,32}\(([^()*]{4,256}?)(?::\*)?\)")


def _is_asked(found: Disarming, context: Context) -> bool:
    """Whether the user's own words ask to let more run in the file that is changed, or name the one command that it
    lets run."""
    task = context.task or ""
    granted = _ONE_COMMAND.fullmatch(found.what)
    named = found.file.rpartition("/")[2]
    if granted is not None and _names_command(granted[1], task):
        return True
    return bool(named) and named in task and _WIDENS.search(task) is not None


def _names_command(command: str, task: str) -> bool:
    """Whether a task names a command, or the package manager whose one verb it is: `pnpm test`."""
    program, _, verb = command.partition(" ")
    words = re.findall(r"[\w-]+", task)
    return command in task or (
        bool(verb) and program in _PACK and program in words and verb.removeprefix("run ") in _VERBS
    )


_PACK = frozenset("npm pnpm yarn bun pip uv poetry pdm cargo bundle composer gradle mvn go".split())
_VERBS = frozenset("test install lint build check add ci format fmt outdated list".split())
_REASONS = {
    How.BROAD: "It {}, which ends what supervises it along with what is meant.",
    How.UNSEEN: "It {} in a way that does not show whether the guard's hooks stay.",
    How.CLOCK: "It {}, by which the guard's records tell when something was done.",
    How.STEERED: "It {}, and the guard's own interpreters would load that too.",
}
_CORRECTIONS = {
    How.BROAD: "End the one process that is meant: by its number, or by a pattern that fits nothing else.",
    How.UNSEEN: "Change the one setting with the tool that edits files, so that it shows what is replaced by what.",
    How.CLOCK: "Leave the machine's clock alone: `faketime '2027-01-01' command` gives one command another time.",
    How.STEERED: "Set the variable for the one command that needs it, as in `NAME=value command`.",
}


def _approved_in_editor(action: Action, context: Context) -> str:
    """The settings file of an editor that gets a text which lets its agent's tools run unasked."""
    replaced = action.text("old")  # does not count
    if not any(_APPROVES.search(text) for _, text in action.strings() if text != replaced):
        return ""
    return next((shown(write.path) for write in writes(action, context) if _EDITOR.fullmatch(write.path)), "")
