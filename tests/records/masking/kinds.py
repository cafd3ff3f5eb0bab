"""Kinds of secrets, each made at random from its own alphabet by its issuer's documented format.

Every value is put together when it is asked for, of parts that alone look like nothing: no file of this repository
holds anything with a live key's shape. `marked`: its issuer's format tells it wherever it stands. The others are told
by the name, the option or the sentence that they are written under: `names` are such names.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable
from dataclasses import dataclass

UPPER, LOWER, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
ALNUM = UPPER + LOWER + DIGITS
HEX = DIGITS + "abcdef"
B32 = UPPER + "234567"
URLSAFE = ALNUM + "-_"
B64 = ALNUM + "+/"
SIGNS = "!#$%&()*+,-./:;<=>?@[]^_{|}~"
ACCENTS = "äöüßéèñçåøžščłğıÀÉÖλπωжщфя日本語密"

Make = Callable[[random.Random], str]


@dataclass(frozen=True)
class Kind:
    name: str
    make: Make
    names: tuple[str, ...]
    marked: bool = False
    plain: bool = True  # of letters, digits and the signs of Base64: may stand in a file's name or a URL as it is


def chars(alphabet: str, least: int, most: int | None = None) -> Make:
    return lambda numbers: "".join(numbers.choices(alphabet, k=numbers.randint(least, most or least)))


def joined(*parts: str | Make) -> Make:
    return lambda numbers: "".join(part if isinstance(part, str) else part(numbers) for part in parts)


def _encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def _jwt(numbers: random.Random) -> str:
    claims = {"sub": chars(ALNUM, 12)(numbers), "iat": numbers.randint(10**9, 2 * 10**9)}
    parts = (json.dumps(part) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    return ".".join([*map(_encoded, parts), chars(URLSAFE, 43)(numbers)])


def _padded(size: int) -> Make:
    return lambda numbers: base64.b64encode(numbers.randbytes(size)).decode()


def _uuid(numbers: random.Random) -> str:
    return "-".join(chars(HEX, size)(numbers) for size in (8, 4, 4, 4, 12))


_SYLLABLES = "ba ce di fo gu ha jo ka le mi no pu ra se ti vo wa ye zo bri cla dre fru gla".split()


def _phrase(count: int) -> Make:
    """Words as a wallet's phrase has them; made up, for the true list has two thousand."""

    def make(numbers: random.Random) -> str:
        words = ["".join(numbers.choices(_SYLLABLES, k=2)) + numbers.choice("nrtlm") for _ in range(count)]
        return " ".join(words)

    return make


def _password(alphabet: str) -> Make:
    """Eight to forty characters, with a letter or a sign at both ends."""

    def make(numbers: random.Random) -> str:
        while True:
            text = chars(alphabet, 8, 40)(numbers)
            if text == text.strip() and len(set(text)) > 4:
                return text

    return make


PASSWORD = ("DB_PASSWORD", "PGPASSWORD", "password", "adminPassword", "smtp-password", "user_passwd", "Passphrase")
SECRET = ("CLIENT_SECRET", "clientSecret", "app_secret", "webhook-secret", "Secret")
TOKEN = ("AUTH_TOKEN", "accessToken", "refresh_token", "x-auth-token", "ApiToken")
KEY = ("API_KEY", "apiKey", "x-api-key", "secret_key", "ENCRYPTION_KEY", "signing-key")


def _issued(name: str, *parts: str | Make, names: tuple[str, ...] = TOKEN) -> Kind:
    return Kind(name, joined(*parts), names, marked=True)


def _named(name: str, make: Make, names: tuple[str, ...], *, plain: bool = True) -> Kind:
    return Kind(name, make, names, plain=plain)


KINDS: tuple[Kind, ...] = (
    _issued("AWS access key", "AK" + "IA", chars(B32, 16), names=("AWS_ACCESS_KEY_ID",)),
    _named("AWS secret key", chars(B64, 40), ("AWS_SECRET_ACCESS_KEY", "aws_secret_access_key", "secretAccessKey")),
    _named("AWS session token", chars(B64, 300, 600), ("AWS_SESSION_TOKEN", "sessionToken", "x-amz-security-token")),
    _issued("GitHub token", "gh" + "p_", chars(ALNUM, 36)),
    _issued("GitHub OAuth token", "gh" + "o_", chars(ALNUM, 36)),
    _issued("GitHub app token", "gh" + "s_", chars(ALNUM, 36)),
    _issued("GitHub fine-grained token", "github" + "_pat_", chars(ALNUM, 22), "_", chars(ALNUM, 59)),
    _issued("GitLab token", "gl" + "pat-", chars(ALNUM, 20)),
    _issued("Slack bot token", "xo" + "xb-", chars(DIGITS, 12), "-", chars(DIGITS, 13), "-", chars(ALNUM, 24)),
    _issued(
        "Slack user token",
        "xo" + "xp-",
        chars(DIGITS, 12),
        "-",
        chars(DIGITS, 12),
        "-",
        chars(DIGITS, 13),
        "-",
        chars(HEX, 32),
    ),
    _issued("Stripe key", "sk" + "_live_", chars(ALNUM, 24, 99), names=KEY),
    _issued("Stripe restricted key", "rk" + "_live_", chars(ALNUM, 24, 99), names=KEY),
    _issued("Stripe webhook secret", "wh" + "sec_", chars(ALNUM, 32), names=SECRET),
    _named("Twilio auth token", chars(HEX, 32), ("TWILIO_AUTH_TOKEN", "authToken")),
    _issued("Twilio key", "S" + "K", chars(HEX, 32), names=KEY),
    _issued("SendGrid key", "S" + "G.", chars(URLSAFE, 22), ".", chars(URLSAFE, 43), names=KEY),
    _issued("Mailgun key", "ke" + "y-", chars(HEX, 32), names=("MAILGUN_API_KEY",)),
    _issued("npm token", "np" + "m_", chars(ALNUM, 36)),
    _issued("PyPI token", "pypi" + "-AgEIcHlwaS5vcmc", chars(URLSAFE, 120), names=("TWINE_PASSWORD",)),
    _issued("Google API key", "AI" + "za", chars(URLSAFE, 35), names=KEY),
    _issued("Google client secret", "GOC" + "SPX-", chars(URLSAFE, 28), names=SECRET),
    _issued("Google access token", "ya" + "29.", chars(URLSAFE, 120)),
    _issued("OpenAI key", "s" + "k-", chars(ALNUM, 20), "T3Bl" + "bkFJ", chars(ALNUM, 20), names=KEY),
    _issued("OpenAI project key", "sk-" + "proj-", chars(URLSAFE, 74), "T3Bl" + "bkFJ", chars(URLSAFE, 74), names=KEY),
    _issued("Anthropic key", "sk-" + "ant-api03-", chars(URLSAFE, 93), "AA", names=KEY),
    _issued("Hugging Face token", "h" + "f_", chars(UPPER + LOWER, 34)),
    _issued("DigitalOcean token", "do" + "p_v1_", chars(HEX, 64)),
    _issued("Shopify token", "shp" + "at_", chars(HEX, 32)),
    _issued("Square token", "EAA" + "A", chars(URLSAFE, 60)),
    _issued("Telegram bot token", chars("123456789", 9), ":A" + "A", chars(URLSAFE, 33)),
    _issued("Discord bot token", "MT", chars(ALNUM, 24), ".G", chars(URLSAFE, 5), ".", chars(URLSAFE, 38)),
    _named("Azure storage key", joined(chars(B64, 86), "=="), ("AZURE_STORAGE_KEY", "AccountKey", "account-key")),
    _named(
        "Azure SAS signature",
        lambda n: _padded(32)(n).replace("+", "%2B").replace("/", "%2F").replace("=", "%3D"),
        ("sig", "SAS_TOKEN"),
    ),
    _issued("Azure client secret", chars(ALNUM, 3), "8Q~", chars(ALNUM + "_~.-", 33), "x", names=SECRET),
    Kind("JWT", _jwt, TOKEN, marked=True),
    _issued("age key", "AGE-SECRET" + "-KEY-1", chars("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58), names=KEY),
    _issued("Vault token", "hv" + "s.", chars(URLSAFE, 90, 110), names=("VAULT_TOKEN",)),
    _issued("Terraform token", chars(ALNUM, 14), ".atlas" + "v1.", chars(URLSAFE, 67)),
    _named("Datadog key", chars(HEX, 32), ("DD_API_KEY", "DD_APP_KEY", "dd-api-key")),
    _issued("New Relic key", "NR" + "AK-", chars(UPPER + DIGITS, 27), names=KEY),
    _named("Sentry key", chars(HEX, 32), ("SENTRY_SECRET", "SENTRY_AUTH_TOKEN")),
    _issued("Heroku key", "HR" + "KU-", chars(URLSAFE, 60), names=("HEROKU_API_KEY",)),
    _named("Heroku UUID key", _uuid, ("HEROKU_API_KEY", "apiKey")),
    _named("Cloudflare token", chars(URLSAFE, 40), ("CLOUDFLARE_API_TOKEN", "CF_API_KEY")),
    _named("Fastly token", chars(URLSAFE, 32), ("FASTLY_API_TOKEN", "Fastly-Key")),
    _issued("Linear key", "lin" + "_api_", chars(ALNUM, 40), names=KEY),
    _issued("Notion token", "nt" + "n_", chars(DIGITS, 11), chars(ALNUM, 35)),
    _issued("Figma token", "fig" + "d_", chars(URLSAFE, 43)),
    _issued("Atlassian token", "ATAT" + "T3xFfGF0", chars(URLSAFE, 180), "=", chars(DIGITS + "ABCDEF", 8)),
    _issued("Databricks token", "da" + "pi", chars(HEX, 32)),
    _named("Snowflake password", _password(ALNUM + "!@_"), ("SNOWFLAKE_PASSWORD", "snowflakePassword"), plain=False),
    _issued("Postman key", "PM" + "AK-", chars(HEX, 24), "-", chars(HEX, 34), names=KEY),
    _named("Okta token", joined("00", chars(URLSAFE, 40)), ("OKTA_API_TOKEN", "oktaToken")),
    _named("Auth0 secret", chars(URLSAFE, 64), ("AUTH0_CLIENT_SECRET", "client_secret")),
    _named("Algolia key", chars(HEX, 32), ("ALGOLIA_ADMIN_KEY", "ALGOLIA_API_KEY")),
    _issued("Mapbox token", "s" + "k.eyJ1Ijoi", chars(ALNUM, 60), ".", chars(URLSAFE, 22)),
    _issued("Dropbox token", "s" + "l.", chars(URLSAFE, 130)),
    _issued("Facebook token", "EAA" + "C", chars(ALNUM, 120)),
    _named(
        "X bearer token", joined("A" * 20, chars(ALNUM + "%", 70, 80)), ("X_BEARER_TOKEN", "bearerToken"), plain=False
    ),
    _named("LinkedIn secret", chars(ALNUM, 16), ("LINKEDIN_CLIENT_SECRET", "clientSecret")),
    _issued("Docker token", "dck" + "r_pat_", chars(URLSAFE, 27)),
    _issued("RubyGems key", "ruby" + "gems_", chars(HEX, 48), names=KEY),
    _issued("NuGet key", "oy" + "2", chars(LOWER + "234567", 43), names=("NUGET_API_KEY",)),
    _issued("crates.io token", "ci" + "o", chars(ALNUM, 32), names=("CARGO_REGISTRY_TOKEN",)),
    _issued("Doppler token", "dp." + "pt.", chars(ALNUM, 43)),
    _issued("1Password token", "ops" + "_eyJ", chars(B64, 300)),
    _issued("Supabase token", "sb" + "p_", chars(HEX, 40)),
    _issued("PlanetScale password", "pscale" + "_pw_", chars(URLSAFE, 43), names=PASSWORD),
    _issued("Grafana service token", "gl" + "sa_", chars(ALNUM, 32), "_", chars(HEX, 8)),
    _issued("Grafana cloud token", "gl" + "c_eyJ", chars(B64, 100)),
    _named("MD5-crypt hash", joined("$1$", chars(ALNUM, 8), "$", chars(ALNUM + "./", 22)), PASSWORD, plain=False),
    _named("Apache hash", joined("$apr1$", chars(ALNUM, 8), "$", chars(ALNUM + "./", 22)), PASSWORD, plain=False),
    _named("SHA-256-crypt hash", joined("$5$", chars(ALNUM, 16), "$", chars(ALNUM + "./", 43)), PASSWORD, plain=False),
    _named("SHA-512-crypt hash", joined("$6$", chars(ALNUM, 16), "$", chars(ALNUM + "./", 86)), PASSWORD, plain=False),
    _named("yescrypt hash", joined("$y$j9T$", chars(ALNUM, 22), "$", chars(ALNUM + "./", 43)), PASSWORD, plain=False),
    _named("bcrypt hash", joined("$2b$12$", chars(ALNUM + "./", 53)), PASSWORD, plain=False),
    _named(
        "Argon2 hash",
        joined("$argon2id$v=19$m=65536,t=3,p=4$", chars(B64, 22), "$", chars(B64, 43)),
        PASSWORD,
        plain=False,
    ),
    _named("lower-case password", _password(LOWER), PASSWORD),
    _named("letters and digits", _password(ALNUM), PASSWORD),
    _named("password with signs", _password(ALNUM + SIGNS), PASSWORD, plain=False),
    _named("password with quotes", _password(ALNUM + SIGNS + "'\"`\\"), PASSWORD, plain=False),
    _named("password with spaces", _password(ALNUM + "!#-_ "), PASSWORD, plain=False),
    _named("password beyond ASCII", _password(ALNUM + ACCENTS), PASSWORD, plain=False),
    _named("digits", chars(DIGITS, 8, 16), PASSWORD),
    _named("hex key", chars(HEX, 32, 64), KEY),
    _named("Base64 key", _padded(32), KEY),
    _named("URL-safe key", chars(URLSAFE, 24, 48), KEY),
    _named("UUID key", _uuid, KEY),
    _named("one-time seed", chars(B32, 16, 32), ("TOTP_SECRET", "otp_secret")),
    _named("phrase of 12 words", _phrase(12), ("mnemonic", "seed_phrase", "RECOVERY_PHRASE"), plain=False),
    _named("phrase of 24 words", _phrase(24), ("mnemonic", "seed_phrase", "RECOVERY_PHRASE"), plain=False),
)
