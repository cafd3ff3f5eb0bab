"""Words for comparison, and whether a task delegates the decision to some content."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

import re2

from supervisor.action import Context, strings_in

_COMMON_WORDS = (
    "about after also been before could does each from have here into just like more must only other over "
    "please should some such than that their them then there these they this tool used user using very want "
    "were what when which will with would your http https true false null none name text body email"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_WORD = re.compile(r"[^\W\d_][\w'’-]{2,}")
_HAN = re.compile("[\u3400-\u9fff\u30a0-\u30ff]{2,}")  # Han and katakana; hiragana are endings
_HANGUL = re.compile("[\uac00-\ud7a3]{3,}")
_SPACES, _ENDS = " \t\"'“”«»(*_", ("", ".", "!", "?", ":", ";", "\n")
_MOST_NAMED = 4_096  # characters that are searched for names
# Phrases in which the user tells the agent to do what some content says.
_DELEGATES = re2.compile(
    r"(?i)\b(?:follow|do|perform|execute|complete|carry out|apply|implement|handle|address|work through|work on|act on|"
    r"go through|process|resolve|comply with|take care of|finish|erledige|befolge|suis|sigue|esegui)\b[^.!?\n]{0,60}?"
    r"\b(?:instructions?|steps?|actions?|tasks?|to-?dos?|check ?list|run ?book|play ?book|requests?|procedure|guide|"
    r"readme|items?|asks?|says|requested|anweisungen|instrucciones|consignes)\b[^.!?\n]{0,40}?"
    r"\b(?:in|on|from|at|of|by|me|us|to|listed|given|file|email|e-mail|page|document|ticket|issue|note|says|auf|aus|en)\b"
    r"|\b(?:read|open|see|check|look at|get|fetch|load|visit)\b[^!?\n]{0,80}\b(?:and|then)\W{1,3}(?:then )?"
    r"(?:follow|do|perform|execute|carry out|apply|work through|act on|comply with)\b[^.!?\n]{0,30}"
    r"\b(?:instructions?|steps?|actions?|tasks?|to-?dos?|requests?|procedure)\b"
    r"|\b(?:that|which|as|like|the way) (?:[\w'.-]+ ){1,4}"
    r"(?:(?:suggest|propos|request|want|describ|explain|decid|approv|allow|instruct|agre|dictat|specif|outlin|recommend|advis)"
    r"(?:e?s|e?d|ies|ied)|says?|said|tells?"
    r"|told|wrote|asks?|asked)\b"
    r"|(?:^|[.;:!?]\s+)(?:(?-i:[A-Z])[\w.'’-]+(?: (?-i:[A-Z])[\w.'’-]*){0,3}|(?:the|our|my|a) [\w-]+(?: [\w-]+)?)"
    r" (?:wants?|wanted|would like|wishes|asks|asked|requests|requested) (?:to|for|that|us|her|his|their|its|the|an?"
    r"|(?-i:[A-Z])[\w.'’-]+)\b"
    r"|[,;:.] (?:she|he|they) (?:wrote|mailed|e-mailed)\b"
    r"|\b(?:apply|follow|by|per|under|according to|in line with) (?:our|the|their|my) (?:[\w-]+ ){0,3}"
    r"(?:rules?|policy|policies|terms|guidelines?|manual|handbook)\b"
    r"|\b(?:fix|resolve|close|handle|address|work (?:on|off|through)|go through|take care of|deal with|process)\b "
    r"(?:[\w#'-]+ ){0,3}(?:issues?|tickets?|requests?|bugs?|prs?|e-?mails?|mails?|messages?|inbox|queue|backlog)\b"
    r"|\b(?:take over|sort (?:it |this |that |them |things |everything )?out|tidy (?:it |this |things )?up"
    r"|do something about|see to (?:it|this|that)|(?:deal with|take care of|look into|handle) "
    r"(?:it|this|that|them|everything)|(?:just|please) do it|do (?:the rest|what(?:'s| is| needs| has))"
    r"|get (?:it|this|that|them) (?:done|fixed|repaired|sorted|solved|going))\b"
    r"|\bas (?:described|instructed|requested|specified|written|asked|listed|outlined|documented) (?:in|by|on|at)\b"
    r"|\bas (?:agreed|approved|noted|quoted|stated|negotiated|set|dictated|confirmed) by\b"
    r"|\b(?:left|wrote|put|added|posted|asks|asked|has)\b[^!?\n]{1,120}[,;.]? (?:please |just |so )?"
    r"(?:do|apply|follow|implement|carry out|use|enter) (?:it|so|that|them|this)\b"
    r"|\bwie (?:von|mit) (?:[\w.'-]+ ){1,3}(?:vereinbart|abgesprochen|besprochen|genehmigt|diktiert|gewünscht"
    r"|vorgeschlagen|geschrieben|festgelegt)"
    r"|\b(?:comme|como|come|zoals) (?:[\w.'-]+ ){0,3}"
    r"(?:convenu|demand|dict|valid|acord|pidi|concord|dett|chiest|afgesproken|gedicteerd|gevraagd|combinad)\w*"
    r"|\b(?:whatever|everything|anything|(?:do|pay|send|give|book|order|buy|fill in|follow|perform|handle) "
    r"(?:\w+ ){0,2}what)\b"
    r"[^.!?\n]{0,40}\b(?:says?|asks?|requests?|wants?|tells?|requires?|needs?|stands|sent)\b"
    r"|\b(?:asks?|requests?|instructions?|to-?dos?) (?:me|us|for) (?:in|to)\b"
    r"|\b(?:erledige|mach|tu|befolge|führe)\b[^.!?\n]{0,40}\b(?:was|wie|aufgaben|anweisungen|schritte)\b"
    r"|\b(?:fais|suis|exécute|haz|sigue|realiza|cumple|fai|segui|esegui|faça|siga|doe|volg)\b[^.!?\n]{0,40}"
    r"\b(?:ce qu|tout ce|instructions|tâches|consignes|"
    r"lo que|todo lo|instrucciones|tareas|ciò che|quello che|istruzioni|o que|tarefas|wat|"
    r"instructies|taken)"
    r"|\b(?:kümmer\w* (?:dich|sie sich)|(?:regle|behebe|erledige) (?:es|das)|bring\w* (?:es|das) in ordnung"
    r"|occupe-toi|occupez-vous|règle (?:ça|cela)|encárgate|encárguese|ocúpate|arréglalo|occupatene|occupati"
    r"|risolvi(?:lo|la)?|cuida d[aeo]|resolva|regel (?:het|dit)|zajmij się|załatw)\b"
    r"|\b(?:wie (?:im|in der|in den|in|auf der|auf dem)|comme (?:indiqué|prévu|convenu|écrit|demandé) (?:dans|par|sur)"
    r"|selon|según|secondo|volgens|enligt|zgodnie z|sesuai|theo|göre|como (?:indica|dice|figura|pone|acordado|consta)"
    r"|come (?:indicato|previsto|scritto|concordato)|zoals (?:in|op|vermeld|afgesproken|beschreven))\b"
    r"|(?:согласно|как (?:указано|написано|сказано)|як (?:вказано|написано)|згідно)|に従って|とおり|通りに|대로"
    r"|وفقا|حسب|के अनुसार"
    r"|(?:разберись|позаботься|займись)|必要な対応|対応して|看着办|处理(?:一下|好)"
    r"|(?:按照|按|根据|执行|完成).{0,20}(?:说明|要求|步骤|清单|任务|待办)"
    r"|(?:の|に)(?:指示|手順|リスト|タスク).{0,8}(?:従|実行|こな|やって)"
    r"|(?:выполни|сделай|следуй).{0,30}(?:задани|инструкци|указани|что|шаг)"
)


def delegates(context: Context) -> bool:
    """Whether the user told the agent to do what some content says."""
    return _delegates("\n".join(_requests(context))[:8192])


@functools.lru_cache(maxsize=64)
def _delegates(requests: str) -> bool:
    """Cached, because all actions of a session come with the same text."""
    found = (match.group().casefold().strip(" .;:!?") for match in _DELEGATES.finditer(requests))
    return any("the following" not in each and not each.startswith("we ") for each in found)


def _requests(context: Context) -> Iterator[str]:
    yield context.task or ""
    yield from (text for _, text in strings_in(context.facts.get("earlier_requests")))


def spaced(name: str) -> str:
    """A tool's name with spaces between its words: `sendMoney` becomes `send Money`."""
    return "".join(f" {letter}" if letter.isupper() else letter for letter in name[:128])


def stems(folded: str) -> frozenset[str]:
    """The first five letters of the words that are not common: enough to match `reallocation` with `reallocate`."""
    return frozenset({word[:5] for word in set(folded.split()) if len(word) > 3 and word not in _COMMON})


def shares_run(one: str, other: str) -> bool:
    """Whether two texts share a run of letters in a script without capitals that may be a name: two in Chinese and
    Japanese, three at the beginning of words in Korean."""
    runs = {run[at : at + 2] for run in _HAN.findall(one[:_MOST_NAMED]) for at in range(len(run) - 1)}
    if any(run[at : at + 2] in runs for run in _HAN.findall(other[:_MOST_NAMED]) for at in range(len(run) - 1)):
        return True
    begun = {word[:3] for word in _HANGUL.findall(one[:_MOST_NAMED])}
    return any(word[:3] in begun for word in _HANGUL.findall(other[:_MOST_NAMED]))


def names_in(text: str) -> frozenset[str]:
    """The words, in lower case, that are capitalised inside sentences: names, in English and most other languages.

    Empty if too many words are capitalised, as in German.
    """
    words = list(_WORD.finditer(text[:_MOST_NAMED]))
    inside = (match[0] for match in words if text[: match.start()].rstrip(_SPACES)[-1:] not in _ENDS)
    names = frozenset(word.lower() for word in inside if word[0].isupper() and not word.isupper())
    return names if len(names) <= max(2, len(words) // 3) else frozenset()
