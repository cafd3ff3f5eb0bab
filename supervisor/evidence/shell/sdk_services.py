"""The SDKs of services (payments, search, alerts, flags, accounts …), as equivalent command lines.

Their objects are nouns and their methods verbs, in Python and in JavaScript. A call that deletes one record of many (a
document of an index, a point of a collection) is everyday work of an application and gives no command line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.inner import word_set

_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Packages, each with the tool whose grammar its methods follow.
SERVICES: Mapping[str, str] = {
    **{name: name for name in ("auth0", "braintree", "chromadb", "databricks", "datadog", "fastly", "flagsmith")},
    **{name: name for name in ("jenkins", "meilisearch", "newrelic", "oci", "okta", "paypal", "pinecone")},
    **{name: name for name in ("sendgrid", "square", "statsig", "stripe", "twilio", "typesense", "weaviate")},
    "algoliasearch": "algolia",
    "cloudflare": "flarectl",
    "datadog_api_client": "datadog",
    "influxdb": "influx",
    "influxdb_client": "influx",
    "launchdarkly_api": "ldcli",
    "minio": "minio",
    "pymilvus": "milvus",
    "qdrant_client": "qdrant",
}
_RECORDS = word_set(
    "blob document entity event file incident item key many message object point record row task vector"
)
_CLIENTS = word_set("admin api client create gateway management mgmt rest sdk")
_EVERY = word_set("all everything")
_DEEDS = word_set("archive cancel clear del delete destroy disable drop flush permanent purge remove reset revoke")
_SELECTS = word_set("filter id ids points where")  # options that select records


def kebab(name: str) -> str:
    """`DBInstanceIdentifier` and `delete_db_instance` in the spelling of a command line."""
    return _HUMPS.sub("-", name).replace("_", "-").strip("-").lower()


def line_of_service(
    program: str, owners: Sequence[str], method: str, names: Sequence[str], options: Mapping[str, str]
) -> Sequence[str]:
    """`stripe customers delete cus_1` for `stripe.customers.delete("cus_1")`.

    Empty if the method destroys nothing, deletes one record of many, or has an unknown object.
    """
    operation = kebab(method)
    verb, *own = operation.split("-")
    if not is_operation(method):
        return ()
    everything = verb in ("clear", "flush") or not _EVERY.isdisjoint(own) or options.get("delete_all") == "True"
    nouns = [noun for owner in owners if (noun := _noun(owner))]
    named = [name for name in names[-1:] if name != HOLE]
    if everything:
        return (program, *(nouns or ["index"]), verb, "--all", *named)
    meant = own or [word for owner in owners[-1:] for word in kebab(owner).split("-")]
    is_record = meant and meant[-1].removesuffix("s") in _RECORDS
    if is_record or not (own or nouns) or not _SELECTS.isdisjoint(options):
        return ()
    return (program, *(nouns if not own else ()), operation, *named)


def is_operation(method: str) -> bool:
    """Whether a method's name means that it destroys something."""
    return kebab(method).partition("-")[0] in _DEEDS


def _noun(owner: str) -> str:
    """The noun for an object of an SDK: `index` for `init_index`; empty for clients and their constructors."""
    words = kebab(owner.removeprefix("init_").removeprefix("get_").removeprefix("init").removeprefix("get")).split("-")
    is_plain = _CLIENTS.isdisjoint(words) and not words[0].startswith(("v1", "v2", "from", "connect"))
    return "-".join(words) if is_plain and words[-1].removesuffix("s") not in _RECORDS else ""
