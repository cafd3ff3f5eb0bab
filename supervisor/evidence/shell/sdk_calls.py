"""Calls of the SDKs of clouds and platforms, as equivalent command lines.

`boto3.client("rds").delete_db_instance(DBInstanceIdentifier="shop")` is equivalent to `aws rds delete-db-instance`: the
words of a method are the verb and the noun of the tool's grammar, and its arguments are options. So what applies to the
tools applies to the SDKs. Values that may be secrets are omitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from supervisor.errors import Unreadable
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.chains import Link, chain_of
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.inner import Inner, word_set
from supervisor.evidence.shell.sdk_platforms import AWS_DATA, PLATFORMS, option_words, target_of
from supervisor.evidence.shell.sdk_services import kebab

Words = Sequence[str]
Translate = Callable[[Sequence[Link]], Iterator[Words]]

MAX_CALLS = 1_000  # of SDKs in one module
# A module that imports these calls a test double.
_TEST_DOUBLES = word_set(
    "botocore.stub fakeredis localstack mock mongomock moto testcontainers unittest.mock responses"
)
_FINISHES = frozenset({"execute", "result", "wait", "json"})  # methods that send a request that is already built
_AWS_MAKES = frozenset({"client", "resource"})
_EVERY = frozenset({"all", "filter", "limit", "page_size", "pages"})
_VERBS = frozenset({"create", "delete", "disable", "drop", "purge", "remove", "stop"})
_CLASS_ENDS = re.compile(r"(?:Management|Service|Admin|Async)*Client$")


def commands_of_sdks(module: Module) -> Iterator[Inner]:
    """What the calls of a module do to the resources of clouds and platforms."""
    origins = {f"{origin}." for origin in module.aliases.values()}
    if _ROOTS.isdisjoint(origin.partition(".")[0] for origin in origins):
        return
    if any(origin.startswith(f"{each}.") for origin in origins for each in _TEST_DOUBLES):
        return
    chains = (chain_of(call) for call in module.calls if not _is_inside(call))
    for number, chain in enumerate(chain for chain in chains if chain and chain[0].name in _ROOTS):
        if number >= MAX_CALLS:
            raise Unreadable(f"Python with more than {MAX_CALLS:,} calls of SDKs")
        done = chain[:-1] if chain[-1].name in _FINISHES else chain
        translate = _translator(done) if len(done) > 1 else None
        for words in translate(done) if translate else ():
            if words:
                yield Inner(tuple(filter(None, words)), text=_text_of(chain), reads=False)


def _is_inside(call: Call) -> bool:
    """Whether the result of a call is the receiver of another call."""
    parent = call.node.parent
    return parent is not None and parent.type == "attribute"


def _text_of(chain: Sequence[Link]) -> str:
    call = chain[-1].call
    return call.text if call is not None else ""


def _translator(chain: Sequence[Link]) -> Translate | None:
    first, second = chain[0].name, chain[1].name
    return _SDKS.get(f"{first}.{second}") or _SDKS.get(first)


# Amazon


def _aws(chain: Sequence[Link]) -> Iterator[Words]:
    """`boto3.client("s3").delete_bucket(Bucket=…)`, `boto3.resource("s3").Bucket(…).delete()`."""
    at = next((at for at, link in enumerate(chain) if link.name in _AWS_MAKES and link.call), None)
    if at is None or at + 1 == len(chain):
        return
    maker, *path, last = chain[at:]
    service = (maker.words or [maker.options.get("service_name", "")])[0]
    if last.name in AWS_DATA or not last.call or HOLE in service:
        return
    profile = chain[at - 1].options.get("profile_name") if at else None
    where = [*_named("profile", profile), *_named("endpoint-url", maker.options.get("endpoint_url"))]
    if maker.name == "client":
        yield ("aws", "s3api" if service == "s3" else service, kebab(last.name), *option_words(last.options), *where)
    else:
        yield from (("aws", *words, *where) for words in _of_aws_object(service, path, last))


def _of_aws_object(service: str, path: Sequence[Link], last: Link) -> Iterator[Words]:
    """`Bucket("shop").objects.all().delete()`: the last object that is named, or a whole collection."""
    nouns = [link for link in path if link.name not in _EVERY]
    if not nouns:
        return
    owner, noun = nouns[0], nouns[-1]
    names = [word for link in nouns for word in link.words]
    verb, kind = kebab(last.name), kebab(noun.name).removesuffix("s")
    if service == "s3" and kind in ("object", "object-version") and not noun.words:
        yield ("s3", "rm", f"s3://{(owner.words or [HOLE])[0]}", "--recursive") if verb == "delete" else ()
    elif service == "s3":
        yield ("s3api", f"{verb}-{kind}", f"--{kind}", *names[-1:], *option_words(last.options))
    elif service == "ec2":
        yield ("ec2", f"{verb}-{kind}s", f"--{kind}-id", *names[-1:])
    else:
        yield (service, f"{verb}-{kind}", f"--{kind}-name", *names[-1:])


def _named(option: str, value: str | None) -> list[str]:
    return [f"--{option}={value}"] if value and HOLE not in value else []


# Google, Azure, and SDKs that follow the grammar alone


def _google(chain: Sequence[Link]) -> Iterator[Words]:
    """`storage.Client().bucket("x").delete()`, `compute_v1.InstancesClient().delete(instance="x")`."""
    last = chain[-1]
    if last.name == "make_public":
        yield ("gcloud", "storage", "buckets", "update", *_names(chain), "--predefined-acl=public-read")
    elif "document" not in [link.name for link in chain]:
        yield from _by_grammar("gcloud", [link for link in chain if link.name not in ("google", "cloud")])


def _discovered(chain: Sequence[Link]) -> Iterator[Words]:
    """`discovery.build("compute", "v1").instances().delete(instance="x").execute()`."""
    at = next((at for at, link in enumerate(chain) if link.name.startswith("build") and link.words), None)
    if at is not None and at + 1 < len(chain):
        yield from _by_grammar("gcloud", [Link(chain[at].words[0]), *chain[at + 1 :]])


def _azure(chain: Sequence[Link]) -> Iterator[Words]:
    """`ResourceManagementClient(…).resource_groups.begin_delete("shop")`, `SecretClient(…).delete_secret("x")`."""
    last = chain[-1]._replace(name=chain[-1].name.removeprefix("begin_"))
    *nouns, _ = (link for link in chain if link.name not in ("azure", "mgmt"))
    verb, _, noun = last.name.partition("_")
    if noun and verb in _VERBS:
        nouns, last = [nouns[0], Link(noun)], last._replace(name=verb)
    yield from _by_grammar("az", [*nouns, last])


def _grammar(program: str) -> Translate:
    return lambda chain: _by_grammar(program, chain[1:])


def _by_grammar(program: str, chain: Sequence[Link]) -> Iterator[Words]:
    """A chain as a command line: its names are nouns, the last one the verb, arguments are names and options."""
    *nouns, last = chain
    if not last.call or last.name[:1].isupper():
        return
    words = [_CLASS_ENDS.sub("", link.name) for link in nouns if not link.name.startswith(("from_", "get_", "list"))]
    subcommands = [kebab(word).partition("-v1")[0] for word in words if word and word not in ("Client", "pages", "all")]
    yield (program, *subcommands, kebab(last.name), *_names(chain), *option_words(last.options))


def _names(chain: Sequence[Link]) -> list[str]:
    """The last name that a call in the chain is given."""
    named = [name for link in chain if link.call and not link.name[:1].isupper() for name in [target_of(link)] if name]
    return named[-1:]


def _all(translate: Translate, *names: str) -> Mapping[str, Translate]:
    return dict.fromkeys(names, translate)


_SDKS: Mapping[str, Translate] = {
    **_all(_aws, "boto3", "aioboto3", "botocore"),
    **_all(_google, "google.cloud"),
    **_all(_discovered, "googleapiclient", "googleapiclient.discovery"),
    **_all(_azure, "azure"),
    **_all(_grammar("doctl"), "digitalocean", "pydo"),
    **_all(_grammar("hcloud"), "hcloud"),
    **_all(_grammar("heroku"), "heroku3"),
    **_all(_grammar("linode-cli"), "linode_api4"),
    **_all(_grammar("openstack"), "openstack"),
    **_all(_grammar("scw"), "scaleway"),
    **PLATFORMS,
}
_ROOTS = frozenset(name.partition(".")[0] for name in _SDKS)
SDK_IMPORTS = tuple(f"{word} {root}" for root in sorted(_ROOTS) for word in ("from", "import"))
