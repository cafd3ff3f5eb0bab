"""Walks a shell script's syntax tree in the order of execution, and collects the commands that it executes.

Variables, `cd`, standard input and functions are followed as far as the text alone determines them. Both arms of a
condition count as executed. `expansion` turns a node into words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tree_sitter import Node

from supervisor.errors import Unreadable
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.builtins import array
from supervisor.evidence.shell.commands import Command, Redirect
from supervisor.evidence.shell.expansion import Expansion
from supervisor.evidence.shell.foreign import POWERSHELL
from supervisor.evidence.shell.padding import without_padding
from supervisor.evidence.shell.plain import LONGEST, Plain, plain_commands
from supervisor.evidence.shell.printed import printed
from supervisor.evidence.shell.prompts import run_with
from supervisor.evidence.shell.redirects import NOTHING, Attached, attachments, contents_of
from supervisor.evidence.shell.run import MAX_COMMANDS, MAX_DEPTH, Run
from supervisor.evidence.shell.simple import add_words, parts_of
from supervisor.evidence.shell.state import Flow, Shell, Text
from supervisor.evidence.shell.syntax import Allowance, parse, source_of
from supervisor.evidence.shell.windows import cmd, powershell
from supervisor.evidence.shell.words import braces

_MOST_TURNS = 64  # iterations of a loop over known words, multiplied by those of the loops around it
_SURE_TURNS = 8  # iterations that run whatever they cost
_MOST_STEPS = 1024  # statements, beyond which a loop runs no more than the sure iterations


class Walk(Run):
    """One walk over an action's text. Raises Unreadable if it is too deep, too long, or too slow to parse.

    `look` returns the text of a file that the script itself does not write, None if it is not known.
    """

    def __init__(self, look: Callable[[str], str | None] | None = None) -> None:
        super().__init__(look)
        self._allowance = Allowance()
        self._expansion = Expansion(self._substituted, self._within, self._run_assigned)
        self._steps = 0

    def script(self, script: str, shell: Shell) -> None:
        """Walks one script, or one script within another."""
        if len(script) > LONGEST:
            script = without_padding(script)
        self.texts[script] = None
        plain = plain_commands(script)
        if plain is not None:
            self._run_plain(plain, script, shell)
            return
        source = source_of(script)
        root = parse(source, self._allowance)
        outer, shell.source = shell.source, source
        self._visit(root, shell)
        shell.source = outer

    def within_language(self, language: str, script: str, shell: Shell) -> None:
        """Walks a script of PowerShell or cmd."""
        self.texts[script] = None
        self._count_passed_on(len(script) // 8)
        self.deeper()
        (powershell if language == POWERSHELL else cmd).read(self, script, shell)
        self.higher()

    def _run_plain(self, plain: list[Plain], script: str, shell: Shell) -> None:
        """Runs the commands of a script that needs no parsing, as `_run` and `_command` do."""
        flow, last = shell.stdin, len(plain) - 1
        before = len(self.commands)
        for number, (words, start, end, redirects, piped, environment) in enumerate(plain):
            pipes = number < last and plain[number + 1].piped
            here = shell.fork() if piped or pipes else shell
            if piped:
                written = tuple(self.commands[before:])
                flow = Flow(flow.upstream + written, printed(written))
            else:
                flow = shell.stdin
            before = len(self.commands)
            here.stdin = flow
            here.sink = None if pipes else shell.sink
            reads = Flow() if any(each.operator == "<" for each in redirects) else flow
            parts = (tuple(words), script[start:end], here.cwd, tuple(redirects), reads.upstream, (), reads.text)
            environment = here.exported + environment
            self._emit(Command(*parts, here.wrappers, here.remote, environment=environment, mounts=here.mounts), here)

    # Statements

    def _visit(self, node: Node, shell: Shell) -> None:
        """Descends to the nodes that have a visitor; all others are transparent."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Unreadable(f"shell commands nested deeper than {MAX_DEPTH} levels")
        stack = [node]
        while stack:
            node = stack.pop()
            visitor = _VISITORS.get(node.type)
            if visitor:
                self._steps += 1
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
        """Runs a list, pipeline or other statement; redirections and further stages apply to its last command."""
        *earlier, last = _listed(node) if node else (None,)
        for statement in earlier:
            if statement:
                self._visit(statement, shell)
        stages = _without_plain_cats(last, shell) if last and last.type == "pipeline" else [last]
        if len(stages) + len(piped) == 1:
            self._stage(last, shell, attached)
            return
        flow, before = shell.stdin, len(self.commands)
        for index, stage in enumerate([*stages, *piped]):
            if index:
                written = tuple(self.commands[before:])
                flow = Flow(flow.upstream + written, printed(written))
                before += len(written)
            here = shell.fork()
            here.stdin = flow
            here.sink = shell.sink if index == len(stages) + len(piped) - 1 else None
            self._stage(stage, here, attached if index == len(stages) - 1 else NOTHING)

    def _stage(self, node: Node | None, shell: Shell, attached: Attached) -> None:
        """Runs one statement with its attachments. A group's redirections are recorded as a command of their own."""
        while node is not None and node.type == "negated_command" and node.named_child_count == 1:
            node = node.named_children[0]
        if node is not None and node.type == "command":
            self._command(node, shell, attached)
            return
        whole = Command((), cwd=shell.cwd, redirects=attached.redirects, wrappers=shell.wrappers)
        if attached.redirects:
            self._emit(whole, shell)
        if node is not None:
            outer, shell.stdin = shell.stdin, attached.stdin or shell.stdin
            into, shell.sink = shell.sink, whole if whole.redirects_output else shell.sink
            self._visit(node, shell)
            shell.stdin, shell.sink = outer, into
        if whole.writers:
            self._record_files(whole, shell)

    def _for(self, node: Node, shell: Shell) -> None:
        """Runs a loop over known words once for each word.

        The last iteration that the limits permit takes all remaining words together, so that none is skipped.
        """
        name, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        values = node.children_by_field_name("value")
        known = self._expansion.all_words(values, shell) if values else [shell.value_of("@")]
        words = known or [Text(HOLE)]
        outer = shell.turns
        shell.turns = min(outer * len(words), _MOST_TURNS)
        for number, word in enumerate(words):
            is_last = not self._takes_another_turn(number + 1, outer)
            if name and body:
                shell.variables[shell.text(name)] = _merged(words[number:]) if is_last else word
                self._visit(body, shell)
            if is_last:
                break
        shell.turns = outer

    def _takes_another_turn(self, taken: int, outer: int) -> bool:
        """Whether a loop that has taken so many turns, within loops of `outer` turns together, takes one more."""
        is_cheap = self._steps < _MOST_STEPS and len(self.commands) < MAX_COMMANDS // 2
        return taken < (_MOST_TURNS if is_cheap else _SURE_TURNS) // outer

    def _while(self, node: Node, shell: Shell) -> None:
        """Runs a loop that reads known lines once for each line, as `_for` does; any other loop once."""
        outer, number, goes_on = shell.turns, 0, True
        while goes_on:
            before = shell.stdin.text
            shell.turns = min(outer * ((before or "").count("\n") + 1), _MOST_TURNS)
            is_last = not self._takes_another_turn(number + 1, outer)
            if is_last and before:
                shell.stdin = shell.stdin._replace(text=" ".join(before.splitlines()))
            self._children(node, shell)
            number += 1
            goes_on = bool(not is_last and shell.stdin.text and shell.stdin.text != before)
        shell.turns = outer

    def _declare(self, node: Node, shell: Shell) -> None:
        """Runs `export NAME=value`, `declare -r NAME=value` and `unset NAME` as commands."""
        words = [shell.text(node.children[0])]
        for child in node.named_children:
            if child.type == "variable_assignment":
                self._expansion.assign(child, shell)
                name = shell.text(child.named_children[0])
                words.append(f"{name}={shell.value_of(name).value}")
            else:
                words += [text.value for text in self._expansion.words(child, shell)]
        self._emit(self._new_command(tuple(words), node, shell, shell.stdin), shell)

    def _define(self, node: Node, shell: Shell) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name and body:
            shell.functions[shell.text(name)] = (body, shell.source)
            shell.calling -= {shell.text(name)}  # from now on, the name means another function

    # Commands

    def _command(self, node: Node, shell: Shell, attached: Attached = NOTHING) -> None:
        argv, sources, environment, redirects = parts_of(node, shell, self._expansion)
        add_words(attached.words, argv, sources)
        if redirects:
            own, _, _ = attachments(redirects, shell, self._expansion)
            add_words(own.words, argv, sources)
            redirected = own.redirects + attached.redirects
            attached = Attached(redirected, own.stdin or attached.stdin, fed=own.fed + attached.fed)
        made = self._new_command(tuple(argv), node, shell, attached.stdin or shell.stdin, attached.redirects)
        made.sources = tuple(sources)
        made.environment += environment
        _feed(attached.fed, made)
        self._emit(made, shell)

    def _stray(self, node: Node, shell: Shell) -> None:
        """Runs a command's name that stands outside a command, because the grammar does not know what follows."""
        words = [text.value for text in self._expansion.words(node, shell)]
        if shell.source[: node.start_byte].endswith(b"{") and "," in words[0]:
            words = braces("{" + words[0])
        self._emit(self._new_command(tuple(words), node, shell, shell.stdin), shell)

    def _new_command(
        self, argv: tuple[str, ...], node: Node, shell: Shell, flow: Flow, redirects: tuple[Redirect, ...] = ()
    ) -> Command:
        return Command(
            argv=argv,
            text=shell.text(node),
            cwd=shell.cwd,
            redirects=redirects,
            upstream=flow.upstream,
            stdin=flow.text,
            wrappers=shell.wrappers,
            remote=shell.remote,
            mounts=shell.mounts,
            environment=shell.exported,
        )

    def _run_assigned(self, name: str, value: str, shell: Shell) -> None:
        """Runs the value of a variable that the shell itself executes, as soon as it is set."""
        self.code("bash", run_with(name, value), shell)

    def _substituted(self, node: Node, shell: Shell) -> list[Command]:
        """Runs a substitution in a subshell and returns the commands that it ran."""
        before, here = len(self.commands), shell.fork()
        here.sink = None
        for each in contents_of(node, here, self._expansion):
            self._emit(each, here)
        self._children(node, here)
        ran = self.commands[before:]
        if node.type == "command_substitution":
            self.captured.update(ran)
        return ran


# What is done with a node of each type.
_VISITORS: dict[str, Callable[[Walk, Node, Shell], object]] = {
    "command": Walk._command,
    "command_name": Walk._stray,
    "redirected_statement": Walk._redirected,
    **dict.fromkeys(("list", "pipeline"), Walk._run),
    "subshell": lambda walk, node, shell: walk._children(node, shell.fork()),
    "for_statement": Walk._for,
    "while_statement": Walk._while,
    **dict.fromkeys(("declaration_command", "unset_command"), Walk._declare),
    "function_definition": Walk._define,
    "variable_assignment": lambda walk, node, shell: walk._expansion.assign(node, shell),
    **dict.fromkeys(("comment", "heredoc_start", "heredoc_end", "raw_string"), lambda *_: None),
    **dict.fromkeys(("command_substitution", "process_substitution"), Walk._substituted),
}


def _feed(readers: Sequence[Command], writer: Command) -> None:
    """The commands in `>(…)` read what a command writes there."""
    for each in readers:
        if not each.upstream and each.stdin is None:
            each.upstream = (*writer.upstream, writer)


def _merged(words: list[Text]) -> Text:
    """Several words as one value, which becomes all of them again where it is used."""
    if len(words) == 1:
        return words[0]
    return array([word.value for word in words])._replace(sources=tuple(by for word in words for by in word.sources))


def _without_plain_cats(pipeline: Node, shell: Shell) -> list[Node | None]:
    """The stages of a pipeline without each `cat` between two others that only passes its input on."""
    stages = pipeline.named_children
    passers = [each for each in stages[1:-1] if shell.text(each) == "cat"]
    return [each for each in stages if each not in passers] if passers else [*stages]


def _listed(node: Node) -> list[Node]:
    """The statements of `a && b || c`, which the grammar nests to the left."""
    later: list[Node] = []
    while node.type == "list":
        node, *rest = node.named_children
        later += reversed(rest)
    return [*reversed([*later, node])]
