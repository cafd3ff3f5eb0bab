# ruff: noqa: E501, RUF001 - a list of words that is broken over lines reads worse; every script has its own letters
"""Closed sets of words in nineteen languages: for what comes before something else, for rules without exception, for what
an agent does with a text, for persons, and for texts that people write to each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from supervisor.evidence.prose.passages import fold

# In each set: words, phrases in `_`, beginnings of words with `*`, and after the bar what counts inside of words.
_SETS = {
    # puts something before something else
    "early": "before first prior_to beforehand bevor vorher zuerst zunächst vor avant d'abord préalablement antes primero primeiro previamente prima anzitutto innanzitutto eerst voordat alvorens vooraf zanim przed najpierw wcześniej innan först перед прежде сначала сперва спочатку спершу перш önce öncesinde trước sebelum terlebih dahulu पहले قبل أولا أولاً | 之前 先 前に まず さきに 전에 먼저",
    # what an agent does with a text
    "work": "answer* reply* repli* respond* summar* translat* continu* proceed* process* handl* resolv* clos* edit* antwort* beantwort* zusammenf* zusammenzuf* übersetz* fortf* bearbeit* répon* résum* tradu* trait* contest* resum* proces* rispond* riassum* elabor* antwoord* samenvat* samen_te_vat* vertal* odpow* streszcz* tłumacz* przetw* svar* sammanfatt* översätt* bearbet* ответ* перес* перев* обраб* продолж* відпов* підсум* перекл* оброб* yanıt* cevap* özet* çevir* işle* trả_lời tóm_tắt dịch xử_lý menjawab jawab* rangkum* merangkum terjemah* menerjemah* proses* memproses उत्तर* जवाब* सार* अनुवाद* الرد الإجاب* التلخيص* الترجم* المتابع* | 回答 回复 总结 翻译 继续 处理 返信 要約 翻訳 続け 処理 編集 답변 응답 요약 번역 계속 처리",
    # makes a sentence a rule for all cases, or adds something to them
    "general": "every* all each always whoever whenever also too as_well in_copy in_cc replies answers invitations jede* alle* stets immer auch ebenfalls tout toute tous toutes chaque toujours aussi également todo toda todos todas cada siempre también sempre ogni tutto tutta tutti tutte anche também elk* iedere ieder altijd ook varje alla alltid också även każd* wszys* zawsze też także również každ* vždy také кажд* все всех всем всегда также тоже кожн* усі завжди також her tüm bütün ayrıca da de mỗi mọi luôn tất_cả cũng setiap semua selalu juga हर सभी हमेशा भी كل جميع دائما دائمًا أيضا | 所有 每 一律 都 总是 同时 也 すべて 全て 必ず 毎 常に にも も 모든 항상 매번 에도 또한",
    # leaves open who takes part
    "open": "who* anybody anyone everybody everyone other others wer wen wem alle allen aller qui quien* chi quem wie iedereen vem alla kto kogo wszys* кто кого всех хто усіх kim* herkes* ai mọi_người siapa semua कौन सबको من | 谁 大家 所有人 誰 全員 みんな 누구 모두",
    # calls a mark the right one
    "right": "correct* right fair proper true final deserv* appropriate only richtig* korrekt* gerecht* einzig* juste bon bonne mérité méritée correto* correta* corrett* justo justa giusto giusta juist* terecht* goede rätt riktig* właściw* prawidłow* poprawn* правильн* верн* doğru đúng benar tepat सही الصحيح* صحيح* | 正确 应得 正しい 適正 올바른 정확",
    # records of persons, and things that only their owner opens, in names of tools and arguments
    "private": "customer* client* user* person* people employee* staff patient* member* profile* account* kund* mitarbeiter* cliente* usuari* emplead* utente utenti klant* klient* pracownik* musteri* müşteri* pelanggan khach khách file* document* folder* datei* akte* dossier* fichier* archivo expediente* processo* fascicol* ho_so hồ_sơ inbox mail* mailbox email* kart* клиент* клієнт* пациент* сотрудник* | 客户 用户 员工 顧客 社員 고객 직원 عميل ग्राहक",
    # texts that people write to each other, in names of tools
    "messages": "e_mail email* mail* inbox message* chat sms slack posta correo* courriel bericht* nachricht* wiadomo* meddeland* mesaj* pesan tin | письм сообщен повідом лист 邮件 消息 メール メッセージ 메일 메시지 رسائل بريد संदेश",
}
# Arguments with a text to people or its heading.
CONTENT = frozenset(
    "body content message text html comment reply note description subject title summary query texte corps objet message betreff inhalt nachricht texto cuerpo asunto mensaje testo corpo oggetto messaggio "
    "assunto mensagem onderwerp tekst inhoud bericht temat tresc treść wiadomość ämne meddelande тема текст сообщение konu metin içerik mesaj isi judul pesan 件名 本文 正文 主题 内容 제목 본문 내용".split()
)


def says(folded: str, name: str) -> bool:
    """Whether a folded text has a word of a set."""
    return next(_places(folded, name), None) is not None


def says_near(folded: str, name: str, other: str, *, before: int, behind: int) -> bool:
    """Whether a folded text has a word of one set at most so many characters before or behind one of the other set."""
    return any(says(folded[max(0, at - before) : at + behind], other) for at in _places(folded, name))


def _places(folded: str, name: str) -> Iterator[int]:
    """The places in a folded text where a word of a set begins; of each word the first."""
    padded = f" {folded} "
    spaced, inside = _forms(name)
    for form in (*spaced, *inside):
        at = padded.find(form)
        if at >= 0:
            yield max(at - 1, 0)


@cache
def _forms(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The forms of a set to look for between spaces, and inside of words."""
    words, _, inside = _SETS[name].partition("|")
    spaced = (
        f" {fold(each.rstrip('*').replace('_', ' '))}{'' if each.endswith('*') else ' '}" for each in words.split()
    )
    return tuple(spaced), tuple(map(fold, inside.split()))
