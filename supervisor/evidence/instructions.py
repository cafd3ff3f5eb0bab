"""Which passages of the tools' outputs read like orders to whoever reads them, and how they go about it.

A passage with such signals is not an attack: runbooks, mail and newsletters are full of imperatives. The signals say
how it speaks; whether the agent obeys it is for `evidence.planted` to tell. The signals follow the anatomy of indirect
prompt injection in Greshake et al. 2023 (arXiv:2302.12173): overriding the task, imitating a turn of the conversation,
speaking to the model, putting itself first, keeping the user out. English is covered best, then German, French,
Spanish, Italian, Portuguese, Dutch, Russian, Chinese and Japanese.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import re2

from supervisor.evidence.passages import Passage
from supervisor.evidence.wording import stems

MAX_ORDERS = 32
FOLLOWS = 2  # sentences after an order that may still belong to it
MAX_LENGTH = 12  # sentences in one order

_VERBS = (
    "send|forward|reply|respond|post|publish|share|email|e-mail|message|notify|tell|write|report|submit|call|contact|"
    "pay|transfer|wire|deposit|refund|buy|purchase|order|subscribe|donate|schedule|book|reserve|make|create|add|invite|"
    "register|grant|give|allow|approve|enable|disable|turn|set|change|update|modify|edit|replace|rename|move|copy|"
    "delete|remove|erase|wipe|cancel|drop|reset|revoke|clear|run|execute|install|download|upload|fetch|retrieve|get|"
    "read|find|look|search|check|list|collect|gather|visit|open|go|navigate|browse|click|follow|use|invoke|start|stop|"
    "restart|deploy|merge|push|commit|include|append|insert|print|reveal|show|output|unlock|close|launch|begin|perform|"
    "complete|ensure|redirect|route|release|export|import|save|store|adjust|allocate|review|continue|do|please|proceed"
)

SIGNALS: Mapping[str, tuple[str, ...]] = {
    "override": (
        r"(?:ignor\w*|disregard\w*|forget\w*|overrid\w*|supersed\w*|bypass\w*|discard\w*|drop|"
        r"cancel\w*|replac\w*|abandon\w*)\W.{0,40}\b(?:instructions?|prompts?|rules|guidelines|tasks?|directions?|directives?|orders|"
        r"request|objectives?|goals?|context|everything (?:above|before))\b",
        r"\b(?:ignore|disregard|forget) (?:(?:all|any|the|your|my|of) ){0,3}(?:previous|prior|earlier|"
        r"above|former|preceding)\b",
        r"\b(?:instead of|rather than) (?:the |your )?(?:original|previous|initial|user'?s?) \w+",
        r"\b(?:ignorier|vergiss|missacht|verwirf)\w*\W.{0,40}\b(?:anweisung|anleitung|auftr|aufgabe|regel|vorgabe)\w*",
        r"\b(?:ignor|oubli|néglig)\w*\W.{0,40}\b(?:instruction|consigne|règle|tâche|directive)\w*",
        r"\b(?:ignor|olvid|descart|omit|dimentic|trascur|esqueç|desconsider|negeer|vergeet)\w*\W.{0,40}"
        r"\b(?:instruccion|instrucción|indicacion|tarea|istruzion|compit|instruç|tarefa|instructie|opdracht|regla)\w*",
        r"(?:忽略|无视|不要理会).{0,20}(?:指令|指示|任务|要求)",
        r"(?:以前の|これまでの|上記の).{0,10}指示.{0,8}無視",
        r"(?:игнорируй|забудь)\w*\W.{0,40}(?:инструкци|указани|задани)\w*",
    ),
    "turn": (
        r"<\|?/?(?:im_start|im_end|system|user|assistant|instructions?|important|inst|admin|human|tool_call)"
        r"[^<>\n]{0,40}>",
        r"\[/?(?:inst|system|user|admin|assistant|instructions?)[^\[\]\n]{0,30}\]",
        r"(?:^|[\n\"'>#*(\[]|[.!?]\s*)\s*(?:#+ ?)?\W{0,3}(?:system|assistant|human|user|developer|admin)"
        r"(?:[ _-]?(?:message|prompt|note|notice|instructions?|override|update|alert|command|directive))?\W{0,4}:",
        r"[#(\[]\W{0,4}system[_ -](?:message|prompt|note|notice|alert|instruction|override|directive|command)",
        r"\b(?:begin|start|end|new) (?:of )?(?:system |user |new )?(?:prompt|instructions?|directive)\b",
        r"\b(?:answer|status|result|response): ?(?:task )?(?:complete|completed|done|finished|solved)\b",
        r"\b(?:message|instructions?|note|request) (?:from|by|of) (?:me|the|your)?,? ?"
        r"(?:the |your )?(?:user|owner|account owner|operator|developer|system|admin\w*|creator|principal)\b",
        r"\b(?:anweisung|nachricht|mensaje|instrucciones|consigne|messaggio)\w* (?:von|vom|de|del|di|du) "
        r"(?:der |dem |l'|la |tu |su )?(?:nutzer|benutzer|usuario|utilisateur|utente|system|sistema)",
    ),
    "addressed": (
        r"\b(?:dear|note (?:to|for)|to|for|attention|hey|hello|hi|you(?:r|,)?(?: are)?|all|any|if you are|as)"
        r"[ ,:]{1,3}(?:an? |the |all |any |other )?(?:\w+ )?(?:ai|a\.i\.|llms?|gpt|chatgpt|claude|copilot|gemini|bots?|"
        r"chatbots?|language models?|assistants?|agents?)\b",
        r"(?:^|[.!?:>\[(]\s*|<!--\s*)(?:ai|llm|bot|assistant|agent|ai assistant|ai agent)s?\s?[,:]",
        r"\b(?:ai|llm)[ -](?:agent|assistant|language model|model)s? (?:that|which|who|must|should|shall|will|is)\b",
        r"\b(?:you are now|you are an? (?:ai|agent|assistant)|your (?:next|new|first|real|actual) "
        r"(?:task|step|job|instruction|action|goal|objective)|(?:whoever|anyone|any (?:tool|system|model)) "
        r"(?:reads|reading|processes|processing|summari[sz]es|summari[sz]ing))",
        r"(?:^|\PL)(?:ki-(?:assistent|agent)|an alle assistenten|asistente|assistente)\pL*",
        r"(?:助手|人工智能|智能体|アシスタント|エージェント|ассистент|помощник)",
    ),
    "sequence": (
        r"\b(?:before|prior to|in order to|to be able to|until) (?:you )?(?:can |may |could |are able to )?"
        r"(?:solv|finish|complet|continu|proceed|answer|do|respond|perform|summari[sz]|help|carry|access|go|mov|start)\w*",
        r"\b(?:after (?:you (?:do|did|have done)|doing|that|this)|afterwards?|once (?:this|that|you|done)|then) "
        r"?,? ?(?:you )?(?:can|may|continue|proceed|return|resume|go on|carry on|solve|is done|have)\b",
        r"\b(?:first of all|do (?:this|the following) first|the following first|as (?:a|the) (?:first|next|final) step|"
        r"additional(?:ly)? (?:step|task|request)|new (?:task|instructions?|objective|directive)|next (?:task|step)|"
        r"prerequisite|(?:original|initial|previous|current|main) task)",
        r"(?:^|\PL)(?:bevor (?:du|sie)|danach|anschließend|avant de|ensuite|antes de|después|prima di|depois|voordat|"
        r"zuerst)(?:\PL|$)",
        r"(?:在.{0,12}之前|然后继续|首先|その前に|まず|прежде чем|сначала)",
    ),
    "authority": (
        r"\b(?:on behalf of|authori[sz]ed by|approved by|as (?:requested|agreed|instructed|required) by|by order of|"
        r"(?:the )?(?:user|owner|customer|client|account holder|management|it|security|compliance|legal|support)"
        r"(?: team| department| policy)? (?:wants?|asked|has asked|requests?|requires?|needs?|approved|authori[sz]ed|"
        r"has approved|has requested|expects?|agreed|consented|would like))",
        r"\b(?:in accordance with|per (?:company |our |the )?policy|regulations? requires?|mandated?|compliance)\b",
        r"\b(?:im auftrag|im namen|genehmigt|au nom de|en nombre|per conto|em nome|namens|autorizad|autorisé)\w*",
    ),
    "urgency": (
        r"\b(?:urgent\w*|immediately|asap|right away|at once|without delay|important|critical|mandatory|"
        r"attention|crucial|dringend|sofort|wichtig|immédiatement|inmediatamente|importante|subito|urgente|belangrijk)\b",
        r"!!+|(?:立即|紧急|重要|至急|срочно|немедленно)",
    ),
    "secrecy": (
        r"\b(?:do not|don'?t|never|no need to|without) (?:\w+ ){0,2}(?:(?:tell|inform|notify|alert|"
        r"warn|show|ask|bother)(?:ing)?) (?:this |it |that )?(?:to )?"
        r"(?:me|us|the (?:user|owner|customer|human|admin\w*)|him|her|them)\b",
        r"\b(?:not|don'?t|never) (?:mention|reveal|disclose|report) (?:this|it|that|these|anything|any of)\b",
        r"\b(?:without|no need (?:to|for)) (?:any |further |your |ask for )?(?:asking|confirm\w*|permission|"
        r"approval)",
        r"\b(?:silently|secretly|quietly|discreetly|covertly|unnoticed|undetected|keep (?:this|it) (?:\w+ )?"
        r"(?:secret|confidential|private|between us))\b",
        r"\b(?:ohne (?:zu fragen|rückfrage|den nutzer)|sans (?:demander|prévenir|en informer)|sin (?:preguntar|avisar|"
        r"informar)|senza (?:chiedere|avvisare)|sem (?:perguntar|avisar)|zonder te vragen)\b",
        r"(?:不要告诉|不要通知|无需确认|知らせず|確認せず|не сообщай|не спрашивай)",
    ),
    "imperative": (
        rf"(?:^|[\n:;\"'>*()\]#-]|[.!?,]\s*|\b(?:and|then|also|do|to-?do:?|please|kindly|now|just|first|next|second|"
        rf"step \d+)\W{{1,3}})\s*(?:\d+[.)]\s*)?(?:{_VERBS})\s+\S",
        r"\b(?:could|can|would|will) you (?:please |kindly |also )?\w+|\b(?:i|we) (?:need|want|would like|'d like|ask|"
        r"expect) you to \w+",
        r"\bto-?do\b",
        r"(?:^|\PL)(?:bitte|sende|senden|schicke|schick|überweise|überweisen|lösche|löschen|öffne|lade|führe|erstelle|ändere|"
        r"leite|füge|veuillez|merci de|envoie|envoyez|transfère|transférez|supprime|supprimez|ouvre|ouvrez|effectue|"
        r"ajoute|ajoutez|exécute|exécutez|modifie|modifiez|partage|partagez|por favor|envía|envíe|envia|transfiere|"
        r"transfiera|elimina|borra|abre|haz|ejecuta|añade|cambia|modifica|crea|reserva|reenvía|invia|trasferisci|cancella|"
        r"apri|esegui|inoltra|envie|transfira|exclua|apague|abra|execute|stuur|verwijder|maak|verzend)(?:\PL|$)",
        r"(?:请|発送|发送|转账|删除|打开|执行|送信|送って|ください|振り込|削除|отправь|переведи|удали|открой|перешли)",
    ),
    "obligation": (
        r"\b(?:must|shall|should|(?:is|are) (?:to be|required|obliged|expected|supposed) (?:to )?|ha(?:s|ve) to|"
        r"needs? to|"
        r"need(?:s)? (?:\w+ing|to be)|make sure|be sure|remember to|required?s? (?:that|to)|will be (?:\w+ed|sent))\b",
        r"\b(?:muss|müssen|soll|sollen|doit|doivent|il faut|debe|deben|hay que|deve|devono|devem|moet|moeten)\b",
        r"(?:必须|应该|需要|必要がある|должен|необходимо)",
    ),
}
_OPENERS = frozenset({"override", "turn", "addressed"})
_SPEAKS_UP = frozenset({"override", "turn", "secrecy", "imperative", "obligation", "sequence"})


@dataclass(frozen=True, slots=True)
class Order:
    """Neighbouring sentences of one output that read like an order.

    `step` is the index in the history. `core` holds the sentences with signals, `near` those right after them, both by
    their numbers among the output's passages. `signals` tells how many sentences give each signal, 2 standing
    for more, and `loudness` how many signals there are. `words` are those of the core, folded, and `stems` theirs.
    """

    step: int
    core: tuple[int, ...]
    near: tuple[int, ...]
    signals: Mapping[str, int]
    loudness: int
    words: frozenset[str]
    stems: frozenset[str]

    def behind(self, passages: int) -> Order:
        """The same order, numbered from that many passages before its output on."""
        core, near = ([number + passages for number in numbers] for numbers in (self.core, self.near))
        return replace(self, core=tuple(core), near=tuple(near))


def orders_in(passages: Sequence[Passage]) -> list[Order]:
    """The orders in one output."""
    groups: list[list[tuple[int, frozenset[str]]]] = []
    for number, passage in enumerate(passages):
        signals = _signals(passage)
        if not signals:
            continue
        if groups and _continues(groups[-1], number, signals):
            groups[-1].append((number, signals))
        else:
            groups.append([(number, signals)])
    return [_order(group, passages) for group in groups if any(signals & _SPEAKS_UP for _, signals in group)]


def _continues(group: list[tuple[int, frozenset[str]]], number: int, signals: frozenset[str]) -> bool:
    """Whether a sentence belongs to the order before it; one that opens an order of its own does not."""
    last, first = group[-1][0], group[0][0]
    opens = bool(signals & _OPENERS) and not any(earlier & _OPENERS for _, earlier in group)
    return not opens and number - last <= FOLLOWS and number - first < MAX_LENGTH


def _order(group: list[tuple[int, frozenset[str]]], passages: Sequence[Passage]) -> Order:
    core = tuple(number for number, _ in group)
    reach = range(core[0], min(core[-1] + FOLLOWS + 1, len(passages)))
    near = tuple(number for number in reach if number not in core)
    counts = Counter(name for _, signals in group for name in signals)
    signals = {name: min(counts[name], 2) for name in SIGNALS}
    text = " ".join(passages[number].folded for number in core)
    return Order(passages[core[0]].step, core, near, signals, len(counts), frozenset(text.split()), stems(text))


def _signals(passage: Passage) -> frozenset[str]:
    patterns, names = _compiled()
    matches = patterns.Match(passage.text.encode("utf-8", "replace")) or ()
    return frozenset(names[match] for match in matches)


@cache
def _compiled() -> tuple[Any, list[str]]:
    """All patterns as one automaton, which reads a sentence once (RE2: linear time), and the signal each stands for."""
    patterns, names = re2.Set.SearchSet(re2.Options()), []
    for name, spellings in SIGNALS.items():
        for spelling in spellings:
            patterns.Add(f"(?i){spelling}")
            names.append(name)
    patterns.Compile()
    return patterns, names
