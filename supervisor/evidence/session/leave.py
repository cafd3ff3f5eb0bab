"""Whether a question to a person only asks for leave to go on with what the task requests.

A question has a reason if it offers a choice, asks for something that is missing, tells of something that stands
against going on, or asks about an act that the task does not name and that binds, costs, exposes or cannot be undone.
Without any of that, it asks for leave. When in doubt it has a reason: a question too many costs a minute, one too few
may cost more.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from supervisor.action import Action
from supervisor.evidence.changes.clauses import fold, verbs_at, words_of
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.prose.wording import shares_run, stems
from supervisor.evidence.reading.tables import table_beside

MOST_READ = 4_000  # characters; a longer text is a report, not a bare question
_MOST_OPTIONS = 8
_LEAST_COUNT, _LONGEST_COUNT = 100, 12  # digits of the latter
_MOST_OBJECTS = 200  # of a proposal
_TEXTS = ("question", "text", "message", "prompt", "query", "title")
_OPTIONS = ("options", "follow_up", "choices", "suggestions", "answers", "suggest")
_LABELS = ("label", "value", "text", "title", "answer", "name")
_ENDS = ".!?\u3002\uff01\uff1f"
_SENTENCE = re.compile(rf"[^{_ENDS}\n]*[{_ENDS}]+[\"'*_`)\u00bb\u201d]*|[^{_ENDS}\n]+")
# Of a number, a file's name or an abbreviation: it ends no sentence.
_POINT = re.compile(r"(?<=\w)[.](?=\w)|(?<=\b(?:mr|ms|dr|st|ca|nr|no|vs))[.]|(?<=\b(?:mrs|etc))[.]|(?<=\bprof)[.]")
_MARKS = " \t\n*_`>)(\"'\u00ab\u00bb\u201e\u201c\u201d\u00bf-"
_LETTERS, _LEAST_SAID = re.compile(r"\w{4,}|[^\W\x00-\u2fff]{2}"), 2  # words that say what a question is about
_STEM = 5  # letters: enough to match `ordering` with `order`
_STEM_OF_SIGN = 4  # letters: `prod` and `production` are one
_CODE = re.compile(r"`[^`\n]*`")
_ANNOUNCED = re.compile(r"(?:please )?let me know (?:if|whether)\b")  # a question without its mark
_NUMBER, _CENTS, _GROUPS = re.compile(r"\d[\d.,]*"), re.compile(r"[.,]\d{1,2}$|[.,]+$"), re.compile(r"[.,]")
# What reaches others or cannot be undone: asked about in vain only where the task names it.
_WEIGHTY = frozenset(
    {
        *(Verb.DELETE, Verb.STOP, Verb.RESTART, Verb.DEPLOY, Verb.PUSH, Verb.PUBLISH, Verb.SEND, Verb.SHARE),
        *(Verb.GRANT, Verb.REVOKE, Verb.ROTATE, Verb.RESET, Verb.FORMAT, Verb.CLOSE, Verb.MERGE),
    }
)


class Asked(NamedTuple):
    """What a person is asked: the text, and the answers that are offered."""

    text: str
    options: tuple[str, ...]


def asked(action: Action) -> Asked:
    """The question of an action, in the form of any host: a text, or a list of questions with options."""
    given = action.get("question")
    plain = [each for each in (given if isinstance(given, (list, tuple)) else [given]) if isinstance(each, str)]
    texts = plain or [_text_of(each) for each in _mappings(given)]
    options = [option for each in _mappings(action.args) for option in _options_of(each)]
    return Asked("\n".join(filter(None, texts)), tuple(options))


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    """The objects within a value, the outer ones first, without recursion: a proposal may be nested deeply."""
    waiting, seen = deque([value]), 0
    while waiting and seen < _MOST_OBJECTS:
        node = waiting.popleft()
        seen += 1
        if isinstance(node, Mapping):
            yield node
        held = node.values() if isinstance(node, Mapping) else node if isinstance(node, (list, tuple)) else ()
        waiting.extend(islice(held, _MOST_OBJECTS))


def _text_of(question: Mapping[str, Any]) -> str:
    return next((question[name] for name in _TEXTS if isinstance(question.get(name), str)), "")


def needless(question: Asked, task: str, shown: str = "") -> str:
    """The sentence that asks for nothing but leave to go on; empty if the question has a reason, or if it or the task
    is too long to tell. `shown` are the latest outputs."""
    if not question.text or len(question.text) > MOST_READ or len(task) > MOST_READ:
        return ""
    text, wanted = fold(question.text), fold(task)
    sentences: list[str] = [
        each.strip(_MARKS) for each in _SENTENCE.findall(_POINT.sub("\u2024", text)) if each.strip(_MARKS)
    ]
    questions = [each for each in sentences if each.rstrip(_MARKS).endswith(("?", "\uff1f")) or _ANNOUNCED.match(each)]
    if not questions or not all(map(_asks_leave, questions)) or not _offers_leave(question.options):
        return ""
    if _phrase("wants").search(_phrase("unasked").sub(" ", wanted)):
        return ""
    if _against(_CODE.sub(" ", text)) - _against(wanted):
        return ""
    act = " ".join(map(_without_stop, questions))
    if not _says_something(act):
        if _phrase("looks").match(wanted):
            return ""
        act = " ".join([*map(_without_stop, sentences), wanted])
    if _weight(act) and _phrase("expected").search(wanted) and not _numbers(wanted) & _numbers(f"{text} {shown}"):
        return ""
    if _weight(act) and _counts(text) - _counts(wanted):
        return ""
    if _is_weighty(act, wanted, fold(shown[-MOST_READ:])) or not _is_within(_amounts(text), wanted):
        return ""
    return questions[-1].replace("\u2024", ".")


def _against(text: str) -> set[str]:
    """The words of a folded text by which something stands against going on."""
    return {found[0][:_STEM_OF_SIGN] for found in _phrase("against").finditer(text)}


def _without_stop(sentence: str) -> str:
    """A question without what stands behind "or": that the agent may stop."""
    return _phrase("or").split(sentence)[0] if sentence.endswith(("?", "\uff1f")) else sentence


def _says_something(act: str) -> bool:
    """Whether a question says what it is about, and not only "shall I go on?": that means the text before it, or the
    task."""
    return len(_LETTERS.findall(_phrase("going").sub(" ", _phrase("leave").sub(" ", act)))) >= _LEAST_SAID


def _is_weighty(act: str, wanted: str, shown: str) -> bool:
    """Whether a question is about an act that binds, costs, exposes or cannot be undone, and that the task does not
    request, or only prepares, or that the last output speaks against."""
    weight = _weight(act)
    if not weight:
        return False
    if _phrase("prepared").search(wanted) or _against(shown) - _against(wanted):
        return True
    is_requested = weight <= _weight(wanted) and _names_something_of(act, wanted)
    return not is_requested and not _phrase("settled").search(act)


def _names_something_of(act: str, wanted: str) -> bool:
    """Whether the task has one of the things that a question names, if it names any."""
    rest = _phrase("grave").sub(" ", _phrase("going").sub(" ", _phrase("leave").sub(" ", act)))
    named = stems(" ".join(word for _, word in words_of(rest) if not verbs_at(word, [(0, word)])))
    return not named or any(each in wanted for each in named) or shares_run(rest, wanted)


def _is_within(amounts: set[float], wanted: str) -> bool:
    """Whether the task has these amounts of money, or a bound above them."""
    known = _amounts(wanted)
    more = amounts - known
    return not more or (bool(known) and _phrase("bound").search(wanted) is not None and max(more) <= max(known))


def _options_of(given: Mapping[str, Any]) -> Iterator[str]:
    for name in _OPTIONS:
        offered = given.get(name)
        for each in offered if isinstance(offered, (list, tuple)) else ():
            if isinstance(each, str):
                yield each
            elif isinstance(each, Mapping):
                yield next((each[label] for label in _LABELS if isinstance(each.get(label), str)), "")


def _asks_leave(sentence: str) -> bool:
    """Whether a folded sentence asks for leave alone. To stop is no alternative to going on."""
    if not _phrase("leave").search(sentence) or _phrase("choice").search(sentence):
        return False
    return all(_phrase("stops").match(sentence[each.end() :]) for each in _phrase("or").finditer(sentence))


def _offers_leave(options: tuple[str, ...]) -> bool:
    """Whether the answers are one way to go on, and others that mean no."""
    if len(options) > _MOST_OPTIONS:
        return False
    return not options or sum(not _phrase("declines").match(fold(each)) for each in options) <= 1


def _weight(text: str) -> set[str]:
    """The weighty acts that a folded text names."""
    text = _phrase("going").sub(" ", text)
    acts = {verb.value for verb in verbs_at(text, words_of(text)) if verb in _WEIGHTY}
    return acts | {found[0][:_STEM] for found in _phrase("grave").finditer(text)}


def _amounts(text: str) -> set[float]:
    """The amounts of money in a folded text, in whole units."""
    written = (_NUMBER.search(found[0]) for found in _phrase("amount").finditer(text))
    return {float(_GROUPS.sub("", _CENTS.sub("", number[0]))) for number in written if number}


def _counts(text: str) -> set[int]:
    """The large numbers in a text that are no amounts of money: how much an act takes."""
    plain = (_GROUPS.sub("", found) for found in _NUMBER.findall(_phrase("amount").sub(" ", text)))
    return {int(each) for each in plain if len(each) <= _LONGEST_COUNT and int(each) >= _LEAST_COUNT}


def _numbers(text: str) -> set[str]:
    """The numbers in a text, without separators."""
    return {_GROUPS.sub("", found) for found in _NUMBER.findall(text)}


@cache
def _phrase(name: str) -> re.Pattern[str]:
    given = table_beside(__file__, "leave.yaml")[name]
    return re.compile("|".join(f"(?:{each})" for each in ([given] if isinstance(given, str) else given)))
