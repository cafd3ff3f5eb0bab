"""Whether a name is of a thing that only its owner opens: secrets, pay, what is confidential or in a home directory."""

from __future__ import annotations

import re2

_GUARDED = re2.compile(
    r"(?i)secret|passw|credential|token|vault|private|confidential|internal|salar|payroll|\.env\b|\.ssh|\.aws|\.kube|"
    r"\.netrc|\.pgpass|api.?key|id_rsa|id_ed25519|gehalt|geheim|kennwort|passwor|salaire|confiden|contraseñ|nómina|stipend|"
    r"senha|wachtwoord|hasło|парол|зарплат|секрет|şifre|maaş|jelszó|fizetés|mshahara|gaji|sandi|"
    r"密码|工资|薪|パスワード|給与|비밀번호|급여|كلمة|رواتب"
)


def is_guarded(text: str) -> bool:
    """Whether a text names such a thing."""
    return _GUARDED.search(text) is not None
