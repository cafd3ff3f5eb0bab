"""What a command line does, by words that programs of all trades share.

The model of command lines knows programs one by one. Here `pct destroy 203` and `mc rb old` are read alike, also where
no list has the program. `acts.yaml` has the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import re2

from supervisor.evidence.reading.tables import table_beside

_PART = re.compile(r"[^\W_]+")
_PLAIN_FILE = re.compile(r"(?![~/])(?!.*\.\./)[\w./-]+\.\w+", re.ASCII)
_FIRST = 5  # words of a command line that may tell its act
_N_FLAG = re.compile(r"-[a-zA-Z]{0,4}n[a-zA-Z]{0,4}")  # `-n`, `-ndx`
_CONTAINERS = frozenset({"docker", "podman", "nerdctl"})  # `--publish` opens a port
# Statements of SQL, and methods of document stores, by what they do.
_STATEMENTS = tuple(
    (sort, re2.compile(f"(?i){pattern}"))
    for sort, pattern in (
        (
            "delete",
            r"\b(?:delete\s+(?:\w+\s+)?from|drop\s|truncate\s|reset\s+(?:replica|slave|master)|stop\s+(?:replica|slave))"
            r"|\.(?:delete(?:one|many)|remove|drop(?:database|indexe?s?|user|role)?|findoneanddelete)\s?\(",
        ),
        (
            "stop",
            r"\b(?:pg_terminate_backend|pg_cancel_backend|kill\s+(?:query\s+|connection\s+)?\d)"
            r"|\bdb\.(?:killop|shutdownserver)\s?\(",
        ),
        (
            "edit",
            r"\b(?:update\s+\S+\s+set|alter\s)|\brs\.(?:reconfig|stepdown|remove|add)\s?\("
            r"|\.(?:update(?:one|many)?|replaceone|findandmodify|findoneand(?:update|replace)|bulkwrite|renamecollection)\s?\(",
        ),
        ("revert", r"^\s*\.restore\s"),
        ("", r"\b(?:insert\s+into|create\s)|\.(?:insert(?:one|many)?|save|create(?:index|user|role|collection))\s?\("),
    )
)
# Lines of a client's script that only say something: comments, and what is printed.
_SAID = re2.compile(r"(?im)^\s*(?:--|(?:prompt|rem|remark|\\q?echo|\\warn)(?:\s|$)).*$")
# Changes of a database in the code of a language, by methods that no collection of a language has.
_CODE = re2.compile(
    r"(?i)\.((?:update|delete|replace)(?:_one|_many|One|Many)|drop_database|dropDatabase|bulk_write|bulkWrite)\s?\("
    r"|[.:]((?:destroy|delete|update)_all|destroy!?)(?:\b|\s?\()|\bobjects\b.{0,400}\.((?:bulk_)?(?:delete|update))\s?\("
    r"|\.(?:execute\w*|query|exec|raw)\(\s*[rf]?[\"'`]{1,3}\s*((?:update\s|delete\s+from|drop\s|truncate\s|alter\s))"
)
_IN_MEMORY = re2.compile(r":memory:|mongomock|sqlite://[\"']")
_LONGEST_REQUEST = 4096  # characters
_WRITES = re2.compile(
    r"(?i)(?:^|\s)(?:-X\s?|--request[= ]|-Method\s+|--method[= ])[\"']?(?:POST|PUT|PATCH)\b|^(?:POST|PUT|PATCH)\s"
)
_ON_THIS_MACHINE = re2.compile(
    r"(?i)\b(?:localhost|127\.\d|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.(?:local|localhost|test))\b|\[::1\]"
)
_ASKS = re2.compile(
    r"(?i)search|quer(?:y|ies)|graphql|count|token|oauth|login|auth/|valid|simulat|preview|dry|check|lint|explain|eval|rpc|complet|embed|predict|infer|translat|render|convert|echo|lookup|batch[-_]?get"
)
_GRAVE = frozenset(
    {"attack", "delete", "deploy", "load", "merge", "push", "restart", "revert", "send", "stop", "unlock"}
)
_MANAGED = frozenset({"deploy", "edit", "revert"})  # done by a package manager, an installation


def _loaded() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = table_beside(__file__, "acts.yaml")
    return loaded


@cache
def words(name: str) -> frozenset[str]:
    """A set of words of `acts.yaml`."""
    return frozenset(_loaded()[name].split())


@cache
def sorts(name: str) -> Mapping[str, str]:
    """The sort of act of each word in a table of `acts.yaml`. The first sort that has a word counts."""
    found: dict[str, str] = {}
    for sort, text in _loaded()[name].items():
        for word in text.split():
            found.setdefault(word, sort)
    return found


@cache
def flags() -> Mapping[str, Mapping[str, str]]:
    """The sort of act of each option of the programs whose act stands in one option."""
    found: Mapping[str, Mapping[str, str]] = _loaded()["flags"]
    return found


def may_act(text: str) -> bool:
    """Whether a text has a word for an act, so that parsing it may find a deed."""
    return ">" in text or not words_of_acts().isdisjoint(_PART.findall(text.lower()))


def may_be_deed(commands: Iterable[Sequence[str]], said: str) -> bool:
    """Whether commands, as words, have an effect that a request or a history may speak against, by bounded work.

    What developers do all day does not count: to commit, to install, to edit, to remove files of the directory at hand
    that `said`, the user's request, does not name.
    """
    return any(
        _is_deed(words[0].rpartition("/")[2], words[1:]) and not _is_own_rubbish(words, said) for words in commands
    )


def _is_own_rubbish(words: Sequence[str], said: str) -> bool:
    """Whether the words remove plain files below the directory at hand, none of which the request names."""
    return words[0] == "rm" and all(
        word == "-f" if word.startswith("-") else _PLAIN_FILE.fullmatch(word) and word.rpartition("/")[2] not in said
        for word in words[1:]
    )


def _is_deed(program: str, args: Sequence[str]) -> bool:
    return program in words("fleets") or sort_of_words(program, args) == "load" or is_change_in_being(program, args)


def is_change_in_being(program: str, args: Sequence[str]) -> bool:
    """Whether a command changes what is there, rather than make something new or edit a file."""
    program = "fsck" if program.startswith("fsck.") else program
    sort = sort_of_words(program, args)
    if sort != "edit":
        return sort in _GRAVE and sort != "load"
    if sorts("programs").get(program) == "query":
        return any(statement_in(word) for word in args)
    if program.lower() in words("requests") and any(_MONEY.search(word) for word in args if "/" in word):
        return True
    if program in sorts("programs") or program in words("in_place") or program in words("reads"):
        return program in words("in_being")
    return words("makes").isdisjoint(
        part for word in [program, *_operands(args)[:_FIRST]] for part in _PART.findall(word.lower())
    )


_MONEY = re.compile(r"(?i)/(?:payouts?|transfers?|refunds?|charges?|payments?|payment_intents|subscriptions?)\b")


@cache
def words_of_acts() -> frozenset[str]:
    """All parts of words that may tell an act."""
    tables = ("programs", "words", "options", "versions")
    known = (*(word for table in tables for word in sorts(table)), *words("managers"), *flags(), "fix", "write", "send")
    return frozenset(part for word in known for part in _PART.findall(word))


def sort_of_words(program: str, args: Sequence[str]) -> str:
    """The sort of act of a program and its arguments, by bounded work; empty if it changes nothing."""
    if _rehearses(program, args):
        return ""
    if program in words("reads"):
        if program == "find" and "-delete" in args:
            return "delete"
        return "edit" if not words("mends").isdisjoint(args) else ""
    if program.lower() in words("requests") and (found := _sort_of_request(args)) is not None:
        return found
    by_option = next((sorts("options")[word] for word in args if word in sorts("options")), "")
    if program in flags():
        return next((flags()[program][word] for word in args if word in flags()[program]), "")
    if program in words("in_place"):
        return "edit" if any(re.match(r"-[a-zA-Z]*i|--in-place", word) for word in args) else ""
    if program in words("repositories"):
        return "delete" if "--delete" in args else _sort_in_repository(args)
    if program.startswith("mkfs"):
        return "delete"
    if program.startswith("fsck."):
        return sort_of_words("fsck", args)
    if known := sorts("programs").get(program, ""):
        return _sort_of_statement(args) if known == "query" else by_option or known
    found = _sort_of_verbs([program, *_operands(args)][: _FIRST + 1])
    if program in words("managers") and found in _MANAGED and not words("publishes").intersection(args):
        return "install"
    return by_option if by_option and program not in _CONTAINERS else found


def is_rehearsal(program: str, args: Sequence[str]) -> bool:
    """Whether an option makes a command show what it would do. With a value, `--version` says which version to take;
    `ansible --diff` shows what it does."""
    found = words("rehearses").intersection(args)
    if "--version" in found and args[-1] != "--version":
        found -= {"--version"}
    return bool(found - {"--diff"} if program.startswith("ansible") else found)


def _rehearses(program: str, args: Sequence[str]) -> bool:
    if is_rehearsal(program, args) or program.lower() in words("of_session"):
        return True
    if program in ("kill", "pkill", "killall"):
        return not words("signals").isdisjoint(args)
    return program in words("rehearse_by_n") and any(_N_FLAG.fullmatch(word) for word in args)


def _sort_in_repository(args: Sequence[str]) -> str:
    operands = _operands(args)
    for place, word in enumerate(operands[:3]):
        if found := sorts("versions").get(word):
            return found if word != "branch" or {"-d", "-D", "--delete"}.intersection(args) else ""
        if not place and word in ("stash", "worktree", "tag", "remote"):
            continue
    return ""


def _sort_of_request(args: Sequence[str]) -> str | None:
    """The sort of a request to a service that writes; None if the words of its address tell it, or it only asks."""
    line = " ".join(args)[:_LONGEST_REQUEST]
    addresses = " ".join(word for word in args if "://" in word or "/" in word[:80])[:_LONGEST_REQUEST]
    if _ON_THIS_MACHINE.search(line) or _ASKS.search(addresses):
        return None
    return "edit" if _WRITES.search(line) and not _sort_of_verbs(_operands(args)[:_FIRST]) else None


def _sort_of_statement(args: Sequence[str]) -> str:
    for word in args:
        if (found := statement_in(word)) is not None:
            return found or "edit"
    return "edit" if any(word.startswith(("-f", "--file")) for word in args) else ""


def statement_in(text: str) -> str | None:
    """The sort of the statements in a text: empty if they only make something new, None if there are none."""
    run = _SAID.sub("", text)
    return next((sort for sort, pattern in _STATEMENTS if pattern.search(run)), None)


def statement_in_code(text: str) -> str:
    """The sort of the first change that code makes in a database; empty if it makes none."""
    found = _CODE.search(text)
    if not found or _IN_MEMORY.search(text):
        return ""
    word = next(filter(None, found.groups()))
    return "delete" if re.match(r"(?i)\W*(?:bulk_)?(?:delete|destroy|drop|truncate)", word) else "edit"


def _sort_of_verbs(given: Sequence[str]) -> str:
    for place, word in enumerate(given):
        lower = word.lower()
        if "=" in lower or lower.startswith(_beginnings_of_names()) or len(lower) > 40:
            continue
        if place and (lower in words("looks") or lower.partition("-")[0] in words("shows")):
            return ""
        after = given[place + 1].lower() if place + 1 < len(given) else ""
        if (pair := _pairs().get(f"{lower} {after}")) is not None:
            return pair
        for each in (lower, *_PART.findall(lower)[:3]):
            if each in sorts("words"):
                found = sorts("words")[each]
                return "" if found == "deploy" and _is_shown(given[place + 1 :]) else found
    return ""


def _is_shown(given: Iterable[str]) -> bool:
    """Whether words after a word like "release" show what has been released."""
    return any(word.partition("-")[0] in words("shows") for word in given)


@cache
def _beginnings_of_names() -> tuple[str, ...]:
    return tuple(words("beginnings_of_names"))


@cache
def _pairs() -> Mapping[str, str]:
    found: Mapping[str, str] = _loaded()["pairs"]
    return found


def _operands(args: Sequence[str]) -> list[str]:
    return [word for word in args if not word.startswith("-")]
