"""Workflows of GitHub Actions and jobs of GitLab CI: whose code runs beside which secrets, and what a log shows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.documents import Document, plain
from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, entries, scalar, short, texts
from supervisor.evidence.configuration.fetched import faults_of_commands

_WORKFLOW = re.compile(
    r"(?:^|/)\.(?:github|gitea|forgejo)/(?:workflows/[^/]+|actions/.+)\.ya?ml$|(?:^|/)action\.ya?ml$"
)
_GITLAB = re.compile(
    r"(?:^|/)(?:\.gitlab-ci[\w.-]*\.ya?ml|\.gitlab/.+\.ya?ml|bitbucket-pipelines\.yml|\.circleci/config\.yml"
    r"|azure-pipelines[\w.-]*\.ya?ml|\.drone\.yml|\.woodpecker(?:\.yml|/.+)|buildspec[\w.-]*\.ya?ml"
    r"|cloudbuild[\w.-]*\.ya?ml|(?i:jenkinsfile)[\w.-]*|[\w.-]+\.(?i:jenkinsfile))$"
)
# Events that run with the secrets of the repository although a stranger may cause them.
_WITH_SECRETS = frozenset({"pullrequesttarget", "workflowrun", "issuecomment"})
_HEAD = re.compile(
    r"github\.(?:head_ref|event\.(?:pull_request\.(?:head\.(?:sha|ref|repo\S*)|merge_commit_sha)"
    r"|workflow_run\.head_\w+))"
    r"|refs/pull/|gh pr checkout|git fetch[^\n]{0,80}pull/|steps\.[\w-]+\.outputs\.(?:head_?)?(?:sha|ref)\b"
)
_STRANGE = re.compile(
    r"\$\{\{[^{}\n]{0,200}?\bgithub\.(?:head_ref|event\.(?:issue|pull_request|comment|review|review_comment"
    r"|discussion"
    r"|discussion_comment|head_commit|commits|pages|workflow_run|client_payload|inputs)\b[\w.*\[\]'\"-]{0,120}?"
    r"\.(?:title|body|name|email|ref|label|message|page_name|default_branch|head_branch|display_title"
    r"|description))\b[^{}\n]{0,200}\}\}"
)
_COMPARED = re.compile(
    r"\$\{\{\s*(?:contains|startsWith|endsWith|toJSON)?\(?[^{}\n]*(?:==|!=|&&|contains\(|startsWith\(|endsWith\()"
)
_SECRET = re.compile(r"\$\{\{\s*secrets\.(?!GITHUB_TOKEN\b)\w+\s*\}\}")
_ANY_SECRET = re.compile(r"\$\{\{\s*secrets\.(\w+)\s*\}\}")
_ALL_SECRETS = re.compile(r"\$\{\{\s*to[Jj][Ss][Oo][Nn]\(\s*secrets\s*\)\s*\}\}")
_PRINTS = re.compile(
    r"(?:^|[;&|(]\s*|\bthen\s+|\bdo\s+)(?:echo|printf|Write-(?:Host|Output)|print|cat\s*<<<)\s(?P<rest>[^\n]*)",
    re.MULTILINE,
)
_TAKEN = re.compile(r"\||>|--password-stdin")
_DUMPS = re.compile(
    r"(?:^[ \t]*|[;&|]\s*)(?:sudo\s+)?(?:printenv|env|cat\s+\S{0,80}\.env|export\s+-p|set)\s*(?:\|\s*(?:sort|tee"
    r"|cat)[^|\n]*"
    r"|>>?\s*\S+)?\s*(?:$|[;&]|#)",
    re.MULTILINE,
)
_CREDENTIALS = re.compile(r"\bcredentials\(\s*['\"]|\bwithCredentials\b")
_TRACES = re.compile(r"(?:^|[;&]\s*)set\s+-\w*x", re.MULTILINE)
_BUILD_ARGUMENT = re.compile(
    r"--build-arg[ =]+[\"']?\w*(?:TOKEN|PASSWORD|SECRET|KEY)\w*=[\"']?\$"
    r"|--build-arg[ =]+[\"']?\w+=[\"']?\$\{\{\s*secrets\.\w+|(?m:^\s*\w+=\$\{\{\s*secrets\.\w+)"
)
_SECRET_VARIABLE = re.compile(r"\$\{?\w*(?:TOKEN|PASSWORD|PASSWD|SECRET|PRIVATE_KEY|API_?KEY|CREDENTIALS)\w*\}?")
_SECRET_FILES = re.compile(
    r"(?:^|[\s/])\.env(?:\.(?:local|prod\w*))?\s*$|(?:^|/)(?:\.npmrc|\.netrc|\.aws|\.ssh|id_rsa|\.kube/config"
    r"|kubeconfig|credentials)\s*$",
    re.MULTILINE,
)
_REMOTE_EVAL = re.compile(
    r"\b(?:eval|bash -c|sh -c)\s+[\"']?[^\n\"']{0,80}\$\{?CI_(?:COMMIT_(?:MESSAGE|TITLE|DESCRIPTION|REF_NAME"
    r"|BRANCH)|MERGE_REQUEST_(?:TITLE|DESCRIPTION|SOURCE_BRANCH_NAME))"
)
_MOVES = re.compile(r"@(?:main|master|latest|develop|dev|HEAD)$")
_COMMANDS = ("run", "script", "beforescript", "afterscript", "command", "commands", "inlinescript", "bash")


def faults_of_pipelines(document: Document) -> Iterator[Fact]:
    """What is wrong with a workflow or with the jobs of a pipeline."""
    is_workflow = _WORKFLOW.search(document.path) is not None
    if not is_workflow and not _GITLAB.search(document.path):
        return
    for block in document.blocks:
        yield from _of_step(block, document)
    if is_workflow:
        yield from _of_strangers(document)


def _of_strangers(document: Document) -> Iterator[Fact]:
    """Code of a stranger's pull request that is fetched and run in a job with the repository's secrets."""
    events = _events(document)
    if not events & _WITH_SECRETS and events:
        return
    guarded = re.search(r"head\.repo\.full_name\s*==|author_association", document.text) is not None
    for block in document.blocks:
        ref = scalar(next(iter(entries(block.values.get("with"))), {}).get("ref"))
        ran = scalar(block.values.get("run"))
        found = _HEAD.search(ref) if "actions/checkout" in scalar(block.values.get("uses")) else None
        found = found or (
            _HEAD.search(ran) if "git checkout" in ran or "git fetch" in ran or "gh pr checkout" in ran else None
        )
        if found and events:
            weight = Weight.SLIGHT if guarded else Weight.SERIOUS
            yield Fact(
                Fault.OUTSIDER,
                "checks out the head",
                f"on {', '.join(sorted(events & _WITH_SECRETS))}: {found[0]} is checked out",
                weight,
            )


def _events(document: Document) -> set[str]:
    root = document.blocks[0].values if document.blocks else {}
    on = root.get("on", root.get("true"))
    return {plain(each) for each in (on if isinstance(on, dict) else texts(on))}


def _of_step(block: Block, document: Document) -> Iterator[Fact]:
    uses = scalar(block.values.get("uses"))
    if uses and "/" in uses and not uses.startswith(("./", "docker://")) and _MOVES.search(uses):
        yield Fact(Fault.FLOATING, f"uses={uses}", f"uses: {uses}", Weight.SLIGHT)
    for key in _COMMANDS:
        for text in texts(block.values.get(key)):
            yield from _of_command(text, key, document)
    given = next(iter(entries(block.values.get("with"))), {})
    if uses and any(_ALL_SECRETS.search(text) for text in map(scalar, given.values())):
        yield Fact(Fault.SECRET, "all secrets", f"{uses} is given all secrets")
    if "github-script" in uses:
        yield from _strange_text(scalar(given.get("script")))
    if _BUILD_ARGUMENT.search(scalar(given.get("build-args"))):
        yield Fact(Fault.SECRET, "build argument", "build-args with a secret")
    if "upload-artifact" in uses and (found := _SECRET_FILES.search(scalar(given.get("path")))):
        yield Fact(Fault.SECRET, f"artifact {found[0].strip()}", f"path: {short(found[0])} is uploaded")
    for artifact in texts(next(iter(entries(block.values.get("artifacts"))), {}).get("paths")):
        if _SECRET_FILES.search(artifact):
            yield Fact(Fault.SECRET, f"artifact {artifact}", f"artifacts: {artifact}")
    if scalar(block.values.get("permissions")) == "write-all" and _events(document) & _WITH_SECRETS:
        yield Fact(Fault.OUTSIDER, "writes for strangers", "permissions: write-all for an event that strangers cause")


def _of_command(text: str, key: str, document: Document) -> Iterator[Fact]:
    yield from faults_of_commands(text)
    yield from _strange_text(text)
    if found := _REMOTE_EVAL.search(text):
        yield Fact(Fault.OUTSIDER, "evaluates what a commit says", short(found[0]))
    if _ALL_SECRETS.search(text):
        yield Fact(Fault.SECRET, "all secrets", short(text))
    for found in _PRINTS.finditer(text):
        rest = found["rest"]
        named = _ANY_SECRET.search(rest) or (_SECRET_VARIABLE.search(rest) if key != "run" else None)
        if named and not _TAKEN.search(rest) and not re.search(r"add-mask|\{#|:\+|:-\}", rest):
            yield Fact(Fault.SECRET, "prints a secret", short(found[0].strip()))
    if _BUILD_ARGUMENT.search(text):
        yield Fact(Fault.SECRET, "build argument", short(text))
    if dumped := _DUMPS.search(text):
        is_kept = _SECRET.search(document.text) or _CREDENTIALS.search(document.text) or _is_archived(dumped, document)
        weight = Weight.SERIOUS if is_kept else Weight.SLIGHT
        yield Fact(Fault.SECRET, "prints the environment", short(text), weight)
    elif _TRACES.search(text) and (_SECRET.search(text) or _SECRET_VARIABLE.search(text)):
        yield Fact(Fault.SECRET, "traces commands with a secret", short(text), Weight.SLIGHT)


def _is_archived(dumped: re.Match[str], document: Document) -> bool:
    """Whether the file that the environment goes into is an artifact of the same pipeline."""
    into = re.search(r"(?:>>?|\btee\s+(?:-a\s+)?)\s*([\w./$-]+)", dumped[0])
    if into is None or not re.search(r"archiveArtifacts|upload-artifact|artifacts:|store_artifacts", document.text):
        return False
    name = into[1].rpartition("/")[2]
    return document.text.count(name) > 1 or document.text.count(into[1]) > 1


def _strange_text(text: str) -> Iterator[Fact]:
    """An expression that puts a stranger's words into a script before the shell reads it."""
    for found in _STRANGE.finditer(text):
        if not _COMPARED.match(found[0]):
            yield Fact(Fault.OUTSIDER, f"runs {found[0]}", short(found[0]))
