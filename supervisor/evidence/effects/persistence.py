"""What programs set up to run again by itself: at a time, at a login, at a start."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from supervisor.evidence.effects.command_lines import effect_of, is_contained, merged, quiet_without, shows_only, table
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.printed import output_of

_FILTERS = frozenset({"crontab", "egrep", "fgrep", "grep", "head", "sed", "tail", "tee"})


def _scheduled(command: Command, _: Ground) -> Iterator[Effect]:
    """`crontab f`, `… | crontab -`; `crontab -r` removes all jobs. `-l` lists the jobs, `-e` waits for a person."""
    if is_contained(command) or command.has_flag("-l", "-e", "-V", "-T", "--help", valued="u"):
        return
    if command.has_flag("-r", valued="u"):
        yield effect_of(Act.PERSIST, "clear", "every job of this account", command, whole=True)
        return
    file = next(iter(command.operands(frozenset({"-u"}))), "-")
    if file == "-" and not command.upstream and command.stdin is None and not command.redirects:
        return
    verb = "edit" if _only_filters_old(command) else "cron"
    yield _with_content(
        effect_of(Act.PERSIST, verb, "crontab", command, whole=not _keeps_old(command)), _input_of(command)
    )


def _keeps_old(command: Command) -> bool:
    """`(crontab -l; echo …) | crontab -` adds to the existing jobs."""
    origins = (*command.upstream, *(origin for _, origin in command.sources))
    return any(each.program == "crontab" and "-l" in each.args for each in origins)


def _only_filters_old(command: Command) -> bool:
    """`crontab -l | grep -v backup.sh | crontab -` adds nothing."""
    return _keeps_old(command) and {each.program for each in command.upstream} <= _FILTERS


def _later(command: Command, _: Ground) -> Iterator[Effect]:
    """`echo job | at midnight`."""
    asks = command.has_flag("-l", "-c", "-r", "-d", "-V")
    if not asks and not is_contained(command) and (command.program == "batch" or command.args):
        yield _with_content(effect_of(Act.PERSIST, "at", " ".join(command.operands()), command), _input_of(command))


def _input_of(command: Command) -> str:
    return command.stdin or "".join(output_of(each) or HOLE for each in command.upstream)


def _with_content(effect: Effect, content: str) -> Effect:
    effect.content = content
    return effect


def _enabled(command: Command, _: Ground) -> Iterator[Effect]:
    """`systemctl enable` of a unit by its path. A unit by its name belongs to a package and is ordinary."""
    operands = command.operands(frozenset({"-H", "--host", "-M", "--machine", "-t", "-n"}))
    if operands[:1] in (["enable"], ["link"], ["add-wants"]) and not (is_contained(command) or shows_only(command)):
        yield from (effect_of(Act.PERSIST, "unit", command.path(word), command) for word in operands[1:] if "/" in word)


def _timed(command: Command, _: Ground) -> Iterator[Effect]:
    """`systemd-run --on-calendar=daily job`."""
    if any(word.startswith("--on-") for word in command.args) and not is_contained(command):
        yield effect_of(Act.PERSIST, "timer", " ".join(command.operands())[:80], command)


def _reading(read: Callable[[Command, Ground], Iterable[Effect]], *marks: str) -> Reading:
    """A reading that is quiet unless one of `marks` is an argument; never quiet without `marks`."""
    return (
        Reading(frozenset({Act.PERSIST}), read, quiet_without(*marks))
        if marks
        else Reading(frozenset({Act.PERSIST}), read)
    )


PROGRAMS = merged(
    {
        "crontab": _reading(_scheduled),
        "systemctl": _reading(_enabled, "enable", "link", "add-wants"),
        "systemd-run": _reading(_timed),
    },
    dict.fromkeys(("at", "batch"), _reading(_later)),
    table(
        Act.PERSIST,
        agent="""
            launchctl load|bootstrap|submit
            osascript *login\\u0020item*
        """,
        task="""
            schtasks|schtasks.exe /create|/Create|/CREATE
            Register-ScheduledTask|New-Service
            sc|sc.exe create
        """,
        hook="""
            git config --global|--system core.hooksPath|init.templateDir|core.fsmonitor
        """,
    ),
)
