"""Calls of JavaScript's SDKs of clouds and stores, as the command lines that say the same; `sdk_calls` has Python's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from supervisor.evidence.javascript import Call, Program
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.paths import HOLE
from supervisor.evidence.shell.inner import Inner
from supervisor.evidence.shell.sdk_platforms import AWS_DATA, kebab, option_words

_AWS = "@aws-sdk/client-"
_MONGO = ("mongodb.", "mongoose.", "mongodb", "mongoose")
_REDIS = ("redis.", "ioredis.", "redis", "ioredis", "@redis/client.")
_MOCKS = ("aws-sdk-client-mock", "ioredis-mock", "mongodb-memory-server", "redis-mock", "vitest", "jest")


def commands_of_sdks(program: Program) -> Iterator[Inner]:
    """What JavaScript does to the resources of clouds and to stores."""
    origins = [*program.aliases.values(), *(call.name for call in program.constructions)]
    if any(origin.startswith(_MOCKS) for origin in origins):
        return
    for made in program.constructions:
        if made.name.startswith(_AWS) and made.name.endswith("Command"):
            yield from _said(made, _aws(made))
    mongo = any(origin.startswith(_MONGO) for origin in origins)
    redis = any(origin.startswith(_REDIS) for origin in origins)
    for call in program.calls if mongo or redis else ():
        yield from _said(call, _of_store(call, mongo, redis))


def _said(call: Call, words: Sequence[str]) -> Iterator[Inner]:
    if words:
        yield Inner(tuple(words), text=call.text, reads=False)


def _aws(made: Call) -> Sequence[str]:
    """`new DeleteBucketCommand({ Bucket: "shop" })` of `@aws-sdk/client-s3`."""
    package, _, name = made.name.removeprefix(_AWS).partition(".")
    service, deed = package.replace("-", ""), kebab(name.removesuffix("Command"))
    if deed.replace("-", "_") in AWS_DATA:
        return ()
    given = made.argument(0)
    pairs = [each for each in given.named_children if each.type == "pair"] if given is not None else []
    parts = [(pair.child_by_field_name("key"), pair.child_by_field_name("value")) for pair in pairs]
    options = {made.program.text(key).strip("'\""): _told(made.program, value) for key, value in parts if key and value}
    return ("aws", "s3api" if service == "s3" else service, deed, *option_words(options))


def _told(program: Program, value: Node) -> str:
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
    everything = call.method == "deleteMany" and (first is None or call.program.text(first).replace(" ", "") == "{}")
    return ("mongosh", "--eval", f"db.{HOLE}.deleteMany({{}})") if everything else ()
