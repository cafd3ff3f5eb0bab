"""Files with commands that a program runs automatically, later, on this machine: git when it commits, a shell when it
starts, an agent when it starts the servers in its settings, a package manager when it installs.

The files and their formats are data (`_FILES`). A text may be a part of its file: the new text of an edit.
Sources: githooks(5), git-config(1), crontab(5), systemd.exec(5), npm's "scripts", the settings of Claude Code, Codex,
Gemini CLI, Cursor and VS Code.
"""

from __future__ import annotations

import re
import shlex
from itertools import islice

import re2

from supervisor.evidence.machine.command_formats import (
    Later,
    Read,
    git_settings,
    keys,
    lines,
    property_list,
    recipes,
    script,
    settings,
    tasks,
    toml,
)
from supervisor.evidence.reading.paths import resolve

_LONGEST_PATH = 4_096  # bytes; PATH_MAX of Linux, the longest of common systems
_LONGEST_PREFILTERED = 16 * 1024  # characters of a text for the prefilter
_MOST = 2_049  # commands of one file: one more than readers accept, so that a longer file is unreadable
_TIMES = r"(?:@\w+|(?:[-\d*,/A-Za-z]+[ \t]+){4}[-\d*,/A-Za-z]+)"
_LIFECYCLE = (
    *("preinstall", "install", "postinstall", "prepare", "prepublish", "prepublishOnly", "prepack", "postprepare"),
)
_RC = (
    r"bash_profile|bashrc|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|zlogout|kshrc"
    r"|xprofile|xinitrc"
)
# The end of a path, and the reader of the file.
_FILES: tuple[tuple[str, Read], ...] = (
    (r"/\.git/(?:modules/.+/)?hooks/[\w-]+|/\.(?:husky|githooks|lefthook)/(?:[\w-]+/)*[\w-]+(?:\.sh)?", script),
    (rf"/\.envrc|(?:~|/root|/(?:home|Users)/[^/]+)/\.(?:{_RC})", script),
    (r"/etc/(?:profile|bash\.bashrc|profile\.d/.+|zsh/.+|rc\.local|cron\.(?:hourly|daily|weekly|monthly)/.+)", script),
    (r"/\.config/fish/(?:conf\.d/.+|config)\.fish", script),
    (r"/etc/(?:crontab|cron\.d/.+)", lines(rf"^{_TIMES}[ \t]+[\w-]+[ \t]+(.+)$")),
    (r"/var/spool/cron/.+|/(?:[\w.-]+\.)?crontab", lines(rf"^{_TIMES}[ \t]+(.+)$")),
    (r"/systemd/(?:system|user)/.+\.(?:service|socket|timer|path)(?:\.d/.+)?", lines(r"^Exec\w+=[-@:+!]*(.+)$")),
    (r"/autostart/[^/]+\.desktop", lines(r"^Exec=(.+)$")),
    (r"/Launch(?:Agents|Daemons)/[^/]+\.plist", property_list),
    (r"/package\.json", keys(*_LIFECYCLE)),
    (r"/composer\.json", keys("post-install-cmd", "pre-install-cmd", "post-update-cmd", "post-autoload-dump")),
    (r"/(?:lefthook|\.lefthook|\.pre-commit-config)\.ya?ml", recipes),
    (r"/(?:\.devcontainer/(?:.+/)?)?\.?devcontainer\.json", keys("initializeCommand")),
    (r"/\.vscode/tasks\.json|\.code-workspace", tasks),
    (
        r"/\.?mcp(?:_config|[-_]servers?|_settings)?\.json|/[\w.-]+_mcp_settings\.json|/claude_desktop_config\.json"
        r"|/\.claude\.json|/\.(?:claude|gemini|qwen|cursor|codex|factory|kiro|amazonq|github|windsurf|roo|zed)/(?:.+/)?"
        r"(?:settings|settings\.local|hooks|mcp|config|cli-config)\.json|/\.github/hooks/.+\.json|/opencode\.jsonc?",
        settings,
    ),
    (r"/\.codex/config\.toml", toml),
    (r"/\.git/(?:modules/.+/)?config(?:\.worktree)?|/\.gitconfig|/\.config/git/config|/etc/gitconfig", git_settings),
    (r"/\.gitmodules", git_settings),
)
# On case-insensitive file systems `.GIT` is `.git` (CVE-2014-9390); on others, no one has a directory of that name.
_READERS = tuple((re2.compile(f"(?is).*(?:{ends})".encode()), read) for ends, read in _FILES)
_BETWEEN = re.compile(r"[\s\"'=:,]|[/\\](?:\.?[/\\])+|\\")
# A path with `..` inside must be resolved first, so it always passes the prefilter.
_STEPS_BACK = r"(?:[^/.]\.*|/\.{3,})/\.\./"
# No deadline cuts off the prefilter, so it takes linear time.
_PREFILTER = re2.compile(("(?i)" + "|".join([_STEPS_BACK, *(f"(?:{ends})" for ends, _ in _FILES)])).encode())
_FOLDERS = re.compile(r"[/\\](?:\.[\w-]|etc\b|systemd|autostart|Launch|cron)", re.IGNORECASE)


def may_hold_commands(text: str) -> bool:
    """Whether a path, or any path in a text, may be such a file; true for every text beyond _LONGEST_PREFILTERED."""
    if len(text) > _LONGEST_PREFILTERED:
        return True
    return _PREFILTER.search(_encoded(f"/{_BETWEEN.sub('/', text)}")) is not None


def may_write_commands(script: str) -> bool:
    """Whether a command line may name such a file, or set where git looks for its hooks."""
    return may_hold_commands(script) or "hooks" in script.lower()


def _encoded(path: str) -> bytes:
    return path.encode(errors="replace")


def _one_spelling(path: str) -> bytes:
    """A resolved path from the root or a home, with slashes for the backslashes of another system."""
    if "\\" in path:
        path = resolve(path.replace("\\", "/"))
    return _encoded(path if path.startswith(("/", "~")) else f"/{path}")


def may_hold_command_files(folder: str) -> bool:
    """Whether a path relative to this folder may be such a file, although the path itself does not look like one."""
    return _FOLDERS.search(f"/{folder}") is not None


def commands_in(path: str, text: str) -> list[Later]:
    """The commands in the text, or a part of the text, of a file at a resolved path; empty for most files."""
    spelt = _one_spelling(path)
    if len(spelt) > _LONGEST_PATH:
        return []
    read = next((read for ends, read in _READERS if ends.fullmatch(spelt)), None)
    if read is None or not text.strip() or path.endswith(".sample"):
        return []
    found = [_one(each) for each in islice(read(text), _MOST)]
    return [each for each in found if each and (isinstance(each, list) or each.strip())]


def _one(command: Later) -> Later:
    """A list is the words of one command, or commands if its first item has several words."""
    several = isinstance(command, list) and command and len(command[0].split()) > 1
    return "\n".join(command) if several else command


def as_script(command: Later) -> str:
    """A command as a script."""
    return shlex.join(command) if isinstance(command, list) else command
