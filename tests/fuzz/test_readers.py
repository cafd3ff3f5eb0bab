"""Every reader of evidence gives its answer or says Unreadable, whatever an action holds, and always the same."""

from __future__ import annotations

import copy
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st

import supervisor.evidence
from supervisor.action import Action, Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.actions.fingerprint import fingerprint
from supervisor.evidence.shell import syntax
from supervisor.intake.kinds import KINDS
from tests.fuzz import claims
from tests.fuzz.corpus import offered, proposals
from tests.fuzz.texts import any_text
from tests.fuzz.watch import fuzzed, watched
from tests.intake.json_strategies import ordinary

Reader = Callable[[Action, Context], Any]


class Target(NamedTuple):
    """What a reader is given, and what its answer claims."""

    kinds: tuple[str, ...]
    language: str
    claims: Callable[[Any, Action, Context], Any]


_FILES = ("file_write", "file_edit", "file_delete", "file_read")
_SAYING = ("message", "finish", "ask_user", "report")
_EVERY = tuple(KINDS)
TARGETS = {
    "web.access_rules.broken_rule": Target(("click", "form", "tool"), "prose", claims.broken_rule),
    "situation.deeds.deeds": Target(("shell",), "shell", claims.plain),
    "situation.wider.extent.beyond_request": Target(("shell",), "shell", claims.plain),
    "situation.named.records.tables": Target(("shell",), "shell", claims.plain),
    "analysis.analysis": Target(("shell", "python", "sql", *_FILES), "python", claims.analysis),
    "business.business": Target(_EVERY, "prose", claims.business),
    "business.operations.operation": Target(_EVERY, "prose", claims.operation),
    "business.promises.invented": Target(("message", "finish", "ask_user"), "prose", claims.invented),
    "business.schema.schema": Target(("tool",), "prose", claims.schema),
    "business.sentences.rules": Target(("tool",), "prose", claims.stated_rules),
    "research.citations.cited_at_hand": Target(("report",), "prose", claims.cited),
    "research.claims.compared": Target(("report",), "prose", claims.compared),
    "changes.configured.configured": Target(("shell", "file_write", "file_edit"), "prose", claims.plain),
    "changes.edits.edits": Target(("file_write", "file_edit"), "prose", claims.edits),
    "provenance.concordance.whereabouts": Target(_EVERY, "prose", claims.whereabouts),
    "effects.effects": Target(("shell", "python", "javascript", "sql", *_FILES), "shell", claims.effects),
    "effects.guard.assets.assets": Target(_EVERY, "prose", claims.plain),
    "effects.written.effects_when_run": Target(("file_write", "file_edit"), "shell", claims.effects),
    "actions.fingerprint.fingerprint": Target(_EVERY, "prose", claims.names),
    "actions.deed.deed": Target(_EVERY, "prose", claims.names),
    "guard.disarmings": Target(("shell", "python", "javascript", *_FILES), "shell", claims.plain),
    "actions.programs.program": Target(("javascript", "file_write", "file_edit"), "javascript", claims.program),
    "provenance.on_record.recorded": Target(_SAYING, "prose", claims.names),
    "actions.phrasing.sentences_of": Target(_SAYING, "prose", claims.told),
    "actions.patched.changes_of": Target(("file_edit",), "prose", claims.plain),
    "changes.planted.planted": Target(("file_write", "file_edit"), "shell", claims.plain),
    "provenance.planted.links": Target(_EVERY, "prose", claims.links),
    "provenance.provenance": Target(_EVERY, "prose", claims.provenance),
    "provenance.purposes.purposes": Target(_EVERY, "prose", claims.plain),
    "actions.programs.module": Target(("python", "file_write", "file_edit"), "python", claims.module),
    "session.recipients.acquaintances": Target(("message",), "prose", claims.acquaintances),
    "actions.results.returned": Target(_EVERY, "prose", claims.plain),
    "changes.rules.protected_files": Target(_FILES, "prose", claims.protected_files),
    "actions.commands.commands_of_code": Target(("javascript", "python"), "javascript", claims.script),
    "actions.scripts.script": Target(("shell",), "shell", claims.script),
    "actions.queries.queries": Target(("sql", "shell", "python", "javascript"), "sql", claims.queries),
    "actions.programs.written": Target(("file_write", "file_edit"), "javascript", claims.plain),
    "changes.tested.tests_written": Target(("file_write", "file_edit"), "python", claims.plain),
    "provenance.preconditions.foreign_reading": Target(_EVERY, "prose", claims.plain),
    "provenance.rivals.rivals": Target(_EVERY, "prose", claims.plain),
    "provenance.spellings.values_of": Target(_EVERY, "prose", claims.plain),
    "provenance.stated.stated_values": Target(_EVERY, "prose", claims.plain),
    "session.dictated.dictated_installs": Target(("shell", "tool"), "shell", claims.plain),
    "session.marks.demanded_mark": Target(_EVERY, "prose", claims.plain),
    "session.riders.riders": Target(_EVERY, "prose", claims.plain),
    "actions.affected.rows_changed": Target(("sql",), "sql", claims.plain),
    "actions.injections.injections": Target(("form", "click"), "sql", claims.injections),
    "actions.statements.statements": Target(("sql",), "sql", claims.statements),
    "actions.statements.tables_made_before": Target(("sql",), "sql", claims.names),
    "changes.writes.own_files": Target(("shell", *_FILES), "shell", claims.names),
    "provenance.tool_descriptions.order_obeyed": Target(_EVERY, "prose", claims.strange_order),
    "provenance.wishes.wish_outline": Target(_EVERY, "prose", claims.plain),
    "provenance.wishes.wish_of": Target(_EVERY, "prose", claims.plain),
    "actions.own_containers.is_in_own_container": Target(("shell",), "shell", claims.plain),
    "entries.confidential.told_in_confidence": Target(_EVERY, "prose", claims.plain),
    "entries.counted.wider_of_counted": Target(_EVERY, "prose", claims.plain),
    "entries.described.neighbour_of_described": Target(_EVERY, "prose", claims.plain),
    "entries.details.changed_on_strange_word": Target(_EVERY, "prose", claims.plain),
    "entries.forbidden.forbidden_by_rule": Target(_EVERY, "prose", claims.plain),
    "entries.merged.parted_by_identifier": Target(_EVERY, "prose", claims.plain),
    "entries.opened.opened_to_all": Target(_EVERY, "prose", claims.plain),
    "entries.refusals.refused_in_list": Target(_EVERY, "prose", claims.plain),
    "provenance.bidden.bidden": Target(_EVERY, "prose", claims.plain),
    "provenance.fetched.fetched": Target(_EVERY, "prose", claims.plain),
    "provenance.recited.recited": Target(_SAYING, "prose", claims.plain),
    "provenance.templates.filled": Target(_EVERY, "prose", claims.plain),
    "changes.writes.writes": Target(("shell", *_FILES), "path", claims.writes),
}

_OF_OUTCOMES = ("actions.results.returned", "actions.affected.rows_changed")


def _readers() -> Iterator[tuple[str, Reader]]:
    """Every function that `@reader` made, by its module and name."""
    made_by_reader = fingerprint.__code__
    prefix = f"{supervisor.evidence.__name__}."
    for found in pkgutil.walk_packages(supervisor.evidence.__path__, prefix):
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            if getattr(value, "__code__", None) is made_by_reader and value.__module__ == module.__name__:
                yield f"{module.__name__.removeprefix(prefix)}.{name}", value


READERS = dict(_readers())


@pytest.fixture(scope="module", autouse=True)
def _steps_alone() -> Iterator[None]:
    """The clock is a backstop behind the count of steps; on a busy machine it would make two readings differ. Without
    it there are fewer steps, since one may grow long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(syntax, "MAX_SECONDS", 60.0)
        patch.setattr(syntax, "MAX_STEPS", 200)
        yield


def test_every_reader_has_a_target() -> None:
    assert sorted(READERS) == sorted(TARGETS)


@pytest.mark.thorough
@pytest.mark.parametrize("name", TARGETS)
@fuzzed(data=st.data())
def test_a_reader_answers_or_says_unreadable(name: str, data: st.DataObject) -> None:
    target = TARGETS[name]
    proposal = data.draw(proposals(target.kinds, target.language))
    output = data.draw(ordinary | any_text) if name in _OF_OUTCOMES else None
    before = copy.deepcopy(proposal)
    first, second = offered(proposal), offered(copy.deepcopy(proposal))
    if first is None or second is None:
        return
    with watched((proposal, output)):
        answer = _answer(READERS[name], target, *_ran(*first, output))
        assert answer == _answer(READERS[name], target, *_ran(*second, output)), "two readings differ"
        assert proposal == before, "the action was changed"


def _ran(action: Action, context: Context, output: Any) -> tuple[Action, Context]:
    return action, replace(context, ran=Step(action.tool, action.args, output, action.kind))


def _answer(read: Reader, target: Target, action: Action, context: Context) -> Any:
    """What a reader says of an action, as plain values."""
    try:
        found = read(action, context)
    except Unreadable as unreadable:
        with pytest.raises(Unreadable, match=re.escape(str(unreadable))):
            read(action, context)
        return str(unreadable)
    assert read(action, context) is found, "the memo is not honoured"
    return target.claims(found, action, context)
