"""Files of directives as trees: sshd_config, redis.conf, nginx, pg_hba.conf, Dockerfile, lists of requirements."""

from __future__ import annotations

import re
import shlex

from supervisor.evidence.configuration.trees import put

_WORD = re.compile(r"""[^\s#"';{}]+(?:"[^"\n]*"|'[^'\n]*'|[^\s"';{}])*|"[^"\n]*"|'[^'\n]*'|[;{}]|#[^\n]*|\n""")
_MOST_DEPTH = 40


def directives(text: str) -> dict[str, object]:
    """`Name value …` of each line; those after `Match …` of sshd below it, up to the next."""
    root: dict[str, object] = {}
    values = root
    for line in text.split("\n"):
        name, _, rest = line.strip().partition(" ")
        if name.lower() == "match":
            values = root
            if rest.strip().lower() != "all":
                values = {}
                put(root, f"match {rest.strip()}", values)
            continue
        if name and name[0] not in "#;!" and (rest := rest.split(" #")[0].strip()):
            put(values, name.rstrip(":="), rest.strip("\"'") if rest not in ('""', "''") else "")
        elif name and name[0] not in "#;!" and line.rstrip().endswith(('""', "''")):
            put(values, name, "")
    return root


def nginx(text: str) -> dict[str, object]:
    """The blocks of nginx, with their arguments as the last step of their path, and its directives."""
    root: dict[str, object] = {}
    open_blocks, words = [root], list[str]()
    for found in _WORD.finditer(text):
        word = found[0]
        if word == "{" and len(open_blocks) <= _MOST_DEPTH:
            inner: dict[str, object] = {}
            put(open_blocks[-1], " ".join(words) or "block", inner)
            open_blocks.append(inner)
            words = []
        elif word == "}":
            if len(open_blocks) > 1:
                open_blocks.pop()
            words = []
        elif word == ";":
            if words:
                put(open_blocks[-1], words[0], " ".join(words[1:]))
            words = []
        elif word[0] not in "#\n":
            words.append(word.strip("\"'"))
    return root


def host_rules(text: str) -> list[object]:
    """The lines of pg_hba.conf."""
    rules: list[object] = []
    for line in text.split("\n"):
        words = line.partition("#")[0].split()
        far = words[:1] != ["local"]
        if len(words) > 3 + far and words[0] in ("local", "host", "hostssl", "hostnossl", "hostgssenc", "hostnogssenc"):
            if far and len(words) > 5 and "." in words[4]:  # an address and its mask
                words[3:5] = ["0.0.0.0/0" if words[3] == words[4] == "0.0.0.0" else f"{words[3]} {words[4]}"]
            address = words[3] if far else "local"
            rules.append(
                {"hba": {"database": words[1], "user": words[2], "address": address, "method": words[3 + far]}}
            )
    return rules


_SUDO = re.compile(
    r"^[ \t]*(?P<who>%?[\w.+-]{1,60})[ \t]+\S{1,60}[ \t]*=[ \t]*(?:\([^)\n]{0,60}\))?[ \t]*"
    r"(?P<tags>(?:[A-Z]+:[ \t]*)*)(?P<what>[^#\n]{1,400})"
)


def sudo_rules(text: str) -> list[object]:
    """The lines of sudoers that let somebody run commands as another."""
    found = (_SUDO.match(line) for line in text.split("\n"))
    return [
        {"sudo": {"who": rule["who"], "tags": rule["tags"].strip(), "commands": rule["what"].strip()}}
        for rule in found
        if rule is not None and rule["who"] not in ("Defaults", "root")
    ]


_INSTRUCTION = re.compile(r"^[ \t]*([A-Za-z]{2,11})[ \t]+(.*)$", re.DOTALL)
_HEREDOC = re.compile(r"<<-?[\"']?(\w{1,40})[\"']?")
_INSTRUCTIONS = frozenset(
    "add arg cmd copy entrypoint env expose from healthcheck label onbuild run shell stopsignal user volume".split()
)


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile in order, in lower case, each with its arguments on one line."""
    found: list[tuple[str, str]] = []
    lines = iter(text.split("\n"))
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        whole = line
        while whole.rstrip().endswith("\\"):
            more = next(lines, None)
            if more is None:
                break
            if not more.lstrip().startswith("#"):
                whole = whole.rstrip()[:-1] + " " + more.strip()
            if len(whole) > 64 * 1024:
                break
        instruction = _INSTRUCTION.match(whole)
        if instruction is None or instruction[1].lower() not in _INSTRUCTIONS:
            continue
        name, rest = instruction[1].lower(), instruction[2].strip()
        if name in ("run", "copy", "add") and (mark := _HEREDOC.search(rest)):
            body: list[str] = []
            for below in lines:
                if below.strip() == mark[1]:
                    break
                body.append(below)
            rest = "\n".join([rest, *body])
        found.append((name, rest))
    return found


def words_of(line: str) -> list[str]:
    """The words of a line; those between blanks if its quotes do not close."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def requirements(text: str) -> list[str]:
    """The lines of a list of requirements without comments, continued lines joined."""
    lines = text.replace("\\\n", " ").split("\n")
    return [line for each in lines if (line := re.split(r"(?:^|\s)#", each)[0].strip())]
