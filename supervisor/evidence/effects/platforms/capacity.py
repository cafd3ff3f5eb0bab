"""How many machines, copies or calls at once a command line asks a platform for, and so how much it may cost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from supervisor.evidence.effects.effect import Act, Effect, Ground
from supervisor.evidence.effects.platforms.line import environment_of, is_rehearsal, line_of
from supervisor.evidence.effects.platforms.resource import Resource
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import word_set

# The options that state a number, by what they count, and the greatest number that is usual.
_MACHINES, _COPIES, _CALLS = 40, 150, 1500
_OPTIONS = {
    **dict.fromkeys(
        word_set(
            "--count --desired-capacity --desired-size --instance-count --machine-count --max-capacity --max-count"
            " --max-instances --max-nodes --max-num-replicas --max-size --min-capacity --min-count --min-instances"
            " --min-nodes --min-num-replicas --min-size --new-capacity --node-count --nodes --nodes-max --nodes-min"
            " --num-nodes --num-workers --number-of-workers --size --target-capacity --total-target-capacity --vm-count"
            " --worker-count"
        ),
        _MACHINES,
    ),
    **dict.fromkeys(word_set("--max --max-replicas --min --min-replicas --replicas --desired-count"), _COPIES),
    **dict.fromkeys(
        word_set("--concurrency --provisioned-concurrent-executions --reserved-concurrent-executions"), _CALLS
    ),
}
_IN_TEXT = re.compile(
    r"(?i)\b(maxsize|minsize|desiredsize|desiredcapacity|maxcapacity|targetcapacity|totaltargetcapacity|instancecount"
    r"|maxinstances|targetsize)[\"']?\s{0,4}[:=]\s{0,4}[\"']?(\d{1,9})"
)
# Machine types of which one alone is expensive: with accelerators, or a whole rack's share.
_COSTLY = re.compile(
    r"(?i)(?:p[2-6]\w{0,4}|g[3-7]\w{0,3}|trn\d\w?|inf\d|u-\d+tb\d|x\d\w{1,4}|dl\d\w?)\.\d{0,3}x?(?:large|metal)\w{0,8}"
    r"|a[23]-\w+gpu-\d+g|a4-\w+|standard_n[cdv]\w+|.*-metal(?:-\d+)?|m[123]-(?:ultra|mega)mem-\d+"
)
_SOME = 4  # of them
_MOST_NAMED = 40  # machines that one command names
_CLOUDS = word_set(
    "aws az doctl eksctl flyctl fly gcloud hcloud heroku ibmcloud kops kubectl linode-cli nomad oc oci openstack render"
    " scw sky vultr-cli databricks"
)
PROGRAMS = _CLOUDS
_MAKES = word_set("create run-instances create-instances run")


def read(command: Command, ground: Ground) -> Iterator[Effect]:
    """The effect "enlarge" if a command line asks for more than is usual; `content` is the number."""
    line = line_of(command, frozenset())
    if is_rehearsal(line) or not line.operands:
        return
    number = asked_for(command.args)
    if number:
        yield Resource(
            *(Act.RESOURCE, line.operands[-1], Place.REMOTE, "enlarge"),
            text=command.text,
            content=str(number),
            command=command,
            product=command.program,
            environment=environment_of(command),
        )


def asked_for(args: Sequence[str]) -> int:
    """The number that is more than usual; 0 if none is."""
    for option, value in _given(args):
        usual = _OPTIONS.get(option, 0)
        usual = _SOME if usual == _MACHINES and _is_costly(args) else usual
        if usual and value > usual:
            return value
    for word in args:
        for found in _IN_TEXT.finditer(word[:4096]):
            if int(found[2]) > _MACHINES:
                return int(found[2])
    return _named(args) if not _MAKES.isdisjoint(args) else 0


def _is_costly(args: Sequence[str]) -> bool:
    return any(map(_COSTLY.fullmatch, (word.rpartition("=")[2] for word in args)))


def _given(args: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Each option with its number. Of a range (`1:500`, `min=1,max=500`) the greatest counts."""
    for word, following in zip_longest(args, args[1:], fillvalue=""):
        if not word.startswith("--"):
            continue
        option, equals, inside = word.partition("=")
        numbers = [int(each) for each in re.findall(r"(?<![\w.-])\d{1,9}(?![\w.-])", inside if equals else following)]
        if numbers:
            yield option, max(numbers)


def _named(args: Sequence[str]) -> int:
    """How many names differ only in a number: `create w1 w2 … w200`, a brace expansion."""
    names: dict[str, int] = {}
    for word in args:
        stem = word.rstrip("0123456789")
        if stem != word and stem and not word.startswith("-"):
            names[stem] = names.get(stem, 0) + 1
    most = max(names.values(), default=0)
    return most if most > _MOST_NAMED else 0


def is_quiet(args: Sequence[str]) -> bool:
    """Whether a command line asks for nothing unusual."""
    return not asked_for(args)
