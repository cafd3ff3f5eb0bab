"""What the clients and APIs of hosting services (gh, glab, hub, tea) do to repositories and records there.

Verbs: "delete-repository", "archive-repository", "delete-record" (`content` is its kind: release, issue, secret …),
"delete-branch", "delete-tag", "force-push", "unprotect", "bypass-protection", "publish", "conceal".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import Command

_VALUED = frozenset(
    {
        "-R",
        "--repo",
        "-X",
        "--method",
        "--request",
        "-f",
        "-F",
        "--field",
        "--raw-field",
        "-H",
        "--header",
        "--hostname",
    }
    | {"-q", "--jq", "-t", "--template", "--input", "--visibility", "-e", "--env", "-o", "--org", "-u", "--user", "-g"}
    | {"--group", "-d", "--data", "--data-raw", "--json", "-b", "--body", "--subject", "-s", "--scope", "-a", "--app"}
)
_NOUNS = {"rm": "delete", "remove": "delete", "project": "repo", "mr": "pr", "pipeline": "ci", "snippet": "gist"}
_RECORDS = frozenset(
    {"release", "issue", "gist", "variable", "secret", "ssh-key", "gpg-key", "deploy-key", "label", "milestone", "run"}
    | {"ci", "schedule", "codespace", "environment", "pr", "runner", "job", "wiki", "package", "autolink"}
)
# The last fixed part of an API path, and the verb for a DELETE of it.
_PARTS = {
    **dict.fromkeys(
        ("protection", "protected_branches", "protected_tags", "rulesets", "branch_protections"), "unprotect"
    ),
    **dict.fromkeys(("enforce_admins", "required_status_checks", "required_pull_request_reviews"), "unprotect"),
    **dict.fromkeys(("required_signatures", "approval_rules", "push_rule", "restrictions"), "unprotect"),
    **dict.fromkeys(
        ("releases", "issues", "gists", "snippets", "variables", "secrets", "hooks", "keys"), "delete-record"
    ),
    **dict.fromkeys(("deploy_keys", "runs", "pipelines", "jobs", "artifacts", "caches", "packages"), "delete-record"),
    **dict.fromkeys(("environments", "milestones", "labels", "merge_requests", "runners", "wikis"), "delete-record"),
    **dict.fromkeys(("comments", "collaborators", "members", "registry", "assets", "contents"), "delete-record"),
}
_MUTATIONS = {
    "deletebranchprotectionrule": "unprotect",
    "updatebranchprotectionrule": "unprotect",
    "deleterepositoryruleset": "unprotect",
    "deleteref": "delete-branch",
    "deleteissue": "delete-record",
    "deletediscussion": "delete-record",
    "archiverepository": "archive-repository",
}
_LONGEST = 16 * 1024  # characters of a request
_WEAKENS = re.compile(
    r"allow_force_pushes=true|allow_deletions=true|enforce_admins=false|enforcement=(?:disabled|evaluate)"
    r"|required_(?:status_checks|pull_request_reviews)=null|\"required_pull_request_reviews\"\s{0,4}:\s{0,4}null"
    r"|\"(?:allow_force_pushes|allow_deletions)\"\s{0,4}:\s{0,4}true|\"enforcement\"\s{0,4}:\s{0,4}\"(?:disabled|evaluate)\""
)
_OPENS = re.compile(r"private=false|visibility=(?:public|internal)|\"private\":\s?false|\"visibility\":\s?\"public\"")
_CLOSES = re.compile(r"private=true|visibility=private|\"private\":\s?true|\"visibility\":\s?\"private\"")
_HOSTS = re.compile(r"https?://(?:api\.github\.com|[^/\s]+/api/v[1-4])(?=/)")


def _client(command: Command, ground: Ground) -> Iterator[Effect]:
    words = [_NOUNS.get(word, word) for word in command.operands(_VALUED)[:3]]
    if (len(words) < 2 and words != ["delete"]) or command.has_flag("--help", "-h"):
        return
    noun, subcommand, *names = [*words, ""]
    target = next(filter(None, names), "") or _option(command, "-R", "--repo") or HOLE
    if noun == "api":
        yield from _interface(command, subcommand, _option(command, "-X", "--method") or "GET")
    elif noun == "delete":  # hub
        yield _hosted(command, "delete-repository", subcommand or HOLE)
    elif subcommand == "delete" and noun == "repo":
        yield _hosted(command, "delete-repository", target)
    elif subcommand == "archive" and noun == "repo":
        yield _hosted(command, "archive-repository", target, reversible=True)
    elif subcommand in ("delete", "delete-asset") and noun in _RECORDS:
        yield _hosted(command, "delete-record", target, content=noun)
    elif words[:3] == ["repo", "deploy-key", "delete"]:
        yield _hosted(command, "delete-record", HOLE, content="deploy-key")
    else:
        yield from _changed(command, noun, subcommand, target)


def _changed(command: Command, noun: str, subcommand: str, target: str) -> Iterator[Effect]:
    if noun == "repo" and subcommand in ("edit", "update"):
        visibility = _option(command, "--visibility")
        if visibility:
            yield _hosted(command, "conceal" if visibility == "private" else "publish", target)
    elif noun == "repo" and subcommand == "sync" and command.has_flag("--force"):
        yield _hosted(command, "force-push", _option(command, "-b", "--branch") or HOLE)
    elif noun == "pr" and subcommand == "merge" and command.has_flag("--admin"):
        yield _hosted(command, "bypass-protection", target)
    elif noun == "pr" and subcommand == "close" and command.has_flag("-d", "--delete-branch"):
        yield _hosted(command, "delete-branch", HOLE)
    elif (noun, subcommand) in (("branches", "unprotect"), ("branch", "unprotect")):
        yield _hosted(command, "unprotect", target)


def _curl(command: Command, ground: Ground) -> Iterator[Effect]:
    """Requests to the APIs of the hosting services; other requests have no effect here."""
    for word in command.args:
        found = _HOSTS.match(word)
        if found:
            method = _option(command, "-X", "--request") or "GET"
            yield from _interface(command, word[found.end() :], method)


def _interface(command: Command, path: str, method: str) -> Iterator[Effect]:
    """A request to a service's API: `repos/o/r/branches/main/protection`, `projects/1/releases/v1`, `graphql`."""
    parts = [part for part in _HOSTS.sub("", path).partition("?")[0].split("/") if part]
    line = " ".join((*command.args, command.stdin or ""))[:_LONGEST]
    if parts == ["graphql"]:
        lowered = line.lower()
        yield from (_hosted(command, verb, HOLE) for name, verb in _MUTATIONS.items() if f"{name}(" in lowered)
    elif method.upper() == "DELETE":
        yield from _deleted(command, parts)
    elif method.upper() in ("PATCH", "PUT", "POST"):
        yield from _patched(command, parts, line)


def _deleted(command: Command, parts: Sequence[str]) -> Iterator[Effect]:
    owner = 3 if parts[:1] == ["repos"] else 2  # repos/o/r and projects/id
    rest, name = parts[owner:], "/".join(parts[1:owner])
    whole = len(parts) == owner or (
        parts[:1] == ["repos"] and len(parts) == 2 and HOLE in parts[1]
    )  # repos/$REPOSITORY
    if parts[:1] in (["repos"], ["projects"]) and whole:
        yield _hosted(command, "delete-repository", name)
    elif rest[:2] == ["git", "refs"] and len(rest) > 3:
        yield _hosted(command, "delete-tag" if rest[2] == "tags" else "delete-branch", "/".join(rest[3:]))
    elif rest[:1] == ["repository"] and len(rest) > 2:
        yield _hosted(command, "delete-tag" if rest[1] == "tags" else "delete-branch", "/".join(rest[2:]))
    else:
        known = [part for part in parts if part in _PARTS]
        verb = "unprotect" if any(_PARTS[part] == "unprotect" for part in known) else "delete-record"
        if known:
            yield _hosted(command, verb, "/".join(parts), content=known[-1])


def _patched(command: Command, parts: Sequence[str], line: str) -> Iterator[Effect]:
    if not {"protection", "rulesets", "protected_branches", "branches"}.isdisjoint(parts) and _WEAKENS.search(line):
        yield _hosted(command, "unprotect", "/".join(parts))
    elif "refs" in parts and re.search(r"force=true|\"force\":\s?true", line):
        yield _hosted(command, "force-push", "/".join(parts[parts.index("refs") + 2 :]))
    elif parts[:1] in (["repos"], ["projects"]) and len(parts) <= 3:
        if _OPENS.search(line):
            yield _hosted(command, "publish", "/".join(parts[1:]))
        elif _CLOSES.search(line):
            yield _hosted(command, "conceal", "/".join(parts[1:]))
        elif re.search(r"archived=true|\"archived\":\s?true", line):
            yield _hosted(command, "archive-repository", "/".join(parts[1:]), reversible=True)


def _option(command: Command, *names: str) -> str:
    """The value of an option, in the next word, after `=`, or in the same word (`-XDELETE`)."""
    args = command.args
    for place, word in enumerate(args):
        name, equals, value = word.partition("=")
        if word in names and place + 1 < len(args):
            return args[place + 1]
        if equals and name in names:
            return value
        if word[:2] in names and len(word) > 2 and not word.startswith("--"):
            return word[2:]
    return ""


def _hosted(
    command: Command, verb: str, target: str, *, content: str | None = None, reversible: bool = False
) -> Effect:
    fields = (Act.REPOSITORY, target or HOLE, Place.REMOTE, verb, False, reversible, command.text)
    return Effect(*fields, content=content, command=command)


def _is_quiet(words: Sequence[str]) -> bool:
    return _CHANGING.isdisjoint(words)


def _is_elsewhere(words: Sequence[str]) -> bool:
    return not any("api.github.com" in word or "/api/v" in word for word in words)


_CHANGING = frozenset(
    {
        "api",
        "archive",
        "close",
        "delete",
        "delete-asset",
        "edit",
        "merge",
        "remove",
        "rm",
        "sync",
        "unprotect",
        "update",
    }
)
_ACTS = frozenset({Act.REPOSITORY})
PROGRAMS = {
    **dict.fromkeys(("gh", "glab", "hub", "tea"), Reading(_ACTS, _client, _is_quiet)),
    "curl": Reading(_ACTS, _curl, _is_elsewhere),
}
