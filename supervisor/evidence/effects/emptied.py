"""Whether an effect leaves a file empty: by truncation, by noise, by the output of nothing."""

from __future__ import annotations

from itertools import pairwise

from supervisor.evidence.effects.effect import Effect
from supervisor.evidence.shell import Command

_EMPTIERS = frozenset({"", ":", "true", "truncate", "shred", "unlink", "rm", "srm", "ln"})
_NOTHING = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


def is_emptied(effect: Effect) -> bool:
    """Whether a write loses the file's content. A program that writes its own file does not count."""
    command = effect.command
    if command is None:
        return not (effect.content or "").strip()
    return (command.program in _EMPTIERS and not _grows(command)) or _prints_nothing(command, effect.content)


def _grows(command: Command) -> bool:
    """`truncate -s 10G new.img`, `truncate -s +1M f`: nothing of the file is lost, or it is new."""
    if command.program != "truncate":
        return False
    words = [*command.args, ""]
    sizes = [after for word, after in pairwise(words) if word in ("-s", "--size")]
    sizes += [word.partition("=")[2] for word in words if word.startswith("--size=")]
    sizes += [word[2:] for word in words if word.startswith("-s") and len(word) > 2]
    return any(size[:1] in ("+", ">", "%", "/") or size[:1] in "123456789" for size in sizes if size)


def _prints_nothing(command: Command, content: str | None) -> bool:
    nothing = command.args == ("/dev/null",)
    copies = command.program in ("cp", "dd", "cat", "install", "mv") and any(
        word.removeprefix("if=") in _NOTHING for word in command.args
    )
    fed = any(each.operator == "<" and each.target == "/dev/null" for each in command.redirects)
    return nothing or copies or fed or (content is not None and not content.strip())
