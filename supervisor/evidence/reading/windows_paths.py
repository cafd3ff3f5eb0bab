r"""Windows paths in the form in which all readers compare paths: `C:\Users\Ann` is `/c:/users/ann`, `\\nas\art` is
`/unc/nas/art`. Windows ignores the case of names, so that form is in lower case.

The table of places joins the one of other systems in `paths`. Sources: "Known Folders" and "Naming Files, Paths, and
Namespaces" in Microsoft's documentation.
"""

from __future__ import annotations

import re

_ROOTED = re.compile(r"^(?:\\\\[?.]\\)?([A-Za-z]):(?=[\\/]|$)")
_SHARE = re.compile(r"^(?:\\\\\?\\UNC\\|\\\\)(?=[\w$.*-])")
_DRIVE = re.compile(r"^/([a-z]):(?=/|$)")
# What belongs to the system on any drive; a folder's own entry counts with everything below it.
_SYSTEM = (
    *("windows", "program files", "program files (x86)", "programdata", "boot", "efi", "recovery", "perflogs"),
    *("system volume information", "$recycle.bin", "bootmgr", "pagefile.sys", "hiberfil.sys", "windowsapps"),
)
_TEMPORARY = re.compile(
    r"^(?:/[a-z]:(?:/users/[^/]+|/documents and settings/[^/]+)|~)/appdata/local/temp(?:/|$)"
    r"|^/[a-z]:/(?:windows/temp|windows/softwaredistribution/download|temp|tmp)(?:/|$)"
)
_HOME_DEPTH = 4  # /c:/users/ann/documents


def is_windows(word: str) -> bool:
    """Whether a word is an absolute Windows path."""
    return (word[1:2] == ":" and _ROOTED.match(word) is not None) or (
        word[:2] == "\\\\" and _SHARE.match(word) is not None
    )


def canonical(word: str) -> str:
    """An absolute Windows path in the form of this module; other words unchanged."""
    if rooted := _ROOTED.match(word):
        return f"/{rooted[1]}:{word[rooted.end() :]}".replace("\\", "/").lower()
    if share := _SHARE.match(word):
        return f"/unc/{word[share.end() :]}".replace("\\", "/").lower()
    return word


def is_drive_path(path: str) -> bool:
    """Whether a resolved path is one on a Windows drive or share."""
    return (path[2:3] == ":" and _DRIVE.match(path) is not None) or path.startswith("/unc/")


def as_written(path: str) -> str:
    r"""A path as Windows writes it: `C:\users\ann`; other words unchanged."""
    if path.startswith("/unc/"):
        return "\\\\" + path[5:].replace("/", "\\")
    if path[2:3] != ":" or not _DRIVE.match(path):
        return path
    return (path[1].upper() + path[2:]).replace("/", "\\") + ("\\" if len(path) == 3 else "")


def is_root(path: str) -> bool:
    """Whether a resolved path is a whole drive."""
    return len(path) == 3 and _DRIVE.match(path) is not None


def is_temporary(path: str) -> bool:
    """Whether a resolved path is for temporary files."""
    return _TEMPORARY.match(path.lower()) is not None


def is_home(path: str) -> bool:
    """Whether a resolved path is a profile, the folder of all profiles, or a direct entry of one."""
    parts = path.split("/")[2:]
    return parts[:1] in (["users"], ["documents and settings"]) and len(parts) < _HOME_DEPTH


def is_system(path: str) -> bool:
    """Whether a resolved path belongs to Windows or to an installed program."""
    return path[4:].partition("/")[0] in _SYSTEM
