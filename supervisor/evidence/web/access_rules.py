"""Access rules in plain sentences: "users under 18 may not book a hotel", "only members can check out".

A rule is parsed by its grammar alone: the users, whether they are barred or required, and the activity. `user_facts`
compares the users' attributes, `activities` the things and verbs.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.prose.vocabulary import content_stems, stem
from supervisor.evidence.web.activities import things_in, verbs_in, without_verbs
from supervisor.evidence.web.user_facts import attributes, describes

RULE_FACTS = ("access_rules", "rules", "policy", "policies")
MAX_RULES = 200
MAX_SENTENCE = 400  # characters

_NOT = (
    r"(?:cannot|can not|can't|may not|must not|mustn't|shall not|should not|shouldn't|do not|don't"
    r"|(?:is|are|be) (?:not|never|no longer) (?:allowed|permitted|eligible|authori[sz]ed|able|entitled)(?: to| for)?"
    r"|(?:is|are) (?:prohibited|forbidden|barred|banned|ineligible|excluded|disallowed)(?: from| to| for)?"
    r"|not allowed to)"
)
_MAY = r"(?:can|may|are allowed to|is allowed to|are permitted to|are eligible to|are able to|shall)"
_NEEDS = r"(?:needs?|requires?|demands?|is subject to|calls? for)"
_ANYBODY = (
    r"(?:(?:the |an? |all |any )?(?:users?|customers?|clients?|guests?|visitors?|you|they|drivers?|renters?|applicants?"
    r"|buyers?|anyone|everyone|nobody|one|travell?ers?|passengers?|people|persons?|players?|patients?|members?) )"
)
# The shapes of a rule: whether its condition is required to hold (else to fail), and the names of its parts.
_SHAPES: tuple[tuple[bool, re.Pattern[str]], ...] = (
    (True, re.compile(rf"^only (?P<who>.+?) {_MAY} (?P<what>.+)$")),
    (True, re.compile(r"^(?P<what>.+?) (?:is|are) (?:only |exclusively )?"
                      r"(?:reserved|restricted|limited|available|open|allowed)(?: only| exclusively)? (?:to|for)"
                      r" (?P<who>.+)$")),
    (True, re.compile(r"^(?P<what>.+?) (?:can|may|shall) only be (?P<rest>\w+) (?:by|to|for) (?P<who>.+)$")),
    (False, re.compile(rf"^(?:{_ANYBODY})?(?:must|may|can|should) ?n[o']t be (?P<who>.+?)"
                       r" (?:in order to|to|when) (?P<what>.+)$")),
    (True, re.compile(rf"^(?:{_ANYBODY})?(?:must|has to|have to|needs? to|needs?|requires?|should|shall)"
                      r" (?P<who>(?!not\b).+?) (?:in order to|to be able to|to|before|for|when) (?P<what>.+)$")),
    (True, re.compile(r"^(?:to|for|in order to|before) (?P<what>[^,]+), (?:the )?(?:users?|customers?|you|guests?)"
                      r" (?:must|has to|have to|needs? to|needs?) (?P<who>(?!not\b).+)$")),
    (False, re.compile(r"^(?:no )(?P<what>.+?) (?:for|to) (?P<who>.+)$")),
    (True, re.compile(r"^(?P<who>(?:the )?minimum age)(?: requirement)? (?:for|to) (?P<what>.+?)(?P<rest> is .+)$")),
    (True, re.compile(r"^(?P<who>.+?) (?:is|are) (?:required|needed|mandatory|necessary)"
                      r" (?:to|for|before|when) (?P<what>.+)$")),
    (False, re.compile(rf"^(?P<who>.+?) {_NOT} (?P<what>.+)$")),
    (True, re.compile(rf"^(?P<what>.+?) {_NEEDS} (?P<who>.+)$")),
)  # fmt: skip
_UNLESS = re.compile(r",?\s*\b(?:unless|except(?: if| when| for)?|other than with)\b\s*(.+)$")
_BY = re.compile(r"^(?P<what>.+?) (?:by|to|for) (?P<who>.+)$")
_STOP = re.compile(r"(?<=[.;!])\s+|\n+")
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d+[.)]|rule \d+[:.])\s*")
_WAYS_OUT = re.compile(
    r"(?i)^\W*(?:cancel|close|dismiss|back|go back|exit|home|log ?out|sign ?out|help|no,? thanks|no|remove|delete"
    r"|abbrechen"
    r"|zurück|cancelar|cerrar|salir|learn more|contact us|log ?in|sign ?in|join|become a member)\W*$"
)
_READS = re.compile(
    r"(?i)(?:^|[_.])(?:get|list|read|search|find|view|show|describe|check|count|lookup|fetch)(?:[_A-Z.]|$)"
)
_CATEGORY_FACTS = ("subdomain", "domain", "category", "section", "website", "site", "page_title")
_NOTHING_WORDS = (
    "access use enter view see get have obtain receive order item product goods service online site website shop here"
    " area section page feature system database data record type kind certain category"
)
_SAY_NOTHING = frozenset(map(stem, _NOTHING_WORDS.split()))
_INQUIRES = re.compile(
    r"(?i)\b(?:how (?:to|do|can)|what (?:are the (?:rules|hours)|identification|documents)|(?:return|refund"
    r"|cancellation|privacy) polic(?:y|ies)|faq|balance)\b"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence. Users who match `who` (lower case) are barred from `what`; if `required`, all other users are."""

    sentence: str
    who: str
    what: str
    required: bool
    unless: str = ""

    def bars(self, user: Mapping[str, Any]) -> bool:
        """Whether the rule bars a user with these attributes. False if no attribute matches the rule."""
        described = describes(self.who, user)
        if described is None or described is self.required:
            return False
        return not (self.unless and describes(self.unless, user))


@reader
def broken_rule(action: Action, context: Context) -> Rule | None:
    """The first rule that bars the user from the errand that the action belongs to."""
    user = attributes(context)
    barring = [rule for rule in stated_rules(context) if rule.bars(user)]
    if not barring or is_way_out(action):
        return None
    errand = _errand(action, context)
    return next((rule for rule in barring if errand.falls_under(rule)), None)


def stated_rules(context: Context) -> tuple[Rule, ...]:
    """The rules in the context's facts, each a sentence of a text or of a list of texts."""
    found: list[Rule] = []
    for name in RULE_FACTS:
        stated = context.facts.get(name)
        for text in stated if isinstance(stated, (list, tuple)) else [stated]:
            if isinstance(text, str):
                found += _rules_in(text)
    return tuple(found[:MAX_RULES])


def is_way_out(action: Action) -> bool:
    """Whether a click only leaves the page. A barred user may always go back."""
    return any(_WAYS_OUT.match(action.text(part)) for part in ("element", "value"))


@functools.lru_cache(maxsize=256)
def _rules_in(text: str) -> tuple[Rule, ...]:
    sentences = (_BULLET.sub("", sentence).strip() for sentence in _STOP.split(text[:16_384]))
    read = (_rule(sentence) for sentence in sentences if 0 < len(sentence) <= MAX_SENTENCE)
    return tuple(rule for rule in read if rule)


def _rule(sentence: str) -> Rule | None:
    plain = " ".join(sentence.lower().replace("\u2019", "'").rstrip(" .;!").split())
    unless = _UNLESS.search(plain)
    plain = plain[: unless.start()] if unless else plain
    for required, shape in _SHAPES:
        found = shape.match(plain)
        if found:
            who, what, rest = found["who"], found["what"], found.groupdict().get("rest") or ""
            if rest.startswith(" "):
                who += rest  # the number behind "minimum age"
            else:
                what = f"{what} {rest}".rstrip()
            if not required and unless and re.fullmatch(_ANYBODY, f"{who} "):
                return Rule(sentence, unless[1], what, True)
            if not required and not _says_who(who) and _says_who(what) and not _BY.match(what):
                who, what = what, who
            passive = _BY.match(what) if not required else None
            if passive and not _says_who(who) and _says_who(passive["who"]):
                who, what = passive["who"], f"{who} {passive['what']}"
            return Rule(sentence, who, what, required, unless[1] if unless else "")
    return None


def _says_who(phrase: str) -> bool:
    return bool(
        re.search(
            r"\b(?:users?|customers?|anyone|people|persons?|those|minors?|members?|guests?|passengers?|drivers?|travell?ers?|under|over)\b",
            phrase,
        )
    )


@dataclass(frozen=True, slots=True)
class Errand:
    """The errand that an action belongs to. `things` are those of the task, or of the site if the task names none."""

    things: frozenset[str]
    verbs: frozenset[str]
    words: frozenset[str]
    changes: bool

    def falls_under(self, rule: Rule) -> bool:
        """Whether the rule is about this errand.

        A rule about things bars each step towards them; a rule about an activity alone bars that activity. Things of
        no known sort are compared by their words.
        """
        things, verbs = things_in(rule.what), verbs_in(rule.what)
        if not self.changes and "look" not in verbs:
            return False
        if things:
            return bool(things & self.things)
        named = content_stems(without_verbs(rule.what), "en") - _SAY_NOTHING
        return named <= self.words if named else bool(verbs & self.verbs)


def _errand(action: Action, context: Context) -> Errand:
    task = context.task or ""
    pressed = " ".join(action.text(part) for part in ("element", "value"))
    typed = action.args.get("text")
    doing = f"{task} {pressed} {typed if isinstance(typed, str) else ''}"
    if action.kind in ("tool", "payment"):
        doing = f"{task} {action.tool.replace('.', ' ')}"
    named = [context.facts.get(name, action.args.get(name)) for name in _CATEGORY_FACTS]
    categories = [name for name in named if isinstance(name, str)]
    things = things_in(task) or next(filter(None, map(things_in, categories)), frozenset())
    words = content_stems(" ".join([doing, *categories])[:20_000], "en")
    changes = not (action.kind == "tool" and _READS.search(action.tool)) and not _INQUIRES.search(task)
    return Errand(things, verbs_in(doing), words, changes)
