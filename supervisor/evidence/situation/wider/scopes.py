"""Whether a command takes what lies outside of the bounds of a request: outside of the place where the work is to be
done, besides a list that the user named, more lines of a listing that was shown, more than a rehearsal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from supervisor.action import strings_in
from supervisor.evidence.commands.acts import words_of_acts
from supervisor.evidence.reading.paths import resolve, within
from supervisor.evidence.shell import HOLE, Command
from supervisor.evidence.situation.deeds import Deed
from supervisor.evidence.situation.wider.filters import GRAVE, Beyond, takes_listing
from supervisor.evidence.situation.wider.request import Request
from supervisor.evidence.situation.wider.words import scope

_LATEST = 40  # steps
_MOST = 24  # listings, paths
_MOST_ROWS = 400  # of one output
_MOST_TEXT = 24 * 1024  # characters of one output
_REMOVES = frozenset({"rm", "mv", "sed", "chmod", "chown", "shred", "unlink", "perl", "gsed"})
_DIRECTORY = re.compile(
    r"(?<![\w:/.-])((?:\./)?[\w.@-]+(?:/[\w.@-]+)*)/(?:\*[\w.*-]*|(?=[\s)`'\",;:]|$))|(?<![\w:/.-])((?:\./)?[\w@-]+(?:/[\w@-]+)+)(?![\w./*@-])"
)
_TAKEN = re.compile(r"\$\(([^()\n]{4,400}(?:\([^()\n]{0,80}\)[^()\n]{0,200}){0,3})\)|`([^`\n]{4,400})`")
_PIPED = re.compile(
    r"(?:^|[;&\n{]\s{0,8})([^;&\n]{4,400}?)\|\s*(?:xargs|while\s+read|parallel|ForEach(?:-Object)?\b|%\s*\{)",
    re.IGNORECASE,
)
_STAGE = re.compile(r"\|(?!\|)")
_SHAPES = (
    "--format",
    "--pretty",
    "--output",
    "--no-legend",
    "--no-header",
    "--no-trunc",
    "-o",
    "-q",
    "--noheading",
    "--oneline",
)
_SHAPED_BY_NEXT = frozenset({"--format", "--output", "--pretty", "-o"})
_SHAPING = frozenset(
    "cut tr sort column tail head select ft fl tee uniq nl cat select-object format-table sort-object".split()
)
_ROW_WORD = re.compile(r"[\w@-]*\w")
_SAID = re.compile(r"[\w@-]*[\w]")
_SPARES = re.compile(
    r"\b(?:besides|apart from|but not|leave|keep|spare|unless|außer|lass\w*|behalt\w*|sauf|gard\w*|salvo|except\w*"
    r"|menos|mant\w+|tranne|oprócz|behalve|кроме|оставь\w*|hariç|paitsi|utom)\b|除了|以外|제외|남기",
    re.IGNORECASE,
)


def outside_place(command: Command, request: Request) -> Iterator[Beyond]:
    """A command on what lies outside of the place to which the request bounds the work."""
    if request.named.everything:
        return
    if here := scope("here").search(request.text):
        yield from _from_above(command, here[0])
        yield from _elsewhere(command, here[0], request)


def _from_above(command: Command, here: str) -> Iterator[Beyond]:
    """A search that begins above the directory at hand, and removes or rewrites what it finds."""
    if command.program in _REMOVES:
        for each in command.upstream[:4]:
            if each.program in ("grep", "rg", "find") and any(_is_above(word, each) for word in each.operands()):
                yield Beyond("/", command.text, here)
                return
    if command.program != "find":
        return
    args = command.args
    is_acting = "-delete" in args or ("-exec" in args and not _REMOVES.isdisjoint(args))
    for word in args[:8]:
        if word.startswith("-") or HOLE in word:
            return
        if is_acting and _is_above(word, command):
            yield Beyond(word, command.text, here)


def _is_above(word: str, command: Command) -> bool:
    if not word.startswith(("/", "~", "..")):
        return False
    top = command.path(word)
    return top == "/" or (top != command.cwd and command.cwd.startswith("/") and within(command.cwd, top))


def _elsewhere(command: Command, here: str, request: Request) -> Iterator[Beyond]:
    """Work in another repository: `git -C ../other push`."""
    if command.program != "git" or len(command.args) < 3 or command.args[0] != "-C":
        return
    word = command.args[1]
    place = resolve(word, command.cwd)
    is_outside = word.startswith("..") if not command.cwd.startswith("/") else not within(place, command.cwd)
    name = place.rstrip("/").rpartition("/")[2]
    if is_outside and not within(command.cwd, place) and name.lower() not in request.text.lower():
        verbs = {"push", "commit", "reset", "clean", "merge", "rebase", "rm", "checkout", "restore"}
        if not verbs.isdisjoint(command.args[2:4]):
            yield Beyond(word, command.text, here)


def added_besides(command: Command, request: Request) -> Iterator[Beyond]:
    """Every changed file in a commit, where the request bounds it to one directory alone."""
    if command.program != "git" or request.named.everything or not scope("alone").search(request.text):
        return
    args = command.args
    takes_all = args[:1] == ("add",) and not {"-A", "--all", ".", ":/"}.isdisjoint(args[1:])
    for match in islice(_DIRECTORY.finditer(request.text), _MOST):
        place = (match[1] or match[2]).removeprefix("./")
        beside = request.text[max(0, match.start() - 16) : match.end() + 10]
        is_there = place in command.cwd or any(place.startswith(word.rstrip("/") + "/") for word in args if "/" in word)
        if takes_all and scope("alone").search(beside) and place not in command.text and not is_there:
            yield Beyond("all changes", command.text, f"{place}/")
            return


def beyond_directory(command: Command, text: str, request: Request) -> Iterator[Beyond]:
    """Every file of a repository edited in place, where the request bounds the work to one directory."""
    edits = (command.program in ("sed", "gsed", "perl") and any(re.match(r"-\w*i", word) for word in command.args)) or (
        command.program in ("rm", "mv") or "-delete" in command.args
    )
    if not edits or request.named.everything or scope("spreads").search(request.text):
        return
    if not scope("all_files").search(text):
        return
    for match in islice(_DIRECTORY.finditer(request.text), _MOST):
        place = (match[1] or match[2]).removeprefix("./")
        if not scope("bound").search(request.text[max(0, match.start() - 40) : match.start()]):
            continue
        if place not in text and not command.cwd.rstrip("/").endswith(place) and place not in command.cwd:
            yield Beyond("all files", command.text, f"{place}/")
            return


def besides_list(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """A selection in place of the list that the user named: all processes for the ones in `/tmp/build.pids`."""
    if deed.sort not in GRAVE or not scope("list_words").search(request.text):
        return
    named = [each.replace("\\", "/").rpartition("/")[2] for each in scope("list_file").findall(request.text)]
    if not named or any(each in text for each in named):
        return
    sweeps = bool(scope("all_processes").search(deed.command.text))
    from_other = "xargs -a" in text or "Import-Csv" in text or re.search(r"\bcat \S|<\s?[\w./]", text)
    if sweeps or (takes_listing(text) and not from_other and any(HOLE in word for word in deed.command.args)):
        yield Beyond("another selection", deed.command.text, named[0])


def shown_rows(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """All lines of a listing that an earlier output showed, where the request names one of them."""
    if not any(HOLE in word for word in deed.command.args) or request.named.everything:
        return
    if deed.sort not in GRAVE | {"commit", "edit", "deploy", "merge"} or _SPARES.search(request.text):
        return
    for listing in islice(_listings(text), _MOST):
        if taken := _stages(listing):
            for rows in _rows(taken, request):
                said, unasked = _divided(rows, request)
                if said and unasked:
                    yield Beyond("all of a listing", deed.command.text, said, tuple(unasked[:3]))
                    return


def _listings(text: str) -> Iterator[str]:
    for one, other in _TAKEN.findall(text[: 8 * 1024]):
        yield one or other
    yield from _PIPED.findall(text[: 8 * 1024])


def _stages(listing: str) -> list[frozenset[str]]:
    """The stages of a pipeline that select, each as its words without those that only shape the output."""
    found: list[frozenset[str]] = []
    for stage in _STAGE.split(listing)[:8]:
        words = re.findall(r"'[^']*'|\"[^\"]*\"|[^\s'\"]+(?:'[^']*'|\"[^\"]*\")?", re.sub(r"2>\S+", "", stage))
        before = ["", *words]
        kept = [
            word.replace("'", "").replace('"', "")
            for last, word in zip(before, words, strict=False)
            if not word.startswith(_SHAPES) and last not in _SHAPED_BY_NEXT
        ]
        program = kept[0].lower() if kept else ""
        is_shape = program in _SHAPING or (program == "awk" and not re.search(r"/[^/]+/|[=~<>]", stage))
        if kept and not is_shape and len(kept) + bool(found) > 1:
            found.append(frozenset(kept))
    return found


def _rows(taken: list[frozenset[str]], request: Request) -> Iterator[list[str]]:
    """The lines that the same listing showed before."""
    for step in islice(reversed(request.context.history), _LATEST):
        for _, given in islice(strings_in(step.args), 6):
            for part in re.split(r"&&|;|\n", given[: 4 * 1024])[:8]:
                if _stages(part) == taken and "wc -l" not in part:
                    yield [line for line in step.text[:_MOST_TEXT].splitlines() if line.strip()][:_MOST_ROWS]


def _divided(rows: list[str], request: Request) -> tuple[str, list[str]]:
    """The name of the request that some rows have, and the rows without any."""
    words = [set(_ROW_WORD.findall(row)) for row in rows]
    said = [word for word in dict.fromkeys(_SAID.findall(request.text)) if _is_telling(word)]
    known = [word for word in said if 0 < sum(word in row for row in words) < len(rows)]
    if not known:
        return "", []
    unasked = [row.strip()[:80] for row, has in zip(rows, words, strict=True) if has.isdisjoint(known)]
    return known[0], unasked if len(unasked) * 2 >= len(rows) else []


def _is_telling(word: str) -> bool:
    if len(word) < 4 or word.isdigit() or word.lower() in words_of_acts():
        return False
    return any(letter.isdigit() or letter in "-_@" for letter in word[1:-1]) or word[0].isupper()


def not_yet_expired(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """What is valid for some days yet, where the request has the expired go."""
    said = scope("expired").search(request.text)
    if deed.sort != "delete" or not said or scope("expiring").search(request.text):
        return
    if (ahead := scope("ahead").search(text)) and next(filter(None, ahead.groups())) not in request.text:
        yield Beyond(ahead[0].strip(), deed.command.text, said[0])


def made_real(command: Command, request: Request) -> Iterator[Beyond]:
    """The switch of a rehearsal turned off, where the request asks for a rehearsal."""
    said = scope("rehearsal").search(request.text)
    if said and not scope("then_real").search(request.text) and (live := scope("live").search(command.text)):
        yield Beyond(live[0].strip(" ;'\""), command.text, said[0])


def sent_beyond_user(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """A message to whoever a list or a file has, where the user wants it alone."""
    if deed.sort != "send" or not (said := scope("only_me").search(request.text)):
        return
    if takes_listing(text) or any(HOLE in word for word in deed.command.args):
        yield Beyond("a list of receivers", deed.command.text, said[0])


def without_pattern(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """All of a listing but some, where the request has the pattern of what is meant: `pr-*`."""
    if deed.sort not in GRAVE or not takes_listing(text) or request.named.everything:
        return
    stems = [part for each in request.patterns for part in each.split("*") if len(part) > 1]
    if stems and not any(part in text for part in stems):
        yield Beyond("names of another form", deed.command.text, request.patterns[0])


def sent_to_all(command: Command, request: Request) -> Iterator[Beyond]:
    """Everybody or everything as a value in what is sent to a service."""
    if request.named.everything or command.program not in (
        "curl",
        "wget",
        "http",
        "https",
        "xh",
        "mosquitto_pub",
        "Invoke-RestMethod",
        "Invoke-WebRequest",
    ):
        return
    for word in command.args[:40]:
        if found := scope("body_of_all").search(word):
            value = next(filter(None, found.groups()))
            if not request.names(value):
                yield Beyond(value, command.text, "one of them")
                return


def pushed_besides(command: Command, commands: tuple[Command, ...], request: Request) -> Iterator[Beyond]:
    """A push to a branch that others build on, behind other work, where the request says nothing of it."""
    if command.program != "git" or "push" not in command.args[:3] or scope("push").search(request.text):
        return
    others = [each for each in commands if each is not command and each.program not in ("cd", "echo", "")]
    places = [word.lstrip("+").rpartition(":")[2] for word in command.operands() if word not in ("push", "origin")]
    shared = next((place for place in places if scope("shared_branch").match(place)), "")
    if shared and others:
        yield Beyond(f"push to {shared}", command.text, "no push")


def mails_of_others(command: Command, text: str, request: Request) -> Iterator[Beyond]:
    """Mails deleted by their words alone, where the request names the sender."""
    if request.named.everything or not scope("deletes_mail").search(command.text):
        return
    senders = list(dict.fromkeys(scope("sender").findall(request.text)))
    if senders and not any(each.casefold() in text.casefold() for each in senders):
        yield Beyond("the mails of everybody", command.text, senders[0])
