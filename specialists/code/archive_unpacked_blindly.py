"""Unpacks an archive whose members may be written outside of the target folder (CWE-22)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.origins import Origin
from supervisor.evidence.python.repairs import Change, given, shown
from supervisor.evidence.python.sinks import Sinks
from supervisor.evidence.python.values import values_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_OPENERS = frozenset({"tarfile.open()", "tarfile.TarFile()", "tarfile.TarFile.open()"})
_LISTS = ("getmembers", "getnames", "infolist", "namelist")
_OPENS = Sinks({"open": (0, "file"), "io.open": (0, "file")})
_SETTINGS = ("filter", "members")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def archive_unpacked_blindly(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "archive")
    found = [] if is_trial(action) else list(_blind(code))
    if not found:
        return ok()
    seen, repair = found[0], shown(code, map(_filtered, found), _blind)
    return nudge(
        f"`{seen.text[:80]}` writes to any path in the archive, also to ../ and through links.",
        correction='Refuse members that lead outside: extractall(path, filter="data") for a tar file; for a ZipFile'
        f" use extractall(), which keeps members inside.{repair}",
        evidence=(seen.text,),
    )


def _filtered(call: Call) -> Change | None:
    """The extraction with tarfile's filter."""
    extracts = call.method in ("extract", "extractall") or call.name == "shutil.unpack_archive"
    return given(call, {"filter": '"data"'}) if extracts else None


def _blind(code: Module) -> Iterator[Call]:
    for call in code.calls_of(("extract", "extractall")):
        is_set = any(name in call.keywords for name in _SETTINGS)
        if call.is_new and not is_set and _is_tar(code, call) and not _is_looked_at(code):
            yield call
    lists = any(True for _ in code.calls_of(_LISTS)) and not _is_looked_at(code)
    for call, _, _ in _OPENS.reached(code, Origin.ARCHIVE) if lists else ():
        yield call
    for call in code.calls_of(["unpack_archive"]):
        archive = call.argument(0, "filename")
        foreign = archive is not None and origin_of(code, archive, Origin.REQUEST | Origin.NETWORK) is not None
        if call.name == "shutil.unpack_archive" and call.is_new and "filter" not in call.keywords and foreign:
            yield call


def _is_tar(code: Module, call: Call) -> bool:
    function = call.node.child_by_field_name("function")
    receiver = function.child_by_field_name("object") if function is not None else None
    if receiver is None:
        return False
    if receiver.type != "identifier":
        return code.name_of(receiver) in _OPENERS
    values = values_of(code, receiver) or ()
    return any(code.name_of(value) in _OPENERS for value in values)


def _is_looked_at(code: Module) -> bool:
    """Whether the code checks the members' names before it unpacks them, or has created the archive itself."""
    looks = {"commonpath", "commonprefix", "is_relative_to", "isabs", "add"}
    return any(True for _ in code.calls_of(looks)) or b"extraction_filter" in code.source
