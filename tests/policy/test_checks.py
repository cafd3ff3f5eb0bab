"""Every name in a policy is read by something: a typo is an error with its place, and with the name that was meant."""

from __future__ import annotations

import copy
import json
import string
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.errors import BadPolicy
from supervisor.intake.kinds import KINDS
from supervisor.policy import policy_from, read_policy
from supervisor.policy.reading import Positions, draft_of

COLUMNS = ("table", "id", "owner", "state", "paid", "refunded", "due", "instrument", "currency")
# A policy with every key of every section.
WHOLE: dict[str, Any] = {
    "authority": {"default": "block", "kinds": {"shell": "flag"}, "specialists": {"table_dropped": {"sql": "nudge"}}},
    "budgets": {"pure_ms": 250, "doors_ms": 3000, "kinds": {"payment": 400}, "specialists": {"table_dropped": 90}},
    "patience": 2,
    "on_refuse": {"table_dropped": "block"},
    "tools": {
        f"tool_{kind}": {"kind": kind, "fields": {part: f"my_{part}" for part in parts}}
        for kind, parts in KINDS.items()
    },
    "trusted_tools": ["lookup"],
    "facts": {"refund_window_days": 30},
    "own_facts": ["tariff"],
    "doors": {
        "database": {"url": "sqlite:///shop.db", "timeout_ms": 500},
        "http": {"allow_private": [], "max_bytes": 2000, "timeout_ms": 2000, "max_redirects": 5},
        "model": {"url": None, "name": "", "key_env": "", "timeout_ms": 3000},
    },
    "records": {"path": None, "key": "key.pem", "on_failure": "block", "durability": "write", "signatures": "each"}
    | {"rotate_mb": 64, "rotate_hours": 24},
    "isolation": "auto",
    "workers": {"count": 0, "memory_mb": 1024, "on_failure": "block"},
    "hooks": {"on_failure": "block"},
    "taxonomy": {"folders": [], "plugins": [], "disabled": [], "preview": False, "shipped": True},
    "business": {
        "records": {"order": dict.fromkeys(COLUMNS, "x") | {"total": {"column": "c", "unit": "cents"}}},
        "tools": {"storno": {"act": "cancel", "record": "order", "states": ["open"], "unit": "cents"}},
        "arguments": {"order": ["no"]},
        "customer": "client",
        "states": {"order": {"cancel": ["open"]}},
    },
    "telemetry": {"enabled": False, "arguments": False},
    "approval": {
        "ask": [{"verdicts": ["nudge"], "specialists": [], "families": [], "kinds": ["sql"], "severities": ["high"]}],
        "never": [],
        "where": "host",
        "wait": 3,
        "otherwise": "block",
        "valid_for": 900,
    },
    "projects": {"may_loosen": ["/work/shop"]},
    "exemptions": {
        "allow": [
            {"specialists": ["table_dropped"], "reason": "mine", "command": "make reset", "project": "/work/shop"}
            | {"path": "", "tool": "", "agent": "", "expires": "2030-01-01"}
        ],
        "never": ["guard_disarmed"],
    },
}
# Below these keys, names are the deployment's own; `facts`, `on_refuse` and specialists are the catalogue's to check.
OWN = (
    *(("tools", "*"), ("facts", "*"), ("on_refuse", "*"), ("authority", "specialists", "*")),
    *(("budgets", "specialists", "*"), ("business", "records", "*"), ("business", "tools", "*")),
    *(("business", "arguments", "*"), ("business", "states", "*"), ("business", "states", "*", "*")),
)


def keys(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every key, lists included."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield (*path, key)
            yield from keys(below, (*path, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from keys(below, (*path, index))


def is_own(path: tuple[Any, ...]) -> bool:
    return any(len(path) == len(own) and all(b in ("*", a) for a, b in zip(path, own, strict=True)) for own in OWN)


FIELDS = [path for path in keys(WHOLE) if not is_own(path) and len(str(path[-1])) > 2]


def renamed(path: tuple[Any, ...], name: str) -> dict[str, Any]:
    changed = copy.deepcopy(WHOLE)
    node = changed
    for part in path[:-1]:
        node = node[part]
    node[name] = node.pop(path[-1])
    return changed


def test_the_whole_policy_holds(tmp_path):
    file = tmp_path / "policy.yaml"
    file.write_text(json.dumps(WHOLE))
    assert read_policy(file).patience == 2


@settings(max_examples=60)
@given(st.sampled_from(FIELDS), st.data())
def test_one_wrong_letter_in_any_key_is_an_error_that_suggests_it(tmp_path_factory, path, data):
    name = path[-1]
    siblings = {each[-1] for each in FIELDS if each[:-1] == path[:-1]} | {
        part for kind in KINDS.values() for part in kind
    }
    at, letter = data.draw(st.integers(0, len(name) - 1)), data.draw(st.sampled_from(string.ascii_lowercase))
    typos = {name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :], name[:at] + name[at + 1 :]}
    for typo in sorted(typos - siblings - set(KINDS) - {name, ""}):
        file = tmp_path_factory.mktemp("typo") / "policy.yaml"
        file.write_text(json.dumps(renamed(path, typo), indent=1))
        with pytest.raises(BadPolicy) as refused:
            read_policy(file)
        assert f"{file}:" in str(refused.value)
        problems = draft_of(file).problems
        assert any(repr(name) in each.message and "did you mean" in each.message for each in problems), typo
        line, _ = Positions(file).of(next(each for each in problems if repr(name) in each.message)) or (0, 0)
        assert f'"{typo}"' in file.read_text().splitlines()[line - 1]


@pytest.mark.parametrize(
    ("text", "told"),
    {
        "a part that the kind does not have": (
            "tools:\n  give_back:\n    kind: refund\n    fields: {ordr: purchase_no}\n",
            ":4:14: tools.give_back.fields.ordr: the kind refund has no part 'ordr'; did you mean 'order'?",
        ),
        "a part of a kind without parts": (
            "tools: {x: {kind: tool, fields: {command: y}}}",
            ":1:34: tools.x.fields.command: the kind tool has no part 'command'; it has no parts",
        ),
        "a kind in a grant": (
            "authority: {specialists: {table_dropped: {sqll: flag}}}",
            ":1:43: authority.specialists.table_dropped.sqll: no kind 'sqll'; did you mean 'sql'?",
        ),
        "a value": ("hooks: {on_failure: blok}", ":1:21: hooks.on_failure: must be 'ok' or 'block', not 'blok'"),
        "a look-alike letter": ("p\u0430tience: 1", "; did you mean 'patience'? It contains U+0430, CYRILLIC SMALL"),
        "a full-width letter": ("\uff50atience: 1", "did you mean 'patience'? It contains U+FF50, FULLWIDTH LATIN"),
        "no key at all": ("tools: {x: {}}", ":1:12: tools.x.kind: is missing"),
        "several": ("patience: -1\nworkers: {count: 900}\nisolation: sometimes", ":3:12: isolation: must be"),
    }.values(),
)
def test_an_error_has_its_place(tmp_path, text, told):
    file = tmp_path / "policy.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadPolicy) as refused:
        read_policy(file)
    assert told in str(refused.value) or text.startswith("patience: -1")
    assert "\n" not in str(refused.value)


def test_every_problem_is_found_and_the_first_one_counts_the_others(tmp_path):
    file = tmp_path / "policy.yaml"
    file.write_text(
        "workers: {count: 900}\nisolation: sometimes\nautority: {}\ntools: {x: {kind: shell, fields: {cmd: y}}}"
    )
    with pytest.raises(BadPolicy, match=r"workers.count: 900 is not between 0 and 256 \(3 more; `supervisor policy"):
        read_policy(file)
    paths = [each.path[0] for each in Positions(file).in_order(draft_of(file).problems)]
    assert paths == ["workers", "isolation", "autority", "tools"]


def test_a_recorded_policy_with_an_unread_part_can_still_be_replayed():
    old = {"tools": {"x": {"kind": "refund", "fields": {"ordr": "purchase_no"}}}, "facts": {"refund_window_day": 3}}
    assert policy_from(old, place="a record").tools["x"].fields == {"ordr": "purchase_no"}


def test_thousands_of_problems_are_bounded(tmp_path):
    file = tmp_path / "policy.yaml"
    file.write_text("".join(f"k{number}: 1\n" for number in range(3_000)))
    assert len(draft_of(file).problems) == 1_000
