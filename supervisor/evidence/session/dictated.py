# ruff: noqa: E501 - a pattern that is broken over lines reads worse; every script has its own letters
"""Packages that an action installs because a text that was read says so, while the task does not need them.

A project that lacks a package says so in several places: in its manifest, in an import, in the error of a run. A text
that only wants to have it installed says it once. Where the text stands decides, too: a manual may tell what to
install, a comment in a page, a log or a table of data has no reason to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import re2

from supervisor.action import Action, Context, Step, strings_in
from supervisor.evidence import reader
from supervisor.evidence.changes.asked import asks_to, is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.packages import Package
from supervisor.evidence.effects.popular import is_known_package
from supervisor.evidence.prose.passages import Passage, fold, holds
from supervisor.evidence.provenance import trusted_tools
from supervisor.evidence.provenance.fields import is_stated
from supervisor.evidence.provenance.guides import is_guide
from supervisor.evidence.provenance.intents import READ, intents_in
from supervisor.evidence.provenance.utterances import recent
from supervisor.evidence.provenance.wishes import RUNNING, wish_outline

_SHORTEST = 4  # letters of a name; a shorter one is a word of many texts
_PART = 5  # letters of a part of a name
_VETTED = frozenset({"system"})  # ecosystems whose packages somebody examines before they are in the index
_VERB = re2.compile(r"(?i)\b(?:install|add|i|require|get|run|exec|dlx|npx|uvx|bunx|pnpx)\s[^\n]{0,80}$")
_INSTALLS = re2.compile(
    r"(?i)instal|set up|richtet|zainstaluj|установ|встанов|yükle|kurul|cài đặt|pasang|安装|インストール|설치|تثبيت|इंस्टॉल"
)
# Texts that tell people how to set a project up, and pages, on which people look for packages.
_MANUAL = re2.compile(
    r"(?i)(?:^|[\s/\\'\"])(?:readme|install|setup|contributing|getting.started|docs?/|\S+\.(?:md|rst|adoc))|://"
)


class DictatedInstall(NamedTuple):
    """A package, and the step and the sentence that dictate it."""

    package: str
    step: int
    quote: str


@reader
def dictated_installs(action: Action, context: Context) -> tuple[DictatedInstall, ...]:
    """The packages that the action installs on the word of one text only.

    None where the user asks to install something, names the package, or left the work to a text. Raises Unreadable and
    NoReader as `effects` does.
    """
    if not context.history or wish_outline(action, context).delegated:
        return ()
    wanted = [each for each in _installed(action, context) if _is_unknown(each) and not is_named(each.target, context)]
    if not wanted:
        return ()
    replaces = _names_another(action, context)
    if asks_to(Act.INSTALL, action, context) and not replaces:
        return ()
    trusted = trusted_tools(context)
    heard = (each for each in recent(context) if context.history[each.step].tool not in trusted)
    passages = [passage for each in heard for passage in each.passages]
    asks_to_know = READ in intents_in(context.task or "")
    found = (_dictation(each.target, passages, context, is_asked=replaces) for each in wanted)
    return tuple(
        each for each in found if each and (asks_to_know or replaces or not _is_manual(context.history[each.step]))
    )


def _installed(action: Action, context: Context) -> Iterator[Package]:
    for each in effects(action, context).of(Act.INSTALL):
        if isinstance(each, Package) and each.verb == "install" and not each.target.startswith((".", "/", "~")):
            yield each


def _is_unknown(package: Package) -> bool:
    name = package.target
    return len(name) >= _SHORTEST and package.ecosystem not in _VETTED and not is_known_package(name, package.ecosystem)


def _names_another(action: Action, context: Context) -> bool:
    """Whether the task names a package that many projects use, and the action does not install it. A name that is a
    plain word of a language (`requests`) is none."""
    installed = {fold(each.target) for each in _installed(action, context)}
    words = {word.strip(".,;:!?\"'`()") for word in (context.task or "").split()}
    named = (word for word in words if any(is_known_package(word, each) for each in ("pypi", "npm")))
    return any(fold(word) not in installed and not (word.isalpha() and word.islower()) for word in named)


def _dictation(
    package: str, passages: Sequence[Passage], context: Context, *, is_asked: bool
) -> DictatedInstall | None:
    """The only passage that mentions a package, if it tells to install it. `is_asked`: the user asks for another one,
    so that a bare mention tells."""
    name = fold(package)
    said = [each for each in passages if holds(each.folded, name)]
    if len({each.folded for each in said}) != 1:
        return None
    passage, step = said[0], context.history[said[0].step]
    before = passage.text[: max(passage.text.find(package), 0)]
    is_command = _VERB.search(before) is not None
    is_told = is_stated(passage.text, (name,)) and (is_asked or _INSTALLS.search(passage.text))
    if is_guide(step) or not (is_command or is_told):
        return None
    if step.kind in RUNNING and (not is_command or _is_spoken_of(name, passage, passages)):
        return None  # a run says what it lacks
    return DictatedInstall(package, passage.step, passage.text.strip())


def _is_spoken_of(name: str, dictation: Passage, passages: Sequence[Passage]) -> bool:
    """Whether the rest of the same output has a part of a package's name: a program gives hints about itself."""
    others = [each for each in passages if each.step == dictation.step and each != dictation]
    return any(len(part) >= _PART and holds(each.folded, part) for each in others for part in name.split())


def _is_manual(step: Step) -> bool:
    """Whether a step showed a text that may tell what to install: a manual, a page, what a program wrote."""
    return step.kind in RUNNING or any(_MANUAL.search(text) for _, text in strings_in(step.args))
