"""Reads `git` command lines: subcommand, options and operands as git itself reads them, and the working directory.

Git accepts any unique prefix of a long option (`--har` for `--hard`), reads `--no-…` as the opposite, permits clusters
of short options with a value at the end, and permits options after operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from supervisor.evidence.shell.commands import Command, Script

# Options of `git` itself that take the next word.
_VALUED = frozenset(
    {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"}
    | {"--attr-source", "--list-cmds"}
)
# The options of each subcommand that change a verdict or take a value, from the manual pages of git 2.50: `short|long`,
# then a colon if a value is required, a question mark if one may follow after `=` or in the same word, and `=` if one
# may follow after `=` only.
_OPTIONS = {
    "add": "n|dry-run f|force A|all u|update pathspec-from-file: chmod:",
    "am": "n|no-verify S|gpg-sign? abort continue skip quit r|resolved show-current-patch? directory: p: C: 3|3way"
    " whitespace: exclude: include: patch-format: reject k|keep u|utf8 q|quiet s|signoff",
    "apply": "p: R|reverse check stat numstat summary apply cached index 3|3way N|intent-to-add directory: exclude:"
    " include: C: whitespace: build-fake-ancestor: unsafe-paths reject z unidiff-zero inaccurate-eof recount v|verbose"
    " q|quiet allow-overlap allow-binary-replacement binary no-add ours theirs union allow-empty",
    "branch": "d|delete D f|force m|move M c|copy C u|set-upstream-to: t|track= a|all r|remotes l|list contains?"
    " merged? no-merged? points-at: sort: format: color? column? abbrev? unset-upstream edit-description show-current",
    "bundle": "",
    "checkout": "f|force q|quiet b: B: t|track= d|detach l orphan: ours theirs m|merge p|patch conflict: U|unified:"
    " inter-hunk-context: pathspec-from-file: pathspec-file-nul ignore-other-worktrees overlay guess progress"
    " recurse-submodules? overwrite-ignore ignore-skip-worktree-bits",
    "checkout-index": "f|force a|all u|index n|no-create stdin prefix: stage:",
    "cherry-pick": "n|no-commit S|gpg-sign? m|mainline: X|strategy-option: strategy: abort",
    "clean": "f|force n|dry-run i|interactive d x X q|quiet e|exclude:",
    "clone": "b|branch: depth: o|origin: u|upload-pack: reference: reference-if-able: separate-git-dir: mirror bare"
    " j|jobs: c|config: filter: template: recurse-submodules? shallow-since: shallow-exclude: single-branch"
    " no-checkout",
    "commit": "n|no-verify a|all m|message: F|file: C|reuse-message: c|reedit-message: fixup: squash: author: date:"
    " t|template: S|gpg-sign? amend dry-run u|untracked-files? cleanup: trailer: pathspec-from-file: e|edit q|quiet"
    " allow-empty p|patch i|include o|only s|signoff no-edit",
    "config": "global system local worktree f|file: blob: add unset unset-all replace-all get get-all get-regexp list"
    " l|list e|edit type: default: value: rename-section remove-section fixed-value comment: all append",
    "fetch": "f|force t|tags p|prune a|append depth: j|jobs: refmap: upload-pack: shallow-since: dry-run n|no-tags all",
    "filter-branch": "f|force env-filter: tree-filter: index-filter: parent-filter: msg-filter: commit-filter: setup:"
    " tag-name-filter: subdirectory-filter: prune-empty original: d: state-branch: remap-to-ancestor",
    "filter-repo": "f|force analyze dry-run path: invert-paths path-glob: path-regex: paths-from-file: path-rename:"
    " subdirectory-filter: to-subdirectory-filter: replace-text: replace-message: mailmap: refs: source: target:"
    " strip-blobs-bigger-than: strip-blobs-with-ids: name-callback: email-callback: commit-callback: blob-callback:"
    " message-callback: filename-callback: tag-callback: refname-callback: tag-rename: report-dir: partial",
    "gc": "prune? auto aggressive force q|quiet keep-largest-pack cruft max-cruft-size:",
    "merge": "no-verify m|message: F|file: S|gpg-sign? s|strategy: X|strategy-option: abort continue e|edit ff ff-only",
    "prune": "n|dry-run v|verbose progress expire: exclude-promisor-objects",
    "pull": "r|rebase= no-verify f|force S|gpg-sign? s|strategy: X|strategy-option: depth: n",
    "push": "f|force d|delete n|dry-run u|set-upstream all branches mirror tags follow-tags prune o|push-option:"
    " repo: receive-pack: exec: force-with-lease? force-if-includes no-verify signed? q|quiet v|verbose atomic"
    " porcelain recurse-submodules: thin ipv4 ipv6 4 6 progress",
    "read-tree": "reset u m i n|dry-run prefix: index-output: exclude-per-directory:",
    "rebase": "onto: i|interactive x|exec: root no-verify S|gpg-sign? s|strategy: X|strategy-option: keep-base abort"
    " continue skip quit edit-todo show-current-patch C: whitespace: empty: autosquash autostash f|force-rebase"
    " fork-point",
    "reflog": "expire: expire-unreachable: all n|dry-run stale-fix updateref rewrite single-worktree v|verbose",
    "remote": "v|verbose add delete push t: m: mirror? f|fetch n|dry-run all",
    "reset": "hard soft mixed merge keep q|quiet p|patch N|intent-to-add pathspec-from-file: pathspec-file-nul"
    " recurse-submodules? refresh",
    "restore": "s|source: S|staged W|worktree p|patch ours theirs m|merge conflict: overlay ignore-unmerged q|quiet"
    " pathspec-from-file: pathspec-file-nul recurse-submodules? progress U|unified: inter-hunk-context:",
    "revert": "n|no-commit S|gpg-sign? m|mainline: X|strategy-option: strategy: abort e|edit",
    "rm": "f|force r cached n|dry-run q|quiet ignore-unmatch pathspec-from-file: sparse",
    "stash": "u|include-untracked a|all m|message: p|patch k|keep-index S|staged q|quiet index pathspec-from-file:",
    "submodule": "f|force all b|branch: depth: reference: name: init recursive remote q|quiet j|jobs: checkout merge",
    "switch": "f|force discard-changes c|create: C|force-create: d|detach orphan: t|track= m|merge conflict:"
    " guess q|quiet progress recurse-submodules? ignore-other-worktrees",
    "tag": "d|delete f|force m|message: F|file: a|annotate s|sign u|local-user: l|list n? contains? sort: format:"
    " points-at: merged? no-merged? cleanup: column? color? v|verify e|edit create-reflog",
    "update-ref": "d stdin m: deref create-reflog z",
    "worktree": "f|force b: B: d|detach lock reason: expire: n|dry-run v|verbose porcelain orphan track guess-remote",
}
# Usual names of the branches that a team shares.
_SHARED = frozenset(
    {"dev", "develop", "development", "main", "master", "next", "prod", "production", "stable", "staging", "trunk"}
)
_SHARED_PREFIXES = ("release/", "release-", "releases/", "hotfix/", "support/")


def is_shared(branch: str) -> bool:
    """Whether a branch has a name that teams use for shared branches."""
    return branch in _SHARED or branch.startswith(_SHARED_PREFIXES)


@dataclass(frozen=True, slots=True)
class GitCall:
    """One subcommand that runs.

    `options`   by the long name if there is one; the value is empty if none is given; the last occurrence counts
    `operands`  its words before `--`; `paths` those after it
    `settings`  what `-c` sets for this one run, names in lower case
    `command`   its argv begins with the subcommand, and its cwd includes `-C` and `--work-tree`
    """

    verb: str
    command: Command
    options: Mapping[str, str]
    operands: tuple[str, ...]
    paths: tuple[str, ...]
    settings: Mapping[str, str]

    def has(self, *names: str) -> bool:
        """Whether any of these options is in force."""
        return any(name in self.options for name in names)

    @property
    def words(self) -> tuple[str, ...]:
        """All operands, before and after `--`."""
        return self.operands + self.paths


def git_calls(script: Script) -> Iterator[GitCall]:
    """Every git subcommand that a script runs."""
    for command in script.named("git"):
        call = git_call(command)
        if call:
            yield call


def git_call(command: Command) -> GitCall | None:
    """One command line as git reads it; None if it names no subcommand or only requests help."""
    cwd, words, settings = command.cwd, list(command.args), {}
    while words and words[0].startswith("-"):
        option = words.pop(0)
        value = words.pop(0) if option in _VALUED and words else ""
        if option in ("--help", "-h", "--version", "-v"):
            return None
        if option in ("-C", "--work-tree") and value:
            cwd = command.path(value)
        elif option.startswith(("-C", "--work-tree=")) and not value:
            cwd = command.path(option.removeprefix("-C").removeprefix("--work-tree="))
        elif option.startswith("-c"):
            name, equals, set_to = (value or option[2:]).partition("=")
            settings[name.lower()] = set_to if equals else "true"
    if not words:
        return None
    called = replace(command, argv=tuple(words), cwd=cwd)
    options, operands, paths = _parsed_args(words[0], called.args)
    return None if "help" in options else GitCall(words[0], called, options, operands, paths, settings)


def _parsed_args(verb: str, args: tuple[str, ...]) -> tuple[dict[str, str], tuple[str, ...], tuple[str, ...]]:
    """The options in force, the operands, and the operands after `--`."""
    grammar, options = _grammar(verb), dict[str, str]()
    operands: list[str] = []
    words = iter(args)
    for word in words:
        if word == "--":
            return options, tuple(operands), tuple(words)
        if word.startswith("--"):
            _long(word[2:], words, grammar, options)
        elif word.startswith("-") and len(word) > 1:
            _cluster(word[1:], words, grammar, options)
        else:
            operands.append(word)
    if args == ("-h",):
        options["help"] = ""
    return options, tuple(operands), ()


def _long(word: str, words: Iterator[str], grammar: _Grammar, options: dict[str, str]) -> None:
    given, equals, value = word.partition("=")
    name = grammar.long(given)
    if name not in grammar.takes and given.startswith("no-"):
        options.pop(grammar.long(given[3:]), None)
        options[given] = ""
        return
    options[name] = value if equals or grammar.takes.get(name) != ":" else next(words, "")


def _cluster(letters: str, words: Iterator[str], grammar: _Grammar, options: dict[str, str]) -> None:
    for place, letter in enumerate(letters, 1):
        name = grammar.shorts.get(letter, letter)
        takes = grammar.takes.get(name, "")
        if takes and takes != "=":
            options[name] = letters[place:] or (next(words, "") if takes == ":" else "")
            return
        options[name] = ""


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The options of a subcommand: the name of each letter, and whether each name takes a value."""

    shorts: Mapping[str, str]
    takes: Mapping[str, str]

    def long(self, given: str) -> str:
        """The name that a prefix stands for; an unknown or ambiguous prefix is returned unchanged."""
        if given in self.takes:
            return given
        fitting = [name for name in self.takes if len(name) > 1 and name.startswith(given)]
        return fitting[0] if len(fitting) == 1 else given


@lru_cache(maxsize=256)  # bounded: an agent may write any verb
def _grammar(verb: str) -> _Grammar:
    shorts: dict[str, str] = {}
    takes: dict[str, str] = {"help": ""}
    for entry in _OPTIONS.get(verb, "").split():
        bare = entry.rstrip(":?=")
        short, _, name = bare.rpartition("|")
        takes[name] = entry[len(bare) :]
        if short:
            shorts[short] = name
    return _Grammar(shorts, takes)
