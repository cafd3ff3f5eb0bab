# ruff: noqa: E501 - a row of a table that is broken over lines reads worse
r"""The shapes of more issuers' credentials, in lines of `type  hint  pattern` (see `formats.Format`).

Each shape is the one that its issuer documents, or registers for secret scanning. Identifiers that an issuer calls
public (publishable keys, client identifiers, site keys) are left out.
"""

from __future__ import annotations

UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"

CLOUDS = rf"""
alibaba_key            LTAI                   \bLTAI[A-Za-z0-9]{{17,21}}\b
tencent_key            AKID                   \bAKID[A-Za-z0-9]{{32}}\b
yandex_key             AQVN                   \bAQVN[A-Za-z0-9_-]{{35,38}}
aws_bedrock_key        ABSK                   \bABSK[A-Za-z0-9+/]{{100,}}={{0,2}}
aws_mws_token          amzn\.mws\.            \bamzn\.mws\.{UUID}
aws_appsync_key        da2-                   \bda2-[a-z0-9]{{26}}\b
azure_devops_token     AZDO                   \b[A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}\b
azure_function_key     AzFu                   \b[A-Za-z0-9_-]{{44}}AzFu[A-Za-z0-9_-]{{4,8}}={{0,2}}
azure_account_key      APIM|ACDb|\+(?:ABa|AMC|ASt)   [A-Za-z0-9+/]{{76}}(?:APIM|ACDb|\+(?:ABa|AMC|ASt))[A-Za-z0-9+/]{{5}}[AQgw]==
azure_bus_key          AIoT|\+(?:ASb|AEh|ARm)        [A-Za-z0-9+/]{{33}}(?:AIoT|\+(?:ASb|AEh|ARm))[A-P][A-Za-z0-9+/]{{5}}=
azure_model_key        JQQJ9                  \b[A-Za-z0-9]{{52}}JQQJ9[9D][A-Za-z0-9]{{26,}}
google_refresh_token   1//0                   (?:^|[^\w/])(1//0[A-Za-z0-9_-]{{40,}})
firebase_server_key    :APA91b                \bAAAA[A-Za-z0-9_-]{{7}}:APA91b[A-Za-z0-9_-]{{100,}}
cloudflare_origin_key  v1\.0-[0-9a-f]         \bv1\.0-[0-9a-f]{{24}}-[0-9a-f]{{146}}\b
fly_token              fm[12][ar]?_|fo1_      \bfm[12][ar]?_[A-Za-z0-9+/]{{100,}}={{0,3}}|\bfo1_[A-Za-z0-9_-]{{43}}
netlify_token          nfp_                   \bnfp_[A-Za-z0-9]{{36}}\b
render_key             rnd_                   \brnd_[A-Za-z0-9]{{32}}\b
scalingo_token         tk-us-                 \btk-us-[A-Za-z0-9_-]{{48}}
deno_token             dd[opw]_               \bdd[opw]_[A-Za-z0-9]{{36}}\b
vercel_blob_token      vercel_blob_rw_        \bvercel_blob_rw_[A-Za-z0-9]{{10,}}_[A-Za-z0-9]{{20,}}
tailscale_key          tskey-                 \btskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{{8,}}-[A-Za-z0-9]{{20,}}
openshift_token        sha256~                \bsha256~[A-Za-z0-9_-]{{43}}
harness_token          [ps]at\.               \b[ps]at\.[A-Za-z0-9_-]{{22}}\.[0-9a-f]{{24}}\.[A-Za-z0-9]{{20}}\b
prefect_key            pn[ub]_                \bpn[ub]_[A-Za-z0-9]{{36}}\b
defined_key            dnkey-                 \bdnkey-[a-z0-9_-]{{26}}-[a-z0-9_-]{{52}}
bitwarden_token        0\.[0-9a-f]{{8}}-      \b0\.{UUID}\.[A-Za-z0-9]{{30}}:[A-Za-z0-9+/]{{22}}==
infisical_token        st\.[0-9a-f]           \bst\.[0-9a-f]{{24}}\.[0-9a-f]{{32}}\.[0-9a-f]{{32}}\b
"""

DATA = rf"""
databricks_secret      dose[0-9a-f]           \bdose[0-9a-f]{{32}}\b
mongodb_secret         mdb_sa_sk_             \bmdb_sa_sk_[A-Za-z0-9_-]{{40}}
neon_key               napi_                  \bnapi_[a-z0-9]{{64}}\b
cockroach_key          CCDB1_                 \bCCDB1_[A-Za-z0-9]{{22}}_[A-Za-z0-9]{{40}}\b
pinecone_key           pcsk_                  \bpcsk_[A-Za-z0-9]{{5,6}}_[A-Za-z0-9]{{63}}\b
sentry_token           sntrys_|sntryu_        \bsntrys_eyJ[A-Za-z0-9+/_]{{80,}}={{0,2}}|\bsntryu_[0-9a-f]{{64}}\b
grafana_key            eyJrIjoi               \beyJrIjoi[A-Za-z0-9+/]{{60,}}={{0,2}}
honeycomb_key          hc[abi]ik_             \bhc[abi]ik_[a-z0-9]{{58}}\b
new_relic_insert_key   NRII-|NRRA-            \bNRII-[A-Za-z0-9_-]{{32}}|\bNRRA-[0-9a-f]{{42}}\b
rootly_key             rootly_                \brootly_[0-9a-f]{{64}}\b
axiom_token            xa[ap]t-               \bxa[ap]t-{UUID}
posthog_key            phx_                   \bphx_[A-Za-z0-9_]{{43,}}
launchdarkly_key       (?:sdk|api)-[0-9a-f]   \b(?:sdk|api)-{UUID}
statsig_key            secret-                \bsecret-(?:(?:live|test)-)?[A-Za-z0-9_]{{36,}}=?
kaggle_token           KGAT_                  \bKGAT_[0-9a-f]{{32}}\b
rapidapi_key           msh                    \b[0-9a-f]{{10}}msh[0-9a-f]{{15}}p1[0-9a-f]{{4,6}}jsn[0-9a-f]{{12,16}}\b
ubidots_token          BBFF-                  \bBBFF-[A-Za-z0-9]{{30}}\b
adafruit_key           aio_                   \baio_[A-Za-z0-9]{{28}}\b
"""

CODE = rf"""
bitbucket_password     ATBB                   \bATBB[A-Za-z0-9]{{24,40}}\b
gitlab_runner_token    GR1348941|gl(?:rtr|ffct|wt)-  \bGR1348941[A-Za-z0-9_-]{{20}}|\bgl(?:rtr|ffct|wt)-[A-Za-z0-9_-]{{20,}}
jetbrains_token        perm[:-]               \bperm[:-][A-Za-z0-9+/=]{{8,}}\.[A-Za-z0-9+/=]{{8,}}\.[A-Za-z0-9]{{27}}\b
clojars_token          CLOJARS_               \bCLOJARS_[0-9a-f]{{60}}\b
packagist_token        packagist_             \bpackagist_[ou][ra]t_[0-9a-f]{{68}}\b
circleci_token         CCIP                   \bCCIP(?:AT|RJ)_[A-Za-z0-9]{{22}}_[0-9a-f]{{40}}\b
buildkite_token        bkua_                  \bbkua_[0-9a-f]{{40}}\b
stackhawk_key          hawk\.                 \bhawk\.[A-Za-z0-9_-]{{20}}\.[A-Za-z0-9_-]{{20}}
unkey_key              unkey_                 \bunkey_[A-Za-z0-9]{{20,}}\b
zuplo_key              zpka_                  \bzpka_[0-9a-z]{{32}}_[0-9a-f]{{8}}\b
wakatime_key           waka_                  \bwaka_(?:sec_|tok_)?{UUID}
valtown_token          vtwn_                  \bvtwn_[A-Za-z0-9]{{28}}\b
lichess_token          lip_                   \blip_[A-Za-z0-9]{{20}}\b
contentful_token       CFPAT-                 \bCFPAT-[A-Za-z0-9_-]{{43}}
readme_key             rdme_                  \brdme_[a-z0-9]{{70}}\b
gitbook_token          gb_api_                \bgb_api_[A-Za-z0-9]{{40}}\b
"""

MODELS = rf"""
huggingface_org_token  api_org_               \bapi_org_[A-Za-z]{{34}}\b
deepseek_key           sk-[0-9a-f]            \bsk-[0-9a-f]{{32}}\b
nvidia_key             nvapi-                 \bnvapi-[A-Za-z0-9_-]{{60,70}}
cerebras_key           csk-                   \bcsk-[a-z0-9]{{48}}\b
fireworks_key          fw_                    \bfw_[A-Za-z0-9]{{24}}\b
elevenlabs_key         sk_[0-9a-f]            \bsk_[0-9a-f]{{48}}\b
langfuse_key           sk-lf-                 \bsk-lf-{UUID}
tavily_key             tvly-                  \btvly-(?:dev-|prod-)?[A-Za-z0-9]{{32}}\b
firecrawl_key          fc-[0-9a-f]            \bfc-[0-9a-f]{{32}}\b
apify_token            apify_api_             \bapify_api_[A-Za-z0-9]{{36}}\b
jina_key               jina_                  \bjina_[0-9a-f]{{32}}[A-Za-z0-9_-]{{28}}
"""

MONEY = rf"""
flutterwave_key        FLWSECK                \bFLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{{12,}}(?:-X)?\b
braintree_token        access_token\$         \baccess_token\$production\$[0-9a-z]{{16}}\$([0-9a-f]{{32}})\b
plaid_token            access-(?:s|d|p)       \baccess-(?:sandbox|development|production)-{UUID}
easypost_key           EZ[AT]K                \bEZ[AT]K[A-Za-z0-9]{{54}}\b
shippo_token           shippo_                \bshippo_(?:live|test)_[0-9a-f]{{40}}\b
duffel_token           duffel_                \bduffel_(?:live|test)_[A-Za-z0-9_-]{{43}}
lob_or_mollie_key      (?:live|test)_\w{{30}} \b(?:(?:live|test)_[0-9a-f]{{35}}|live_[A-Za-z0-9]{{30}})\b
paddle_key             pdl_                   \bpdl_(?:live|sdbx)_apikey_[a-z0-9]{{26}}_[A-Za-z0-9]{{22}}_[A-Za-z0-9]{{3}}\b
woocommerce_secret     cs_[0-9a-f]            \bcs_[0-9a-f]{{40}}\b
"""

MESSAGES = rf"""
brevo_key              xkeysib-|xsmtpsib-     \bx(?:key|smtp)sib-[0-9a-f]{{64}}-[A-Za-z0-9]{{16}}\b
mailgun_key            key-[0-9a-f]           \bkey-[0-9a-f]{{32}}\b
resend_key             re_\w{{8}}_            \bre_[A-Za-z0-9]{{8}}_[A-Za-z0-9]{{24}}\b
mailersend_token       mlsn\.                 \bmlsn\.[0-9a-f]{{64}}\b
klaviyo_key            pk_[0-9a-f]            \bpk_[0-9a-f]{{34}}\b
telnyx_key             KEY[0-9A-F]            \bKEY[0-9A-F]{{32}}_[A-Za-z0-9]{{22}}\b
intercom_token         dG9rO                  \bdG9rO[A-Za-z0-9+/]{{40,}}={{0,2}}
hubspot_token          pat-(?:na|eu)\d        \bpat-(?:na|eu)\d-{UUID}
teams_webhook          /IncomingWebhook/      webhook\.office\.com/webhookb2/[^\s/]+/IncomingWebhook/([0-9a-f]{{32}})\b
ifttt_key              maker\.ifttt\.com      maker\.ifttt\.com/trigger/[^\s/]+/(?:json/)?with/key/([A-Za-z0-9_-]{{20,}})
typeform_token         tfp_                   \btfp_[A-Za-z0-9_-]{{40,}}
asana_token            /\d{{16}}:             \b\d/\d{{16}}:([0-9a-f]{{32}})\b
clickup_token          pk_\d                  \bpk_\d{{6,10}}_[A-Z0-9]{{32}}\b
trello_token           ATTA[0-9a-f]           \bATTA[0-9a-f]{{64}}\b
calcom_key             cal_live_              \bcal_live_[0-9a-f]{{32}}\b
frameio_token          fio-u-                 \bfio-u-[A-Za-z0-9_-]{{64}}
"""


def shapes() -> list[tuple[str, str, str]]:
    """The type, the hint and the pattern of each."""
    table = "".join((CLOUDS, DATA, CODE, MODELS, MONEY, MESSAGES))
    rows = (line.split() for line in table.splitlines() if line)
    return [(type_, hint, pattern) for type_, hint, pattern in rows]
