"""Calls of JavaScript SDKs of clouds and stores, as equivalent command lines; `sdk_calls` does so for Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from supervisor.evidence.javascript import Call, Program
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.inner import Inner, word_set
from supervisor.evidence.shell.sdk_platforms import AWS_DATA, option_words
from supervisor.evidence.shell.sdk_services import SERVICES, is_operation, kebab, line_of_service

_AWS = "@aws-sdk/client-"
_MONGO = ("mongodb.", "mongoose.", "mongodb", "mongoose")
_REDIS = ("redis.", "ioredis.", "redis", "ioredis", "@redis/client.")
_SERVICES = {
    **{package.replace("_", "-"): program for package, program in SERVICES.items()},
    "algolia": "algolia",
    "@google-cloud/storage": "gcloud",
    "@sendgrid/client": "sendgrid",
    "@algolia/client-search": "algolia",
    "@pinecone-database/pinecone": "pinecone",
    "@qdrant/js-client-rest": "qdrant",
    "@launchdarkly/api": "ldcli",
    "launchdarkly-api-typescript": "ldcli",
    "@okta/okta-sdk-nodejs": "okta",
    "@zilliz/milvus2-sdk-node": "milvus",
}
_WITHOUT_IMPORT = word_set("algolia braintree meilisearch pinecone sendgrid")  # used by these names without an import
_MOST_STEPS = 4  # from a call back to the construction of its client
_MOCKS = ("aws-sdk-client-mock", "ioredis-mock", "mongodb-memory-server", "redis-mock", "vitest", "jest")


def commands_of_sdks(program: Program) -> Iterator[Inner]:
    """What JavaScript does to cloud resources and stores."""
    origins = [*program.aliases.values(), *(call.name for call in program.constructions)]
    if any(origin.startswith(_MOCKS) for origin in origins):
        return
    for construction in program.constructions:
        if construction.name.startswith(_AWS) and construction.name.endswith("Command"):
            yield from _command_line(construction, _aws(construction))
    mongo = any(origin.startswith(_MONGO) for origin in origins)
    redis = any(origin.startswith(_REDIS) for origin in origins)
    for call in program.calls if mongo or redis else ():
        yield from _command_line(call, _of_store(call, mongo, redis))
    loaded = {*map(_package, origins), *(call.name for call in program.calls)}  # calls of the module or its class
    services = {package: tool for package, tool in _SERVICES.items() if package in loaded or package in _WITHOUT_IMPORT}
    for call in program.calls:
        if is_operation(call.method):
            yield from _command_line(call, _of_service(call, services))


def _package(name: str) -> str:
    """`algoliasearch` of `algoliasearch.algoliasearch()`, `@pinecone-database/pinecone` of its classes."""
    return name.partition(".")[0].partition("(")[0]


def _of_service(call: Call, services: Mapping[str, str]) -> Sequence[str]:
    """`stripe.customers.del("cus_1")`, with its receiver followed to where it was constructed."""
    program, (root, *path) = call.code, call.name.split(".")
    for _ in range(_MOST_STEPS):
        value = program.values.get(root)
        if _package(root) in services or value is None:
            break
        value = value.named_children[0] if value.type == "await_expression" and value.named_children else value
        made = Call(program, value).name if value.type in ("call_expression", "new_expression") else ""
        root, *before = (made + "()").split(".") if made else [""]
        path = [*before, *path]
    tool = services.get(_package(root))
    if tool is None or not path:
        return ()
    *owners, method = (each.removesuffix("()") for each in path)
    argument = text_of(program, call.argument(0))
    lower = [owner for owner in owners if not owner[:1].isupper()]
    pairs = {name: "" for name in ("filter", "ids", "where") if call.option(0, name) is not None}
    return line_of_service(tool, lower, method, [argument], pairs)


def _command_line(call: Call, words: Sequence[str]) -> Iterator[Inner]:
    if words:
        yield Inner(tuple(words), text=call.text, reads=False)


def _aws(new: Call) -> Sequence[str]:
    """`new DeleteBucketCommand({ Bucket: "shop" })` of `@aws-sdk/client-s3`."""
    package, _, name = new.name.removeprefix(_AWS).partition(".")
    service, operation = package.replace("-", ""), kebab(name.removesuffix("Command"))
    if operation.replace("-", "_") in AWS_DATA:
        return ()
    given = new.argument(0)
    pairs = [each for each in given.named_children if each.type == "pair"] if given is not None else []
    parts = [(pair.child_by_field_name("key"), pair.child_by_field_name("value")) for pair in pairs]
    options = {new.code.text(key).strip("'\""): _value_text(new.code, value) for key, value in parts if key and value}
    return ("aws", "s3api" if service == "s3" else service, operation, *option_words(options))


def _value_text(program: Program, value: Node) -> str:
    if value.type in ("true", "false"):
        return value.type.capitalize()
    if value.type == "array":
        return " ".join(text_of(program, each) for each in value.named_children)
    return program.text(value) if value.type in ("number", "object") else text_of(program, value)


def _of_store(call: Call, mongo: bool, redis: bool) -> Sequence[str]:
    """`client.db("shop").dropDatabase()`, `redis.flushAll()`."""
    if redis and call.method.lower() in ("flushall", "flushdb"):
        return ("redis-cli", call.method.lower())
    if not mongo:
        return ()
    owner = call.name.rpartition(".")[0].rpartition(".")[2].removesuffix("()")
    first = call.argument(0)
    if call.method == "dropDatabase":
        return ("mongosh", "--eval", "db.dropDatabase()")
    if call.method == "drop" and owner == "collection":
        return ("mongosh", "--eval", f"db.{HOLE}.drop()")
    everything = call.method == "deleteMany" and (first is None or call.code.text(first).replace(" ", "") == "{}")
    return ("mongosh", "--eval", f"db.{HOLE}.deleteMany({{}})") if everything else ()
