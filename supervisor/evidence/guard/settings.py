"""What a change of a host's settings file does: to our hooks in it, and to what its agent may do without approval.

`settings_names` gives the purpose of each setting. A change is judged by the settings that it shows: our hooks and
switches for all hooks, settings that permit more without approval, settings that permit less, and all others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from supervisor.action import Action, Context
from supervisor.evidence.effects import Effect
from supervisor.evidence.effects.guard.variables import LASTING, OWN
from supervisor.evidence.effects.key_files import written
from supervisor.evidence.guard.calls import modules_of
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.guard.settings_code import settings_in_code
from supervisor.evidence.guard.settings_filters import filtered_settings
from supervisor.evidence.guard.settings_names import SWITCHES, is_about_else, is_narrowing
from supervisor.evidence.guard.settings_texts import commands_of, leaves, parsed, parsed_part
from supervisor.evidence.history.file_texts import text_of_file
from supervisor.evidence.machine.agents import HOMES
from supervisor.evidence.machine.assets import OURS, Asset, digest_of
from supervisor.evidence.shell import shown

_EVENTS = (
    r"(?:pre|post|before|after)_?(?:tool\w*|agent|submit\w*|mcp\w*|shell\w*|read\w*|file\w*|model)|user_?prompt_?submit"
    r"|(?:subagent_?)?stop|session_?(?:start|end)"
)
_EVENT = re.compile(_EVENTS, re.IGNORECASE)
_HOOKS = re.compile(rf"\w*hooks\w*|disable_?all_?hooks|{_EVENTS}", re.IGNORECASE)
_OF_A_HOOK = frozenset({"matcher", "failClosed", "command", "timeout", "async"})  # in an edit that shows no parent
_STEERING = re.compile("|".join(sorted((*OWN, *LASTING, *HOMES, "CLAUDE_CODE_SIMPLE"))))
_SHOWS = re.compile(r"(?:subagent_?)?status_?line", re.IGNORECASE)
# A hook's reply that approves an action.
_GRANTS = re.compile(r"permissionDecision|[\"']?(?:decision|permission)[\"'\\]*\s*:\s*[\"'\\]*(?:approve|allow)", re.I)
# Values with which an agent asks for approval, or stays in its sandbox.
_ASKING = re.compile(r"default|plan|ask\w*|prompt|on-request|untrusted|read-only|workspace-write|disable|false|0", re.I)
_MODES = re.compile(r"default_?mode|approval_?policy|(?:default_?)?approval_?mode|sandbox(?:_?mode)?", re.I)
_LOWERED = re.compile(r"auto_?\w+|allow\w*|trust\w*|yolo|enable_?all_?\w+|skip\w*", re.I)  # off permits less
_KEY = re.compile(r"[\"']?((?:[\w$-]+\.)*[\w$-]+)[\"']?\s*[:=](?!=)")
_WORD = re.compile(r"\"(?:[^\"\\]|\\.)*\"|[\w.-]+")
_LONGEST = 256 * 1024


def read(effect: Effect, asset: Asset, action: Action, context: Context, *, stands: bool = True) -> Iterator[Disarming]:
    """What writing a host's settings file does: UNSEEN if the change does not show. `stands` is true if the file may
    contain our hooks."""
    file = shown(effect.target)
    if effect.verb in ("make", "touch"):
        return
    if effect.verb == "truncate":
        yield Disarming(How.REMOVED, f"empties {file}", file)
        return
    before, after = action.text("old"), written(effect)
    if (filtered := filtered_settings(effect, action, context)) is not None:
        for names, value in filtered:
            yield from _judged(names, value, file)
    elif not (parsed(after) if after else None) and (changed := changed_by_code(action, context)) is not None:
        for names, value in changed:
            yield from _judged(names, value, file)
    elif action.kind == "shell" or after is None or len(after) > _LONGEST:
        yield from _by_command(effect, asset, after, file, stands)
    elif effect.verb == "edit":
        yield from _edited(before, after, file, ours=OURS.search(before) is not None, stands=stands)
    else:
        yield from _replaced(after, asset, file, stands, before=text_of_file(context, effect.target))


def changed_by_code(action: Action, context: Context) -> list[tuple[list[str], Any]] | None:
    """The settings that an action's only piece of code changes; None if that does not show, or if there are several."""
    sources = [code.source.decode("utf-8", "replace") for code, _ in modules_of(action, context)]
    return settings_in_code(sources[0]) if len(sources) == 1 and len(sources[0]) <= _LONGEST else None


def _replaced(
    after: str, asset: Asset, file: str, stands: bool = True, before: str | None = None
) -> Iterator[Disarming]:
    """A whole new text: it must contain our hooks if they were installed, and all that it permits counts as new."""
    settings = parsed(after)
    digests = asset.digests.split()
    kept = {digest_of(line) for line in commands_of(settings)} if settings is not None else set()
    if not set(digests) <= kept and not _keeps_all(before, settings):
        others = settings is not None and any(map(OURS.search, commands_of(settings)))
        how = How.UNSEEN if others else How.REMOVED  # our hooks, with another command than was installed
        yield Disarming(how, f"changes {file}" if others else f"takes the guard's hooks out of {file}", file)
        return
    if settings is None:
        yield from _edited("", after, file, ours=False, stands=stands)
        return
    yield from _by_keys(list(leaves(settings)), file, bool(digests) or not stands)


def _keeps_all(before: str | None, settings: Any) -> bool:
    """Whether all hooks stay as an earlier step read or wrote them, ours among them."""
    hooks = parsed(before) if before else None
    if hooks is None or settings is None or not any(map(OURS.search, commands_of(hooks))):
        return False
    return bool(hooks.get("hooks") == settings.get("hooks"))


def _by_keys(settings: list[tuple[str, Any]], file: str, may_hook: bool) -> Iterator[Disarming]:
    """What settings do to the guard. `may_hook`: other hooks may be set, since ours stay or were never there."""
    for path, value in settings:
        names = path.split(".")
        if may_hook and _is_a_hook(names):
            if _GRANTS.search(str(value)):
                yield Disarming(How.PERMITTED, f"has a hook in {file} approve actions", path, file)
            continue
        yield from _judged(names, value, file)


def _is_a_hook(names: list[str]) -> bool:
    """Whether a setting is a part of one hook, and not a switch for all hooks."""
    if names[0] == "hooks":
        return not (len(names) > 1 and SWITCHES.fullmatch(names[1]))
    return _EVENT.fullmatch(names[0]) is not None


def _judged(names: list[str], value: Any, file: str) -> Iterator[Disarming]:
    """What one setting with its value does to the guard."""
    if _STEERING.fullmatch(names[-1]):
        yield Disarming(How.REMOVED, f"sets {names[-1]} in {file}", names[-1])
    elif _is_of_hooks(names):
        if "isable" in names[-1] and value in (False, "false"):
            return
        yield Disarming(How.REMOVED, f"changes the hooks in {file}", names[-1])
    elif not _is_harmless(names, value):
        subject = value if isinstance(value, str) else ".".join(names)
        yield Disarming(How.PERMITTED, f"changes {file}", subject, file)


def _is_of_hooks(names: list[str]) -> bool:
    return any(map(_HOOKS.fullmatch, names)) or names[0] in _OF_A_HOOK


def _is_harmless(names: list[str], value: Any) -> bool:
    """Whether a setting permits nothing more without approval: it narrows, it asks, or it concerns something else."""
    text = str(value).lower()
    if is_narrowing(names):
        return True
    if any(_MODES.fullmatch(name) for name in names):
        return _ASKING.fullmatch(text) is not None
    if _LOWERED.fullmatch(names[-1]) and text in ("false", "0", "never", "[]"):
        return True
    if names[0] == "env":
        return True  # variables that do not steer the guard
    if _SHOWS.fullmatch(names[0]):
        return True  # its command is judged with the file's other commands
    return is_about_else(_without_profile(names))


def _without_profile(names: list[str]) -> list[str]:
    """The names of a setting without its profile: `profiles.fast.model` → `model`."""
    return names[2:] if names[0] == "profiles" and len(names) > 2 else names


def _edited(before: str, after: str, file: str, ours: bool, stands: bool = True) -> Iterator[Disarming]:
    """An edit, judged by the words that it removes and adds, and by the settings that both texts show."""
    gone = Counter(_WORD.findall(before))
    new = Counter(_WORD.findall(after))
    lost, added = gone - new, new - gone
    if ours and any(OURS.search(line) for line in _lines(before) - _lines(after)):
        yield Disarming(How.REMOVED, f"takes the guard's hooks out of {file}", file)
        return
    changed = [word.strip("\"'") for word in (*lost, *added)]
    keys = [found[1] for found in _KEY.finditer(f"{before}\n{after}")]
    if any(_STEERING.fullmatch(word) for word in changed):
        yield Disarming(How.REMOVED, f"sets a variable of the guard's in {file}", file)
        return
    parsed_before, parsed_after = parsed_part(before), parsed_part(after)
    if parsed_before is not None and parsed_after is not None:
        yield from _differing(parsed_before, parsed_after, file, stands)
        return
    if any(map(_HOOKS.fullmatch, changed)) or any(_is_of_hooks(key.split(".")) for key in keys):
        yield Disarming(How.REMOVED, f"changes the hooks in {file}", file)
    elif not keys or not all(is_about_else(key.split(".")) for key in keys):
        yield Disarming(How.PERMITTED, f"changes {file}", ", ".join(keys[:3]), file)


def _lines(text: str) -> Counter[str]:
    return Counter(line.strip().rstrip(",") for line in text.splitlines())


def _differing(before: Mapping[str, Any], after: Mapping[str, Any], file: str, stands: bool) -> Iterator[Disarming]:
    """The settings of both texts compared: new values are judged, and so are denials that are removed."""
    old, new = list(leaves(before)), list(leaves(after))
    yield from _by_keys([leaf for leaf in new if leaf not in old], file, may_hook=not stands)
    for path, value in old:
        if (path, value) in new:
            continue
        names = path.split(".")
        replaced = any(each == path and not _is_listed(before, path) for each, _ in new)
        if "isable" in names[-1] and replaced:
            continue  # its new value is judged above
        if not stands and _is_a_hook(names):
            continue  # a hook of another program
        if _is_of_hooks(names):
            yield Disarming(How.REMOVED, f"changes the hooks in {file}", names[-1])
        elif is_narrowing(names) and not replaced:
            yield Disarming(How.PERMITTED, f"takes a denial out of {file}", str(value), file)


def _is_listed(settings: Mapping[str, Any], path: str) -> bool:
    found: Any = settings
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return isinstance(found, list)


# Changes by a command

_SED = re.compile(r"s(?P<mark>[/|#,@!])(?P<old>[^\n]*?)(?<!\\)(?P=mark)(?P<new>[^\n]*?)(?<!\\)(?P=mark)[gip\d]*")
_ONE_KEY = re.compile(r"\^?\s*[\"']?(?P<key>[\w-]{1,64})[\"']?\s*[=:]\s*(?P<rest>\.\*|\"?\[\^\"\]\*\"?,?)\$?")
_WILD = re.compile(r"(?<!\\)(?:\.\*|\.\+|\[\^|\\[sSwWnd])")


def _by_command(effect: Effect, asset: Asset, after: str | None, file: str, stands: bool) -> Iterator[Disarming]:
    """A change by a shell command: a whole text, one plain substitution, or one that does not show."""
    program = effect.command.program if effect.command is not None else ""
    if program in ("sed", "gsed", "perl"):
        yield from _substituted(effect, after or "", file)
    elif effect.verb == "replace" and after is not None and parsed(after) is not None:
        yield from _replaced(after, asset, file, stands)
    elif effect.verb == "extend" and after is not None:
        yield from _edited("", after, file, ours=False, stands=stands)
    elif after is not None and not asset.digests:
        yield Disarming(How.PERMITTED, f"changes {file}", file, file)
    else:
        yield Disarming(How.UNSEEN, f"changes {file}", file, file)


def _substituted(effect: Effect, text: str, file: str) -> Iterator[Disarming]:
    words = effect.command.args if effect.command is not None else ()
    found = list(filter(None, map(_SED.fullmatch, words)))
    line = _ONE_KEY.fullmatch(found[0]["old"]) if len(found) == 1 else None
    if line is not None and (file.endswith(".toml") or '[^"]' in line["rest"]) and is_about_else([line["key"]]):
        yield from _edited(line["key"], re.sub(r"\\(.)", r"\1", found[0]["new"]), file, ours=False)
        return
    if len(found) != 1 or _WILD.search(found[0]["old"]) or OURS.search(text):
        yield Disarming(How.UNSEEN, f"changes {file}", file, file)
        return
    before, after = (re.sub(r"\\(.)", r"\1", found[0][part]) for part in ("old", "new"))
    yield from _edited(before, after, file, ours=False)
