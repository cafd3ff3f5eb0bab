"""What code does to the guard's process: by its PID, by a text that selects processes, by its unit.

`supervisor.evidence.guard.processes` reads the same of commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.effects.guard.assets import Assets
from supervisor.evidence.guard.calls import modules_of
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.guard.processes import LONGEST, NAME, STOPS, matches, prints_pid
from supervisor.evidence.javascript.programs import Program
from supervisor.evidence.machine.assets import Sort
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import code_in, read_script, shown

_PERL_KILL = re.compile(r"(?:\b|posix_)kill\b")
_OPENS_MEMORY = re.compile(r"/proc/[^'\"\n]{1,64}/(?:mem|oom_score_adj)\b|\bptrace\b|process_vm_writev")
_WRITES = re.compile(r"write|open|append", re.IGNORECASE)
_CODE_KILLS = (
    "kill",
    "killpg",
    "send_signal",
    "terminate",
    "suspend",
    "pidfd_send_signal",
    "killSync",
    "prlimit",
    "setpriority",
    "sched_setaffinity",
)
_LISTS = re.compile(r"process_iter|psutil|pgrep|pidof|/proc\b|\bps\b")  # what lists processes
_UNITNAMED = re.compile(rf"\b{NAME}(?:-guard|-daemon)?\.(?:service|socket)\b")


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What an action's code does to the daemon's process. Raises Unreadable as `script` does."""
    if action.kind in RUNNERS:
        yield from _by_code(action, context, known)
        yield from _by_other_languages(action, context, known)


_LISTED = re.compile(r"\bp(?:grep|idof)\s[^`)\n;|]{1,200}")


def _by_other_languages(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """Perl, Ruby, PHP: code that kills a process whose PID it gets from `pgrep`."""
    for found in code_in(script(action, context)) if action.kind == "shell" else ():
        if found.language in ("python", "javascript", "sql") or not _PERL_KILL.search(found.text):
            continue
        for each in _LISTED.findall(found.text):
            line = each.replace("\\", "").rstrip("'\"")
            line += "'" if line.count("'") % 2 else '"' if line.count('"') % 2 else ""
            if any(prints_pid(command, known) for command in read_script(line, context.cwd).commands):
                yield Disarming(How.STOPPED, f"runs `{shown(found.command.text)}`", shown(found.command.text))


def _holds_line(source: str, known: Assets) -> bool:
    """Whether code contains a part of the daemon's command line that identifies it."""
    texts = [text.rstrip("\\") for text in re.split(r"[\"'`\n]", source) if "/" in text and 8 <= len(text) <= LONGEST]
    return any(text in line for text in texts for line in known.commands())


_PICKS = re.compile(
    r"(['\"])([^'\"\n]{3,120})\1\s*(?:not\s+)?in\b"
    r"|(?:includes|indexOf|startswith|endswith|startsWith|endsWith|search|match|find)\(\s*(['\"])([^'\"\n]{3,120})\3"
    r"|==\s*(['\"])([^'\"\n]{3,120})\5|/([^/\n]{3,120})/\.test\("
)


def _picks_daemon(source: str, known: Assets) -> bool:
    """Whether the daemon's command line contains every text that code selects processes by: `'serve' in line`."""
    picks = [found[2] or found[4] or found[6] or found[7] for found in _PICKS.finditer(source)]
    if not picks or _LISTS.search(source) is None:
        return False
    return any(all(matches(pick, line, whole=False) for pick in picks) for line in known.commands())


def _by_name_of_unit(action: Action, context: Context) -> Iterator[Disarming]:
    """`subprocess.run(['systemctl', '--user', 'stop', unit])` in code that names ours."""
    for command in run_by(action, context).commands:
        words = command.operands()
        stops = command.program == "systemctl" and "--user" in command.args and not STOPS.isdisjoint(words)
        if stops and any(HOLE in word for word in words):
            yield Disarming(How.STOPPED, f"runs `{shown(command.text)}`", shown(command.text))


def _by_code(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """`os.kill(int(open(lock).read()), 9)`, `process.kill(4711)`, `psutil.Process(4711).kill()`."""
    numbers = [asset.place for asset in known.of(Sort.PROCESS)]
    places = [asset.place.rpartition("/")[2] for asset in known.of(Sort.SOCKET)]
    for code, _ in modules_of(action, context):
        source = code.source.decode("utf-8", "replace")
        if found := _UNITNAMED.search(source):
            yield from _by_name_of_unit(action, context)
            if "cgroup" in source and any(_WRITES.match(call.method) for call in code.calls):
                yield Disarming(How.STOPPED, f"writes to the control group of {found[0]}", found[0])
        kills = [call for call in code.calls if call.method in _CODE_KILLS]
        if not kills and not _OPENS_MEMORY.search(source):
            continue
        named = any(re.search(rf"(?<!\w){re.escape(number)}(?!\w)", source) for number in numbers)
        looks = NAME in source and (isinstance(code, Program) or _LISTS.search(source) is not None)
        looks = looks or (_LISTS.search(source) is not None and _holds_line(source, known))
        looks = looks or _picks_daemon(source, known)
        if named or looks or any(place in source for place in places):
            call_text = shown(kills[-1].text if kills else "/proc/…/mem")
            yield Disarming(How.STOPPED, f"runs `{call_text}`", call_text)
