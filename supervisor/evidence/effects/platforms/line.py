"""One parsed command line: operands, options with their values, and the environment and extent that they indicate."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.platforms.pattern import Line
from supervisor.evidence.effects.platforms.resource import Environment
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import word_set

# Options that name something on every platform, and so take the next word.
_VALUED = word_set(
    "--account --account-name --api-key --app --as --cluster --config --context --endpoint --endpoint-url --env"
    " --environment --format --host --kube-context --kubeconfig --location --log-level --namespace --org"
    " --organization --output --password --port --profile --project --project-id --query --region --resource-group"
    " --scope --server --service --stack --subscription --team --token --url --user --username --vault-name"
    " --workspace --zone"
)
_REHEARSES = word_set(
    "--dry-run --dry_run --dryrun --dry --fake --generate-cli-skeleton --help -help --just-print --no-act --noop"
    " --preview-only --validate-only --what-if --whatif -whatif --no-execute-changeset"
)
_ALONE = ("--check", "--list", "--plan", "--preview", "--simulate", "--version")  # a value changes their meaning
_IN_EARNEST = frozenset(f"{option}={no}" for option in ("--dry-run", "--dryrun") for no in ("none", "false", "0"))
FORCES = word_set(
    "--approve --assume-yes --auto-approve --confirm --delete-all --disable-interactive --force --force-delete"
    " --force-delete-without-recovery --ignore-not-found-force --no-confirm --no-input --no-interactive --no-prompt"
    " --non-interactive --quiet --skip-confirm --skip-final-snapshot --skip-preview --yes -auto-approve -f -force -q"
    " -y --skip-confirmation --yes-i-am-sure --i-know-what-i-am-doing --confirm:$false -confirm:$false"
)
_NAMES = ("name", "names", "id", "ids", "identifier", "identifiers", "arn", "url", "bucket", "key", "topic", "queue")
_PARTS = re.compile(r"[^a-z]+")
_SETTING = re.compile(r"[A-Z][A-Z0-9_]*=")
_PRODUCTION = frozenset({"prod", "production", "prd", "live"})
_TRIAL = word_set(
    "demo dev develop development e2e ephemeral experimental playground preview qa sandbox scratch stage staging"
    " test testing tests throwaway uat"
)
_LOCAL = frozenset({"localstack", "minikube", "k3d", "kind", "microk8s", "colima", "orbstack"})
_LOCAL_TEXTS = ("docker-desktop", "rancher-desktop", "localhost:4566", "127.0.0.1:4566", "--local ", "kind-kind")
_LONGEST_CLUSTER = 4
_LONGEST = 4096  # characters that an environment is read from


def line_of(command: Command, valued: frozenset[str], stdin: bool = False) -> Line:
    """A command's line for matching. `valued` are this program's options that take the next word; `stdin` is whether
    standard input is matched as well."""
    args = [word.lower() for word in command.args]
    pairs = list(_pairs(args))
    takes = _VALUED | valued
    text = f"{' '.join(args)} {(command.stdin or '')[:_LONGEST].lower() if stdin else ''}"
    return Line(
        tuple(word.lower() for word in operands_of(command, takes)),
        frozenset(_options(args)),
        frozenset(pairs),
        " ".join(text.split()),
    )


def operands_of(command: Command, valued: frozenset[str] = frozenset()) -> list[str]:
    """The words that are neither options nor values of options, in their original case."""
    return command.operands(_VALUED | valued)


def _options(args: Sequence[str]) -> Iterator[str]:
    """Each option, and each letter of a short cluster (`-af`)."""
    for word in args:
        if word.startswith("-"):
            yield word.partition("=")[0]
            if len(word) <= _LONGEST_CLUSTER and word[1:].isalpha():
                yield from (f"-{letter}" for letter in word[1:])


def _pairs(args: Sequence[str]) -> Iterator[str]:
    for word, following in zip(args, [*args[1:], "-"], strict=False):
        if word.startswith("-"):
            yield word
            if "=" not in word and not following.startswith("-"):
                yield f"{word}={following}"


def is_rehearsal(line: Line) -> bool:
    """Whether the command only prints its help, its version or what it would do."""
    if not line.given.isdisjoint(_IN_EARNEST):
        return False
    shows = not line.options.isdisjoint(_REHEARSES) or line.operands[:1] == ("help",)
    return shows or any(_is_alone(option, line) for option in (*_ALONE, "-h"))


def _is_alone(option: str, line: Line) -> bool:
    """Whether an option is given without a value: `-h` is help unless a host follows it."""
    return option in line.given and not any(each.startswith(f"{option}=") for each in line.given)


def is_whole(line: Line, targets: Sequence[str]) -> bool:
    """Whether the command line means all resources of a kind: `--all`, `*`, `all`."""
    everywhere = any(option.startswith("--all") and option != "--allow" for option in line.options)
    allowing = all(option.startswith(("--allow", "--allo")) for option in line.options if option.startswith("--all"))
    return (everywhere and not allowing) or any(
        target in ("all", "*", "_all", "/*") or _ANYTHING.search(target) for target in targets
    )


_ANYTHING = re.compile(r"=~[\"']?\^?\.[*+]\$?[\"']?$")  # a matcher that everything meets: `alertname=~".+"`


def target_of(line: Line, targets: Sequence[str]) -> str:
    """The named resource: an operand, or the value of a naming option (`--db-instance-identifier`). A setting in
    capitals (`DRY_RUN=false`) names nothing."""
    if named := next((each for each in targets if not _SETTING.match(each)), ""):
        return named
    given = (each.partition("=") for each in sorted(line.given))
    return next((value for option, _, value in given if value and option.rpartition("-")[2] in _NAMES), "")


def environment_of(command: Command) -> Environment:
    """The environment that the names in a command, its variables and its directory indicate.

    A directory counts only if it names production: a test's directory does not show what the command reaches from it,
    nor does a file.
    """
    names = [word for word in _named_in(command) if "@" not in word and not word.startswith(("/", "./", "file:"))]
    text = f"{' '.join(names)} "[:_LONGEST].lower().replace(".dev", "")
    words = frozenset(_PARTS.split(text))
    if not _PRODUCTION.isdisjoint(words.union(command.cwd.lower().split("/")[-3:])):
        return Environment.PRODUCTION
    if not words.isdisjoint(_LOCAL) or any(local in text for local in _LOCAL_TEXTS):
        return Environment.LOCAL
    return Environment.TRIAL if not words.isdisjoint(_TRIAL) else Environment.UNKNOWN


def _named_in(command: Command) -> Iterator[str]:
    """A command's arguments, and the variables that are set for it alone (`AWS_PROFILE=staging aws …`)."""
    yield from (word.partition("=")[2] if word.startswith("-") else word for word in command.args)
    before = command.text.partition(command.argv[0])[0].rpartition("\n")[2] if command.argv else ""
    yield from (word for word in before.split() if "=" in word)
