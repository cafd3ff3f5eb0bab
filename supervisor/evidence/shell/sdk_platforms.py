"""The SDKs of containers, clusters, stores, brokers and repositories, as equivalent command lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from supervisor.evidence.python.chains import Link
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.sdk_services import SERVICES, kebab, line_of_service

Words = Sequence[str]
_SECRET = re.compile(r"(?i)(?:pass(?:word|wd)|secret|token|credential|key)(?:-(?:string|binary|value|material))?$")
_NAMING = ("name", "id", "names", "ids", "index", "queue", "topic", "instance", "path", "resource")
_COLLECTIONS = frozenset({"containers", "images", "networks", "volumes"})
AWS_DATA = frozenset(  # everyday calls of an application, not of an administrator
    {"batch_write_item", "delete_item", "delete_message", "delete_message_batch"}
)
_OWN = frozenset({"build", "create", "create_repo", "pull", "run"})  # the code itself created what these return


def option_words(options: Mapping[str, str]) -> Iterator[str]:
    """Keyword arguments as options; a HOLE replaces values that may be secrets."""
    for name, value in options.items():
        option = f"--{kebab(name)}"
        if value in ("True", "False"):
            yield option if value == "True" else f"--no-{option[2:]}"
        elif value != "None":
            yield option
            yield HOLE if _SECRET.search(option) else value


def target_of(link: Link) -> str:
    """The resource that a call names: by an option, or as its last argument."""
    named = (value for name, value in link.options.items() if name.lower().endswith(_NAMING))
    words = [word for word in link.words if not word.startswith(("{", "["))]
    return next(named, words[-1] if words else "")


def _is_own(chain: Sequence[Link]) -> bool:
    return any(link.name in _OWN for link in chain[:-1])


def _kubernetes(chain: Sequence[Link]) -> Iterator[Words]:
    """`CoreV1Api().delete_namespaced_secret("db", "shop")`, `delete_collection_namespaced_pod("shop")`."""
    last = chain[-1]
    verb, _, noun = last.name.partition("_")
    if verb not in ("create", "delete", "patch", "replace") or not last.call:
        return
    everything, namespaced = "collection_" in noun, "namespaced_" in noun
    noun = noun.replace("collection_", "").replace("namespaced_", "").replace("_", "")
    words, options = list(last.words), dict(last.options)
    if "customobject" in noun:  # group, version, namespace, plural, name
        noun, words = options.get("plural") or (words[-2:] or [HOLE])[0], words[-1:]
    names = [options["name"]] if "name" in options else words[:1] if not everything else ["--all"]
    where = options.get("namespace") or (words[1:2] or [""])[0] if namespaced else ""
    where = words[0] if everything and namespaced and words and not where else where
    rehearsal = ["--dry-run=server"] if "dry_run" in options else []
    yield ("kubectl", verb, noun, *names, *(["-n", where] if where else []), *rehearsal)


def _docker(chain: Sequence[Link]) -> Iterator[Words]:
    """`client.volumes.prune()`, `client.containers.get("db").remove(force=True, v=True)`."""
    last = chain[-1]
    verb, _, kind = last.name.partition("_")
    if _is_own(chain) or verb not in ("kill", "prune", "remove", "stop") or not last.call:
        return
    nouns = [link.name.removesuffix("s") for link in chain if link.name in _COLLECTIONS]
    noun = kind.removesuffix("s") or (nouns or ["container"])[-1]
    flags = [flag for flag, name in (("-f", "force"), ("-v", "v")) if last.options.get(name) == "True"]
    names = [target_of(link) for link in chain if link.name == "get"] or [*last.words[:1]]
    yield ("docker", noun, "rm" if verb == "remove" else verb, *flags, *(names if verb != "prune" else ()))


def _github(chain: Sequence[Link]) -> Iterator[Words]:
    last, owners = chain[-1], [link for link in chain if link.name in ("get_repo", "get_repos")]
    if not owners or _is_own(chain) or not last.call:
        return
    repo = (owners[-1].words or [HOLE])[0]
    inner = chain[-2]
    if last.name == "delete" and inner is owners[-1]:
        yield ("gh", "repo", "delete", repo, "--yes")
    elif last.name == "edit" and last.options.get("private") == "False":
        yield ("gh", "repo", "edit", repo, "--visibility", "public")
    elif last.name == "edit" and last.options.get("archived") == "True":
        yield ("gh", "repo", "archive", repo, "--yes")
    elif last.name == "remove_protection":
        yield ("gh", "api", "-X", "DELETE", f"repos/{repo}/branches/{target_of(inner)}/protection")
    elif last.name == "delete" and inner.name == "get_git_ref":
        yield ("gh", "api", "-X", "DELETE", f"repos/{repo}/git/refs/{target_of(inner)}")
    elif last.name == "delete_release":
        yield ("gh", "release", "delete", target_of(inner) or HOLE, "-R", repo, "--yes")


def _gitlab(chain: Sequence[Link]) -> Iterator[Words]:
    last, names = chain[-1], [link.name for link in chain]
    if last.name != "delete" or "projects" not in names or _is_own(chain):
        return
    project = next((target_of(link) for link in chain if link.name == "get"), "") or HOLE
    if chain[-2].name in ("projects", "get"):
        yield ("glab", "repo", "delete", target_of(last) or project, "--yes")
    elif chain[-2].name in ("branches", "protectedbranches"):
        part = "repository/branches" if chain[-2].name == "branches" else "protected_branches"
        yield ("glab", "api", "-X", "DELETE", f"projects/{project}/{part}/{target_of(last)}")


def _redis(chain: Sequence[Link]) -> Iterator[Words]:
    if chain[-1].name in ("flushall", "flushdb", "shutdown"):
        host = next((link.options["host"] for link in chain if "host" in link.options), "")
        yield ("redis-cli", *(["-h", host] if host else []), chain[-1].name)


def _mongo(chain: Sequence[Link]) -> Iterator[Words]:
    last, owner = chain[-1], chain[-2]
    address = _address_in(chain, "mongodb")
    script = {
        "drop_database": f'db.getSiblingDB("{target_of(last)}").dropDatabase()',
        "drop_collection": f"db.{target_of(last)}.drop()",
        "drop": f"db.{owner.name}.drop()",
        "delete_many": f"db.{owner.name}.deleteMany({{}})" if last.words[:1] == ["{}"] else "",
    }.get(last.name, "")
    if script and last.call:
        yield ("mongosh", address, "--eval", script)


def _address_in(chain: Sequence[Link], scheme: str) -> str:
    """The address that a client connects to, without the user name and password in it."""
    address = next((word for link in chain for word in link.words if word.startswith(scheme)), "")
    before, slashes, rest = address.partition("://")
    return f"{before}{slashes}{rest.rpartition('@')[2]}"


def _elasticsearch(chain: Sequence[Link]) -> Iterator[Words]:
    last, names = chain[-1], [link.name for link in chain]
    address = _address_in(chain, "http") or f"http://{HOLE}:9200"
    index = last.options.get("index") or (last.words or [HOLE])[0]
    if last.name == "delete" and "indices" in names:
        yield ("curl", "-X", "DELETE", f"{address}/{index}")
    elif last.name == "delete_by_query" and "match_all" in " ".join(last.options.values()):
        yield ("curl", "-X", "POST", f"{address}/{index}/_delete_by_query")


def _pika(chain: Sequence[Link]) -> Iterator[Words]:
    noun, _, verb = chain[-1].name.partition("_")
    if noun in ("exchange", "queue") and verb in ("delete", "purge"):
        yield ("rabbitmqadmin", verb, noun, f"name={target_of(chain[-1])}")


def _kafka(chain: Sequence[Link]) -> Iterator[Words]:
    if chain[-1].name == "delete_topics":
        yield ("kafka-topics", "--delete", "--topic", target_of(chain[-1]))


def _vault(chain: Sequence[Link]) -> Iterator[Words]:
    words = {
        "delete_metadata_and_all_versions": ("kv", "metadata", "delete"),
        "destroy_secret_versions": ("kv", "destroy"),
        "disable_secrets_engine": ("secrets", "disable"),
    }.get(chain[-1].name)
    if words:
        yield ("vault", *words, target_of(chain[-1]))


def _neo4j(chain: Sequence[Link]) -> Iterator[Words]:
    if chain[-1].name in ("execute_query", "run"):
        yield ("cypher-shell", *chain[-1].words[:1])


def _service(program: str) -> Callable[[Sequence[Link]], Iterator[Words]]:
    """`client.users.delete("x")`; called classes construct the client."""

    def translate(chain: Sequence[Link]) -> Iterator[Words]:
        path = [link for link in chain[1:-1] if not (link.call and link.name[:1].isupper())]
        names = [name for link in (*path, chain[-1]) if (name := target_of(link))]
        if chain[-1].call:
            yield line_of_service(program, [link.name for link in path], chain[-1].name, names, chain[-1].options)

    return translate


def _destroyed(*words: str) -> Callable[[Sequence[Link]], Iterator[Words]]:
    """The tool's `destroy`, called from code, which asks for no confirmation."""
    return lambda chain: iter([words] if chain[-1].name == "destroy" and chain[-1].call else [])


PLATFORMS: Mapping[str, Callable[[Sequence[Link]], Iterator[Words]]] = {
    **dict.fromkeys(("kubernetes", "kubernetes_asyncio"), _kubernetes),
    **dict.fromkeys(("docker", "podman"), _docker),
    "github": _github,
    "gitlab": _gitlab,
    **dict.fromkeys(("redis", "valkey"), _redis),
    **dict.fromkeys(("pymongo", "motor"), _mongo),
    **dict.fromkeys(("elasticsearch", "opensearchpy"), _elasticsearch),
    **dict.fromkeys(("aio_pika", "pika"), _pika),
    **dict.fromkeys(("confluent_kafka", "kafka"), _kafka),
    "hvac": _vault,
    "neo4j": _neo4j,
    **{package: _service(program) for package, program in SERVICES.items()},
    "pulumi": _destroyed("pulumi", "destroy", "--yes"),
    "python_terraform": _destroyed("terraform", "destroy", "-auto-approve"),
}
