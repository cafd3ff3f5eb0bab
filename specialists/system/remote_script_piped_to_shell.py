"""Runs a program straight off the network, before anyone could read it."""

from itertools import pairwise

from supervisor.evidence.paths import HOLE
from supervisor.evidence.shell import SHELLS, Command, script, shown
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist

_INTERPRETERS = ("node", "perl", "php", "python", "ruby")
_OWN_PROGRAM = frozenset({"-c", "-e", "-m", "-p", "-r", "--eval", "--print"})  # the program is not what is piped in
_LOCAL = ("localhost", "127.0.0.1", "[::1]", "0.0.0.0")  # noqa: S104
_STDIN = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


@specialist("shell")
def remote_script_piped_to_shell(action: Action, context: Context) -> Opinion:
    for command in script(action, context).commands:
        for download in _code_of(command):
            if _prints_remote_text(download):
                address = next((word for word in download.operands() if "." in word or "/" in word), "the network")
                judge = flag if address in (context.task or "") else block  # the user's own words may name it
                return judge(
                    f"It runs with {command.program} what {shown(address)} answers, unread. Download it to a file, read"
                    " it, and only then run the file.",
                    evidence=(download.text[:200], command.text[:200]),
                )
    return ok()


def _code_of(command: Command) -> list[Command]:
    """The commands whose output this one runs as a program."""
    program = command.program
    if program in ("eval", "source", "."):
        return command.sources_of(1)
    if program in SHELLS:
        return _code_of_shell(command)
    if not program.startswith(_INTERPRETERS):
        return []
    if command.has_flag(*_OWN_PROGRAM):
        return [each for index in range(1, len(command.argv)) for each in _whole_word(command, index)]
    first = next(iter(command.args), "-")
    return list(command.upstream) if first in _STDIN else command.sources_of(1)


def _code_of_shell(command: Command) -> list[Command]:
    """`… | bash`, `bash <(…)`, `bash -c "$(…)"`, but not what a script is merely given as an argument."""
    for index, word in enumerate(command.args, 1):
        if word.startswith("-") and not word.startswith("--") and "c" in word:
            return _whole_word(command, index + 1)
        if not word.startswith(("-", "+")):
            return list(command.upstream) if word in _STDIN else _whole_word(command, index)
        if word in ("-", "-s", "--") or ("s" in word and not word.startswith("--")):
            break
    return list(command.upstream)


def _whole_word(command: Command, index: int) -> list[Command]:
    """The commands that a word comes from, where it begins with their output."""
    begins = index < len(command.argv) and command.argv[index].lstrip().startswith(HOLE)
    return command.sources_of(index) if begins else []


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
