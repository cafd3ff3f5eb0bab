"""Commands in files: scripts that are run by their path, recipes of `make` and `just`, scripts of `npm`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import Inner, Unwrap, both, operand_index, subcommands, values_of, word_set

_MOST_TARGETS = 32
_SHEBANG_SHELLS = ("sh", "bash", "zsh", "dash", "ksh", "ash")


def run_by_path(command: Command) -> Iterator[Inner]:
    """`./script.sh a b`."""
    yield Inner(file=command.argv[0], parameters=command.argv, within=partial(_by_first_line, command.argv))


def _by_first_line(argv: tuple[str, ...], text: str) -> Iterator[str]:
    """The script as a shell runs it; if its first line names another interpreter, the call of that with the file."""
    first = text.split("\n", 1)[0]
    words = first.removeprefix("#!").split()
    names = [word.rpartition("/")[2] for word in words if not word.startswith("-")]
    if not first.startswith("#!") or any(name in _SHEBANG_SHELLS for name in names):
        yield text
    elif program := next((name for name in names if name != "env" and "=" not in name), ""):
        yield shlex.join((program, *argv))


_MAKE_VALUED = word_set("-C -f -I -j -l -o -W --directory --file --makefile --jobs --include-dir --old-file --what-if")


def make(command: Command) -> Iterator[Inner]:
    """The recipes of the targets that are built, and of their dependencies."""
    if command.has_flag("-n", "--dry-run", "--just-print", "--recon", "-q", "--question", "-p", valued="CfIjloW"):
        return
    words = command.operands(_MAKE_VALUED)
    goals = [word for word in words if "=" not in word]
    given = dict(word.split("=", 1) for word in words if "=" in word)
    ends_in_file = command.args[-1:] == ("-f",)  # the grammar drops the dash of `-f - <<EOF`
    names = (
        ["-"]
        if ends_in_file
        else [*values_of(command.args, "-f", "--file", "--makefile")] or ["Makefile", "makefile", "GNUmakefile"]
    )
    cwd = next((command.path(value) for value in values_of(command.args, "-C", "--directory")), None)
    read = _reading_rules(goals, given)
    if names == ["-"] and command.stdin is not None:
        yield from (Inner(script=script, reads=False, cwd=cwd) for script in read(command.stdin))
        return
    for name in names:
        yield Inner(file=name, within=read, reads=False, cwd=cwd)


def just(command: Command) -> Iterator[Inner]:
    goals = command.operands(word_set("-f -d --justfile --working-directory --set --shell"))
    for name in [*values_of(command.args, "-f", "--justfile")] or ["justfile", "Justfile", ".justfile"]:
        yield Inner(file=name, within=_reading_rules(goals[:1], {}), reads=False)


def _reading_rules(goals: list[str], given: dict[str, str]) -> Callable[[str], Iterable[str]]:
    return lambda text: _recipes(text, goals, given)


def _recipes(text: str, goals: list[str], given: dict[str, str]) -> Iterator[str]:
    rules, variables = _rules(text)
    variables |= given
    pending, seen = list(goals) or list(rules)[:1], set[str]()
    while pending and len(seen) < _MOST_TARGETS:
        goal = pending.pop(0)
        if goal in seen or goal not in rules:
            continue
        seen.add(goal)
        needs, lines = rules[goal]
        pending += _filled(" ".join(needs), variables).split()
        script = "\n".join(line.lstrip("@-+ ") for line in lines)
        if script.strip():
            yield _filled(script.replace("$$", "\0").replace("$@", goal), variables).replace("\0", "$")


def _rules(text: str) -> tuple[dict[str, tuple[list[str], list[str]]], dict[str, str]]:
    """Targets with their prerequisites and recipes; and the variables."""
    rules: dict[str, tuple[list[str], list[str]]] = {}
    variables: dict[str, str] = {}
    recipes: list[list[str]] = []
    for line in text.replace("\\\n", " ").split("\n"):
        if line[:1].isspace() and recipes:
            for recipe in recipes:
                recipe.append(line.strip())
            continue
        head, colon, tail = line.partition(":")
        name, equals, value = line.partition("=")
        if equals and (not colon or len(name) <= len(head) + 1):
            variables[name.rstrip("?:+! ").removeprefix("export ").strip()] = value.strip()
        elif colon and line[0] not in "#.":
            words, (tail, _, inline) = head.split(), tail.partition(";")
            recipes = [[inline.strip()] if inline else [] for _ in words[:_MOST_TARGETS]]
            rules |= {word: (tail.split(), recipe) for word, recipe in zip(words, recipes, strict=False)}
    return rules, variables


def _filled(text: str, variables: dict[str, str]) -> str:
    """A text with its variables replaced, nested ones up to three levels."""
    for _ in range(3):
        before = text
        for name, value in variables.items():
            if "$(" in text or "${" in text:
                text = text.replace(f"$({name})", value).replace(f"${{{name}}}", value)[:16384]
        if text == before:
            break
    return text


_NPM_ALONE = word_set("test start stop restart install ci publish prepare")
_NPM_VALUED = word_set("--prefix -C --dir --filter -w --workspace --cwd -F")
_OWN_OF_YARN = word_set("add remove install why upgrade info init link cache config global list publish dlx exec node")


def npm(command: Command) -> Iterator[Inner]:
    """`npm run build`, `npm test`, `yarn build`: a script of package.json, with its `pre` and `post` scripts."""
    start = 1 + operand_index(command.args, _NPM_VALUED)
    verb, rest = command.argv[start] if start < len(command.argv) else "install", command.argv[start + 1 :]
    if verb in ("run", "run-script", "rum", "urn"):
        name, rest = next(iter(rest), ""), rest[1:]
    elif verb in _NPM_ALONE or (command.program != "npm" and verb not in _OWN_OF_YARN):
        name = verb
    else:
        return
    cwd = next(
        (command.path(value) for value in values_of(command.args, *_NPM_VALUED - {"-w", "--filter", "-F"})), None
    )
    words = " ".join(word for word in rest if word != "--")
    yield Inner(file="package.json", within=lambda text: _npm_scripts(text, name, words), reads=False, cwd=cwd)


def _npm_scripts(text: str, name: str, words: str) -> Iterator[str]:
    try:
        scripts = json.loads(text)["scripts"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
    if not isinstance(scripts, dict):
        return
    for each in (f"pre{name}", name, f"post{name}", *(["prepare"] if name in ("install", "ci") else ())):
        script = scripts.get(each)
        if isinstance(script, str) and script.strip():
            yield f"{script} {words}" if each == name and words else script


def _executed(command: Command) -> Iterator[Inner]:
    """`npm exec -c script`, `pnpm exec program`, `npx program`."""
    scripts = [*values_of(command.args, "-c", "--call")]
    yield from (Inner(script=script) for script in scripts)
    names = ("exec", "x", "dlx")
    start = 1 + next((at for at, word in enumerate(command.argv) if word in names and command.program != "npx"), 0)
    start += operand_index(command.argv[start:], word_set("-p --package -w --workspace -c --call"))
    if not scripts and start < len(command.argv):
        yield Inner(command.argv[start:], start=start)


_NPM = both(npm, subcommands(dict.fromkeys(("exec", "x", "dlx"), _executed), "--prefix -C"))
RECIPES: dict[str, Unwrap] = {
    **dict.fromkeys(("make", "gmake"), make),
    "just": just,
    **dict.fromkeys(("npm", "yarn", "pnpm", "bun"), _NPM),
    **dict.fromkeys(("npx", "bunx", "pnpx"), _executed),
}
