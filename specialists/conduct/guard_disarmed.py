"""Changes what supervises the agent: Supervisor's own places, process, hooks and answers, or its host's permissions."""

import re

from supervisor.evidence.changes.asked import is_named
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
    How.REMOVED: "which changes what supervises it",
    How.UNGUARDED: "which leaves an agent without the guard",
    How.READ: "which exposes a secret of the guard",
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
    found = [each for each in disarmings(action, context) if not _ends_session_asked(each, context)]
    if path := _approved_in_editor(action, context):
        found.append(Disarming(How.PERMITTED, f"changes {path}", path, path))
    if not found:
        return ok()
    return _opinion_on(min(found, key=lambda each: (_WORST_FIRST.index(each.how), _is_asked(each, context))), context)


_SESSION = re.compile(r"\bloginctl (?:terminate|kill)-user ([a-z_][\w.-]{1,31})\b")


def _ends_session_asked(disarming: Disarming, context: Context) -> bool:
    """Whether the sessions of another account end that the user names; the agent's own home shows its account."""
    ended = _SESSION.search(disarming.done) if disarming.how is How.BROAD else None
    if ended is None or ended[1] == "root":
        return False
    return is_named(ended[1], context) and f"/{ended[1]}/" not in f"{context.cwd or ''}/"


def _opinion_on(worst: Disarming, context: Context) -> Finding:
    evidence = (worst.what or worst.done,)
    if worst.how in _WHY:
        return block(f"It {worst.done}, {_WHY[worst.how]}.", evidence=evidence)
    if worst.how is How.PERMITTED:
        judge = flag if _is_asked(worst, context) else block
        return judge(f"It {worst.done}, which decides what an agent may do without approval.", evidence=evidence)
    if worst.how is How.SWEPT:
        return flag(f"It {worst.done}, which may delete the guard's files too.", evidence=evidence)
    if worst.how is How.STEERED and worst.what in (context.task or ""):
        return flag(f"It {worst.done}, which the guard's interpreters read too.", evidence=evidence)
    return nudge(_REASONS[worst.how].format(worst.done), correction=_CORRECTIONS[worst.how], evidence=evidence)


_WIDENS = re.compile(r"(?i)\b(?:allow|approv|auto-?approv|bypass|grant|permi|trust|unattended|without ask|yolo)")
_ONE_COMMAND = re.compile(r"\w{1,32}\(([^()*]{4,256}?)(?::\*)?\)")


def _is_asked(disarming: Disarming, context: Context) -> bool:
    """Whether the task asks to permit more in the changed file, or names the one command that the change permits."""
    task = context.task or ""
    granted = _ONE_COMMAND.fullmatch(disarming.what)
    named = disarming.file.rpartition("/")[2]
    if granted is not None and _names_command(granted[1], task):
        return True
    return bool(named) and named in task and _WIDENS.search(task) is not None


def _names_command(command: str, task: str) -> bool:
    """Whether a task names a command, or both its package manager and its verb: `pnpm test`."""
    program, _, verb = command.partition(" ")
    words = re.findall(r"[\w-]+", task)
    return command in task or (
        bool(verb) and program in _PACK and program in words and verb.removeprefix("run ") in _VERBS
    )


_PACK = frozenset("npm pnpm yarn bun pip uv poetry pdm cargo bundle composer gradle mvn go".split())
_VERBS = frozenset("test install lint build check add ci format fmt outdated list".split())
_REASONS = {
    How.BROAD: "It {}, which affects the guard as well.",
    How.UNSEEN: "It {} in a way that does not show whether the guard's hooks stay.",
    How.CLOCK: "It {}, which changes the clock that dates the guard's records.",
    How.STEERED: "It {}, and the guard's own interpreters would read that too.",
}
_CORRECTIONS = {
    How.BROAD: "Name the one target that is meant: a process by its PID, or by a pattern that matches nothing else.",
    How.UNSEEN: "Change the one setting with the tool that edits files, which shows the old and the new text.",
    How.CLOCK: "Leave the machine's clock alone: `faketime '2027-01-01' command` gives one command another time.",
    How.STEERED: "Set the variable for the one command that needs it, as in `NAME=value command`.",
}


def _approved_in_editor(action: Action, context: Context) -> str:
    """The editor settings file into which the action writes automatic approval of the agent's tools; "" if none."""
    replaced = action.text("old")  # the text that an edit removes does not count
    if not any(_APPROVES.search(text) for _, text in action.strings() if text != replaced):
        return ""
    return next((shown(write.path) for write in writes(action, context) if _EDITOR.fullmatch(write.path)), "")
