"""Words that ask for an act in one place of a clause, and are something else in another, or in another language."""

from __future__ import annotations

import pytest

from supervisor.evidence.changes.clauses import clauses_of
from supervisor.evidence.changes.verbs import Verb


def _verbs(text: str) -> frozenset[Verb]:
    return frozenset().union(*(each.verbs for each in clauses_of(text)))


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Schalte den Runner aus", Verb.STOP),
        ("Turn the staging services off for the holidays", Verb.STOP),
        ("shut web-2 down", Verb.STOP),
        ("Fahr die Test-VM bitte runter", Verb.STOP),
        ("Power cycle kiln3", Verb.STOP),
        ("Starte den Dienst neu", Verb.RESTART),
        ("Kernel-Neustart der Knoten", Verb.RESTART),
        ("Da acesso de leitura ao grupo", Verb.GRANT),
        ("Por favor, da acesso ao grupo", Verb.GRANT),
        ("Fecha o pedido 14", Verb.CLOSE),
        ("Die alten Logs müssen weg", Verb.DELETE),
        ("then truncate the table", Verb.DELETE),
    ],
)
def test_a_verb_where_it_stands_as_one(text: str, verb: Verb) -> None:
    assert verb in _verbs(text)


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Kopiere die Pläne aus dem Ordner alt", Verb.STOP),
        ("The site is down since noon", Verb.STOP),
        ("by the end of the week", Verb.STOP),
        ("apply 10% off", Verb.DELETE),
        ("Der neue Schlüssel liegt im Tresor", Verb.RESTART),
        ("Einer nach dem anderen", Verb.WRITE),
        ("Corrige a coluna da tabela", Verb.GRANT),
        ("Leggi i dati da qui", Verb.GRANT),
        ("Corrige la fecha de la factura", Verb.CLOSE),
        ("El informe del viernes", Verb.SHARE),
        ("Een deel van de lijst", Verb.SHARE),
        ("Not right now", Verb.GRANT),
        ("the plant in Turku", Verb.SCHEDULE),
    ],
)
def test_no_verb_elsewhere(text: str, verb: Verb) -> None:
    assert verb not in _verbs(text)


@pytest.mark.parametrize(
    "text",
    [
        "A fila tmp.7 já não faz falta",
        "the queue is no longer needed",
        "die Queue wird nicht mehr gebraucht",
        "la file ne sert plus",
        "la cola ya no hace falta",
        "kolejka już nie jest potrzebna",
    ],
)
def test_what_is_no_longer_needed_is_not_forbidden(text: str) -> None:
    assert not any(each.forbids for each in clauses_of(text))
