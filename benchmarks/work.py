"""Sessions of real work: commands, reads and edits over the source of installed packages, and calls of a business.

An agent looks at a file, reads on in it, searches for its names and edits its lines, so that outputs and actions share
words as they do in a real session. Every text of a file is real: it has the rhythm, the words and the oddities that
slow patterns down. The seed determines everything for one environment.
"""

from __future__ import annotations

import functools
import itertools
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pydantic

COMMANDS, FILES, BUSINESS = "commands", "reads and edits", "business calls"
_SIZES = range(4_000, 80_000)  # bytes of a file that is worked on
_MOST_FILES = 300
_LINES = 120  # lines that are read at a time
_NAME = re.compile(r"\b(?:def|class) (\w{4,})")
_FIRST = "Ann Ben Carla David Eva Frank Grace Hugo Ida Jonas Karin Liam Mona Nils Olga Paul Rosa Sven Tara Uwe".split()
_LAST = "Adler Berg Costa Dahl Ekman Fischer Gruber Holm Ivanov Jansen Keller Lind Moreau Novak Ortiz Peters".split()
_GOODS = "kettle lamp desk chair keyboard monitor headset backpack bottle jacket blanket toaster".split()


class Done(NamedTuple):
    """One step of a session: the sort of work, the call, and what the tool returns."""

    sort: str
    tool: str
    args: dict[str, Any]
    output: Any


def coding(seed: int) -> Iterator[Done]:
    """An agent that mends source code. It stays with a file for a dozen steps."""
    chance = random.Random(f"coding {seed}")
    while True:
        file = chance.choice(_files())
        for _ in range(chance.randrange(6, 18)):
            yield chance.choices(_CODING, _SHARES)[0](file, chance)


def support(seed: int) -> Iterator[Done]:
    """An agent that answers customers of a shop: it looks up, then changes or writes what it has seen."""
    chance = random.Random(f"support {seed}")
    for number in itertools.count(1):
        customer, orders = _customer(chance), [_order(chance) for _ in range(chance.randrange(2, 6))]
        order, key = chance.choice(orders), {"customer_id": customer["customer_id"]}
        named = {"order_id": order["order_id"]}
        found = {**customer, "open_tickets": [f"TCK-{48_000 + number}"]}
        yield Done(BUSINESS, "find_customer", {"email": customer["email"]}, found)
        yield Done(BUSINESS, "list_orders", key, {**key, "orders": orders})
        yield Done(BUSINESS, "get_order", named, order)
        note = f"{customer['name']} asked about the {order['items'][0]['name']} of order {order['order_id']}."
        ticket = {"ticket_id": f"TCK-{48_000 + number}", "status": "pending", "note": note}
        yield Done(BUSINESS, "update_ticket", ticket, {**ticket, "updated": True})
        body = f"Dear {customer['name']},\n\nyour order {order['order_id']} is {order['status']}.\n\nKind regards"
        mail = {"to": customer["email"], "subject": f"Your order {order['order_id']}", "body": body}
        yield Done(BUSINESS, "send_email", mail, "sent")


class _File(NamedTuple):
    """A file of source code: its path as the agent sees it, its lines, the names that it defines."""

    path: str
    lines: list[str]
    names: list[str]

    def part(self, chance: random.Random, lines: int) -> tuple[int, str]:
        """The number of a line, and the text from there on."""
        start = chance.randrange(max(len(self.lines) - lines, 1))
        return start + 1, "\n".join(self.lines[start : start + lines])


@functools.cache
def _files() -> list[_File]:
    """Files of the installed packages, evenly chosen. Raises SystemExit if there are none."""
    root = Path(pydantic.__file__).parents[1]  # where this environment's packages are, wherever it takes them from
    paths = [path for path in sorted(root.glob("*/*.py")) if path.stat().st_size in _SIZES]
    read = (_read(path, root) for path in paths[:: max(len(paths) // _MOST_FILES, 1)])
    files = [file for file in read if file.names]
    if not files:
        raise SystemExit(f"no source code below {root}")
    return files


def _read(path: Path, root: Path) -> _File:
    text = path.read_text(encoding="utf-8", errors="replace")
    return _File(f"src/{path.relative_to(root).as_posix()}", text.splitlines(), sorted(set(_NAME.findall(text))))


def _shows(file: _File, chance: random.Random) -> Done:
    start, text = file.part(chance, _LINES)
    return Done(COMMANDS, "bash", {"command": f"sed -n '{start},{start + _LINES - 1}p' {file.path}"}, text)


def _searches(file: _File, chance: random.Random) -> Done:
    name = chance.choice(file.names)
    found = "\n".join(f"{file.path}:{at}:{line}" for at, line in enumerate(file.lines, 1) if name in line)
    return Done(COMMANDS, "bash", {"command": f'grep -rn "{name}" {Path(file.path).parent} --include=*.py'}, found)


def _tests(file: _File, chance: random.Random) -> Done:
    name, command = chance.choice(file.names), f"python -m pytest tests/test_{Path(file.path).stem}.py -q"
    passed = f"{'.' * 40} [100%]\n{chance.randrange(9, 90)} passed in {chance.randrange(1, 90) / 10}s"
    return Done(COMMANDS, "bash", {"command": f"{command} -k {name} 2>&1 | tail -20"}, passed)


def _compares(file: _File, chance: random.Random) -> Done:
    start, text = file.part(chance, 30)
    before = f"--- a/{file.path}\n+++ b/{file.path}\n@@ -{start},30 +{start},31 @@\n"
    return Done(COMMANDS, "bash", {"command": f"git diff -- {file.path}"}, before + text.replace("\n", "\n "))


def _counts(file: _File, chance: random.Random) -> Done:
    name = chance.choice(file.names)
    code = f"import ast\ntree = ast.parse(open('{file.path}').read())\nprint('{name}', len(list(ast.walk(tree))))"
    return Done(COMMANDS, "bash", {"command": f"python3 - <<'EOF'\n{code}\nEOF"}, f"{name} {chance.randrange(9_999)}")


def _rewrites(file: _File, chance: random.Random) -> Done:
    _, text = file.part(chance, 40)
    target = f"/tmp/{Path(file.path).stem}_copy.py"
    return Done(COMMANDS, "bash", {"command": f"cat > {target} <<'END_OF_FILE'\n{text}\nEND_OF_FILE"}, "")


def _reads(file: _File, chance: random.Random) -> Done:
    start, text = file.part(chance, _LINES)
    return Done(FILES, "read_file", {"path": file.path, "offset": start, "limit": _LINES}, text)


def _edits(file: _File, chance: random.Random) -> Done:
    _, old = file.part(chance, 6)
    name = chance.choice(file.names)
    edit = {"path": file.path, "old_string": old, "new_string": f"{old}\n# {name} is read here as well"}
    return Done(FILES, "edit_file", edit, f"The file {file.path} has been updated.")


_CODING: tuple[Callable[[_File, random.Random], Done], ...] = (
    _shows,
    _searches,
    _tests,
    _compares,
    _counts,
    _rewrites,
    _reads,
    _edits,
)
_SHARES = (20, 16, 12, 8, 3, 2, 20, 14)


def _customer(chance: random.Random) -> dict[str, Any]:
    first, last, number = chance.choice(_FIRST), chance.choice(_LAST), chance.randrange(10**6)
    address = {"street": f"{last} Street {number % 90}", "city": "Hamburg", "zip": f"{20_000 + number % 900}"}
    mail = f"{first}.{last}{number % 1_000}@example.com".lower()
    return {"customer_id": f"CUS-{number:06}", "name": f"{first} {last}", "email": mail, "address": address}


def _order(chance: random.Random) -> dict[str, Any]:
    items: list[dict[str, Any]] = [
        {"sku": f"SKU-{chance.getrandbits(32):08x}", "name": chance.choice(_GOODS), "price": chance.randrange(9, 300)}
        for _ in range(chance.randrange(1, 4))
    ]
    status = chance.choice(("pending", "processed", "shipped", "delivered"))
    total = sum(item["price"] for item in items)
    return {"order_id": f"ORD-{chance.randrange(10**6):06}", "items": items, "total": total, "status": status}
