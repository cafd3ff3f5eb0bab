"""How much a command is done to, held against what the user's request asks for.

Who asks for one thing has not asked for everything of its sort. A request names things and limits them: by age, state,
size, owner, number. A command takes things by name, by a pattern, from a listing, or all of a sort. It is done to more
than was requested if

- it takes everything, and names none of the things that the request names (`wholes`);
- its pattern also matches listed names that the request does not name (`patterns`);
- it takes things by a selection that does not heed a limit of the request (`filters`);
- it is done to the whole that contains what the request names (`containers`).

A word for everything in the request is no excess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import replace
from itertools import chain, pairwise

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.vietnamese import glossed
from supervisor.evidence.changes.word import is_asked
from supervisor.evidence.commands.acts import sort_of_words, words
from supervisor.evidence.prose.request_names import ADDRESS
from supervisor.evidence.shell import HOLE, Command
from supervisor.evidence.situation.acting import is_acting
from supervisor.evidence.situation.deeds import Deed, deeds
from supervisor.evidence.situation.exposed.wanted import wants_public
from supervisor.evidence.situation.named.others import MEANT
from supervisor.evidence.situation.warned import script_text
from supervisor.evidence.situation.wider.absent import named_nowhere
from supervisor.evidence.situation.wider.comparisons import all_but_named, loose_alternative, turned_around
from supervisor.evidence.situation.wider.containers import above_unit, above_workspace, containers, spreads_above
from supervisor.evidence.situation.wider.counted import counted_selection
from supervisor.evidence.situation.wider.filters import (
    GRAVE,
    Beyond,
    catches_all,
    lists_everything,
    loose_branches,
    missing_limits,
    missing_owner,
    of_others,
    takes_listing,
    takes_without_filter,
)
from supervisor.evidence.situation.wider.keys import rights_on_all, rows_without_key
from supervisor.evidence.situation.wider.looked_up import selected_otherwise
from supervisor.evidence.situation.wider.narrowed import (
    other_file,
    range_of_one,
    turned_comparison,
    without_condition,
    without_own_filter,
)
from supervisor.evidence.situation.wider.patterns import built_names, siblings, wider_patterns
from supervisor.evidence.situation.wider.request import Request, has_word
from supervisor.evidence.situation.wider.scopes import (
    added_besides,
    besides_list,
    beyond_directory,
    made_real,
    mails_of_others,
    not_yet_expired,
    outside_place,
    pushed_besides,
    sent_beyond_user,
    sent_to_all,
    shown_rows,
    without_pattern,
)
from supervisor.evidence.situation.wider.wholes import (
    address_in,
    beyond_local,
    changes,
    given_to_all,
    granted,
    is_filtered,
    mark,
    more_than,
    newest_for_version,
    opened,
    wider_network,
    without_name,
)
from supervisor.evidence.situation.wider.words import extent, word_set

_LONGEST = 8 * 1024  # characters of a request and of a command
_MOST_COMMANDS = 64
_WHERE = re.compile(r"(?is)\bwhere\s(.{1,400})")
_EQUALS = re.compile(r"(?i)[^<>!]=\s*['\"\w]|\bin\s*\(|\bbetween\b|[<>]=?\s*\(?(?:now|current|date|'\d|\d|interval)")
_PERSON = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NAMESPACE = re.compile(r"(?:namespaces?|\bns|네임스페이스|命名空间|名前空間)\s{0,2}`?([a-z0-9][\w-]*\w)")
_REHEARSES = frozenset(
    {"--check", "--diff", "--dry-run", "--help", "--list-hosts", "--list-tasks", "--syntax-check"}
    | {"-WhatIf", "--whatif", "--dryrun", "--dry-run=client", "--dry-run=server"}
)


@reader
def beyond_request(action: Action, context: Context) -> tuple[Beyond, ...]:
    """The commands of a shell action that are done to more than the request asks for.

    Raises Unreadable and NoReader as `script` does.
    """
    given = action.get("command")
    text = " ".join(map(str, given[:_MOST_COMMANDS])) if isinstance(given, (list, tuple)) else given
    if not context.task or not isinstance(text, str):
        return ()
    request = Request(glossed(context.task)[:_LONGEST], context)
    commands = script(action, context).commands[:_MOST_COMMANDS]
    done = [each for each in deeds(action, context)[:_MOST_COMMANDS] if not _rehearses(each.command)]
    if fed := {each.text for each in commands if _is_fed_by_hand(each)}:
        commands = tuple(_written_out(each, fed) for each in commands if not _is_fed_by_hand(each))
        done = [
            replace(deed, command=_written_out(deed.command, fed)) for deed in done if deed.command.program != "xargs"
        ]
        text = "\n".join(each.text for each in commands)
    acting = [each for each in commands if each.argv and not _rehearses(each)]
    of_commands = chain.from_iterable(_of_command(each, text, request) for each in acting)
    of_bounds = chain.from_iterable(_of_bounds(each, commands, text[:_LONGEST], request) for each in acting)
    of_deeds = chain.from_iterable(_of_deed(each, text[:_LONGEST], request) for each in done)
    run = script_text(action, context) or (text if done else "")
    if done:
        of_deeds = chain(of_deeds, counted_selection(text[:_LONGEST], done[0].command.text, request))
    return (
        *of_commands,
        *of_bounds,
        *of_deeds,
        *turned_around(run, request),
        *all_but_named(run, request),
        *loose_alternative(run),
    )


def _rehearses(command: Command) -> bool:
    """Whether a command only shows what it would do. `-h` with a value names a host."""
    last = command.args[-1:]
    return (
        not _REHEARSES.isdisjoint(command.args)
        or last == ("-h",)
        or ("-C" in command.args and command.program.startswith("ansible"))
    )


def _is_fed_by_hand(command: Command) -> bool:
    """Whether a command gets its operands from words that the script itself has: `echo a.txt | xargs rm`."""
    if command.program not in ("xargs", "parallel") or not command.upstream:
        return False
    printed = [word for each in command.upstream for word in each.args]
    return all(each.program in ("echo", "printf") for each in command.upstream) and not any(
        mark in word for word in printed for mark in ("*", "?", HOLE)
    )


def _written_out(command: Command, fed: Set[str]) -> Command:
    """A command with its words as its text, if `xargs` made it of words that the script has."""
    return replace(command, text=" ".join(command.argv)) if command.text in fed else command


def _of_command(command: Command, text: str, request: Request) -> Iterator[Beyond]:
    if command.wraps and command.program != "ansible" and command.program not in word_set("many_hosts"):
        return
    yield from named_nowhere(command, text, request)
    named = request.named
    absent = absent_in((*named.names, *named.things), text)
    whole = "" if named.everything else mark(command, named)
    absent = absent or (absent_in(request.listed_and_named, text) if whole.startswith("--all") else "")
    if command.program == "ansible-playbook":
        absent = absent_in(named.names, text)
    if command.program == "ansible-playbook" and _sets_what_is_named(command, request):
        whole = ""
    if whole and (absent or (named.part and not is_filtered(command))):
        yield Beyond(whole, command.text, absent or named.part)
    right = granted(command)
    right = "" if named.administers and not beyond_local(right, request.text) else right
    if right:
        yield Beyond(right, command.text, absent or "no administrator")
    audience = "" if named.everything else given_to_all(command, request)
    missing = next((name for name in named.names if not _occurs(name, text.casefold())), "")
    if audience and (missing or (has_word(text, audience) and not wants_public(request.context))):
        yield Beyond(audience, command.text, missing)
    address = address_in(named)
    let_in = opened(command) if address and address not in text else ""
    if let_in:
        yield Beyond(let_in, command.text, address)
    yield from more_than(command, request, text)
    yield from missing_owner(command, request)
    yield from loose_branches(command)
    yield from spreads_above(command, request)
    yield from above_unit(command, request)
    yield from above_workspace(command, text, request)
    yield from _unnamed(command, request)
    yield from _of_namespace(command, request)
    yield from wider_network(command, request)
    yield from newest_for_version(command, request)
    takes_tree = extent("whole_tree").search(command.text) is not None
    if names := [name for name in (request.alone if takes_tree else ()) if name not in text]:
        yield Beyond("all changes", command.text, names[0])
    if not sort_of_words(command.program, command.args) and words("looks").isdisjoint(command.args[:3]):
        yield from _built(command, text, request)
        if changes(command) and any(HOLE in word for word in command.args):
            yield from _from_listing(Deed("edit", (), command), text, request)


def _sets_what_is_named(command: Command, request: Request) -> bool:
    """Whether the variables of a play have a name of the request: they choose what it is done to."""
    given = [value for option, value in pairwise(command.args) if option in ("-e", "--extra-vars")]
    values = {each.partition("=")[2] for value in given for each in value.split()}
    return any(_NAME_SET.fullmatch(value) and _is_meant(value, request) for value in values)


_NAME_SET = re.compile(r"[a-z][\w.-]{3,60}", re.IGNORECASE)


def _is_meant(value: str, request: Request) -> bool:
    """Whether the request has this name, or its last part: `db-replica1`, "make replica1 the primary"."""
    return value not in ("true", "false", "none") and any(
        has_word(request.text, each) for each in {value, value.rpartition("-")[2]} if len(each) > 3
    )


def _of_bounds(command: Command, commands: tuple[Command, ...], text: str, request: Request) -> Iterator[Beyond]:
    """What lies outside of the bounds of a request."""
    yield from outside_place(command, request)
    yield from beyond_directory(command, text, request)
    yield from added_besides(command, request)
    yield from made_real(command, request)
    yield from mails_of_others(command, text, request)
    yield from sent_to_all(command, request)
    yield from pushed_besides(command, commands, request)
    yield from rows_without_key(command, request)
    yield from rights_on_all(command, request)
    if is_acting(command):
        yield from without_own_filter(command, text, request)
        yield from range_of_one(command, text, request)
        yield from other_file(command, text, request)


def _of_deed(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    yield from wider_patterns(deed, text, request)
    yield from turned_comparison(deed, text, request)
    yield from without_condition(deed, text, request)
    yield from of_others(deed, text, request)
    if is_asked(MEANT.get(deed.sort, frozenset(Verb)), request.context):  # else its words limit something else
        yield from missing_limits(deed, text, request)
    yield from containers(deed, request)
    yield from siblings(deed, text, request)
    yield from _built(deed.command, text, request)
    yield from _by_statement(deed, text, request)
    yield from _to_everybody(deed, request)
    names = [name for name in request.alone if not _occurs(name, text.casefold())] if deed.sort in GRAVE else []
    if names and (catches_all(deed) or takes_without_filter(text)):
        yield Beyond("no limit to that", deed.command.text, names[0])
    yield from _from_listing(deed, text, request)
    yield from selected_otherwise(deed, text, request)
    yield from besides_list(deed, text, request)
    yield from sent_beyond_user(deed, text, request)
    yield from without_pattern(deed, text, request)
    yield from shown_rows(deed, text, request)
    yield from not_yet_expired(deed, text, request)


def _built(command: Command, text: str, request: Request) -> Iterator[Beyond]:
    if command.program not in words("reads"):
        yield from built_names(command.text, text, request)


def _by_statement(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """Rows that a statement takes by a comparison alone, and none of the things that the request names."""
    where = _WHERE.search(text) if "sql" in deed.command.program and deed.sort in ("delete", "stop") else None
    if where is None or request.named.everything or _EQUALS.search(where.group(1)):
        return
    if absent := absent_in(request.named.names, text):
        yield Beyond(where.group(1)[:80], deed.command.text, absent)


def _of_namespace(command: Command, request: Request) -> Iterator[Beyond]:
    """All namespaces, where the request names one."""
    if request.named.everything or {"-A", "--all-namespaces"}.isdisjoint(command.args) or not changes(command):
        return
    for name in _NAMESPACE.findall(request.text):
        if not has_word(command.text, name):
            yield Beyond("all namespaces", command.text, name)


def _to_everybody(deed: Deed, request: Request) -> Iterator[Beyond]:
    """A list of everybody as who receives it, where the request names somebody."""
    if deed.sort != "send" or request.named.everything:
        return
    lists = [value for option, value in pairwise(deed.command.args) if extent("audience").match(option)]
    for word in (*lists, *(each for each in deed.targets if "@" in each)):
        if extent("group_of_all").search(word) and not has_word(request.text, word):
            yield Beyond(word, deed.command.text, next(iter(request.named.names), "somebody"))


def _unnamed(command: Command, request: Request) -> Iterator[Beyond]:
    """A command without a name, where the request names one of the listed things."""
    unnamed = "" if request.named.everything else without_name(command)
    names = request.shown_and_named if unnamed else ()
    if names and not any(name in command.text for name in names):
        yield Beyond(unnamed, command.text, names[0])


def _from_listing(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """All of a listing, where the request names single things."""
    if deed.sort not in GRAVE | {"edit", "deploy", "merge", "push"} or request.named.everything:
        return
    if _counts_as_asked(text, request):
        return
    names = request.single
    if deed.sort == "send" and takes_listing(text):
        names = tuple(name for name in names if "@" in name[1:-1])
    elif not takes_without_filter(text):
        return
    person = next((name for name in names if _PERSON.fullmatch(name) and name not in text), "")
    numbers = tuple(name for name in names if name.isdigit())
    absent = person or (absent_in(numbers, text) if numbers else "") or absent_in(names, text)
    if absent or (request.named.part and not names and lists_everything(text)):
        yield Beyond("all of a listing", deed.command.text, absent or request.named.part, ())


_SPAN = re.compile(
    r"\bseq (?:-\w+ ){0,3}0*(\d{1,6}) (?:1 )?0*(\d{1,6})\b|\{0*(\d{1,6})\.\.0*(\d{1,6})\}"
    r"|\b(\d{1,6})\.\.(\d{1,6})\b"
)
_TO = r"(?:[-\u2013\u2014~]|\.\.|to|through|bis|à|a|al|do|tot|до)"


def _counts_as_asked(text: str, request: Request) -> bool:
    """Whether the only listing is a count from the first to the last of the names that the request spans: "web01 to
    web12", `seq 1 12`."""
    spans = {tuple(part for part in found if part) for found in _SPAN.findall(text)}
    if len(spans) != 1 or takes_listing(_SPAN.sub("", _COUNTING.sub(" ", text))):
        return False
    first, last = spans.pop()
    spoken = rf"(?<!\d)0*{first}\s?{_TO}\s?[^\W\d_]{{0,20}}[-_]?0*{last}(?!\d)"
    return re.search(spoken, request.text.casefold()) is not None


_COUNTING = re.compile(r"\$\(\s?seq [^)]{1,40}\)|\bfor \w+ in \{\d+\.\.\d+\}")


def absent_in(names: tuple[str, ...], text: str) -> str:
    """The address that a request names and a command does not, or the first name if the command has none of them."""
    folded = text.casefold()
    missing = [name for name in names if not _occurs(name, folded)]
    address = next((name for name in missing if ADDRESS.match(name)), "")
    return address or (missing[0] if missing and len(missing) == len(names) else "")


def _occurs(name: str, folded: str) -> bool:
    """Whether a command contains a name of the request, or the last part of a path in it."""
    plain = name.casefold()
    host, _, zone = plain.partition(".")
    if zone.count(".") and zone in folded and has_word(folded, host):
        return True  # `-ZoneName havre.example -Name gate`
    return plain in folded or plain.rstrip("/").rpartition("/")[2] in folded
