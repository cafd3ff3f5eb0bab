"""Loads data in a format that can run code while it is loaded (CWE-502)."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.repairs import Change, given, renamed, shown
from supervisor.evidence.python.round_trips import dumps_of, loads_own_dump
from supervisor.evidence.python.values import is_fixed, is_true, path_of, string_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_PICKLES = ("_pickle", "cPickle", "cloudpickle", "dill", "marshal", "pickle")
_LOADS = frozenset(
    {f"{library}.{name}" for library in _PICKLES for name in ("load", "loads", "Unpickler")}
    | {"joblib.load", "jsonpickle.decode", "jsonpickle.loads", "numpy.load", "pandas.read_pickle", "ruamel.yaml.YAML"}
    | {"shelve.open", "torch.load", "yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.unsafe_load_all"}
)
_UNSAFE_LOADERS = frozenset({"CLoader", "Loader", "UnsafeLoader"})
_FROM_FILES = frozenset({*_PICKLES, "joblib", "pandas", "shelve"})  # what reads pickles from an open file or a path
_STRANGERS = re.compile(  # where bytes of somebody else come from
    rb"(?i)request|cookie|session|socket|\brecv|redis|memcache|kafka|pika|celery|\bzmq|\bsqs|rabbit|amqp|upload|download"
    rb"|https?\b|urllib|s3\b|bucket|headers|payload|\bapi\b|message|client|database|cursor|execute\(|environ|argv|cache"
)
_FETCHERS = ("aiohttp.", "boto3.", "gdown.", "httpx.", "requests.", "urllib.request.", "urllib3.", "wget.")
_AS_JSON = "keep the data as JSON: json.load and json.loads run nothing"
_SETTINGS: dict[str, dict[str, str | None]] = {
    "numpy": {"allow_pickle": None},
    "ruamel": {"typ": '"safe"'},
    "torch": {"weights_only": "True"},
}
_SAFER = {
    "joblib": "keep models in a format without code (skops, ONNX) and plain data as JSON",
    "jsonpickle": "read the text with json.loads and build the objects yourself",
    "numpy": "leave allow_pickle at False and save plain arrays",
    "pandas": "keep the table as Parquet or CSV and use pandas.read_parquet or pandas.read_csv",
    "ruamel": 'use YAML(typ="safe")',
    "torch": "pass weights_only=True",
    "yaml": "use yaml.safe_load or yaml.safe_load_all",
}


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def unsafe_deserialization(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "deserialize", "unsafe_format")
    others, faults = _others(code), _faults(code)
    if setting := next(_accepting(code), None):
        return nudge(
            f"With `{setting}` whoever can write to the queue or the store runs code in this program.",
            correction='Send plain data, `task_serializer="json"` and `accept_content=["json"]`, and pass the key of an'
            " object instead of the object.",
            evidence=(setting,),
        )
    if faults:
        return _corrected(faults)
    if not others:
        return ok()
    reason = f"{_reason(others[-1])} It comes from a file that the code names, or from what the code itself writes."
    return flag(reason, evidence=(others[-1].text,))


def _accepting(code: Module) -> Iterator[str]:
    """The settings with which a queue or a session takes what it gets as pickles."""
    pairs = ((code.text(node.named_children[0]).strip("\"'"), node) for node in code.nodes("pair"))
    given = ((code.text(node.named_children[0]), node) for node in code.nodes("keyword_argument"))
    assigned = ((target.rpartition(".")[2], value.parent or value) for target, value in code.assignments)
    for name, node in (*pairs, *given, *assigned) if b"ickle" in code.source else ():
        if name.lower().removeprefix("celery_") in _TAKES and _PICKLED.search(code.text(node)) and code.is_new(node):
            yield " ".join(code.text(node).split())[:120]


_TAKES = frozenset({"accept_content", "task_serializer", "result_serializer", "event_serializer", "session_serializer"})
_PICKLED = re.compile(r"[\"'](?:pickle|application/x-python-serialize)[\"']|PickleSerializer")
_DIGEST = re.compile(r"\bhexdigest\(\)|\bcompare_digest\(|\bfile_digest\(|\.verify\(")
_FORMAT = re.compile(r"pickle|unsafe|dangerous|trust")
_REFUSES = re.compile(r"\b(?:raise|return|assert|sys\.exit)\b")


def _is_gated(call: Call) -> bool:
    """Whether the function that loads has compared a digest or a signature of what it loads and refuses another, or
    refuses unless its caller asks for this format with a parameter that is False by default."""
    code = call.code
    function = code.scope_of(call.node)
    if function is None:
        return False
    before = code.source[function.start_byte : call.node.start_byte].decode("utf-8", "replace")
    digest = _DIGEST.search(before)
    is_verified = digest is not None and _REFUSES.search(before, digest.end()) is not None
    return is_verified or any(_refuses_without(call, name) for name in _asked(code, function))


def _asked(code: Module, function: Value) -> Iterator[str]:
    """The parameters that allow the format, are False by default, bound to nothing else, and given no True here."""
    parameters, title = function.child_by_field_name("parameters"), function.child_by_field_name("name")
    if parameters is None or title is None:
        return
    for parameter in parameters.named_children:
        name, value = parameter.child_by_field_name("name"), parameter.child_by_field_name("value")
        if name is None or value is None or value.type != "false" or not _FORMAT.search(code.text(name)):
            continue
        is_bound = any(target == code.text(name) for target, _ in (*code.assignments, *code.bindings))
        if not is_bound and not any(_allows(each, code.text(title), code.text(name)) for each in code.calls):
            yield code.text(name)


def _allows(call: Call, function: str, parameter: str) -> bool:
    by_place = call.positional if call.name.rpartition(".")[2] == function else ()
    return any(is_true(call.code, value) for value in (call.keywords.get(parameter), *by_place))


def _refuses_without(call: Call, parameter: str) -> bool:
    """Whether an `if not parameter: raise …` stands before a load, in a block around it."""
    block = call.node.parent
    while block is not None and block.type != "function_definition":
        for statement in block.named_children if block.type == "block" else ():
            if statement.start_byte < call.node.start_byte and _raises_without(call.code, statement, parameter):
                return True
        block = block.parent
    return False


def _raises_without(code: Module, statement: Value, parameter: str) -> bool:
    condition = statement.child_by_field_name("condition") if statement.type == "if_statement" else None
    then = statement.child_by_field_name("consequence")
    if condition is None or then is None or condition.type != "not_operator":
        return False
    steps = [step for step in then.named_children if step.type != "comment"]
    return code.text(condition.children[-1]) == parameter and bool(steps) and steps[0].type == "raise_statement"


def _others(code: Module) -> list[Call]:
    """The loads that can run code, except of data that the code itself dumped."""
    loads = [
        call
        for call in code.calls
        if call.name in _LOADS and call.is_new and not _is_safe(call) and not _is_gated(call)
    ]
    dumps = dumps_of(code) if loads else []
    return [call for call in loads if not loads_own_dump(call, dumps)]


def _faults(code: Module) -> list[Call]:
    return [call for call in _others(code) if not (_loads_named_file(call) or _is_half_of_codec(call))]


def _is_safe(call: Call) -> bool:
    """Whether the options of this call keep it from running code."""
    code, library = call.code, _library(call)
    if call.method in ("decode", "loads") and call.positional and is_fixed(code, call.positional[0]):
        return True  # a literal in the code is as trusted as the code
    if library == "torch":
        return is_true(code, call.keywords.get("weights_only"))
    if library == "numpy":
        return not is_true(code, call.keywords.get("allow_pickle"))
    if library == "ruamel":
        kind = call.argument(0, "typ")
        return kind is None or string_of(code, kind) != "unsafe"
    if call.name in ("yaml.load", "yaml.load_all"):
        loader, text = call.argument(1, "Loader"), call.argument(0, "stream")
        if loader is None:
            return text is None or is_fixed(code, text)
        return code.name_of(loader).rpartition(".")[2] not in _UNSAFE_LOADERS
    return False


def _loads_named_file(call: Call) -> bool:
    """Whether pickled data comes from a file named in the code, which may be the program's own: not from an address,
    and not beside code that fetches something."""
    if not call.positional or _library(call) not in _FROM_FILES:
        return False
    code, source = call.code, path_of(call.code, call.positional[0])
    if not is_fixed(code, source) or "://" in (string_of(code, source) or ""):
        return False
    return not any(each.name.startswith(_FETCHERS) for each in code.calls)


def _is_half_of_codec(call: Call) -> bool:
    """Whether the code both writes and reads this format and takes nothing from a network, a client or a store that
    others write to: its callers decide what it reads."""
    library = _library(call)
    if library not in _PICKLES or _STRANGERS.search(call.code.source):
        return False
    dumps = {f"{library}.{name}" for name in ("dump", "dumps", "Pickler")}
    return any(each.name in dumps for each in call.code.calls)


def _corrected(faults: list[Call]) -> Opinion:
    call = faults[0]
    advice = _SAFER.get(_library(call), _AS_JSON)
    sharper = f"{advice[0].upper()}{advice[1:]}. A checksum or a try block makes {call.name} no safer."
    correction = f"Instead, {advice}.{shown(call.code, map(_repair, faults), _faults)}"
    return nudge(_reason(call), correction=correction, sharper=sharper, evidence=(call.text,))


def _repair(call: Call) -> Change | None:
    """The same load without running code, if the format of the data allows it; else None."""
    library = _library(call)
    if library == "yaml":
        return renamed(call, f"yaml.safe_load{'_all' * call.method.endswith('_all')}", drop=("Loader",), most=1)
    if library == "jsonpickle":
        return renamed(call, "json.loads", most=1)
    settings = _SETTINGS.get(library)
    return given(call, settings) if settings and len(call.positional) < 2 else None


def _reason(call: Call) -> str:
    return f"`{call.name}` runs any code that its input names."


def _library(call: Call) -> str:
    return call.name.partition(".")[0]
