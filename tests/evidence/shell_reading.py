"""What the tests of the shell reader share: commands written one a line, and whether they run `rm -rf /x`."""

from supervisor.action import Action, Context, Step
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.shell import Script


def spelt(lines: str) -> list[str]:
    """Commands written one a line, with ⏎ for a line's end and ⇥ for a tab within one."""
    return [line.replace("⏎", "\n").replace("⇥", "\t") for line in lines.strip().splitlines()]


def read(command: object, *history: Step, tool: str = "bash", **facts: object) -> Script:
    return script(Action(tool, {"command": command}, "shell"), Context(facts=facts, history=history))


def is_run(command: str) -> bool:
    """Whether a command in /w deletes /x and all below it."""
    removals = [each for each in read(command, cwd="/w").named("rm") if not each.wraps]
    return any(each.has_flag("-r") and "/x" in map(each.path, each.operands()) for each in removals)
