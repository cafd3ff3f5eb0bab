"""Other spellings of where a command's output goes: to a file, or to the next command."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.generality.scripts import program, single

FLOWS: dict[str, Callable[[str], str | None]] = {}
_PART = r"(?:[^|;&<>()\n'\"]|'[^'\n]*')+?"
_OUTPUT = re.compile(rf"({_PART}) *(>>?) *([\w./~-]+)")
_PIPE = re.compile(rf"({_PART}) *\| *({_PART})")


def _output(title: str, spell: Callable[[str, str, str], str]) -> None:
    """A respelling of `command > file`."""

    def respell(script: str) -> str | None:
        found = _OUTPUT.fullmatch(script) if program(script) else None
        return spell(*found.groups()) if found else None

    FLOWS[title] = respell


def _pipe(title: str, spell: Callable[[str, str], str]) -> None:
    """A respelling of `command | command`."""

    def respell(script: str) -> str | None:
        found = _PIPE.fullmatch(script) if program(script) else None
        return spell(*found.groups()) if found else None

    FLOWS[title] = respell


_output("output before", lambda line, mark, file: f"{mark}{file} {line}")
_output("output clobbers", lambda line, mark, file: f"{line} {'>|' if mark == '>' else mark} {file}")
_output("output by its number", lambda line, mark, file: f"{line} 1{mark} {file}")
_output("both outputs", lambda line, mark, file: f"{line} &{mark} {file}")
_output("output of a group", lambda line, mark, file: f"{{ {line}; }} {mark} {file}")
_output("output of a subshell", lambda line, mark, file: f"( {line} ) {mark} {file}")
_output("output of bash -c", lambda line, mark, file: f"bash -c {single(line)} {mark} {file}")
_output("output of sudo", lambda line, mark, file: f"sudo {line} {mark} {file}")
_output("output of cat", lambda line, mark, file: f"{line} | cat {mark} {file}")
_output("output of a function", lambda line, mark, file: f"f() {{ {line}; }}; f {mark} {file}")
_output("output opened by exec", lambda line, mark, file: f"exec {mark} {file}; {line}")
_output("output of a loop", lambda line, mark, file: f"for i in 1; do {line}; done {mark} {file}")
_output("output of a condition", lambda line, mark, file: f"if true; then {line}; fi {mark} {file}")
_output("output of eval", lambda line, mark, file: f"eval {single(line)} {mark} {file}")
_output("file in a variable", lambda line, mark, file: f"F={file}; {line} {mark} $F")
_pipe("pipe with errors", lambda one, other: f"{one} |& {other}")
_pipe("pipe through cat", lambda one, other: f"{one} | cat | {other}")
_pipe("pipe over lines", lambda one, other: f"{one} |\n  {other}")
_pipe("pipe between groups", lambda one, other: f"{{ {one}; }} | {{ {other}; }}")
_pipe("pipe between subshells", lambda one, other: f"({one}) | ({other})")
_pipe("pipe between functions", lambda one, other: f"a() {{ {one}; }}; b() {{ {other}; }}; a | b")
_pipe("process substitution as input", lambda one, other: f"{other} < <({one})")
_pipe("here-string as input", lambda one, other: f'{other} <<< "$({one})"')
_pipe("pipe from bash -c", lambda one, other: f"bash -c {single(one)} | {other}")
_pipe("pipe into bash -c", lambda one, other: f"{one} | bash -c {single(other)}")
_pipe("pipe by way of sudo", lambda one, other: f"sudo {one} | sudo {other}")


def _within(line: str, mark: str, file: str) -> str:
    name, _, rest = line.partition(" ")
    return f"{name} {mark} {file} {rest}"


_output("output within", _within)


def _teed(tee: str) -> Callable[[str], str | None]:
    """tee knows nothing of the shell's own devices."""

    def respell(script: str) -> str | None:
        found = _OUTPUT.fullmatch(script) if program(script) else None
        if not found or found[3].startswith("/dev/"):
            return None
        return f"{found[1]} | {tee} {'-a ' * (found[2] == '>>')}{found[3]}"

    return respell


FLOWS["output by tee"] = _teed("tee")
FLOWS["output by sudo tee"] = _teed("sudo tee")
