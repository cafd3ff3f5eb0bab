"""What Python sends over the network, the decoded or downloaded code that it runs, and the remote shells it opens."""

from __future__ import annotations

import bisect
import functools
from collections.abc import Iterator
from itertools import islice

from supervisor.evidence.effects.calls import CallReading
from supervisor.evidence.effects.decoders import DECODING
from supervisor.evidence.effects.effect import Act, Effect, Payload, Where
from supervisor.evidence.effects.hosts import host_in, place_of_host
from supervisor.evidence.effects.network import Sent
from supervisor.evidence.effects.remote_shells import is_shell, shell
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python import Value as Node
from supervisor.evidence.python.values import string_of
from supervisor.evidence.reading.paths import HOLE, Place, resolve

_CLIENTS = ("aiohttp.ClientSession()", "httpx", "httpx.Client()", "requests", "requests.Session()")
_BODIES = ("content", "data", "files", "json", "params")
_OPENERS = ("open", "io.open", "pathlib.Path", "Path")
_LONGEST = 16_384  # characters of an argument that are searched
_MOST_NODES = 256


# Requests


def _requested(call: Call, where: Where) -> Iterator[Effect]:
    url = call.argument(1 if call.method in ("request", "stream") else 0, "url")
    address = _text_of(call.code, url)
    host = host_in(address) if address else HOLE
    yield Effect(Act.RECEIVE, host, place_of_host(host), address or "", text=call.text, command=where.command)
    bodies = [value for name, value in call.keywords.items() if name in _BODIES]
    if call.method in ("post", "put", "patch", "urlopen", "Request") and len(call.positional) > 1:
        bodies.append(call.positional[1])
    verb = "upload" if "files" in call.keywords else "post"
    for body in [*bodies, *([url] if url is not None else [])]:
        for payload in _payloads_in(call, body, where):
            yield Sent(
                Act.SEND,
                host,
                place_of_host(host),
                verb,
                text=call.text,
                content=payload.path,
                command=where.command,
                payload=payload,
            )


def _payloads_in(call: Call, node: Node, where: Where) -> Iterator[Payload]:
    """The environment and the files that an argument contains, followed through names that are assigned once."""
    for value in _followed(call.code, node):
        if any(_is_whole_environment(call.code, each) for each in _nodes(value, "attribute")):
            yield Payload("environment", command=where.command)
        for path in filter(None, map(_opened, _calls_in(call.code, value))):
            resolved = resolve(path, where.cwd)
            yield Payload("file", resolved, where.ground.scope_of(resolved, where.command), command=where.command)


def _is_whole_environment(module: Module, node: Node) -> bool:
    """Whether a node is `os.environ` or a copy of it, not one variable of it."""
    parent = node.parent
    if module.name_of(node) != "os.environ" or parent is None or parent.type == "subscript":
        return False
    return parent.type != "attribute" or module.text(parent).endswith((".copy", ".items", ".values"))


def _opened(call: Call) -> str | None:
    if call.name not in _OPENERS and call.name != "os.path.expanduser":
        return None
    return string_of(call.code, call.positional[0]) if call.positional else None


def _followed(module: Module, node: Node) -> list[Node]:
    """A value, and the values assigned to the names in it."""
    values, names = [node], {module.text(node)} | {module.text(each) for each in _nodes(node, "identifier")}
    values += [value for target, value in module.assignments if target in names]
    values += [value for target, value in module.bindings if target in names]
    return values[:32]


def _nodes(node: Node, kind: str) -> Iterator[Node]:
    """The nodes of a kind among the first few hundred nodes of a value."""
    stack, seen = [node], 0
    while stack and seen < _MOST_NODES:
        here = stack.pop()
        seen += 1
        if here.type == kind:
            yield here
        stack.extend(here.named_children)


def _text_of(module: Module, node: Node | None) -> str | None:
    """The text of a string, with a HOLE for each interpolation; None for anything else."""
    if node is None:
        return None
    plain = string_of(module, node)
    if plain is not None:
        return plain
    if node.type == "string":
        parts = (c for c in node.children if c.type in ("string_content", "interpolation"))
        return "".join(HOLE if child.type == "interpolation" else module.text(child) for child in parts)
    return _text_of(module, node.named_children[0]) if node.type == "binary_operator" else None


# Decoded code


def _ran_decoded(call: Call, where: Where) -> Iterator[Effect]:
    if call.positional and is_decoded(call.code, call.positional[0]):
        yield Effect(Act.EXECUTE, HOLE, Place.UNKNOWN, "decoded", text=call.text, command=where.command)


def _ran_downloaded(call: Call, where: Where) -> Iterator[Effect]:
    """`exec(requests.get(url).text)`."""
    for value in _followed(call.code, call.positional[0]) if call.positional else ():
        for inner in _calls_in(call.code, value):
            if inner.name in _FETCHES:
                url = _text_of(call.code, inner.argument(0, "url")) or HOLE
                yield Effect(Act.EXECUTE, url, Place.UNKNOWN, "download", text=call.text, command=where.command)
                return


def _evaluated(call: Call, where: Where) -> Iterator[Effect]:
    yield from _ran_decoded(call, where)
    yield from _ran_downloaded(call, where)


def _calls_in(module: Module, value: Node) -> Iterator[Call]:
    """The calls in a value, in the order of the text."""
    first = bisect.bisect_left(module.calls, value.start_byte, key=lambda call: call.node.start_byte)
    for call in islice(module.calls, first, None):
        if call.node.start_byte >= value.end_byte:
            return
        if call.node.end_byte <= value.end_byte:
            yield call


def is_decoded(module: Module, node: Node) -> bool:
    """Whether a value is decoded from a literal in the code: `base64.b64decode("…")`, also through a name."""
    for value in _followed(module, node):
        for inner in _calls_in(module, value):
            if DECODING.search(inner.name + "(" + inner.text[len(inner.name) :][:60]) and _is_literal(inner):
                return True
    return False


def _is_literal(call: Call) -> bool:
    """Whether the decoded text is a literal in the code, and is long enough to contain a command."""
    texts = [module_text for each in call.positional[:1] if (module_text := _literal_of(call.code, each))]
    return any(len(text) >= 8 for text in texts)


def _literal_of(module: Module, node: Node) -> str:
    for value in _followed(module, node):
        text = module.text(value)
        if value.type in ("string", "concatenated_string", "list") or ('"' in text or "'" in text):
            return text
    return ""


# Shells over sockets


def _tied(call: Call, where: Where) -> Iterator[Effect]:
    """`os.dup2(s.fileno(), 0)`, `pty.spawn("/bin/sh")` beside a socket; a process whose command was received."""
    module = call.code
    peer = _peer_of(module)
    if peer is None:
        return
    if call.name == "os.dup2" or _spawns_shell(call) or _runs_received(call):
        yield shell(peer, call.text, where.command)


def _spawns_shell(call: Call) -> bool:
    if call.name != "pty.spawn" and not any(name in call.keywords for name in ("stdin", "stdout")):
        return False
    first = call.positional[0] if call.positional else None
    word = string_of(call.code, first) if first is not None else None
    if word is None and first is not None and first.type == "list" and first.named_children:
        word = string_of(call.code, first.named_children[0])
    ties = (
        call.name == "pty.spawn" or "fileno" in call.text or "makefile" in call.code.source.decode("utf-8", "replace")
    )
    return word is not None and is_shell(word.partition(" ")[0]) and ties


def _runs_received(call: Call) -> bool:
    """Whether the command of a new process was received through a socket."""
    if call.name in ("os.dup2", "pty.spawn") or not call.positional:
        return False
    values = _followed(call.code, call.positional[0])
    return any(".recv(" in call.code.text(value)[:_LONGEST] for value in values)


@functools.lru_cache(maxsize=1)
def _peer_of(module: Module) -> str | None:
    """The host that a module's socket is connected to; None if the module has no socket."""
    ends = [each for each in module.calls if each.method in ("accept", "bind", "connect", "create_connection")]
    has_socket = any(each.name.startswith("socket.") for each in module.calls)
    return _peer(ends[0]) if ends and has_socket else None


def _peer(call: Call) -> str:
    first = call.positional[0] if call.positional else None
    if first is None or first.type != "tuple" or not first.named_children:
        return HOLE
    host = string_of(call.code, first.named_children[0])
    return "any address" if call.method in ("bind", "accept") else host or HOLE


_PROCESSES = (
    *("os.system", "os.popen", "subprocess.run", "subprocess.call", "subprocess.Popen", "subprocess.check_output"),
    *("subprocess.check_call", "subprocess.getoutput", "subprocess.getstatusoutput"),
)
_METHODS = ("get", "post", "put", "patch", "request")
_FETCHES = frozenset(
    (*(f"{client}.get" for client in ("httpx", "requests")), "urllib.request.urlopen", "urllib.request.urlretrieve")
)
_OUT = CallReading(frozenset({Act.SEND, Act.RECEIVE}), _requested)
_TIES = CallReading(frozenset({Act.EXPOSE}), _tied)


def _process(call: Call, where: Where) -> Iterator[Effect]:
    yield from _ran_decoded(call, where)
    yield from _tied(call, where)


CALLS = {
    **dict.fromkeys((f"{client}.{method}" for client in _CLIENTS for method in _METHODS), _OUT),
    **dict.fromkeys(("urllib.request.urlopen", "urllib.request.Request"), _OUT),
    **dict.fromkeys(("eval", "exec"), CallReading(frozenset({Act.EXECUTE}), _evaluated)),
    **dict.fromkeys(_PROCESSES, CallReading(frozenset({Act.EXECUTE, Act.EXPOSE}), _process)),
    **dict.fromkeys(("os.dup2", "pty.spawn"), _TIES),
}
