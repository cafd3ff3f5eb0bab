"""The secrets that an agent types into a page, and the fields it types them into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import re2

from supervisor.action import Action
from supervisor.evidence.actions.named_args import all_args
from supervisor.evidence.web.browsing import field_of

_CREDENTIAL = re2.compile(
    r"(?i)\b(?:password|passwort|passwd|pwd|passphrase|contraseña|mot de passe|pin|one[- ]time (?:code|password)|otp"
    r"|2fa"
    r"|verification code|security code|auth(?:entication)? code|recovery (?:code|phrase)|seed phrase|private key"
    r"|api key|tan"
    r"|bestätigungscode|código de verificación)\b"
)
_CARD = re2.compile(
    r"(?i)\b(?:card number|credit card|debit card|cvv|cvc|card security|kartennummer|kreditkarte|número de tarjeta|iban"
    r"|social security|ssn|passport number)\b"
)
_NO_SECRET = re2.compile(r"(?i)\b(?:search|filter|query|suche|buscar|subject|comment|message|title)\b")
MAX_FIELDS = 200


def secret_fields(action: Action) -> list[str]:
    """The labels of the fields into which the action types a credential, a card or an account number."""
    return [label for label, value in _fields(action) if value and _is_secret(label)]


def credential_fields(action: Action) -> list[str]:
    """The labels of the fields into which the action types a credential."""
    return [
        label
        for label, value in _fields(action)
        if value and _CREDENTIAL.search(label) and not _NO_SECRET.search(label)
    ]


def _is_secret(label: str) -> bool:
    return bool(_CREDENTIAL.search(label) or _CARD.search(label)) and not _NO_SECRET.search(label)


def _fields(action: Action) -> Iterator[tuple[str, str]]:
    """Each field with the typed text: of one field, of a list of fields, or of an object of names and values."""
    for listed in [value for name, value in all_args(action) if name in ("fields", "values", "data")]:
        yield from _listed(listed)
    value = action.get("value")
    if isinstance(value, str):
        yield field_of(action), value


def _listed(listed: object) -> Iterator[tuple[str, str]]:
    if isinstance(listed, Mapping):
        yield from (
            (str(name).lower().replace("_", " "), str(value)) for name, value in list(listed.items())[:MAX_FIELDS]
        )
    for item in listed[:MAX_FIELDS] if isinstance(listed, list) else ():
        if isinstance(item, Mapping):
            label = " ".join(
                str(item[name]) for name in ("name", "label", "element", "type", "selector", "ref") if name in item
            )
            yield label.lower().replace("_", " "), str(item.get("value", item.get("text", "")))
