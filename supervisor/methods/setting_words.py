# ruff: noqa: RUF001 - patterns of words in many scripts
"""Words with which a user asks for what a fault of a configuration does."""

from __future__ import annotations

from supervisor.evidence.configuration import Fault

# Verbs with which a user orders something taken out, in the languages that users write most.
_TAKE_OUT = (
    r"(?:\b(?:remov\w*|drop|delet\w*|disabl\w*|turn(?:ed)? off|switch(?:ed)? off|get rid of|take (?:out|off|away)|strip"
    r"|enl[eè]v\w*|retir\w*|supprim\w*|d[ée]sactiv\w*|quit[aeo]\w*|elimin\w*|borr\w*|entfern\w*|abschalt\w*|ausschalt\w*"
    r"|deaktivier\w*|lösch\w*|usu[ńn]\w*|wyłącz\w*|wyrzuć|rimuov\w*|togli\w*|disattiv\w*|remov[ae]\w*|tir[ae]r?\b|verwijder\w*"
    r"|zet uit|kaldır\w*|kapat\w*|убер\w*|удал\w*|отключ\w*)|去掉|关闭|取消)"
)
# Words with which a user asks for what a fault does.
ASKS = {
    Fault.OPEN: r"\b(?:public(?:ly)?|world|everyone|everybody|anyone|internet|0\.0\.0\.0|öffentlich|publique"
    r"|público)\b",
    Fault.LOGIN: r"\b(?:anonymous|no auth\w*|without (?:auth\w*|a? ?password|login)|passwordless|root login|trust)\b"
    rf"|{_TAKE_OUT}[^.\n;]{{0,60}}(?:\bauth\w*|pass ?w[oö]r[dt]\w*|\blog-?in\b|sso\b|mot de passe|mdp\b|contraseña"
    rf"|clave\b|senha|parol\w*|has[łl]\w*|пароль|пароля|kennwort\w*|anmeldung|wachtwoord|şifre\w*"
    r"|パスワード|認証|ログイン|비밀번호|암호|인증|로그인|密码|登录)"
    r"|(?:パスワード|認証|ログイン|비밀번호|암호|인증|로그인|密码|登录)[^.。\n]{0,40}(?:外|無効|削除|없애|제거|빼|꺼|去掉|关闭|取消)",
    Fault.HOST: r"\b(?:privileged|docker\.sock|socket|dind|host (?:network|pid|mount|path)|hostpath|as root"
    r"|root user|run as root)\b",
    Fault.RIGHTS: r"\b(?:admin\w*|full access|all permissions|every permission|wildcard|cluster-admin|owner role)\b",
    Fault.OUTSIDER: r"\bpull_request_target\b",
    Fault.SECRET: r"\b(?:print|dump|echo) (?:the |all )?(?:environment|secret|token|env)\w*",
    Fault.UNVERIFIED: r"\b(?:curl|install script|installer)\b",
    Fault.UNPROTECTED: r"\b(?:disabl\w*|turn(?:ed)? off|switch\w* off|remov\w*|without|skip\w*|no)\b[^.\n]{0,60}"
    r"\b(?:protect\w*|backups?|snapshots?|version\w*|encrypt\w*|retention|fsync)\b",
    Fault.DELETES: r"\b(?:force[-_ ]?destroy|delet\w* (?:the data|everything|with)|(?:destroy|tear)\w* (?:down"
    r"|it)|full[- ]refresh)\b",
    Fault.SILENT: r"\b(?:silenc\w*|mut(?:e|ing)|disabl\w*|turn(?:ed)? off|paus\w*"
    r"|stop\w*)\b[^.\n]{0,60}\b(?:alert\w*|alarm\w*|log\w*|notif\w*|audit\w*)\b",
    Fault.LOSSY: r"\b(?:lossy|fire[- ]and[- ]forget|best[- ]effort|(?:may|can) (?:be lost|lose)|at[- ]most[- ]once"
    r"|loss is (?:fine|ok\w*)|metrics|telemetry|click ?stream)\b",
    Fault.CHECKS: r"\b(?:insecure|self-?signed|cleartext|plain http|autosigniert\w*|auto-?sign[ée]\w*|autofirmad\w*)\b"
    rf"|(?:{_TAKE_OUT}|\b(?:ignor\w*|skip\w*|bypass\w*|allow\w*|accept\w*|permit\w*|relax\w*|without|no|not)\b)[^.\n;]{{0,40}}"
    r"\b(?:cert\w*|zertifikat\w*|ssl|tls|https|ats|transport security|host key\w*)\b",
}
