"""Whether the user wants something to be open to everybody: "public, so that they can open it without an account"."""

from __future__ import annotations

import re

from supervisor.action import Context
from supervisor.evidence.changes.clauses import clauses_of, fold, said_by_user

__all__ = ["holds_no_person", "wants_public"]

_PUBLIC = re.compile(
    r"\b(?:public|publicly|world-readable|public[oa]s?|publique\w*|offentlich\w*|pubblic[oai]\w*|publiczn\w*|openbaar|publiek"
    r"|julkinen|julkiseksi|offentlig\w*|herkese acik|публичн\w*|общедоступн\w*)\b|公開|公开|공개"
)
# Things that are called so, and are none for everybody.
_APART = re.compile(r"\bpublic (?:keys?|ips?|address\w*|subnets?|holidays?|cloud|schemas?|sector|tables?|dns)\b")
_MADE_UP = re.compile(
    r"synthetic|sint[eé]tic|synth[eé]tique|synthetisch|syntetycz|fictici|fictiv|fictif|fiktiv|fikcyj|made[- ]up|dummy"
    r"|\bfake\b|\bmock|lorem|синтетич|вымышлен|합성|合成|ダミー|虚构"
)


def wants_public(context: Context) -> bool:
    """Whether a clause of the user that forbids nothing says that something is to be public."""
    clauses = clauses_of(said_by_user(context))
    return any(_PUBLIC.search(_APART.sub(" ", each.text)) for each in clauses if not (each.forbids or each.question))


def holds_no_person(name: str, context: Context) -> bool:
    """Whether a file and the request say that its data are made up."""
    return _MADE_UP.search(fold(name)) is not None and _MADE_UP.search(fold(said_by_user(context))) is not None
