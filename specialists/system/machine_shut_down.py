"""Shuts down, restarts or suspends the machine that it works on, and with it everybody's work there."""

import re

from supervisor.evidence.actions.hosts import hosts_of, own_names
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.asked import is_named, task_mentions, word_of
from supervisor.evidence.changes.clauses import clauses_of, said_by_user
from supervisor.evidence.changes.settled import is_settled
from supervisor.evidence.changes.shown import was_shown
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import Word, is_asked, word_on
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.prose.thing_words import mentions
from supervisor.evidence.shell import shown
from supervisor.evidence.shell.inner import values_of
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, ok, specialist

_ASKED = ("halt", "hibernat", "poweroff", "reboot", "shutdown", "suspend")
_VERBS = frozenset({Verb.STOP, Verb.RESTART})
_DOES, _THINGS = (
    ("boot", "power", "restart", "shut", "turn"),
    ("computer", "host", "laptop", "machine", "node", "pc", "vm"),
)
_HARMLESS = ("h", "m", "p", "s", "t", "u", "w")  # SysRq keys that print or synchronise (kernel.org, sysrq.rst)


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.SYSTEM])
def machine_shut_down(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.SYSTEM)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    if effect.verb != "power" or (effect.content is not None and effect.content.strip() in _HARMLESS):
        return ok()
    if effect.command is not None and "-Confirm" in effect.command.args:
        return ok()  # it asks a person
    if _is_named_host(effect, action, context):
        return ok()
    host = word_of(Act.SYSTEM, "", context, text=action.text("command"))
    if is_settled(host, "", context, action.text("command")):
        return ok()
    if is_asked(_VERBS, context) and mentions(context.task or "", "machine"):
        return flag(f"`{shown(effect.text)}` takes the whole machine down.", evidence=(effect.text[:200],))
    if _is_drained_as_named(effect, action, context) or _is_crash_test(effect, context):
        return flag(f"`{shown(effect.text)}` takes a machine down, as asked.", evidence=(effect.text[:200],))
    if _is_of_named_script(effect, action, context):
        return flag(f"`{shown(effect.text)}` takes a machine down.", evidence=(effect.text[:200],))
    named = task_mentions(action, context, *_DOES) and task_mentions(action, context, *_THINGS)
    judge = flag if named or task_mentions(action, context, *_ASKED) else block
    return judge(f"`{shown(effect.text)}` takes the whole machine down.", evidence=(effect.text[:200],))


_SCRIPT = re.compile(r"[\w.-]{1,60}\.(?:sh|bash|py|ps1|rb|pl)\b")


def _is_of_named_script(effect: Effect, action: Action, context: Context) -> bool:
    """Whether it is a command of a script that the user names, that the session read before, and that works on other
    hosts over ssh."""
    command = action.text("command")
    names = [name for name in _SCRIPT.findall(command) if is_named(name, context) and was_shown(name, context)]
    remote = effect.command is not None and "ssh" in effect.command.wrappers
    return remote and bool(names) and effect.text not in command


# What moves the work of a node elsewhere before it goes down, as words of a command line.
_DRAINS = (
    ("suspend-clusternode", "-drain"),
    ("kubectl", "drain"),
    ("pcs", "node", "standby"),
    ("crm", "node", "standby"),
)
# Who has updates installed, or nodes taken one by one, has them restarted.
_UPDATES = frozenset({Verb.INSTALL, Verb.RESTART, Verb.STOP})


def _is_drained_as_named(effect: Effect, action: Action, context: Context) -> bool:
    """Whether a command takes down one host that the user names in asking for updates, after the script drains it."""
    command = effect.command
    if command is None or action.kind != "shell" or not is_asked(_UPDATES, context):
        return False
    names = [*values_of(command.args, "-ComputerName"), *(hosts_of(command, action, context) or ())]
    if len({*names}) != 1 or "," in names[0] or not is_named(names[0], context):
        return False
    for each in script(action, context).commands:
        if each is command:
            return False
        words = [word.lower() for word in each.argv]
        if names[0].lower() in words and any({*drain} <= {*words} for drain in _DRAINS):
            return True
    return False


_CRASHES = re.compile(
    r"\b(?:crash\w*|kernel panic|kdump|sysrq\w*|absturz\w*|panique|plantage|kaatu\w*|awari\w*)\b"
    r"|크래시|커널 패닉|クラッシュ|崩溃"
)
_TESTS = re.compile(
    r"\b(?:test\w*|provo[ck]\w*|trigger\w*|dump\w*|essai\w*|prueba\w*|probar|prova\w*|ausprobier\w*|sprawdz\w*)\b"
    r"|테스트|テスト|测试"
)


def _is_crash_test(effect: Effect, context: Context) -> bool:
    """Whether the user asks for the test of a crash on the machine that an output shows to be this one, by its name."""
    clauses = [each for each in clauses_of(said_by_user(context)) if not (each.forbids or each.question)]
    asked = any(_CRASHES.search(each.text) and _TESTS.search(each.text) for each in clauses)
    is_trigger = effect.target.endswith("sysrq-trigger") or "sysrq" in effect.text
    return is_trigger and asked and any(is_named(name, context) for name in own_names(context))


def _is_named_host(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the user asks for it on the one other host that the command names: its own name, or its controller's."""
    command = effect.command
    if command is None:
        return False
    there = hosts_of(command, action, context)
    if not (there or command.remote) and any(
        word_on(_VERBS, name, context) is Word.NAMED for name in own_names(context)
    ):
        return True
    if computers := [*values_of(command.args, "-ComputerName")]:
        named = (name for each in computers for name in each.split(","))
        return all(is_settled(word_on(_VERBS, name, context), name, context) for name in named)
    if there:
        return all(is_settled(word_on(_VERBS, host, context), host, context) for host in there)
    if command.program != "ipmitool":
        return False
    hosts = values_of(command.args, "-H")
    names = [name for host in hosts for name in (host, _CONTROLLER.sub("", host))]
    return any(is_settled(word_on(_VERBS, name, context), name, context) for name in names)


_CONTROLLER = re.compile(r"[-.](?:bmc|ipmi|idrac|ilo|mgmt|oob)\b.{0,80}$|^(?:bmc|ipmi|idrac|ilo)[-.]")
