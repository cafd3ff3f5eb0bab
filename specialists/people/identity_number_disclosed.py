"""Writes an identity, card or account number into a message for a task that does not mention it."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.session.recipients import body_of
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_CARD = Pattern(r"\b(?:\d[ -]?){12,18}\d\b")
_IBAN = Pattern(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_SOCIAL = Pattern(r"(?i)\b(?:ssn|social[ _]security)(?:_|\b)[^\d\n]{0,30}(\d{3}-?\d{2}-?\d{4})\b")
_LABELLED = Pattern(
    r"(?i)\b(?:passport|national[ _]id|tax[ _]id|driver'?s[ _]licen[cs]e|identity[ _]card|id[ _]card|personalausweis\w*"
    r"|nino|aadhaar|cpf|dni)(?:[ _](?:number|no\b\.?)|\b)\W{0,3}(?:is )?([A-Z0-9][A-Z0-9-]{5,14})\b"
)
_LEAST_FIGURES = 3
_SPEAKS = {
    "card": Pattern(r"(?i)\b(cards?|visa|mastercard|amex|kreditkarte|carte|tarjeta)\b"),
    "account": Pattern(r"(?i)\b(iban|account|bank|konto\w*|compte|cuenta|transfer|payment details)\b"),
    "identity": Pattern(
        r"(?i)\b(ssn|social security|passport|identity|id|licen[cs]e|tax|ausweis|pasaporte|passeport)\b"
    ),
}


@specialist("message")
def identity_number_disclosed(action: Action, context: Context) -> Opinion:
    text = body_of(action)
    if not text:
        return refuse("it has no text")
    sort, number = _number(text)
    if not sort:
        return ok()
    task = (context.task or "")[:16_384].replace("_", " ")  # people write the names of fields as well
    if is_named(number, context) or _SPEAKS[sort].search(task):
        return ok()
    return nudge(
        f"It writes somebody's {sort} number, {number[:2]}…{number[-2:]}, for a task that does not mention one.",
        correction="Leave the number out, or show only its last four characters. A person who needs it can look it up "
        "in its own system.",
        evidence=(f"{sort} …{number[-2:]}",),
    )


def _number(text: str) -> tuple[str, str]:
    """The sort of the first identifying number, and the number; both empty for none."""
    social = _SOCIAL.search(text)
    if social:
        return "identity", social[1]
    for labelled in _LABELLED.finditer(text):
        if sum(map(str.isdigit, labelled[1])) >= _LEAST_FIGURES:
            return "identity", labelled[1]
    for found in _CARD.finditer(text):
        if _luhn("".join(digit for digit in found[0] if digit.isdecimal())):
            return "card", found[0]
    for found in _IBAN.finditer(text):
        if _mod_97(found[0].replace(" ", "")):
            return "account", found[0]
    return "", ""


def _luhn(digits: str) -> bool:
    """Whether the check digit of a card number is right (ISO/IEC 7812-1), and it is not all one digit."""
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 3 or digits[0] not in "3456":
        return False
    doubled = [int(digit) * (1 + index % 2) for index, digit in enumerate(reversed(digits))]
    return sum(each - 9 if each > 9 else each for each in doubled) % 10 == 0


def _mod_97(iban: str) -> bool:
    """Whether the check digits of an IBAN are right (ISO 13616)."""
    moved = iban[4:] + iban[:4]
    return 15 <= len(iban) <= 34 and int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1
