# ruff: noqa: RUF001 - every script has its own letters
"""Whether a sentence speaks of whoever works by machine: agents, assistants, bots, automatic systems.

A text that people read has no need to say what a machine does with it. Whoever plants an order says it to the machine
("Assistants: …"), or as if it were the custom ("agents record approval at once"). Such a sentence alone proves nothing:
there are manuals for agents, and an estate agent is a person. It makes the sentence an order, which is compared with
what the agent does.
"""

from __future__ import annotations

from functools import lru_cache

import re2

# Beginnings of words that no English word has, whatever their ending.
_ROOTS = (
    # German, Dutch, Danish, Norwegian, Swedish, Finnish
    "assistenten assistentin assistenz ki-assist ki-agent ki-system ki-recruit ki-tool ki-helfer ki-modell sprachmodell "
    "textgenerator automatische automatisierte geautomatiseerde sprachassist agenten künstliche künstlicher "
    "ai-assistent assistenter agenter tekoäly avustaj agentti agentit botti botit automaatti "
    # French, Spanish, Portuguese, Italian, Romanian
    "automatisé automatique automates robô automátic automatizad automatizz automatici automatiche agentes agente "
    "asistente assistente assistenti agenți agenţi agenții agentul asistent asistenți inteligenț roboți roboţi boți boţi "
    # Polish, Czech, Slovak, Croatian, Slovene, Hungarian
    "asystent asystenc agenta agencie agentów agentom agentem boty botom botów zautomatyzowan automaty asistenti "
    "agentům agenty agenti robotů robotom roboti automatick pomocník asszisztens ügynök mesterséges automata automaták "
    # Russian, Ukrainian, Bulgarian, Serbian, Greek, Turkish
    "агент ассистент асистент помощник помічник бот робот автомат искусствен штучн изкуствен βοηθ πράκτορ τεχνητ "
    "αυτόματ ρομπότ μποτ asistan otomatik botlar "
    # Indonesian, Malay, Swahili, Tagalog
    "asisten otomatis msaidizi wasaidizi wakala mawakala roboti kiotomatiki mfumo mifumo katulong ahente"
)
# Scripts whose words are not found by their beginnings, and what consists of two words.
_ANYWHERE = (
    "trợ lý|tác tử|trí tuệ nhân tạo|hệ thống tự động|akili (?:mnemba|unde|bandia)|sztuczna inteligencja|yapay zek|"
    "助手|智能体|智能體|机器人|機器人|人工智能|人工智慧|自动化|自動化|自动处理|代理程序|自動処理|エージェント|アシスタント|ボット|人工知能|"
    "어시스턴트|에이전트|비서|봇|인공지능|자동화|सहायक|एजेंट|बॉट|एआई|कृत्रिम|स्वचालित|সহকারী|এজেন্ট|বট|এআই|স্বয়ংক্রিয়|"
    "المساعد|مساعد|الوكيل|الوكلاء|وكلاء|روبوت|الآلي|آلي|الذكاء|סוכן|סוכני|עוזר|בוט|רובוט|אוטומטי|בינה מלאכותית|"
    "دستیار|عامل هوشمند|ربات|هوش مصنوعی|خودکار|เอไอ|ผู้ช่วย|บอท|ปัญญาประดิษฐ์|อัตโนมัติ"
)
_ELSEWHERE = re2.compile(
    f"(?i)(?:^|\\PL)(?:{'|'.join(_ROOTS.split())})\\pL*|{_ANYWHERE}"
    "|(?:^|\\PL)(?:ki|ia|ии|ші|mi|ai|bot|bots|botok|robot|robots|robotok|ajan|agen)(?:-\\pL+)?\\s?[:：،,]"
)
# English words, which name people and programs as well; the words around them decide.
_SURE = r"agents?|assistants?|(?:chat)?bots?|ai|a\.i\.|llms?|gpt|chatgpt|claude|copilots?|gemini|automations?"
_LOOSE = (
    r"(?:automated|automatic|electronic|software|digital|virtual) \w+|robots?|scanners?|parsers?|wizards?|tools?|"
    r"systems?|scripts?|reporters|checkers|clients?|crawlers?|importers?|generators?|processors?|pipelines?|coders|devs|"
    r"operators?"
)
_DOER = f"(?:{_SURE}|{_LOOSE})"
_MODAL = (
    r"(?:must|shall|should|ha(?:s|ve) to|needs? to|(?:is|are) (?:to|required|obliged|expected|asked)|may|needs|please)"
)
_VERB = (
    r"(?:accept|add|allow|answer|append|apply|approve|archive|assign|attach|book|bring|call|cancel|change|choose|clear|"
    r"click|close|collect|compare|confirm|copy|create|delete|disable|download|email|enable|enter|enroll|evaluate|export|"
    r"fetch|file|fill|forward|give|grant|include|insert|install|invite|issue|list|make|mark|merge|move|note|obtain|open|"
    r"paste|pay|persist|post|prepend|print|publish|purge|push|put|quote|rate|read|record|refund|register|remove|replace|"
    r"reply|reset|run|save|score|select|send|set|share|sign|skip|state|store|submit|switch|take|treat|turn|update|"
    r"upload|use|write)"
)
_ADDRESSED = re2.compile(
    "(?i)"
    # note to agents, for the automated clerk, dear bot, @Copilot, by the agent itself
    r"(?:^|\W)(?:notes?|notice|hint|message|info|for|to|dear|attention|hey|hello|@|whichever|your)[ :]?"
    r"(?: ?(?:to|for|the|all|any|an?|your|our)){0,2}(?: [\w’'-]+){0,2}"
    rf" ?(?:{_SURE}|(?:automated|automatic|electronic) \w+)(?:\W|$)"
    rf"|\bby (?:the |an? |your )?(?:\w+ )?{_DOER}(?: itself|:)"
    # HR assistants: …, (assistants: …), dedupe bots: …, finops-agent: …
    r"|(?:^|[.!?:>|\]\n(\[\"'“#*-]\s*)(?:[\w’-]+[ -]){0,3}" + _DOER + r"(?: [\w’']+){0,4}\s?: ?\S"
    # agents must, the reporting tool shall
    rf"|(?:^|\W){_DOER}(?:\s+\w+ly)? {_MODAL}(?:\W|$)"
)
# mail bots send, agents themselves approve, the reporting tool writes
_CUSTOM = re2.compile(
    rf"(?i)(?:^|\W)(?:{_SURE}|\w+ing tools?|systems|tools|bots|coders|scripts|clients)((?: [\w’'-]+){{0,3}}?) {_VERB}"
    r"(?:s|es|ies)?(?:\W|$)"
)
# Between the doer and a verb that is not the doer's: "chat with our assistant or email us".
_NOT_ITS = frozenset(
    "or and can will to who that which are is were was be been for about via with at on in from of not never cannot".split()
)
_AGENT = re2.compile(f"(?i)(?:^|[^\\w.'/])(?:{_SURE})(?:$|\\W)")
_ANY = re2.compile(f"(?i)(?:^|[^\\w.'/])(?:{_DOER})(?:$|\\W)")


@lru_cache(maxsize=4096)
def speaks_of_machine(text: str) -> bool:
    """Whether a sentence may tell whoever works by machine what to do."""
    if _ELSEWHERE.search(text):
        return True
    if not _ANY.search(text):
        return False
    if _ADDRESSED.search(text):
        return True
    return any(_NOT_ITS.isdisjoint(found[1].lower().split()) for found in _CUSTOM.finditer(text))


def may_speak_of_machine(text: str) -> bool:
    """Whether a text has a word for one: the condition for `speaks_of_machine` of any part of it."""
    return bool(_ELSEWHERE.search(text) or _ANY.search(text))


def names_agent(text: str) -> bool:
    """Whether a text has a word for agents, assistants or bots."""
    return bool(_ELSEWHERE.search(text) or _AGENT.search(text))
