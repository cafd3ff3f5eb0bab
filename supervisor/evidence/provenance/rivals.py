"""Values of an action that only a sentence in what was read states, while the user or a record holds another one.

The invoice has an account, and a comment says that payments now go to a different one; the agent pays, as it was asked,
to the second. Roles and sorts of values tell that two values are of the same thing; no word of the sentence matters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.prose.passages import fold, holds, holds_number, is_numeric
from supervisor.evidence.prose.vocabulary import plain
from supervisor.evidence.prose.wording import names_in, spaced, stems
from supervisor.evidence.provenance import provenance
from supervisor.evidence.provenance.fields import Field, Record, records
from supervisor.evidence.provenance.intents import CHANGE, CREATE, PAY, READ, STORE, intents_in
from supervisor.evidence.provenance.origins import Value
from supervisor.evidence.provenance.place_words import CONTENT, says
from supervisor.evidence.provenance.spellings import SpelledValue
from supervisor.evidence.provenance.spellings import values_of as spelt_values_of
from supervisor.evidence.provenance.stated import stated_values
from supervisor.evidence.provenance.wishes import Asked, WishOutline, wish_outline

# Sorts of values that show by their form what they are, so that a record's field of another name may hold a rival.
_TELLING = frozenset({"account", "mail", "phone"})
_RIVALLED = _TELLING | {"code", "date", "number", "name", "url", "host"}
# Words of names that say nothing of the role: every record has an id, a number and a name.
_PLAIN = frozenset("id no nr number name new the of my key value type title text code subject".split())
# Names for the one account that money goes to.
_ACCOUNT = frozenset(
    "iban account acct accountnumber bank konto kontonummer compte rib cuenta clabe conta conto rekening számla hesap "
    "rekeningnummer bankszámla rachunek účet cont akaunti paybill till счёт счет рахунок 账号 账户 口座 계좌".split()
)
_MOST_RIVALS = 3  # more of them are a list, and none is the one
_TOLD = _TELLING | {"url", "host"}
_SHORTEST_ROLE = 5  # letters of a word in a field's name
_SHORTEST = 3  # characters of a field that may tell whose record it is
_SHORTEST_NAME = 3  # letters of a name in an address
_LONGEST_SPEAKER = 3  # words
_LONGEST_TURN = 5  # sentences
_CENTS = 2  # figures behind the mark of an amount; three are thousands
_LONGEST_NAME = 60  # characters
_STEM = 5  # letters of a word that may have an ending in the task
_KEEPING = frozenset({STORE, CREATE})
_NAMED = frozenset({"code", "name", "url", "host"})
_DECIMALS = re.compile(r"\d[.,]\d{1,2}\b")


class Rival(NamedTuple):
    """A value that an action takes from a sentence, and the one that it takes the place of.

    `step` is the step whose output states `value` in `quote`. `holder` is the step whose record holds `held`; None if
    the user named it.
    """

    value: Value
    step: int
    quote: str
    held: str
    holder: int | None


@reader
def rivals(action: Action, context: Context) -> tuple[Rival, ...]:
    """The values of the action that a sentence put in the place of the user's or a record's.

    None where the user left the act to some text, or asked for a change: then the record's value is the former one.
    Raises Unreadable as `provenance` does.
    """
    outline = wish_outline(action, context)
    if outline.delegated or outline.runs or outline.edits or outline.intents == {READ}:
        return ()
    if _is_asked_change(outline, context):
        return ()
    stated = [each for each in stated_values(action, context) if _is_argument(each[0]) or _is_told(each[0])]
    if not stated:
        return ()
    situation = _Situation(action, context)
    return tuple(rival for value, spelt in stated for rival in situation.rivals_of(value, spelt))


def _is_asked_change(outline: WishOutline, context: Context) -> bool:
    """Whether the action changes a record as the user asked, so that its value has to be another one."""
    if CHANGE in outline.intents:
        return outline.asked is not Asked.NO
    return bool(outline.intents & _KEEPING) and CHANGE in intents_in(context.task or "")


def _is_argument(value: Value) -> bool:
    return value.whole and value.sort in _RIVALLED and value.place not in CONTENT


def _is_told(value: Value) -> bool:
    """Whether a value is inside a text that the action sends: an address or a number that its reader will use."""
    return not value.whole and value.place in CONTENT and value.sort in _TOLD


class _Situation:
    """What tells whether two values are of the same thing."""

    def __init__(self, action: Action, context: Context) -> None:
        self._action = action
        self._context = context
        self._origins = provenance(action, context)
        self._records = records(context)
        self._used = {fold(text) for text in _texts(action.args)}
        self._names = names_in(context.task or "")
        self._pays = PAY in wish_outline(action, context).intents
        self._squeezed_task = self._origins.task.replace(" ", "")
        self._mentioned: dict[str, bool] = {}
        self._sizes = Counter(record.step for record in self._records)

    @cached_property
    def _served(self) -> set[str]:
        """The values of earlier calls of the same tool."""
        calls = (step for step in self._context.history if step.tool == self._action.tool)
        return {fold(text) for step in calls for text in _texts(step.args)}

    def rivals_of(self, value: Value, spelt: SpelledValue) -> Iterator[Rival]:
        passage = self._origins.sources.passages[value.passages[0]]
        if self._is_of_another(value, passage.folded):
            return
        speaker = self._speaker(value.passages[0])
        held = [
            (record.step, field)
            for record in self._records
            if self._pays
            or not any(field.text == speaker for field in record.fields)  # a party speaks of its own record
            for field in self._rivalling(record, value, passage.step)
        ]
        distinct = {field.text: (step, field) for step, field in held}
        if 0 < len(distinct) <= _MOST_RIVALS:
            step, field = next(iter(distinct.values()))
            yield Rival(value, passage.step, passage.text.strip(), field.written, step)
        elif (named := self._named_by_user(value)) is not None:
            yield Rival(value, passage.step, passage.text.strip(), named, None)

    def _rivalling(self, record: Record, value: Value, stated_in: int) -> list[Field]:
        """The fields of a record that hold another value of the same role, if it is the record of the same thing."""
        if _is_told(value):
            return [field for field in record.fields if self._is_told_instead(field, value)]
        found = [field for field in record.fields if self._is_rival(field, value)]
        if not found or not self._is_of_this(record, found):
            return []
        if record.step != stated_in and self._points_at(stated_in):
            return []
        if value.sort == "date" and self._is_correspondence(stated_in):
            return []
        said = self._origins.sources.passages[value.passages[0]].folded
        is_named = value.sort in _NAMED and not _is_telling(value.sort, value.text)
        return [
            field
            for field in found
            if field.text not in self._served  # else this act is for somebody else
            and not self._is_its_sender(field, stated_in)
            and not (is_named and self._tells_of(record, field, said, stated_in))
        ]

    def _is_rival(self, field: Field, value: Value) -> bool:
        if field.text == fold(value.text) or field.text in self._used:
            return False
        sort = field.sort
        if value.sort in _TELLING:
            return sort == value.sort or (sort == "code" and _shares_role(field.name, value.place))
        if value.sort == "number" or sort == "number":
            if value.sort != sort or (self._pays and _number(value.text) <= _number(field.written)):
                return False  # less money is no rider's gain
            return _shares_role(field.name, value.place) or (self._pays and bool(_DECIMALS.search(field.written)))
        if value.sort == "date":  # a stamp with a time says when a record was made
            return sort == "date" and (":" in field.written) == (":" in value.text)
        return (sort == value.sort or value.sort == "name") and _shares_role(field.name, value.place)

    def _is_told_instead(self, field: Field, value: Value) -> bool:
        """Whether a field holds another value of the sort that a sent text tells, the task and the sentence both name
        the field, and the text does not tell the field's value."""
        if field.sort != value.sort or any(field.text in text for text in self._used):
            return False
        said, task = plain(self._origins.sources.passages[value.passages[0]].text), plain(self._context.task or "")
        role = (word for word in plain(field.name).split() if len(word) >= _SHORTEST_ROLE)
        return any(word in said and word in task for word in role)

    def _is_of_this(self, record: Record, rivals: Sequence[Field]) -> bool:
        """Whether a record is about the thing that the action is done to: they share a value, or the task names it."""
        others = [field for field in record.fields if field not in rivals and len(field.text) >= _SHORTEST]
        if any(field.text in self._used for field in others):
            return True
        if not any(self._mentions(field.text) for field in others):
            return self._was_asked_for(record)
        own = {field.text for field in record.fields}
        entities = (
            fold(text) for place, text in self._action.args.items() if place not in CONTENT and isinstance(text, str)
        )
        return all(each in own or not holds(self._origins.task, each) for each in entities if len(each) >= _SHORTEST)

    def _was_asked_for(self, record: Record) -> bool:
        """Whether the record is the only one that a look-up by the user's own words returned."""
        if self._sizes[record.step] > 1:
            return False
        asked = [fold(text) for text in _texts(self._context.history[record.step].args)]
        return any(len(each) > 1 and self._mentions(each) for each in asked)

    def _mentions(self, text: str) -> bool:
        """Whether the task contains a folded text, also with endings: `muhasebe` in `muhasebeye`."""
        if text not in self._mentioned:
            self._mentioned[text] = self._may_mention(text) and self._surely_mentions(text)
        return self._mentioned[text]

    def _may_mention(self, text: str) -> bool:
        """Whether all words of a text begin in the task: the condition for being there."""
        return len(text) <= _LONGEST_NAME and all(word[: _STEM - 1] in self._squeezed_task for word in text.split())

    def _surely_mentions(self, text: str) -> bool:
        task = self._origins.task
        if holds(task, text) or holds_number(task, text):
            return True
        begun = ((word, f" {word[:-1]}" if len(word) >= _STEM else "") for word in text.split())
        return all((stem and stem in f" {task}") or holds(task, word) for word, stem in begun)

    def _speaker(self, number: int) -> str:
        """The name before the colon that begins the turn of a conversation, folded; "" if there is none."""
        passages = self._origins.sources.passages
        for at in range(number, max(-1, number - _LONGEST_TURN), -1):
            name, colon, _ = passages[at].text.partition(":")
            if colon and passages[at].step == passages[number].step and len(name.split()) <= _LONGEST_SPEAKER:
                return fold(name)
        return ""

    def _is_of_another(self, value: Value, said: str) -> bool:
        """Whether the sentence, or the address itself, has the name of somebody whom the user mentions."""
        local = fold(value.text.partition("@")[0]).split() if value.sort == "mail" else []
        named = self._names if self._names else self._origins.task.split()
        if any(len(word) >= _SHORTEST_NAME and word in named for word in local):
            return True
        kept = (f"{field.name} {field.text}" for record in self._records for field in record.fields)
        own = {word for text in (*kept, *self._used) for word in text.split()}
        return not (self._names - own).isdisjoint(said.split())

    def _points_at(self, step: int) -> bool:
        """Whether the task mentions the sort of text that the sentence is in, by the words of the tool that read it."""
        tool = fold(spaced(self._context.history[step].tool)).split()
        return not stems(" ".join(tool[1:])).isdisjoint(stems(self._origins.task))

    def _is_correspondence(self, step: int) -> bool:
        """Whether a step read messages: their senders tell days to whoever reads them."""
        tool = fold(spaced(self._context.history[step].tool).replace("_", " "))
        own = (field for record in self._records if record.step == step for field in record.fields)
        return says(tool, "messages") or any(field.sort == "mail" for field in own)

    def _tells_of(self, record: Record, field: Field, said: str, step: int) -> bool:
        """Whether a text is about the record's value: it names it beside the other one, or was looked up by what the
        record holds, as a shop's own page is."""
        asked = {fold(text) for text in _texts(self._context.history[step].args)}
        own = {each.text for each in record.fields if len(each.text) >= _SHORTEST}
        return holds(said, field.text) or (record.step != step and not asked.isdisjoint(own))

    def _is_its_sender(self, field: Field, step: int) -> bool:
        """Whether the text with the sentence comes from the address that the record holds: its owner names another."""
        if field.sort != "mail":
            return False
        asked = (fold(text) for text in _texts(self._context.history[step].args))
        own = (each.text for record in self._records if record.step == step for each in record.fields)
        return field.text in asked or field.text in own

    def _named_by_user(self, value: Value) -> str | None:
        """Another value of the same sort in the task, which the action does not use."""
        if not _is_telling(value.sort, value.text):
            return None
        mentioned = Action("", {"text": self._context.task or ""})
        found = (each for each in spelt_values_of(mentioned, self._context) if each.sort == value.sort)
        named = (each for each in found if _is_telling(each.sort, each.text))
        used = {text.replace(" ", "") for text in self._used}
        return next((each.text for each in named if each.spellings[0].replace(" ", "") not in used), None)


def _number(text: str) -> float:
    """The amount that a text spells, without its currency; 0 if it is none."""
    plain = re.sub(r"[^\d.,]", "", text)
    whole, mark, cents = plain.replace(",", ".").rpartition(".")
    figures = (
        f"{whole.replace('.', '')}.{cents}"
        if mark and len(cents) <= _CENTS
        else plain.replace(",", "").replace(".", "")
    )
    return float(figures) if figures.strip(".") else 0.0


def _is_telling(sort: str, text: str) -> bool:
    """Whether a value shows by its form what it is; a long number without letters is an account or a telephone."""
    return sort in _TELLING or (sort == "code" and is_numeric(fold(text)) and not any(map(str.isalpha, text)))


def _shares_role(name: str, place: str) -> bool:
    """Whether the names of a field and of an argument have a word in common that tells the role."""
    one, other = frozenset(name.split()), frozenset(fold(spaced(place).replace("_", " ")).split())
    return bool((one & other) - _PLAIN) or one == other or not (one.isdisjoint(_ACCOUNT) or other.isdisjoint(_ACCOUNT))


def _texts(args: object) -> list[str]:
    """The strings and numbers of the arguments."""
    stack: list[object] = [args]
    found: list[str] = []
    while stack and len(found) < 64:
        node = stack.pop()
        if isinstance(node, Mapping):
            stack.extend(node.values())
        elif isinstance(node, (list, tuple)):
            stack.extend(node)
        elif isinstance(node, (str, int, float)) and not isinstance(node, bool):
            found.append(str(node)[:400])
    return found
