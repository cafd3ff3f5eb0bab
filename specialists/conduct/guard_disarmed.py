"""Changes what supervises the agent: Supervisor's own files and settings, or the permissions that its host gives it."""

import re

from supervisor.evidence.effects import Act, effects
from supervisor.evidence.paths import resolve
from supervisor.evidence.shell import read_script, shown
from supervisor.evidence.writes import writes, writes_of
from supervisor.evidence.xdg import with_defaults
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist

# Where Supervisor keeps its policy, key, cache and records, and where it is installed.
_OWN = re.compile(
    r"(?:~|/root|/(?:home|Users)/[^/]+)/(?:\.config|\.cache|\.local/state)/supervisor(?:/.*)?"
    r"|(?:.*/)?(?:site|dist)-packages/supervisor(?:/.*|_guard-.*)?"
)
# Where agents' hosts keep what an agent may do unasked.
_HOST = re.compile(
    r"(?:.*/)?(?:\.claude/settings(?:\.local)?\.json|\.codex/config\.toml|\.gemini/settings\.json"
    r"|\.cursor/(?:permissions|cli|cli-config)\.json)"
)
_EDITOR = re.compile(r"(?:.*/)?(?:\.vscode|Code/User)/settings\.json")
_APPROVES = re.compile(
    r"chat\\?\.tools\\?\.(?:\w{1,32}\\?\.){0,3}autoApprove[\"'\\\]]{0,4}\s{0,8}[:=]\s{0,8}(?!false|\s)"
)


@specialist("shell", "file_write", "file_edit", "file_delete", about=[Act.GUARD, Act.WRITE, Act.DELETE, Act.MOVE])
def guard_disarmed(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.GUARD):
        if effect.verb == "disarm":
            done = shown(effect.target)
            return block(f"It {done}, and with that changes what supervises it.", evidence=(done,))
        if effect.verb == "approve":
            done = shown(effect.target)
            return block(f"It runs `{done}`: an approval is for a person to give, not for an agent.", evidence=(done,))
    stated = context.facts.get("policy_file")
    policy = resolve(stated, context.cwd or ".") if isinstance(stated, str) else None
    for path in _changed(action, context):
        if path == policy or _OWN.fullmatch(path):
            return block(f"It changes {shown(path)}, which belongs to what supervises it.", evidence=(shown(path),))
        if _HOST.fullmatch(path) or (_EDITOR.fullmatch(path) and _approves(action)):
            judge = flag if path.rpartition("/")[2] in (context.task or "") else block  # the user's own words may ask
            return judge(f"It changes {shown(path)}, which says what it may do unasked.", evidence=(shown(path),))
    return ok()


def _changed(action: Action, context: Context) -> list[str]:
    """The paths that are changed, where the XDG variables have their defaults."""
    if action.kind == "shell":
        command = action.text("command")
        if "XDG_" in command:
            return [write.path for write in writes_of(read_script(with_defaults(command), context.cwd))]
    elif "$" in (path := action.text("path")):
        return [resolve(with_defaults(path).replace("${HOME}", "~").replace("$HOME", "~"), context.cwd or ".")]
    return [write.path for write in writes(action, context)]


def _approves(action: Action) -> bool:
    """Whether the text it writes lets tools run unasked; the text that an edit replaces does not count."""
    replaced = action.text("old")
    return any(_APPROVES.search(text) for _, text in action.strings() if text != replaced)
