"""One fact has one verdict in every format and in every mutation of its text: the setting counts, not its spelling."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml

from supervisor.errors import Unreadable
from supervisor.evidence.configuration import Fact, Fault, Weight, read, worsened
from tests.evidence.effort import hang_guard

Tree = dict[str, Any]


def facts(path: str, text: str, before: str | None = None) -> list[Fact]:
    document = read(path, text)
    assert document is not None
    return worsened(read(path, before) if before is not None else None, document)


def serious(path: str, text: str, before: str | None = None) -> set[Fault]:
    """The faults that are more than something to look at."""
    return {fact.fault for fact in facts(path, text, before) if fact.weight > Weight.SLIGHT}


# Each fact as a tree: the path of the file, what is bad, and the same that is right.
TREES: tuple[tuple[Fault, Tree, Tree], ...] = (
    (
        Fault.UNPROTECTED,
        {"db": {"engine": "postgres", "deletion_protection": False, "port": 5432}},
        {"db": {"engine": "postgres", "deletion_protection": True, "port": 5432}},
    ),
    (
        Fault.UNPROTECTED,
        {"db": {"backup_retention_period": 0, "engine": "postgres"}},
        {"db": {"backup_retention_period": 7, "engine": "postgres"}},
    ),
    (
        Fault.OPEN,
        {"ingress": {"from_port": 22, "to_port": 22, "protocol": "tcp", "cidr_blocks": ["0.0.0.0/0"]}},
        {"ingress": {"from_port": 443, "to_port": 443, "protocol": "tcp", "cidr_blocks": ["0.0.0.0/0"]}},
    ),
    (
        Fault.OPEN,
        {"ingress": {"from_port": 0, "to_port": 0, "protocol": "-1", "cidr_blocks": ["::/0", "10.0.0.0/8"]}},
        {"egress": {"from_port": 0, "to_port": 0, "protocol": "-1", "cidr_blocks": ["::/0", "10.0.0.0/8"]}},
    ),
    (
        Fault.RIGHTS,
        {"statement": {"effect": "Allow", "actions": ["*"], "resources": ["*"]}},
        {"statement": {"effect": "Allow", "actions": ["s3:ListAllMyBuckets"], "resources": ["*"]}},
    ),
    (
        Fault.DELETES,
        {"bucket": {"name": "uploads", "force_destroy": True}},
        {"bucket": {"name": "uploads", "force_destroy": False}},
    ),
    (Fault.COST, {"group": {"max_replicas": 5000, "name": "web"}}, {"group": {"max_replicas": 12, "name": "web"}}),
    (
        Fault.HOST,
        {"app": {"name": "a", "privileged": True}},
        {"app": {"name": "a", "privileged": False}},
    ),
    (Fault.CHECKS, {"client": {"verify_ssl": False}}, {"client": {"verify_ssl": True}}),
    (Fault.SILENT, {"alarm": {"actions_enabled": False}}, {"alarm": {"actions_enabled": True}}),
)


def as_hcl(tree: Tree) -> str:
    return "\n".join(f'resource "x" "{name}" {{\n{_hcl_body(name, inner)}}}\n' for name, inner in tree.items())


def _hcl_body(name: str, inner: Tree) -> str:
    lines = "".join(f"  {key} = {json.dumps(value)}\n" for key, value in inner.items())
    return f"  {name} {{\n{lines}  }}\n" if name in ("ingress", "egress", "statement") else lines


def as_toml(tree: Tree) -> str:
    return "".join(
        f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in inner.items())
        for name, inner in tree.items()
    )


def in_policy(tree: Tree) -> str:
    """As JSON in a text of YAML, as manifests and templates hold policies."""
    return yaml.safe_dump({"kind": "ConfigMap", "data": {"inner": json.dumps(tree)}})


def in_heredoc(tree: Tree) -> str:
    return f'resource "x" "y" {{\n  body = <<-EOF\n{json.dumps(tree, indent=2)}\n  EOF\n}}\n'


FORMATS: dict[str, tuple[str, Callable[[Tree], str]]] = {
    "yaml": ("a.yaml", yaml.safe_dump),
    "flow": ("b.yml", lambda tree: yaml.safe_dump(tree, default_flow_style=True)),
    "json": ("c.json", json.dumps),
    "indented": ("d.json", lambda tree: json.dumps(tree, indent=4)),
    "toml": ("e.toml", as_toml),
    "hcl": ("f.tf", as_hcl),
    "expression": ("g.tf", lambda tree: f'resource "x" "y" {{\n  body = jsonencode({json.dumps(tree)})\n}}\n'),
    "heredoc": ("h.tf", in_heredoc),
    "policy": ("i.yaml", in_policy),
    "several": ("j.yaml", lambda tree: f"kind: Other\n---\n{yaml.safe_dump(tree)}"),
}


def _key(key: str, style: str) -> str:
    words = key.split("_")
    if style == "camel":
        return words[0] + "".join(word.title() for word in words[1:])
    return {"pascal": "".join(word.title() for word in words), "kebab": "-".join(words)}.get(style, key)


def _styled(tree: Tree, style: str) -> Tree:
    return {
        name: {_key(key, style): value for key, value in inner.items()} if isinstance(inner, dict) else inner
        for name, inner in tree.items()
    }


def mutations(tree: Tree) -> Iterator[Tree]:
    """Trees that mean the same: other orders, other styles of names, more around them."""
    chance = random.Random(7)
    for style in ("snake", "camel", "pascal", "kebab"):
        styled = _styled(tree, style)
        yield styled
        for _ in range(2):
            yield {name: dict(chance.sample(list(inner.items()), len(inner))) for name, inner in styled.items()}
        yield {"first": {"a": "1"}, **styled, "last": {"b": "2"}}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("number", range(len(TREES)))
def test_a_fact_is_the_same_in_every_format(form: str, number: int) -> None:
    fault, bad, good = TREES[number]
    path, written = FORMATS[form]
    for tree in mutations(bad):
        assert serious(path, written(tree)) == {fault}, written(tree)
    for tree in mutations(good):
        assert serious(path, written(tree)) == set(), written(tree)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("number", range(len(TREES)))
def test_only_what_is_made_worse_is_new(form: str, number: int) -> None:
    fault, bad, good = TREES[number]
    path, written = FORMATS[form]
    moved = {"added": {"a": "1"}, **bad}
    assert fault in serious(path, written(bad), written(good))
    assert serious(path, written(moved), written(bad)) == set()
    assert serious(path, written(good), written(bad)) == set()


SPELLINGS = ("no", "off", "False", "'false'", '"false"', "FALSE", "!!bool false", "0")


@pytest.mark.parametrize("value", SPELLINGS)
def test_a_value_is_the_same_however_it_is_spelt(value: str) -> None:
    assert serious("a.yaml", f"db:\n  deletionProtection: {value}\n") == {Fault.UNPROTECTED}


def test_anchors_and_merges_count_where_they_are_used() -> None:
    base = "base: &base\n  image: acme/a:1\n  privileged: {}\nservices:\n  a:\n    <<: *base\n"
    assert serious("compose.yaml", base.format("true")) == {Fault.HOST}
    assert serious("compose.yaml", base.format("false")) == set()


def test_a_reference_that_names_itself_ends() -> None:
    assert facts("a.yaml", "a: &a [*a]\n") == []
    laughs = "a: &a [x,x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)},*{chr(97 + i)}]\n" for i in range(20)
    )
    assert facts("a.yaml", laughs) == []


def test_modules_that_nest_are_read() -> None:
    text = 'module "a" {\n  source = "./a"\n  db = {\n    main = { deletion_protection = false }\n  }\n}\n'
    assert serious("main.tf", text) == {Fault.UNPROTECTED}
    dynamic = (
        'resource "x" "y" {\n  dynamic "ingress" {\n    for_each = var.rules\n    content {\n      from_port = 22\n'
        '      to_port = 22\n      cidr_blocks = ["0.0.0.0/0"]\n    }\n  }\n}\n'
    )
    assert serious("main.tf", dynamic) == {Fault.OPEN}


ENVIRONMENTS = (
    (
        "compose.yaml",
        "services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_HOST_AUTH_METHOD: trust\n",
    ),
    (
        "compose.yml",
        "services:\n  db:\n    image: postgres:16\n    environment:\n      - POSTGRES_HOST_AUTH_METHOD=trust\n",
    ),
    (
        "k.yaml",
        "spec:\n  containers:\n  - image: a:1\n    env:\n    - {name: POSTGRES_HOST_AUTH_METHOD, value: trust}\n",
    ),
    ("t.tf", 'resource "d" "x" {\n  env = ["POSTGRES_HOST_AUTH_METHOD=trust"]\n}\n'),
    (".env", "POSTGRES_HOST_AUTH_METHOD=trust\n"),
    ("a.json", '{"environment": [{"name": "POSTGRES_HOST_AUTH_METHOD", "value": "trust"}]}'),
)


@pytest.mark.parametrize(("path", "text"), ENVIRONMENTS)
def test_a_variable_is_the_same_in_every_file(path: str, text: str) -> None:
    assert serious(path, text) == {Fault.LOGIN}
    assert serious(path, text.replace("trust", "scram-sha-256")) == set()


COMMANDS = (
    ("Dockerfile", "FROM alpine:3\nRUN {}\nUSER app\n"),
    (".github/workflows/a.yml", "on: push\njobs:\n  a:\n    steps:\n    - run: |\n        {}\n"),
    (".gitlab-ci.yml", "a:\n  script:\n    - {}\n"),
    ("a.service", "[Service]\nExecStart=/bin/sh -c '{}'\n"),
    ("crontab", "0 3 * * * {}\n"),
    (".vscode/tasks.json", '{{"tasks": [{{"command": "{}"}}]}}'),
    ("package.json", '{{"scripts": {{"postinstall": "{}"}}}}'),
    (".devcontainer/devcontainer.json", '{{"postCreateCommand": "{}"}}'),
)


@pytest.mark.parametrize(("path", "text"), COMMANDS)
def test_a_command_is_the_same_in_every_file(path: str, text: str) -> None:
    assert serious(path, text.format("curl -s https://cdn.quick.example/a.sh | sh")) == {Fault.UNVERIFIED}
    assert serious(path, text.format("curl -s https://cdn.quick.example/a.json -o a.json")) == set()


def test_a_protection_that_is_taken_out_is_a_fault() -> None:
    kept = 'resource "x" "y" {\n  deletion_protection = true\n  size = 1\n}\n'
    assert serious("a.tf", 'resource "x" "y" {\n  size = 1\n}\n', kept) == {Fault.UNPROTECTED}
    assert serious("a.tf", 'resource "x" "z" {\n  size = 1\n}\n', kept) == set(), "the resource itself is gone"
    assert serious("Dockerfile", "FROM a:1\nCMD x\n", "FROM a:1\nUSER app\nCMD x\n") == {Fault.HOST}


def test_templates_are_read_past_their_placeholders() -> None:
    text = "spec:\n  {{- if .Values.a }}\n  hostPID: true\n  {{- end }}\n  image: {{ .Values.image }}\n"
    assert serious("templates/a.yaml", text) == {Fault.HOST}


def test_a_part_of_a_file_is_read() -> None:
    assert serious("a.json", '  "deletionProtection": false,') == {Fault.UNPROTECTED}
    assert serious("a.yaml", "      privileged: true\n      image: a:1") == {Fault.HOST}
    assert serious("a.tf", "  skip_final_snapshot = true") == {Fault.UNPROTECTED}


HOSTILE = (
    "/",
    "curl ",
    "<(curl ",
    "| tee ",
    "${{ ",
    "{",
    "[",
    '"',
    "/*",
    "a: ",
    "<<EOF\n",
    "host a b c d\n",
    "COPY a ",
)


@pytest.mark.parametrize("path", ["Dockerfile", "a.yaml", "a.json", "a.tf", "a.conf", "pg_hba.conf", ".gitlab-ci.yml"])
@pytest.mark.parametrize("part", HOSTILE)
def test_a_hostile_text_ends(path: str, part: str) -> None:
    """It is read, or it is told that it is too deep; some of these once took minutes, and one crashed a reader."""
    with hang_guard():
        for text in (part * (16_000 // len(part)), f"FROM a\nRUN {part * 200}"):
            with contextlib.suppress(Unreadable):
                facts_or_none(path, text)


def facts_or_none(path: str, text: str) -> list[Fact] | None:
    document = read(path, text)
    return None if document is None else worsened(document, document)
