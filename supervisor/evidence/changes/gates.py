"""The gates that a change takes out of a repository's own rules: who owns a path, how many must approve, what scans a
change for secrets and weaknesses. They stand in files that the same change may edit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from supervisor.evidence.changes.edits import Edit
from supervisor.regexes import compile_later

_MOST_LINES = 4000
_LONGEST_LINE = 400
_OWNERS = re.compile(r"(?:^|/)CODEOWNERS$")
_RULES = compile_later(r"\.(?:tf|tfvars|hcl|ya?ml|json|toml)$")
_PIPELINES = compile_later(
    r"(?:^|/)(?:\.github/workflows/[^/]+|\.gitlab-ci[^/]*|\.circleci/config\.yml|azure-pipelines\.yml|bitbucket-pipelines\.yml"
    r"|Jenkinsfile|\.pre-commit-config\.yaml|lefthook\.ya?ml|\.husky/[^/]+|\.lefthook/[^/]+)$"
)
_SETTING = re.compile(r"^\s*[-\"']*([A-Za-z_][\w.-]{3,60})[\"']?\s*[:=]\s*[\"']?([^\"',#\s][^\"',#]{0,60})")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_REVIEW = frozenset(
    "review reviews reviewer reviewers approval approvals approving approvers codeowner codeowners signed signatures"
    " admins".split()
)
_DEMANDS = frozenset("require required requires enforce enforced dismiss min minimum count number needed".split())
_LIFTS = frozenset({frozenset({"allow", "force"}), frozenset({"allows", "force"}), frozenset({"bypass"})})
_SCANS = compile_later(
    r"(?i)gitleaks|trufflehog|detect-secrets|git-secrets|secret[-_ ]?(?:scan|detect)\w*|semgrep|codeql|snyk|trivy|grype"
    r"|\bsast\b|dependency-review|npm audit|yarn audit|pip-audit|cargo[- ]audit|govulncheck|osv-scanner|\bbandit\b"
    r"|gosec|brakeman|checkov|tfsec|kics|hadolint|(?:security|vulnerability)[-_ ](?:scan|check|audit|test)\w*"
)


def opened_gate(edit: Edit) -> str:
    """The rule that a change takes out or weakens, as a line; empty for most changes."""
    if not edit.before.strip():
        return ""
    if _OWNERS.search(edit.path):
        return next(_disowned(edit), "")
    if _PIPELINES.search(edit.path) and (scan := next(_unscanned(edit), "")):
        return scan
    return next(_unreviewed(edit), "") if _RULES.search(edit.path) else ""


def _lines(text: str) -> list[str]:
    return [line.strip()[:_LONGEST_LINE] for line in text.splitlines()[:_MOST_LINES] if line.strip()]


def _disowned(edit: Edit) -> Iterator[str]:
    """The lines whose path has lost an owner."""
    after = _owners(edit.after)
    for path, owners in _owners(edit.before).items():
        if owners and not owners <= after.get(path, set()):
            yield " ".join([path, *sorted(owners)])


def _owners(text: str) -> dict[str, set[str]]:
    """The owners of each path. The last line of a path counts."""
    words = (line.split() for line in _lines(text) if line[0] != "#")
    return {path: {owner for owner in owners if "@" in owner} for path, *owners in words}


def _unscanned(edit: Edit) -> Iterator[str]:
    """The steps that scan and are gone without another in their place."""
    before, after = (
        [each for each in _lines(text) if each[0] != "#" and _SCANS.search(each)] for text in (edit.before, edit.after)
    )
    if len(after) < len(before):
        yield from (Counter(before) - Counter(after)).elements()


def _unreviewed(edit: Edit) -> Iterator[str]:
    """The settings of reviews that ask for less, or are gone while others stay."""
    before, after = _settings(edit.before), _settings(edit.after)
    for key, (value, line) in before.items():
        words = frozenset(part.lower() for part in _PART.findall(key))
        now = after.get(key, ("", ""))[0]
        if any(lift <= words for lift in _LIFTS):
            if now in _YES and value not in _YES:
                yield after[key][1]
        elif not words.isdisjoint(_REVIEW) and not words.isdisjoint(_DEMANDS) and _is_less(now, value):
            yield after[key][1] if key in after else line


_YES, _NO = frozenset({"true", "yes", "on"}), frozenset({"false", "no", "off", "null", "none"})


def _settings(text: str) -> dict[str, tuple[str, str]]:
    found = ((_SETTING.match(line), line) for line in _lines(text))
    return {match[1]: (match[2].strip().lower(), line) for match, line in found if match}


def _is_less(now: str, before: str) -> bool:
    """Whether a value demands less than the one before; a setting that is gone demands nothing."""
    if before in _YES:
        return now in _NO or not now
    if not before.isdigit() or before == "0":
        return False
    return not now or (now.isdigit() and int(now) < int(before))
