"""Has a shell run a command that is built from variable values (CWE-78)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module, Value
from supervisor.evidence.python.flows import origin_of as client_of
from supervisor.evidence.python.repairs import shown
from supervisor.evidence.python.rewrites import listed
from supervisor.evidence.python.values import is_fixed, is_true, string_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_ALWAYS_SHELL = frozenset(
    {f"os.popen{number}" for number in ("", "2", "3", "4")}
    | {"asyncio.create_subprocess_shell", "asyncio.subprocess.create_subprocess_shell", "os.system"}
    | {f"{library}.{name}" for library in ("commands", "subprocess") for name in ("getoutput", "getstatusoutput")}
)
_SHELL_IF_ASKED = frozenset(f"subprocess.{name}" for name in ("Popen", "call", "check_call", "check_output", "run"))
_SHELLS = ("sh", "bash", "zsh", "/bin/sh", "/bin/bash")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def shell_command_from_variable(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "shell")
    found = list(_in_shell(code))
    if not found:
        return ok()
    call, command = found[0]
    clients = any(client_of(code, each) is not None for _, each in found)
    repair = "" if clients else shown(code, (listed(*each) for each in found), _in_shell)
    return nudge(
        f"`{call.name}` has a shell run `{code.text(command)[:80]}`, so a value in it can add commands of its own.",
        correction=f'Pass a list and no shell, as in subprocess.run(["git", "checkout", branch], check=True).{repair}',
        sharper="Split the command into a list of arguments and drop shell=True; if a pipe or redirection needs"
        " the shell, wrap each inserted value in shlex.quote().",
        evidence=(call.text,),
    )


def _in_shell(code: Module) -> Iterator[tuple[Call, Value]]:
    """The calls that have a shell run a command with variable parts."""
    for call in code.calls:
        command = _shell_command(call)
        if command is not None and call.is_new and not is_fixed(code, command):
            yield call, command


def _shell_command(call: Call) -> Value | None:
    """The command that a call passes to a shell; None if it uses no shell."""
    command = call.argument(0, "args", "cmd", "command")
    if command is None or call.name in _ALWAYS_SHELL:
        return command
    if call.name not in _SHELL_IF_ASKED:
        return None
    if is_true(call.code, call.keywords.get("shell")):
        return command
    words = command.named_children if command.type in ("list", "tuple") else []
    asked = len(words) > 2 and string_of(call.code, words[0]) in _SHELLS and string_of(call.code, words[1]) == "-c"
    return words[2] if asked else None
