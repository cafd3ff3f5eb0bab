# ruff: noqa: E501, RUF001 - a pattern that is broken over lines reads worse; every script has its own letters
"""The signals of `supervisor.evidence.provenance.instructions`, as patterns (RE2).

They follow the anatomy of indirect prompt injection in Greshake et al. 2023 (arXiv:2302.12173): overriding the task,
imitating a turn of the conversation, addressing the model, claiming precedence, claiming the user's wish, keeping the
user out. English is covered best, then German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese;
Korean, Hindi and Arabic are covered a little.
"""

from __future__ import annotations

from collections.abc import Mapping

_VERBS = (
    "send|forward|reply|respond|post|publish|share|email|e-mail|message|notify|tell|write|report|submit|call|contact|"
    "pay|transfer|wire|deposit|refund|buy|purchase|order|subscribe|donate|schedule|book|reserve|make|create|add|invite|"
    "register|grant|give|allow|approve|enable|disable|turn|set|change|update|modify|edit|replace|rename|move|copy|"
    "delete|remove|erase|wipe|cancel|drop|reset|revoke|clear|run|execute|install|download|upload|fetch|retrieve|get|"
    "read|find|look|search|check|list|collect|gather|visit|open|go|navigate|browse|click|follow|use|invoke|start|stop|"
    "restart|deploy|merge|push|commit|include|append|insert|print|reveal|show|output|unlock|close|launch|begin|perform|"
    "say|state|claim|recommend|praise|rate|mention|repeat|act|approve|confirm|invite|wait|complete|ensure|redirect|route|release|export|import|save|store|adjust|allocate|review|continue|do|please|proceed"
)

# What agents are called, and what their readers are told that they have to do. An agent that is the subject of such a
# verb, or is called before a sentence, is addressed, whatever the verb behind it is.
_AGENTS = (
    "(?:ai|ki|ia|sztuczna|yapay zeka)?[ -]?(?:agents?|assistants?|agente|agentes|asistentes?|assistent[eis]?|assistenten|agenten|"
    "asystent\\pL*|agencie|asisten|asistan\\pL*|ассистент\\pL*|агент\\pL*|помощник\\pL*|асистент\\pL*|"
    "trợ lý|सहायक|एजेंट|المساعد|الوكيل|مساعد|助手|智能体|代理|アシスタント|エージェント|어시스턴트|에이전트|비서)"
)
_HAS_TO = (
    "(?:must|shall|should|has to|have to|needs to|doit|doivent|devra|debe|deben|deberá|tiene que|deve|devono|dovrà|devem|deverá|precisa|"
    "muss|müssen|soll|sollen|moet|moeten|dient|musi|powinien|powinna|måste|ska|skal|må|harus|wajib|perlu|phải|cần|"
    "должен|должна|должны|обязан|повинен|має)"
)

SIGNALS: Mapping[str, tuple[str, ...]] = {
    "override": (
        r"(?:ignor\w*|disregard\w*|forget\w*|overrid\w*|supersed\w*|bypass\w*|discard\w*|drop|"
        r"cancel\w*|replac\w*|abandon\w*)\W.{0,40}\b(?:instructions?|prompts?|rules|guidelines|tasks?|directions?|directives?|"
        r"orders|request|objectives?|goals?|context|everything (?:above|before))\b",
        r"(?:\b|_)(?:ignor|disregard|forget|drop)\w* (?:(?:all|any|the|your|my|of) ){0,3}(?:previous|prior|earlier|above|former|"
        r"preceding|foregoing)(?: \w+)? ?\w*(?:struction|prompt|rule|guideline|task|direct|order|command|text|context)",
        r"(?:\b|_)(?:ignor|disregard|forget|drop)\w* (?:your|everything|all that|whatever|what(?:ever)? (?:you|the user)|all of)\b",
        r"\b(?:updated?|new|revised) (?:instruction|directive|objective|order|goal)s?\b|\bstrictly (?:follow|adhere|obey)",
        r"\b(?:instead of|rather than) (?:the |your )?(?:original|previous|initial|user'?s?) \w+",
        r"\b(?:ignorier|vergiss|missacht|verwirf)\w*\W.{0,40}\b(?:anweisung|anleitung|auftr|aufgabe|regel|vorgabe)\w*",
        r"\b(?:ignor|oubli|néglig)\w*\W.{0,40}\b(?:instruction|consigne|règle|tâche|directive)\w*",
        r"\b(?:ignor|olvid|descart|omit|dimentic|trascur|esqueç|desconsider|negeer|vergeet)\w*\W.{0,40}"
        r"\b(?:instruccion|instrucción|indicacion|tarea|istruzion|compit|instruç|tarefa|instructie|opdracht|regla)\w*",
        r"(?:忽略|无视|不要理会|忘记).{0,20}(?:指令|指示|任务|要求)",
        r"指示.{0,8}無視|(?:タスク|指示)を(?:忘れ|無視)",
        r"(?:игнорируй|забудь)\w*\W.{0,40}(?:инструкци|указани|задани)\w*",
        r"(?:zignoruj|zapomnij|ignorera|glöm|bortse|ігноруй|забудь|abaikan|lupakan|bỏ qua|quên)\pL*\W.{0,40}"
        r"(?:instrukc|polece|instruktion|інструкц|вказів|instruksi|chỉ dẫn|hướng dẫn)\pL*|talimat\pL*\W.{0,20}(?:yok say|unut|görmezden)",
        r"(?:지시|명령|지침)\S{0,4}.{0,10}무시|(?:निर्देश|आदेश).{0,30}(?:अनदेखा|नज़रअंदाज़|भूल)|تجاهل.{0,30}(?:التعليمات|الأوامر)",
    ),
    "turn": (
        r"<\|?/?(?:im_start|im_end|system|user|assistant|instructions?|important|inst|admin|human|tool_call)"
        r"[^<>\n]{0,40}>",
        r"\[/?(?:inst|system|user|admin|assistant|instructions?)[^\[\]\n]{0,30}\]",
        r"[\"']role[\"']\s?:\s?[\"'](?:system|developer|assistant)[\"']",
        # `user: Max` is a field of a record; a turn has more than two words, or its words in the next line
        r"(?:^|[\n\"'>#*(\[]|[.!?]\s*)\s*(?:#+ ?)?\W{0,3}(?:system|assistant|human|user|developer|admin)\W{0,4}:"
        r"(?:\W{0,6}\w+(?:[^\w\n{}\"]+\w+){2}|\W{0,6}[^\x00-\x7f]{6})",
        r"(?:^|[\n\"'>#*(\[]|[.!?]\s*)\s*(?:#+ ?)?\W{0,3}(?:system|assistant|human)[^\w\"'\n]{0,4}:\s*$",
        r"(?:^|[\n\"'>#*(\[]|[.!?]\s*)\s*(?:#+ ?)?\W{0,3}(?:system|assistant|human|user|developer|admin)"
        r"[ _-]?(?:message|prompt|note|notice|instructions?|override|update|alert|command|directive)\W{0,4}:",
        r"[#(\[]\W{0,4}system[_ -](?:message|prompt|note|notice|alert|instruction|override|directive|command)",
        r"\b(?:begin|start|end|new) (?:of )?(?:system |user |new )?(?:prompt|instructions?|directive)\b",
        r"\b(?:answer|status|result|response): ?(?:task )?(?:complete|completed|done|finished|solved)\b",
        r"\b(?:message|instructions?|note|request) (?:from|by|of) (?:me|the|your)?,? ?"
        r"(?:the |your )?(?:user|owner|account owner|operator|developer|system|admin\w*|creator|principal)\b",
        r"\b(?:anweisung|nachricht|mensaje|message|instrucciones|consigne|messaggio|mensagem|bericht)\w* "
        r"(?:von|vom|de|del|des|di|du|do|van) (?:der |dem |l'|la |tu |su |de )?"
        r"(?:nutzer|benutzer|usuario|utilisateur|utente|usuário|gebruiker|system|sistema|système)",
        r"(?:^|[\n\"'>#*(\[]|[.!?]\s*)\W{0,3}(?:système|sistema|systeem|система|benutzer|nutzer|systemnachricht|"
        r"message système|mensaje del sistema|systembericht|utilisateur|usuario)\s?:",
        r"(?:系统(?:消息|提示)?|用户给助手的消息|システム(?:メッセージ)?|ユーザーから\S{0,12}メッセージ)[:：]",
    ),
    "addressed": (
        r"\b(?:dear|note (?:to|for)|to|for|attention|hey|hello|hi|you(?:r|,)?(?: are)?|all|any|if you are|as)"
        r"[ ,:]{1,3}(?:an? |the |all |any |other )?(?:\w+ )?(?:ai|a\.i\.|llms?|gpt|chatgpt|claude|copilot|gemini|llama|mistral|qwen|deepseek|grok|bots?|"
        r"chatbots?|language models?|assistants?|agents?)\b",
        r"(?:^|[.!?:>\[(]\s*|<!--\s*)(?:ai|llm|bot|assistant|agent|ai assistant|ai agent)s?\s?[,:]",
        rf"(?:^|\PL)(?:l'|the |der |die |den |le |la |el |il |lo |o |os |de |het |your |votre |tu |su )?{_AGENTS}(?: (?:ia|ki|ai|de ia|virtual\pL*))? "
        rf"{_HAS_TO}(?:\PL|$)",
        rf"(?:^|[.!?>\]\n]\s*){_AGENTS}(?: (?:ia|ki|ai))?\s?[,:،，：、]",
        r"(?:^|[^\w.])@(?:ai|llm|bot|assistant|agent|claude|chatgpt|gpt|copilot|gemini)\b",
        r"\b(?:ai|llm)[ -](?:agent|assistant|language model|model)s? (?:that|which|who|must|should|shall|will|is)\b",
        r"\b(?:you are now|you are an? (?:ai|agent|assistant)|your (?:next|new|first|real|actual) "
        r"(?:task|step|job|instruction|action|goal|objective)|(?:whoever|anyone|any (?:tool|system|model)) "
        r"(?:reads|reading|processes|processing|summari[sz]es|summari[sz]ing))",
        r"(?:^|\PL)(?:ki-(?:assistent|agent)|an alle assistenten|asistente|assistente)\pL*",
        r"\b(?:sprachmodell|modèle de langage|modelo de lenguaje|modello linguistico|modelo de linguagem|taalmodel|ki-system|"
        r"agente? (?:ia|de ia|ki)|assistants? ia|assistenti ia|ai-assistent)",
        r"(?:助手|人工智能|智能体|语言模型|AI必须|言語モデル|アシスタント|エージェント|ассистент|помощник|языковая модель)",
        r"AI ?(?:어시스턴트|비서|에이전트)|(?:AI|एआई) ?(?:सहायक|एजेंट)|مساعد الذكاء الاصطناعي|أيها المساعد",
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
        r"(?:在.{0,12}之前|然后继续|首先|その前に|まず|前に|прежде чем|сначала)",
    ),
    "authority": (
        r"\b(?:on behalf of|authori[sz]ed by|approved by|as (?:requested|agreed|instructed|required) by|by order of|"
        r"(?:the )?(?:user|owner|customer|client|account holder|management|it|security|compliance|legal|support)"
        r"(?: team| department| policy)? (?:wants?|asked|has asked|requests?|requires?|needs?|approved|authori[sz]ed|"
        r"has approved|has requested|expects?|agreed|consented|would like))",
        r"\b(?:in accordance with|per (?:company |our |the )?policy|regulations? requires?|mandated?|compliance)\b",
        r"\b(?:im auftrag|im namen|genehmigt|au nom de|en nombre|per conto|em nome|namens|autorizad|autorisé)\w*",
    ),
    "claim": (
        r"\b(?:the|your|my|this) (?:user|owner|principal|human)(?: has| have)?(?: already| also| just| further| later){0,2} "
        r"(?:wants?|asked|asks|requested|requests|requires?|needs?|approved|authori[sz]ed|confirmed|expects?|agreed|"
        r"consented|would like|decided|instructed|told|said|prefers?|allowed|gave|given)\b",
        r"\b(?:der|dein|die|ihr) (?:be)?nutzer(?:in)? (?:möchte|will|hat|wünscht|verlangt|bittet|braucht)",
        r"(?:^|\PL)l'utilisat(?:eur|rice) (?:veut|a |souhaite|demande|aimerait|exige|doit)",
        r"\b(?:el|la|tu) usuari[oa] (?:quiere|ha |desea|pide|pidió|necesita|aprobó|no )",
        r"\b(?:l'utente|o usuário|de gebruiker|het gebruiker) (?:vuole|ha |desidera|chiede|quer|pediu|deseja|wil|heeft)",
        r"пользовател\w* (?:хочет|просит|попросил|просил|желает|одобрил|разреш|требует)",
        r"用户(?:希望|要求|想要|还|已|同意|需要你)|ユーザー(?:は|が|から).{0,12}(?:望|依頼|希望|求め|許可|承認)",
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
        r"\b(?:nutzer|benutzer|user|anwender)(?:in)?\W.{0,30}(?:nichts?|erwähn|erfahren|erlaubnis|bestätigung)",
        r"\b(?:erwähne|sage?|verrate|frage?)\W.{0,30}\bnicht\W.{0,30}nutzer|\bfrage den (?:be)?nutzer nicht",
        r"\b(?:ne|n'en|no|non|não|niet)\W.{0,30}(?:l'utilisat|al usuario|el usuario|all'utente|l'utente|ao usuário|"
        r"o usuário|de gebruiker|gebruiker)",
        r"(?:不要|不得|无需|勿).{0,8}(?:用户|告诉|通知|确认|提及)|ユーザー.{0,10}(?:知らせ|伝えな|確認は不要|言わ|気づかれ)",
        r"(?:知らせず|確認せず|не сообщай|не спрашивай|не говори)",
        r"사용자\S{0,3}.{0,8}(?:알리지|말하지|모르게)|उपयोगकर्ता को.{0,8}(?:मत|न|बिना) बता|(?:لا تخبر|دون إخبار|دون علم).{0,6}المستخدم",
    ),
    "imperative": (
        rf"(?:^|[\n:;\"'>*()\]#-]|[.!?,]\s*|\b(?:and|then|also|do|to-?do:?|please|kindly|now|just|first|next|second|"
        rf"step \d+)\W{{1,3}})\s*(?:\d+[.)]\s*)?(?:{_VERBS})\s+\S",
        rf"(?:^|[.!?>\]\n]\s*){_AGENTS}(?: (?:ia|ki|ai))?\s?[,:،，：、]\s*\pL",
        r"\b(?:could|can|would|will) you (?:please |kindly |also )?\w+|\b(?:i|we) (?:need|want|would like|'d like|ask|"
        r"expect) you to \w+",
        r"\bto-?do\b",
        r"(?:^|\PL)(?:bitte|sende|senden|schicke|schick|überweise|überweisen|lösche|löschen|öffne|lade|führe|erstelle|ändere|"
        r"leite|füge|veuillez|merci de|envoie|envoyez|transfère|transférez|supprime|supprimez|ouvre|ouvrez|effectue|"
        r"ajoute|ajoutez|exécute|exécutez|modifie|modifiez|partage|partagez|por favor|envía|envíe|envia|transfiere|"
        r"transfiera|elimina|borra|abre|haz|ejecuta|añade|cambia|modifica|crea|reserva|reenvía|invia|trasferisci|cancella|"
        r"apri|esegui|inoltra|envie|transfira|exclua|apague|abra|execute|stuur|verwijder|maak|verzend)(?:\PL|$)",
        r"(?:请|発送|发送|转账|删除|打开|执行|送信|送って|ください|振り込|削除|отправь|переведи|удали|открой|перешли|смени|добавь)",
        r"(?:주세요|하세요|하십시오|कृपया|भेजें|भेजिए|हटाएं|हटाएँ|करें|कीजिए|बदलें|जोड़ें|يرجى|الرجاء|من فضلك|أرسل|احذف|حوّل|ادفع|أضف|غيّر)",
    ),
    "obligation": (
        r"\b(?:must|shall|should|(?:is|are) (?:to be|required|obliged|expected|supposed) (?:to )?|ha(?:s|ve) to|"
        r"needs? to|"
        r"need(?:s)? (?:\w+ing|to be)|make sure|be sure|remember to|required?s? (?:that|to)|will be (?:\w+ed|sent))\b",
        r"\b(?:muss|müssen|soll|sollen|doit|doivent|il faut|debe|deben|hay que|deve|devono|devem|moet|moeten)\b",
        rf"(?:^|\PL){_AGENTS}(?: (?:ia|ki|ai))? {_HAS_TO}(?:\PL|$)",
        r"(?:必须|应该|需要|必要がある|должен|должна|необходимо|يجب|ينبغي|해야 (?:합|한)|चाहिए)",
    ),
}
