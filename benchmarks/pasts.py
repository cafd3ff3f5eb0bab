"""Realistic sessions of agents: steps with outputs of 5 KB each.

Source code and prose are cut from the standard library and from the descriptions of installed packages, since real text
has the words, rhythm and oddities that slow patterns down; the rest is generated. The seed determines everything.
"""

from __future__ import annotations

import functools
import importlib.metadata
import json
import random
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

OUTPUT = 5_000  # characters of one output
_ENOUGH = 8_000_000  # characters of real text to cut from
_NOUNS = (
    "order shipment invoice customer warehouse refund ticket account project deadline review budget report team "
    "contract delivery stock release plan draft figure table summary quarter supplier address number status update "
    "change request answer question price offer total morning office travel hotel flight booking agenda note file"
)
_FIRST_NAMES = "Ann Ben Carla David Eva Frank Grace Hugo Ida Jonas Karin Liam Mona Nils Olga Paul Rosa Sven Tara Uwe"
_LAST_NAMES = "Adler Berg Costa Dahl Ekman Fischer Gruber Holm Ivanov Jansen Keller Lind Moreau Novak Ortiz Peters"
_WORDS, _FIRST, _LAST = _NOUNS.split(), _FIRST_NAMES.split(), _LAST_NAMES.split()


class Past(NamedTuple):
    """One step of a session, and its output."""

    tool: str
    args: dict[str, Any]
    output: Any


def session_of(sort: str, steps: int, seed: int = 0) -> Iterator[Past]:
    """The steps of a session of one sort of work. Sessions of the same sort and seed have the same beginning."""
    chance = random.Random(f"{sort} {seed}")
    return (SORTS[sort](number, chance) for number in range(steps))


def _coding(number: int, chance: random.Random) -> Past:
    """A coding agent at its shell, one command after another over source code."""
    name, line, text = f"src/pkg/module_{number}.py", chance.randrange(1, 900), _piece(_source(), chance)
    word = chance.choice(_WORDS)
    commands = (
        f"sed -n '{line},{line + 120}p' {name}",
        f"grep -rn 'def {word}_{number}' src --include='*.py' | head -40",
        f"cat {name}",
        f"cd src && git diff HEAD~{number % 7} -- {name}",
        f"python -m pytest tests/test_{word}_{number}.py -q 2>&1 | tail -40",
        f"sed -i 's/{word}_{number}/{word}_limit/' {name}",
        f"cat > {name} <<'EOF'\n{text[:1_500]}\nEOF",
        f"mkdir -p build/{word} && cp {name} build/{word}/ && ls -la build/{word}",
        f"git add {name} && git commit -m 'Read the {word} from the settings ({number})'",
        f"git checkout -b {word}-{number} && git status --short",
        f"rm -rf build/{word}-{number} && make {word} > /tmp/{word}.log 2>&1; tail -50 /tmp/{word}.log",
        f"curl -s https://api.example.com/{word}/{number} -o /tmp/{word}-{number}.json",
        f"python - <<'EOF'\nimport json\nprint(json.load(open('/tmp/{word}-{number}.json'))['{word}'])\nEOF",
    )
    return Past("bash", {"command": chance.choice(commands)}, text)


def _reading(number: int, chance: random.Random) -> Past:
    """A coding agent that reads files with a tool of its own."""
    return Past("read_file", {"path": f"src/pkg/module_{number}.py"}, _piece(_source(), chance))


def _browsing(number: int, chance: random.Random) -> Past:
    """An agent that reads documentation: Markdown."""
    return Past("fetch", {"url": f"https://docs.example.org/page/{number}"}, _piece(_prose(), chance))


def _operating(number: int, chance: random.Random) -> Past:
    """An agent that looks through logs."""
    levels, at = ("INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"), number * 977
    lines, size = [], 0
    while size < OUTPUT:
        at += chance.randrange(1, 900)
        message = " ".join(chance.choices(_WORDS, k=chance.randrange(3, 9)))
        lines.append(
            f"2026-03-{1 + at // 86_400_000 % 28:02}T{at // 3_600_000 % 24:02}:{at // 60_000 % 60:02}:"
            f"{at // 1_000 % 60:02}.{at % 1_000:03}Z {chance.choice(levels):5} [worker-{chance.randrange(32)}] "
            f"com.example.{chance.choice(_WORDS)}.{chance.choice(_WORDS).title()}Service - {message} "
            f"id={chance.getrandbits(64):016x} took={chance.randrange(4_000)}ms"
        )
        size += len(lines[-1]) + 1
    return Past(
        "bash", {"command": f"kubectl logs deploy/{chance.choice(_WORDS)}-{number} --tail 40"}, "\n".join(lines)
    )


def _serving(number: int, chance: random.Random) -> Past:
    """An agent of a shop that looks up records: JSON, as a value or as text."""
    rows: list[dict[str, Any]] = []
    while len(rows) < 17:
        first, last = chance.choice(_FIRST), chance.choice(_LAST)
        rows.append(
            {
                "order_id": f"ORD-{chance.randrange(10**6):06}",
                "customer": {"name": f"{first} {last}", "email": _mail(first, last, chance)},
                "items": [{"sku": f"SKU-{chance.getrandbits(32):08x}", "quantity": chance.randrange(1, 9)}],
                "total": chance.randrange(100, 99_999) / 100,
                "status": chance.choice(("open", "paid", "shipped", "returned")),
                "created_at": f"2026-0{chance.randrange(1, 10)}-{chance.randrange(1, 29):02}T10:00:00Z",
                "note": " ".join(chance.choices(_WORDS, k=6)),
            }
        )
    output = rows if number % 2 else json.dumps(rows, indent=1)
    return Past("search_orders", {"customer_id": f"CUS-{chance.randrange(10**6):06}", "page": number}, output)


def _corresponding(number: int, chance: random.Random) -> Past:
    """An assistant that reads mail, which often contains requests to its reader."""
    mails, size = [], 0
    while size < OUTPUT:
        first, last, other = chance.choice(_FIRST), chance.choice(_LAST), chance.choice(_FIRST)
        about, body = chance.choice(_WORDS), _sentences(chance)
        mails.append(
            f"From: {first} {last} <{_mail(first, last, chance)}>\nTo: {other} <{_mail(other, 'Smith', chance)}>\n"
            f"Date: Tue, {chance.randrange(1, 29)} Mar 2026 09:14:02 +0100\n"
            f"Subject: Re: {about} {chance.randrange(1_000)}\n\nHi {other},\n\n{body}\n\n"
            f"Could you please send me the {about} by Friday? Let me know if anything is missing.\n\n"
            f"Best regards\n{first}\n"
        )
        size += len(mails[-1])
    return Past("read_email", {"id": f"msg_{number}"}, "\n---\n".join(mails)[:OUTPUT])


def _sentences(chance: random.Random) -> str:
    sentences = (" ".join(chance.choices(_WORDS, k=chance.randrange(5, 14))).capitalize() + "." for _ in range(6))
    return "\n".join(sentences)


def _mail(first: str, last: str, chance: random.Random) -> str:
    return f"{first}.{last}{chance.randrange(1_000)}@example.com".lower()


def _piece(text: str, chance: random.Random) -> str:
    start = chance.randrange(len(text) - OUTPUT)
    return text[start : start + OUTPUT]


@functools.cache
def _source() -> str:
    """The standard library."""
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*/*.py")) + sorted(
        Path(sysconfig.get_path("stdlib")).glob("*.py")
    )
    return "\n".join(_texts(files))


def _texts(files: list[Path]) -> Iterator[str]:
    room = _ENOUGH
    for file in files:
        if room > 0 and "site-packages" not in file.parts:
            text = file.read_text(encoding="utf-8", errors="replace")
            room -= len(text)
            yield text


@functools.cache
def _prose() -> str:
    """The descriptions of the installed distributions, most of them in Markdown."""
    descriptions = (each.metadata.get_payload() for each in importlib.metadata.distributions())
    return "\n".join(sorted({text for text in descriptions if isinstance(text, str)}))


SORTS: dict[str, Callable[[int, random.Random], Past]] = {
    "a shell over source code": _coding,
    "files of source code": _reading,
    "pages of Markdown": _browsing,
    "logs": _operating,
    "JSON of records": _serving,
    "e-mails": _corresponding,
}
