"""One made-up secret of each kind, and text with secrets in it.

They are put together here, so that no file of this repository holds anything with a live key's shape.
"""

import base64
import json
import random
import string

from hypothesis import strategies as st

from supervisor.evidence.secrets import Masker

MASKER = Masker(b"a salt for tests, of 32 bytes...")
ALPHABET = string.ascii_letters + string.digits


def made(length: int, alphabet: str = ALPHABET) -> str:
    """Random characters, the same ones every time."""
    return "".join(random.Random(length).choices(alphabet, k=length))


def jwt(*parts: dict[str, str]) -> str:
    """A header and claims as a JSON Web Token has them (RFC 7519)."""
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts)


HEX = "0123456789abcdef"
B32 = string.ascii_uppercase + "234567"

# type -> (the secret, the text around it)
SAMPLES = {
    "private_key": (
        made(64),
        "-----BEGIN PRIVATE " + "KEY-----\n{}\n-----END PRIVATE KEY-----",
    ),
    "jwt": (jwt({"alg": "HS256", "typ": "JWT"}, {"sub": made(20)}) + "." + made(43), "token={}"),
    "bundler_credentials": (made(12, HEX), "BUNDLE_GEMS__EXAMPLE__COM: deploy:{}"),
    "intra42_secret": ("s-s4t2ud-" + made(64, HEX), "uid={}"),
    "vendor_key": (made(40, HEX + "ABCDEF"), 'sonar.login ?= "{}"'),
    "aws_access_key": ("AKIA" + made(16, B32), "aws configure set aws_access_key_id {}"),
    "aws_secret_key": (made(40), 'AWS_SECRET_ACCESS_KEY="{}"'),
    "azure_client_secret": ("a1B8Q~" + made(34), "client={}"),
    "azure_storage_key": (made(86) + "==", "DefaultEndpointsProtocol=https;AccountKey={};EndpointSuffix=x"),
    "google_api_key": ("AIza" + made(35), "https://maps.example.org/js?key={}&v=3"),
    "digitalocean_token": ("dop_v1_" + made(64, HEX), "doctl auth init -t {}"),
    "github_token": ("ghp_" + made(36), "git clone https://x-access-token@github.com {}"),
    "gitlab_token": ("glpat-" + made(20), "PRIVATE-TOKEN: {}"),
    "npm_token": ("npm_" + made(36), "//registry.npmjs.org/:_authToken={}"),
    "pypi_token": ("pypi-AgE" + made(80), "TWINE_PASSWORD={} twine upload dist/*"),
    "huggingface_token": ("hf_" + made(34, string.ascii_letters), "login('{}')"),
    "anthropic_key": ("sk-ant-" + "api03-" + made(95), "export ANTHROPIC_API_KEY={}"),
    "openai_key": ("sk-proj-" + made(40) + "T3Blbk" + "FJ" + made(40), "OpenAI(api_key='{}')"),
    "stripe_key": ("sk_" + "live_" + made(24), "stripe.api_key = '{}'"),
    "shopify_token": ("shpat_" + made(32, HEX), "{}"),
    "sendgrid_key": ("SG." + made(22) + "." + made(43), "{}"),
    "twilio_key": ("SK" + made(32, HEX), "{}"),
    "slack_token": ("xoxb-" + "123456789012-1234567890123-" + made(24), "Bearer {}"),
    "slack_webhook": (
        "T" + made(8) + "/B" + made(9) + "/" + made(24),
        "curl https://hooks.slack.com/services/{} -d @-",
    ),
    "discord_token": ("M" + made(24) + "." + made(6) + "." + made(30), "client.run('{}')"),
    "telegram_token": ("123456789:AA" + made(33), "https://api.telegram.org/bot {}/getMe"),
    "url_password": ("w0rd-of-honour", "postgres://app:{}@db.example.org:5432/app"),
    "authorization": (made(40), 'curl -H "Authorization: Bearer {}" https://api.example.org'),
    "assigned_secret": ("q7W-k9d8_Lm2x4", 'password = "{}"'),
}


fragments = st.sampled_from(
    [around.format(secret) for secret, around in SAMPLES.values()]
    + [secret for secret, _ in SAMPLES.values()]
    + [
        "password=",
        "token: ",
        '"',
        "'",
        "=",
        ":",
        "@",
        "://",
        "-",
        "_",
        ".",
        "SECRET_",
        "SECRET_x_0123456789ab",
        "Bearer ",
    ]
)
texts = st.lists(fragments | st.text(max_size=8), max_size=8).map("".join)


def drawn(numbers, length, alphabet=ALPHABET):
    return "".join(numbers.choices(alphabet, k=length))
