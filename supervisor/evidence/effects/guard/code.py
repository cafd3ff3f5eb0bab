"""Code that answers for a person, changes the guard or forges a hook's event, through our package or our daemon, and
code that starts an agent without its hooks.

Verbs of Act.GUARD: "use" and "unguarded".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from supervisor.evidence.effects.effect import Act, Effect, Part
from supervisor.evidence.javascript import Program
from supervisor.evidence.machine.agents import HOMES, HOOKED
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.texts import texts_of
from supervisor.evidence.reading.paths import Place
from supervisor.regexes import compile_later

_GUARDS = frozenset({Act.GUARD})
_PACKAGE = "supervisor"
# Modules that answer, record or serve. The rest of the package is the public interface for guarded tools.
_CLOSED = compile_later(
    r"supervisor\.(?:adapters\.hooks|catalog\.manifest|cli|records(?!\.(?:verify|read)\b)|service"
    r"|engine\.(?:approval_wait|approvals|dispatch|guard_assets|lifecycle|masking|offload|remote|workers)"
    r"|answers|approvals|hooks|isolation|opened|transport|verified)\b"  # version 0.1
)
_INTERFACES = compile_later(
    r"(?:\.\s*|['\"])(?:answer|resumed|reverted|queue|Queue|Journal|Ledger|_ledger|_approvals|open_signer|Signer"
    r"|token_in|serve_at)\b(?!\s*=[^=])"
)
# An assignment to an attribute of the package.
REPLACED = compile_later(
    r"(?:^|[\n;])[ \t]*supervisor(?:\.\w+)+\s*=(?!=)|\bsetattr\(\s*supervisor\b"
    r"|\bpatch(?:\.object)?\(\s*[\"']?supervisor\b"
    r"|sys\.modules\[\s*['\"]supervisor[\w.]*['\"]\s*\]\s*=(?!=)"
    r"|(?:^|[\n;])[ \t]*(?:Guard|Supervisor|Policy|Engine|Decision|Verdict)\.\w+\s*=(?!=)"
    r"|get_objects\(\)[\s\S]{0,400}\b(?:Supervisor|Guard)\b"
)
_LOADS = frozenset(
    "__import__ importlib.import_module importlib.util.find_spec runpy.run_module runpy.run_path pkgutil.resolve_name"
    " pydoc.locate".split()
)
_LOOKS_UP = frozenset({"getattr", "operator.attrgetter", "operator.methodcaller", "setattr", "vars"})
_JOINED = compile_later(r"['\"]\s*(?:\+\s*)?['\"]")  # between two literals that are concatenated
# The routes for a person's answers, a hook's events, a guard's reports of undone actions, and a reload.
ROUTE = compile_later(r"/v1/(?:approvals|observe|reload|reverted)\b|/hook/(?:claude|codex|cursor|gemini)\b")
_SENDS = compile_later(
    r"\bPOST\b|\bpost\b|\bPUT\b|\b(?:data|json|body|content)\s*[=:]|\.(?:send|sendall|write|end|request)\s*\(",
)
# Vendors' kits that start an agent, and options with which it reads no settings or skips approval.
_KITS = compile_later(r"claude_(?:agent|code)_sdk|@anthropic-ai/claude-(?:agent-sdk|code)|@openai/codex-sdk|codex_sdk")
_UNHOOKED = compile_later(
    r"setting_?sources[\"']?\s*[=:]\s*\[\s*(?:[\"'](?:project|local)[\"']\s*,?\s*){0,2}\]"
    r"|permission_?mode[\"']?\s*[=:]\s*[\"']bypassPermissions",
    re.IGNORECASE,
)
# The program name of an agent that code starts, and an assignment to a variable that moves its settings.
_STARTS = compile_later(rf"['\"\s](?:{'|'.join(HOOKED)})(?:['\"\s]|$)")
_MOVES = compile_later(
    rf"environ\[?\(?['\"](?:HOME|{'|'.join(HOMES)})['\"]\]\s*=|putenv\(['\"](?:HOME|{'|'.join(HOMES)})"
    rf"|env\s*[=:][^\n]{{0,200}}?\b(?:HOME|{'|'.join(HOMES)})\b['\"]?\s*[:=]|process\.env\.(?:{'|'.join(HOMES)})\s*="
)


def may_concern_guard(text: str) -> bool:
    """Whether code may use our package or its daemon, or start an agent without its hooks."""
    if _moves_agent(text) or _starts_unhooked(text):
        return True
    return _PACKAGE in text or ROUTE.search(text) is not None or "import_module" in text or "__import__" in text


def parts_of_module(module: Module) -> Iterator[Part]:
    """What Python code does to the guard through our package, or through its daemon's routes."""
    if may_concern_guard(_source(module.source)):
        yield Part(_GUARDS, partial(_of_module, module))


def parts_of_program(program: Program) -> Iterator[Part]:
    """What JavaScript code does to the guard through its daemon's routes."""
    if _sends_to_daemon(_source(program.source)):
        yield Part(_GUARDS, lambda: (_use("sends the guard's daemon an answer or an event in another's name"),))
    if found := _starts_unhooked(_source(program.source)):
        yield Part(_GUARDS, lambda: (_unhooked_agent(found),))
    if _moves_agent(source := _source(program.source)):
        yield Part(_GUARDS, lambda: (_moved_agent(source),))


def _of_module(module: Module) -> Iterator[Effect]:
    source = _source(module.source)
    if found := _starts_unhooked(source):
        yield _unhooked_agent(found)
    if any(_runs_package(module, call) for call in module.calls if call.name.startswith("runpy.")):
        yield _use("runs the package supervisor")
    if _moves_agent(source):
        yield _moved_agent(source)
    if _sends_to_daemon(source):
        yield _use("sends the guard's daemon an answer or an event in another's name")
    if "upervisor" in source and (replaced := REPLACED.search(source)):
        yield _use(f"replaces a part of the guard: `{replaced[0].strip()[:80]}`")
    loaded = set(_loaded(module))
    if not any(name == _PACKAGE or name.startswith(f"{_PACKAGE}.") for name in loaded):
        return
    closed = next((name for name in sorted(loaded) if _CLOSED.match(name)), "")
    if closed or (_INTERFACES.search(source) or _CLOSED.search(_without_imports(source)) or _hides(module)):
        yield _use(f"uses {closed or 'what answers and records in the package supervisor'}")


def _loaded(module: Module) -> Iterator[str]:
    """The modules and names that code imports, by statements or by calls."""
    yield from module.aliases.values()
    for node in (*module.nodes("import_statement"), *module.nodes("import_from_statement")):
        yield from re.findall(r"\bsupervisor(?:\.\w+)*", module.text(node))
    for call in module.calls:
        if call.name in _LOADS or call.method in ("import_module", "__import__"):
            yield from (text for node in call.positional[:1] for text in texts_of(module, node))


def _hides(module: Module) -> bool:
    """Whether code looks up an attribute by a name that is known only at run time."""
    for call in module.calls:
        if call.name in _LOOKS_UP and not all(_is_literal(node.type) for node in call.positional[1:2]):
            return True
    return False


def _is_literal(kind: str) -> bool:
    return kind == "string"


def _without_imports(source: str) -> str:
    return "\n".join(line for line in source.splitlines() if "import" not in line)


def _sends_to_daemon(source: str) -> bool:
    return ROUTE.search(source) is not None and _SENDS.search(source) is not None


def _moves_agent(source: str) -> bool:
    return _MOVES.search(source) is not None and _STARTS.search(source) is not None


def _starts_unhooked(source: str) -> str:
    """The option with which code starts an agent from a kit without its hooks; "" if none."""
    found = _UNHOOKED.search(source) if _KITS.search(source) else None
    return found[0] if found else ""


def _unhooked_agent(option: str) -> Effect:
    return Effect(Act.GUARD, "an agent", Place.SYSTEM, "unguarded", text=option, content=option)


def _runs_package(module: Module, call: Call) -> bool:
    return any(text.split(".")[0] == _PACKAGE for node in call.positional[:1] for text in texts_of(module, node))


def _moved_agent(source: str) -> Effect:
    found, moved = _STARTS.search(source), _MOVES.search(source)
    name = found[0].strip("'\" \n") if found else ""
    assignment = moved[0] if moved else ""
    return Effect(Act.GUARD, name, Place.SYSTEM, "unguarded", text=assignment[:200], content=assignment[:80])


def _source(source: bytes) -> str:
    """Source code with adjacent and added literals joined."""
    return _JOINED.sub("", source.decode("utf-8", "replace"))


def _use(what: str) -> Effect:
    return Effect(Act.GUARD, what, Place.SYSTEM, "use", text=what)
