"""Lets every account of the machine change a file (CWE-732)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.values import followed, number_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

WRITE_FOR_OTHERS = 0o002
_MODES = {
    "chmod": (1, "mode"),
    "fchmod": (1, "mode"),
    "lchmod": (1, "mode"),
    "makedirs": (1, "mode"),
    "mkdir": (1, "mode"),
}
_FOR_OTHERS = frozenset({"S_IRWXO", "S_IWOTH"})


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def file_opened_to_everybody(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "rights")
    seen = next(_opening(code), None)
    if seen is None:
        return ok()
    return nudge(
        f"`{seen.text[:80]}` lets every account on the machine change the file.",
        correction="Let the owner write and others read at most: 0o600 or 0o644 for a file, 0o700 or 0o755"
        " for a directory or a program.",
        evidence=(seen.text,),
    )


def _opening(code: Module) -> Iterator[Call]:
    for call in code.calls_of(_MODES):
        of_path = not call.name.startswith("os.") and call.method in ("chmod", "lchmod", "mkdir")
        value = call.argument(0, "mode") if of_path else call.argument(1, "mode")
        if value is not None and call.is_new and _opens(code, value):
            yield call
    for call in code.calls_of(["umask"]):
        mask = number_of(code, call.positional[0]) if call.positional else None
        if call.name == "os.umask" and mask is not None and not mask & WRITE_FOR_OTHERS and _stays(call):
            yield call


def _opens(code: Module, value: Value) -> bool:
    """Whether a mode, as a number or as names joined by `|`, lets others write."""
    number = number_of(code, value)
    if number is not None:
        return bool(number & WRITE_FOR_OTHERS) and not number & 0o1000  # the sticky bit, as /tmp has it
    found = followed(code, value)
    if found is None or found.type not in ("attribute", "binary_operator", "identifier"):
        return False
    pending, names = [found], set[str]()
    while pending and len(names) < 16:
        here = pending.pop()
        if here.type == "binary_operator":
            pending.extend(here.named_children)
        else:
            names.add(code.name_of(here).rpartition(".")[2])
    return not _FOR_OTHERS.isdisjoint(names) and "~" not in code.text(found) and "S_ISVTX" not in names


def _stays(call: Call) -> bool:
    """Whether the old mask is not kept to be restored, unlike in `old = os.umask(0)`."""
    around = call.node.parent
    return call.is_new and around is not None and around.type != "assignment"
