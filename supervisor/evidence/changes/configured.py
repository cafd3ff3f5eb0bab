"""What an action makes worse in configuration files: by whole files, edits, patches, here-documents, `sed -i`, `yq -i`,
and by what it applies to a cluster at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.actions.patched import changes_of, may_hold_patch
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.edits import edits, text_before
from supervisor.evidence.configuration import Fact, emptied, form_of, read, worsened
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.history.file_texts import text_of_file
from supervisor.evidence.patch import Change, FileOperation
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import values_of
from supervisor.evidence.shell.patching import PATCHERS, changes_applied
from supervisor.intake.kinds import names_of

_NEW, _OLD = names_of("file_edit", "new"), names_of("file_edit", "old")
_MOST_FILES = 50
# What a command may be spelt in otherwise: escapes, a quote within a word, a word that is computed, an encoding, a
# program that a variable names.
_RESPELT = re.compile(
    r"""\\x[0-9a-fA-F]{2}|\\[0-7]{3}|\$['{(]|`|\w["']{1,2}\w|\w\\\w|\brev\b|\bbase(?:32|64)\b|\bxxd\b|\bopenssl\b"""
    r"""|(?:^|[;&|(\n])\s*["']?\$\w|\s-c\s+["']?\$\w|\beval\b"""
)
# Words without which a script writes no configuration, or only one that has no name for it.
_WRITES = re.compile(
    r"<<|\b(?:tee|sed|yq|jq|patch|kubectl|oc|docker|git apply)\b|(?:echo|printf|cat)[^|;]*>"
    r"|>\s*\S+\.(?:ya?ml|json|tf|conf|toml|env)\b"
)
_NAMES = re.compile(
    r"(?i)dockerfile|containerfile|\.(?:ya?ml|json|toml|tf|tfvars|hcl|bicep|conf|cfg|ini|env|service|cnf|npmrc|properties|timer|txt)\b|\.env\b"
    r"|sshd_config|nginx|logrotate|\.rules\b|\.xml\b|\.plist\b|jenkinsfile|\bkubectl\b|\boc\b|docker build|systemd"
)
_PLACES_OF_EXAMPLES = re.compile(
    r"(?i)(?:^|/)(?:tests?|testdata|__tests__|fixtures?|examples?|samples?|docs?|specs?|mocks?|snapshots|vulnerable|bad|insecure"
    r"|demos?|e2e|schemas?|cassettes)/|(?:^|/)(?:test_|bad[-_.]|vulnerable|insecure[-_])[^/]*$"
    r"|[._-](?:test|spec|example|sample|fixture|tftest)\.[^/]*$|\.(?:example|sample|template|dist)$"
)
# Rules of a checker show what they forbid; rules of alerts are in force.
_PLACES_OF_RULES = re.compile(r"(?i)(?:^|/)(?:policies|rules)/")
_ALERTS = re.compile(r"^[ \t]*-?[ \t]*alert:", re.MULTILINE)
_LIVE = re.compile(r"^/(?:etc|usr/local/etc|opt/[^/]+/etc|root/\.ssh)/|^~/\.ssh/")
_THROW_AWAY = (
    r"(?:sandbox(?:es)?|throw-?away|scratch|ephemeral|preview|playground|disposable|demo|dev(?:elopment)?|test(?:ing|s)?"
    r"|local|minikube)"
)
_OF_TRIAL = re.compile(rf"(?i)(?:^|[/._-])(?:{_THROW_AWAY}|override)(?:[/._-]|$)")
_SAYS_TRIAL = re.compile(
    r"(?i)\b(?:sandbox(?:es)?|throw-?away|scratch|ephemeral|disposable|playground|local(?:ly|host)?|minikube"
    r"|(?:on|for) (?:my|your|a) laptop"
    r"|dev(?:elopment)? (?:environment|stack|setup|database|cluster|machine|compose)|integration tests?"
    r"|test (?:environment|stack|bucket|cluster|database)"
    r"|unit tests?|wegwerf\w*|testumgebung|bac à sable|environnement de test|entorno de pruebas)\b"
)
_NAMED_TRIAL = re.compile(
    rf"(?im)^\s*[\"']?(?:environment|env|stage|tier|purpose|lifetime)[\"']?\s*[=:]\s*[\"']?{_THROW_AWAY}\b"
)
_PRODUCTION = re.compile(r"(?i)\bprod(?:uction|uktion)?\b|\blive\b")


class Configured(NamedTuple):
    """What one file has for the worse. `at_once`: it takes effect without a further step. `is_trial`: it is for a trial
    that nobody else depends on. `is_production`: its path says so. `is_example`: it is a test, an example or shown."""

    path: str
    facts: tuple[Fact, ...]
    at_once: bool = False
    is_trial: bool = False
    is_production: bool = False
    is_example: bool = False


class WrittenText(NamedTuple):
    """What a file has before and after an action, or what of it the action replaces and brings. `before` is None if the
    session does not know the file."""

    path: str
    before: str | None
    after: str
    at_once: bool = False


def may_configure(action: Action) -> bool:
    """Whether an action may write a configuration, by bounded work."""
    if action.kind == "shell":
        command = action.text("command")
        is_plain = _WRITES.search(command) is not None and _NAMES.search(command) is not None
        return is_plain or _RESPELT.search(command) is not None
    if action.kind not in ("file_write", "file_edit"):
        return False
    path = action.text("path")
    return may_hold_patch(action) or path.endswith(".py") or form_of(path, "") is not None


@reader
def configured(action: Action, context: Context) -> tuple[Configured, ...]:
    """The files of an action that have more faults than before. Raises Unreadable if one cannot be read."""
    if not may_configure(action):
        return ()
    found: list[Configured] = []
    for written in islice(written_texts(action, context), _MOST_FILES):
        after = read(written.path, written.after)
        before = read(written.path, written.before) if written.before else None
        if after is None and before is not None:
            after = emptied(written.path)
        if after is None:
            continue
        if facts := tuple(worsened(before, after)):
            found.append(_placed(written, facts, context))
    return tuple(found)


def _placed(written: WrittenText, facts: tuple[Fact, ...], context: Context) -> Configured:
    path = written.path
    said = (context.task or "")[:8192]
    below = path[len(context.workspace) :] if context.workspace and path.startswith(f"{context.workspace}/") else path
    below = below if below == path and not path.startswith("/tmp/") else below.rpartition("/tmp/")[2]
    text = written.after
    is_production = _PRODUCTION.search(below) is not None
    is_trial = not is_production and (
        _OF_TRIAL.search(below) is not None
        or _NAMED_TRIAL.search(text) is not None
        or (_SAYS_TRIAL.search(said) is not None and not _PRODUCTION.search(said))
    )
    at_once = written.at_once or _LIVE.match(path) is not None
    below = below.lstrip("/")
    is_of_rules = _PLACES_OF_RULES.search(below) is not None and _ALERTS.search(text) is None
    is_example = is_of_rules or _PLACES_OF_EXAMPLES.search(below) is not None
    return Configured(path, facts, at_once, is_trial, is_production, is_example)


def written_texts(action: Action, context: Context) -> Iterator[WrittenText]:
    """The files that an action writes, edits or patches. Raises Unreadable if a script cannot be read."""
    cwd = context.cwd or "."
    if action.kind == "shell":
        yield from _by_shell(action, context)
    elif action.kind == "file_write":
        path = resolve(action.text("path"), cwd)
        yield WrittenText(path, _known(path, context), action.text("content"))
    elif changes := changes_of(action, context):
        yield from _patched(changes, cwd, context)
    else:
        path = resolve(action.text("path"), cwd)
        whole = action.get("file_text")
        if isinstance(whole, str):
            yield WrittenText(path, _known(path, context), whole)
        else:
            yield _edited(path, _pairs(action), context)


def _known(path: str, context: Context) -> str | None:
    return text_before(path, context) or text_of_file(context, path)


def _pairs(action: Action) -> list[tuple[str, str]]:
    own = [(action.text("old"), action.text("new"))] if action.text("old") or action.text("new") else []
    several = action.get("edits")
    more = [each for each in several if isinstance(each, Mapping)] if isinstance(several, list) else []
    return [*own, *((_first(each, _OLD), _first(each, _NEW)) for each in more)]


def _first(edit: Mapping[str, object], names: Iterable[str]) -> str:
    return str(next((edit[name] for name in names if isinstance(edit.get(name), str)), ""))


def _edited(path: str, pairs: list[tuple[str, str]], context: Context) -> WrittenText:
    """The file before and after its edits if the session knows its text, else what they replace and what they bring."""
    known = _known(path, context)
    if known is not None and all(old and old in known for old, _ in pairs):
        after = known
        for old, new in pairs:
            after = after.replace(old, new, 1)
        return WrittenText(path, known, after)
    return WrittenText(path, "\n".join(old for old, _ in pairs), "\n".join(new for _, new in pairs))


def _patched(changes: Iterable[Change], cwd: str, context: Context) -> Iterator[WrittenText]:
    for change in changes:
        path = resolve(change.path, cwd)
        if change.operation is FileOperation.ADD:
            yield WrittenText(path, None, change.after)
        elif change.added or change.removed:
            yield _edited(path, [(change.before, change.after)], context)


_APPLIES = frozenset({"kubectl", "oc", "k3s", "microk8s.kubectl"})


def _by_shell(action: Action, context: Context) -> Iterator[WrittenText]:
    run = script(action, context)
    for path, text in run.files.items():
        yield WrittenText(path, _known(path, context), text)
    for command in run.commands:
        if command.program in _APPLIES:
            yield from _applied(command)
        elif command.program in ("docker", "podman", "buildah") and command.stdin and "build" in command.args[:3]:
            yield WrittenText("Dockerfile", None, command.stdin)
        elif command.program == "yq" and any(word.startswith(("-i", "--inplace")) for word in command.args):
            yield from _assigned(command)
        elif command.program in PATCHERS and not command.remote:
            yield from _patched(changes_applied(command), command.cwd, context)
    known = set(run.files)
    yield from _extended(action, context)
    for edit in edits(action, context):
        if edit.path not in known and not edit.whole:
            yield _edited(edit.path, [(_unescaped(edit.before), _unescaped(edit.after))], context)


def _extended(action: Action, context: Context) -> Iterator[WrittenText]:
    """`cat >> file <<EOF`, `echo … | tee -a file`: the file with what is added to it."""
    if ">>" not in action.text("command") and "tee" not in action.text("command"):
        return
    for effect in effects(action, context).of(Act.WRITE):
        if effect.verb == "extend" and effect.command is not None and not effect.is_remote:
            known = _known(effect.target, context) or ""
            added = effect.command.stdin or " ".join(effect.command.args)
            yield WrittenText(effect.target, known or None, f"{known.rstrip(chr(10))}\n{added}" if known else added)


def _applied(command: Command) -> Iterator[WrittenText]:
    """`kubectl apply -f -` and `kubectl patch -p '{…}'`."""
    if command.stdin and {"apply", "create", "replace"} & set(command.args[:4]):
        yield WrittenText("stdin.yaml", None, command.stdin, at_once=True)
    if "patch" in command.args[:4]:
        for text in values_of(command.args, "-p", "--patch"):
            yield WrittenText(
                "patch.json" if text.lstrip()[:1] in ("{", "[") else "patch.yaml", None, text, at_once=True
            )


_ASSIGNS = re.compile(
    r"\.((?:[\w-]+|\[\d*\]|\"[^\"\n]{1,80}\"|\.){1,40})\s{0,4}=\s{0,4}(\"[^\"\n]{0,200}\"|[\w.-]{1,80})"
)


def _assigned(command: Command) -> Iterator[WrittenText]:
    """`yq -i '.spec.replicas = 5' file.yaml` as the setting alone."""
    words = command.operands()
    for expression in words[:1]:
        lines: list[str] = []
        for found in islice(_ASSIGNS.finditer(expression), 20):
            steps = [step.strip('"') for step in re.split(r"\.|\[\d*\]", found[1]) if step.strip('"')]
            lines += [f"{'  ' * depth}{step}:" for depth, step in enumerate(steps)]
            lines[-1] += f" {found[2]}"
            lines.append("---")
        for path in words[1:]:
            yield WrittenText(command.path(path), None, "\n".join(lines))


def _unescaped(text: str) -> str:
    """The text that a pattern of `sed` stands for, as far as it is a plain one."""
    text = re.sub(r"\\[sb][*+]?|\[\[:space:\]\][*+]?", " ", text).replace("\\n", "\n")
    return re.sub(r"\\(.)", r"\1", text).strip("^$")
