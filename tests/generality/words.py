"""Other spellings of a command's name, of its words, and of what they are put together from.

Each takes a script and gives another that does the same, or None where it does not apply.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.generality.scripts import ansi, encoded, escapes, given, is_bare, perl, program, quoted, single, words

Respelling = Callable[[str], str | None]
WORDS: dict[str, Respelling] = {}


def _name(title: str, spell: Callable[[str], str]) -> None:
    """A respelling of the program's name, whatever follows it."""

    def respell(script: str) -> str | None:
        first = program(script)
        return spell(first) + script[len(first) :] if first else None

    WORDS[title] = respell


_name("backslash before the name", lambda name: f"\\{name}")
_name("backslashes in the name", lambda name: "".join(f"\\{letter}" for letter in name))
_name("name in single quotes", lambda name: f"'{name}'")
_name("name in double quotes", lambda name: f'"{name}"')
_name("empty quotes in the name", lambda name: f"{name[0]}''{name[1:]}")
_name("half of the name quoted", lambda name: f'{name[0]}"{name[1:]}"')
_name("name in ANSI-C quotes", ansi)
_name("name in a variable", lambda name: f"X={name}; $X")
_name("name in an exported variable", lambda name: f"export TOOL={name}\n${{TOOL}}")
_name("name in two variables", lambda name: f"a={name[:1]} b={name[1:]}; $a$b")
_name("name in an array", lambda name: f"a=(x {name}); ${{a[1]}}")
_name("name as a default", lambda name: f"${{TOOL:-{name}}}")
_name("name assigned as a default", lambda name: f": ${{X:={name}}}; $X")
_name("name behind a pointer", lambda name: f"X={name} P=X; ${{!P}}")
_name("name cut out", lambda name: f"X=_{name}_; X=${{X#_}}; ${{X%_}}")
_name("name by its place", lambda name: f"X=--{name}--; ${{X:2:{len(name)}}}")
_name("name in lower case", lambda name: f"X={name.upper()}; ${{X,,}}")
_name("name with a part replaced", lambda name: f"X=@{name[1:]}; ${{X/@/{name[0]}}}")
_name("name read", lambda name: f"read -r X <<< {name}; $X")
_name("name by printf -v", lambda name: f"printf -v X %s {name}; $X")
_name("name declared", lambda name: f"declare -r X={name}; $X")
_name("name as a turn of a loop", lambda name: f"for X in {name}; do :; done; $X")
_name("name substituted", lambda name: f"$(echo {name})")
_name("name in backticks", lambda name: f"`printf {name}`")
_name("name from an escaped printf", lambda name: f"$(printf '{escapes(name)}')")
_name("name turned around", lambda name: f"$(echo {name[::-1]} | rev)")
_name("name decoded", lambda name: f"$(echo {encoded(name)} | base64 -d)")
_name("name from a here-document", lambda name: f"X=$(cat <<END\n{name}\nEND\n)\n$X")
_name("name by its path", lambda name: f"/usr/bin/{name}")
_name("name by which", lambda name: f"$(which {name})")
_name("name by command -v", lambda name: f'"$(command -v {name})"')


def _each(title: str, spell: Callable[[list[str]], str | None]) -> None:
    """A respelling of a script that is one command."""

    def respell(script: str) -> str | None:
        found = words(script)
        return spell(found) if found else None

    WORDS[title] = respell


def _quoting(title: str, spell: Callable[[str], str]) -> None:
    """Every word quoted, but those that are quoted already and those that hold a home."""
    _each(title, lambda found: " ".join(spell(word) if is_bare(word) else word for word in found))


def _bare(title: str, spell: Callable[[list[str]], str]) -> None:
    """A respelling of a command whose words all are what they are written."""
    _each(title, lambda found: spell(found) if all(map(is_bare, found)) else None)


def _last(title: str, spell: Callable[[str, str], str]) -> None:
    """A respelling of the last word, and of all that stands before it."""

    def respell(found: list[str]) -> str | None:
        return spell(" ".join(found[:-1]), found[-1]) if found[1:] and is_bare(found[-1]) else None

    _each(title, respell)


def _all(title: str, spell: Callable[[str], str]) -> None:
    """A respelling of a command as a whole."""
    _each(title, lambda found: spell(" ".join(found)))


_quoting("single quotes", lambda word: f"'{word}'")
_quoting("double quotes", lambda word: f'"{word}"')
_quoting("ANSI-C quotes", ansi)
_quoting("half quotes", lambda word: f"{word[:1]}'{word[1:]}'")
_each("more spaces", lambda found: "   ".join(found) + "  ")
_each("tabs", lambda found: "\t".join(found))
_each("continued lines", lambda found: " \\\n  ".join(found))
_all("an array", lambda line: f'run=({line}); "${{run[@]}}"')
_all("positional parameters", lambda line: f'set -- {line}; "$@"')
_all("a function of its words", lambda line: f'run() {{ "$@"; }}; run {line}')
_all("parallel", lambda line: f"parallel ::: {single(line)}")
_all("find -exec", lambda line: f"find . -maxdepth 0 -exec {line} \\;")
_all("comment behind", lambda line: f"{line}  # tidy up")
_all("redirection first", lambda line: f"2>/dev/null {line}")
_all("two redirections first", lambda line: f"2>&1 >/dev/null {line}")
_all("errors joined twice", lambda line: f"2>&1 2>&1 {line}")
_all("no output", lambda line: f"{line} >/dev/null 2>&1")
_all("all output to nothing", lambda line: f"{line} &>/dev/null")
_all("output on a fifth descriptor", lambda line: f"{line} 5>&1 >&2 2>/dev/null")
_all("output to another program", lambda line: f"{line} > >(tee log.txt)")
_all("nothing on its input", lambda line: f"{line} </dev/null")
_all("answers on its input", lambda line: f"yes | {line}")
_all("answers from a here-string", lambda line: f"{line} <<< y")
_all("background, disowned", lambda line: f"{line} & disown")
_bare("braces", lambda found: f"{{{','.join(found)}}}" if found[1:] and "," not in "".join(found) else " ".join(found))
_bare("IFS for spaces", lambda found: "${IFS}".join(found))
_bare("arguments in a variable", lambda found: f'ARGS="{" ".join(found[1:])}"; {found[0]} $ARGS')
_bare("a line that is read", lambda found: f"while read -r line; do $line; done <<< '{' '.join(found)}'")
_bare("split by read", lambda found: f"IFS=';' read -ra w <<< '{';'.join(found)}'; \"${{w[@]}}\"")
_bare("xargs of all", lambda found: f"printf '%s\\n' {' '.join(found)} | xargs env")
_bare("expect", lambda found: f"expect -c {single('spawn ' + ' '.join(found))}")
_last("last word in a variable", lambda line, last: f'LAST={last}; {line} "$LAST"')
_last("last word as a parameter", lambda line, last: f'run() {{ {line} "$1"; }}; run {last}')
_last("last word as a turn of a loop", lambda line, last: f'for it in {last}; do {line} "$it"; done')
_last("last word by xargs", lambda line, last: f"echo {last} | xargs {line}")
_last("last word by xargs, here-string", lambda line, last: f"xargs -n1 {line} <<< '{last}'")
_last("last word substituted", lambda line, last: f'{line} "$(printf %s {last})"')


def _aliased(found: list[str]) -> str:
    return f"shopt -s expand_aliases\nalias zz={found[0]}\n{' '.join(['zz', *found[1:]])}"


_each("an alias of the name", _aliased)


def _redirected(found: list[str]) -> str:
    return " ".join([found[0], "2>/dev/null", *found[1:]])


_each("redirection within", _redirected)


def _at_home(found: list[str]) -> str | None:
    at = next((at for at, word in enumerate(found) if word == "~" or word.startswith("~/")), None)
    return " ".join([*found[:at], f'"$HOME"{found[at][1:]}', *found[at + 1 :]]) if at else None


_each("home by its variable", _at_home)


def _in_pieces(found: list[str]) -> str | None:
    at = next((at for at, word in enumerate(found) if at and is_bare(word) and word[:1] == "/" != word), None)
    if at is None:
        return None
    head, _, tail = found[at].rpartition("/")
    return f"BASE={head} LEAF={tail}; {' '.join([*found[:at], '$BASE/${LEAF}', *found[at + 1 :]])}"


_each("path from two pieces", _in_pieces)


def _with_options(found: list[str]) -> str | None:
    at = next((at for at, word in enumerate(found) if word[:1] == "-" and is_bare(word)), None)
    return f"OPTS={found[at]}; {' '.join([*found[:at], '$OPTS', *found[at + 1 :]])}" if at else None


_each("options in a variable", _with_options)


def _subprocess(found: list[str]) -> str:
    return f"python3 -c {single(f'import subprocess; subprocess.run({given(found)!r})')}"


_each("subprocess with a list", _subprocess)


def _executed(found: list[str]) -> str:
    return f"python3 -c {single(f'import os; os.execvp({given(found)[0]!r}, {given(found)!r})')}"


_each("execvp", _executed)


def _spawned(found: list[str]) -> str:
    name, *rest = map(quoted, given(found))
    code = f"require('child_process').spawnSync({name}, [{', '.join(rest)}])"
    return f"node -e {single(code)}"


_each("node spawnSync", _spawned)


def _by_perl(found: list[str]) -> str:
    return f"perl -e {single('exec(' + ', '.join(map(perl, given(found))) + ')')}"


_each("perl exec with a list", _by_perl)
