"""What each kind of evidence claims: its parts lie where it says they do, and hold together.

Every function asserts that, asks for all that is worked out late, and gives the evidence back as plain values, so that
two readings can be compared.
"""

from __future__ import annotations

from typing import Any

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence import javascript, python, shell, sql
from supervisor.evidence.actions.phrasing import Sentence
from supervisor.evidence.actions.queries import Query
from supervisor.evidence.business import Business, Operation
from supervisor.evidence.business.promises import Invented
from supervisor.evidence.business.sentences import Rules
from supervisor.evidence.changes.edits import Edit
from supervisor.evidence.changes.rules import Rule
from supervisor.evidence.changes.writes import Write
from supervisor.evidence.effects import Act, Effects
from supervisor.evidence.javascript import Program
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.provenance import Provenance
from supervisor.evidence.provenance.concordance import Whereabouts
from supervisor.evidence.provenance.planted import Link
from supervisor.evidence.provenance.spellings import MAX_VALUES, SpelledValue
from supervisor.evidence.provenance.tool_descriptions import Order
from supervisor.evidence.python.modules import Module
from supervisor.evidence.python.round_trips import dumps_of, loads_own_dump
from supervisor.evidence.python.values import is_false, is_fixed, path_of, string_of
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.research.citations import Source
from supervisor.evidence.research.claims import Compared
from supervisor.evidence.session.recipients import Acquaintances
from supervisor.evidence.shell.words import clean
from supervisor.evidence.sql.injection import Injection
from supervisor.evidence.web import access_rules
from supervisor.policy.business import Schema

MOST = 40  # calls and assignments whose values are followed; each may look through the whole module


def script(found: shell.Script, action: Action, context: Context) -> Any:
    text = action.get("command")
    for command in found.commands:
        assert all(isinstance(word, str) for word in command.argv)
        assert all(0 <= index < len(command.argv) for index, _ in command.sources)
        if isinstance(text, str) and not command.wrappers and command.program not in shell.SHELLS:
            assert command.text in clean(text)
        assert set(command.operands()) <= set(command.args)
        assert all(flag.startswith("-") for flag in command.flags())
    told = [(each.argv, each.cwd, each.text, each.redirects, each.stdin, each.wrappers) for each in found.commands]
    return told, shell.fingerprint_of(found)


def module(found: Module | None, action: Action, context: Context) -> Any:
    if found is None:
        return None
    length = len(found.source)
    dumps = dumps_of(found)
    told: list[Any] = []
    for call in found.calls[:MOST]:
        assert 0 <= call.node.start_byte <= call.node.end_byte <= length
        scope = found.scope_of(call.node)
        assert scope is None or scope.start_byte <= call.node.start_byte <= call.node.end_byte <= scope.end_byte
        values = (*call.positional, *call.keywords.values())
        assert all(call.node.start_byte <= value.start_byte <= value.end_byte <= call.node.end_byte for value in values)
        told.append((call.name, call.text, call.is_new, loads_own_dump(call, dumps)))
        told += [_value(found, value) for value in values]
    given = (*found.assignments[:MOST], *found.bindings[:MOST])
    told += [(target, _value(found, value)) for target, value in given]
    return told, python.fingerprint_of(found)


def program(found: Program | None, action: Action, context: Context) -> Any:
    if found is None:
        return None
    told: list[Any] = []
    for call in (*found.calls[:MOST], *found.constructions[:MOST]):
        assert 0 <= call.node.start_byte <= call.node.end_byte <= len(found.source)
        assert all(
            call.node.start_byte <= each.start_byte <= each.end_byte <= call.node.end_byte for each in call.arguments
        )
        told.append((call.name, call.text, call.is_new, found.statement_of(call.node)))
        told += [text_of(found, each) for each in call.arguments]
    return told, javascript.fingerprint_of(found)


def _value(found: Module, value: Any) -> Any:
    """Everything that specialists ask of a value."""
    path = path_of(found, value)
    assert 0 <= path.start_byte <= path.end_byte <= len(found.source)
    return found.text(value), is_fixed(found, value), string_of(found, value), is_false(found, value), found.text(path)


def statements(found: tuple[sql.Statement, ...], action: Action, context: Context) -> Any:
    text = action.text("query")
    for each in found:
        assert "'" in text or "$" in text or each.source in text  # a string that is executed is unquoted first
        assert each.every_row <= (each.verb in ("update", "delete"))
        assert bool(each.narrowed()) == (each.tree is not None and each.verb in ("update", "delete"))
    told = [
        (each.verb, each.target, each.writes, each.reads, each.columns, each.every_row, each.runs) for each in found
    ]
    return told, [each.scratch for each in found], sql.fingerprint_of(found)


def queries(found: tuple[Query, ...], action: Action, context: Context) -> Any:
    return [(each.text, each.dialect, each.throwaway) for each in found]


def injections(found: tuple[tuple[str, Injection], ...], action: Action, context: Context) -> Any:
    places = {place for place, _ in action.strings()}
    assert all(place in places and each.text and len(each.text) <= 80 for place, each in found)
    return found


def provenance(found: Provenance, action: Action, context: Context) -> Any:
    passages = found.sources.passages
    assert len(found.values) <= MAX_VALUES
    for value in found.values:
        assert all(0 <= number < len(passages) for number in value.passages)
        assert not value.nowhere or not (value.in_task or value.passages)
        assert value.origin.step is None or 0 <= value.origin.step < len(context.history)
    assert all(0 <= passage.step < len(context.history) and passage.folded for passage in passages)
    assert [passage.step for passage in passages] == sorted(passage.step for passage in passages)
    return found.values, passages, found.task


def links(found: tuple[Link, ...], action: Action, context: Context) -> Any:
    for each in found:
        assert 0 <= each.said.step < len(context.history)
        assert 0 <= each.words <= 4
        assert each.quote in {passage.text.strip() for passage in each.passages}
        assert {*each.targets, *each.names, *each.parts} == set(each.alone)
    return [(each.quote, each.numbers, each.alone, each.shared, each.words, each.intents, each.calls) for each in found]


def strange_order(found: Order | None, action: Action, context: Context) -> Any:
    assert found is None or found.quote
    return found


def plain(found: Any, action: Action, context: Context) -> Any:
    return found


def analysis(found: Any, action: Action, context: Context) -> Any:
    """A flow is compared by what it evaluated: its calls and their lines."""
    if found is None:
        return None
    calls = [[(event.line, event.name) for event in flow.events] for flow in found.flows]
    return calls, [query.text for query in found.queries]


def protected_files(found: tuple[Rule, ...], action: Action, context: Context) -> Any:
    paths = ["tests/test_a.py", "a.py", "", "/etc/passwd", "~/x", "../x", "docs/[", "*"]
    assert all(rule.paths or rule.sorts or rule.everything for rule in found)
    return [(each.sentence, each.paths, each.excepted, list(map(each.protects, paths))) for each in found]


def writes(found: tuple[Write, ...], action: Action, context: Context) -> Any:
    assert all(each.path and HOLE not in each.path for each in found) or action.kind != "shell"
    assert all(each.how in ("replace", "extend", "edit", "delete") for each in found)
    return found


def edits(found: tuple[Edit, ...], action: Action, context: Context) -> Any:
    assert all(type(each) is Edit for each in found)
    return found


def effects(found: Effects, action: Action, context: Context) -> Any:
    """Each act is read for itself, as specialists read it; code that cannot be read says so to whoever asks."""
    return [_of_act(found, act) for act in Act]


def _of_act(found: Effects, act: Act) -> Any:
    told = []
    try:
        for each in found.of(act):
            assert each.act is act
            assert all(isinstance(text, str) for text in (each.target, each.verb, each.text))
            told.append((each.target, each.scope, each.verb, each.whole, each.reversible, each.text, each.content))
    except Unreadable as unreadable:
        told.append(str(unreadable))
    return told


def names(found: frozenset[str], action: Action, context: Context) -> Any:
    assert all(isinstance(name, str) for name in found)
    return found


def business(found: Business, action: Action, context: Context) -> Any:
    told = []
    for ledger in (found.facts, found.from_outputs):
        for (kind, _), record in ledger.records.items():
            assert kind == record.kind
            assert record.id.strip()
            told.append((record.kind, record.id, record.owner, found.state_of(record)))
    return told, found.customer, found.is_customers, sorted(found.changed)


def operation(found: Operation, action: Action, context: Context) -> Any:
    assert all(each.id.strip() and each.kind for each in found.named)
    return found.act, found.reads, sorted(found.nouns), sorted(found.states), found.named


def schema(found: Schema, action: Action, context: Context) -> Any:
    return found


def stated_rules(found: Rules, action: Action, context: Context) -> Any:
    assert all(rule.sentence in found.text for rule in (*found.states, *found.limits))
    return found


def acquaintances(found: Acquaintances, action: Action, context: Context) -> Any:
    everybody = (*found.user, *found.facts, *found.tools)
    assert all("@" in address for address in everybody)
    return sorted(everybody)


def whereabouts(found: dict[SpelledValue, Whereabouts], action: Action, context: Context) -> Any:
    for at in found.values():
        assert at.said == sorted(set(at.said))
        assert all(step < len(context.history) for step in (*at.said, *at.whole))
    return found


def broken_rule(found: access_rules.Rule | None, action: Action, context: Context) -> Any:
    assert found is None or found.sentence.strip()
    return found


def cited(found: list[Source] | None, action: Action, context: Context) -> Any:
    assert all(source.name and not (source.text and source.problem) for source in found or ())
    return found


def compared(found: list[Compared], action: Action, context: Context) -> Any:
    told = []
    for each in found:
        assert 0 <= each.likeness <= 1 + 1e-9
        assert set(each.strange_names) <= set(each.strange) <= set(each.words)
        told.append((each.claim, each.strange, each.strange_figures, each.strange_dates, each.passage))
    return told


def told(found: tuple[Sentence, ...], action: Action, context: Context) -> Any:
    assert all(each.text == each.text.strip() and each.features for each in found)
    return found


def invented(found: Invented | None, action: Action, context: Context) -> Any:
    assert found is None or found.figure.strip()
    return found
