"""What code does to resources through the client libraries of platforms.

`boto3.client("rds").delete_db_instance(…)` is `aws rds delete-db-instance`: the method has the verb, it or what it is
called on has the noun, and the library tells the product. What destroys one record of many (an object, a message, a
document) is everyday work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from supervisor.evidence.effects.effect import Act, Effect, Ground, Part, Where
from supervisor.evidence.effects.platforms.grammar import NOT_OURS
from supervisor.evidence.effects.platforms.line import environment_of
from supervisor.evidence.effects.platforms.resource import Resource, Sort
from supervisor.evidence.effects.platforms.words import sort_of, word_of
from supervisor.evidence.javascript import Program
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.paths import Place
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.values import string_of
from supervisor.evidence.shell import Code, Command, Script
from supervisor.evidence.shell.calls import MAX_CODE, tokens_of, unquoted
from supervisor.evidence.shell.inner import word_set

_RESOURCES = frozenset({Act.RESOURCE})
_VERBS = frozenset({"cancel", "delete", "purge", "reset"})
# Libraries by how their names begin, and what all that they reach is, where its nouns do not tell.
_LIBRARIES: dict[str, Sort | None] = {
    **dict.fromkeys(("aioboto3", "aws", "azure", "boto", "digitalocean", "dynamodb", "hcloud", "kubernetes"), None),
    **dict.fromkeys(
        ("google.cloud", "googleapiclient", "linode", "openstack", "@google-cloud", "s3client", "@aws-sdk"), None
    ),
    **dict.fromkeys(("algolia", "cassandra", "elasticsearch", "influxdb", "ioredis", "meilisearch"), Sort.DATABASE),
    **dict.fromkeys(("mongo", "neo4j", "opensearch", "pinecone", "pymongo", "qdrant"), Sort.DATABASE),
    **dict.fromkeys(("redis", "weaviate", "chromadb", "mongoose", "supabase"), Sort.DATABASE),
    **dict.fromkeys(("aiokafka", "amqp", "confluent_kafka", "kafka", "pika"), Sort.QUEUE),
    **dict.fromkeys(("braintree", "gocardless", "paypal", "square", "stripe"), Sort.BILLING),
    **dict.fromkeys(("hvac", "infisical"), Sort.SECRET),
    **dict.fromkeys(("mailgun", "postmark", "sendgrid"), Sort.MAIL),
    **dict.fromkeys(("datadog", "newrelic", "pagerduty", "pdpyras"), Sort.MONITORING),
    **dict.fromkeys(("flipt", "launchdarkly", "unleash"), Sort.FLAG),
    **dict.fromkeys(("auth0", "okta"), Sort.IDENTITY),
    **dict.fromkeys(("cloudflare", "dnsimple"), None),
    "minio": Sort.STORAGE,
}
_ALL_AT_ONCE = word_set("drop dropdatabase drop_database flushall flush_all flushdb flush_db truncate")
_ONE_OF_MANY = word_set(
    "attribute blob comment cookie document entry event field file header item key label line list many member message"
    " messages name object objects one option param pod point record row score session tag task template text token"
    " url value word"
)
_MADE_UP = ("fakeredis", "localhost", "localstack", "moto", "mongomock", "127.0.0.1", "testcontainers", "unittest")
_MODELS = ("destroy_all", "delete_all", "truncate")  # of Active Record and Eloquent: every row of a model
_ORM = ".objects.all().delete"  # Django's
_LONGEST_CALL = 600  # characters of a call that is typed
_LONGEST = 8192  # characters in which a JavaScript library is looked for
_TYPED = re.compile(
    r"([A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{0,40}(?:\([^()]{0,80}\))?){0,6})\.([A-Za-z_]\w{2,40})\((.{0,200})\);?"
)
_PART = re.compile(r"[A-Za-z_@][\w-]*")


class _Said(NamedTuple):
    """A call: the words of its qualified name, the method last; the texts it is given; how it is written."""

    words: Sequence[str]
    given: Sequence[str]
    text: str
    empties: bool = False  # whether a filter is given that holds for everything


def parts_of_module(module: Module, where: Where) -> Iterator[Part]:
    """What Python code that is run destroys."""
    for call in module.calls:
        if _may_destroy(call.method):
            yield Part(_RESOURCES, partial(_called, call, where))


def parts_of_program(program: Program, where: Where) -> Iterator[Part]:
    """The same of JavaScript."""
    for call in program.calls:
        words = _PART.findall(call.name)
        if words and _may_destroy(words[-1]):
            given = text_of(program, call.argument(0))
            said = _Said(words, [given], call.text, program.text(call.node).endswith("({})"))
            yield Part(_RESOURCES, partial(_read, said, program.source, where, anywhere=True))
    for made in program.made:
        name = made.rpartition(".")[2].removesuffix("Command")  # `new DeleteBucketCommand(…)`: the AWS SDK, version 3
        if made.endswith("Command") and _may_destroy(name):
            yield Part(_RESOURCES, partial(_read, _Said((name,), (), name), program.source, where, anywhere=True))


def parts_of_script(read: Script) -> Iterator[Part]:
    """Of a call that is typed as a command: no shell runs it, but a console that is open does."""
    text = read.texts[0] if read.texts else ""
    may_be = len(text) <= _LONGEST_CALL and text.endswith((")", ");"))
    found = _TYPED.fullmatch(text.strip()) if may_be else None
    if found and _may_destroy(found[2]):
        said = _Said((*_PART.findall(found[1]), found[2]), [found[3].strip("'\"")], text[:200], found[3] == "{}")
        yield Part(_RESOURCES, partial(_typed, said))


def parts_of_code(found: Code, where: Where) -> Iterator[Part]:
    """Of Ruby and PHP: every row of a model."""
    if found.language in ("php", "ruby") and any(name in found.text for name in _MODELS):
        yield Part(_RESOURCES, partial(_of_models, found, where))


def _typed(said: _Said) -> Iterator[Effect]:
    known = list(_read(said, b"", Where(Ground())))
    nouns = word_of(said.words[-1]).nouns or tuple(noun for word in said.words[:-1] for noun in word_of(word).nouns)
    sort = Sort.DATABASE if said.words[0] == "db" else sort_of(nouns)
    if known or sort in (None, *NOT_OURS) or (said.words[0] != "db" and not _ONE_OF_MANY.isdisjoint(nouns)):
        yield from known
    elif sort is not None and (said.words[0] != "db" or said.empties or said.words[-1].lower() in _ALL_AT_ONCE):
        yield _resource(said, said.words[0], sort, Where(Ground()))


def _called(call: Call, where: Where) -> Iterator[Effect]:
    name, module = _resolved(call), call.module
    nodes = (*call.positional, *call.keywords.values())
    given = [text for node in nodes if (text := string_of(module, node))]
    empties = bool(nodes) and module.text(nodes[0]) == "{}"
    if name.endswith(_ORM):
        yield _resource(
            _Said(_PART.findall(name), given, call.text), name.partition(".objects")[0], Sort.DATABASE, where
        )
        return
    yield from _read(_Said(_PART.findall(name), given, call.text, empties), module.source, where)


def _resolved(call: Call) -> str:
    """Its name, with what it is called on followed through the names that are given once."""
    name, module = call.name, call.module
    for _ in range(3):
        root, dot, rest = name.partition(".")
        values = module.given.get(root, ())
        if len(values) != 1 or values[0].type != "call":
            break
        function = values[0].child_by_field_name("function")
        name = f"{module.name_of(function)}(){dot}{rest}" if function is not None else name
    return name


def _read(said: _Said, source: bytes, where: Where, *, anywhere: bool = False) -> Iterator[Effect]:
    """A method of a library that is known, where it destroys more than one record; `anywhere`: the library may be named
    elsewhere in the code, where what a call is made on cannot be followed."""
    library = _library(said.words[:-1])
    if library is None and anywhere:
        library = _library(_PART.findall(source[:_LONGEST].decode("utf-8", "replace")))
    if library is None or any(mark.encode() in source for mark in _MADE_UP):
        return
    *owners, method = said.words
    word = word_of(method)
    owned = (word_of(owner).nouns for owner in reversed(owners) if not _library([owner]))
    nouns = word.nouns or next((each for each in owned if sort_of(each)), ())
    whole = method.lower() in _ALL_AT_ONCE or said.empties or (word.does == "purge" and bool(word.nouns))
    if not whole and (not nouns or not _ONE_OF_MANY.isdisjoint(nouns)):
        return
    sort = (sort_of(nouns) if _ONE_OF_MANY.isdisjoint(nouns) else None) or _LIBRARIES[library]
    if sort is not None and sort not in NOT_OURS and (word.does != "cancel" or sort is Sort.BILLING):
        effect = _resource(said, library, sort, where)
        effect.whole, effect.noun = whole, " ".join(nouns)
        yield effect


def _resource(said: _Said, product: str, sort: Sort, where: Where) -> Resource:
    target = next(iter(said.given), "") or product
    return Resource(
        Act.RESOURCE,
        target,
        Place.REMOTE,
        word_of(said.words[-1]).does,
        text=said.text,
        command=where.command,
        product=product,
        sort=sort,
        environment=environment_of(Command((product, *said.given))),
    )


def _of_models(found: Code, where: Where) -> Iterator[Effect]:
    tokens = list(tokens_of(found.language, found.text[:MAX_CODE]))
    for at, (kind, token) in enumerate(tokens):
        owner = tokens[at - 2][1] if at > 1 and tokens[at - 1][1] in (".", "::", ":") else ""
        owner = tokens[at - 3][1] if at > 2 and tokens[at - 2][1] == ":" else owner
        if kind == "name" and token in _MODELS and owner[:1].isupper():
            effect = _resource(_Said((token,), (), f"{owner}.{unquoted(token)}"), owner, Sort.DATABASE, where)
            effect.verb, effect.whole = "purge", True
            yield effect


def _library(words: Sequence[str]) -> str | None:
    """The library that some words name, `google.cloud` in two of them."""
    names = (name for word in (*words, ".".join(words[:2])) for name in _LIBRARIES if word.lower().startswith(name))
    return next(names, None)


@lru_cache(maxsize=1024)
def _may_destroy(method: str) -> bool:
    return word_of(method).does in _VERBS or method.lower() in _ALL_AT_ONCE
