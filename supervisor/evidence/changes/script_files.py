"""Shell scripts that an action writes, and what they delete when a variable that nothing sets is empty."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from supervisor.action import Action, Context
from supervisor.evidence.changes.edits import Edit, changes_and_new
from supervisor.regexes import compile_later

_SCRIPT = compile_later(
    r"\.(?:sh|bash|zsh|ksh|command)$|(?:^|/)(?:etc/cron\.\w+|etc/init\.d|bin|scripts?|hooks|\.husky)/[\w-]+$"
)
_SHEBANG = re.compile(r"#!\s?/\S*\b(?:ba|da|z|k|a)?sh\b|#!\s?/usr/bin/env\s+(?:ba|z|k)?sh\b")
_STOPS_AT_UNSET = compile_later(r"^\s*set\s+(?:-\w*u|-o\s+nounset)|^#!\S+(?:\s+\S+)?\s+-\w*u|\bset -\w*u", re.MULTILINE)
_DELETES = compile_later(
    r"^(?P<line>[^#\n]{0,400}?\brm[ \t]{1,20}(?:--?\w{1,40}[ \t]{1,20}){0,6}-?\w{0,20}[rR]\w{0,20}\s[^\n]{1,600})$",
    re.MULTILINE,
)
_WORD = re.compile(r"(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s;&|\"'])+")
_NAME = r"\$(?:([A-Za-z_]\w{0,60})|\{([A-Za-z_]\w{0,60})\})"
_BEGINS = re.compile(rf"^{_NAME}/(\*?|\.\*|[\w.-]+/?\*?)$")
_ENDS = re.compile(rf"^[^\s*]{{1,120}}/{_NAME}/?$")
# Set by the system, by a builder of packages, or by a service of pipelines.
_GIVEN = re.compile(
    r"^(?:HOME|PWD|OLDPWD|TMPDIR|TMP|TEMP|USER|LOGNAME|HOSTNAME|BASH\w*|DESTDIR|srcdir|pkgdir|S|D|WORKDIR|PREFIX|prefix|SCRIPT_DIR"
    r"|GITHUB_\w+|RUNNER_\w+|CI_\w+|BUILDKITE\w*|JENKINS\w*|WORKSPACE|TRAVIS\w*|CIRCLE\w*|XDG_\w+|AUTOPKGTEST_TMP|VIRTUAL_ENV|CONDA_PREFIX"
    r"|BUILD_\w+|RPM_\w+|PBUILDER\w*|SNAP\w*|npm_\w+|INIT_CWD|LAMBDA_\w+|CODEBUILD_\w+|DPKG_\w+|TEST_\w*TMP\w*|_)$"
)


def scripts_written(action: Action, context: Context) -> Iterator[Edit]:
    """The shell scripts that an action writes or changes."""
    for each in changes_and_new(action, context):
        is_named = _SCRIPT.search(each.path) is not None and not each.path.endswith((".py", ".rb", ".js", ".md"))
        if each.path.endswith((".sh", ".bash")) or _SHEBANG.match(each.after) or is_named:
            yield each


def deletes_by_unset(edit: Edit) -> tuple[str, str]:
    """The new line of a script that deletes elsewhere if a variable is empty, and the variable, which the script
    neither sets nor checks; both are empty for most scripts. A part of a script does not show what it sets."""
    text = edit.after
    if not (edit.whole or _SHEBANG.match(text)) or _STOPS_AT_UNSET.search(text):
        return "", ""
    for found in islice(_DELETES.finditer(text), 50):
        if found["line"].strip() in edit.before:
            continue
        for word in _WORD.findall(found["line"][found["line"].find("rm") + 2 :]):
            for name in _names(word.replace('"', "").rstrip("`)")):
                if not _GIVEN.match(name) and not _is_known(name, text):
                    return found["line"].strip(), name
    return "", ""


def _names(word: str) -> Iterator[str]:
    if begins := _BEGINS.match(word):
        yield begins[1] or begins[2]
    if ends := _ENDS.match(word):
        yield ends[1] or ends[2]


def _is_known(name: str, text: str) -> bool:
    """Whether a script sets a variable, or stops when it is not set."""
    return (
        re.search(
            rf"(?m)(?:^|[\s;&|(])(?:export\s+|local\s+|readonly\s+|declare\s+(?:-\w+\s+)*|typeset\s+)?{name}\+?=|\bread\b[^\n]{{0,80}}\b{name}\b"
            rf"|\bfor\s+{name}\b|\bgetopts\s+\S+\s+{name}\b|\$\{{{name}:?[?=-]|\[\[?\s[^\n\]]{{0,80}}\$\{{?{name}\b|\btest\s[^\n]{{0,60}}\$\{{?{name}\b"
            rf"|\bmapfile\b[^\n]{{0,60}}\b{name}\b|\bprintf\s+-v\s+{name}\b|\bselect\s+{name}\b|\bcase\s+\"?\$\{{?{name}\b",
            text,
        )
        is not None
    )
