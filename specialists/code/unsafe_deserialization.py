"""Loads data in a format that can run code while it is loaded (CWE-502)."""

from itertools import islice
from typing import NamedTuple

from supervisor.evidence.python import Call, Module, Value, module
from supervisor.evidence.python.values import holds, is_fixed, is_true, names_in, path_of, string_of
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist

PICKLES = ("_pickle", "cPickle", "cloudpickle", "dill", "marshal", "pickle")
LOADS = frozenset(
    {f"{library}.{name}" for library in PICKLES for name in ("load", "loads", "Unpickler")}
    | {"joblib.load", "jsonpickle.decode", "jsonpickle.loads", "numpy.load", "pandas.read_pickle", "ruamel.yaml.YAML"}
    | {"shelve.open", "torch.load", "yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.unsafe_load_all"}
)
DUMPS = frozenset({"Pickler", "dump", "dumps", "encode", "save", "savez", "to_pickle"})
UNSAFE_LOADERS = frozenset({"CLoader", "Loader", "UnsafeLoader"})
DUMPS_INTO_FIRST = ("Pickler", "numpy.save", "numpy.savez", "to_pickle")
MAX_DUMPS = 200
NO_DATA = frozenset({"Path", "cls", "join", "open", "os", "self"})  # names that any two file paths may share
JSON = "keep the data as JSON: json.load and json.loads run nothing"
SAFER = {
    "joblib": "keep models in a format without code (skops, ONNX) and plain data as JSON",
    "jsonpickle": "read the text with json.loads and build the objects yourself",
    "numpy": "leave allow_pickle at False and save plain arrays",
    "pandas": "keep the table as Parquet or CSV and use pandas.read_parquet or pandas.read_csv",
    "ruamel": 'use YAML(typ="safe")',
    "torch": "pass weights_only=True",
    "yaml": "use yaml.safe_load or yaml.safe_load_all",
}


class Dumped(NamedTuple):
    """A call that dumps: the function it stands in, and the names of what it dumps into."""

    call: Call
    scope: Value | None
    names: set[str]


@specialist("python", "file_write", "file_edit")
def unsafe_deserialization(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return refuse("not Python")
    doubted = None
    loads = [call for call in code.calls if call.name in LOADS and call.is_new and not is_safe(call)]
    dumped = dumped_in(code) if loads else []
    for call in loads:
        if loads_what_it_dumped(call, dumped):
            continue
        library = call.name.partition(".")[0]
        reason = f"{call.name} runs whatever code its input asks for."
        if library not in SAFER and call.positional and is_fixed(code, path_of(code, call.positional[0])):
            doubted = flag(f"{reason} Its input is a file or a text that the code names.", evidence=(call.text,))
            continue
        advice = SAFER.get(library, JSON)
        sharper = f"{advice[0].upper()}{advice[1:]}. A checksum or a try block makes {call.name} no safer."
        return nudge(reason, correction=f"Instead, {advice}.", sharper=sharper, evidence=(call.text,))
    return doubted or ok()


def is_safe(call: Call) -> bool:
    """Whether this very call cannot run code, by its options."""
    code, library = call.module, call.name.partition(".")[0]
    if call.method in ("decode", "loads") and call.positional and is_fixed(code, call.positional[0]):
        return True  # a text that stands in the code asks for nothing but what the code says
    if library == "torch":
        return "weights_only" in call.keywords and is_true(code, call.keywords["weights_only"])
    if library == "numpy":
        return not is_true(code, call.keywords.get("allow_pickle"))
    if library == "ruamel":
        kind = call.argument(0, "typ")
        return kind is None or string_of(code, kind) != "unsafe"
    if call.name in ("yaml.load", "yaml.load_all"):
        loader, text = call.argument(1, "Loader"), call.argument(0, "stream")
        if loader is None:
            return text is None or is_fixed(code, text)
        return code.name_of(loader).rpartition(".")[2] not in UNSAFE_LOADERS
    return False


def loads_what_it_dumped(call: Call, dumped: list[Dumped]) -> bool:
    """A round trip, as tests make it: the same function dumps into what is loaded here."""
    code, scope = call.module, call.module.scope_of(call.node)
    data = frozenset().union(*(names_in(code, node) for node in call.positional)) - NO_DATA
    return any(scope == each.scope and (data & each.names or holds(call.node, each.call.node)) for each in dumped)


def dumped_in(code: Module) -> list[Dumped]:
    """What the code dumps, with the names of what it dumps into."""
    found = []
    for call in islice((call for call in code.calls if call.method in DUMPS), MAX_DUMPS):
        into = call.positional[:1] if call.name.endswith(DUMPS_INTO_FIRST) else call.positional[1:]
        names = {target for target, value in code.assignments if holds(value, call.node)}
        found.append(Dumped(call, code.scope_of(call.node), names.union(*(names_in(code, node) for node in into))))
    return found
