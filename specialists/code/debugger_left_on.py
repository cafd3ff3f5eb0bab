"""Starts a web service with its debugger on, which runs any code for its clients (CWE-489)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_stand_in, is_trial
from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.names import words_of
from supervisor.evidence.python.repairs import shown, without
from supervisor.evidence.python.values import is_true, string_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_FRAMEWORKS = ("bottle", "dash", "flask", "quart", "sanic", "tornado", "werkzeug", "connexion", "flask_socketio")
_SWITCHES = ("debug", "evalex", "use_debugger")
_EVERYWHERE = ("0.0.0.0", "::")
_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")
_APPS = ("app", "application", "server", "socketio", "webapp", "web_app")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def debugger_left_on(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "debug")
    if is_trial(action):
        return ok()
    found = [call for call in _debugged(code) if not (is_stand_in(action) and _is_for_this_machine(call))]
    if found:
        seen = found[0]
        repair = shown(code, (without(call, *_SWITCHES) for call in found), _debugged)
        return nudge(
            f"`{seen.text[:80]}` lets a client that makes the service fail run code in it"
            f"{', from any network' if _is_open(seen) else ''}.",
            correction='Let the environment decide: app.run(debug=os.environ.get("FLASK_DEBUG") == "1"), and serve with'
            f" gunicorn or waitress in production.{repair}",
            evidence=(seen.text,),
        )
    setting = next(_settings(code, action), None)
    if not setting:
        return ok()
    reason = f"`{setting}` shows its own source and settings with each error."
    if not _is_of_production(action) or task_mentions(action, context, "debug"):
        return flag(reason)
    return nudge(
        reason,
        correction="Leave it off in production, and read the cause of an error in the log of the service.",
        evidence=(setting,),
    )


def _debugged(code: Module) -> Iterator[Call]:
    for call in code.calls_of(("run", "run_server", "run_simple", "DebuggedApplication", "Application")):
        asked = any(is_true(code, call.keywords.get(name)) for name in _SWITCHES)
        if call.is_new and asked and _is_service(code, call):
            yield call


def _is_service(code: Module, call: Call) -> bool:
    owner = call.name.rpartition(".")[0].rpartition(".")[2]
    known = any(origin.startswith(_FRAMEWORKS) for origin in code.aliases.values())
    return (known and call.name != "asyncio.run") or owner in _APPS


def _is_for_this_machine(call: Call) -> bool:
    """Whether the code says that only this machine reaches the service."""
    host = call.argument(0, "host", "hostname")
    return host is not None and string_of(call.code, host) in _THIS_MACHINE


def _is_open(call: Call) -> bool:
    host = call.argument(0, "host", "hostname")
    return host is not None and string_of(call.code, host) in _EVERYWHERE


def _is_of_production(action: Action) -> bool:
    return bool(words_of(action.text("path")) & {"prod", "production"})


def _settings(code: Module, action: Action) -> Iterator[str]:
    """`DEBUG = True` in a file whose path is for production."""
    is_production = _is_of_production(action)
    for target, value in code.assignments:
        statement = value.parent or value
        is_served = target == "app.debug" or (target == "DEBUG" and is_production)
        if is_served and is_true(code, value) and code.is_new(statement):
            yield code.text(statement)
