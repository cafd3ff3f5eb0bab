"""What programs do with credentials besides reading their files: show them, print whole stores of them, stage them.

Verbs of Act.REVEAL: "environment" (all variables of this process, or of others), "store" (all contents of a store of
secrets), "keychain" (contents of the user's own keychain); `passwords` reads "metadata" (the credentials that a cloud
gives a machine) and "argument" (a credential among a program's arguments). Act.REPOSITORY has "stage": a file for the
next commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.git import git_call

_REVEALS = frozenset({Act.REVEAL})
_Found = Iterator[Effect]


def reveal(command: Command, target: str, verb: str, *, whole: bool = False, place: Place = Place.UNKNOWN) -> Effect:
    return Effect(Act.REVEAL, target, place, verb, whole, text=command.text, command=command)


# Environments

_LISTS = {"env": (), "printenv": (), "set": (), "export": ("-p",), "declare": ("-p", "-x"), "typeset": ("-p", "-x")}


def _listed(command: Command, ground: Ground) -> _Found:
    """`env`, `printenv`, `set`, `export -p`, without an operand to run, look up or set."""
    if not _names_something(command.program, command.args):
        yield reveal(command, "the environment", "environment", whole=True)


def _names_something(program: str, words: Sequence[str]) -> bool:
    operands = [word for word in words if not word.startswith("-")]
    if program in ("set", "env", "printenv"):
        return bool(operands) or (program == "set" and bool(words)) or "--help" in words or "--version" in words
    return bool(operands) or (bool(words) and not set(words) <= set(_LISTS[program]))


def _environments(command: Command, ground: Ground) -> _Found:
    """`ps e`, `ps auxe`: the BSD letter `e` shows the environment of every process."""
    letters = next((word for word in command.args if not word.startswith("-")), "")
    if letters.isalpha() and "e" in letters:
        yield reveal(command, "every process's environment", "environment", whole=True, place=Place.SYSTEM)


def _shows_no_environment(words: Sequence[str]) -> bool:
    return not any(word.isalpha() and "e" in word for word in words[:1])


# Stores of secrets


class _Rule(NamedTuple):
    """Words that a command line has in this order, options of which it has at least one, and the resulting verb."""

    words: tuple[frozenset[str], ...]
    options: frozenset[str]
    for_each: bool  # holds only if the requested name is not known before the script runs, as in a loop over a list
    verb: str


# `word word|other -one|-of-these => verb`; `?` for a requested name that is not known before the script runs.
_TABLE = """
security dump-keychain|export => keychain
security find-generic-password|find-internet-password -w|-g => keychain
secret-tool lookup|search => keychain
keyring get => keychain
kwallet-query -r => keychain
gpg --export-secret-keys|--export-secret-subkeys => keychain
gpg2 --export-secret-keys|--export-secret-subkeys => keychain
pass show|grep => keychain
gopass show|grep => keychain
lpass export => store
lpass show => keychain
bw export => store
bw list items => store
bw get password|item|totp => keychain
op read|item ? => store
op item get --reveal => keychain
getent shadow|gshadow => store
vault kv get ? => store
vault read ? => store
vault operator raft snapshot save => store
aws secretsmanager batch-get-secret-value => store
aws secretsmanager get-secret-value ? => store
aws ssm get-parameters-by-path|get-parameters --with-decryption => store
aws iam create-access-key => store
aws configure export-credentials => store
gcloud secrets versions access ? => store
gcloud iam service-accounts keys create => store
az keyvault secret show ? => store
az keyvault secret backup|download ? => store
doppler secrets download => store
doppler secrets --json|--raw => store
infisical export => store
chamber export => store
heroku config --json|-s|--shell => store
railway variables => store
kubectl config view --raw => store
oc config view --raw => store
oc whoami -t|--show-token => store
gh auth status -t|--show-token => store
git credential fill => keychain
sops -d|--decrypt ? => store
ansible-vault view|decrypt ? => store
"""


# Those whose output signs in, and is printed for that every day: only who gets it decides.
_SIGNS_IN = """
gh auth token => store
az account get-access-token => store
gcloud auth print-access-token|print-identity-token|application-default => store
aws configure get aws_secret_access_key|aws_session_token => store
aws sts get-session-token|assume-role => store
aws ssm get-parameter --with-decryption => store
vault print token => store
vault token create => store
heroku config:get => store
heroku auth:token => store
pulumi config --show-secrets => store
doppler secrets get => store
infisical secrets get => store
consul kv get => store
op item get => store
kubectl create token => store
npm token create => store
"""


def _rules(table: str) -> dict[str, tuple[_Rule, ...]]:
    found: dict[str, tuple[_Rule, ...]] = {}
    for line in table.strip().splitlines():
        pattern, _, verb = line.partition(" => ")
        program, *words = pattern.split()
        options = frozenset(each for word in words if word.startswith("-") for each in word.split("|"))
        wanted = tuple(frozenset(word.split("|")) for word in words if not word.startswith(("-", "?")))
        found[program] = (*found.get(program, ()), _Rule(wanted, options, "?" in words, verb))
    return found


_RULES = _rules(_TABLE)
_PRINTED = _rules(_SIGNS_IN)
_CLUSTERS = ("kubectl", "oc", "k3s", "microk8s")


def _stored(command: Command, ground: Ground) -> _Found:
    for rule in _RULES.get(command.program, ()):
        if _holds(rule, command.args):
            yield reveal(command, command.program, rule.verb, whole=rule.verb == "store")
            return
    if command.program in _CLUSTERS and _all_secrets(command):
        yield reveal(command, "the cluster's secrets", "store", whole=True)


def prints_secret(command: Command) -> bool:
    """Whether a command prints what a store of secrets keeps: all of it, or a value by its name."""
    rules = (*_RULES.get(command.program, ()), *_PRINTED.get(command.program, ()))
    if any(_holds(rule._replace(for_each=False), command.args) for rule in rules):
        return True
    return command.program in _CLUSTERS and _all_secrets(command, named=True)


def _holds(rule: _Rule, args: Sequence[str]) -> bool:
    words = iter(args)
    if not all(any(word in wanted for word in words) for wanted in rule.words):
        return False
    given = {word.partition("=")[0] for word in args}
    given |= {f"-{letter}" for word in args if word[:1] == "-" and word[1:2] != "-" for letter in word[1:]}
    return (not rule.options or not rule.options.isdisjoint(given)) and (not rule.for_each or HOLE in "".join(args))


_CLUSTER_VALUED = frozenset(
    {"-n", "--namespace", "-o", "--output", "-l", "--selector", "--context", "--kubeconfig", "--cluster", "--sort-by"}
)
_SHOWS_VALUES = ("yaml", "json", "jsonpath", "go-template", "template", "custom-columns")


def _all_secrets(command: Command, *, named: bool = False) -> bool:
    """`kubectl get secrets -o yaml`: prints the values of all secrets, or of a `named` one; not only names."""
    words = command.operands(_CLUSTER_VALUED)
    if "get" not in words:
        return False
    kinds, *names = words[words.index("get") + 1 :] or [""]
    secrets = not {"secret", "secrets"}.isdisjoint(kinds.partition("/")[0].split(","))
    is_meant = named or not names or HOLE in "".join(names)
    return secrets and is_meant and any(map(_is_output_of_values, _options(command.args)))


def _options(args: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each word with the next one, and the parts of `--name=value` and `-nvalue`."""
    for word, value in zip(args, (*args[1:], ""), strict=True):
        name, equals, inside = word.partition("=")
        yield (name, inside) if equals and word.startswith("--") else (word, value)
        if len(word) > 2 and word[0] == "-" and word[1] != "-":
            yield word[:2], word[2:]


def _is_output_of_values(option: tuple[str, str]) -> bool:
    name, value = option
    shows = name in ("-o", "--output") and value.removeprefix("=").startswith(_SHOWS_VALUES)
    return shows and ".metadata.name}" not in value


def _is_quiet_store(program: str, words: Sequence[str]) -> bool:
    if program in _CLUSTERS and "get" in words:
        return False
    return not any(_holds(rule._replace(for_each=False), words) for rule in _RULES.get(program, ()))


def _store(program: str) -> Reading:
    return Reading(_REVEALS, _stored, lambda words: _is_quiet_store(program, words))


# Commits

_STAGING = ("add", "commit", "stage")


def _staged(command: Command, ground: Ground) -> _Found:
    call = git_call(command)
    if call is None or call.verb not in _STAGING or call.has("dry-run"):
        return
    for word in call.words:
        effect = ground.on_path(Act.REPOSITORY, word, call.command, verb="stage")
        effect.reversible = not call.has("force")
        yield effect


def _stages_nothing(words: Sequence[str]) -> bool:
    """Whether no file is named for the next commit. Adding all files at once respects the ignore rules."""
    if not any(word in _STAGING for word in words):
        return True
    return all(word.startswith("-") or word in (*_STAGING, ".") for word in words)


def _git(command: Command, ground: Ground) -> Iterable[Effect]:
    yield from _staged(command, ground)
    yield from _stored(command, ground)


def _quiet_git(words: Sequence[str]) -> bool:
    return _stages_nothing(words) and "credential" not in words


def _shown(program: str) -> Reading:
    return Reading(_REVEALS, _listed, lambda words: _names_something(program, words))


PROGRAMS = {
    **{program: _store(program) for program in (*_RULES, *_CLUSTERS)},
    **{program: _shown(program) for program in _LISTS},
    "ps": Reading(_REVEALS, _environments, _shows_no_environment),
    "git": Reading(frozenset({Act.REPOSITORY, Act.REVEAL}), _git, _quiet_git),
}
