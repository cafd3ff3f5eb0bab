"""What the variables of a Windows environment name, in the form in which paths are compared."""

from __future__ import annotations

import re

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.reading.windows_paths import canonical, is_windows
from supervisor.evidence.shell.state import Shell, Text

# Source: "Recognized environment variables" in Microsoft's documentation.
_KNOWN = {
    **dict.fromkeys(("userprofile", "home"), "~"),
    **dict.fromkeys(("temp", "tmp"), "/tmp"),
    **dict.fromkeys(("systemroot", "windir"), "/c:/windows"),
    **dict.fromkeys(("systemdrive", "homedrive"), "/c:"),
    **dict.fromkeys(("programfiles", "programw6432"), "/c:/program files"),
    "programfiles(x86)": "/c:/program files (x86)",
    **dict.fromkeys(("programdata", "allusersprofile"), "/c:/programdata"),
    "public": "/c:/users/public",
    "appdata": "~/appdata/roaming",
    "localappdata": "~/appdata/local",
    "comspec": "cmd.exe",
}
_IS_PATH = re.compile(r"^(?:\.{1,2}|~|[\w.$%@ *?" + HOLE + r"-]+|/(?:tmp|[a-z]:)[^\\]*)?(?:\\[^\\/:|<>]*)+$")


def of_environment(name: str, shell: Shell) -> Text:
    """The value of a variable of the environment; a HOLE if nothing shows it."""
    if set_here := shell.variables.get(name.upper()):
        return set_here
    known = _KNOWN.get(name.lower())
    return Text(known) if known is not None else shell.value_of(name.upper())


def posix_word(word: str) -> str:
    """A word with the path in it, if it is one, in the form in which paths are compared."""
    if "\\" not in word and word[1:2] != ":":
        return word
    if is_windows(word):
        return canonical(word)
    if _IS_PATH.match(word) and not word.upper().startswith(("HKLM", "HKCU", "HKEY", "HKU", "HKCR", "CORP\\")):
        return word.replace("\\", "/")
    return word


def posix_path(word: str) -> str:
    """A path as readers compare it, whatever it is."""
    return canonical(word) if is_windows(word) else word.replace("\\", "/")
