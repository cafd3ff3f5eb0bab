# ruff: noqa: E501, RUF001 - a pattern that is broken over lines reads worse; every script has its own letters
"""One-time codes: codes that a service sends to a user to authenticate a login.

Codes of bookings and parcels, which people pass on, are different: a one-time code is named as such in its context.
"""

from __future__ import annotations

import re2

MOST_READ = 64 * 1024  # characters of one text
_NAME = (
    r"(?:(?:security|verification|authenticat\w+|one[- ]time|single[- ]use|log[- ]?in|sign[- ]?in|two[- ]factor|2[- ]?step|2fa|mfa)"
    r" (?:\w+ )?(?:code|passcode|password|pin|otp)|otp|one[- ]time passcode"
    r"|(?:sicherheits|bestätigungs|einmal|anmelde|verifizierungs)(?:code|passwort|kennwort)|m?tan"
    r"|code (?:de|à usage) (?:vérification|sécurité|connexion|unique)|código de (?:verificación|seguridad|acceso|verificação|segurança)"
    r"|codice (?:di (?:verifica|sicurezza|accesso)|otp)|verificatiecode|beveiligingscode|код (?:подтверждения|безопасности|доступа)"
    r"|验证码|驗證碼|安全码|認証コード|確認コード|인증 ?(?:번호|코드))"
)
_CODE = r"((?:[A-Z]{1,2}-)?(?:\d{3}[ -]\d{3,4}|\d{4,8}))"
_SHORT = 5  # digits; a year or a price has fewer
_CODE_PATTERNS = (
    re2.compile(
        rf"(?i)(?:^|[^\pL\d]|[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}\p{{Hangul}}]){_NAME}[^\d\n.!?]{{0,40}}?[:：\s=>*]{{1,6}}{_CODE}(?:[^\d-]|$)"
    ),
    re2.compile(
        rf"(?i)(?:^|[^\d.,-]){_CODE}(?: (?:is|as|ist|est|es|è|é)\W|，|, |为|は|입니다)[^\d\n.!?]{{0,40}}?{_NAME}"
    ),
)
_FIGURES = re2.compile(r"\d(?:[ -]?\d){3,7}")
_CALLED = re2.compile(
    r"(?i)\b(?:codes?|passcodes?|otp|pin|2fa|tan|código|codice|einmal\w*|\w+code)\b|код|码|コード|코드"
)


def codes_in(text: str) -> list[str]:
    """The digits of the one-time codes in a text."""
    found = (match[1] for pattern in _CODE_PATTERNS for match in pattern.finditer(text[:MOST_READ]))
    return list(dict.fromkeys("".join(filter(str.isdigit, code)) for code in found))


def speaks_of_codes(text: str) -> bool:
    """Whether a text mentions codes of any purpose."""
    return _CALLED.search(text[:MOST_READ]) is not None


def possible_codes(text: str) -> list[str]:
    """The numbers in a text that may be such a code; short ones only if the text mentions codes."""
    found = ("".join(filter(str.isdigit, match[0])) for match in _FIGURES.finditer(text[:MOST_READ]))
    called = speaks_of_codes(text)
    return [code for code in found if called or len(code) >= _SHORT]
