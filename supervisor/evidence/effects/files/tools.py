"""What a tool that reads, writes, edits or deletes files does, for each path in its arguments and each patch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence.actions.patched import changes_of, may_hold_patch
from supervisor.evidence.effects.effect import Act, Effect, Ground
from supervisor.evidence.effects.files import patches
from supervisor.evidence.secrets.credentials import may_be_credential
from supervisor.intake.kinds import names_of

_READS, _WRITES, _DELETES = frozenset({Act.READ}), frozenset({Act.WRITE}), frozenset({Act.DELETE})
TOOLS = {"file_read": _READS, "file_write": _WRITES, "file_edit": _WRITES, "file_delete": _DELETES}
_VERBS = {"file_write": "replace", "file_edit": "edit"}
_PATHS = {kind: names_of(kind, "path") for kind in TOOLS}
_LISTS = ("edits", "files", "changes", "paths", "operations")
_NEW = (*names_of("file_edit", "new"), *names_of("file_write", "content"))
_MOST = 1_000  # files that one call may name


class _Target(NamedTuple):
    path: str
    content: str | None = None


def acts_of_tool(action: Action) -> frozenset[Act]:
    """The acts of a tool's effects on files, from its kind and the names of its arguments."""
    if action.kind == "file_edit":
        if may_hold_patch(action):
            return patches.ACTS
        return _READS if _only_views(action) else _WRITES
    return TOOLS.get(action.kind, frozenset())


def reads_ordinary_file(action: Action) -> bool:
    """Whether a tool only reads files that cannot be credential files."""
    return (
        action.kind == "file_read"
        and not _is_long(action)
        and not any(may_be_credential(each.path) for each in _targets(action))
    )


def effects_of_tool(action: Action, context: Context, ground: Ground) -> Iterable[Effect]:
    """The effects of a call on files. Raises Unreadable for a patch in an unknown format and for too many files."""
    cwd = context.cwd or "."
    if changes := changes_of(action, context):
        yield from patches.by_tool(changes, ground, cwd)
        return
    if _is_long(action):
        raise Unreadable(f"more than {_MOST:,} files in one call")
    act = Act.READ if _only_views(action) else next(iter(TOOLS[action.kind]))
    for path, content in _targets(action):
        target = ground.path(act, path, cwd)
        verb = "" if act is Act.READ else _VERBS.get(action.kind, "")
        yield Effect(act, target, ground.scope_of(target), verb, text=path[:200], content=content)


def _only_views(action: Action) -> bool:
    """Whether an editor that is one tool for all commands (`str_replace_based_edit_tool`) only shows a file."""
    return action.kind == "file_edit" and action.args.get("command") == "view"


def _is_long(action: Action) -> bool:
    return any(isinstance(several := action.args.get(name), list) and len(several) > _MOST for name in _LISTS)


def _targets(action: Action) -> Iterator[_Target]:
    """The files of a call. If several arguments name a file, each one counts, since it is not known which of them the
    tool uses."""
    content = action.text("content" if action.kind == "file_write" else "new") or None
    if content is None and action.kind == "file_edit":
        content = _first(action.args, _NEW) or _joined(action.get("edits"))
    own = action.text("path")
    paths = [own, *(path for name in _PATHS[action.kind] if isinstance(path := action.args.get(name), str))]
    yield from (_Target(path, content) for path in dict.fromkeys(filter(None, paths)))
    for name in _LISTS:
        several = action.args.get(name)
        for each in several if isinstance(several, list) else ():
            if isinstance(each, str) and name in ("files", "paths"):
                yield _Target(each, content)
            elif isinstance(each, Mapping) and (path := _first(each, _PATHS[action.kind])):
                yield _Target(path, _first(each, _NEW))


def _first(values: Mapping[str, object], names: Iterable[str]) -> str | None:
    return next((value for name in names if isinstance(value := values.get(name), str)), None)


def _joined(edits: object) -> str | None:
    """The new texts of several edits."""
    each = [_first(edit, _NEW) for edit in edits if isinstance(edit, Mapping)] if isinstance(edits, list) else []
    return "\n".join(filter(None, each)) or None
