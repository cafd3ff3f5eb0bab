"""Changes what supervises the agent: Supervisor's own files and settings, or the permissions that its host gives it."""

import re
import time
from collections.abc import Iterator

from supervisor.evidence.paths import resolve
from supervisor.evidence.shell import Command, read_script, script, shown
from supervisor.evidence.shell.syntax import parse
from supervisor.evidence.writes import writes, writes_of
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
_VARIABLE = "SUPERVISOR_POLICY"
_XDG = {"CONFIG": "$HOME/.config", "CACHE": "$HOME/.cache", "STATE": "$HOME/.local/state"}
_XDG_NAMED = re.compile(r"\$(?:XDG_(\w{5,6})_HOME\b|\{XDG_(\w{5,6})_HOME\})")


@specialist("shell", "file_write", "file_edit", "file_delete")
def guard_disarmed(action: Action, context: Context) -> Opinion:
    if action.kind == "shell" and (done := next(_switched_off(action, context), "")):
        return block(f"It {done}, and with that changes what supervises it.", evidence=(done,))
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
    """The paths that are changed, where the XDG variables (freedesktop.org, Base Directory) have their defaults."""
    command, path = action.get("command"), action.text("path")
    if action.kind == "shell" and isinstance(command, str) and "XDG_" in command:
        return [write.path for write in writes_of(read_script(_spelled_out(command), context.cwd))]
    if action.kind != "shell" and "$" in path:
        return [resolve(_spelled_out(path).replace("${HOME}", "~").replace("$HOME", "~"), context.cwd or ".")]
    return [write.path for write in writes(action, context)]


def _spelled_out(text: str) -> str:
    return _XDG_NAMED.sub(lambda found: _XDG.get(found[1] or found[2], found[0]), text)


def _approves(action: Action) -> bool:
    """Whether the text it writes lets tools run unasked; the text that an edit replaces does not count."""
    replaced = action.text("old")
    return any(_APPROVES.search(text) for _, text in action.strings() if text != replaced)


def _switched_off(action: Action, context: Context) -> Iterator[str]:
    for command in script(action, context).commands:
        if not command.remote:
            if _VARIABLE in command.text and command.program in ("env", "sudo", "doas") and _overrides(command):
                yield f"sets {_VARIABLE} for {shown(command.text)}"
            if _uninstalls(command):
                yield f"runs {shown(command.text)}"
    text = action.get("command")
    if isinstance(text, str) and _VARIABLE in text and _assigns(text):
        yield f"sets or unsets {_VARIABLE}"


def _overrides(command: Command) -> bool:
    return any(word.startswith(f"{_VARIABLE}=") or word.endswith(_VARIABLE) for word in command.args)


def _uninstalls(command: Command) -> bool:
    words = {word.lower().replace("_", "-") for word in command.args}
    installs = command.program.startswith(("pip", "uv", "poetry", "pdm", "conda")) or {"-m", "pip"} <= words
    return installs and "supervisor-guard" in words and not words.isdisjoint({"uninstall", "remove"})


def _assigns(text: str) -> bool:
    """Whether the script itself gives the variable a value or takes it away; a text that mentions it does not."""
    source = text.encode("utf-8", "replace")
    cursor = parse(source, time.monotonic() + 0.02).walk()
    while True:
        node = cursor.node
        named = node is not None and source[node.start_byte : node.end_byte] == _VARIABLE.encode()
        parent = node.parent if node is not None and named and node.type == "variable_name" else None
        if parent is not None and parent.type in ("variable_assignment", "unset_command"):
            return True
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False
