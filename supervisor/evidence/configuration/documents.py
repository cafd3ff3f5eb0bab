"""A configuration file as trees or instructions, by its path and, where the path says nothing, by its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from supervisor.errors import Unreadable
from supervisor.evidence.configuration.dag import defaults
from supervisor.evidence.configuration.directives import (
    directives,
    host_rules,
    instructions,
    nginx,
    requirements,
    sudo_rules,
)
from supervisor.evidence.configuration.fault import Block, texts
from supervisor.evidence.configuration.hcl import bicep_tree, hcl_tree
from supervisor.evidence.configuration.markup import property_list, xml_tree
from supervisor.evidence.configuration.rule_files import access_rules, pipeline_steps, rotations
from supervisor.evidence.configuration.trees import MOST_TEXT, assigned, json_trees, toml_trees, yaml_trees


class Form(StrEnum):
    """The syntax of a file."""

    DOCKERFILE = "dockerfile"
    YAML = "yaml"
    JSON = "json"
    TOML = "toml"
    HCL = "hcl"
    BICEP = "bicep"
    ASSIGNED = "assigned"  # `name = value`, in sections or not
    DIRECTIVES = "directives"  # `name value`
    NGINX = "nginx"
    HOST_RULES = "pg_hba"
    REQUIREMENTS = "requirements"
    DAG = "dag"
    SCHEDULE = "crontab"
    XML = "xml"
    ACCESS_RULES = "access rules"
    ROTATION = "logrotate"
    PIPELINE = "jenkinsfile"
    SUDOERS = "sudoers"


class Document(NamedTuple):
    """What a file says. `blocks` are all levels of its trees; a Dockerfile has `instructions`, a list of requirements
    `lines`."""

    path: str
    form: Form
    text: str
    blocks: tuple[Block, ...] = ()
    instructions: tuple[tuple[str, str], ...] = ()
    lines: tuple[str, ...] = ()


_FORMS: tuple[tuple[re.Pattern[str], Form], ...] = tuple(
    (re.compile(rf"(?:^|/)(?:{ends})$", re.IGNORECASE), form)
    for ends, form in (
        (r"(?:docker|container)file(?:[.-][\w.-]+)?|[\w.-]+\.(?:docker|container)file", Form.DOCKERFILE),
        (r"(?:requirements|constraints)[\w./-]*\.(?:txt|in)|requirements/[\w.-]+\.(?:txt|in)", Form.REQUIREMENTS),
        (r"[\w.-]+\.ya?ml|\.clang-format", Form.YAML),
        (r"[\w.-]+\.(?:jsonc?|code-workspace|template)|\.(?:mcp|claude)\.json|daemon\.json", Form.JSON),
        (r"[\w.-]+\.toml|pipfile", Form.TOML),
        (r"[\w.-]+\.(?:tf|tfvars|hcl|nomad|tofu)", Form.HCL),
        (r"[\w.-]+\.bicep(?:param)?", Form.BICEP),
        (r"pg_hba[\w.-]*\.conf", Form.HOST_RULES),
        (r"postgresql[\w.-]*\.conf|postgresql/.*conf\.d/[^/]+", Form.ASSIGNED),
        (
            r"(?:.*/)?(?:sshd_config(?:\.d/[^/]+)?|redis[\w.-]*\.conf|sentinel\.conf|mosquitto[\w.-]*\.conf)",
            Form.DIRECTIVES,
        ),
        (r"nginx(?:/.+|[\w.-]*\.conf)|(?:.*/)?(?:sites-(?:available|enabled))/[^/]+", Form.NGINX),
        (r"\.env(?:\.[\w.-]+)?|[\w.-]*\.env|\.npmrc|\.?pip\.conf|pip\.ini|\.condarc", Form.ASSIGNED),
        (r"[\w@.-]+\.(?:service|socket|timer|ini|cfg|cnf|properties|conf)(?:\.d/[^/]+)?", Form.ASSIGNED),
        (r"[\w./-]*systemd/[\w./@-]+", Form.ASSIGNED),
        (r"crontab(?:\.\w+)?|[\w.-]+\.(?:cron|crontab)|cron(?:\.d|s|tabs?|jobs?)?/[\w-]+|spool/cron/.+", Form.SCHEDULE),
        (r"[\w.-]+\.(?:xml|config|csproj|props|targets|plist)(?:\.dist)?|\.xml", Form.XML),
        (r"(?:firestore|storage|database)[\w.-]*\.rules", Form.ACCESS_RULES),
        (r"logrotate[\w.-]*(?:\.d)?(?:/[^/]+)?|[\w.-]+\.logrotate", Form.ROTATION),
        (r"sudoers(?:\.d/[^/]+)?|[\w.-]*sudoers[\w.-]*", Form.SUDOERS),
        (r"jenkinsfile[\w.-]*|[\w.-]+\.jenkinsfile", Form.PIPELINE),
    )
)
_MOST_NAMES = 6  # of the file and the folders above it: what says the form
_LONGEST_NAMES = 1_000  # characters
_DAG_WORDS = ("DAG(", "@dag", "airflow")  # a search for all at once takes ten times as long
_DAG = re.compile(r"\bDAG\(|@dag\b|airflow")
_BELOW = re.compile(r"^[A-Za-z]\w*:[ \t]*\n[ \t]+[A-Za-z]\w*:", re.MULTILINE)
_BY_SPACE = re.compile(r"^[ \t]*[A-Za-z][\w.-]*[ \t]+[^=\s]", re.MULTILINE)


def form_of(path: str, text: str) -> Form | None:
    """The form of a configuration file; None for any other."""
    path = "/".join(path[-_LONGEST_NAMES:].replace("\\", "/").split("/")[-_MOST_NAMES:])
    if path.endswith(".py"):
        return Form.DAG if any(word in text for word in _DAG_WORDS) and _DAG.search(text) else None
    form = next((form for ends, form in _FORMS if ends.search(path)), None)
    if form is Form.ASSIGNED and path.endswith(".conf"):
        if _BELOW.search(text) and "=" not in text:
            return Form.YAML
        if "{" in text and ";" in text:
            return Form.NGINX
        return Form.DIRECTIVES if "=" not in text and _BY_SPACE.search(text) else form
    return form


_TREES: dict[Form, Callable[[str], list[object]]] = {
    Form.YAML: yaml_trees,
    Form.JSON: json_trees,
    Form.TOML: toml_trees,
    Form.HCL: lambda text: [hcl_tree(text)],
    Form.BICEP: lambda text: [bicep_tree(text)],
    Form.ASSIGNED: lambda text: [assigned(text)],
    Form.DIRECTIVES: lambda text: [directives(text)],
    Form.NGINX: lambda text: [nginx(text)],
    Form.HOST_RULES: host_rules,
    Form.DAG: lambda text: [defaults(text)],
    Form.XML: lambda text: [property_list(text) if "<plist" in text or "<key>" in text else xml_tree(text)],
    Form.ACCESS_RULES: lambda text: [access_rules(text)],
    Form.ROTATION: rotations,
    Form.SUDOERS: sudo_rules,
    Form.PIPELINE: lambda text: [pipeline_steps(text)],
    Form.SCHEDULE: lambda text: [{"command": [line for line in text.split("\n") if not line.lstrip().startswith("#")]}],
}


def read(path: str, text: str) -> Document | None:
    """What a configuration file, or a part of one, says; None if it is no configuration. Raises Unreadable if it is
    longer or deeper than it can be read."""
    form = form_of(path, text)
    if form is None or not text.strip():
        return None
    if len(text) > MOST_TEXT:
        raise Unreadable(f"a configuration of more than {MOST_TEXT:,} characters")
    if form is Form.DOCKERFILE:
        return Document(path, form, text, instructions=tuple(instructions(text)))
    if form is Form.REQUIREMENTS:
        return Document(path, form, text, lines=tuple(requirements(text)))
    trees = _TREES[form](text)
    return Document(path, form, text, tuple(_blocks(trees)))


_MOST_BLOCKS = 50_000
_OPTION = re.compile(r"(?:^|\s)--([a-z][\w.-]{2,60})(?:=|\s+)(\"\"|''|[\w./:*\[\]-]{1,100})")
_NAMES = str.maketrans("", "", "_- ")
_JSON = re.compile(r"\s*[\[{]\s*[\"{\[]")
_MAPPING = re.compile(r"\s*(?:-[ ]+)?[A-Za-z][\w.-]{0,60}:(?:[ ]|\n)[^\n]*\n")


def emptied(path: str) -> Document | None:
    """A file, or the part of one, that a change leaves without a setting; None if it is no configuration."""
    form = form_of(path, "")
    return Document(path, form, "") if form is not None else None


def plain(key: object) -> str:
    """A key as it is compared: in lower case, without `_`, `-` and blanks."""
    return str(key).lower().translate(_NAMES)


def _blocks(trees: list[object]) -> Iterator[Block]:
    """Every mapping in the trees, each with the path to it; one that several anchors name stands once."""
    pending: list[tuple[tuple[str, ...], object]] = [((), tree) for tree in reversed(trees)]
    seen: set[int] = set()
    kept: list[object] = []  # so that no number in `seen` is given to another object
    count = 0
    while pending:
        path, node = pending.pop()
        if isinstance(node, str) and _JSON.match(node):
            node = _inner(node)
        elif isinstance(node, str) and path[-2:-1] == ("data",) and _MAPPING.match(node):
            node = yaml_trees(node) if len(node) < MOST_TEXT else None  # a file in a ConfigMap
        if not isinstance(node, (dict, list)) or id(node) in seen:
            continue
        seen.add(id(node))
        kept.append(node)
        count += 1
        if count > _MOST_BLOCKS:
            raise Unreadable("the configuration has too many parts")
        if isinstance(node, list):
            pending += [(path, each) for each in reversed(node)]
            continue
        values, spelt = _values(node)
        yield Block(path, values, spelt)
        if said := _said(values):
            pending.append((path, said))
        pending += [((*path, key), value) for key, value in reversed(values.items())]


def _inner(text: str) -> object:
    """The value of a JSON text in a configuration: a policy of rights, a task definition."""
    found = json_trees(text) if len(text) < MOST_TEXT and text.rstrip()[-1:] in "}]" else []
    return found[0] if found else None


def _values(node: dict[object, object]) -> tuple[dict[str, object], dict[str, str]]:
    """The settings of a mapping with those that it merges (`<<: *base`), which its own hide."""
    values: dict[str, object] = {}
    spelt: dict[str, str] = {}
    merged = node.get("<<")
    for each in [*(merged if isinstance(merged, list) else [merged]), node]:
        for key, value in each.items() if isinstance(each, dict) else ():
            if key == "<<":
                continue
            name = plain("on" if key is True else key)
            values[name], spelt[name] = value, str(key)
    return values, spelt


_ENVIRONMENTS = ("environment", "env", "variables")
_COMMAND_LINES = ("command", "args", "entrypoint", "cmd", "execstart", "options", "extraargs")


def _said(values: dict[str, object]) -> dict[object, object]:
    """The settings that a level gives in other ways: `NAME=value` and `{name: NAME, value: …}` in a list of variables,
    `--name value` in a command line."""
    found: dict[object, object] = {}
    for key in _ENVIRONMENTS:
        several = values.get(key)
        for each in several[:500] if isinstance(several, list) else ():
            if isinstance(each, str):
                name, equals, value = each.partition("=")
                found.update({name: value} if equals else {})
            elif isinstance(each, dict) and isinstance(each.get("name"), str) and "value" in each:
                found[each["name"]] = each["value"]
    for key in _COMMAND_LINES:
        if key in values:
            line = " ".join(texts(values[key]))
            found.update((option[1], option[2].strip("\"'")) for option in islice(_OPTION.finditer(line), 100))
    return found
