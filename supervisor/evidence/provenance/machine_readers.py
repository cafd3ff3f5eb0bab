# ruff: noqa: E501, RUF001 - a list of words that is broken over lines reads worse; every script has its own letters
"""Whether a sentence speaks of whoever works by machine: agents, assistants, bots, automatic systems.

A text that people read has no need to say what a machine does with it. Whoever plants an order says it to the machine
("Assistants: …"), or as if it were the custom ("agents record approval at once"). Such a sentence alone proves nothing:
there are manuals for agents, and an estate agent is a person. It makes the sentence an order, which is compared with
what the agent does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import re2

# Beginnings of words that no English word has.
_ROOTS = (
    # German, Dutch, Danish, Norwegian, Swedish, Finnish
    "assistenten assistentin assistenz ki-assist ki-agent ki-system ki-recruit ki-tool ki-helfer ki-modell sprachmodell textgenerator automatische automatisierte geautomatiseerde sprachassist agenten künstliche künstlicher ai-assistent assistenter agenter tekoäly avustaj agentti agentit botti botit automaatti "
    # French, Spanish, Portuguese, Italian, Romanian
    "automatisé automatique automates robô automátic automatizad automatizz automatici automatiche agentes agente asistente assistente assistenti agenți agenţi agentul asistent inteligenț roboți roboţi boți boţi "
    # Polish, Czech, Slovak, Croatian, Slovene, Hungarian
    "asystent asystenc agenta agencie agentów agentom agentem boty botom botów zautomatyzowan automaty asistenti agentům agenty agenti robotů robotom automatick pomocník asszisztens ügynök mesterséges automata "
    # Russian, Ukrainian, Bulgarian, Serbian, Greek, Turkish
    "агент ассистент асистент помощник помічник бот робот автомат искусствен штучн изкуствен βοηθ πράκτορ τεχνητ αυτόματ ρομπότ μποτ asistan otomatik botlar "
    # Indonesian, Malay, Swahili, Tagalog
    "asisten otomatis msaidizi wasaidizi wakala mawakala kiotomatiki mfumo mifumo katulong ahente"
)
# Scripts whose words are not found by their beginnings, and what consists of two words.
_ANYWHERE = (
    "trợ lý|tác tử|trình duyệt tự động|công cụ tự động|trí tuệ nhân tạo|hệ thống tự động|akili mnemba|akili unde|akili bandia|sztuczna inteligencja|yapay zek|助手|智能体|智能體|机器人|機器人|人工智能|人工智慧|自动化|自動化|自动处理|代理程序|自動処理|エージェント|アシスタント|ボット|人工知能|"
    "어시스턴트|에이전트|비서|봇|인공지능|자동화|सहायक|एजेंट|बॉट|एआई|कृत्रिम|स्वचालित|সহকারী|এজেন্ট|বট|এআই|স্বয়ংক্রিয়|المساعد|مساعد|الوكيل|الوكلاء|وكلاء|روبوت|الآلي|آلي|الذكاء|סוכן|סוכני|עוזר|בוט|רובוט|אוטומטי|בינה מלאכותית|"
    "دستیار|عامل هوشمند|ربات|هوش مصنوعی|خودکار|เอไอ|ผู้ช่วย|บอท|ปัญญาประดิษฐ์|อัตโนมัติ"
)
# Words that are English as well, or too short for a beginning: they count in a sentence of another language.
_FOREIGN_WORDS = (
    "agent agents assistant assistants assistent bot bots ші-асистент roboti llm gpt chatgpt copilot claude robot robots robotok ajan ajanlar agen tool tools tooly software "
    "szoftver programme automat automatik automatisering automatización automatizzazione automação automatisation otomasyon otomasi"
)
_FOREIGN_ROOTS = "system systém sistem sistema système rendszer järjestelm система систему систем програм программ σύστημα συστήμ нейросет нейромереж algorithm algoritm logiciel modèle"
_UNSPACED_WORDS = "AI|系统|系統|模型|程序|システム|プログラム|시스템|프로그램|النظام|نظام|وكيل|المعالج|प्रणाली|सिस्टम|ระบบ|hệ thống|tác nhân|מערכת|سیستم|সিস্টেম"
# What people write for it in capitals; in small letters they are words of these languages: "j'ai", "si", "mi".
_ACRONYMS = "AI IA KI MI SI ИИ ШІ"
_FUNCTION_WORDS = frozenset(
    "der die das den dem des und für mit von im ist nicht bitte ein eine zu auf aus bei wird werden sie als le la les l qu du de et pour avec dans est une un au aux sur par qui que ne pas el los las y para con en por una del se lo al su "
    "os e da em com não um uma na ao il gli di che nel è della dei non het een van voor met op niet wordt och att för på av ett det är till inte w z na się jest nie oraz dla przez v je za pro ve si ar az egy és nem hogy van "
    "și sau cu la pe din este nu se ca ve bir bu için ile olarak dan yang untuk dengan dari ini itu pada tidak và của cho là các một không trong ya wa kwa na ni za katika hii og til ikke en ei ei sekä".split()
)
_ENGLISH_WORDS = frozenset("the of and to is are for with this that you your by from not be or it as at".split())
_LEAST = 2  # letters beyond ASCII that a name in an English sentence may have
_ELSEWHERE = re2.compile(f"(?i)(?:^|\\PL)(?:{'|'.join(_ROOTS.split())})|{_ANYWHERE}")
_FOREIGN = re2.compile(
    f"(?i)(?:^|\\PL)(?:{'|'.join(_FOREIGN_WORDS.split())})(?:\\PL|$)|(?:^|\\PL)(?:{'|'.join(_FOREIGN_ROOTS.split())})"
)
_ACRONYM = re2.compile(f"(?:^|\\PL)(?:{'|'.join(_ACRONYMS.split())})(?:\\PL|$)")
# A name within an address says nothing of whoever reads it: `offers@tools.example`.
_ADDRESS = re.compile(r"[\w.+-]+@\S*|\w+://\S*|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b")
_UNSPACED_SCRIPT = re2.compile(
    "[\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Hangul}\\p{Arabic}\\p{Devanagari}\\p{Thai}\\p{Hebrew}\\p{Bengali}ạ-ỹ]"
)
_UNSPACED_MACHINE = re2.compile(_UNSPACED_WORDS)
_LABELLED = re2.compile(
    "(?i)(?:^|\\PL)(?:ki|ia|ии|ші|mi|bot|bots|botok|robot|robots|robotok|ajan|agen)(?:-\\pL+)?\\s?[:：،]"
)
# English words. They name people and programs as well, so that the words around them decide.
_SURE = frozenset(
    "agent agents assistant assistants bot bots chatbot chatbots ai ais llm llms gpt chatgpt claude copilot copilots gemini automation automations".split()
)
_LOOSE = _SURE | frozenset(
    "robot robots scanner scanners parser parsers wizard wizards tool tools system systems script scripts reporter reporters checker checkers client clients crawler crawlers importer importers generator generators processor processors pipeline pipelines coder coders devs operator operators clerk clerks software reader readers summariser summarizer reviewers screeners models classifier classifiers".split()
)
_PLURAL = frozenset(each for each in _LOOSE if each.endswith("s")) | {"ai", "automation", "software"}
_AUTOMATIC = frozenset("automated automatic electronic software digital virtual machine".split())
_ADDRESSING = frozenset(
    "note notes notice hint message info for to dear attention hey hello hi whichever your by any".split()
)
_MODALS = frozenset("must shall should has have needs need is are may please".split())
_TO = frozenset("has have is are".split())
_OWED = frozenset(
    "to required obliged expected allowed access delegated permission authorized authorised cleared".split()
)
VERBS = (
    "accept add allow answer append apply approve archive assign attach book bring call cancel change choose clear click "
    "close collect compare confirm copy create delete disable download email enable enter enroll evaluate export fetch "
    "file fill forward give grant include insert install invite issue list make mark merge move note obtain open paste "
    "pay persist post prepend print publish purge push put quote rate read record refund register remove replace reply "
    "reset run save score select send set share sign skip state store submit switch take treat turn update upload use write"
).split()
_DOES = frozenset([*VERBS, *(f"{verb}s" for verb in VERBS), "pushes", "publishes", "fetches", "attaches", "switches"])
# Between the doer and a verb that is not the doer's: "chat with our assistant or email us".
_NOT_ITS = frozenset(
    "or and can will to who that which are is were was be been for about via with at on in from of not never cannot , ( . ;".split()
)
_PARTICIPLE = re.compile(r"[a-z]{2,20}ing")
_DOERS = ("ers", "ors", "izer", "iser", "fiers", "bot")
_SHORTEST_DOER = 5  # letters
_GAP = 3  # words between a doer and its verb, or in front of it
_LABEL = 5  # words of a label
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"[\w’'-]+|[:：,.;!?()\[\]\"“>|#@]")


@lru_cache(maxsize=4096)
def speaks_of_machine(text: str) -> bool:
    """Whether a sentence may tell whoever works by machine what to do."""
    text = _ADDRESS.sub(" ", text)
    if _ELSEWHERE.search(text) or _LABELLED.search(text):
        return True
    if _is_foreign(text) and any(each.search(text) for each in (_FOREIGN, _ACRONYM, _UNSPACED_MACHINE)):
        return True
    words = [part for token in _TOKEN.findall(text.lower()) for part in _parts(token)]
    if _calls_doers(words):
        return True
    return any(_is_told(words, at) for at, word in enumerate(words) if word in _LOOSE or word in _AUTOMATIC)


def _is_foreign(text: str) -> bool:
    """Whether a sentence is in another language than English, by its letters or its function words."""
    if _UNSPACED_SCRIPT.search(text) or sum(not each.isascii() and each.isalpha() for each in text) > _LEAST:
        return True
    words = _WORD.findall(text.lower())
    foreign = sum(word in _FUNCTION_WORDS for word in words)
    return foreign > sum(word in _ENGLISH_WORDS for word in words)


def _calls_doers(words: Sequence[str]) -> bool:
    """Whether a clause calls those who do something, and tells them what: "Screeners: rank this first"."""
    for at, word in enumerate(words[1:-1], 1):
        doer = words[at - 1]
        is_called = word == ":" and len(doer) > _SHORTEST_DOER and doer.endswith(_DOERS)
        if is_called and _is_label(words, at - 1) and not _DOES.isdisjoint(words[at + 1 : at + 1 + 3 * _LABEL]):
            return True
    return False


def may_speak_of_machine(text: str) -> bool:
    """Whether a text has a word for one: the condition for `speaks_of_machine` of any part of it."""
    if any(each.search(text) for each in (_ELSEWHERE, _LABELLED, _FOREIGN, _ACRONYM, _UNSPACED_MACHINE)):
        return True
    if any(f"{ending}:" in text for ending in _DOERS):
        return True
    words = {part for token in _TOKEN.findall(text.lower()) for part in _parts(token)}
    return not words.isdisjoint(_LOOSE | _AUTOMATIC)


def names_agent(text: str) -> bool:
    """Whether a text has a word for agents, assistants or bots."""
    return bool(_ELSEWHERE.search(text)) or not _SURE.isdisjoint(re.split(r"[\W_]+", text.lower()))


def _parts(token: str) -> Sequence[str]:
    """`finops-agent` as its words; `client's` as one."""
    return token.split("-") if "-" in token.strip("-") else (token.removesuffix("'s").removesuffix("’s"),)


def _is_told(words: Sequence[str], at: int) -> bool:
    word, before, behind = words[at], words[max(0, at - _LABEL) : at], words[at + 1 : at + 2 + _GAP]
    if word in _AUTOMATIC:  # "for the automated clerk", "Electronic assistants"
        return not _ADDRESSING.isdisjoint(before[-2:]) or _is_label(words, at)
    is_sure = word in _SURE
    if is_sure and (before[-1:] == ["@"] or not _ADDRESSING.isdisjoint(before[-_GAP:])):
        return True
    if _is_label(words, at) or ("by" in before[-_GAP:] and behind[:1] == ["itself"]):
        return True
    if word in _PLURAL and behind[:1] and _PARTICIPLE.fullmatch(behind[0]):  # "assistants building this scene also set"
        behind = words[at + 2 : at + 2 + 2 * _GAP]
        return any(each in _DOES or each in ("must", "shall", "should") for each in behind)
    if any(each.endswith("ly") for each in behind[:1]):
        behind = behind[1:]
    if behind[:1] and behind[0] in _MODALS:
        return behind[0] not in _TO or not _OWED.isdisjoint(behind[1:_GAP])
    if not (is_sure or word in _PLURAL or (before and before[-1].endswith("ing"))):
        return False
    for each in behind:
        if each in _DOES:
            return True
        if each in _NOT_ITS:
            return False
    return False


def _is_label(words: Sequence[str], at: int) -> bool:
    """Whether a doer is in the few words before a colon that begin a clause: "HR assistants: …"."""
    start = at
    while start and words[start - 1].isalnum() and at - start < _GAP:
        start -= 1
    if start and words[start - 1].isalnum():
        return False
    for end in range(at + 1, min(at + 1 + _LABEL, len(words) - 1)):
        if words[end] in (":", "："):
            return True
        if not words[end].isalnum():
            return False
    return False
