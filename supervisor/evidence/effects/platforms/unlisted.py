"""Unlisted tools, read by the grammar that they share with the listed ones.

An unlisted tool has an effect only if its nouns are those of a platform and its verb destroys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from supervisor.evidence.effects.effect import Effect, Ground
from supervisor.evidence.effects.platforms.data import Program, programs
from supervisor.evidence.effects.platforms.grammar import (
    NOT_OURS,
    UNLISTED,
    Phrase,
    phrase_of,
    read,
    resource,
    sort_for,
)
from supervisor.evidence.effects.platforms.line import is_rehearsal, line_of, operands_of
from supervisor.evidence.effects.platforms.resource import Environment, Sort
from supervisor.evidence.effects.platforms.words import DESTRUCTIVE_VERBS, sort_of, word_of
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import word_set

_CMDLETS = Program("a cloud's PowerShell module")
_SERVICES = word_set("az azure cfn ddb ec2 ecs efs eks elb iam kms lm mg r53 rds s3 sec sns sqs")
_VERBS = frozenset({"delete", "purge", "reset"})
# Tools with such verbs that are not platforms: their nouns are packages, files, units or revisions.
_OTHERS = word_set(
    "apk apt apt-get aptitude artisan asdf brew bun bundle bzr cabal cargo choco composer conda console cpan"
    " crontab defaults dnf dotnet drush expr flatpak fossil gem git go gradle hg ip iptables jj just launchctl"
    " luarocks make mamba mise mvn nft node npm nuget nvm opam pacman pdm php pip pip3 pipenv pipx pnpm poetry"
    " port python python3 rails rake rm ruby rustup sc scoop sdk service snap svn symfony systemctl task test tmux"
    " ufw uv winget yarn yum zypper"
)
_SCRIPTS = (".sh", ".py", ".js", ".rb", ".pl", ".ts")


def read_unlisted(command: Command, ground: Ground) -> Iterable[Effect]:
    """The resources that an unlisted tool destroys: what it names, or all of a kind (`nodes terminate --all`), or in
    production whatever it is."""
    line = line_of(command, frozenset())
    phrase = phrase_of(operands_of(command), UNLISTED)
    sort = sort_of(phrase.nouns)
    if phrase.verb not in _VERBS or sort in NOT_OURS or is_rehearsal(line):
        return
    found = resource(command, line, phrase, sort or Sort.INFRASTRUCTURE, UNLISTED)
    meant = found.forced or found.whole
    if sort is None:
        if meant and found.environment is Environment.PRODUCTION:
            yield found
    elif phrase.targets or meant:
        yield found


def read_jar(command: Command, ground: Ground) -> Iterable[Effect]:
    """`java -jar jenkins-cli.jar …` is read as the tool in the archive."""
    args = command.args
    at = args.index("-jar") + 1 if "-jar" in args else len(args)
    inner = Command(command.argv[at + 1 :], command.text, command.cwd, remote=command.remote)
    if inner.program in programs():
        yield from read(inner, ground)


def read_cmdlet(command: Command, ground: Ground) -> Iterable[Effect]:
    """`Remove-AzResourceGroup -Name shop`: PowerShell's modules for clouds have one program per operation."""
    line, word = line_of(command, frozenset()), word_of(command.program)
    if word.does in DESTRUCTIVE_VERBS.values() and not is_rehearsal(line):
        yield resource(command, line, Phrase(word.does, word.nouns), sort_for(word.nouns, _CMDLETS), _CMDLETS)


def is_cmdlet(program: str) -> bool:
    """Whether a program is named as a command of those modules: `Verb-ServiceNoun`."""
    return program[:1].isupper() and not _SERVICES.isdisjoint(word_of(program).nouns[:1])


def may_destroy(program: str, args: Sequence[str]) -> bool:
    """Whether an unlisted tool may use a platform's grammar: a verb is among its first words. It is called for every
    command, so it only compares words."""
    return any(map(_has_verb, args[:4])) and program not in _OTHERS and not program.endswith(_SCRIPTS)


def _has_verb(word: str) -> bool:
    """Whether a word has a destructive verb in a verb's position: `delete`, `apps:destroy`, `delete-cluster`."""
    return (
        word in DESTRUCTIVE_VERBS
        or word.rpartition(":")[2] in DESTRUCTIVE_VERBS
        or word.partition("-")[0] in DESTRUCTIVE_VERBS
    )
