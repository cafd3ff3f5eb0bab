"""Walks a shell script's syntax tree in the order in which it runs, and gathers the commands that it executes.

Variables, `cd`, standard input and functions are followed as far as the text alone tells. Both arms of a condition
count as executed. `expansion` turns a node into words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tree_sitter import Node

from supervisor.errors import Unreadable
from supervisor.evidence.paths import HOLE
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.expansion import Expansion, Flow, Shell, Text, static_output
from supervisor.evidence.shell.items import Inner
from supervisor.evidence.shell.redirects import NOTHING, Attached, attachments
from supervisor.evidence.shell.syntax import MAX_BYTES, Allowance, parse
from supervisor.evidence.shell.words import is_literal
from supervisor.evidence.shell.wrappers import inner_of

MAX_COMMANDS = 2048
MAX_DEPTH = 40  # scripts within scripts, substitutions within substitutions
_MOST_TURNS = 8  # of a loop over known words
_SAME_SHELL = frozenset({"eval", "command", "builtin"})


class Walk:
    """One walk over an action's text. Raises Unreadable when it is too deep, too long, or too slow to parse."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self._depth = 0
        self._allowance = Allowance()
        self._expansion = Expansion(self._substituted)

    def script(self, script: str, shell: Shell) -> None:
        """Walks one script, or one script within another."""
        source = script.encode("utf-8", "replace")
        if len(source) > MAX_BYTES:
            raise Unreadable(f"a shell script of {len(source):,} bytes, more than the {MAX_BYTES:,} that are read")
        root = parse(source, self._allowance)
        outer, shell.source = shell.source, source
        self._visit(root, shell)
        shell.source = outer

    def vector(self, argv: tuple[str, ...], shell: Shell) -> None:
        """Takes down a command whose words need no shell to read them."""
        if sum(len(word) for word in argv) > MAX_BYTES:
            raise Unreadable(f"a command of more than {MAX_BYTES:,} characters")
        self._emit(Command(argv, " ".join(argv), shell.cwd), shell)

    # Statements

    def _visit(self, node: Node, shell: Shell) -> None:
        """Descends to the nodes that mean something; all others are transparent."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Unreadable(f"shell commands nested deeper than {MAX_DEPTH} levels")
        stack = [node]
        while stack:
            node = stack.pop()
            visitor = _VISITORS.get(node.type)
            if visitor:
                visitor(self, node, shell)
            else:
                stack += reversed(node.named_children)
        self._depth -= 1

    def _children(self, node: Node, shell: Shell) -> None:
        for child in node.named_children:
            self._visit(child, shell)

    def _redirected(self, node: Node, shell: Shell) -> None:
        attached, piped, following = attachments(node.children, shell, self._expansion)
        self._run(node.child_by_field_name("body"), shell, attached, piped)
        if following:
            self._visit(following, shell)

    def _run(self, node: Node | None, shell: Shell, attached: Attached = NOTHING, piped: Sequence[Node] = ()) -> None:
        """Runs a list, pipeline or other statement; redirections and further stages belong to its last command."""
        *earlier, last = _listed(node) if node else (None,)
        for statement in earlier:
            if statement:
                self._visit(statement, shell)
        stages = last.named_children if last and last.type == "pipeline" else [last]
        if len(stages) + len(piped) == 1:
            self._stage(last, shell, attached)
            return
        flow, before = shell.stdin, len(self.commands)
        for index, stage in enumerate([*stages, *piped]):
            if index:
                written = tuple(self.commands[before:])
                flow = Flow(flow.upstream + written, static_output(written[0]) if len(written) == 1 else None)
                before += len(written)
            here = shell.fork()
            here.stdin = flow
            self._stage(stage, here, attached if index == len(stages) - 1 else NOTHING)

    def _stage(self, node: Node | None, shell: Shell, attached: Attached) -> None:
        """One statement with what is attached to it. A group's redirections are a command of their own."""
        if node is not None and node.type == "command":
            self._command(node, shell, attached)
            return
        if attached.redirects:
            self._emit(Command((), cwd=shell.cwd, redirects=attached.redirects, wrappers=shell.wrappers), shell)
        if node is not None:
            outer, shell.stdin = shell.stdin, attached.stdin or shell.stdin
            self._visit(node, shell)
            shell.stdin = outer

    def _for(self, node: Node, shell: Shell) -> None:
        """A loop over known words runs once for each; over others, once."""
        name, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        turns = self._expansion.all_words(node.children_by_field_name("value"), shell)
        if shell.looping or not 0 < len(turns) <= _MOST_TURNS:
            turns = [Text(HOLE)]
        outer, shell.looping = shell.looping, True
        for turn in turns:
            if name and body:
                shell.variables[shell.text(name)] = turn
                self._visit(body, shell)
        shell.looping = outer

    def _define(self, node: Node, shell: Shell) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name and body:
            shell.functions[shell.text(name)] = (body, shell.source)

    # Commands

    def _command(self, node: Node, shell: Shell, attached: Attached = NOTHING) -> None:
        argv: list[str] = []
        sources: list[tuple[int, Command]] = []
        redirects: list[Node] = []
        for child in node.named_children:
            kind = child.type
            if is_literal(kind, word := shell.text(child)):
                argv.append(word)
            elif kind == "variable_assignment":
                self._expansion.value(child.named_children[-1], shell)
            elif kind.endswith("redirect"):
                redirects.append(child)
            else:
                _add(self._expansion.words(child, shell), argv, sources)
        _add(attached.words, argv, sources)
        if redirects:
            own, _, _ = attachments(redirects, shell, self._expansion)
            _add(own.words, argv, sources)
            attached = Attached(own.redirects + attached.redirects, own.stdin or attached.stdin)
        flow = attached.stdin or shell.stdin
        self._emit(
            Command(
                argv=tuple(argv),
                text=shell.text(node),
                cwd=shell.cwd,
                redirects=attached.redirects,
                upstream=flow.upstream,
                sources=tuple(sources),
                stdin=flow.text,
                wrappers=shell.wrappers,
                remote=shell.remote,
            ),
            shell,
        )

    def _emit(self, command: Command, shell: Shell) -> None:
        """Takes a command down, and what it does to the shell or runs in turn."""
        inner = tuple(inner_of(command))
        command.wraps = bool(inner)
        self.commands.append(command)
        if len(self.commands) > MAX_COMMANDS:
            raise Unreadable(f"more than {MAX_COMMANDS:,} shell commands")
        for each in inner:
            self._inside(command, each, shell)
        name = command.argv[0] if command.argv else ""
        if name in ("cd", "pushd"):
            shell.change_directory(command.operands())
        elif name == "popd":
            shell.cwd = HOLE
        elif name in ("read", "mapfile", "readarray", "unset"):
            shell.forget(command.operands())
        elif name in shell.functions and name not in shell.calling:
            self._call(name, command, shell)

    def _call(self, name: str, command: Command, shell: Shell) -> None:
        body, source = shell.functions[name]
        here = shell.fork()
        here.source, here.calling = source, shell.calling | {name}
        here.variables |= {str(index): Text(word) for index, word in enumerate(command.args, 1)}
        here.variables |= dict.fromkeys("@*", Text(" ".join(command.args)))
        self._visit(body, here)
        shell.cwd = here.cwd

    def _inside(self, command: Command, inner: Inner, shell: Shell) -> None:
        """Runs what a wrapper runs."""
        here = shell if command.program in _SAME_SHELL else shell.fork()
        outer, here.wrappers = here.wrappers, (*command.wrappers, command.program)
        if len(here.wrappers) > MAX_DEPTH:
            raise Unreadable(f"shell commands wrapped more than {MAX_DEPTH} times")
        here.remote |= inner.remote
        here.cwd = HOLE if inner.remote else inner.cwd or here.cwd
        here.stdin = flow = Flow(command.upstream, command.stdin) if inner.reads else Flow()
        if inner.script is None:
            sources = tuple((at - inner.start, by) for at, by in command.sources if inner.start and at >= inner.start)
            told = (inner.argv, command.text, here.cwd, (), flow.upstream, sources, flow.text, here.wrappers)
            self._emit(Command(*told, remote=here.remote), here)
        elif inner.script.strip() != HOLE:
            self._depth += 1
            here.variables |= {str(index): Text(word) for index, word in enumerate(inner.parameters)}
            self.script(inner.script, here)
            self._depth -= 1
        here.wrappers = outer

    def _substituted(self, node: Node, shell: Shell) -> list[Command]:
        """Runs a substitution in a shell of its own; the commands that it ran."""
        before = len(self.commands)
        self._children(node, shell.fork())
        return self.commands[before:]


# What is done with the nodes that mean something.
_VISITORS: dict[str, Callable[[Walk, Node, Shell], object]] = {
    "command": Walk._command,
    "redirected_statement": Walk._redirected,
    **dict.fromkeys(("list", "pipeline"), Walk._run),
    "subshell": lambda walk, node, shell: walk._children(node, shell.fork()),
    "for_statement": Walk._for,
    "function_definition": Walk._define,
    "variable_assignment": lambda walk, node, shell: walk._expansion.assign(node, shell),
    **dict.fromkeys(("comment", "heredoc_start", "heredoc_end", "raw_string"), lambda *_: None),
    **dict.fromkeys(("command_substitution", "process_substitution"), Walk._substituted),
}


def _add(words: Iterable[Text], argv: list[str], sources: list[tuple[int, Command]]) -> None:
    """Adds words to a command's argv, and the commands whose output stands in them to its sources."""
    for value, origins in words:
        sources += [(len(argv), origin) for origin in origins]
        argv.append(value)


def _listed(node: Node) -> list[Node]:
    """The statements of `a && b || c`, which the grammar nests to the left."""
    found: list[Node] = []
    while node.type == "list":
        node, *rest = node.named_children
        found += reversed(rest)
    return [*reversed([*found, node])]
