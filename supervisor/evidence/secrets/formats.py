r"""The formats of credentials: what an issuer's tokens look like, and where people write passwords.

A format is found in two steps, so that text without secrets costs one scan: `hint` is a short literal in every match,
and `pattern` runs only if it occurs. The secret is the last matched group of the pattern, or the whole match if it has
none; the text around it is kept. Both are RE2 (linear time) over UTF-8 bytes read as Latin-1. A secret with other than
inert characters is not masked (`spans._INERT`), so patterns include such characters only where the match would
otherwise end inside the secret.

Issuers publish these shapes for secret scanning, e.g. GitHub's
https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from enum import Enum
from typing import Any

import re2

from supervisor.evidence.secrets.issuers import shapes


class Proof(Enum):
    """What, besides its shape, makes a match a secret and not a placeholder."""

    ISSUED = "an issuer's format: enough entropy, no documentation example"
    CHOSEN = "a password that a person chose: anything but a placeholder"
    ASSIGNED = "a value given to a secret's name: must look random as well"
    CLAIMS = "a JSON Web Token (RFC 7519): its header and its claims are JSON"


@dataclass(frozen=True, slots=True)
class Format:
    """The format of one kind of credential. `type` appears in its token: lower snake case.

    `lines`: the secret has several lines, each of which is masked separately, so that line breaks are kept. Such a
    pattern has no group: RE2 finds the end of a match ten times faster than the ends of its groups.
    """

    type: str
    hint: str
    pattern: str
    proof: Proof = Proof.ISSUED
    lines: bool = False


_BASE64_BODY = r"[A-Za-z0-9+/=]{32,}(?:[\s\"'\\,]{1,24}[A-Za-z0-9+/=]{4,})*"
_PEM = r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|\s|[\"'+]|[A-Za-z-]{2,20}: [^\r\n\\]*)*"
_NAME = r"(?i)(?:passw(?:or)?d|pwd|passphrase|secret|token|api[_-]?key|(?:access|secret|private|auth|signing)[_-]?key)"
_IS = r"\d?(?:\\?[\"'\]]){0,2}\s{0,8}(?:[:?]{0,3}=|=>|:)\s{0,8}"
# Only inert characters, without an upper bound: RE2 counts a bound in states, which cost 5 µs a character of noise.
_QUOTED = r"(?:\\?\"([A-Za-z0-9_+/~%:-]{8,}={0,2})\\?\"|\\?'([A-Za-z0-9_+/~%:-]{8,}={0,2})\\?')"
_BARE = r"([A-Za-z0-9_+/~%-]{12,}={0,2})(?:[\s;,\"'\\&|<)}]|$)"

# Products with a key as the only credential, where the product's name or login is assigned a random value.
_VENDOR = (
    r"(?i)(?:sonar(?:qube|cloud)?[._-]?login|(?:sourcegraph|artifactory|jfrog|mailgun|pagerduty|launchdarkly)"
    r"[._-]?(?:auth|login|pat)?)"
)

# The types of values that are masked only as a precaution (`opaque`): what a specialist would find in their place.
CLEAR, CHOSEN, HIDDEN = "clear_password", "chosen_password", "hidden_value"
MASKED_ONLY = frozenset((CLEAR, CHOSEN, HIDDEN))

SHORTEST = 9  # characters of the shortest text with a secret: `://:pwd@h`

# In order of trust: if two formats claim the same characters, the earlier one gets them.
_EDGE = r"(?:\b|_)"

FORMATS: tuple[Format, ...] = (
    Format("private_key", r"PRIVATE KEY", f"{_PEM}{_BASE64_BODY}", lines=True),
    Format("age_key", r"AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    Format(
        "jwt",
        r"eyJ[\w-]+\.eyJ",
        r"\beyJ[A-Za-z0-9_-]{14,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{16,})?",
        Proof.CLAIMS,
    ),
    # clouds
    Format("aws_access_key", r"A[KS]IA", r"\b((?:AKIA|ASIA)[A-Z2-7]{16})\b"),
    Format(
        "aws_secret_key",
        r"(?i)secret_?(?:access_?)?key",
        rf"(?i)secret_?(?:access_?)?key{_IS}\\?[\"']?([A-Za-z0-9/+]{{40}})(?:[^A-Za-z0-9/+=]|$)",
    ),
    Format(
        "azure_client_secret", r"\dQ~", r"(?:^|[^\w~.-])([A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34})(?:[^\w~.-]|$)"
    ),
    Format("azure_storage_key", r"AccountKey=|AccessKey=", r"(?:AccountKey|AccessKey)=([A-Za-z0-9+/]{43,86}={1,2})"),
    Format("google_api_key", r"AIza", r"\bAIza[A-Za-z0-9_-]{35}"),
    Format("google_oauth", r"GOCSPX-|ya29\.", r"\bGOCSPX-[A-Za-z0-9_-]{28}|\bya29\.[A-Za-z0-9_-]{30,}"),
    Format("digitalocean_token", r"do[opr]_v1_", r"\bdo[opr]_v1_[0-9a-f]{64}"),
    Format("databricks_token", r"dapi[0-9a-f]", r"\bdapi[0-9a-f]{32}(?:-\d)?\b"),
    Format("vault_token", r"hv[sbr]\.", r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}"),
    Format("terraform_token", r"\.atlasv1\.", r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}={0,2}"),
    Format("pulumi_token", r"pul-[0-9a-f]", r"\bpul-[0-9a-f]{40}\b"),
    Format("doppler_token", r"dp\.\w+\.", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:\w+\.)?[A-Za-z0-9]{40,44}\b"),
    Format("onepassword_token", r"ops_eyJ", r"\bops_eyJ[A-Za-z0-9+/]{200,}={0,2}"),
    Format(
        "onepassword_key", r"A3-", r"\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b"
    ),
    Format("grafana_token", r"gl(?:c|sa)_", r"\bglc_[A-Za-z0-9+/]{32,}={0,2}|\bglsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}\b"),
    Format("dynatrace_token", r"dt0c01\.", r"\bdt0c01\.[A-Z2-7]{24}\.[A-Z2-7]{64}\b"),
    Format("new_relic_key", r"NRAK-", r"\bNRAK-[A-Z0-9]{27}\b"),
    Format("planetscale_token", r"pscale_", r"\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_-]{32,64}"),
    Format("infracost_key", r"ico-", r"(?:^|[^\w.-])(ico-[A-Za-z0-9]{32})\b"),
    Format("supabase_token", r"sbp_", r"\bsbp_[0-9a-f]{40}\b"),
    # code and packages
    Format("github_token", r"gh[pousr]_|github_pat_", r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{36,}"),
    Format("gitlab_token", r"gl[a-z]{2,5}-", r"\bgl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|oas|soat)-[A-Za-z0-9_-]{20,}"),
    Format("npm_token", r"npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    Format("pypi_token", r"pypi-AgE", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    Format("rubygems_key", r"rubygems_", r"\brubygems_[0-9a-f]{48}\b"),
    Format("docker_token", r"dckr_", r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}"),
    Format("artifactory_key", r"AKCp|cmVmd", r"\bAKCp[A-Za-z0-9]{60,}\b|\bcmVmd[A-Za-z0-9]{59}\b"),
    Format("sonar_token", r"sq[upa]_", r"\bsq[upa]_[0-9a-zA-Z]{40}\b"),
    Format("sourcegraph_token", r"sgp_", r"\bsgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}\b"),
    Format("postman_key", r"PMAK-", r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b"),
    # models
    Format("anthropic_key", r"sk-ant-", r"\bsk-ant-[a-z]+\d\d-[A-Za-z0-9_-]{80,}"),
    Format("openai_key", r"sk-", r"\bsk-(?:(?:proj|svcacct|admin)-)?[A-Za-z0-9_-]{16,}T3BlbkFJ[A-Za-z0-9_-]{16,}"),
    Format("openrouter_key", r"sk-or-", r"\bsk-or-v1-[0-9a-f]{64}\b"),
    Format("huggingface_token", r"hf_", r"\bhf_[A-Za-z]{34}\b"),
    Format("model_key", r"gsk_|xai-|pplx-|r8_", r"\b(?:gsk_[A-Za-z0-9]{52}|xai-\w{80}|pplx-\w{48}|r8_\w{37})\b"),
    Format("langsmith_key", r"lsv2_", r"\blsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}\b"),
    # money and mail
    Format(
        "stripe_key", r"[sr]k_(?:live|test|prod)_|whsec_", r"\b[sr]k_(?:live|test|prod)_\w{20,}|\bwhsec_[\w+/]{32,}=*"
    ),
    Format("shopify_token", r"shp", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
    Format("square_token", r"sq0|EAAA", r"\bsq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}|\bEAAA[A-Za-z0-9_-]{60}"),
    Format("sendgrid_key", r"SG\.", r"\bSG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}"),
    Format("heroku_key", r"HRKU-", r"\bHRKU-[A-Za-z0-9_-]{32,}"),
    Format("cargo_token", r"cio[A-Za-z0-9]", r"\b(cio[A-Za-z0-9]{32})\b"),
    Format("nuget_key", r"oy2[a-z2-7]", r"\b(oy2[a-z2-7]{43})\b"),
    Format("mapbox_token", r"sk\.eyJ", r"\bsk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,}"),
    Format("dropbox_token", r"\bsl\.", r"\bsl\.(?:u\.)?[A-Za-z0-9_-]{120,}"),
    Format("mailchimp_key", r"-us\d", r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    Format("twilio_key", r"SK[0-9a-f]", r"\bSK[0-9a-f]{32}\b"),
    # chat, documents, social
    Format(
        "slack_token",
        r"(?i)xox[a-z]|xapp-",
        r"\bxox[abeoprs]-\d{8,14}-[0-9A-Za-z-]{8,}[A-Za-z][0-9A-Za-z-]{4,}|\b(?:xoxe\.)?xox[abeoprs]-\d-[0-9A-Za-z-]{40,}"
        r"|(?i)\bxapp-\d-[A-Z0-9]+-\d{8,14}-[a-z0-9]{32,}",
    ),
    Format(
        "slack_webhook",
        r"hooks\.slack\.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+]{8,}/[A-Za-z0-9+/]{20,})",
    ),
    Format("discord_token", r"\.[\w-]{6}\.", r"\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}\b"),
    Format("discord_webhook", r"/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d+/([A-Za-z0-9_-]{60,})"),
    Format("telegram_token", r":AA", r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    Format("facebook_token", r"EAA|\d\|", r"\bEAA[A-Za-z0-9]{90,}|\b\d{15,17}\|([A-Za-z0-9_-]{26,28})\b"),
    Format("notion_token", r"ntn_|secret_", r"\bntn_\d{11}[A-Za-z0-9]{35}\b|\bsecret_[A-Za-z0-9]{43}\b"),
    Format("atlassian_token", r"AT[A-Z]{3}3", r"\bAT(?:ATT|CTT)3[A-Za-z0-9_-]{100,}(?:=[0-9A-F]{8})?"),
    Format("intra42_secret", r"s-s4t2", r"\bs-s4t2(?:ud|af)-[0-9a-f]{64}\b"),
    Format("linear_key", r"lin_api_", r"\blin_api_[A-Za-z0-9]{40}\b"),
    Format("figma_token", r"figd_", r"\bfigd_[A-Za-z0-9_-]{40,}"),
    Format("airtable_token", r"pat\w{14}\.", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
    *(Format(*shape) for shape in shapes()),
    # secrets that no issuer marks, by their context
    Format("url_password", r"://[^\s/@]*@", r"://[^\s/?#:@\"'<>]*:([^\s/?#@\"'<>]{3,})@[A-Za-z0-9\[]", Proof.CHOSEN),
    Format(
        "authorization",
        r"(?i)authorization|bearer ",
        r"(?i)(?:authorization(?:\\?[\"'])?\s{0,4}[:=,]\s{0,4}(?:\\?[\"'])?(?:basic|bot|token)|bearer)"
        r"\s+([A-Za-z0-9._~+/-]{16,}=*)",
        Proof.ASSIGNED,
    ),
    # Bundler's credentials for a gem host; two underscores in the variable stand for a dot
    Format(
        "bundler_credentials",
        r"BUNDLE_\w+__",
        r"\bBUNDLE_[A-Z0-9_]{1,64}__[A-Z]{2,12}[\"']?\s{0,4}[:=]\s{0,4}[\"']?[A-Za-z0-9_.-]+:([A-Za-z0-9_-]+)",
        Proof.CHOSEN,
    ),
    Format("vendor_key", _VENDOR, f"{_VENDOR}{_IS}(?:{_QUOTED}|{_BARE})", Proof.ASSIGNED),
    Format("assigned_secret", _NAME, f"{_NAME}{_IS}(?:{_QUOTED}|{_BARE})", Proof.ASSIGNED),
)


@functools.cache
def pattern_of(number: int) -> Any:
    """A format's pattern, compiled at first use. An underscore counts as a word boundary too, as in file names."""
    return compiled(FORMATS[number].pattern.replace(r"\b", _EDGE))


def compiled(pattern: str) -> Any:
    """A compiled pattern for bytes."""
    return re2.compile(pattern.encode("latin-1"), options())


def options() -> Any:
    """Options of RE2: bytes are read as Latin-1, so that any input is valid and positions need no conversion."""
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    return options
