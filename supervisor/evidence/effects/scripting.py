"""What Perl, Ruby, PHP and Lua code deletes: calls by name, with plain strings or a home directory as arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from supervisor.evidence.effects.effect import Act, Effect, Part, Where
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Code
from supervisor.evidence.shell.calls import MAX_CODE, tokens_of, unquoted

_MOST_TOKENS = 64  # of one call

# Each language's functions, and whether they delete a whole tree. Ruby's short names need their module.
_DELETES: Mapping[str, Mapping[str, bool]] = {
    "perl": {"remove_tree": True, "rmtree": True, "unlink": False},
    "php": {"unlink": False},
    "lua": {"os.remove": False},
    "ruby": {
        **dict.fromkeys(("rm_r", "rm_rf", "rmtree", "remove_dir", "remove_entry", "remove_entry_secure"), True),
        **dict.fromkeys(("File.delete", "File.unlink", "FileUtils.rm", "FileUtils.rm_f", "FileUtils.remove"), False),
    },
}
_HINTS = ("unlink", "rm", "remove", "delete")
_HOMES = ("#{Dir.home}", "#{ENV['HOME']}", '#{ENV["HOME"]}', "$ENV{HOME}", "@{[$ENV{HOME}]}")
_BARE_HOMES = (
    *('getenv("HOME")', "getenv('HOME')", 'ENV["HOME"]', "ENV['HOME']", "Dir.home", "$ENV{HOME}"),
    *('$_SERVER["HOME"]', "$_SERVER['HOME']", 'os.getenv("HOME")', "os.getenv('HOME')"),
)
_FILLED = ("#{", "${", "$", "@{")  # the start of an interpolated value


def parts_of_code(found: Code, where: Where) -> Iterator[Part]:
    """The files that a piece of code deletes."""
    if found.language in _DELETES and any(hint in found.text for hint in _HINTS):
        yield Part(frozenset({Act.DELETE}), partial(_deleted, found, where))


def _deleted(found: Code, where: Where) -> Iterator[Effect]:
    functions = _DELETES[found.language]
    tokens = list(tokens_of(found.language, with_home(found.text[:MAX_CODE])))
    for at, (kind, token) in enumerate(tokens):
        if kind != "name":
            continue
        owner = tokens[at - 2][1] if at > 1 and tokens[at - 1][1] == "." else ""
        whole = functions.get(f"{owner}.{token}", functions.get(token))
        if whole is not None:
            for path in _strings(tokens[at + 1 : at + 1 + _MOST_TOKENS]):
                yield where.on_path(Act.DELETE, path, found.text[:200], whole=whole)


def with_home(text: str) -> str:
    """The code with each home directory written as `~`, both in strings and in place of a call."""
    for home in _HOMES if "HOME" in text or "home" in text else ():
        text = text.replace(f'"{home}', '"~')
    for home in _BARE_HOMES if "HOME" in text or "home" in text else ():
        text = text.replace(home, '"~"')
    return text


def _strings(tokens: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The strings among a call's arguments; joined strings are one. Patterns of `glob` are kept as they are."""
    text, joins = "", False
    for kind, token in tokens:
        if kind == "string":
            word = _known(token)
            if text and not joins:
                yield text
            text, joins = (text + word if joins else word), False
        elif token in ("+", ".") and text:
            joins = True
        elif token in (")", ";", "}", "{", "="):
            break
        elif kind == "name" and joins:
            text = f"{text}{HOLE}"
    if text:
        yield text


def _known(token: str) -> str:
    """A string's text up to its first interpolation, with a HOLE for the rest."""
    text = unquoted(token)
    if token.startswith("'"):
        return text
    cut = min((at for mark in _FILLED if (at := text.find(mark)) >= 0), default=-1)
    return text if cut < 0 else f"{text[:cut]}{HOLE}"
