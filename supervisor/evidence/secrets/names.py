"""Names whose values are secrets: of variables, keys, headers, parameters, elements, in any case style.

This table serves masking. A name counts by its end (`DB_PASSWORD`, `clientSecret`, `x-api-key`), after which only the
name of an environment may follow (`DB_PASSWORD_PROD`): `password_file` and `token_type` are not secret.
"""

from __future__ import annotations

import functools
import re

from supervisor.evidence.secrets.opaque import Sort
from supervisor.regexes import compile_later

# The ends of names, by word; `_` stands for any separator or none (`api_key`, `apiKey`, `API-KEY`, `api key`).
_PASSWORDS = """
password passwd passwrd passphrase pass_phrase passcode pass_code db_pass user_pass requirepass masterauth userpass
passwort kennwort contrase\u00f1a contrasena senha mot_de_passe mdp wachtwoord has\u0142o l\u00f6senord
\u043f\u0430\u0440\u043e\u043b\u044c \u5bc6\u7801 \u5bc6\u78bc \u53e3\u4ee4
\u30d1\u30b9\u30ef\u30fc\u30c9 \ube44\ubc00\ubc88\ud638
pgpassword mysql_pwd _authpass keystore_pw
"""
_KEYS = """
secret secrets token tokens credential credentials api_key apikeys app_key access_key secret_key private_key account_key
master_key encryption_key encrypt_key signing_key session_key auth_key storage_key service_key license_key shared_key
shared_access_key subscription_key webhook_key admin_key consumer_key service_role_key integration_key ingest_key
project_key write_key secret_value client_key function_key host_key decryption_key cookie_key hmac_key jwt_key
deploy_key host_authorization session_id session_cookie auth_cookie jsessionid phpsessid sessid
connect.sid authorization
access_code otp_secret totp_seed mnemonic seed_phrase recovery_phrase recovery_code recovery_codes backup_code
backup_codes connection_string webhook_url x_api_key _auth_token auth_code authorization_code refresh_token bearer
x_amz_security_token x_amz_signature x_goog_signature secret_access_key _auth fastly_key functions_key
"""
# Words that other words end with: these count alone, after a separator, or with the only capital (`dbPass`).
_SHORT = "pass pw pwd psw pswd pin sid sig cvv cvc otp pat jwt"
_PASSWORD_WORDS = frozenset(("pass", "pw", "pwd", "psw", "pswd"))

# Words before a secret's name that make it public.
_PUBLIC = compile_later(
    rb"(?i:(?<![A-Za-z])|(?-i:(?<=[a-z])(?=[A-Z])))(?i:csrf|xsrf|public|publishable|page|next|prev|continuation"
    rb"|sync|cursor|eos|bos|pad|unk|mask|sep|cls|num"
    rb"|max|min|total|prompt|completion|input|output|cached|partition|sort|primary|foreign|idempotency|dedup|syntax"
    rb"|end|start|stop|special|current|last|first|peek|tok|anti_?forgery|verification|no|has|is|use|with|show|hide"
    rb"|forgot|reset|change|invalid|missing|wrong|bad|by|of|per|count|error|type)[._ -]?$"
)
_FOR = (
    r"(?:_(?:prod|production|dev|development|stag(?:e|ing)|test|local|live|primary|secondary|main|old|new|root"
    r"|admin)|_?\d{1,2})?"
)


def _either(words: str) -> str:
    """The words as one pattern, longest first."""
    spelled = sorted(words.split(), key=len, reverse=True)
    return "|".join(_latin(re.escape(word).replace("_", "[_.\\- ]?")) for word in spelled)


def _latin(text: str) -> str:
    """UTF-8 bytes read as Latin-1, like the patterns."""
    return text.encode().decode("latin-1")


_SHORT_WORDS = "|".join(_SHORT.split())
_SHORT_CAPITALS = "|".join(word.capitalize() for word in _SHORT.split())
_SHORT_ONES = rf"(?:\b|_)(?:{_SHORT_WORDS})|[a-z0-9](?-i:{_SHORT_CAPITALS})"

SECRET_NAME = rf"(?i:(?:{_either(_PASSWORDS + _KEYS)}|{_SHORT_ONES}){_FOR})"
UPPER_KEY = r"[A-Z0-9]_KEY"  # of a variable
_CHOSEN = compile_later(
    rf"(?i)(?:{_either(_PASSWORDS)}|{'|'.join(_PASSWORD_WORDS)}){_FOR}[^A-Za-z0-9]*$".encode("latin-1")
)
_NAME = compile_later(rf".*(?:{SECRET_NAME}|{UPPER_KEY})[^A-Za-z0-9]*".encode("latin-1"), re.S)
_AT_NAME = compile_later(SECRET_NAME.encode("latin-1"))
_FAR = 24  # bytes before a name that may make it public


def is_public(raw: bytes, start: int) -> bool:
    """Whether the text before a secret's name makes it public: `csrf_token`, `next_page_token`."""
    return _PUBLIC.search(raw[max(0, start - _FAR) : start]) is not None


def is_chosen(name: bytes) -> bool:
    """Whether a name is that of a password, which a person may have chosen: it need not look random."""
    return _CHOSEN.search(name) is not None


@functools.lru_cache(maxsize=4096)
def sort_of_name(name: str) -> Sort | None:
    """What a whole name requires of its value; None if it is not a secret's name."""
    raw = name.encode("utf-8", "replace")
    found = _NAME.fullmatch(raw)
    if found is None or any(is_public(raw, at) for at in range(len(raw)) if _AT_NAME.match(raw, at)):
        return None
    return Sort.CHOSEN if is_chosen(raw) else Sort.RANDOM
