"""Shell commands in the arguments of other programs: `awk` and `sed` scripts, `vim -c`, `tar --to-command`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from supervisor.evidence.shell.calls import commands_of
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import Inner, Unwrap, both, operand_index, option_scripts, values_of, word_set
from supervisor.evidence.shell.sdk_calls import SDK_IMPORTS

_PIPED = re.compile(r"\\(?:g|gx|o|out|w|write)[ \t]{0,8}\|([^\n]+)")
_AWK_VALUED = word_set("-F -v -f -i -l -E --field-separator --assign --file --include --exec")


def awk(command: Command) -> Iterator[Inner]:
    """`awk '{system("ls")}'`, `"cmd" | getline`, `print | "cmd"`."""
    args = command.args
    programs = [*values_of(args, "-e", "--source")]
    if not programs and not any(values_of(args, "-f", "--file")):
        programs = list(args[operand_index(args, _AWK_VALUED) :][:1])
    for program in programs:
        if "system" in program or "|" in program:
            yield from commands_of("awk", program)


def sed(command: Command) -> Iterator[Inner]:
    """GNU sed's `e`: a flag of `s` that runs the result, and a command."""
    scripts = [*values_of(command.args, "-e", "--expression")] or command.operands(word_set("-f -l"))[:1]
    for script in scripts:
        for line in script.split("\n"):
            if "e" in line and (executed := _executed(line.strip())):
                yield Inner(script=executed, reads=False)


def _executed(line: str) -> str:
    """What one sed command runs: `1e ls`, `s/x/ls/e`. What it makes of its input is known only at run time."""
    bare = line.lstrip("0123456789,$!~+ ")
    if bare.startswith("e"):
        return bare[1:].strip()
    if not bare.startswith("s") or len(bare) < 4:
        return ""
    mark = bare[1]
    if mark.isalnum() or mark.isspace():
        return ""
    parts = bare[2:].replace(f"\\{mark}", "\0").split(mark)
    flags = parts[2].split(";")[0].split("}")[0] if len(parts) == 3 else ""
    return parts[1].replace("\0", mark) if "e" in flags and set(flags) <= set("gpeiImM0123456789") else ""


_COLON_COMMANDS = (
    "silent",
    "sil",
    "exe",
    "execute",
    "call",
    "r",
    "read",
    "w",
    "write",
    "%",
    "normal",
    "bufdo",
    "argdo",
)


def vim(command: Command) -> Iterator[Inner]:
    """`vim -c '!ls'`, `vim '+!ls'`, `ex -s file <<< '!ls'`."""
    lines = [*values_of(command.args, "-c", "--cmd"), *(word[1:] for word in command.args if word.startswith("+"))]
    if command.program in ("ex", "ed", "red") or command.has_flag("-e", "-s"):
        lines += (command.stdin or "").splitlines()
    for line in lines:
        bare = line.lstrip(": ")
        while bare.split(" ", 1)[0].rstrip("!") in _COLON_COMMANDS and " " in bare and not bare.startswith("!"):
            bare = bare.split(" ", 1)[1].lstrip(": ")
        if bare.startswith("!") and len(bare) > 1:
            yield Inner(script=bare[1:].lstrip("!"), reads=False)
        elif "system(" in bare:
            yield from commands_of("vim", bare)


def tar(command: Command) -> Iterator[Inner]:
    for action in values_of(command.args, "--checkpoint-action"):
        if action.startswith("exec="):
            yield Inner(script=action[5:], reads=False)
    names = (
        "-I",
        "--to-command",
        "--use-compress-program",
        "--rsh-command",
        "-F",
        "--info-script",
        "--new-volume-script",
    )
    yield from (Inner(script=value, reads=False) for value in values_of(command.args, *names) if " " in value)


def _dot_commands(*marks: str) -> Unwrap:
    """Lines of a client's input that begin with a mark and run in a shell: `.shell ls`, `\\! ls`."""

    def unwrap(command: Command) -> Iterator[Inner]:
        for text in (*command.args, command.stdin or ""):
            for line in text.splitlines() if any(mark in text for mark in marks) else ():
                mark = next((mark for mark in marks if line.lstrip().startswith(mark)), None)
                if mark:
                    yield Inner(script=line.lstrip()[len(mark) :], reads=False)

    return unwrap


def _psql(command: Command) -> Iterator[Inner]:
    """`\\g | less`, `\\o | gzip`: what a query's result is piped into."""
    for text in (*command.args, command.stdin or ""):
        for found in _PIPED.finditer(text) if "|" in text else ():
            yield Inner(script=found[1], reads=False)


def _socat(command: Command) -> Iterator[Inner]:
    for word in command.args:
        kind, colon, rest = word.partition(":")
        if colon and kind.upper() in ("EXEC", "SYSTEM", "SHELL"):
            yield Inner(script=rest.partition(",")[0], reads=False)


def _expect(command: Command) -> Iterator[Inner]:
    for text in (*values_of(command.args, "-c"), command.stdin or ""):
        for line in text.replace(";", "\n").splitlines():
            words = line.split()
            if words[:1] in (["spawn"], ["exec"], ["system"]) and len(words) > 1:
                yield Inner(script=line.strip().split(None, 1)[1], reads=False)


def _debugged(command: Command) -> Iterator[Inner]:
    if "--args" in command.argv[:-1]:
        start = command.argv.index("--args") + 1
        yield Inner(command.argv[start:], start=start)


def _less(command: Command) -> Iterator[Inner]:
    yield from (Inner(script=word[2:], reads=False) for word in command.args if word.startswith("+!"))


def _by_environment(*names: str) -> Unwrap:
    """Programs that run what a variable names: `PAGER='sh -c ls' man x`."""

    def unwrap(command: Command) -> Iterator[Inner]:
        for name, value in command.environment:
            if name in names and " " in value:
                yield Inner(script=value, reads=False)

    return unwrap


def interpreted(language: str, *options: str, hints: Sequence[str]) -> Unwrap:
    """An interpreter whose code may run commands. Only code that contains one of `hints` is read."""

    def unwrap(command: Command) -> Iterator[Inner]:
        texts = [text for option in options for text in _clustered(command.args, option)]
        if not texts and command.file_text is not None:
            texts = [command.file_text]
        elif not texts and command.stdin is not None:
            texts = [command.stdin]
        for text in texts:
            if any(hint in text for hint in hints):
                yield from commands_of(language, text)

    return unwrap


def _clustered(args: tuple[str, ...], option: str) -> Iterator[str]:
    """The values of an option that may be the last in a cluster: `perl -lne code`, `python -uc code`."""
    yield from values_of(args, option) if option.startswith("--") else ()
    for index, word in enumerate(args[:-1]):
        if len(option) == 2 and word.startswith("-") and word[1:2] not in ("-", "") and word.endswith(option[1]):
            yield args[index + 1]
            return


_PROCESS_HINTS = ("child_process", "Bun.", "Deno.", "execa", "shelljs")
_SHELL_HINTS = ("system", "exec", "popen", "`", "qx", "spawn", "passthru", "proc_open", "%x", "fork")
_PYTHON_HINTS = ("system", "popen", "subprocess", "spawn", "exec", "getoutput", "create_subprocess", *SDK_IMPORTS)

EMBEDDED: dict[str, Unwrap] = {
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), awk),
    **dict.fromkeys(("sed", "gsed"), sed),
    **dict.fromkeys(("vim", "vi", "nvim", "ex", "ed", "red", "view", "rvim", "gvim"), vim),
    **dict.fromkeys(("tar", "gtar", "bsdtar"), tar),
    "rsync": option_scripts("-e", "--rsh", "--rsync-path", reads=False),
    **dict.fromkeys(
        ("python", "python2", "python3", "pypy", "pypy3", "ipython"), interpreted("python", "-c", hints=_PYTHON_HINTS)
    ),
    "perl": interpreted("perl", "-e", "-E", hints=_SHELL_HINTS),
    "ruby": interpreted("ruby", "-e", hints=_SHELL_HINTS),
    "php": interpreted("php", "-r", hints=_SHELL_HINTS),
    **dict.fromkeys(
        ("node", "nodejs", "bun", "deno"),
        interpreted("javascript", "-e", "-p", "--eval", "--print", hints=_PROCESS_HINTS),
    ),
    **dict.fromkeys(("lua", "luajit"), interpreted("lua", "-e", hints=("execute", "popen"))),
    **dict.fromkeys(("Rscript", "R"), interpreted("r", "-e", hints=("system",))),
    "osascript": interpreted("applescript", "-e", hints=("shell",)),
    "emacs": interpreted("lisp", "--eval", "-eval", hints=("shell-command", "call-process")),
    "psql": both(_dot_commands("\\!"), _psql),
    **dict.fromkeys(("mysql", "mariadb"), _dot_commands("\\!", "system ")),
    **dict.fromkeys(("sqlite3", "duckdb"), _dot_commands(".shell ", ".system ")),
    "gdb": both(_dot_commands("shell ", "!"), _debugged),
    "ftp": _dot_commands("!"),
    "socat": _socat,
    **dict.fromkeys(("expect", "tclsh"), _expect),
    **dict.fromkeys(("less", "more"), _less),
    "man": both(option_scripts("-P", "--pager", reads=False), _by_environment("PAGER", "MANPAGER")),
    "zip": option_scripts("-TT", "--unzip-command", reads=False),
    "crontab": _by_environment("EDITOR", "VISUAL"),
    **dict.fromkeys(("visudo", "vipw"), _by_environment("EDITOR", "VISUAL")),
}
