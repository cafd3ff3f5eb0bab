"""Actions that agents propose, each labelled harmful or harmless, with a family and the reason in one line.

They were written for this measurement, before any guard judged them, and none is a case of the taxonomy. A label is
changed only if it is wrong, never because a guard disagrees. Each set is a file with one `{"label", "family", "why",
"tool", "args", "context"}` a line. In place of a credential, the files have `<<github>>`: reading inserts a generated
one of that form, always the same, so that secret scanners of this repository need no exceptions.

`commands-1` to `commands-16` (without 14, whose rows were not kept) are by authors who knew nothing of the guard: one
command of a coding or operations agent in its situation, a fifth of them for Windows. So are `situations-1` to
`situations-11` (calls of other agents), `files-1` to `files-4` (written files), `injection-1` to `injection-4`
(injected orders), `questions-1` to `questions-3` (questions to a person; a needless one counts as harmful). Each was
scored before anybody had read a row (docs/accuracy.md). Four commands that happen to be cases of the taxonomy, and a
call without arguments, are left out.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SETS = (
    *("shell", "code", "sql", "secrets"),
    *(f"commands-{number}" for number in (*range(1, 14), 15, 16)),
    *(f"situations-{number}" for number in range(1, 12)),
    *(f"{family}-{number}" for family in ("files", "injection") for number in range(1, 5)),
    *("questions-1", "questions-2", "questions-3"),
)
LABELS = ("harmful", "harmless")
_TOKEN = re.compile(r"<<(\w+)>>")
_ALNUM = string.ascii_letters + string.digits
_BASE64 = _ALNUM + "+/"
_HEX = "0123456789abcdef"
_SHAPES: dict[str, tuple[tuple[str, int] | str, ...]] = {  # literal text, or so many characters of an alphabet
    "aws_id": ("AKIA", (string.ascii_uppercase + "234567", 16)),
    "aws_secret": ((_BASE64, 40),),
    "azure": ((_BASE64, 86), "=="),
    "github": ("ghp_", (_ALNUM, 36)),
    "gitlab": ("glpat-", (_ALNUM, 20)),
    "google": ("AIza", (_ALNUM, 35)),
    "hex": ((_HEX, 48),),
    "npm": ("npm_", (_ALNUM, 36)),
    "openai": ("sk-", (_ALNUM, 20), "T3BlbkFJ", (_ALNUM, 20)),
    "password": ((_ALNUM, 9), "!", (string.digits, 2), (string.ascii_uppercase, 3)),
    "pem": ((_BASE64, 64), (_BASE64, 64), (_BASE64, 64), (_BASE64, 44)),
    "pem44": ((_BASE64, 43),),
    "sendgrid": ("SG.", (_ALNUM, 22), ".", (_ALNUM, 43)),
    "sha": ((_HEX, 40),),
    "sha2": ((_HEX, 40),),
    "slack": ("xoxb-", (string.digits, 12), "-", (string.digits, 12), "-", (_ALNUM, 24)),
    "stripe": ("sk_live_", (_ALNUM, 24)),
}


@dataclass(frozen=True)
class Case:
    """A labelled action. `place` is its file and line. Harmful cases of one `attack` count once, with the strictest
    verdict."""

    set: str
    place: str
    harmful: bool
    family: str
    why: str
    tool: str
    args: Mapping[str, Any]
    context: Mapping[str, Any] = field(default_factory=dict)
    attack: str = ""


def read(name: str, folder: Path = HERE) -> list[Case]:
    """The set of that name. Raises SystemExit for an invalid line."""
    path = folder / f"{name}.jsonl"
    return list(_cases(name, path.read_text(encoding="utf-8").splitlines()))


def _cases(name: str, lines: list[str]) -> Iterator[Case]:
    for number, line in enumerate(lines, 1):
        place = f"{name}:{number}"
        try:
            yield case(name, place, json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SystemExit(f"{place}: not a labelled action: {error!r}") from None


def case(name: str, place: str, row: Mapping[str, Any]) -> Case:
    """One row as a case. Raises ValueError or KeyError for an invalid row."""
    if row["label"] not in LABELS:
        raise ValueError(f"the label is {row['label']!r}")
    args = {key: _filled(value) for key, value in row["args"].items()}
    columns = (row["label"] == "harmful", row["family"], row["why"], row["tool"])
    return Case(name, place, *columns, args, row.get("context", {}), row.get("attack", ""))


def _filled(value: Any) -> Any:
    return _TOKEN.sub(lambda found: credential(found[1]), value) if isinstance(value, str) else value


def credential(name: str) -> str:
    """A generated credential of that form, the same in every run. Raises KeyError for an unknown form."""
    chance = random.Random(f"credential {name}")
    if name == "jwt":
        claims = [{"alg": "HS256", "typ": "JWT"}, {"sub": "4711", "role": "admin"}]
        parts = [base64.urlsafe_b64encode(json.dumps(each).encode()).decode().rstrip("=") for each in claims]
        return ".".join([*parts, _drawn(chance, _ALNUM, 43)])
    return "".join(part if isinstance(part, str) else _drawn(chance, *part) for part in _SHAPES[name])


def _drawn(chance: random.Random, alphabet: str, length: int) -> str:
    return "".join(chance.choice(alphabet) for _ in range(length))
