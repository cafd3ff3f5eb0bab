"""What JavaScript sends over the network, the decoded or downloaded code that it runs, and the shells that it opens."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from supervisor.evidence.effects.decoders import DECODING
from supervisor.evidence.effects.effect import Act, Effect, Part, Payload, Where
from supervisor.evidence.effects.hosts import host_in, place_of_host
from supervisor.evidence.effects.javascript import CallReading
from supervisor.evidence.effects.network import Sent
from supervisor.evidence.effects.remote_shells import EXPOSES, shell, shell_in_code
from supervisor.evidence.javascript import Call, Program
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.reading.paths import HOLE, Place, resolve

_LONGEST = 16_384  # characters of an argument that are searched
_MOST_NODES = 256
_READS = frozenset(
    f"{module}.{name}"
    for module in ("fs", "fs.promises", "fs-extra", "graceful-fs", "Deno", "Bun")
    for name in ("createReadStream", "file", "readFile", "readFileSync", "readTextFile", "readTextFileSync")
)


def parts_of_sockets(program: Program, where: Where) -> Iterator[Part]:
    """A shell that is tied to a socket."""
    modules = {call.name.partition(".")[0] for call in (*program.calls, *program.constructions)}
    if not {"child_process", "net"} <= modules:
        return  # the modules are only mentioned in a text, not called
    if shell_in_code("node", program.source.decode("utf-8", "replace")) is not None:
        yield Part(EXPOSES, lambda: (shell(_peer_of(program), "child_process and net", where.command),))


def _peer_of(program: Program) -> str:
    """The host that a program's socket is connected to."""
    for call in program.calls:
        if call.method in ("connect", "createConnection"):
            given = [call.option(0, "host"), *call.arguments[:2]]
            texts = [text_of(program, node) for node in given if node is not None and node.type != "number"]
            return next((text for text in texts if text.strip(HOLE)), HOLE)
    return HOLE


# Requests


def _requested(call: Call, where: Where) -> Iterator[Effect]:
    """An address and the data sent there: `fetch(url, {body})`, `axios.post(url, data)`, `axios({url, data})`."""
    program, url = call.code, call.option(0, "url") or call.option(0, "hostname") or call.argument(0)
    address = text_of(program, url)
    host = host_in(address) if address.strip(HOLE) else HOLE
    yield Effect(Act.RECEIVE, host, place_of_host(host), address, text=call.text, command=where.command)
    for body in filter(None, [*call.arguments[1:], call.option(0, "data"), call.option(0, "json"), url]):
        for payload in _payloads_in(program, body, where):
            sent = Sent(
                Act.SEND, host, place_of_host(host), "post", text=call.text, content=payload.path, payload=payload
            )
            sent.command = where.command
            yield sent


def _payloads_in(program: Program, node: Node, where: Where) -> Iterator[Payload]:
    """The environment and the files that a value contains, followed through names."""
    for each in _nodes(program, node):
        if each.type == "member_expression" and _is_whole_environment(program, each):
            yield Payload("environment", command=where.command)
        elif each.type == "call_expression" and (call := Call(program, each)).name in _READS:
            path = text_of(program, call.argument(0))
            if path.strip(HOLE):
                resolved = resolve(path, where.cwd)
                yield Payload("file", resolved, where.ground.scope_of(resolved, where.command), command=where.command)


def _is_whole_environment(program: Program, node: Node) -> bool:
    """Whether a node is `process.env` itself, not one variable of it."""
    inside = node.parent is not None and node.parent.type in ("member_expression", "subscript_expression")
    return not inside and program.name_of(node) == "process.env"


def _nodes(program: Program, node: Node) -> Iterator[Node]:
    """The first _MOST_NODES nodes of a value and of the values that its names have."""
    stack, followed, seen = [node], set[str](), 0
    while stack and seen < _MOST_NODES:
        here = stack.pop()
        seen += 1
        program.follow()
        yield here
        stack.extend(here.named_children)
        name = program.text(here) if here.type in ("identifier", "shorthand_property_identifier") else ""
        if name in program.values and name not in followed:
            followed.add(name)
            stack.append(program.values[name])


# Code that is not part of the action's text


def _evaluated(call: Call, where: Where) -> Iterator[Effect]:
    """`eval(atob("…"))`, `new Function(Buffer.from("…", "base64"))`, `eval(await (await fetch(url)).text())`."""
    program, given = call.code, call.arguments[-1] if call.arguments else None
    nodes = list(_nodes(program, given)) if given is not None else []
    is_literal = any(each.type == "string" and len(program.text(each)) >= 10 for each in nodes)
    for each in nodes:
        if each.type != "call_expression":
            continue
        inner = Call(program, each)
        if is_literal and DECODING.search(program.text(each)[:_LONGEST]):
            yield Effect(Act.EXECUTE, HOLE, Place.UNKNOWN, "decoded", text=call.text, command=where.command)
            return
        if inner.name in _FETCHES:
            url = text_of(program, inner.argument(0))
            yield Effect(Act.EXECUTE, url, Place.UNKNOWN, "download", text=call.text, command=where.command)
            return


_FETCHES = frozenset({"axios.get", "fetch", "got", "needle.get", "node-fetch", "superagent.get", "undici.fetch"})
_METHODS = ("delete", "get", "patch", "post", "put", "request")
_CLIENTS = ("axios", "got", "http", "https", "ky", "needle", "superagent", "undici")
_OUT = CallReading(frozenset({Act.SEND, Act.RECEIVE}), _requested)
_RUN = CallReading(frozenset({Act.EXECUTE}), _evaluated)
CALLS = {
    **dict.fromkeys((f"{client}.{method}" for client in _CLIENTS for method in _METHODS), _OUT),
    **dict.fromkeys(("axios", "fetch", "got", "ky", "navigator.sendBeacon", "node-fetch", "undici.fetch"), _OUT),
    **dict.fromkeys(("eval", "Function", "vm.runInNewContext", "vm.runInThisContext", "vm.Script"), _RUN),
}
