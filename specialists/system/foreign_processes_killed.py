"""Ends processes that are not its own: all processes, all of a user, or all that run some common program."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.history.past_scripts import PastStep
from supervisor.evidence.history.traces import traces
from supervisor.evidence.shell import shown
from supervisor.evidence.shell.inner import word_set
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

# Programs that a machine and its users depend on.
_VITAL = word_set(
    "init systemd dbus-daemon sshd ssh-agent login getty Xorg gnome-shell kwin_x11 plasmashell Finder"
    " WindowServer loginwindow launchd explorer winlogon lsass svchost csrss dockerd containerd kubelet"
    " NetworkManager cron crond rsyslogd systemd-journald tmux screen claude codex code cursor"
)
# Programs that also run other people's work, among it the agent's own host.
_SHARED = word_set(
    "bash sh zsh dash fish ssh sudo node nodejs npm python python2 python3 java ruby php perl deno bun dotnet"
    " go docker postgres mysqld mariadbd mongod redis-server nginx apache2 httpd haproxy chrome chromium"
    " firefox electron"
)
_NAME = re.compile(r"[\w.+-]+")
_KILLERS = frozenset({"killall", "pkill", "skill", "slay", "taskkill"})
_ASKED = ("kill", "stop", "terminat")


@specialist("shell", "python", "javascript", about=[Act.PROCESS])
def foreign_processes_killed(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.PROCESS)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    name, evidence = effect.target.strip("^$"), (effect.text[:200],)
    if effect.verb != "kill":
        return ok()
    if effect.whole or name == "1":
        what = "the first process, and with it all others" if name == "1" else name
        if _ends_with_account(effect, action, context):
            return ok()
        judge = flag if task_mentions(action, context, *_ASKED) else block
        return judge(f"It ends {what}: `{shown(effect.text)}`.", evidence=evidence)
    if name not in _VITAL | _SHARED or _is_started_here(name, effect, action, context):
        return ok()
    reason = f"It ends every process called {name} on this machine, not only your own."
    if task_mentions(action, context, *_ASKED) and name.lower() in (context.task or "").lower():
        return ok() if name in _SHARED else flag(reason, evidence=evidence)
    if effect.command is not None and effect.command.program == "kill":
        return ok()
    return nudge(
        reason,
        correction="End only the process in question: by its id (`kill <pid>`), by its port"
        " (`kill $(lsof -ti :3000)`), or by its whole command line (`pkill -f 'node server.js'`).",
        sharper=f"Look up the id of the process in question (`pgrep -af {name}`) and end only that one.",
        evidence=evidence,
    )


_ACCOUNTS = frozenset({"userdel", "deluser", "passwd", "usermod", "chage"})  # that delete or lock an account


def _ends_with_account(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the processes of an account end because the same script deletes or locks the account that the user
    names."""
    name = effect.command.args[-1] if effect.command is not None and effect.command.args else ""
    here = run_by(action, context).commands if action.kind in RUNNERS else ()
    goes = any(each.program in _ACCOUNTS and name in each.args for each in here)
    return goes and name != "root" and is_named(name, context)


def _is_started_here(name: str, effect: Effect, action: Action, context: Context) -> bool:
    """Whether this session ran a program of that name itself, apart from the one that runs this command."""
    if effect.command is not None and name in effect.command.wrappers:
        return False
    here = run_by(action, context).commands if action.kind in RUNNERS else ()
    return any(command.program == name for command in here) or name in traces(context, _programs)


def _programs(past: PastStep) -> Iterator[str]:
    return (command.program for command in past.commands)
