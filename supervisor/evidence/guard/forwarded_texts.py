"""Commands in the texts that an action hands on: to another terminal, a kernel, a scheduler, a shell behind a tool, or
a person who is asked to paste them.

Each such text is read as a command line. It counts if the command would do something to the guard that no text contains
by accident. A text that is only shown, recorded or checked (a log, a ticket, a search) is not handed on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.effects.guard import may_concern_guard
from supervisor.evidence.effects.guard.assets import Assets, may_name_asset
from supervisor.evidence.guard import directives, unmodelled
from supervisor.evidence.guard.calls import modules_of
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.guard.unmodelled import READERS
from supervisor.evidence.javascript.programs import Program
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.machine.agents import AGENTS
from supervisor.evidence.python.texts import texts_of
from supervisor.evidence.shell import SHELLS, code_in, shown
from supervisor.evidence.shell.inner import word_set

Reading = Callable[[Action, Context, Assets], Iterator[Disarming]]

_PLAIN = frozenset({How.CHANGED, How.STOPPED, How.REMOVED, How.ANSWERED, How.UNGUARDED, How.UNSEEN})
_MOST = 16  # texts of one action
_LONGEST = 4_000  # characters of one text
_HANDED_ON = "a text that is handed on"  # the tool's name in the actions made of such texts
# Programs that show, record, search, check or forward a text, and those whose commands another reader reads.
_NOT_HANDED_ON = (
    READERS
    | SHELLS
    | word_set(
        "pgrep pkill killall pidof ps skill git gh glab jj hg svn mail mutt sendmail notify-send logger"
        " wall write say cowsay figlet tldr slack"
        " tmpwatch docker podman nerdctl kubectl ssh sudo su doas env xargs parallel watch timeout nice nohup python"
        " python3 node perl ruby php pytest jest vitest semgrep ast-grep yq jo jsonnet sqlite3 psql mysql fd find"
        " terminal-notifier osascript-display sed gsed awk gawk mawk crontab at batch"
    )
)
# Calls in code that do the same.
_SHOWS = re.compile(
    r"print|println|log|info|debug|warn|warning|error|exception|critical|assert\w*|write|writelines|write_text|append"
    r"|push|add_argument|search|match|findall|sub|compile|split|replace|startswith|endswith|includes|test|it|describe"
    r"|expect|equal|toBe|toEqual|parametrize|Error|ValueError|RuntimeError|Exception|check|explain"
    r"|run|Popen|popen|call|check_call|check_output|getoutput|system|spawn\w*|exec(?:Sync|File|FileSync|[lv]p?e?)?|fork\w*|list2cmdline",
)
_INSTRUCTS = re.compile(r"(?i)terminal|paste|run (?:this|the|it|in)|execute|type (?:this|in)|enter (?:this|the)|copy")
_TO_PERSON = re.compile(r"(?i)ask|question|prompt|confirm|human|user_input|clarif")
# Tools whose name shows that they run or type a text.
_RUNS = re.compile(
    r"(?i)tmux|screen|pty|tty|stdin|send_?text|exec|run|shell|terminal|kernel|cell|console|send_?keys|keystroke|type|eval|job|task|cron|schedul|ssh|spawn"
    r"|launch|start|script|command|process|autom|macro|hotkey|workflow|deploy|evaluate"
)
_KEYS = re.compile(
    r"(?i)(?:\w*_)?(?:command\w*|cmd\w*|script\w*|code|keys|input|line\w*|program|expression|source|run|exec\w*|shell)$"
)
# How code types into another window, or into a terminal.
_TYPES = re.compile(
    r"TIOCSTI|/dev/(?:pts|tty|vcs|uinput|input)|pyautogui|pynput|\buinput\b|robotjs|nut-js|SendKeys|pexpect|\bpty\."
    r"|send_keys|keystroke|xdotool|ydotool"
)
_INLINE = re.compile(r"`([^`\n]{4,1000})`")
_PARTS = re.compile(r"\\r\\n|\\n|\\r|[\n\r;]")
_QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.){6,2000})\"|'([^'\n]{6,2000})'")
_FOR_PERSON = re.compile(
    r"\s*(?:\S*/)?supervisor\s+(?:allow|approve|deny|review|log|explain)\b[^;&|]*$"
)  # for a person
_LEADS = re.compile(
    r"^\s*(?:[!$%#>:]|!!|\\!|[A-Za-z]\w{0,31}[:=](?!/))?\s*(?:(?:please|then|and|now)\s+)?(?:(?:run|execute|do)\s+)?"
)


def read(action: Action, context: Context, known: Assets, readings: tuple[Reading, ...]) -> Iterator[Disarming]:
    """What the texts that an action hands on would do to the guard, found with `readings`. Raises Unreadable as
    `run_by` does."""
    if action.tool == _HANDED_ON:
        return
    texts = [text for text in _texts(action, context) if _concerns(text, context, known)]
    for text in texts if action.kind == "shell" else ():
        if any(text in command.args for command in run_by(action, context).named(*AGENTS)):
            yield from directives.words_for_agents(text, "")
    # `unmodelled.read` takes any first word for a program.
    guessed = tuple(each for each in readings if each is not unmodelled.read)
    yield from read_lines(texts, context, known, guessed)
    yield from read_lines(_by_loopback(action, context), context, known, readings)


def read_lines(
    texts: Iterable[str], context: Context, known: Assets, readings: tuple[Reading, ...]
) -> Iterator[Disarming]:
    """What the first command line in these texts that does anything would do to the guard."""
    for text in islice(dict.fromkeys(texts), _MOST):
        for line in dict.fromkeys(_lines(text)):
            later = Action(_HANDED_ON, {"command": line}, "shell")
            found = next(filter(None, (_plain(each, later, context, known) for each in readings)), None)
            if found is not None:
                yield found._replace(done=f"hands on `{shown(line)}`, which {found.done}")
                return


def _plain(reading: Reading, later: Action, context: Context, known: Assets) -> Disarming | None:
    """What a reading finds in a text; None for a text that is no command line."""
    try:
        return next((found for found in reading(later, context, known) if found.how in _PLAIN), None)
    except Unreadable:
        return None


def _concerns(text: str, context: Context, known: Assets) -> bool:
    if " " not in text.strip() or len(text) > _LONGEST:
        return False
    if may_concern_guard(text) or may_name_asset(text, context.facts):
        return True
    return any(f"/{mark}" in text for mark in known.marks_of_folders)


def _texts(action: Action, context: Context) -> Iterator[str]:
    if action.kind in RUNNERS:
        yield from _of_commands(action, context)
        if action.kind == "shell":
            yield from _of_other_languages(action, context)
        yield from _of_code(action, context)
    elif action.kind == "tool":
        runs = _RUNS.search(action.tool) is not None and not _is_remote(action, context)
        for path, text in action.strings():
            if runs or _KEYS.search(str(path).rpartition(".")[2]):
                yield text
    elif action.kind == "ask_user" or _TO_PERSON.search(action.tool):
        yield from _instructed(action, context)


_HERE = re.compile(r"(?:[\w.-]+@)?(?:localhost|127\.\d[\d.]*|::1|\[::1\]|0\.0\.0\.0)$")


def _is_remote(action: Action, context: Context) -> bool:
    """Whether a tool works on another machine: a host is named, and it is not this one."""
    host = action.text("host") or action.text("hostname") or action.text("server") or action.text("target")
    return bool(host) and _HERE.match(host) is None and not _is_own_name(host, context)


def _is_own_name(host: str, context: Context) -> bool:
    """Whether an earlier step printed this machine's name and `host` is that name."""
    for step in context.history:
        command = str(step.args.get("command", ""))
        printed = step.text[:1_000].lower().split() if "hostname" in command or "uname -n" in command else []
        if host.lower() in printed:
            return True
    return False


def _by_loopback(action: Action, context: Context) -> Iterator[str]:
    """What `ssh root@localhost …` and `ansible localhost -a …` run on this machine."""
    for command in run_by(action, context).named("ssh", "ansible") if action.kind in RUNNERS else ():
        for number, word in enumerate(command.args):
            if command.program == "ansible":
                if "localhost" in command.args and word in ("-a", "--args"):
                    yield " ".join(command.args[number + 1 : number + 2])
            elif _HERE.match(word) or _is_own_name(word.rpartition("@")[2], context):
                yield " ".join(command.args[number + 1 :])
                break


def _instructed(action: Action, context: Context) -> Iterator[str]:
    """The commands that a person is asked to run, if the task does not mention the guard."""
    if re.search(r"(?i)supervisor|guard|hook|wächter|vahti", context.task or ""):
        return
    for _, text in action.strings():
        if _INSTRUCTS.search(text):
            yield from (command for command in _INLINE.findall(text) if not _FOR_PERSON.match(command))


def _of_commands(action: Action, context: Context) -> Iterator[str]:
    """The arguments with spaces, and the standard input, of programs that may hand them on."""
    for command in run_by(action, context).commands:
        if command.program in _NOT_HANDED_ON or command.remote or command.wraps:
            continue
        for word in (*command.args, command.stdin or ""):
            if " " in word:
                yield word


def _of_code(action: Action, context: Context) -> Iterator[str]:
    """The texts that code passes to a call that may hand them on."""
    for code, _ in modules_of(action, context):
        source = code.source.decode("utf-8", "replace")
        if _TYPES.search(source):
            yield from (a or b for a, b in _QUOTED.findall(source))
        for call in code.calls:
            if _SHOWS.fullmatch(call.method):
                continue
            arguments = call.node.child_by_field_name("arguments")
            for node in arguments.named_children if arguments is not None else ():
                if isinstance(code, Program):
                    yield text_of(code, node) or ""
                else:
                    yield from texts_of(code, node)
                yield from (a or b for a, b in _QUOTED.findall(code.text(node)) if node.type not in ("string", "call"))


_STARTS = re.compile(r"\b(?:system|exec|popen|spawn|qx|shell_exec|passthru|proc_open|execute)\b|%x|`")
_JOINED = re.compile(r"(['\"])\s*[.+]+\s*\1")


def _of_other_languages(action: Action, context: Context) -> Iterator[str]:
    """The texts in code that starts programs, in languages without a parser here."""
    for found in code_in(script(action, context)):
        if found.language not in ("python", "javascript", "sql") and _STARTS.search(found.text):
            yield from (a or b for a, b in _QUOTED.findall(_JOINED.sub("", found.text)))


def _lines(text: str) -> Iterator[str]:
    """The command lines that a text may contain: itself, its quotations, and what follows an editor's `!`."""
    texts = [text, *(a or b for a, b in _QUOTED.findall(text)), *_INLINE.findall(text)]
    for each in texts:
        for line in _PARTS.split(each):
            if " " in line and (plain := _LEADS.sub("", line, count=1).strip()):
                yield plain
