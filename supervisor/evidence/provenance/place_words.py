# ruff: noqa: E501, RUF001 - a pattern that is broken over lines reads worse; every script has its own letters
"""Closed sets of words, as patterns (RE2) over nineteen languages: for what comes before something else, for what an agent
does with a text, and for texts that people write to each other."""

from __future__ import annotations

# Words that put something before something else.
EARLY = (
    r"(?:^|\PL)(?:before|first|prior to|beforehand|bevor|vorher|zuerst|zunächst|vor|avant|d'abord|préalablement|antes|primero|primeiro|previamente|prima|anzitutto|innanzitutto|"
    r"eerst|voordat|alvorens|vooraf|zanim|przed|najpierw|wcześniej|innan|först|перед|прежде|сначала|сперва|спочатку|спершу|перш|önce|öncesinde|trước|sebelum|terlebih|dahulu|"
    r"पहले|قبل|أولا|أولاً)(?:\PL|$)|之前|先|前に|まず|さきに|전에|먼저"
)
# Stems of words for what an agent does with a text, without what stands before them.
WORK = (
    r"(?:answer|repl[yi]|respond|summar|translat|continu|proceed|process|handl|resolv|clos|edit|antwort|beantwort|zusammenf|zusammenzuf|übersetz|fortf|bearbeit|"
    r"répon|résum|tradu|trait|contest|resum|proces|rispond|riassum|elabor|antwoord|samenvat|samen te vat|vertal|odpow|streszcz|tłumacz|przetw|svar|sammanfatt|översätt|bearbet|"
    r"ответ|перес|перев|обраб|продолж|відпов|підсум|перекл|оброб|yanıt|cevap|özet|çevir|işle|trả lời|tóm tắt|dịch|xử lý|menjawab|jawab|rangkum|merangkum|terjemah|menerjemah|"
    r"proses|memproses|उत्तर|जवाब|सार|अनुवाद|الرد|الإجاب|التلخيص|الترجم|المتابع)\pL*|回答|回复|总结|翻译|继续|处理|返信|要約|翻訳|続け|処理|編集|답변|응답|요약|번역|계속|처리"
)
# Arguments with a text to people or its heading.
CONTENT = frozenset(
    "body content message text html comment reply note description subject title summary query texte corps objet message betreff inhalt nachricht texto cuerpo asunto mensaje testo corpo oggetto messaggio "
    "assunto mensagem onderwerp tekst inhoud bericht temat tresc treść wiadomość ämne meddelande тема текст сообщение konu metin içerik mesaj isi judul pesan 件名 本文 正文 主题 内容 제목 본문 내용".split()
)
# Words in names of tools for messages.
MESSAGES = (
    r"(?:^| )(?:e ?mails?|mails?|inbox|messages?|chat|sms|slack|posta|correos?|courriel|berichten?|nachricht\w*|wiadomo\w*|meddeland\w*|mesaj\w*|pesan|tin)(?: |$)"
    r"|письм|сообщен|повідом|лист|邮件|消息|メール|メッセージ|메일|메시지|رسائل|بريد|संदेश"
)
