"""Runs a program straight off the network, before anyone could read it."""

from itertools import pairwise

from supervisor.evidence.effects.execution import code_sources
from supervisor.evidence.shell import Command, script, shown
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist

_LOCAL = ("localhost", "127.0.0.1", "[::1]", "0.0.0.0")  # noqa: S104


@specialist("shell")
def remote_script_piped_to_shell(action: Action, context: Context) -> Opinion:
    for command in script(action, context).commands:
        for download in code_sources(command):
            if _prints_remote_text(download):
                address = next((word for word in download.operands() if "." in word or "/" in word), "the network")
                judge = flag if address in (context.task or "") else block  # the user's own words may name it
                return judge(
                    f"It runs with {command.program} what {shown(address)} answers, unread. Download it to a file, read"
                    " it, and only then run the file.",
                    evidence=(download.text[:200], command.text[:200]),
                )
    return ok()


def _prints_remote_text(command: Command) -> bool:
    """Whether it downloads something and writes it to its standard output."""
    if any(place in word for word in command.args for place in _LOCAL):
        return False
    pairs = list(pairwise(command.args))
    if command.program == "wget":
        joined = any(word.endswith("O-") or word == "--output-document=-" for word in command.args)
        return joined or any(option[-1:] == "O" and value in ("-", "/dev/stdout") for option, value in pairs)
    if command.program == "curl":
        to_stdout = "-o-" in command.args or ("-o", "-") in pairs
        to_file = command.has_flag("-o", "-O", "--output", "--remote-name", valued="oH")
        return (to_stdout or not to_file) and not command.has_flag("-I", "--head", "--version", valued="oH")
    return command.program in ("fetch", "http", "https", "xh")
