"""Starts a program that a client names, or passes it arguments that a client may turn into options (CWE-88)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.values import followed, is_fixed
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_LISTED = frozenset(f"subprocess.{name}" for name in ("Popen", "call", "check_call", "check_output", "run"))
_EXECS = tuple(
    f"{act}{form}"
    for act in ("exec", "spawn", "posix_spawn")
    for form in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe", "")
)
_OTHERS = ("create_subprocess_exec", "subprocess_exec", "subprocess_shell", "exec_command", "startfile", "posix_spawnp")
_SHELLS = ("sh", "bash", "zsh", "cmd")
_POWERFUL_NAMES = (
    "awk bash curl docker env ffmpeg find git hg kubectl mysql nohup perl psql python python3 rsync scp sed "
    "sh ssh sudo svn tar tcpdump wget xargs zip zsh"
)
_POWERFUL = frozenset(_POWERFUL_NAMES.split())


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def program_run_with_client_words(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "program")
    for call, words in _starts(code):
        source = next((found for word in words if (found := _reaching(call, word))), None)
        if source is not None:
            return nudge(
                f"`{call.text[:80]}` starts a program with words of `{source}`: a word may name another program, or be"
                " one of its options.",
                correction="Keep the program and its options in the code, choose among known words (KINDS[kind])"
                ' and put a value after "--": subprocess.run(["convert", "--", os.path.basename(name)], check=True).',
                evidence=(call.text,),
            )
    return ok()


def _starts(code: Module) -> Iterator[tuple[Call, tuple[Value, ...]]]:
    """The calls that start a program without a shell, and the words that they pass to it."""
    for call in code.calls_of(("Popen", "call", "check_call", "check_output", "run")):
        if call.name in _LISTED and call.is_new:
            first = call.argument(0, "args")
            yield call, (first,) if first is not None else ()
    for call in code.calls_of(_EXECS):
        if call.name.startswith("os.") and call.is_new:
            yield call, call.positional
    for call in code.calls_of(_OTHERS):
        splats = [node for node in _arguments(call) if node.type == "list_splat"]
        if call.is_new:
            yield call, (*call.positional, *(splat.named_children[0] for splat in splats if splat.named_children))


def _reaching(call: Call, word: Value) -> str | None:
    """The source of a client's words among the arguments. Words after `--` are not options and do not count."""
    code = call.code
    value = followed(code, word)
    if value is not None and value.type in ("list", "tuple"):
        return next((found for each in _open_words(code, value) if (found := origin_of(code, each))), None)
    source = origin_of(code, word)
    if source is None and _is_unknown_command(call, word):
        return code.text(word)[:60]
    return source


def _open_words(code: Module, words: Value) -> list[Value]:
    """Of a list: the program itself, and what may be an option where a program's options run others."""
    each = list(words.named_children)
    told = [code.text(word).strip("\"'").rpartition("/")[2] for word in each]
    if not told or told[0] not in _POWERFUL:
        return each[:1]
    return each[: told.index("--")] if "--" in told else each


def _is_unknown_command(call: Call, word: Value) -> bool:
    """`os.spawnlp(mode, command)`: the program itself is not fixed, and there are no other arguments."""
    code = call.code
    is_shell = any(code.text(node).strip("\"'").rpartition("/")[2] in _SHELLS for node in call.positional[:-1])
    return is_shell and call.name.startswith("os.") and word == call.positional[-1] and not is_fixed(code, word)


def _arguments(call: Call) -> list[Value]:
    given = call.node.child_by_field_name("arguments")
    return list(given.named_children) if given is not None else []
