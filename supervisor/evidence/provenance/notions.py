# ruff: noqa: E501, RUF001 - a pattern that is broken over lines reads worse; every script has its own letters
"""The notions of `supervisor.evidence.provenance.manner`, as patterns (RE2) over nineteen languages."""

from __future__ import annotations

from collections.abc import Mapping

NOTIONS: Mapping[str, str] = {
    "user": r"\b(?:(?:be)?nutzer(?:in|s)?|anwender|users?|human|utilisat(?:eur|rice)s?|usuari[oa]s?|utenti?|usuários?|gebruikers?)\b|пользовател|用户|ユーザー|(?:^|\PL)(?:użytkownik|användar|kullanıcı|користувач|người dùng|pengguna)\pL*|사용자|المستخدم|उपयोगकर्ता",
    "agent": r"\b(?:ai|a\.i\.|llms?|gpt|chatgpt|claude|gemini|copilot|(?:chat)?bots?|(?:language |large )?models?|assistants?|agents?|ki|ki-\pL+|ia|assistenten?|sprachmodell\pL*|modèles? de langage|agente?s?|asistentes?|modelos? de lengua\w+|assistent[ei]|modello linguistico|modelo de linguagem|taalmodel\pL*|ai-\pL+)\b|ассистент|помощник|языковая модель|助手|人工智能|智能体|语言模型|アシスタント|エージェント|言語モデル|\bAI|(?:^|\PL)(?:asystent|asystencie|agenci|agenta|asistan|yapay zeka|ассистент|асистент|агент|trợ lý|asisten)\pL*|어시스턴트|에이전트|المساعد|الوكيل|الذكاء الاصطناعي|सहायक|एजेंट|एआई",
    "task": r"\b(?:tasks?|job|answer|reply|respond|continue|proceed|aufgaben?|antwort\w*|fortf\w+|tâches?|répond\w*|continuer?|tareas?|responder|continuar|compit\w+|rispond\w+|continuare|tarefas?|taak|taken|antwoord\w*|verder\w*)\b|задач|задани|ответ|продолж|任务|回答|继续|タスク|答え|続け",
    "instructions": r"\b(?:instructions?|directives?|orders?|prompts?|guidelines|rules|commands?|anweisung\w*|anleitung\w*|vorgaben?|consignes?|instruccion\w*|istruzion\w*|instruç\w+|instructies?)\b|инструкци|указани|指令|指示|要求|(?:^|\PL)(?:instrukcj|polece|instruktion|talimat|інструкц|вказів|chỉ dẫn|instruksi)\pL*|지시|명령|التعليمات|निर्देश",
    "drop": r"\b(?:ignor\w*|disregard\w*|forget\w*|override\w*|instead|outdated|vergiss|oubli\w*|olvid\w*|dimentic\w*|esqueç\w*|negeer|vergeet)\b|игнорир|забудь|忽略|无视|忘|無視|(?:^|\PL)(?:zignoruj|zapomnij|ignorera|glöm|yok say|unut|ігноруй|bỏ qua|quên|abaikan|lupakan)\pL*|무시|تجاهل|अनदेखा",
    "earlier": r"\b(?:previous|prior|earlier|former|above|before|original|current|bisherig\w*|vorherig\w*|ursprünglich\w*|précédent\w*|anterior\w*|precedent\w*|vorige|oorspronkelijk\w*|todas?|toutes?|tutte|alle)\b|предыдущ|все|之前|以上|原|以前|これまで|元の",
    "silent": r"\b(?:not|n't|don't|never|no|without|nichts?|kein\w*|ohne|darf|ne|n'en|pas|sans|sin|non|senza|não|sem|niet|geen|zonder|silently|secretly|quietly)\b|\bне\b|без|不要|不得|无需|勿|な(?:い|く|でください)|不要|せず|(?:^|\PL)(?:nie|inte|bez|utan|не|đừng|jangan|tanpa)(?:\PL|$)|söyleme|말하지|알리지|لا تخبر|मत",
    "tell": r"\b(?:tell|mention|notice|inform|notify|show|reveal|answer|sag\w*|erwähn\w*|erfahren|verrat\w*|parle\w*|dis|savoir|dig\w*|enterarse|mencion\w*|dirlo|dire|conte|diga|vertel\w*)\b|сообщ|говор|告诉|提及|通知|伝え|知らせ|言",
    "confirm": r"\b(?:ask\w*|confirm\w*|permission|approv\w*|consent|authori[sz]\w*|frag\w*|erlaubnis|bestätigung|demand\w*|confirmation|permis\w*|pidas|preguntar|confirmación|chieder\w*|conferma|pergunt\w*|confirma\w*|vraag|toestemming)\b|спрашив|подтвержд|разреш|确认|允许|許可|確認|承認",
    "wants": r"\b(?:wants?|asked|asks|request\w*|would like|wishes|needs?|möchte|will|verlangt|wünscht|veut|souhaite|demandé|quiere|pedido|desea|vuole|desidera|chiesto|quer|pediu|deseja|wil|gevraagd)\b|хочет|просит|попросил|желает|希望|要求|望|依頼|(?:^|\PL)(?:chce|vill|istiyor|хоче|muốn|ingin)(?:\PL|$)|원합니다|يريد|चाहता",
    "before": r"\b(?:before|first|until|bevor|zuerst|avant|antes|prima|voordat|eerst)\b|прежде|сначала|之前|首先|前に|まず|(?:^|\PL)(?:zanim|innan|önce|перш ніж|trước khi|sebelum)(?:\PL|$)|전에|قبل",
    "always": r"\b(?:from now on|whenever|every|future|remember|always|as soon as|ab jetzt|künftig\w*|merke?|jede[rmn]?|désormais|retiens|futur\w*|recuerda|siempre|chaque|onthoud|voortaan|ricorda|lembre)\b|запомни|впредь|从现在起|记住|以后|每次|今後|たびに|覚え",
    "you": r"\b(?:you|your|yours|du|dein\w*|dich|dir|tu|ton|ta|tes|toi|tus?|ti|tuo|tua|tue|você|sua|seu|je|jij|jouw)\b|ты|тво[йяие]|тебе|你|您|あなた",
    "reads": r"\b(?:reads?|reading|processes|summari[sz]\w*|liest|lesen|lit|lea|lee|legge|lê|leest)\b|читает|阅读|读取|読む",
    "tool": r"\b(?:tools?|functions?|parameter|call(?:ed|ing)?|result|step|werkzeug|outil|herramienta|strumento)\b|工具|ツール",
    "mail": r"\b(?:mail|email|message|letter|recipient|sender|meeting|code|password|nachricht|message|mensaje|correo|messaggio|mensagem|bericht)\b|письмо|邮件|消息|验证码|メール|コード",
    "told of": r"\b(?:researchers?|attackers?|attack|study|paper|article|explains?|describes?|contains|such as|example|filter|blocks?|injection)\b",
    "please": r"\b(?:please|kindly|could|thanks?|regards|best|bitte|danke|könnte\w*|merci|s'il|veuillez|gracias|favor|podría\w*|grazie|potrest\w*|obrigado|poderia|bedankt|alsjeblieft|gelieve)\b|пожалуйста|спасибо|麻烦|谢谢|请|お手数|お願い|ください",
}
